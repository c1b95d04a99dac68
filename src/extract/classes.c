#include "extract/family.h"

#include "extract/flag_words.h"
#include "extract/rs_entry.h"

#include <stdlib.h>
#include <string.h>

struct classes {
	const struct family_context *context;
	size_t count; /* of entries of all files */
	struct flag_words flags;
	struct flag_words access;
};

/* The words of "RS_FLAGS_A | RS_FLAGS_B". */
static void classes_add_words(struct word_set *out, const struct classes *classes, const struct flag_words *words,
			      struct view list, const struct table_file *file, unsigned line)
{
	struct view name;
	bool malformed = false;

	while (view_cut_names(&name, &list, &malformed)) {
		if (name.length > 5 && !memcmp(name.at + name.length - 5, "_NONE", 5))
			continue;
		if (!flag_words_add_macro(out, words, name, classes->context->arena) && words->count)
			table_file_warn(file, line, "No header of the profile defines %.*s.",
				     (int)(name.length < 200 ? name.length : 200), name.at);
	}
}

static void classes_add(const struct classes *classes, const struct rs_entry *entry, const struct table_file *file)
{
	const struct family_context *context = classes->context;
	const struct macro *macro = macro_find(context->macros, entry->name, NULL);
	struct word_set flags = { 0 }, access = { 0 };
	struct abi_ioctl ioctl = {
		.family = context->name,
		.name = entry->name,
		.params = entry->params,
		.source = table_file_source(file, entry->line),
	};

	if (!macro || !macro->evaluated || macro->value.negative) {
		table_file_warn(file, entry->line, "The class %s is left out: the headers give it no number.", entry->name);
		return;
	}
	ioctl.number = macro->value.magnitude;
	classes_add_words(&flags, classes, &classes->flags, entry->flags, file, entry->line);
	if (entry->params)
		word_set_add(&flags, entry->required ? "required" : "optional");
	if (entry->conditional)
		word_set_add(&flags, ABI_FLAG_CONDITIONAL);
	ioctl.flags = word_set_seal(&ioctl.flag_count, &flags, context->arena);
	classes_add_words(&access, classes, &classes->access, entry->access, file, entry->line);
	ioctl.access = word_set_join(&access, context->arena);
	family_add_ioctl(context, &ioctl);
}

static void classes_scan_list(void *data, const struct table_file *file)
{
	struct classes *classes = data;
	struct rs_entries found = { 0 };

	rs_entry_scan(&found, file);
	for (size_t i = 0; i < found.count; i++)
		classes_add(classes, &found.items[i], file);
	classes->count += found.count;
	free(found.items);
}

int classes_add_family(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	struct classes classes = { .context = context };
	int files, rc;

	if ((rc = flag_words_read(&classes.flags, context->tree, &family->flag_words, false, context->builder, context->arena, err)) ||
	    (rc = flag_words_read(&classes.access, context->tree, &family->access_words, true, context->builder, context->arena, err)))
		goto out;
	files = table_files_read(context->tree, &family->files, context->builder, context->arena, classes_scan_list, &classes, err);
	rc = files < 0 ? files : 0;
	if (!rc && !classes.count)
		family_warn_no_table(context, files);
out:
	flag_words_release(&classes.access);
	flag_words_release(&classes.flags);
	return rc;
}
