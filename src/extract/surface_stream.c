#include "extract/surface_stream.h"

#include <string.h>

/* Brackets deeper than this stand in no table. */
enum { STREAM_DEPTH_MAX = 64 };

void surface_stream_init(struct surface_stream *out, const struct surface_file *file)
{
	const char *text = surface_blank(file);

	*out = (struct surface_stream){ .file = file, .start = text, .at = text, .end = text + file->size, .line = 1 };
}

enum surface_branch surface_stream_branch(const struct surface_stream *stream)
{
	return surface_branch_of(&stream->conditions);
}

/* "#if 0" is never compiled; of any other condition it is not known. */
static enum surface_branch stream_opened(struct surface_span line)
{
	struct surface_span name;

	if (surface_cut(&line, "#") && surface_cut_name(&name, &line) && surface_is(name, "if") && surface_is(line, "0"))
		return SURFACE_SKIPPED;
	return SURFACE_UNKNOWN;
}

/* A whole preprocessor line, with the lines that continue it. */
static void stream_directive(struct surface_stream *stream)
{
	struct surface_lines lines = { stream->at, stream->end, stream->line };
	struct surface_span line;
	bool first = true, continued = true;

	while (continued && surface_next_line(&line, &lines)) {
		if (first && !surface_condition(&stream->conditions, line, stream_opened(line)) && !stream->is_again)
			surface_warn(stream->file, stream->line, "This line closes an #if that is not there.");
		first = false;
		continued = line.length && line.at[line.length - 1] == '\\';
	}
	stream->at = lines.at;
	stream->line = lines.number;
}

bool surface_stream_skip(struct surface_stream *stream)
{
	while (stream->at < stream->end) {
		if (*stream->at == '#') {
			stream_directive(stream);
			continue;
		}
		if (!surface_is_space(*stream->at))
			return true;
		stream->line += *stream->at++ == '\n';
	}
	return false;
}

bool surface_stream_cut_name(struct surface_span *name, struct surface_stream *stream)
{
	struct surface_span rest;

	if (!surface_stream_skip(stream))
		return false;
	rest = (struct surface_span){ stream->at, (size_t)(stream->end - stream->at) };
	if (!surface_cut_name(name, &rest))
		return false;
	stream->at = name->at + name->length;
	return true;
}

bool surface_stream_cut(struct surface_stream *stream, char ch)
{
	if (!surface_stream_skip(stream) || *stream->at != ch)
		return false;
	stream->at++;
	return true;
}

static char stream_closing(char ch)
{
	return ch == '(' ? ')' : ch == '[' ? ']' : ch == '{' ? '}' : '\0';
}

bool surface_stream_cut_group(struct surface_span *inside, struct surface_stream *stream)
{
	char closing[STREAM_DEPTH_MAX];
	const char *start = stream->at + 1;
	unsigned depth = 0;

	if (stream->at == stream->end || !stream_closing(*stream->at))
		return false;
	while (surface_stream_skip(stream)) {
		char ch = *stream->at, close = stream_closing(ch);

		if (close && depth == STREAM_DEPTH_MAX)
			break;
		if (close)
			closing[depth++] = close;
		else if (ch == ')' || ch == ']' || ch == '}') {
			if (ch != closing[depth - 1])
				break;
			depth--;
		}
		stream->at++;
		if (!depth) {
			if (inside)
				*inside = surface_trim((struct surface_span){ start, (size_t)(stream->at - start) - 1 });
			return true;
		}
	}
	stream->at = stream->end;
	return false;
}

bool surface_stream_skip_statement(struct surface_stream *stream)
{
	while (surface_stream_skip(stream)) {
		char ch = *stream->at;

		if (ch == '}')
			return true;
		if (stream_closing(ch)) {
			if (!surface_stream_cut_group(NULL, stream))
				return false;
			if (ch == '{')
				return true;
			continue;
		}
		stream->at++;
		if (ch == ';')
			return true;
	}
	return false;
}

const char *surface_mentions(struct surface_span text, const char *name)
{
	const char *end = text.at + text.length, *at = text.at;
	size_t length = strlen(name);

	while (length && (at = memmem(at, (size_t)(end - at), name, length))) {
		if ((at == text.at || !surface_is_name_char(at[-1])) && (at + length == end || !surface_is_name_char(at[length])))
			return at;
		at++;
	}
	return NULL;
}
