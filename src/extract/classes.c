/*
 * extract/classes.c - reads the driver's list of classes that can be allocated, resource_list.h
 *
 * The file is a list of calls RS_ENTRY(...) with eight arguments. This format is the same in all tags from
 * 515.43.04 to 595.45.04.
 */
#include "extract/internal.h"

#include <stdlib.h>
#include <string.h>

/* The arguments of RS_ENTRY, in their order. */
enum rs_argument {
	RS_EXTERNAL_CLASS,
	RS_INTERNAL_CLASS,
	RS_MULTI_INSTANCE,
	RS_PARENTS,
	RS_ALLOC_PARAMS,
	RS_FREE_PRIORITY,
	RS_FLAGS,
	RS_ACCESS,
};

enum { RS_ARGUMENT_COUNT = RS_ACCESS + 1 };

/* Checks whether @list is "0" or a list of names that begin with @prefix. */
static bool rs_is_list_of(struct view list, const char *prefix)
{
	struct view name;
	bool malformed = view_is(list, "");

	if (view_is(list, "0"))
		return true;
	while (view_cut_names(&name, &list, &malformed))
		if (!view_cut(&name, prefix))
			malformed = true;
	return !malformed;
}

/* Reads the arguments of an entry. Return: false if they are not in the known format. */
static bool rs_read_arguments(struct rs_entry *entry, const struct view argument[RS_ARGUMENT_COUNT],
			      struct arena *arena)
{
	struct view name, kind, params, class = argument[RS_EXTERNAL_CLASS], rest = argument[RS_ALLOC_PARAMS];

	if (!view_cut_name(&name, &class) || class.length || !view_cut_name(&kind, &rest))
		return false;
	/* The parameters are RS_REQUIRED(T), RS_OPTIONAL(T) or RS_NONE. */
	entry->required = view_is(kind, "RS_REQUIRED");
	if (entry->required || view_is(kind, "RS_OPTIONAL")) {
		if (!view_cut(&rest, "(") || !table_cut_record(&params, &rest) || !view_is(rest, ")"))
			return false;
		entry->params = arena_strndup(arena, params.at, params.length);
	} else if (!view_is(kind, "RS_NONE") || rest.length) {
		return false;
	}
	entry->name = arena_strndup(arena, name.at, name.length);
	entry->flags = argument[RS_FLAGS];
	entry->access = argument[RS_ACCESS];
	return rs_is_list_of(entry->flags, "RS_FLAGS_") && rs_is_list_of(entry->access, "RS_ACCESS_");
}

void rs_entry_scan(struct rs_entries *out, const struct table_file *file)
{
	struct statements stream;

	statements_init(&stream, file);
	while (statements_skip(&stream)) {
		struct view argument[RS_ARGUMENT_COUNT] = { 0 }, name, rest = statements_rest(&stream);
		struct rs_entry entry = { .conditional = stream.conditions.depth > 0 };
		size_t count;

		if (!view_cut_name(&name, &rest) || !view_is(name, "RS_ENTRY") || !rest.length ||
		    *rest.at != '(') {
			const char *newline = memchr(stream.at, '\n', (size_t)(stream.end - stream.at));

			table_file_warn(file, stream.line,
					"This line of the list of classes is not understood.");
			stream.at = newline ? newline : stream.end;
			continue;
		}
		statements_cut_name(&name, &stream);
		statements_cut(&stream, '(');
		entry.line = stream.line;
		if (!statements_cut_arguments(argument, RS_ARGUMENT_COUNT, &count, &stream)) {
			table_file_warn(file, entry.line,
					"This RS_ENTRY is left out: its parentheses do not close.");
		} else if (count != RS_ARGUMENT_COUNT) {
			table_file_warn(file, entry.line,
					"This RS_ENTRY is left out: it has %zu arguments, not %d.", count,
					RS_ARGUMENT_COUNT);
		} else if (!rs_read_arguments(&entry, argument, file->arena)) {
			table_file_warn(
				file, entry.line,
				"This RS_ENTRY is left out: its class, parameters, flags or rights are not "
				"in the known format.");
		} else {
			ARRAY_GROW(out->items, out->count, out->capacity);
			out->items[out->count++] = entry;
		}
	}
}

/* The state of reading a family of classes. */
struct classes {
	const struct family_context *context;
	struct flag_words flags;
	struct flag_words access;
};

/*
 * Adds a word for each name in @list, such as "RS_FLAGS_A | RS_FLAGS_B", except for names that end in _NONE.
 */
static void classes_add_words(struct word_set *out, const struct classes *classes,
			      const struct flag_words *words, struct view list, const struct table_file *file,
			      unsigned line)
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

static void classes_add(const struct classes *classes, const struct rs_entry *entry,
			const struct table_file *file)
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
		table_file_warn(file, entry->line, "The class %s is left out: the headers give it no number.",
				entry->name);
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

int classes_add_family(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	struct classes classes = { .context = context };
	struct table_files files = { 0 };
	size_t count = 0; /* number of entries in all files */
	int rc;

	if ((rc = flag_words_read(&classes.flags, context, &family->flag_words, false, err)) ||
	    (rc = flag_words_read(&classes.access, context, &family->access_words, true, err)) ||
	    (rc = table_files_find(&files, context, &family->files, err)))
		goto out;
	while (table_files_next(&files, &rc, err)) {
		struct rs_entries found = { 0 };

		rs_entry_scan(&found, &files.file);
		for (size_t i = 0; i < found.count; i++)
			classes_add(&classes, &found.items[i], &files.file);
		count += found.count;
		free(found.items);
	}
	if (!rc && !count)
		family_warn_no_table(context, files.count);
out:
	table_files_release(&files);
	free(classes.access.items);
	free(classes.flags.items);
	return rc;
}
