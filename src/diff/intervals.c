#include "diff/intervals.h"

#include "base/base.h"

#include <stdlib.h>

void diff_intervals_add(struct diff_intervals *set, uint64_t from, uint64_t to)
{
	ARRAY_GROW(set->item, set->count, set->capacity);
	set->item[set->count++] = (struct diff_interval){ from, to };
}

static int compare_intervals(const void *a, const void *b)
{
	const struct diff_interval *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void diff_intervals_seal(struct diff_intervals *set)
{
	struct diff_interval *item = set->item;
	size_t last = 0;

	if (set->count < 2)
		return;
	qsort(item, set->count, sizeof(*item), compare_intervals);
	for (size_t i = 1; i < set->count; i++) {
		if (item[i].from > item[last].to)
			item[++last] = item[i];
		else if (item[i].to > item[last].to)
			item[last].to = item[i].to;
	}
	set->count = last + 1;
}

bool diff_intervals_contain(const struct diff_intervals *set, uint64_t from, uint64_t to)
{
	size_t low = 0, high = set->count;

	if (from >= to)
		return true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->item[middle].to <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->count && set->item[low].from <= from && to <= set->item[low].to;
}

void diff_intervals_release(struct diff_intervals *set)
{
	free(set->item);
	*set = (struct diff_intervals){ 0 };
}
