/*
 * base/directives.h - the #include and #define lines of a text
 *
 * Layer L1, inside ctext/. A scanner that is much faster than a
 * preprocessor because it knows nothing about conditions: a line under
 * "#if 0" is reported as well. What it finds are hints: nothing is decided by
 * them. A definition that it misses is found by clang, and costs a second parse.
 */
#ifndef BASE_DIRECTIVES_H
#define BASE_DIRECTIVES_H

#include "base/view.h"

struct define {
	struct view name;
	struct view body; /* raw: with comments and continued lines, up to the newline of the directive */
	unsigned line;
	struct view parameters; /* raw, what is between the parentheses; NULL of an object-like macro */
};

struct directives_sink {
	void *data;
	/* #include "spelled" or <spelled>, #include_next or #import; @spelled is what the delimiters enclose. May be NULL. */
	void (*include)(void *data, struct view spelled);
	/* #define NAME body, object-like. May be NULL. */
	void (*define)(void *data, const struct define *define);
	/* The same, function-like. May be NULL. */
	void (*define_function)(void *data, const struct define *define);
};

/* directives_cut_parameters - cut the parameters off a body that begins with "(". Return: false if it does not, or none closes it. */
bool directives_cut_parameters(struct define *define);

/* directives_scan - report every directive of @text, which is NUL-terminated at @size. */
void directives_scan(const char *text, size_t size, const struct directives_sink *sink);

#endif
