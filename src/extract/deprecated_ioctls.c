#include "extract/deprecated_ioctls.h"

#include "extract/deprecated.h"
#include "extract/params.h"

#include <stdlib.h>
#include <string.h>

/* Records inside records are followed this far. */
enum { DEPRECATED_NESTING_MAX = 16 };

struct deprecated_read {
	const struct family_context *context;
	struct deprecated_commands found;
};

static void deprecated_scan_file(void *data, const struct table_file *file)
{
	struct deprecated_read *read = data;

	deprecated_scan(&read->found, file, read->context->family->deprecated.table);
}

/* The record that a field's type is, without dimensions; NULL if it is none. */
static const struct abi_record *deprecated_field_record(const struct abi_builder *builder, const char *type, struct arena *arena)
{
	size_t length = strcspn(type, "[");

	return abi_builder_find_record(builder, type[length] ? arena_strndup(arena, type, length) : type);
}

static bool deprecated_has_pointer(const struct family_context *context, const struct abi_record *record, unsigned depth)
{
	for (size_t i = 0; record && depth && i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_POINTER ||
		    deprecated_has_pointer(context, deprecated_field_record(context->builder, field->type, context->arena), depth - 1))
			return true;
	}
	return false;
}

/* What the profile's rules and the command's function agree on, or NULL with a warning. */
static int deprecated_params(const char **out, const struct family_context *context, const struct deprecated_command *command,
			     const struct macro *macro, struct err *err)
{
	const char *text, *params;
	int rc = params_of_macro(&params, context, macro, err);

	*out = NULL;
	if (rc)
		return rc;
	if (params && deprecated_names(command, params)) {
		*out = params;
		return 0;
	}
	if (params)
		text = arena_printf(context->arena, "%s should take a %s, but its function does not name it, so its parameters are not known.",
				    command->macro, params);
	else
		text = arena_printf(context->arena, "No rule of the profile gives %s a record, so its parameters are not known.", command->macro);
	abi_builder_warning(context->builder, command->source, text);
	return 0;
}

static const char *const *deprecated_flags(size_t *count, const struct family_context *context, const struct deprecated_command *command,
					   const char *params)
{
	const struct abi_record *record = params ? abi_builder_find_record(context->builder, params) : NULL;
	struct word_set words = { 0 };

	word_set_add(&words, ABI_FLAG_DEPRECATED);
	for (size_t i = 0; i < command->flag_count; i++)
		word_set_add(&words, command->flags[i]);
	if (command->conditional)
		word_set_add(&words, ABI_FLAG_CONDITIONAL);
	if (deprecated_has_pointer(context, record, DEPRECATED_NESTING_MAX))
		word_set_add(&words, ABI_FLAG_EMBEDDED_POINTERS);
	return word_set_seal(count, &words, context->arena);
}

/* One row of the table. */
static int deprecated_add(struct deprecated_ioctls *out, const struct family_context *context,
			  const struct deprecated_command *command, struct err *err)
{
	const struct macro *macro = macro_find(context->macros, command->macro, NULL);
	struct deprecated_ioctl one = { .ioctl = { .family = context->name, .name = command->macro, .source = command->source } };
	int rc;

	if (!macro || !macro->evaluated || macro->value.negative) {
		abi_builder_warning(context->builder, command->source,
				    arena_printf(context->arena, "The deprecated command %s is left out: the headers give it no number.",
						 command->macro));
		return 0;
	}
	one.ioctl.number = macro->value.magnitude;
	if ((rc = deprecated_params(&one.ioctl.params, context, command, macro, err)))
		return rc;
	one.ioctl.flags = deprecated_flags(&one.ioctl.flag_count, context, command, one.ioctl.params);
	one.row = out->count;
	ARRAY_GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = one;
	return 0;
}

static int deprecated_compare(const void *a, const void *b)
{
	const struct abi_ioctl *left = &((const struct deprecated_ioctl *)a)->ioctl;
	const struct abi_ioctl *right = &((const struct deprecated_ioctl *)b)->ioctl;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return ((const struct deprecated_ioctl *)a)->row < ((const struct deprecated_ioctl *)b)->row ? -1 : 1;
}

static void deprecated_unique(struct deprecated_ioctls *list, const struct family_context *context)
{
	size_t unique = 0;

	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), deprecated_compare);
	for (size_t i = 0; i < list->count; i++) {
		const struct abi_ioctl *one = &list->items[i].ioctl, *before = unique ? &list->items[unique - 1].ioctl : NULL;

		if (!before || before->number != one->number)
			list->items[unique++] = list->items[i];
		else
			abi_builder_warning(context->builder, one->source,
					    arena_printf(context->arena, "%s has the number of %s at %s; it is left out.", one->name,
							 before->name, before->source));
	}
	list->count = unique;
}

int deprecated_ioctls_read(struct deprecated_ioctls *out, const struct family_context *context, struct err *err)
{
	const struct profile_strings *files = &context->family->deprecated.files;
	struct deprecated_read read = { .context = context };
	int count, rc;

	if (!files->count)
		return 0;
	count = table_files_read(context->tree, files, context->builder, context->arena, deprecated_scan_file, &read, err);
	rc = count < 0 ? count : 0;
	if (!count)
		abi_builder_warning(context->builder, arena_strdup(context->arena, files->item[0]),
				    "There is no such file, so it is not known which commands are deprecated.");
	for (size_t i = 0; i < read.found.count && !rc; i++)
		rc = deprecated_add(out, context, &read.found.items[i], err);
	if (!rc)
		deprecated_unique(out, context);
	free(read.found.items);
	return rc;
}

struct deprecated_ioctl *deprecated_ioctls_find(const struct deprecated_ioctls *list, uint64_t number)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->items[middle].ioctl.number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->count && list->items[low].ioctl.number == number ? &list->items[low] : NULL;
}
