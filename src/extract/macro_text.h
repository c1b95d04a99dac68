/*
 * extract/macro_text.h - what can be told of a macro's body by looking at it
 *
 * Layer L2, inside extract/. Bodies are as lexer_join() leaves them, without
 * comments.
 */
#ifndef EXTRACT_MACRO_TEXT_H
#define EXTRACT_MACRO_TEXT_H

#include "base/ctext.h"

#include <stdbool.h>
#include <stdint.h>

/* Closed. */
enum macro_shape {
	MACRO_NO_NUMBER, /* empty, a string, a bit range like 7:0, a list, a statement, a declaration, a fraction */
	MACRO_LITERALS,  /* numbers and operators, nothing that could upset a parser */
	MACRO_NAMES,     /* an expression that uses names, which may be anything */
};

enum macro_shape macro_shape_of(const char *text);

/* macro_is_balanced - does each bracket have its match, literals aside? */
bool macro_is_balanced(const char *text);

/* macro_literal - the value of a body that is one integer literal, maybe in parentheses; false if it is not. */
bool macro_literal(uint64_t *out, const char *text);

/* macro_has_comma - is there a comma in brackets that are not those of a call, which makes it an operator? */
bool macro_has_comma(const char *text);

/* macro_is_call - is all of it NAME(…), maybe in parentheses? */
bool macro_is_call(const char *text);

/* macro_is_name - is all of it one name, maybe in parentheses? */
bool macro_is_name(const char *text);

/* macro_first_call - the first NAME(…) in it, wherever that stands, sizeof() aside; false if there is none. */
bool macro_first_call(struct view *out, const char *text);

/*
 * macro_next_name - the next name at or behind *@at that may be a macro's without parameters, and that stands outside of calls and sizeof()
 *
 * @at is set behind it. Return: false if there is none; *@at is then not changed.
 */
bool macro_next_name(struct view *out, const char **at);

#endif
