#include "extract/surface.h"

#include "extract/surface_tables.h"

#include <stdlib.h>

void surface_no_table(const struct surface_table *table, int files)
{
	const struct profile_family *family = table->family;
	const char *text;

	if (files)
		text = arena_printf(table->arena, "The %d files here hold no entry that is understood, so the ioctls of family %s are not known.",
				    files, family->name);
	else
		text = arena_printf(table->arena, "There is no such file, so the ioctls of family %s are not known.", family->name);
	abi_builder_warning(table->builder, family->files.count ? arena_strdup(table->arena, family->files.item[0]) : "", text);
}

void surface_add(const struct surface_table *table, const struct abi_ioctl *ioctl)
{
	if (ioctl->params && !abi_builder_has_record(table->builder, ioctl->params) &&
	    !abi_builder_has_alias(table->builder, ioctl->params))
		abi_builder_warning(table->builder, ioctl->source,
				    arena_printf(table->arena, "%s takes a %s, which no header of the profile declares.",
						 ioctl->name, ioctl->params));
	abi_builder_ioctl(table->builder, ioctl);
}

int surface_each_path(const struct surface_table *table, const struct profile_strings *globs,
		      int (*read)(void *data, const char *path, struct err *err), void *data, struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++)
		rc = table->tree->ops->glob(table->tree, globs->item[i], &paths, &count, err);
	for (size_t i = 0; i < count && !rc; i++)
		rc = read(data, paths[i], err);
	free(paths);
	return rc ? rc : (int)count;
}

int extract_surface(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
		    const struct macro_index *macros, struct extract_memo *memo, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < profile->family_count && !rc; i++) {
		const struct profile_family *family = &profile->families[i];
		struct surface_table table = { builder, tree, family, arena_strdup(arena, family->name), macros, memo, arena };

		switch (family->source) {
		case PROFILE_FROM_CONSTANTS:
			rc = surface_add_constants(&table, err);
			break;
		case PROFILE_FROM_ENUM:
			rc = surface_add_enumerators(&table, err);
			break;
		case PROFILE_FROM_NVOC:
			rc = surface_add_methods(&table, err);
			break;
		case PROFILE_FROM_RS_ENTRY:
			rc = surface_add_classes(&table, err);
			break;
		}
	}
	return rc;
}
