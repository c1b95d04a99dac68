/*
 * extract/scan.h - the #include and #define lines of a text
 *
 * Layer L2, inside extract/. A scanner that is much faster than a
 * preprocessor because it knows nothing about conditions: what stands under
 * "#if 0" is reported as well. What it finds are hints: nothing is decided by
 * them. A definition that it misses is found by clang, and costs a second parse.
 */
#ifndef EXTRACT_SCAN_H
#define EXTRACT_SCAN_H

#include "base/base.h"

#include <stdbool.h>

/* Bytes of somebody else's text; not NUL-terminated. */
struct view {
	const char *at;
	size_t length;
};

struct scan_define {
	struct view name;
	struct view body; /* raw: with comments and continued lines, up to the newline of the directive */
	unsigned line;
};

struct scan_sink {
	void *data;
	/* #include "spelled" or <spelled>, #include_next or #import; @spelled stands between the delimiters. May be NULL. */
	void (*include)(void *data, struct view spelled);
	/* #define NAME body, object-like. May be NULL. */
	void (*define)(void *data, const struct scan_define *define);
};

/* scan_directives - report every directive of @text, which is NUL-terminated at @size. */
void scan_directives(const char *text, size_t size, const struct scan_sink *sink);

/* scan_line_end - the newline, or @end, that ends the logical line on which @at stands. */
const char *scan_line_end(const char *at, const char *end);

/* scan_skip_blank - past blanks, comments and continued line ends, but not past a newline or @end. */
const char *scan_skip_blank(const char *at, const char *end);

/**
 * scan_join - a raw body on one line
 * @keep_comments: false: each becomes one space
 *
 * Continued lines are joined, runs of white space outside of literals become
 * one space, the ends are trimmed. Return: lives in @arena.
 */
const char *scan_join(struct view body, bool keep_comments, struct arena *arena);

#endif
