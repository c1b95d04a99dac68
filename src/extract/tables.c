/*
 * extract/tables.c - reads the sources that have the driver's tables, and splits them into statements
 *
 * The driver's tables are in sources that do not compile on their own, so they are read as text. A malformed
 * entry leads to a warning with the file's path and line. A table that is not a list of lines, such as an
 * array of rows or the body of a switch, is read one statement at a time (struct statements). Comments and
 * literals are replaced with blanks first, so that all remaining brackets are those of the code. Preprocessor
 * conditions are tracked, but the text inside them is read whatever the condition is.
 */
#include "extract/internal.h"

int table_file_read(struct table_file *out, const struct family_context *context, const char *path,
		    struct err *err)
{
	struct table_file file = { .path = path, .builder = context->builder, .arena = context->arena };
	int rc = context->tree->ops->read(context->tree, path, &file.text, &file.size, err);

	if (rc)
		return rc;
	file.text = lexer_newlines(file.text, file.size, context->arena);
	*out = file;
	return 0;
}

int tables_read(size_t *count, const struct family_context *context, const struct profile_strings *globs,
		void (*read)(void *data, const struct table_file *file), void *data, struct err *err)
{
	const char **paths = NULL;
	struct table_file file;
	int rc = 0;

	*count = 0;
	for (size_t i = 0; i < globs->count && !rc; i++)
		rc = context->tree->ops->glob(context->tree, globs->item[i], &paths, count, err);
	for (size_t i = 0; i < *count && !rc; i++) {
		if ((rc = table_file_read(&file, context, paths[i], err)))
			break;
		read(data, &file);
		tree_forget(context->tree, paths[i]);
	}
	free(paths);
	return rc;
}

int tables_read_expected(const struct family_context *context, const struct profile_strings *globs,
			 void (*read)(void *data, const struct table_file *file), void *data,
			 const char *unknown, struct err *err)
{
	size_t count;
	int rc = tables_read(&count, context, globs, read, data, err);

	if (!rc && !count && globs->count)
		abi_builder_warning(context->builder, globs->item[0],
				    "The tree does not have this file, so it is unknown which %s.", unknown);
	return rc;
}

const char *table_file_source(const struct table_file *file, unsigned line)
{
	return arena_printf(file->arena, "%s:%u", file->path, line);
}

void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	abi_builder_warning(file->builder,
			    line ? table_file_source(file, line) : arena_strdup(file->arena, file->path),
			    "%s", text);
}

bool table_cut_record(struct view *name, struct view *text)
{
	return view_cut_name(name, text) &&
	       ((!view_is(*name, "struct") && !view_is(*name, "union")) || view_cut_name(name, text));
}

size_t table_split(struct view *part, size_t max, struct view text)
{
	const char *start = text.at, *end = text.at + text.length;
	unsigned depth = 0;
	size_t count = 0;

	for (const char *at = start;; at++) {
		if (at == end || (*at == ',' && !depth)) {
			if (count < max)
				part[count] = view_trim((struct view){ start, (size_t)(at - start) });
			count++;
			start = at + 1;
		}
		if (at == end)
			return count;
		depth += *at == '(';
		depth -= depth && *at == ')';
	}
}

/* The largest depth of brackets in a table. */
enum { STATEMENT_DEPTH_MAX = 64 };

void statements_init(struct statements *out, const struct table_file *file)
{
	const char *text = lexer_blank((struct view){ file->text, file->size }, file->arena);

	*out = (struct statements){
		.file = file, .start = text, .at = text, .end = text + file->size, .line = 1
	};
}

/*
 * Returns whether the text after @line is compiled, if @line begins an #if. "#ifdef X" and "#ifndef X" are
 * decided by the macros of the headers, if these are known.
 */
static enum branch statement_opened(const struct statements *stream, struct view line)
{
	struct view rest = line, directive, name;
	const struct macro *macro;
	char text[256];

	if (!stream->headers || !view_cut(&rest, "#") || !view_cut_name(&directive, &rest) ||
	    (!view_is(directive, "ifdef") && !view_is(directive, "ifndef")) || !view_cut_name(&name, &rest) ||
	    rest.length || !view_copy(text, sizeof(text), name))
		return conditions_opened(line);
	macro = macro_find(stream->headers, text, NULL);
	return (macro && macro->evaluated) == view_is(directive, "ifdef") ? BRANCH_COMPILED : BRANCH_SKIPPED;
}

/*
 * Skips a preprocessor line and its continuation lines. Updates stream->conditions and stream->include_line,
 * and warns of an #else, #elif or #endif without an #if, unless stream->is_silent.
 */
static void statement_directive(struct statements *stream)
{
	struct view_lines lines = { stream->at, stream->end, stream->line };
	struct view line, rest;

	view_next_line(&line, &lines);
	rest = line;
	if (!conditions_follow(&stream->conditions, line, statement_opened(stream, line)) &&
	    !stream->is_silent)
		table_file_warn(stream->file, stream->line, "This line closes an #if that was not opened.");
	if (view_cut(&rest, "#") && view_starts_with(rest, "include"))
		stream->include_line = stream->line;
	while (view_ends_with(line, "\\") && view_next_line(&line, &lines))
		;
	stream->at = lines.at;
	stream->line = lines.number;
}

bool statements_skip(struct statements *stream)
{
	while (stream->at < stream->end) {
		if (*stream->at == '#') {
			statement_directive(stream);
			continue;
		}
		if (!view_is_space(*stream->at))
			return true;
		stream->line += *stream->at++ == '\n';
	}
	return false;
}

struct view statements_rest(const struct statements *stream)
{
	return (struct view){ stream->at, (size_t)(stream->end - stream->at) };
}

bool statements_is_at(struct statements *stream, char ch)
{
	return statements_skip(stream) && *stream->at == ch;
}

bool statements_cut_name(struct view *name, struct statements *stream)
{
	struct view rest;

	if (!statements_skip(stream))
		return false;
	rest = statements_rest(stream);
	if (!view_cut_name(name, &rest))
		return false;
	stream->at = name->at + name->length;
	return true;
}

bool statements_cut(struct statements *stream, char ch)
{
	bool found = statements_is_at(stream, ch);

	stream->at += found;
	return found;
}

bool statements_next_name(struct view *name, struct statements *stream)
{
	while (statements_skip(stream)) {
		if (statements_cut_name(name, stream))
			return true;
		stream->at++;
		while (stream->at < stream->end && view_is_word_char(stream->at[-1]) &&
		       view_is_word_char(*stream->at))
			stream->at++; /* skip the rest of a number and its suffix */
	}
	return false;
}

static char statement_closing(char ch)
{
	return ch == '(' ? ')' : ch == '[' ? ']' : ch == '{' ? '}' : '\0';
}

bool statements_cut_group(struct view *inside, struct statements *stream)
{
	char closing[STATEMENT_DEPTH_MAX];
	const char *start = stream->at + 1;
	unsigned depth = 0;

	if (stream->at == stream->end || !statement_closing(*stream->at))
		return false;
	while (statements_skip(stream)) {
		char ch = *stream->at, close = statement_closing(ch);

		if (close && depth == STATEMENT_DEPTH_MAX)
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
				*inside = view_trim((struct view){ start, (size_t)(stream->at - start) - 1 });
			return true;
		}
	}
	stream->at = stream->end;
	return false;
}

size_t statements_cut_arguments(struct view *argument, size_t max, struct statements *stream)
{
	const struct statements start = *stream;
	struct view inside;

	if (!statements_cut_group(&inside, stream)) {
		*stream = start;
		stream->at++;
		return 0;
	}
	return memchr(inside.at, '#', inside.length) ? 0 : table_split(argument, max, inside);
}

bool statements_skip_statement(struct statements *stream)
{
	while (statements_skip(stream)) {
		char ch = *stream->at;

		if (ch == '}')
			return true;
		if (statement_closing(ch)) {
			if (!statements_cut_group(NULL, stream))
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
