/* flatten/holes.c - the bits of a record that no leaf covers */
#include "flatten/walk.h"

#include <stdlib.h>

static int compare_extents(const void *a, const void *b)
{
	const struct flatten_extent *x = a, *y = b;

	if (x->offset_bits != y->offset_bits)
		return x->offset_bits < y->offset_bits ? -1 : 1;
	if (x->size_bits != y->size_bits)
		return x->size_bits < y->size_bits ? -1 : 1;
	return 0;
}

static void add_hole(struct abi_hole *hole, uint64_t from, uint64_t to, const char *after, bool is_tail)
{
	hole->offset_bits = from;
	hole->size_bits = to - from;
	hole->after = after;
	hole->is_tail = is_tail;
}

/*
 * A sweep from the first bit to the last. A union needs no care: a bit is
 * covered as soon as one alternative covers it.
 */
void flatten_find_holes(struct abi_layout *layout, struct flatten_extent *extents, size_t count, struct arena *arena)
{
	uint64_t size_bits = layout->size_bytes * 8;
	struct abi_hole *holes = arena_array(arena, count + 1, sizeof(*holes));
	const char *after = "";
	uint64_t covered = 0;
	size_t found = 0;

	if (count > 1)
		qsort(extents, count, sizeof(*extents), compare_extents);
	for (size_t i = 0; i < count; i++) {
		const struct flatten_extent *extent = &extents[i];

		if (!extent->size_bits)
			continue;
		if (extent->offset_bits > covered)
			add_hole(&holes[found++], covered, extent->offset_bits, after, false);
		if (extent->offset_bits + extent->size_bits > covered) {
			covered = extent->offset_bits + extent->size_bits;
			after = extent->path;
		}
	}
	if (covered < size_bits)
		add_hole(&holes[found++], covered, size_bits, after, true);
	layout->hole = holes;
	layout->hole_count = found;
}
