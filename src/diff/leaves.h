/*
 * diff/leaves.h - compare the leaves of named records
 *
 * Layer L3, internal to diff/. Nothing here allocates or fails.
 */
#ifndef DIFF_LEAVES_H
#define DIFF_LEAVES_H

#include "abi/abi.h"

/* diff_leaves_contained - is every leaf of @base in @next, with its name, offset, kind and role? */
bool diff_leaves_contained(const struct abi_layout *base, const struct abi_layout *next);

/* diff_leaves_equal - contained both ways, and the size is equal. */
bool diff_leaves_equal(const struct abi_layout *a, const struct abi_layout *b);

/* What a member holds that a proxy must act on. */
struct diff_acted {
	const struct abi_layout *layout; /* of the member's record; NULL for a scalar */
	const struct abi_type *type;
	enum abi_role role;              /* of a scalar */
	uint64_t offset_bits;
};

/* diff_acted_any - a pointer, fd, handle or pid at all? */
bool diff_acted_any(const struct diff_acted *acted);
/* diff_acted_equal - the same ones at the same offsets, and as many? */
bool diff_acted_equal(const struct diff_acted *a, const struct diff_acted *b);

#endif
