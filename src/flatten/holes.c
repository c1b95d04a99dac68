/*
 * flatten/holes.c - the bits of a record that no leaf covers
 *
 * 1. A sweep over the extents, from the first bit to the last. A union needs no
 *    care: a bit is covered as soon as one alternative covers it.
 * 2. Holes of one size, behind one leaf and as far apart from each other are one
 *    that repeats: those in the elements of an array inside a union, where each
 *    element has its extents, since another alternative may cover some of them.
 * 3. A hole in the first element of an array elsewhere is in all its elements.
 */
#include "flatten/walk.h"

#include <stdlib.h>
#include <string.h>

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
	*hole = (struct abi_hole){ .offset_bits = from, .size_bits = to - from, .after = after, .is_tail = is_tail };
}

static size_t sweep(struct abi_hole *holes, const struct flatten_cover *cover, uint64_t size_bits)
{
	const char *after = "";
	uint64_t covered = 0;
	size_t found = 0;

	for (size_t i = 0; i < cover->extent_count; i++) {
		const struct flatten_extent *extent = &cover->extents[i];

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
	return found;
}

static bool are_alike(const struct abi_hole *a, const struct abi_hole *b)
{
	return a->size_bits == b->size_bits && a->is_tail == b->is_tail && !strcmp(a->after, b->after) && a->repeat_count == b->repeat_count &&
	       !memcmp(a->repeat, b->repeat, a->repeat_count * sizeof(*a->repeat));
}

/* How many holes from the first on are alike, and as far apart as the first two. */
static size_t run_of(const struct abi_hole *holes, size_t count)
{
	size_t length = 1;

	while (length < count && are_alike(&holes[0], &holes[length]) &&
	       holes[length].offset_bits - holes[length - 1].offset_bits == holes[1].offset_bits - holes[0].offset_bits)
		length++;
	return length;
}

/* Return: how many holes are left; as many as there were if none repeats. */
static size_t join_runs(struct abi_hole *holes, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0, length; i < count; i += length) {
		struct abi_hole hole = holes[i];

		length = hole.repeat_count < ABI_REPEATS_MAX ? run_of(&holes[i], count - i) : 1;
		if (length > 1) {
			memmove(hole.repeat + 1, hole.repeat, hole.repeat_count++ * sizeof(*hole.repeat));
			hole.repeat[0] = (struct abi_repeat){ length, holes[i + 1].offset_bits - hole.offset_bits };
		}
		holes[joined++] = hole;
	}
	return joined;
}

static int compare_arrays(const void *a, const void *b)
{
	const struct flatten_array *x = a, *y = b;

	if (x->offset_bits != y->offset_bits)
		return x->offset_bits < y->offset_bits ? -1 : 1;
	return (x->repeat_count > y->repeat_count) - (x->repeat_count < y->repeat_count);
}

static void repeat_with(struct abi_hole *hole, const struct flatten_array *array)
{
	size_t outer = array->repeat_count;

	if (outer + hole->repeat_count > ABI_REPEATS_MAX)
		return;
	memmove(hole->repeat + outer, hole->repeat, hole->repeat_count * sizeof(*hole->repeat));
	memcpy(hole->repeat, array->repeat, outer * sizeof(*hole->repeat));
	hole->repeat_count += outer;
}

/* Both are in the order of offsets; the arrays that a hole may be in are each inside the one before it. */
static void repeat_holes(struct abi_hole *holes, size_t count, const struct flatten_cover *cover)
{
	const struct flatten_array *open[ABI_REPEATS_MAX];
	size_t depth = 0, next = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t from = holes[i].offset_bits, to = from + holes[i].size_bits;

		for (; next < cover->array_count && cover->arrays[next].offset_bits <= from; next++) {
			const struct flatten_array *array = &cover->arrays[next];

			while (depth && array->offset_bits >= open[depth - 1]->offset_bits + open[depth - 1]->element_bits)
				depth--;
			if (depth < ABI_REPEATS_MAX)
				open[depth++] = array;
		}
		while (depth && to > open[depth - 1]->offset_bits + open[depth - 1]->element_bits)
			depth--;
		if (depth)
			repeat_with(&holes[i], open[depth - 1]);
	}
}

void flatten_find_holes(struct abi_layout *layout, struct flatten_cover *cover, struct arena *arena)
{
	struct abi_hole *holes = xmalloc((cover->extent_count + 1) * sizeof(*holes));
	size_t count, joined;

	if (cover->extent_count > 1)
		qsort(cover->extents, cover->extent_count, sizeof(*cover->extents), compare_extents);
	if (cover->array_count > 1)
		qsort(cover->arrays, cover->array_count, sizeof(*cover->arrays), compare_arrays);
	joined = count = sweep(holes, cover, layout->size_bytes * 8);
	do {
		count = joined;
		joined = join_runs(holes, count);
	} while (joined < count);
	repeat_holes(holes, count, cover);
	layout->hole = arena_memdup(arena, holes, count * sizeof(*holes));
	layout->hole_count = count;
	free(holes);
}
