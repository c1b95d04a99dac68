/*
 * diff/intervals.h - a set of bits, as intervals
 *
 * Layer L3, internal to diff/. { 0 } is empty. Intervals are added in any
 * order, overlapping or not; after diff_intervals_seal() the set is only
 * asked. The owner releases it. Nothing here fails.
 */
#ifndef DIFF_INTERVALS_H
#define DIFF_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bits from @from up to, but not including, @to. */
struct diff_interval {
	uint64_t from, to;
};

struct diff_intervals {
	struct diff_interval *item; /* once sealed, sorted and apart; malloc'd */
	size_t count, capacity;
};

void diff_intervals_add(struct diff_intervals *set, uint64_t from, uint64_t to);

/* diff_intervals_seal - sort, and merge intervals that overlap or touch. */
void diff_intervals_seal(struct diff_intervals *set);

/* diff_intervals_contain - are all bits from @from up to @to in the sealed set? No bits are in every set. */
bool diff_intervals_contain(const struct diff_intervals *set, uint64_t from, uint64_t to);

void diff_intervals_release(struct diff_intervals *set);

#endif
