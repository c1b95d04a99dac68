#include "extract/rs_entry.h"

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

struct rs_scan {
	struct rs_entries *out;
	const struct surface_file *file;
	const char *at;
	const char *end;
	unsigned line; /* that *at is on */
	struct surface_conditions conditions;
};

static void rs_skip_space(struct rs_scan *scan)
{
	for (; scan->at < scan->end && surface_is_space(*scan->at); scan->at++)
		if (*scan->at == '\n')
			scan->line++;
}

/**
 * rs_take_arguments - from behind "(" to behind its ")"
 * @count: of all arguments, also of those that have no room in @argument
 *
 * Return: false if the text ends, or a directive stands inside.
 */
static bool rs_take_arguments(struct surface_span argument[RS_ARGUMENT_COUNT], size_t *count, struct rs_scan *scan)
{
	const char *start = scan->at;
	unsigned depth = 0;

	for (*count = 0; scan->at < scan->end; scan->at++) {
		char ch = *scan->at;

		if (ch == '#')
			return false;
		if (ch == '\n')
			scan->line++;
		else if (ch == '(')
			depth++;
		else if (ch == ')' && depth)
			depth--;
		else if (ch == ')' || (ch == ',' && !depth)) {
			if (*count < RS_ARGUMENT_COUNT)
				argument[*count] = surface_trim((struct surface_span){ start, (size_t)(scan->at - start) });
			++*count;
			start = scan->at + 1;
			if (ch == ')') {
				scan->at++;
				return true;
			}
		}
	}
	return false;
}

/* RS_REQUIRED(T), RS_OPTIONAL(T) or RS_NONE. */
static bool rs_alloc_params(struct rs_entry *entry, struct surface_span text, struct arena *arena)
{
	struct surface_span kind, name;

	if (!surface_cut_name(&kind, &text))
		return false;
	if (surface_is(kind, "RS_NONE"))
		return !text.length;
	entry->required = surface_is(kind, "RS_REQUIRED");
	if ((!entry->required && !surface_is(kind, "RS_OPTIONAL")) || !surface_cut(&text, "("))
		return false;
	if (!surface_cut_name(&name, &text))
		return false;
	if (surface_is(name, "struct") || surface_is(name, "union"))
		if (!surface_cut_name(&name, &text))
			return false;
	entry->params = arena_strndup(arena, name.at, name.length);
	return surface_is(text, ")");
}

bool rs_entry_next_name(struct surface_span *name, struct surface_span *list, bool *malformed)
{
	if (!list->length)
		return false;
	if (!surface_cut_name(name, list) || (list->length && !surface_cut(list, "|"))) {
		*malformed = true;
		return false;
	}
	return true;
}

/* Is @list made of names that begin with @prefix, or "0"? */
static bool rs_is_list_of(struct surface_span list, const char *prefix)
{
	struct surface_span name;
	bool malformed = surface_is(list, "");

	if (surface_is(list, "0"))
		return true;
	while (rs_entry_next_name(&name, &list, &malformed))
		if (!surface_cut(&name, prefix))
			malformed = true;
	return !malformed;
}

static void rs_take_entry(struct rs_scan *scan)
{
	struct surface_span argument[RS_ARGUMENT_COUNT] = { 0 }, name, rest;
	struct rs_entry entry = { .line = scan->line, .conditional = scan->conditions.depth > 0 };
	size_t count;

	scan->at++;
	if (!rs_take_arguments(argument, &count, scan)) {
		surface_warn(scan->file, entry.line, "This RS_ENTRY is left out: its parentheses do not close.");
		return;
	}
	if (count != RS_ARGUMENT_COUNT) {
		surface_warn(scan->file, entry.line, "This RS_ENTRY is left out: it has %zu arguments, not %d.", count,
			     RS_ARGUMENT_COUNT);
		return;
	}
	entry.flags = argument[RS_FLAGS];
	entry.access = argument[RS_ACCESS];
	rest = argument[RS_EXTERNAL_CLASS];
	if (!surface_cut_name(&name, &rest) || rest.length ||
	    !rs_alloc_params(&entry, argument[RS_ALLOC_PARAMS], scan->file->arena) ||
	    !rs_is_list_of(entry.flags, "RS_FLAGS_") || !rs_is_list_of(entry.access, "RS_ACCESS_")) {
		surface_warn(scan->file, entry.line,
			     "This RS_ENTRY is left out: its class, parameters, flags or rights are not of the known form.");
		return;
	}
	entry.name = arena_strndup(scan->file->arena, name.at, name.length);
	ARRAY_GROW(scan->out->items, scan->out->count, scan->out->capacity);
	scan->out->items[scan->out->count++] = entry;
}

/* A whole preprocessor line, with the lines that continue it. */
static void rs_take_directive(struct rs_scan *scan)
{
	struct surface_lines lines = { scan->at, scan->end, scan->line };
	struct surface_span line;
	bool continued, first = true;

	do {
		unsigned number = lines.number;

		if (!surface_next_line(&line, &lines))
			break;
		if (first && !surface_condition(&scan->conditions, line, SURFACE_UNKNOWN))
			surface_warn(scan->file, number, "This line closes an #if that is not there.");
		first = false;
		continued = line.length && line.at[line.length - 1] == '\\';
	} while (continued);
	scan->at = lines.at;
	scan->line = lines.number;
}

/* Anything that is neither an entry nor a directive: up to the end of the line. */
static void rs_take_unknown(struct rs_scan *scan)
{
	const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));

	surface_warn(scan->file, scan->line, "This line of the list of classes is not understood.");
	scan->at = newline ? newline : scan->end;
}

void rs_entry_scan(struct rs_entries *out, const struct surface_file *file)
{
	const char *text = surface_blank(file);
	struct rs_scan scan = { .out = out, .file = file, .at = text, .end = text + file->size, .line = 1 };

	for (;;) {
		struct surface_span rest, name;

		rs_skip_space(&scan);
		if (scan.at >= scan.end)
			return;
		rest = (struct surface_span){ scan.at, (size_t)(scan.end - scan.at) };
		if (*scan.at == '#') {
			rs_take_directive(&scan);
		} else if (surface_cut_name(&name, &rest) && surface_is(name, "RS_ENTRY") && rest.length && rest.at[0] == '(') {
			for (; scan.at < rest.at; scan.at++)
				scan.line += *scan.at == '\n';
			rs_take_entry(&scan);
		} else {
			rs_take_unknown(&scan);
		}
	}
}
