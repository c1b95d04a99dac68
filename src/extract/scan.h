/*
 * extract/scan.h - the #include and #define lines of a text
 *
 * Layer L2, inside extract/. A scanner that is much faster than a
 * preprocessor because it knows nothing about conditions: what stands under
 * "#if 0" is reported as well. Comments, literals and continued lines are
 * understood.
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

enum scan_include { SCAN_QUOTED, SCAN_ANGLED, SCAN_NEXT };

struct scan_define {
	struct view name;
	struct view body; /* raw: with comments and continued lines, up to the newline of the directive */
	unsigned line;
	bool is_plain;    /* under no condition but the guard around the whole file: it counts if the file does */
};

struct scan_sink {
	void *data;
	/*
	 * Every directive, before what follows is called for it; @rest: behind its name, up to the
	 * newline; @is_plain as of a definition. May be NULL.
	 */
	void (*directive)(void *data, struct view name, struct view rest, bool is_plain);
	/* #include "spelled" or <spelled>, or #include_next; @spelled points between the delimiters. May be NULL. */
	void (*include)(void *data, struct view spelled, enum scan_include kind);
	/* #define NAME body, object-like. May be NULL. */
	void (*define)(void *data, const struct scan_define *define);
	/* #undef NAME, #pragma pop_macro("NAME"). May be NULL. */
	void (*undef)(void *data, struct view name);
};

/*
 * scan_guard - the name X of "ifndef X", or of "if !defined(X)"; empty if it
 * is none of these. @directive: its name, @rest: what follows on its line.
 */
struct view scan_guard(struct view directive, struct view rest);

/* scan_directives - report every directive of @text, which is NUL-terminated at @size. */
void scan_directives(const char *text, size_t size, const struct scan_sink *sink);

/* A text is a row of pieces: definitions of macros, other directives, and all that stands between them. */
struct scan_piece {
	struct view whole; /* from the "#" up to the newline of the directive; or code and comments */
	bool is_define;
	bool is_directive; /* another one than a definition, or one whose name goes on behind a line end */
	struct view name;  /* of a definition, as far as it stands on its first line */
	struct view rest;  /* of a definition: behind the name, "(a, b) body" or " body" */
};

/* scan_pieces - report every piece of @text, which is NUL-terminated at @size, in order. */
void scan_pieces(const char *text, size_t size, void *data, void (*piece)(void *data, const struct scan_piece *piece));

/*
 * scan_tokens - report every identifier of @text as scan_words() does, and by
 * @mark every other character that is neither blank nor part of a comment;
 * a literal is one mark, its quote, and a number is one, its first digit.
 */
void scan_tokens(struct view text, void *data, void (*word)(void *data, struct view word),
		 void (*mark)(void *data, const char *at));

/*
 * scan_words - report every identifier of @text that stands in no comment;
 * one that is continued on the next line is one. @word gets no pointer that
 * outlives the call.
 */
void scan_words(struct view text, void *data, void (*word)(void *data, struct view word));

/**
 * scan_join - a raw body on one line
 * @keep_comments: false: each becomes one space
 *
 * Continued lines are joined, runs of white space outside of literals become
 * one space, the ends are trimmed. Return: lives in @arena.
 */
const char *scan_join(struct view body, bool keep_comments, struct arena *arena);

#endif
