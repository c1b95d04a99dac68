#include "extract/surface_tables.h"

#include "extract/rs_entry.h"
#include "extract/surface_words.h"

#include <stdlib.h>
#include <string.h>

struct classes {
	const struct surface_table *table;
	size_t count; /* of entries of all files */
	struct surface_words flags;
	struct surface_words access;
};

/* The words of "RS_FLAGS_A | RS_FLAGS_B". */
static void classes_add_words(struct surface_word_set *out, const struct classes *classes, const struct surface_words *words,
			      struct surface_span list, const struct surface_file *file, unsigned line)
{
	struct surface_span name;
	bool malformed = false;

	while (rs_entry_next_name(&name, &list, &malformed)) {
		if (name.length > 5 && !memcmp(name.at + name.length - 5, "_NONE", 5))
			continue;
		if (!surface_words_add_macro(out, words, name, classes->table->arena) && words->count)
			surface_warn(file, line, "No header of the profile defines %.*s.",
				     (int)(name.length < 200 ? name.length : 200), name.at);
	}
}

static void classes_add(const struct classes *classes, const struct rs_entry *entry, const struct surface_file *file)
{
	const struct surface_table *table = classes->table;
	const struct macro *macro = macro_find(table->macros, entry->name, NULL);
	struct surface_word_set flags = { 0 }, access = { 0 };
	struct abi_ioctl ioctl = {
		.family = table->name,
		.name = entry->name,
		.params = entry->params,
		.source = surface_source(file, entry->line),
	};

	if (!macro || !macro->evaluated || macro->value.negative) {
		surface_warn(file, entry->line, "The class %s is left out: the headers give it no number.", entry->name);
		return;
	}
	ioctl.number = macro->value.magnitude;
	classes_add_words(&flags, classes, &classes->flags, entry->flags, file, entry->line);
	if (entry->params)
		surface_word_set_add(&flags, entry->required ? "required" : "optional");
	if (entry->conditional)
		surface_word_set_add(&flags, ABI_FLAG_CONDITIONAL);
	ioctl.flags = surface_word_set_take(&ioctl.flag_count, &flags, table->arena);
	classes_add_words(&access, classes, &classes->access, entry->access, file, entry->line);
	ioctl.access = surface_word_set_join(&access, table->arena);
	surface_add(table, &ioctl);
}

static void take_entries(void *data, const struct surface_file *file)
{
	rs_entry_scan(data, file);
}

static void classes_add_all(struct classes *classes, const struct rs_entries *entries, const char *path)
{
	const struct surface_table *table = classes->table;
	const struct surface_file file = { .path = path, .builder = table->builder, .arena = table->arena };

	for (size_t i = 0; i < entries->count; i++)
		classes_add(classes, &entries->items[i], &file);
	classes->count += entries->count;
}

static int classes_read_list(void *data, const char *path, struct err *err)
{
	struct classes *classes = data;
	const struct surface_table *table = classes->table;
	struct rs_entries found = { 0 };
	int rc = surface_read_file(table->tree, path, table->builder, table->arena, take_entries, &found, err);

	if (!rc)
		classes_add_all(classes, &found, path);
	free(found.items);
	return rc;
}

int surface_add_classes(const struct surface_table *table, struct err *err)
{
	const struct profile_family *family = table->family;
	struct classes classes = { .table = table };
	int files, rc;

	if ((rc = surface_words_read(&classes.flags, table->tree, &family->flag_words, false, table->builder, table->arena, err)) ||
	    (rc = surface_words_read(&classes.access, table->tree, &family->access_words, true, table->builder, table->arena, err)))
		goto out;
	files = surface_each_path(table, &family->files, classes_read_list, &classes, err);
	rc = files < 0 ? files : 0;
	if (!rc && !classes.count)
		surface_no_table(table, files);
out:
	surface_words_release(&classes.access);
	surface_words_release(&classes.flags);
	return rc;
}
