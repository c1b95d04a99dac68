#include "extract/dispatch.h"

#include "extract/statements.h"

#include <stdlib.h>
#include <string.h>

struct dispatch_scan {
	struct dispatch *out;
	const struct profile_strings *macros;
	struct statements stream;
};

static void dispatch_unknown(struct dispatch_scan *scan, unsigned line, const char *what)
{
	table_file_warn(scan->stream.file, line, "%s, so it is not known which ioctls are dispatched.", what);
	scan->out->is_known = false;
}

static void dispatch_add(struct dispatch_scan *scan, struct view name, unsigned line)
{
	const struct table_file *file = scan->stream.file;
	enum branch branch = statements_branch(&scan->stream);
	struct dispatch *out = scan->out;

	if (branch == BRANCH_SKIPPED || branch == BRANCH_PASSED)
		return;
	ARRAY_GROW(out->labels, out->label_count, out->label_capacity);
	out->labels[out->label_count++] = (struct dispatch_label){
		.name = arena_strndup(file->arena, name.at, name.length),
		.source = table_file_source(file, line),
		.conditional = branch == BRANCH_UNKNOWN,
	};
}

/* Behind "case". A "case A ... B:" is none of one name. */
static void dispatch_case(struct dispatch_scan *scan, unsigned line)
{
	struct view name;

	if (statements_cut_name(&name, &scan->stream) && statements_cut(&scan->stream, ':'))
		dispatch_add(scan, name, line);
	else
		dispatch_unknown(scan, line, "The label of this case is not one name");
}

/* Before the "(" of a macro that dispatches: its first argument is the ioctl. */
static void dispatch_macro(struct dispatch_scan *scan, unsigned line)
{
	struct view arguments, name;

	if (statements_cut_group(&arguments, &scan->stream) && view_cut_name(&name, &arguments) &&
	    (!arguments.length || arguments.at[0] == ','))
		dispatch_add(scan, name, line);
	else
		dispatch_unknown(scan, line, "What this macro dispatches is not one name");
	statements_cut(&scan->stream, ';');
}

static bool dispatch_is_macro(const struct dispatch_scan *scan, struct view word)
{
	char name[256];

	return view_copy(name, sizeof(name), word) && profile_matches(scan->macros, name);
}

/* One statement, or a label before one. Return: false if the text ends in it. */
static bool dispatch_statement(struct dispatch_scan *scan)
{
	struct statements *stream = &scan->stream;
	unsigned line = stream->line;
	struct view word;

	if (!statements_cut_name(&word, stream))
		return statements_skip_statement(stream);
	if (view_is(word, "case"))
		dispatch_case(scan, line);
	else if (view_is(word, "default") && statements_cut(stream, ':'))
		return true;
	else if (dispatch_is_macro(scan, word) && statements_skip(stream) && *stream->at == '(')
		dispatch_macro(scan, line);
	else
		return statements_skip_statement(stream);
	return true;
}

/* Behind the "{" of the switch that began on @line. */
static void dispatch_body(struct dispatch_scan *scan, unsigned line)
{
	while (statements_skip(&scan->stream)) {
		if (*scan->stream.at == '}') {
			scan->stream.at++;
			return;
		}
		if (!dispatch_statement(scan))
			break;
	}
	dispatch_unknown(scan, line, "The switch over a command that begins here has no end");
}

/* Behind "switch". */
static void dispatch_switch(struct dispatch_scan *scan, unsigned line)
{
	struct statements *stream = &scan->stream;
	struct view rest;

	if (!statements_skip(stream) || *stream->at != '(')
		return;
	rest = (struct view){ stream->at, (size_t)(stream->end - stream->at) };
	if (!table_is_command_switch(rest) || !statements_cut_group(NULL, stream))
		return;
	if (statements_cut(stream, '{'))
		dispatch_body(scan, line);
	else
		dispatch_unknown(scan, line, "No block follows this switch over a command");
}

void dispatch_scan(struct dispatch *out, const struct table_file *file, const struct profile_strings *macros)
{
	struct dispatch_scan scan = { .out = out, .macros = macros };
	struct view word;

	statements_init(&scan.stream, file);
	ARRAY_GROW(out->texts, out->text_count, out->text_capacity);
	out->texts[out->text_count++] = (struct dispatch_text){ arena_strdup(file->arena, file->path), { scan.stream.start, file->size } };
	while (statements_next_name(&word, &scan.stream))
		if (view_is(word, "switch"))
			dispatch_switch(&scan, scan.stream.line);
}

void dispatch_release(struct dispatch *dispatch)
{
	free(dispatch->labels);
	free(dispatch->texts);
	*dispatch = (struct dispatch){ 0 };
}

const char *dispatch_mention(const struct dispatch *dispatch, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < dispatch->text_count; i++) {
		const struct dispatch_text *file = &dispatch->texts[i];
		const char *found = view_mention(file->text, name);
		unsigned line = 1;

		if (!found)
			continue;
		for (const char *at = file->text.at; at < found; at++)
			line += *at == '\n';
		return arena_printf(arena, "%s:%u", file->path, line);
	}
	return NULL;
}
