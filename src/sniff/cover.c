#include "sniff/cover.h"

#include <string.h>

enum { CAPS_MAX = 20 }; /* each doubles the time */

/* The capabilities that there are, and for each entry those that it lists, as bits. */
struct cover {
	const char *caps[CAPS_MAX];
	size_t cap_count;
	uint32_t *wanted;
	size_t wanted_count;
};

static size_t index_of(const struct cover *cover, const char *cap)
{
	size_t i = 0;

	while (i < cover->cap_count && strcmp(cover->caps[i], cap))
		i++;
	return i;
}

static bool is_listed(const char *cap, const struct table_entry *const *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < entries[i]->cap_count; c++)
			if (!strcmp(entries[i]->caps[c], cap))
				return true;
	return false;
}

static void add(struct cover *cover, const char *cap)
{
	if (cover->cap_count < CAPS_MAX && index_of(cover, cap) == cover->cap_count)
		cover->caps[cover->cap_count++] = cap;
}

/* Those of table_caps first, then others by name: entries list theirs sorted, the least unknown one is next. */
static void collect_caps(struct cover *cover, const struct table_entry *const *entries, size_t count)
{
	for (const char *const *cap = table_caps; *cap; cap++)
		if (is_listed(*cap, entries, count))
			add(cover, *cap);
	for (;;) {
		const char *least = NULL;

		for (size_t i = 0; i < count; i++)
			for (size_t c = 0; c < entries[i]->cap_count; c++) {
				const char *cap = entries[i]->caps[c];

				if (index_of(cover, cap) == cover->cap_count && (!least || strcmp(cap, least) < 0))
					least = cap;
			}
		if (!least || cover->cap_count == CAPS_MAX)
			return;
		add(cover, least);
	}
}

/* Entries that list the same capabilities are one. */
static void collect_wanted(struct cover *cover, const struct table_entry *const *entries, size_t count, struct arena *arena)
{
	cover->wanted = arena_array(arena, count + 1, sizeof(*cover->wanted));
	for (size_t i = 0; i < count; i++) {
		uint32_t bits = 0;
		size_t at = 0;

		for (size_t c = 0; c < entries[i]->cap_count; c++) {
			const size_t index = index_of(cover, entries[i]->caps[c]);

			bits |= index < cover->cap_count ? UINT32_C(1) << index : 0;
		}
		while (at < cover->wanted_count && cover->wanted[at] != bits)
			at++;
		if (bits && at == cover->wanted_count)
			cover->wanted[cover->wanted_count++] = bits;
	}
}

static bool covers(const struct cover *cover, uint32_t set)
{
	for (size_t i = 0; i < cover->wanted_count; i++)
		if (!(cover->wanted[i] & set))
			return false;
	return true;
}

/* A set is a number: the first capability is its highest bit here, so that of sets of one size the greatest comes first. */
static uint32_t order_of(const struct cover *cover, uint32_t set)
{
	uint32_t order = 0;

	for (size_t i = 0; i < cover->cap_count; i++)
		if (set >> i & 1)
			order |= UINT32_C(1) << (CAPS_MAX - 1 - i);
	return order;
}

static uint32_t smallest(const struct cover *cover)
{
	uint32_t best = (UINT32_C(1) << cover->cap_count) - 1;

	for (uint32_t set = 0; set < UINT32_C(1) << cover->cap_count; set++) {
		const int size = __builtin_popcount(set), best_size = __builtin_popcount(best);

		if (size > best_size || (size == best_size && order_of(cover, set) <= order_of(cover, best)))
			continue;
		if (covers(cover, set))
			best = set;
	}
	return best;
}

void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count, struct arena *arena)
{
	struct cover cover = { .cap_count = 0 };
	const char **list = arena_array(arena, CAPS_MAX + 1, sizeof(*list));
	size_t listed = 0;
	uint32_t set;

	collect_caps(&cover, entries, count);
	collect_wanted(&cover, entries, count, arena);
	set = smallest(&cover);
	for (size_t i = 0; i < cover.cap_count; i++)
		if (set >> i & 1)
			list[listed++] = cover.caps[i];
	*out = list;
}
