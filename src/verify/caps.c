/*
 * verify/caps.c - which capability of the proxy exposes which entries
 *
 * 1. The capabilities are those that were asked for; else all of table_caps,
 *    and then all others that an entry lists.
 * 2. Each is counted: its entries, those that list no other capability, and
 *    those that it adds to the capabilities before it.
 * 3. Entries with the same list of capabilities form a set; entries without
 *    any are unreached.
 *
 * caps_compare() holds two views against each other, capability by capability.
 */
#include "verify/surface.h"

#include <stdlib.h>
#include <string.h>

bool caps_lists(const struct table_entry *entry, const char *cap)
{
	for (size_t i = 0; i < entry->cap_count; i++)
		if (!strcmp(entry->caps[i], cap))
			return true;
	return false;
}

static bool among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* table_caps, then what else the view's entries list. */
static size_t all_names(const char ***out, const struct table_view *view, struct arena *arena)
{
	size_t most = 0, known = 0, count;
	const char **names;

	while (table_caps[known])
		known++;
	for (size_t i = 0; i < view->entry_count; i++)
		most += view->entries[i]->cap_count;
	*out = names = arena_array(arena, known + most + 1, sizeof(*names));
	memcpy(names, table_caps, known * sizeof(*names));
	count = known;
	for (size_t i = 0; i < view->entry_count; i++)
		for (size_t c = 0; c < view->entries[i]->cap_count; c++)
			if (!among(names, count, view->entries[i]->caps[c]))
				names[count++] = view->entries[i]->caps[c];
	qsort(names + known, count - known, sizeof(*names), compare_strings);
	return count;
}

static void find_families(struct caps *caps, struct arena *arena)
{
	const struct table_view *view = caps->view;
	const char **families = arena_array(arena, view->entry_count + 1, sizeof(*families));

	for (size_t i = 0; i < view->entry_count; i++) /* entries are sorted by family */
		if (!caps->family_count || strcmp(families[caps->family_count - 1], view->entries[i]->family))
			families[caps->family_count++] = view->entries[i]->family;
	caps->families = families;
}

static bool lists_one_of(const struct table_entry *entry, const struct caps_one *caps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (caps_lists(entry, caps[i].name))
			return true;
	return false;
}

static void count_one(struct caps_one *one, const struct caps *caps, const struct caps_one *before, struct arena *arena)
{
	const struct table_view *view = caps->view;
	size_t *by_family = arena_array(arena, caps->family_count + 1, sizeof(*by_family));
	size_t family = 0;

	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		while (strcmp(caps->families[family], entry->family))
			family++;
		if (!caps_lists(entry, one->name))
			continue;
		one->entries++;
		by_family[family]++;
		one->own += entry->cap_count == 1;
		one->adds += !lists_one_of(entry, before, (size_t)(one - before));
	}
	one->by_family = by_family;
	one->is_known = false;
	for (const char *const *known = table_caps; *known; known++)
		one->is_known |= !strcmp(*known, one->name);
}

static bool same_caps(const struct table_entry *entry, const struct caps_set *set)
{
	if (entry->cap_count != set->cap_count)
		return false;
	for (size_t i = 0; i < set->cap_count; i++)
		if (strcmp(entry->caps[i], set->caps[i]))
			return false;
	return true;
}

static int compare_sets(const void *a, const void *b)
{
	const struct caps_set *x = a, *y = b;

	if (x->entry_count != y->entry_count)
		return x->entry_count > y->entry_count ? -1 : 1;
	for (size_t i = 0; i < x->cap_count && i < y->cap_count; i++)
		if (strcmp(x->caps[i], y->caps[i]))
			return strcmp(x->caps[i], y->caps[i]);
	return x->cap_count < y->cap_count ? -1 : x->cap_count > y->cap_count;
}

static const struct table_entry **entries_of_set(struct caps_set *set, const struct table_view *view, struct arena *arena)
{
	const struct table_entry **entries = arena_array(arena, view->entry_count + 1, sizeof(*entries));

	for (size_t i = 0; i < view->entry_count; i++)
		if (same_caps(view->entries[i], set))
			entries[set->entry_count++] = view->entries[i];
	return entries;
}

static void find_sets(struct caps *caps, struct arena *arena)
{
	const struct table_view *view = caps->view;
	struct caps_set *sets = arena_array(arena, view->entry_count + 1, sizeof(*sets));

	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];
		bool is_new = entry->cap_count && lists_one_of(entry, caps->caps, caps->cap_count);

		for (size_t s = 0; s < caps->set_count && is_new; s++)
			is_new = !same_caps(entry, &sets[s]);
		if (!is_new)
			continue;
		sets[caps->set_count] = (struct caps_set){ .caps = entry->caps, .cap_count = entry->cap_count };
		sets[caps->set_count].entries = entries_of_set(&sets[caps->set_count], view, arena);
		caps->reached += sets[caps->set_count++].entry_count;
	}
	qsort(sets, caps->set_count, sizeof(*sets), compare_sets);
	caps->sets = sets;
}

void caps_count(struct caps *out, const struct table_view *view, const struct profile_strings *wanted, struct arena *arena)
{
	struct caps caps = { .view = view };
	const struct table_entry **unreached = arena_array(arena, view->entry_count + 1, sizeof(*unreached));
	const char *const *names = wanted ? wanted->item : NULL;
	const char **every;
	struct caps_one *ones;

	caps.cap_count = wanted ? wanted->count : all_names(&every, view, arena);
	ones = arena_array(arena, caps.cap_count + 1, sizeof(*ones));
	caps.caps = ones;
	find_families(&caps, arena);
	for (size_t i = 0; i < caps.cap_count; i++) {
		ones[i].name = wanted ? names[i] : every[i];
		count_one(&ones[i], &caps, ones, arena);
	}
	find_sets(&caps, arena);
	for (size_t i = 0; i < view->entry_count; i++)
		if (!view->entries[i]->cap_count)
			unreached[caps.unreached_count++] = view->entries[i];
	caps.unreached = unreached;
	*out = caps;
}

static int entry_order(const struct table_entry *a, const struct table_entry *b)
{
	int order = strcmp(a->family, b->family);

	return order ? order : strcmp(a->name, b->name);
}

/* The entries of @view that list @cap and have no namesake in @other that does; both views are sorted. */
static const struct table_entry **only_in(size_t *count, const struct table_view *view, const struct table_view *other, const char *cap,
					  struct arena *arena)
{
	const struct table_entry **only = arena_array(arena, view->entry_count + 1, sizeof(*only));
	size_t at = 0;

	*count = 0;
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		while (at < other->entry_count && entry_order(other->entries[at], entry) < 0)
			at++;
		if (caps_lists(entry, cap) &&
		    !(at < other->entry_count && !entry_order(other->entries[at], entry) && caps_lists(other->entries[at], cap)))
			only[(*count)++] = entry;
	}
	return only;
}

void caps_compare(struct caps_since *out, const struct caps *next, const struct table_view *base, struct arena *arena)
{
	struct caps_change *changes = arena_array(arena, next->cap_count + 1, sizeof(*changes));

	for (size_t i = 0; i < next->cap_count; i++) {
		struct caps_change *change = &changes[i];

		change->name = next->caps[i].name;
		change->gained = only_in(&change->gained_count, next->view, base, change->name, arena);
		change->lost = only_in(&change->lost_count, base, next->view, change->name, arena);
	}
	*out = (struct caps_since){ .base = base, .changes = changes, .change_count = next->cap_count };
}
