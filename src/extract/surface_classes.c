#include "extract/surface_tables.h"

#include "extract/rs_entry.h"
#include "extract/surface_words.h"

#include <stdlib.h>
#include <string.h>

struct classes {
	const struct surface_table *table;
	struct rs_entries entries; /* of the file being read */
	size_t count;              /* of all files */
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
		surface_word_set_add(&flags, "conditional");
	ioctl.flags = surface_word_set_take(&ioctl.flag_count, &flags, table->arena);
	classes_add_words(&access, classes, &classes->access, entry->access, file, entry->line);
	ioctl.access = surface_word_set_join(&access, table->arena);
	surface_add(table, &ioctl);
}

static void classes_take_list(void *data, const struct surface_file *file)
{
	struct classes *classes = data;

	classes->entries.count = 0;
	rs_entry_scan(&classes->entries, file);
	for (size_t i = 0; i < classes->entries.count; i++)
		classes_add(classes, &classes->entries.items[i], file);
	classes->count += classes->entries.count;
}

int surface_add_classes(const struct surface_table *table, struct err *err)
{
	const struct profile_family *family = table->family;
	struct classes classes = { .table = table };
	int files, rc;

	if ((rc = surface_words_read(&classes.flags, table->tree, &family->flag_words, false, table->builder, table->arena, err)) ||
	    (rc = surface_words_read(&classes.access, table->tree, &family->access_words, true, table->builder, table->arena, err)))
		goto out;
	files = surface_read_files(table->tree, &family->files, table->builder, table->arena, classes_take_list, &classes, err);
	rc = files < 0 ? files : 0;
	if (!rc && !classes.count)
		surface_no_table(table, files);
out:
	surface_words_release(&classes.access);
	surface_words_release(&classes.flags);
	free(classes.entries.items);
	return rc;
}
