#include "decode/decode.h"
#include "decode/follow.h"

#include <stdlib.h>
#include <string.h>

static const struct decode_ioctl *last_of(const struct decode_call *call)
{
	return &call->ioctls[call->count - 1];
}

/* A log may go from one version of the driver to another. */
static bool same_ioctl(const struct decode_ioctl *a, const struct decode_ioctl *b)
{
	return a->abi == b->abi && a->is_asked == b->is_asked && a->number == b->number && a->within == b->within && a->has_size == b->has_size && a->size_bytes == b->size_bytes && !strcmp(a->family, b->family);
}

static uint64_t hash_of(const struct decode_ioctl *ioctl)
{
	const uint64_t hash = (ioctl->number * UINT64_C(0x9e3779b97f4a7c15)) ^
			      ((ioctl->size_bytes * 31 + (unsigned char)ioctl->family[0]) * UINT64_C(0xff51afd7ed558ccd));

	return hash ^ hash >> 32;
}

static size_t *slot_of(const struct decode_summary *summary, const struct decode_ioctl *ioctl)
{
	size_t at = (size_t)hash_of(ioctl) & (summary->slot_count - 1);

	while (summary->slots[at] && !same_ioctl(last_of(summary->totals[summary->slots[at] - 1].call), ioctl))
		at = (at + 1) & (summary->slot_count - 1);
	return &summary->slots[at];
}

/* At most half of the slots are in use. */
static void grow(struct decode_summary *summary)
{
	if (summary->slot_count > 2 * summary->count)
		return;
	free(summary->slots);
	summary->slot_count = summary->slot_count ? 2 * summary->slot_count : 256;
	summary->slots = xmalloc(summary->slot_count * sizeof(*summary->slots));
	memset(summary->slots, 0, summary->slot_count * sizeof(*summary->slots));
	for (size_t i = 0; i < summary->count; i++)
		*slot_of(summary, last_of(summary->totals[i].call)) = i + 1;
}

static struct decode_total *find_total(const struct decode_summary *summary, const struct decode_call *call)
{
	const size_t *slot = summary->slot_count ? slot_of(summary, last_of(call)) : NULL;

	return slot && *slot ? &summary->totals[*slot - 1] : NULL;
}

static void count_status(struct decode_total *total, const struct decode_call *call, size_t count)
{
	if (call->has_ret && call->ret < 0)
		total->failed += count;
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
		grow(summary);
		ARRAY_GROW(summary->totals, summary->count, summary->capacity);
		total = &summary->totals[summary->count++];
		*total = (struct decode_total){ .call = call };
		*slot_of(summary, last_of(call)) = summary->count;
	}
	total->count += count;
	count_status(total, call, count);
}

void decode_summary_add_pointers(struct decode_summary *summary, const struct decode_call *call)
{
	struct decode_total *total = find_total(summary, call);
	bool found = false;

	for (size_t i = 0; i < call->count && !found; i++)
		found = decode_has_unfollowed(&call->ioctls[i]);
	if (total)
		total->unfollowed += found;
}

void decode_summary_release(struct decode_summary *summary)
{
	free(summary->totals);
	free(summary->slots);
	*summary = (struct decode_summary){ .count = 0 };
}
