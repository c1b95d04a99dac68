#include "decode/seen.h"

#include "decode/decode.h"
#include "decode/follow.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

enum { FAMILY_MAX = 16 };

/* All bytes of it count: it is zeroed first. */
struct key {
	uint64_t number;
	char family[FAMILY_MAX];
};

struct entry {
	struct key key;
	struct decode_seen_ioctl ioctl; /* its family is the key's */
	UT_hash_handle hh;
};

struct decode_seen {
	struct entry *entries;
	size_t left_out;
};

struct decode_seen *decode_seen_new(void)
{
	struct decode_seen *seen = xmalloc(sizeof(*seen));

	*seen = (struct decode_seen){ .entries = NULL };
	return seen;
}

void decode_seen_free(struct decode_seen *seen)
{
	struct entry *entry, *next;

	if (!seen)
		return;
	HASH_ITER(hh, seen->entries, entry, next) {
		HASH_DELETE(hh, seen->entries, entry);
		free(entry);
	}
	free(seen);
}

static struct entry *entry_of(struct decode_seen *seen, const char *family, uint64_t number)
{
	struct entry *entry;
	struct key key;

	memset(&key, 0, sizeof(key));
	key.number = number;
	memcpy(key.family, family, strnlen(family, FAMILY_MAX - 1));
	HASH_FIND(hh, seen->entries, &key, sizeof(key), entry);
	if (entry || HASH_COUNT(seen->entries) >= DECODE_SEEN_MAX)
		return entry;
	entry = xmalloc(sizeof(*entry));
	memset(entry, 0, sizeof(*entry));
	entry->key = key;
	entry->ioctl.family = entry->key.family;
	entry->ioctl.number = number;
	HASH_ADD(hh, seen->entries, key, sizeof(entry->key), entry);
	return entry;
}

static void add(struct decode_seen *seen, const char *family, uint64_t number, bool is_opaque, bool is_unfollowed)
{
	struct entry *entry = entry_of(seen, family, number);

	if (!entry) {
		seen->left_out++;
		return;
	}
	entry->ioctl.count++;
	entry->ioctl.opaque_count += is_opaque;
	entry->ioctl.unfollowed_count += is_unfollowed;
}

/* An envelope that nothing was found in. */
static bool is_opaque(const struct decode_ioctl *ioctl, bool is_last)
{
	const struct abi_ioctl *found = is_last && ioctl->abi && ioctl->record ? call_find(ioctl->abi, ioctl->family, ioctl->number) : NULL;

	return found && call_rule_of(found, ioctl->record);
}

void decode_seen_add(struct decode_seen *seen, const struct decode_call *call)
{
	for (size_t i = 0; i < call->count; i++)
		add(seen, call->ioctls[i].family, call->ioctls[i].number, is_opaque(&call->ioctls[i], i + 1 == call->count),
		    decode_has_unfollowed(&call->ioctls[i]));
}

void decode_seen_add_chain(struct decode_seen *seen, const struct call *chain, size_t count, const struct decode_scope *scope)
{
	for (size_t i = 0; i < count; i++) {
		const bool is_last = i + 1 == count;

		add(seen, chain[i].family, chain[i].number,
		    is_last && chain[i].ioctl && chain[i].record && call_rule_of(chain[i].ioctl, chain[i].record), decode_follow_lacks_rule(chain, i, scope));
	}
}

static int by_number(const void *a, const void *b)
{
	const struct decode_seen_ioctl *x = a, *y = b;
	const int order = strcmp(x->family, y->family);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

struct decode_seen_ioctl *decode_seen_list(size_t *count, const struct decode_seen *seen)
{
	struct decode_seen_ioctl *list = xmalloc((HASH_COUNT(seen->entries) + 1) * sizeof(*list));
	struct entry *entry, *next;
	size_t n = 0;

	HASH_ITER(hh, seen->entries, entry, next)
		list[n++] = entry->ioctl;
	if (n)
		qsort(list, n, sizeof(*list), by_number);
	*count = n;
	return list;
}

size_t decode_seen_left_out(const struct decode_seen *seen)
{
	return seen->left_out;
}
