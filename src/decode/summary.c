#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

static const struct decode_ioctl *last_of(const struct decode_call *call)
{
	return &call->ioctls[call->count - 1];
}

/* Newest first: a log repeats what it has just said. */
static struct decode_total *find_total(const struct decode_summary *summary, const struct decode_call *call)
{
	const struct decode_ioctl *wanted = last_of(call);

	for (size_t i = summary->count; i-- > 0;) {
		const struct decode_ioctl *at = last_of(summary->totals[i].call);

		if (at->number == wanted->number && !strcmp(at->family, wanted->family) && at->has_size == wanted->has_size &&
		    at->size_bytes == wanted->size_bytes)
			return &summary->totals[i];
	}
	return NULL;
}

static void count_status(struct decode_total *total, const struct decode_call *call, size_t count)
{
	if (!call->has_status)
		return;
	for (size_t i = 0; i < total->status_count; i++)
		if (total->statuses[i].status == call->status) {
			total->statuses[i].count += count;
			return;
		}
	if (total->status_count == DECODE_STATUS_MAX)
		total->other_statuses += count;
	else
		total->statuses[total->status_count++] = (struct decode_status_count){ call->status, call->status_name, count };
}

bool decode_summary_has(const struct decode_summary *summary, const struct decode_call *call)
{
	return find_total(summary, call);
}

void decode_summary_add(struct decode_summary *summary, const struct decode_call *call, size_t count)
{
	struct decode_total *total = find_total(summary, call);

	if (!total && summary->count == DECODE_SUMMARY_MAX) {
		summary->left_out += count;
		return;
	}
	if (!total) {
		ARRAY_GROW(summary->totals, summary->count, summary->capacity);
		total = &summary->totals[summary->count++];
		*total = (struct decode_total){ .call = call };
	}
	total->count += count;
	count_status(total, call, count);
}

void decode_summary_release(struct decode_summary *summary)
{
	free(summary->totals);
	*summary = (struct decode_summary){ .count = 0 };
}
