/*
 * base/lexer.h - comments, literals and continued lines
 *
 * Layer L1, inside ctext/. The only code that knows where these begin and end:
 *
 * - A backslash, blanks that clang forgives, and a newline continue a line: a splice.
 * - A block comment ends with its mark or with the text, a line comment before a newline that is
 *   not continued.
 * - A string or character constant ends with its quote, with its line at the latest.
 *
 * Texts are NUL-terminated at @end.
 */
#ifndef BASE_LEXER_H
#define BASE_LEXER_H

#include "base/view.h"

/* lexer_newlines - @text, or a copy in @arena in which each carriage return that no newline follows is one, as it is to clang. */
const char *lexer_newlines(const char *text, size_t size, struct arena *arena);

/* lexer_splice - the length of the splice at @at; 0 if there is none. */
size_t lexer_splice(const char *at, const char *end);

/* lexer_skip_comment - past the comment that starts at @at; NULL if none does. */
const char *lexer_skip_comment(const char *at, const char *end);

/* lexer_skip_literal - from the opening quote past the closing one. Return: false, at the end of the line, if there is none. */
bool lexer_skip_literal(const char **at, const char *end);

/* lexer_line_end - the newline, or @end, that ends the logical line of @at. */
const char *lexer_line_end(const char *at, const char *end);

/* lexer_skip_blank - past blanks, block comments and splices, but not past a newline or @end. */
const char *lexer_skip_blank(const char *at, const char *end);

/* lexer_uncommented - the text before the first comment of @text. */
struct view lexer_uncommented(struct view text);

/**
 * lexer_blank - a copy of @text in which comments and the insides of literals are spaces
 *
 * Line ends stay where they are, so that lines have their numbers. Return: allocated in @arena.
 */
const char *lexer_blank(struct view text, struct arena *arena);

/**
 * lexer_join - the body of a macro on one line
 * @with_comments: false: each becomes one space
 *
 * Splices go, runs of white space outside of literals become one space, the ends are trimmed.
 * Return: allocated in @arena.
 */
const char *lexer_join(struct view body, bool with_comments, struct arena *arena);

#endif
