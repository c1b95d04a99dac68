#include "extract/nvoc.h"

#include <string.h>

/*
 * Most of the 8 MB of generated sources is no table. So the name of one member
 * is searched for, and only a file that has it is looked at more closely: from
 * the first hit back to the head of its table, then line by line to the
 * table's end, then on to the next hit behind it.
 */
#define NVOC_ANCHOR "/*methodId=*/"
#define NVOC_TABLE "struct NVOC_EXPORTED_METHOD_DEF "

/* The members that matter; bits of nvoc_entry.seen. */
enum {
	NVOC_FLAGS = 1 << 0,
	NVOC_ACCESS = 1 << 1,
	NVOC_ID = 1 << 2,
	NVOC_PARAM_SIZE = 1 << 3,
	NVOC_FUNC = 1 << 4,
	NVOC_ALL = (1 << 5) - 1,
};

struct nvoc_scan {
	struct nvoc_methods *out;
	const struct table_file *file;
	struct view_lines lines;
	struct conditions conditions;
	struct nvoc_method method; /* the entry being read */
	unsigned entry_line;       /* of its opening brace; 0: between entries */
	unsigned seen;
	bool malformed;            /* said so already */
	bool is_cut;               /* said so already: the file ends inside a table */
};

static void nvoc_malformed(struct nvoc_scan *scan, unsigned line, const char *what)
{
	if (!scan->malformed)
		table_file_warn(scan->file, line, "This exported method is left out: %s.", what);
	scan->malformed = true;
}

/* "sizeof(T)", or 0 for a command without parameters. */
static bool nvoc_param_size(const char **params, struct view value, struct arena *arena)
{
	struct view name;
	uint64_t size;

	if (view_number(&size, value)) {
		*params = NULL;
		return size == 0;
	}
	if (!view_cut(&value, "sizeof") || !view_cut(&value, "("))
		return false;
	if (!view_cut_name(&name, &value))
		return false;
	if (view_is(name, "struct") || view_is(name, "union"))
		if (!view_cut_name(&name, &value))
			return false;
	*params = arena_strndup(arena, name.at, name.length);
	return view_is(value, ")");
}

static bool nvoc_func(const char **func, struct view value, struct arena *arena)
{
	struct view name;

	if (!view_cut(&value, "\"") || !view_cut_name(&name, &value) || !view_is(value, "\""))
		return false;
	*func = arena_strndup(arena, name.at, name.length);
	return true;
}

/* What follows the member's name, without the comma and a comment after it. */
static struct view nvoc_value(struct view rest)
{
	rest = view_trim(lexer_uncommented(rest));
	if (rest.length && rest.at[rest.length - 1] == ',')
		rest.length--;
	return view_trim(rest);
}

static void nvoc_member(struct nvoc_scan *scan, struct view line, unsigned number)
{
	struct nvoc_method *method = &scan->method;
	struct view rest = line;
	unsigned member;
	bool good;

	if (view_cut(&rest, "/*flags=*/")) {
		member = NVOC_FLAGS;
		good = view_number(&method->flags, nvoc_value(rest));
	} else if (view_cut(&rest, "/*accessRight=*/")) {
		member = NVOC_ACCESS;
		good = view_number(&method->access, nvoc_value(rest));
	} else if (view_cut(&rest, NVOC_ANCHOR)) {
		member = NVOC_ID;
		good = view_number(&method->id, nvoc_value(rest));
	} else if (view_cut(&rest, "/*paramSize=*/")) {
		member = NVOC_PARAM_SIZE;
		good = nvoc_param_size(&method->params, nvoc_value(rest), scan->file->arena);
	} else if (view_cut(&rest, "/*func=*/")) {
		member = NVOC_FUNC;
		good = nvoc_func(&method->func, nvoc_value(rest), scan->file->arena);
	} else {
		if (!view_cut(&rest, "/*"))
			nvoc_malformed(scan, number, "a line of it does not begin with a member's name");
		return;
	}
	if (!good)
		nvoc_malformed(scan, number, "the value on this line is not of the known form");
	if (scan->seen & member)
		nvoc_malformed(scan, number, "the member on this line is given twice");
	scan->seen |= member;
}

static void nvoc_open_entry(struct nvoc_scan *scan, unsigned number)
{
	scan->method = (struct nvoc_method){ .conditional = scan->conditions.depth > 0 };
	scan->entry_line = number;
	scan->seen = 0;
	scan->malformed = false;
}

static void nvoc_close_entry(struct nvoc_scan *scan)
{
	struct nvoc_methods *out = scan->out;

	if (scan->seen != NVOC_ALL)
		nvoc_malformed(scan, scan->entry_line,
			       "it lacks one of flags, accessRight, methodId, paramSize and func");
	if (!scan->malformed) {
		scan->method.source = table_file_source(scan->file, scan->entry_line);
		ARRAY_GROW(out->items, out->count, out->capacity);
		out->items[out->count++] = scan->method;
	}
	scan->entry_line = 0;
}

/* Conditions that every entry has: they choose the function and whether there are strings. */
static bool nvoc_is_usual_condition(struct view line)
{
	struct view rest = line;

	return view_cut(&rest, "#if NVOC_EXPORTED_METHOD_DISABLED_BY_FLAG(") ||
	       view_cut(&rest, "#if NV_PRINTF_STRINGS_ALLOWED");
}

static void nvoc_directive(struct nvoc_scan *scan, struct view line, unsigned number)
{
	struct view rest = line;

	if (scan->entry_line && view_cut(&rest, "#if") && !nvoc_is_usual_condition(line))
		scan->method.conditional = true;
	if (!conditions_follow(&scan->conditions, line, BRANCH_UNKNOWN))
		table_file_warn(scan->file, number, "This line of a table of exported methods closes an #if that is not there.");
}

/* From behind the opening brace to the table's end. */
static void nvoc_scan_table(struct nvoc_scan *scan)
{
	unsigned first = scan->lines.number;
	struct view line;

	scan->entry_line = 0;
	while (view_next_line(&line, &scan->lines)) {
		unsigned number = scan->lines.number - 1;

		if (!line.length)
			continue;
		if (line.at[0] == '#')
			nvoc_directive(scan, line, number);
		else if (view_is(line, "};"))
			return;
		else if (scan->entry_line && (view_is(line, "},") || view_is(line, "}")))
			nvoc_close_entry(scan);
		else if (scan->entry_line)
			nvoc_member(scan, line, number);
		else if (line.at[0] == '{')
			nvoc_open_entry(scan, number);
		else
			table_file_warn(scan->file, number, "This line of a table of exported methods is not understood.");
	}
	table_file_warn(scan->file, first, "The table of exported methods that begins here has no end.");
	scan->is_cut = true;
}

/* @at: behind NVOC_TABLE. Return: the brace of "name[] = {", or NULL if this is not the head of a table. */
static const char *nvoc_table_head(const char *at, const char *end)
{
	struct view rest = view_trim((struct view){ at, (size_t)(end - at) });
	struct view name;

	if (view_cut_name(&name, &rest) && view_cut(&rest, "[") && view_cut(&rest, "]") &&
	    view_cut(&rest, "=") && rest.length && rest.at[0] == '{')
		return rest.at;
	return NULL;
}

/* The opening brace of the last table that begins before @hit, or NULL. */
static const char *nvoc_find_table(const char *from, const char *hit)
{
	const char *brace = NULL;
	const char *at = from;

	while ((at = memmem(at, (size_t)(hit - at), NVOC_TABLE, strlen(NVOC_TABLE)))) {
		const char *head;

		at += strlen(NVOC_TABLE);
		head = nvoc_table_head(at, hit);
		if (head)
			brace = head;
	}
	return brace;
}

/* Read on to the line that holds @to, for its number and for the #ifs that are open there. */
static void nvoc_advance(struct nvoc_scan *scan, const char *to)
{
	struct view_lines *lines = &scan->lines;
	struct view line;
	const char *newline;

	while ((newline = memchr(lines->at, '\n', (size_t)(to - lines->at)))) {
		view_next_line(&line, lines);
		if (line.length && line.at[0] == '#')
			conditions_follow(&scan->conditions, line, BRANCH_UNKNOWN);
	}
}

/*
 * What NVOC writes names itself in the first lines, and ends with a function
 * or a table. A class without methods may have an empty file: the driver has two.
 */
static void nvoc_check_whole(const struct table_file *file)
{
	struct view text = view_trim((struct view){ file->text, file->size });
	char last = text.length ? text.at[text.length - 1] : '}';

	if (text.length && !memmem(text.at, text.length, "NVOC", 4))
		table_file_warn(file, 0, "This is not what NVOC writes; exported methods may be missing.");
	else if (last != '}' && last != ';')
		table_file_warn(file, 0, "This file is cut off; exported methods may be missing.");
}

void nvoc_scan(struct nvoc_methods *out, const struct table_file *file)
{
	const char *end = file->text + file->size;
	struct nvoc_scan scan = {
		.out = out, .file = file, .lines = { file->text, end, 1 },
	};
	const char *hit, *brace;

	while ((hit = memmem(scan.lines.at, (size_t)(end - scan.lines.at), NVOC_ANCHOR, strlen(NVOC_ANCHOR)))) {
		brace = nvoc_find_table(scan.lines.at, hit);
		nvoc_advance(&scan, brace ? brace : hit);
		if (brace) {
			scan.lines.at = brace + 1;
			nvoc_scan_table(&scan);
		} else {
			table_file_warn(file, scan.lines.number,
				     "An exported method stands here outside any table of exported methods; it is left out.");
			scan.lines.at = hit + strlen(NVOC_ANCHOR);
		}
	}
	if (!scan.is_cut)
		nvoc_check_whole(file);
}
