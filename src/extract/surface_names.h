/*
 * extract/surface_names.h - which macro names a command
 *
 * Layer L2, inside extract/. The method tables state numbers; users and
 * proxies know commands by macro. Several macros have one value, and small
 * values are shared with macros that are no commands at all, so a macro must
 * fit the method's parameters, name or class to name it.
 */
#ifndef EXTRACT_SURFACE_NAMES_H
#define EXTRACT_SURFACE_NAMES_H

#include "extract/macros.h"

/* A number that wants a name. */
struct surface_wish {
	uint64_t number;
	const char *params; /* or NULL */
	const char *func;   /* the method's name */
	const struct macro *macro; /* out: the best that fits, or NULL */
	unsigned score;            /* out: how well; private */
};

/**
 * surface_names_find - fill in the macros
 * @wishes: sorted by number, each number once
 * @family: its match and except say which macros may name a number
 */
void surface_names_find(struct surface_wish *wishes, size_t count, const struct profile_family *family,
			const struct macro_index *macros);

#endif
