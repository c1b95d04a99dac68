/*
 * extract/plan_parts.h - the steps of a plan
 *
 * Layer L2, private to plan.c, plan_links.c and plan_order.c, which find the
 * files, what depends on what, and in which order things come.
 */
#ifndef EXTRACT_PLAN_PARTS_H
#define EXTRACT_PLAN_PARTS_H

#include "extract/plan.h"

#define PLAN_NONE UINT32_MAX /* no file; never */

static inline void plan_set_bit(uint64_t *bits, size_t bit)
{
	bits[bit / 64] |= (uint64_t)1 << bit % 64;
}

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

/* plan_is_guarded - does a file count once at most? Not if another one may undefine its guard. */
bool plan_is_guarded(const struct plan_file *file);

#endif
