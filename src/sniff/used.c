/*
 * Counts the distinct ioctls of a workload, and finds whether a proxy supports them, and which capabilities
 * they need. Also finds the version of the driver.
 */
#include "sniff/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 64 * 1024 };

bool driver_version_find(const char **out, const char *text, struct arena *arena)
{
	const char *at = text;

	while (*at && *at != '\n') {
		const size_t blank = strspn(at, " \t"), length = strcspn(at + blank, " \t\n"),
			     digits = strspn(at + blank, "0123456789.");

		at += blank;
		if (digits && digits == length && memchr(at, '.', length) && *at != '.') {
			*out = arena_strndup(arena, at, length);
			return true;
		}
		at += length;
	}
	return false;
}

int driver_version_read(const char **out, struct arena *arena, struct err *err)
{
	struct strbuf text = { 0 };
	int rc = file_read(&text, DRIVER_VERSION_FILE, FILE_BYTES, err);

	if (rc)
		rc = err_set(err, ERR_NOT_FOUND,
			     "the driver's version is unknown: there is no %s; give the version with "
			     "--version",
			     DRIVER_VERSION_FILE);
	else if (!driver_version_find(out, strbuf_text(&text), arena))
		rc = err_set(err, ERR_FORMAT, "%s does not name a version; give the version with --version",
			     DRIVER_VERSION_FILE);
	strbuf_release(&text);
	return rc;
}

enum { CAPS_MAX = 20 }; /* each additional capability doubles the time of smallest_cover() */

/*
 * All capabilities, and the distinct sets that the entries list. The first capability is the highest bit of a
 * set, so that of two sets of the same size, the one with the greater number is preferred.
 */
struct cover {
	const char *caps[CAPS_MAX];
	size_t cap_count;
	uint32_t *wanted;
	size_t wanted_count;
};

/* Returns the bit of a capability; 0 if it is not in caps. */
static uint32_t bit_of(const struct cover *cover, const char *cap)
{
	for (size_t i = 0; i < cover->cap_count; i++)
		if (!strcmp(cover->caps[i], cap))
			return UINT32_C(1) << (CAPS_MAX - 1 - i);
	return 0;
}

static bool exposes_entry(const char *cap, const struct table_entry *const *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (texts_have(entries[i]->caps, entries[i]->cap_count, cap))
			return true;
	return false;
}

/* Collects the capabilities of table_caps first, then all others, sorted by name. */
static void collect_caps(struct cover *cover, const struct table_entry *const *entries, size_t count)
{
	for (const char *const *cap = table_caps; *cap; cap++)
		if (cover->cap_count < CAPS_MAX && exposes_entry(*cap, entries, count))
			cover->caps[cover->cap_count++] = *cap;
	while (cover->cap_count < CAPS_MAX) {
		const char *least = NULL;

		for (size_t i = 0; i < count; i++)
			for (size_t c = 0; c < entries[i]->cap_count; c++) {
				const char *cap = entries[i]->caps[c];

				if (!bit_of(cover, cap) && (!least || strcmp(cap, least) < 0))
					least = cap;
			}
		if (!least)
			return;
		cover->caps[cover->cap_count++] = least;
	}
}

static bool set_covers(const struct cover *cover, uint32_t set)
{
	for (size_t i = 0; i < cover->wanted_count; i++)
		if (!(cover->wanted[i] & set))
			return false;
	return true;
}

/* Tries all sets of the capabilities, the greatest number first. */
static uint32_t smallest_cover(const struct cover *cover)
{
	const uint32_t step = UINT32_C(1) << (CAPS_MAX - cover->cap_count);
	const uint32_t all = (UINT32_C(1) << CAPS_MAX) - step;
	uint32_t best = all;

	for (uint32_t set = all; set; set -= step)
		if (__builtin_popcount(set) < __builtin_popcount(best) && set_covers(cover, set))
			best = set;
	return cover->wanted_count ? best : 0;
}

void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count,
		 struct arena *arena)
{
	struct cover cover = { .cap_count = 0 };
	const char **list = arena_array(arena, CAPS_MAX + 1, sizeof(*list));
	size_t listed = 0;
	uint32_t set;

	collect_caps(&cover, entries, count);
	cover.wanted = arena_array(arena, count + 1, sizeof(*cover.wanted));
	for (size_t i = 0; i < count; i++) {
		uint32_t bits = 0;
		size_t at = 0;

		for (size_t c = 0; c < entries[i]->cap_count; c++)
			bits |= bit_of(&cover, entries[i]->caps[c]);
		while (at < cover.wanted_count && cover.wanted[at] != bits)
			at++;
		if (bits && at == cover.wanted_count)
			cover.wanted[cover.wanted_count++] = bits;
	}
	set = smallest_cover(&cover);
	for (size_t i = 0; i < cover.cap_count; i++)
		if (set & bit_of(&cover, cover.caps[i]))
			list[listed++] = cover.caps[i];
	*out = list;
}

static bool is_status(const struct sniff_used *used, const struct abi *abi, const char *name)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return used->has_status && constant && constant->value.magnitude == used->status;
}

/*
 * Says what the proxy would do with an ioctl that the workload made. Calls that the proxy does not forward
 * are judged as gVisor's Ioctl.IsSupported() (tools/ioctl_sniffer) does.
 */
static enum sniff_support support_of(const struct sniff_used *used, const struct sniff_judge *judge)
{
	struct forwarded forwarded;

	if (!judge->table)
		return SNIFF_FORWARDED;
	forwarded_find(&forwarded, judge->table, judge->node, used->family, used->number);
	if (forwarded.passed_as)
		return SNIFF_PASSED;
	if (forwarded.use != FORWARDED_NONE)
		return SNIFF_FORWARDED;
	if (strstr(judge->table->proxy, "nvproxy") &&
	    ((!strcmp(used->family, "control") && is_status(used, judge->abi, "NV_ERR_NOT_SUPPORTED")) ||
	     (!strcmp(used->family, "alloc") && is_status(used, judge->abi, "NV_ERR_INVALID_CLASS"))))
		return SNIFF_REFUSED;
	return SNIFF_LACKING;
}

/*
 * Reads the driver's status from the outermost record that has a status field: the record of
 * NV_ESC_IOCTL_XFER_CMD has no such field. If ioctl() failed, the field still has the caller's bytes.
 */
static void read_status(struct sniff_used *used, struct sniff_use *use, const struct trace_message *message,
			const struct call *chain, size_t count,
			const struct abi *abi)
{
	for (size_t i = 0; i < count && message->ret >= 0; i++) {
		const struct trace_bytes *after;

		if (use->status_of != chain[i].record) {
			use->status_of = chain[i].record;
			use->has_status = status_field(&use->status, abi, chain[i].record);
		}
		if (!use->has_status)
			continue;
		after = message_after(message, i, chain[i].address);
		used->has_status = after &&
				   call_field_read(&used->status, &use->status, after->bytes, after->bytes ?
						   after->size_bytes : 0);
		return;
	}
}

const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message,
				       const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge)
{
	const struct call *last = chain_count ? &chain[chain_count - 1] : NULL;
	struct sniff_used used, *found;

	if (!last) {
		if (!use->unidentified++)
			snprintf(use->unidentified_path, sizeof(use->unidentified_path), "%s",
				 message->fd_path);
		return NULL;
	}
	memset(&used, 0, sizeof(used)); /* padding is part of the key */
	snprintf(used.family, sizeof(used.family), "%s", last->family);
	used.number = last->number;
	used.has_size = last->has_size || last->bytes;
	used.size_bytes = last->size_bytes;
	used.error = message->error;
	read_status(&used, use, message, chain, chain_count, judge->abi);
	HASH_FIND(hh, use->used, &used, offsetof(struct sniff_used, ret), found);
	if (!found) {
		used.ret = message->ret;
		used.support = support_of(&used, judge);
		found = xmalloc(sizeof(*found));
		memcpy(found, &used, sizeof(used));
		HASH_ADD(hh, use->used, family, offsetof(struct sniff_used, ret), found);
	}
	found->count++;
	decode_callers_add(&found->callers, message->caller);
	return found;
}

void sniff_use_release(struct sniff_use *use)
{
	struct sniff_used *used, *next;

	HASH_ITER(hh, use->used, used, next) {
		HASH_DEL(use->used, used);
		strbuf_release(&used->callers);
		free(used);
	}
	*use = (struct sniff_use){ .used = NULL };
}
