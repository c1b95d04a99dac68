#include "extract/embedded.h"

#include <stdlib.h>
#include <string.h>

struct embedded_scan {
	struct embedded_commands *out;
	const struct table_file *file;
	const struct macro_index *macros;
	struct conditions conditions;
	unsigned depth;        /* of braces */
	unsigned switch_depth; /* of the braces of the switch over the command; 0: not in one */
	bool expect_switch;    /* its opening brace comes next */
};

static const struct macro *embedded_macro(const struct embedded_scan *scan, struct view name)
{
	char buffer[256];
	const struct macro *macro;

	if (!view_copy(buffer, sizeof(buffer), name))
		return NULL;
	macro = macro_find(scan->macros, buffer, NULL);
	return macro && macro->evaluated ? macro : NULL;
}

/* "#ifdef X" is decided by whether the headers define X; any other condition is not known. */
static enum branch embedded_branch(const struct embedded_scan *scan, struct view line)
{
	struct view directive, name;
	bool wanted;

	if (!view_cut(&line, "#") || !view_cut_name(&directive, &line))
		return BRANCH_UNKNOWN;
	wanted = view_is(directive, "ifdef");
	if ((!wanted && !view_is(directive, "ifndef")) || !view_cut_name(&name, &line) || line.length)
		return BRANCH_UNKNOWN;
	return (embedded_macro(scan, name) != NULL) == wanted ? BRANCH_COMPILED : BRANCH_SKIPPED;
}

/* @rest: behind "case". */
static void embedded_label(struct embedded_scan *scan, struct view rest, unsigned line)
{
	enum branch branch = conditions_branch(&scan->conditions);
	struct view name;
	const struct macro *macro;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	if (!view_cut_name(&name, &rest) || !rest.length || rest.at[0] != ':') {
		table_file_warn(scan->file, line, "The label of this case is not one name, so it is not known which command it is.");
		return;
	}
	macro = embedded_macro(scan, name);
	if (!macro) {
		table_file_warn(scan->file, line,
			     "The command %.*s carries embedded pointers, but the headers give it no value.",
			     (int)(name.length < 200 ? name.length : 200), name.at);
		return;
	}
	if (branch == BRANCH_UNKNOWN)
		table_file_warn(scan->file, line,
			     "Whether %s carries embedded pointers depends on how the driver is built; here it does.", macro->name);
	ARRAY_GROW(scan->out->items, scan->out->count, scan->out->capacity);
	scan->out->items[scan->out->count++] = macro->value.magnitude;
}

static void embedded_braces(struct embedded_scan *scan, struct view line)
{
	for (size_t i = 0; i < line.length; i++) {
		if (line.at[i] == '{') {
			scan->depth++;
			if (scan->expect_switch)
				scan->switch_depth = scan->depth;
			scan->expect_switch = false;
		} else if (line.at[i] == '}' && scan->depth) {
			if (scan->depth == scan->switch_depth)
				scan->switch_depth = 0;
			scan->depth--;
		}
	}
}

void embedded_scan(struct embedded_commands *out, const struct table_file *file, const struct macro_index *macros)
{
	const char *text = table_file_blank(file);
	struct embedded_scan scan = { .out = out, .file = file, .macros = macros };
	struct view_lines lines = { text, text + file->size, 1 };
	struct view line, rest, word;
	bool seen = false;

	while (view_next_line(&line, &lines)) {
		unsigned number = lines.number - 1;

		rest = line;
		if (line.length && line.at[0] == '#') {
			conditions_follow(&scan.conditions, line, embedded_branch(&scan, line));
			continue;
		}
		if (view_cut_name(&word, &rest)) {
			if (scan.switch_depth == scan.depth && scan.depth && view_is(word, "case"))
				embedded_label(&scan, rest, number);
			else if (!scan.switch_depth && view_is(word, "switch") && table_is_command_switch(rest))
				seen = scan.expect_switch = true;
		}
		embedded_braces(&scan, line);
	}
	if (seen && scan.depth)
		table_file_warn(file, lines.number - 1, "The file ends inside a function: commands that carry embedded pointers may be missing.");
	if (!seen)
		table_file_warn(file, 0, "No switch over a command stands in this file, so it is not known which commands carry embedded pointers.");
}

static int embedded_compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

void embedded_sort(struct embedded_commands *commands)
{
	size_t unique = 0;

	if (!commands->count)
		return;
	qsort(commands->items, commands->count, sizeof(*commands->items), embedded_compare);
	for (size_t i = 0; i < commands->count; i++)
		if (!unique || commands->items[unique - 1] != commands->items[i])
			commands->items[unique++] = commands->items[i];
	commands->count = unique;
}

bool embedded_has(const struct embedded_commands *commands, uint64_t number)
{
	return commands->count && bsearch(&number, commands->items, commands->count, sizeof(number), embedded_compare);
}
