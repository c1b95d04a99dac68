/*
 * base/view.h - bytes of somebody else's text
 *
 * Layer L1, inside ctext/. A view points into a text that outlives it, and is not
 * NUL-terminated. Nothing here allocates but what is given an arena.
 */
#ifndef BASE_VIEW_H
#define BASE_VIEW_H

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

struct view {
	const char *at;
	size_t length;
};

/* view_is_word_char - may @ch be in an identifier? As to clang: letters, digits, '_', '$', and the bytes of UTF-8. */
extern const bool view_word_chars[256];
static inline bool view_is_word_char(char ch)
{
	return view_word_chars[(unsigned char)ch];
}

static inline bool view_is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* view_is_space - white space, line ends included. */
static inline bool view_is_space(char ch)
{
	return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

/* view_is_blank - white space inside a line; a NUL byte is that to clang as well. */
static inline bool view_is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r' || ch == '\v' || ch == '\f' || ch == '\0';
}

struct view view_of(const char *text);
struct view view_trim(struct view view);
bool view_is(struct view view, const char *text);
bool view_equal(struct view a, struct view b);
bool view_starts_with(struct view view, const char *prefix);
bool view_ends_with(struct view view, const char *suffix);

/* view_word - the word characters at the start of @view; empty if there is none. */
struct view view_word(struct view view);

/* view_is_name - is all of it one identifier? */
bool view_is_name(struct view view);

/* view_number - all of @view as a C integer literal without a sign. */
bool view_number(uint64_t *out, struct view view);

/* view_copy - as a string in @buffer. Return: false, @buffer untouched, if it does not fit. */
bool view_copy(char *buffer, size_t size, struct view view);

/* view_cut - if @view starts with @prefix, cut it and the white space after it off. */
bool view_cut(struct view *view, const char *prefix);

/* view_cut_name - cut an identifier and the white space after it off; false if there is none. */
bool view_cut_name(struct view *name, struct view *view);

/* view_cut_names - cut the next name off "A | B | C"; false at the end or, with *@malformed set, at anything else. */
bool view_cut_names(struct view *name, struct view *list, bool *malformed);

/* view_mention - where @name first is in @text as a whole word, or NULL. */
const char *view_mention(struct view text, const char *name);

/* Lines of a text, one after the other. */
struct view_lines {
	const char *at; /* of the next line */
	const char *end;
	unsigned number; /* of the next line, from 1 */
};

/* view_next_line - the next line without the white space around it; false at the end. */
bool view_next_line(struct view *out, struct view_lines *lines);

#endif
