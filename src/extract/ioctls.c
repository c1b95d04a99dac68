#include "extract/ioctls.h"

#include "extract/family.h"

static int add_family(const struct family_context *context, struct err *err)
{
	switch (context->family->source) {
	case PROFILE_FROM_CONSTANTS:
	case PROFILE_FROM_IOC:
		return constants_add_family(context, err);
	case PROFILE_FROM_ENUM:
		return enumerators_add_family(context, err);
	case PROFILE_FROM_NVOC:
		return methods_add_family(context, err);
	case PROFILE_FROM_RS_ENTRY:
		return classes_add_family(context, err);
	}
	return 0;
}

int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile, const struct macro_index *macros,
	       struct memo *memo, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < profile->family_count && !rc; i++) {
		const struct profile_family *family = &profile->families[i];
		struct family_context context = { builder, tree, family, arena_strdup(arena, family->name), macros, memo, arena };

		rc = add_family(&context, err);
	}
	return rc;
}
