/*
 * extract/hints.h - what the lines of one text look like
 *
 * Layer L2, inside extract/. Found by a scan that knows nothing of conditions
 * (scan.h), before clang sees the text: which files to fetch, and which macros
 * to ask for. Depends on nothing but the text, its path and the rules.
 */
#ifndef EXTRACT_HINTS_H
#define EXTRACT_HINTS_H

#include "extract/macro_rules.h"

/* An object-like #define, and what the rules say of it. */
struct hint {
	size_t start, end; /* offsets: the name, and behind the last token; @end is 0 where the scan cannot tell */
	enum macro_verdict verdict;
	const struct macro_definition *definition; /* if it is wanted */
};

/* A pragma that changes how records are laid out. */
enum pragma_kind {
	PRAGMA_PUSH,
	PRAGMA_POP,
	PRAGMA_SET,      /* #pragma pack(1), #pragma pack() */
	PRAGMA_ODD_PACK, /* of a form that not all compilers know */
	PRAGMA_OF_ONE,   /* that only gcc or only clang knows */
};

struct pragma_hint {
	size_t start, end; /* offsets: its first word, and behind the last one */
	enum pragma_kind kind;
};

struct hints {
	const struct view *includes; /* the text between quotes or angles */
	size_t include_count;
	const struct hint *defines;  /* in the order of the text */
	size_t define_count;
	const size_t *questions;     /* offsets at which "__has_include" or "__has_embed" is, wherever that is */
	size_t question_count;
	const struct pragma_hint *pragmas; /* those of pack in the order of the text */
	size_t pragma_count;
	bool pops;                   /* "pop_macro" is somewhere in the text */
	bool mentions_ms_struct;
};

/**
 * hints_read - scan a text
 * @rules: NULL: its definitions do not matter
 *
 * Return: in @arena, and does not point into @text.
 */
const struct hints *hints_read(struct macro_rules *rules, const char *unit, const char *path, const char *text, size_t size,
			       struct arena *arena);

#endif
