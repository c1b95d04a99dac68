/*
 * diff/unchanged.h - is a record the same in both versions, without listing its members?
 *
 * Layer L3, internal to diff/. Most records are the same, and need no more than
 * this. Nothing here fails.
 */
#ifndef DIFF_UNCHANGED_H
#define DIFF_UNCHANGED_H

#include "diff/side.h"

struct diff_changed_types {
	const struct diff_side *base, *next; /* borrowed */
	const char *const *name; /* of aliases and enums whose definitions differ; sorted */
	size_t count;
};

/* diff_changed_types_list - @out points into the sides and @arena. */
void diff_changed_types_list(struct diff_changed_types *out, const struct diff_side *base_side, const struct diff_side *next_side,
			     struct arena *arena);

/* diff_is_unchanged - false if that is not certain. */
bool diff_is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next);

#endif
