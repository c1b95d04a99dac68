#include "extract/surface_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int surface_read_file(struct tree *tree, const char *path, struct abi_builder *builder, struct arena *arena,
		      void (*take)(void *data, const struct surface_file *file), void *data, struct err *err)
{
	struct surface_file file = { .path = path, .builder = builder, .arena = arena };
	int rc;

	if ((rc = tree->ops->read(tree, path, &file.text, &file.size, err)))
		return rc;
	take(data, &file);
	tree_forget(tree, path);
	return 0;
}

int surface_read_files(struct tree *tree, const struct profile_strings *globs, struct abi_builder *builder,
		       struct arena *arena, void (*take)(void *data, const struct surface_file *file), void *data,
		       struct err *err)
{
	const char **paths = NULL;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < globs->count && !rc; i++)
		rc = tree->ops->glob(tree, globs->item[i], &paths, &count, err);
	for (size_t i = 0; i < count && !rc; i++)
		rc = surface_read_file(tree, paths[i], builder, arena, take, data, err);
	free(paths);
	return rc ? rc : (int)count;
}

void surface_warn(const struct surface_file *file, unsigned line, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	abi_builder_warning(file->builder, line ? surface_source(file, line) : arena_strdup(file->arena, file->path),
			    arena_strdup(file->arena, text));
}

const char *surface_source(const struct surface_file *file, unsigned line)
{
	return arena_printf(file->arena, "%s:%u", file->path, line);
}

struct surface_span surface_trim(struct surface_span span)
{
	while (span.length && surface_is_space(span.at[0])) {
		span.at++;
		span.length--;
	}
	while (span.length && surface_is_space(span.at[span.length - 1]))
		span.length--;
	return span;
}

bool surface_next_line(struct surface_span *out, struct surface_lines *lines)
{
	const char *newline;

	if (lines->at >= lines->end)
		return false;
	newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
	if (!newline)
		newline = lines->end;
	*out = surface_trim((struct surface_span){ lines->at, (size_t)(newline - lines->at) });
	lines->at = newline < lines->end ? newline + 1 : newline;
	lines->number++;
	return true;
}

static char *surface_skip_comment(char *at, char *end)
{
	char *close;

	if (at[1] == '*') {
		close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
		return close ? close + 2 : end;
	}
	while (at < end && *at != '\n')
		at += *at == '\\' && at[1] == '\n' ? 2 : 1;
	return at < end ? at : end;
}

/* @at: the opening quote. Return: the closing one, or the end of the line. */
static char *surface_skip_literal(char *at, char *end)
{
	char quote = *at++;

	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at[1] != '\n' ? 2 : 1;
	return at < end ? at : end;
}

static void surface_blank_range(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

const char *surface_blank(const struct surface_file *file)
{
	char *copy = arena_strndup(file->arena, file->text, file->size);
	char *end = copy + file->size;
	char before = ' ';

	for (char *at = copy; at < end; before = at[-1]) {
		char *after = at + 1;

		if (*at == '/' && (at[1] == '/' || at[1] == '*')) {
			after = surface_skip_comment(at, end);
			surface_blank_range(at, after);
		} else if (*at == '"' || (*at == '\'' && !surface_is_name_char(before))) {
			after = surface_skip_literal(at, end);
			surface_blank_range(at + 1, after);
			if (after < end)
				after++;
		}
		at = after;
	}
	return copy;
}

bool surface_is(struct surface_span span, const char *text)
{
	return strlen(text) == span.length && !memcmp(span.at, text, span.length);
}

bool surface_cut(struct surface_span *span, const char *prefix)
{
	size_t length = strlen(prefix);

	if (span->length < length || memcmp(span->at, prefix, length))
		return false;
	*span = surface_trim((struct surface_span){ span->at + length, span->length - length });
	return true;
}

bool surface_cut_name(struct surface_span *name, struct surface_span *span)
{
	size_t length = 0;

	while (length < span->length && surface_is_name_char(span->at[length]))
		length++;
	if (!length || (span->at[0] >= '0' && span->at[0] <= '9'))
		return false;
	*name = (struct surface_span){ span->at, length };
	*span = surface_trim((struct surface_span){ span->at + length, span->length - length });
	return true;
}

static int surface_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : 16;
}

bool surface_number(uint64_t *out, struct surface_span span)
{
	unsigned base = 10;
	uint64_t value = 0;
	size_t i = 0;

	while (span.length > 1 && strchr("uUlL", span.at[span.length - 1]))
		span.length--;
	if (span.length > 2 && span.at[0] == '0' && (span.at[1] == 'x' || span.at[1] == 'X')) {
		base = 16;
		i = 2;
	} else if (span.length > 1 && span.at[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i == span.length)
		return false;
	for (; i < span.length; i++) {
		unsigned digit = (unsigned)surface_digit(span.at[i]);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*out = value;
	return true;
}

bool surface_is_command_switch(struct surface_span rest)
{
	const char *close = memchr(rest.at, ')', rest.length);
	struct surface_span inside;

	if (!close || rest.at[0] != '(')
		return false;
	inside = surface_trim((struct surface_span){ rest.at + 1, (size_t)(close - rest.at) - 1 });
	return inside.length >= 3 && !memcmp(inside.at + inside.length - 3, "cmd", 3) &&
	       (inside.length == 3 || !surface_is_name_char(inside.at[inside.length - 4]));
}

static enum surface_branch surface_other_branch(enum surface_branch branch, bool is_else)
{
	switch (branch) {
	case SURFACE_TAKEN:
	case SURFACE_PASSED:
		return SURFACE_PASSED;
	case SURFACE_SKIPPED:
		return is_else ? SURFACE_TAKEN : SURFACE_UNKNOWN;
	case SURFACE_UNKNOWN:
		break;
	}
	return SURFACE_UNKNOWN;
}

static enum surface_branch *surface_innermost(struct surface_conditions *conditions)
{
	unsigned depth = conditions->depth;

	return &conditions->branch[(depth > SURFACE_CONDITIONS_MAX ? SURFACE_CONDITIONS_MAX : depth) - 1];
}

bool surface_condition(struct surface_conditions *conditions, struct surface_span line, enum surface_branch opened)
{
	struct surface_span name;
	enum surface_branch *innermost;
	bool is_else;

	if (!surface_cut(&line, "#") || !surface_cut_name(&name, &line))
		return true;
	if (surface_is(name, "if") || surface_is(name, "ifdef") || surface_is(name, "ifndef")) {
		conditions->depth++;
		*surface_innermost(conditions) = opened;
		return true;
	}
	is_else = surface_is(name, "else");
	if (!is_else && !surface_is(name, "elif") && !surface_is(name, "endif"))
		return true;
	if (!conditions->depth)
		return false;
	innermost = surface_innermost(conditions);
	if (surface_is(name, "endif"))
		conditions->depth--;
	else
		*innermost = surface_other_branch(*innermost, is_else);
	return true;
}

enum surface_branch surface_branch_of(const struct surface_conditions *conditions)
{
	enum surface_branch branch = SURFACE_TAKEN;

	for (unsigned i = 0; i < conditions->depth && i < SURFACE_CONDITIONS_MAX; i++) {
		if (conditions->branch[i] == SURFACE_SKIPPED || conditions->branch[i] == SURFACE_PASSED)
			return SURFACE_SKIPPED;
		if (conditions->branch[i] == SURFACE_UNKNOWN)
			branch = SURFACE_UNKNOWN;
	}
	return branch;
}
