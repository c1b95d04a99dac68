#include "verify/extents.h"

#include "base/base.h"

#include <stdlib.h>

void extent_add(struct extent_list *list, struct extent extent)
{
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = extent;
}

static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;

	return x->from_bits < y->from_bits ? -1 : x->from_bits > y->from_bits;
}

void extent_merge(struct extent_list *list)
{
	size_t count = 0;

	if (list->count)
		qsort(list->item, list->count, sizeof(*list->item), compare_extents);
	for (size_t i = 0; i < list->count; i++) {
		struct extent *last = count ? &list->item[count - 1] : NULL;

		if (last && list->item[i].from_bits <= last->to_bits) {
			if (last->to_bits < list->item[i].to_bits)
				last->to_bits = list->item[i].to_bits;
		} else {
			list->item[count++] = list->item[i];
		}
	}
	list->count = count;
}

bool extent_touches(const struct extent_list *list, uint64_t from_bits, uint64_t to_bits)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->item[middle].to_bits > from_bits)
			high = middle;
		else
			low = middle + 1;
	}
	return low < list->count && list->item[low].from_bits < to_bits;
}
