#include "extract/hashes.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { HASHES_FIRST_MASK = 63 };

/* Where @hash is, or where it would go. */
static uint64_t *slot_of(const struct hashes *set, uint64_t hash)
{
	size_t at = hash & set->mask;

	while (set->slot[at] && set->slot[at] != hash)
		at = (at + 1) & set->mask;
	return &set->slot[at];
}

static void grow(struct hashes *set)
{
	struct hashes bigger = { .mask = set->slot ? set->mask * 2 + 1 : HASHES_FIRST_MASK, .count = set->count };

	bigger.slot = xmalloc((bigger.mask + 1) * sizeof(*bigger.slot));
	memset(bigger.slot, 0, (bigger.mask + 1) * sizeof(*bigger.slot));
	for (size_t i = 0; set->slot && i <= set->mask; i++)
		if (set->slot[i])
			*slot_of(&bigger, set->slot[i]) = set->slot[i];
	free(set->slot);
	*set = bigger;
}

bool hashes_have(const struct hashes *set, uint64_t hash)
{
	return set->slot && *slot_of(set, hash);
}

bool hashes_add(struct hashes *set, uint64_t hash)
{
	uint64_t *slot;

	if (!set->slot || set->count * 2 > set->mask)
		grow(set);
	slot = slot_of(set, hash);
	if (*slot)
		return false;
	*slot = hash;
	set->count++;
	return true;
}

void hashes_release(struct hashes *set)
{
	free(set->slot);
	*set = (struct hashes){ 0 };
}
