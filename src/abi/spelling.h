/*
 * abi/spelling.h - the words and brackets of a spelled type
 *
 * Layer L1, internal to abi/. Nothing here looks a name up: type.c does. A span
 * borrows the text that it points into.
 */
#ifndef ABI_SPELLING_H
#define ABI_SPELLING_H

#include "abi/type.h"

#include <string.h>

/* A range of a spelling; not NUL-terminated. */
struct span {
	const char *text;
	size_t length;
};

static inline struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static inline bool span_equal(struct span a, struct span b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/* For "%.*s" in a sentence. */
static inline int span_shown(struct span span)
{
	return span.length < 200 ? (int)span.length : 200;
}

/* span_trimmed - without blanks at either end. */
struct span span_trimmed(struct span span);

/* spelling_parse - abi_spelling_parse() of a span. */
int spelling_parse(struct abi_spelling *out, struct span type, struct err *err);

/**
 * spelling_peel - remove one dimension from the end of @rest and put it before those of @out
 *
 * Return: 1; 0 if @rest does not end in brackets; ERR_FORMAT.
 */
int spelling_peel(struct abi_spelling *out, struct span *rest, struct err *err);

/* spelling_count - how many elements; ERR_LIMIT if 64 bits cannot say. */
int spelling_count(uint64_t *out, const struct abi_spelling *spelling, struct span spelled, struct err *err);

/*
 * spelling_inside - the dimensions inside a declarator: "void (*[4])(int)" is [4] of a pointer
 *
 * None for any other spelling. Return: 0 or ERR_FORMAT.
 */
int spelling_inside(struct abi_spelling *out, struct span base, struct err *err);

/* spelling_element - @base without these: "void (*)(int)". free() it; NULL if there are none. */
char *spelling_element(struct span base);

/*
 * spelling_unqualified - "const struct foo" is "foo", "T *const" is "T *"
 *
 * Qualifiers and tag in front go, and qualifiers behind.
 */
struct span spelling_unqualified(struct span span);

/* spelling_kind - the kind of a type that C itself names and that is @size_bytes wide. */
enum abi_scalar spelling_kind(struct span spelled, uint64_t size_bytes);

/*
 * spelling_width - bytes of a type that C itself names, on every target of this program
 *
 * For an array of no elements, whose size says nothing. 0 if it is not known.
 */
uint64_t spelling_width(struct span spelled);

#endif
