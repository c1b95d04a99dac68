#include "base/lexer.h"

#include <string.h>

const char *lexer_newlines(const char *text, size_t size, struct arena *arena)
{
	char *copy = NULL;

	for (const char *at = text; (at = memchr(at, '\r', size - (size_t)(at - text))); at++) {
		if (at[1] == '\n')
			continue;
		if (!copy)
			copy = arena_strndup(arena, text, size);
		copy[at - text] = '\n';
	}
	return copy ? copy : text;
}

size_t lexer_splice(const char *at, const char *end)
{
	const char *p = at;

	if (p == end || *p != '\\')
		return 0;
	for (p++; p < end && view_is_blank(*p); p++)
		;
	return p < end && *p == '\n' ? (size_t)(p - at) + 1 : 0;
}

static bool is_comment(const char *at, const char *end)
{
	return end - at >= 2 && at[0] == '/' && (at[1] == '*' || at[1] == '/');
}

static const char *skip_block_comment(const char *at, const char *end)
{
	const char *p = at + 2;

	while ((p = memchr(p, '/', (size_t)(end - p)))) {
		if (p[-1] == '*' && p - at >= 3)
			return p + 1;
		p++;
	}
	return end;
}

/* A continued line continues it. */
static const char *skip_line_comment(const char *at, const char *end)
{
	size_t splice;

	for (;;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		while ((at = memchr(at, '\\', (size_t)(stop - at)))) {
			if ((splice = lexer_splice(at, end)))
				break;
			at++;
		}
		if (!at)
			return stop;
		at += splice;
	}
}

const char *lexer_skip_comment(const char *at, const char *end)
{
	if (!is_comment(at, end))
		return NULL;
	return at[1] == '*' ? skip_block_comment(at, end) : skip_line_comment(at, end);
}

bool lexer_skip_literal(const char **at, const char *end)
{
	const char *p;

	for (p = *at + 1; p < end && *p != '\n'; p++) {
		size_t splice = lexer_splice(p, end);

		if (splice) {
			p += splice - 1;
		} else if (*p == '\\' && p + 1 < end) {
			p++;
		} else if (*p == **at) {
			*at = p + 1;
			return true;
		}
	}
	*at = p;
	return false;
}

/* Past one character, or past the comment, literal or splice that starts there. */
static const char *skip_one(const char *at, const char *end)
{
	const char *comment = lexer_skip_comment(at, end);
	size_t splice = lexer_splice(at, end);

	if (comment || splice)
		return comment ? comment : at + splice;
	if (*at != '"' && *at != '\'')
		return at + 1;
	lexer_skip_literal(&at, end);
	return at;
}

/* Where something other than a plain character may start: newline, slash, quotes, backslash. */
static const char *next_special(const char *at, const char *end)
{
	static const bool special[256] = { ['\n'] = true, ['/'] = true, ['"'] = true, ['\''] = true, ['\\'] = true };

	while (at < end && !special[(unsigned char)*at])
		at++;
	return at;
}

/* Nothing on a line without "/" can open a comment: the common line is skipped in one step. */
const char *lexer_line_end(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	const char *stop = newline ? newline : end;

	if (!memchr(at, '/', (size_t)(stop - at)) && !memchr(at, '\\', (size_t)(stop - at)))
		return stop;
	while ((at = next_special(at, end)) < end && *at != '\n')
		at = skip_one(at, end);
	return at;
}

const char *lexer_skip_blank(const char *at, const char *end)
{
	while (at < end) {
		size_t splice;

		if (view_is_blank(*at))
			at++;
		else if (is_comment(at, end) && at[1] == '*')
			at = skip_block_comment(at, end);
		else if ((splice = lexer_splice(at, end)))
			at += splice;
		else
			break;
	}
	return at;
}

struct view lexer_uncommented(struct view text)
{
	const char *at = text.at, *end = text.at + text.length;

	while (at < end && !is_comment(at, end))
		at = skip_one(at, end);
	return (struct view){ text.at, (size_t)(at - text.at) };
}

static void blank_range(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* An apostrophe behind a word is none of a literal: "#error don't". */
static bool is_quote(const char *start, const char *at)
{
	return *at == '"' || (*at == '\'' && (at == start || !view_is_word_char(at[-1])));
}

const char *lexer_blank(struct view text, struct arena *arena)
{
	char *copy = arena_strndup(arena, text.at, text.length), *end = copy + text.length, *at = copy;

	while (at < end) {
		const char *after = lexer_skip_comment(at, end);

		if (after) {
			blank_range(at, after);
		} else if (is_quote(copy, at)) {
			bool is_closed;

			after = at;
			is_closed = lexer_skip_literal(&after, end);
			blank_range(at + 1, after - is_closed);
		} else {
			after = at + 1;
		}
		at = copy + (after - copy);
	}
	return copy;
}

/* A run of white space becomes one space, and none at the start. */
static void add_space(struct strbuf *out)
{
	if (out->length && out->text[out->length - 1] != ' ')
		strbuf_addch(out, ' ');
}

static void add_comment(struct strbuf *out, const char *at, const char *to, const char *end)
{
	size_t splice;

	for (; at < to; at += splice ? splice : 1) {
		splice = lexer_splice(at, end);
		if (splice || *at == '\n' || view_is_blank(*at))
			add_space(out);
		else
			strbuf_addch(out, *at);
	}
}

/* Adds what starts at @at. Return: past it. A line comment goes on to @end, since a body is one logical line. */
static const char *join_one(struct strbuf *out, const char *at, const char *end, bool with_comments)
{
	size_t splice = lexer_splice(at, end);
	const char *to = at + 1;

	if (splice)
		return at + splice;
	if (is_comment(at, end)) {
		to = at[1] == '*' ? skip_block_comment(at, end) : end;
		if (with_comments)
			add_comment(out, at, to, end);
		else
			add_space(out);
	} else if (*at == '"' || *at == '\'') {
		to = at;
		lexer_skip_literal(&to, end);
		strbuf_add(out, at, (size_t)(to - at));
	} else if (view_is_blank(*at) || *at == '\n') {
		add_space(out);
	} else {
		strbuf_addch(out, *at);
	}
	return to;
}

const char *lexer_join(struct view body, bool with_comments, struct arena *arena)
{
	const char *at = body.at, *end = body.at + body.length;
	struct strbuf out = { 0 };
	const char *text;

	while (at < end)
		at = join_one(&out, at, end, with_comments);
	while (out.length && out.text[out.length - 1] == ' ')
		out.text[--out.length] = '\0';
	text = arena_strndup(arena, strbuf_text(&out), out.length);
	strbuf_release(&out);
	return text;
}
