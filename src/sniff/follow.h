/*
 * sniff/follow.h - the memory that belongs to a call of this process
 *
 * Part of preload/. The same ranges, in the same order, as call_follow(), call_pointers() and call_fds() ask for.
 */
#ifndef SNIFF_FOLLOW_H
#define SNIFF_FOLLOW_H

#include "sniff/frame.h"
#include "sniff/plan.h"

/**
 * follow_before - read the argument, and what it leads to
 * @family: of the device; PLAN_FAMILIES: nothing is followed
 * @region_limit_bytes: of one range
 */
void follow_before(struct frame *frame, const struct plan *plan, enum plan_family family, uint64_t request, uint64_t argument,
		   uint64_t region_limit_bytes);

/* follow_after - read the same ranges again. */
void follow_after(struct frame *frame);

#endif
