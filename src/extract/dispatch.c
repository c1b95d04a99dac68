#include "extract/dispatch.h"

#include "extract/surface_stream.h"

#include <stdlib.h>
#include <string.h>

struct dispatch_scan {
	struct dispatch *out;
	const struct profile_strings *macros;
	struct surface_stream stream;
};

static void dispatch_unknown(struct dispatch_scan *scan, unsigned line, const char *what)
{
	surface_warn(scan->stream.file, line, "%s, so it is not known which ioctls are dispatched.", what);
	scan->out->is_known = false;
}

static void dispatch_add(struct dispatch_scan *scan, struct surface_span name, unsigned line)
{
	const struct surface_file *file = scan->stream.file;
	enum surface_branch branch = surface_stream_branch(&scan->stream);
	struct dispatch *out = scan->out;

	if (branch == SURFACE_SKIPPED || branch == SURFACE_PASSED)
		return;
	ARRAY_GROW(out->labels, out->label_count, out->label_capacity);
	out->labels[out->label_count++] = (struct dispatch_label){
		.name = arena_strndup(file->arena, name.at, name.length),
		.source = surface_source(file, line),
		.conditional = branch == SURFACE_UNKNOWN,
	};
}

/* Behind "case". A "case A ... B:" is none of one name. */
static void dispatch_case(struct dispatch_scan *scan, unsigned line)
{
	struct surface_span name;

	if (surface_stream_cut_name(&name, &scan->stream) && surface_stream_cut(&scan->stream, ':'))
		dispatch_add(scan, name, line);
	else
		dispatch_unknown(scan, line, "The label of this case is not one name");
}

/* Before the "(" of a macro that dispatches: its first argument is the ioctl. */
static void dispatch_macro(struct dispatch_scan *scan, unsigned line)
{
	struct surface_span arguments, name;

	if (surface_stream_cut_group(&arguments, &scan->stream) && surface_cut_name(&name, &arguments) &&
	    (!arguments.length || arguments.at[0] == ','))
		dispatch_add(scan, name, line);
	else
		dispatch_unknown(scan, line, "What this macro dispatches is not one name");
	surface_stream_cut(&scan->stream, ';');
}

static bool dispatch_is_macro(const struct dispatch_scan *scan, struct surface_span word)
{
	char name[256];

	if (word.length >= sizeof(name))
		return false;
	memcpy(name, word.at, word.length);
	name[word.length] = '\0';
	return profile_matches(scan->macros, name);
}

/* One statement, or a label before one. Return: false if the text ends in it. */
static bool dispatch_statement(struct dispatch_scan *scan)
{
	struct surface_stream *stream = &scan->stream;
	unsigned line = stream->line;
	struct surface_span word;

	if (!surface_stream_cut_name(&word, stream))
		return surface_stream_skip_statement(stream);
	if (surface_is(word, "case"))
		dispatch_case(scan, line);
	else if (surface_is(word, "default") && surface_stream_cut(stream, ':'))
		return true;
	else if (dispatch_is_macro(scan, word) && surface_stream_skip(stream) && *stream->at == '(')
		dispatch_macro(scan, line);
	else
		return surface_stream_skip_statement(stream);
	return true;
}

/* Behind the "{" of the switch that began on @line. */
static void dispatch_body(struct dispatch_scan *scan, unsigned line)
{
	while (surface_stream_skip(&scan->stream)) {
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
	struct surface_stream *stream = &scan->stream;
	struct surface_span rest;

	if (!surface_stream_skip(stream) || *stream->at != '(')
		return;
	rest = (struct surface_span){ stream->at, (size_t)(stream->end - stream->at) };
	if (!surface_is_command_switch(rest) || !surface_stream_cut_group(NULL, stream))
		return;
	if (surface_stream_cut(stream, '{'))
		dispatch_body(scan, line);
	else
		dispatch_unknown(scan, line, "No block follows this switch over a command");
}

void dispatch_scan(struct dispatch *out, const struct surface_file *file, const struct profile_strings *macros)
{
	struct dispatch_scan scan = { .out = out, .macros = macros };
	struct surface_span word;

	surface_stream_init(&scan.stream, file);
	ARRAY_GROW(out->texts, out->text_count, out->text_capacity);
	out->texts[out->text_count++] = (struct dispatch_text){ arena_strdup(file->arena, file->path), { scan.stream.start, file->size } };
	while (surface_stream_skip(&scan.stream)) {
		unsigned line = scan.stream.line;

		if (!surface_is_name_char(*scan.stream.at))
			scan.stream.at++;
		else if (!surface_stream_cut_name(&word, &scan.stream))
			while (scan.stream.at < scan.stream.end && surface_is_name_char(*scan.stream.at))
				scan.stream.at++; /* a number, with its suffix */
		else if (surface_is(word, "switch"))
			dispatch_switch(&scan, line);
	}
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
		const char *found = surface_mentions(file->text, name);
		unsigned line = 1;

		if (!found)
			continue;
		for (const char *at = file->text.at; at < found; at++)
			line += *at == '\n';
		return arena_printf(arena, "%s:%u", file->path, line);
	}
	return NULL;
}
