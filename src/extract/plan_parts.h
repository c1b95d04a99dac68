/*
 * extract/plan_parts.h - the steps of a plan
 *
 * Layer L2, private to plan.c and plan_*.c: the files, what depends on what,
 * in which order things come, and what decides each piece.
 */
#ifndef EXTRACT_PLAN_PARTS_H
#define EXTRACT_PLAN_PARTS_H

#include "extract/plan.h"

#define PLAN_NONE UINT32_MAX /* no file; never */

/* plan_add_bits - Return: was anything added? */
static inline bool plan_add_bits(uint64_t *to, const uint64_t *from, size_t words)
{
	uint64_t added = 0;

	for (size_t i = 0; i < words; i++) {
		added |= from[i] & ~to[i];
		to[i] |= from[i];
	}
	return added;
}

/* plan_find_links - by names, and which includes are certain. */
void plan_find_links(struct plan *plan);
/* plan_find_includes - includes and brings of each file. */
void plan_find_includes(struct plan *plan);
/* plan_link_uncertain - with the order known: links by includes that are not certain. Return: 0; ERR_LIMIT. */
int plan_link_uncertain(struct plan *plan, struct err *err);
/* plan_find_reach - with all links known. */
void plan_find_reach(struct plan *plan);

/* plan_find_order - begins and ends of each file. */
void plan_find_order(struct plan *plan);
/* plan_deepest - how many files may stand in each other, one that stands in itself left out. */
size_t plan_deepest(const struct plan *plan);

/*
 * What a link says of the order. If the other one is included, only whether
 * it came before; and only where a name of it is spoken of before that
 * #include does that make a difference.
 */
enum plan_order { ORDER_SAME = 0, ORDER_KNOWN = 1, ORDER_BEGAN_BEFORE = 2, ORDER_ENDED_BEFORE = 4 };
/* plan_order_of - the bits of enum plan_order for a link of file @index, with all headers. */
unsigned plan_order_of(const struct plan *plan, size_t index, const struct plan_link *link);

/* plan_by_begin - all files in the order of begins, then those that are not sure; lives in the arena. */
uint32_t *plan_by_begin(const struct plan *plan);
/* plan_mark - with the lock held, and for as long: texts that have this stamp are the plan's. */
uint32_t plan_mark(struct plan *plan);

/* plan_find_fine - with all else known: fine keys for all files that may have one. */
void plan_find_fine(struct plan *plan);
/* plan_forget_keys - they stay in the files; chunks have none any more. */
void plan_forget_keys(struct plan *plan);

/* plan_is_guarded - does a file count once at most? Not if another one may undefine its guard. */
bool plan_is_guarded(const struct plan_file *file);

#endif
