/*
 * extract/classes.c - reads the driver's list of classes that can be allocated, resource_list.h
 *
 * The file is a list of calls RS_ENTRY(...) with eight arguments. This format is the same in all tags from
 * 515.43.04 to 595.45.04.
 */
#include "extract/internal.h"

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

/* Checks whether @list, an argument of RS_ENTRY, is "0" or "A | B", where all names begin with @prefix. */
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

/* The state of reading a family of classes. */
struct classes {
	const struct family_context *context;
	struct flag_words flags, access;
	bool has_entry; /* at least one file has a valid entry */
};

/*
 * Returns the sorted words for the names in @list, "RS_FLAGS_A | RS_FLAGS_B", except for names that end in
 * _NONE. A name that the headers do not define becomes a word too, with a warning if they define other names.
 */
static struct profile_strings classes_words(const struct flag_words *words, struct view list,
					    const struct table_file *file, unsigned line)
{
	struct profile_strings out = { 0 };
	struct view name;
	bool malformed = false;

	while (view_cut_names(&name, &list, &malformed)) {
		if (name.length > 5 && view_ends_with(name, "_NONE"))
			continue;
		if (!flag_words_add_macro(&out, words, name, file->arena) && words->count)
			table_file_warn(file, line, "No header of the profile defines %.*s.",
					(int)(name.length < 200 ? name.length : 200), name.at);
	}
	return out;
}

/*
 * Adds the class of an entry as an ioctl, and sets classes->has_entry. If the headers have no number for the
 * class, only warns. Return: false if an argument is not in the known format.
 */
static bool classes_add(struct classes *classes, const struct view argument[RS_ARGUMENT_COUNT],
			bool is_conditional, const struct table_file *file, unsigned line)
{
	struct view name, kind, params, class = argument[RS_EXTERNAL_CLASS], rest = argument[RS_ALLOC_PARAMS];
	struct abi_ioctl ioctl = { .family = classes->context->family->name,
				   .source = table_file_source(file, line) };
	struct profile_strings flags, access;
	const struct macro *macro;
	bool is_required;

	if (!view_cut_name(&name, &class) || class.length || !view_cut_name(&kind, &rest) ||
	    !rs_is_list_of(argument[RS_FLAGS], "RS_FLAGS_") ||
	    !rs_is_list_of(argument[RS_ACCESS], "RS_ACCESS_"))
		return false;
	/* The parameters are RS_REQUIRED(T), RS_OPTIONAL(T) or RS_NONE. */
	is_required = view_is(kind, "RS_REQUIRED");
	if (is_required || view_is(kind, "RS_OPTIONAL")) {
		if (!view_cut(&rest, "(") || !table_cut_record(&params, &rest) || !view_is(rest, ")"))
			return false;
		ioctl.params = arena_strndup(file->arena, params.at, params.length);
	} else if (!view_is(kind, "RS_NONE") || rest.length) {
		return false;
	}
	classes->has_entry = true;
	ioctl.name = arena_strndup(file->arena, name.at, name.length);
	macro = macro_find(classes->context->macros, ioctl.name, NULL);
	if (!macro || !macro->evaluated || macro->value.negative) {
		table_file_warn(file, line, "The class %s is left out: the headers give it no number.",
				ioctl.name);
		return true;
	}
	ioctl.number = macro->value.magnitude;
	flags = classes_words(&classes->flags, argument[RS_FLAGS], file, line);
	if (ioctl.params)
		words_add(&flags, is_required ? "required" : "optional", file->arena);
	if (is_conditional)
		words_add(&flags, ABI_FLAG_CONDITIONAL, file->arena);
	ioctl.flags = flags.item;
	ioctl.flag_count = flags.count;
	access = classes_words(&classes->access, argument[RS_ACCESS], file, line);
	ioctl.access = words_join(&access, file->arena);
	family_add_ioctl(classes->context, &ioctl);
	return true;
}

/* Adds the classes of one file to the document. Warns of lines other than directives and entries. */
static void classes_scan(void *data, const struct table_file *file)
{
	struct statements stream;

	statements_init(&stream, file);
	while (statements_skip(&stream)) {
		struct view argument[RS_ARGUMENT_COUNT] = { 0 }, name, rest = statements_rest(&stream);
		const bool is_conditional = stream.conditions.depth > 0;
		unsigned line;
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
		statements_is_at(&stream, '(');
		line = stream.line;
		count = statements_cut_arguments(argument, RS_ARGUMENT_COUNT, &stream);
		if (!count)
			table_file_warn(file, line, "This RS_ENTRY is left out: its parentheses do not close, or "
						    "enclose a directive.");
		else if (count != RS_ARGUMENT_COUNT)
			table_file_warn(file, line, "This RS_ENTRY is left out: it has %zu arguments, not %d.",
					count, RS_ARGUMENT_COUNT);
		else if (!classes_add(data, argument, is_conditional, file, line))
			table_file_warn(
				file, line,
				"This RS_ENTRY is left out: its class, parameters, flags or rights are not "
				"in the known format.");
	}
}

int classes_add_family(const struct family_context *context, struct err *err)
{
	const struct profile_family *family = context->family;
	struct classes classes = { .context = context };
	size_t count;
	int rc;

	if (!(rc = flag_words_read(&classes.flags, context, &family->flag_words, false, err)) &&
	    !(rc = flag_words_read(&classes.access, context, &family->access_words, true, err)) &&
	    !(rc = tables_read(&count, context, &family->files, classes_scan, &classes, err)) &&
	    !classes.has_entry)
		family_warn_no_table(context, count);
	return rc;
}
