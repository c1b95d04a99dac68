#include "extract/family.h"

void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl)
{
	if (ioctl->params && !abi_builder_has_record(context->builder, ioctl->params) &&
	    !abi_builder_has_alias(context->builder, ioctl->params))
		abi_builder_warning(context->builder, ioctl->source,
				    arena_printf(context->arena, "%s takes a %s, which no header of the profile declares.",
						 ioctl->name, ioctl->params));
	abi_builder_ioctl(context->builder, ioctl);
}

void family_warn_no_table(const struct family_context *context, int files)
{
	const struct profile_family *family = context->family;
	const char *text;

	if (files)
		text = arena_printf(context->arena, "The %d files here hold no entry that is understood, so the ioctls of family %s are not known.",
				    files, family->name);
	else
		text = arena_printf(context->arena, "There is no such file, so the ioctls of family %s are not known.", family->name);
	abi_builder_warning(context->builder, family->files.count ? arena_strdup(context->arena, family->files.item[0]) : "", text);
}
