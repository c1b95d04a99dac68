/*
 * extract/extra_macros.h - macros that profile_want_constants() asks for, and that are no integers
 *
 * Layer L2, inside extract/. A glob over names takes ranges of bits ("7:0"), texts and types as well: nobody meant these
 * for numbers, so there is one warning for all of them. A macro that is an integer in one unit is none of them.
 */
#ifndef EXTRACT_EXTRA_MACROS_H
#define EXTRACT_EXTRA_MACROS_H

#include "abi/abi.h"

/* One macro of one unit. */
struct extra_macro {
	const char *name;
	const char *text; /* its body */
	bool is_integer;
};

/* { 0 } is none; freed with extra_macros_free(). */
struct extra_macros {
	struct extra_macro *items;
	size_t count, capacity;
};

/* extra_macros_add - @one is copied; its strings must outlive @list. */
void extra_macros_add(struct extra_macros *list, const struct extra_macro *one);

/* extra_macros_warn - how many are no integers in any unit, and the first ones of them. Sorts the list; the warning is in @arena. */
void extra_macros_warn(struct extra_macros *list, struct abi_builder *builder, struct arena *arena);

void extra_macros_free(struct extra_macros *list);

#endif
