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

/* An array of records outside of unions, whose second and later elements are as the first one is. */
struct flatten_array {
	uint64_t offset_bits;
	uint64_t element_bits;
	const struct abi_repeat *repeat; /* of its elements, outermost first */
	size_t repeat_count;
};

struct flatten_cover {
	struct flatten_extent *extents;
	size_t extent_count, extent_capacity;
	struct flatten_array *arrays;
	size_t array_count, array_capacity;
};

/* flatten_find_holes - sets the holes of @layout; sorts what covers it. */
void flatten_find_holes(struct abi_layout *layout, struct flatten_cover *cover, struct arena *arena);

#endif
