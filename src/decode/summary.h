/*
 * decode/summary.h - the distinct ioctls of many calls
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_SUMMARY_H
#define DECODE_SUMMARY_H

#include "base/base.h"

#include <stdbool.h>

struct decode_call;

enum { DECODE_SUMMARY_MAX = 65536, DECODE_STATUS_MAX = 16 };

struct decode_status_count {
	uint64_t status;
	const char *name; /* NULL: the driver has none */
	size_t count;
};

struct decode_total {
	const struct decode_call *call; /* the first one */
	size_t count;
	struct decode_status_count statuses[DECODE_STATUS_MAX]; /* in the order of their first call */
	size_t status_count;
	size_t other_statuses; /* calls with a status that has no room */
	size_t failed;         /* calls that returned an error, and so have no status */
	size_t unfollowed;     /* calls with a pointer that no rule is for */
};

struct decode_summary {
	struct decode_total *totals; /* in the order of their first call; from xrealloc */
	size_t count, capacity;
	size_t slot_count, *slots;   /* open addressing: an index in @totals, and 1 */
	size_t left_out;             /* calls of ioctls beyond DECODE_SUMMARY_MAX */
};

/* decode_summary_add - @count calls like @call, which must outlive the summary if decode_summary_has() says no. */
void decode_summary_add(struct decode_summary *summary, const struct decode_call *call, size_t count);

/* decode_summary_add_pointers - notes whether @call, which was added, or stands for one that was, has pointers that no rule is for. */
void decode_summary_add_pointers(struct decode_summary *summary, const struct decode_call *call);

/* decode_summary_has - is there a total for calls of this ioctl and size already? */
bool decode_summary_has(const struct decode_summary *summary, const struct decode_call *call);

void decode_summary_release(struct decode_summary *summary);

#endif
