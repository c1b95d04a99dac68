/*
 * flatten/walk.h - what the two steps of flattening share
 *
 * Private to flatten/. Step one (flatten.c) walks a record and collects its
 * leaves; step two (holes.c) finds the bits that none of them covers.
 */
#ifndef FLATTEN_WALK_H
#define FLATTEN_WALK_H

#include "flatten/flatten.h"

/* Bits that are accounted for: a leaf's, or those of an array's second and later elements. */
struct flatten_extent {
	uint64_t offset_bits;
	uint64_t size_bits;
	const char *path; /* of the leaf, or of the array's last leaf */
};

/* flatten_find_holes - sets the holes of @layout; sorts @extents. */
void flatten_find_holes(struct abi_layout *layout, struct flatten_extent *extents, size_t count, struct arena *arena);

#endif
