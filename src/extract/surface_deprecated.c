#include "extract/surface_deprecated.h"

#include "extract/deprecated.h"

#include <stdlib.h>
#include <string.h>

/* Records inside records are followed this far. */
enum { DEPRECATED_NESTING_MAX = 16 };

struct deprecated_read {
	const struct surface_table *table;
	struct deprecated_commands found;
};

static void deprecated_scan_file(void *data, const struct surface_file *file)
{
	struct deprecated_read *read = data;

	deprecated_scan(&read->found, file, read->table->family->deprecated.table);
}

/* The record that a field's type is, without dimensions; NULL if it is none. */
static const struct abi_record *deprecated_field_record(const struct abi_builder *builder, const char *type, struct arena *arena)
{
	size_t length = strcspn(type, "[");

	return abi_builder_find_record(builder, type[length] ? arena_strndup(arena, type, length) : type);
}

static bool deprecated_has_pointer(const struct surface_table *table, const struct abi_record *record, unsigned depth)
{
	for (size_t i = 0; record && depth && i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_POINTER ||
		    deprecated_has_pointer(table, deprecated_field_record(table->builder, field->type, table->arena), depth - 1))
			return true;
	}
	return false;
}

/* What the profile's rules and the command's function agree on, or NULL with a warning. */
static int deprecated_params(const char **out, const struct surface_table *table, const struct deprecated_command *command,
			     const struct macro *macro, struct err *err)
{
	const char *text, *params;
	int rc = surface_params_by_rules(&params, table, macro, err);

	*out = NULL;
	if (rc)
		return rc;
	if (params && deprecated_names(command, params)) {
		*out = params;
		return 0;
	}
	if (params)
		text = arena_printf(table->arena, "%s should take a %s, but its function does not name it, so its parameters are not known.",
				    command->macro, params);
	else
		text = arena_printf(table->arena, "No rule of the profile gives %s a record, so its parameters are not known.", command->macro);
	abi_builder_warning(table->builder, command->source, text);
	return 0;
}

static const char *const *deprecated_flags(size_t *count, const struct surface_table *table, const struct deprecated_command *command,
					   const char *params)
{
	const struct abi_record *record = params ? abi_builder_find_record(table->builder, params) : NULL;
	struct surface_word_set words = { 0 };

	surface_word_set_add(&words, ABI_FLAG_DEPRECATED);
	for (size_t i = 0; i < command->flag_count; i++)
		surface_word_set_add(&words, command->flags[i]);
	if (command->conditional)
		surface_word_set_add(&words, ABI_FLAG_CONDITIONAL);
	if (deprecated_has_pointer(table, record, DEPRECATED_NESTING_MAX))
		surface_word_set_add(&words, ABI_FLAG_EMBEDDED_POINTERS);
	return surface_word_set_take(count, &words, table->arena);
}

/* One row of the table. */
static int deprecated_add(struct surface_deprecated_list *out, const struct surface_table *table,
			  const struct deprecated_command *command, struct err *err)
{
	const struct macro *macro = macro_find(table->macros, command->macro, NULL);
	struct surface_deprecated one = { .ioctl = { .family = table->name, .name = command->macro, .source = command->source } };
	int rc;

	if (!macro || !macro->evaluated || macro->value.negative) {
		abi_builder_warning(table->builder, command->source,
				    arena_printf(table->arena, "The deprecated command %s is left out: the headers give it no number.",
						 command->macro));
		return 0;
	}
	one.ioctl.number = macro->value.magnitude;
	if ((rc = deprecated_params(&one.ioctl.params, table, command, macro, err)))
		return rc;
	one.ioctl.flags = deprecated_flags(&one.ioctl.flag_count, table, command, one.ioctl.params);
	one.row = out->count;
	ARRAY_GROW(out->items, out->count, out->capacity);
	out->items[out->count++] = one;
	return 0;
}

static int deprecated_compare(const void *a, const void *b)
{
	const struct abi_ioctl *left = &((const struct surface_deprecated *)a)->ioctl;
	const struct abi_ioctl *right = &((const struct surface_deprecated *)b)->ioctl;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return ((const struct surface_deprecated *)a)->row < ((const struct surface_deprecated *)b)->row ? -1 : 1;
}

static void deprecated_unique(struct surface_deprecated_list *list, const struct surface_table *table)
{
	size_t unique = 0;

	if (list->count > 1)
		qsort(list->items, list->count, sizeof(*list->items), deprecated_compare);
	for (size_t i = 0; i < list->count; i++) {
		const struct abi_ioctl *one = &list->items[i].ioctl, *before = unique ? &list->items[unique - 1].ioctl : NULL;

		if (!before || before->number != one->number)
			list->items[unique++] = list->items[i];
		else
			abi_builder_warning(table->builder, one->source,
					    arena_printf(table->arena, "%s has the number of %s at %s; it is left out.", one->name,
							 before->name, before->source));
	}
	list->count = unique;
}

int surface_deprecated_read(struct surface_deprecated_list *out, const struct surface_table *table, struct err *err)
{
	const struct profile_strings *files = &table->family->deprecated.files;
	struct deprecated_read read = { .table = table };
	int count, rc;

	if (!files->count)
		return 0;
	count = surface_read_files(table->tree, files, table->builder, table->arena, deprecated_scan_file, &read, err);
	rc = count < 0 ? count : 0;
	if (!count)
		abi_builder_warning(table->builder, arena_strdup(table->arena, files->item[0]),
				    "There is no such file, so it is not known which commands are deprecated.");
	for (size_t i = 0; i < read.found.count && !rc; i++)
		rc = deprecated_add(out, table, &read.found.items[i], err);
	if (!rc)
		deprecated_unique(out, table);
	free(read.found.items);
	return rc;
}

struct surface_deprecated *surface_deprecated_find(const struct surface_deprecated_list *list, uint64_t number)
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
