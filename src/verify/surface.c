/*
 * verify/surface.c - count the entries that each capability of a proxy exposes, and make a row for each ioctl
 *
 * Capabilities:
 *
 * 1. The list has the requested capabilities; by default, those of table_caps, and then all others that
 *    entries list.
 * 2. For each capability, three numbers of entries are counted: all that list it, those that list no other
 *    capability, and those that list no capability that is before it in the list.
 * 3. Entries with the same capabilities form a set. Entries without capabilities are unreached.
 *
 * caps_compare() lists the entries that each capability gained and lost between two views.
 *
 * Rows:
 *
 * 1. Each ioctl of the document becomes a row. If an entry has the same family and number, it is added to the
 *    row.
 * 2. Each entry without an ioctl in the document becomes a separate row.
 * 3. Rows that the filter rejects are removed. The rest is sorted and counted. If the filter has roles, the
 *    parameters of each row are flattened to find fields with these roles.
 */
#include "verify/internal.h"
#include "flatten/flatten.h"

#include <fnmatch.h>

bool caps_lists(const struct table_entry *entry, const char *cap)
{
	return texts_have(entry->caps, entry->cap_count, cap);
}

bool caps_is_known(const char *cap)
{
	for (const char *const *known = table_caps; *known; known++)
		if (!strcmp(cap, *known))
			return true;
	return false;
}

bool caps_same(const char *const *a, size_t a_count, const char *const *b, size_t b_count)
{
	if (a_count != b_count)
		return false;
	for (size_t i = 0; i < a_count; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return true;
}

/* Sets *@out to all of table_caps, and then the entries' other capabilities, sorted. Return: their number. */
static size_t all_caps(const char ***out, const struct table_entry *const *entries, size_t entry_count,
		       struct arena *arena)
{
	size_t most = 0, known = 0, count;
	const char **names;

	while (table_caps[known])
		known++;
	for (size_t i = 0; i < entry_count; i++)
		most += entries[i]->cap_count;
	*out = names = arena_array(arena, known + most + 1, sizeof(*names));
	memcpy(names, table_caps, known * sizeof(*names));
	count = known;
	for (size_t i = 0; i < entry_count; i++)
		for (size_t c = 0; c < entries[i]->cap_count; c++)
			if (!texts_have(names, count, entries[i]->caps[c]))
				names[count++] = entries[i]->caps[c];
	sort_items(names + known, count - known, sizeof(*names), order_named);
	return count;
}

static bool lists_one_of(const struct table_entry *entry, const struct caps_one *caps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (caps_lists(entry, caps[i].name))
			return true;
	return false;
}

/*
 * Sets all members of @one but its name, from the entries that list this capability. @before: the array that
 * has @one; an entry that lists a capability before @one does not count for @one->adds
 */
static void count_cap(struct caps_one *one, const struct caps *caps, const struct caps_one *before,
		      struct arena *arena)
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
	one->is_known = caps_is_known(one->name);
}

static bool is_of_set(const struct table_entry *entry, const struct caps_set *set)
{
	return caps_same(entry->caps, entry->cap_count, set->caps, set->cap_count);
}

/* Orders sets for the report: the set with the most entries first, then by capabilities. */
static int compare_sets(const void *a, const void *b)
{
	const struct caps_set *x = a, *y = b;

	int order = compare_numbers(y->entry_count, x->entry_count);

	for (size_t i = 0; !order && i < x->cap_count && i < y->cap_count; i++)
		order = strcmp(x->caps[i], y->caps[i]);
	return order ?: compare_numbers(x->cap_count, y->cap_count);
}

/*
 * Sets caps->sets to the distinct sets of capabilities of entries that list at least one of caps->caps, with
 * their entries, the largest set first. Sets caps->reached to the number of these entries.
 */
static void find_sets(struct caps *caps, struct arena *arena)
{
	const struct table_view *view = caps->view;
	struct caps_set *sets = arena_array(arena, view->entry_count + 1, sizeof(*sets));

	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i], **members;
		bool is_new = entry->cap_count && lists_one_of(entry, caps->caps, caps->cap_count);
		struct caps_set *set = &sets[caps->set_count];

		for (size_t s = 0; s < caps->set_count && is_new; s++)
			is_new = !is_of_set(entry, &sets[s]);
		if (!is_new)
			continue;
		members = arena_array(arena, view->entry_count + 1, sizeof(*members));
		*set = (struct caps_set){
			.caps = entry->caps, .cap_count = entry->cap_count, .entries = members
		};
		for (size_t e = 0; e < view->entry_count; e++)
			if (is_of_set(view->entries[e], set))
				members[set->entry_count++] = view->entries[e];
		caps->reached += set->entry_count;
		caps->set_count++;
	}
	sort_items(sets, caps->set_count, sizeof(*sets), compare_sets);
	caps->sets = sets;
}

void caps_count(struct caps *out, const struct table_view *view, const struct profile_strings *wanted,
		struct arena *arena)
{
	const struct table_entry **unreached = arena_array(arena, view->entry_count + 1, sizeof(*unreached));
	const char **families = arena_array(arena, view->entry_count + 1, sizeof(*families)), **every;
	struct caps caps = { .view = view, .families = families, .unreached = unreached };
	struct caps_one *ones;

	caps.cap_count = wanted ? wanted->count : all_caps(&every, view->entries, view->entry_count, arena);
	caps.caps = ones = arena_array(arena, caps.cap_count + 1, sizeof(*ones));
	for (size_t i = 0; i < view->entry_count; i++) { /* entries are sorted by family */
		const struct table_entry *entry = view->entries[i];

		if (!caps.family_count || strcmp(families[caps.family_count - 1], entry->family))
			families[caps.family_count++] = entry->family;
		if (!entry->cap_count)
			unreached[caps.unreached_count++] = entry;
	}
	for (size_t i = 0; i < caps.cap_count; i++) {
		ones[i].name = wanted ? wanted->item[i] : every[i];
		count_cap(&ones[i], &caps, ones, arena);
	}
	find_sets(&caps, arena);
	*out = caps;
}

/*
 * Lists the entries of @view that list @cap, unless the entry with the same name in @other lists it, too.
 * Both views are sorted.
 */
static const struct table_entry **entries_only_in(size_t *count, const struct table_view *view,
						  const struct table_view *other, const char *cap,
						  struct arena *arena)
{
	const struct table_entry **only = arena_array(arena, view->entry_count + 1, sizeof(*only));
	size_t at = 0;

	*count = 0;
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		while (at < other->entry_count && table_entry_order(other->entries[at], entry) < 0)
			at++;
		if (caps_lists(entry, cap) &&
		    !(at < other->entry_count && !table_entry_order(other->entries[at], entry) &&
		      caps_lists(other->entries[at], cap)))
			only[(*count)++] = entry;
	}
	return only;
}

void caps_compare(struct caps_since *out, const struct caps *next, const struct table_view *base,
		  struct arena *arena)
{
	struct caps_change *changes = arena_array(arena, next->cap_count + 1, sizeof(*changes));

	for (size_t i = 0; i < next->cap_count; i++) {
		struct caps_change *change = &changes[i];

		change->name = next->caps[i].name;
		change->gained =
			entries_only_in(&change->gained_count, next->view, base, change->name, arena);
		change->lost = entries_only_in(&change->lost_count, base, next->view, change->name, arena);
	}
	*out = (struct caps_since){ .base = base, .changes = changes, .change_count = next->cap_count };
}

enum { COVER_MAX = 20 }; /* each additional capability doubles the time of the search for the smallest set */

/* Checks whether a set has a capability of each entry that lists any. @entries: the set of each entry */
static bool set_covers(uint32_t set, const uint32_t *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (entries[i] && !(entries[i] & set))
			return false;
	return true;
}

static bool any_lists(const struct table_entry *const *entries, size_t count, const char *cap)
{
	for (size_t i = 0; i < count; i++)
		if (caps_lists(entries[i], cap))
			return true;
	return false;
}

void caps_cover(const char *const **out, const struct table_entry *const *entries, size_t count,
		struct arena *arena)
{
	const char **list, **names;
	const size_t all = all_caps(&names, entries, count, arena);
	uint32_t *sets = arena_array(arena, count + 1, sizeof(*sets)), best;
	size_t used, listed = 0, more = 0; /* capabilities: tried in all sets, in the result, after those */

	for (size_t c = 0; c < all; c++)
		if (any_lists(entries, count, names[c]))
			names[more++] = names[c];
	used = more < COVER_MAX ? more : COVER_MAX;
	more -= used;
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < used; c++)
			if (caps_lists(entries[i], names[c]))
				sets[i] |= UINT32_C(1) << (used - 1 - c);
	/* The first capability is the highest bit, so of sets of the same size, the greatest comes first. */
	best = (UINT32_C(1) << used) - 1;
	for (uint32_t set = best + 1; set-- > 0;)
		if (__builtin_popcount(set) < __builtin_popcount(best) && set_covers(set, sets, count))
			best = set;
	*out = list = arena_array(arena, used + more + 1, sizeof(*list));
	for (size_t c = 0; c < used; c++)
		if (best & UINT32_C(1) << (used - 1 - c))
			list[listed++] = names[c];
	for (size_t c = used; c < used + more; c++) {
		bool is_needed = false; /* an entry lists it, and none of the capabilities before it */

		for (size_t i = 0; i < count; i++) {
			if (sets[i] || !caps_lists(entries[i], names[c]))
				continue;
			is_needed = true;
			sets[i] = best; /* covered */
		}
		if (is_needed)
			list[listed++] = names[c];
	}
}

/* --- rows ------------------------------------------------------------------------- */

static const char *family_of_row(const struct surface_row *row)
{
	return row->ioctl ? row->ioctl->family : row->entry->family;
}

static const char *row_name(const struct surface_row *row)
{
	return row->ioctl ? row->ioctl->name : row->entry->name;
}

static bool has_cap(const struct table_entry *entry, const struct profile_strings *caps)
{
	for (size_t c = 0; entry && c < caps->count; c++)
		if (caps_lists(entry, caps->item[c]))
			return true;
	return false;
}

/* Checks all of the filter except the roles, which add_surface_row() checks. */
static bool matches_filter(const struct surface_row *row, const struct surface_filter *filter)
{
	return (!filter->family || !fnmatch(filter->family, family_of_row(row), 0)) &&
	       (!filter->name || !fnmatch(filter->name, row_name(row), 0)) &&
	       (!filter->flag || abi_ioctl_has_flag(row->ioctl, filter->flag)) &&
	       (!filter->not_forwarded || (!row->entry && !row->passed_as)) &&
	       (!filter->caps || has_cap(row->entry, filter->caps));
}

/* Finds the first entry with the family and number of an ioctl; NULL if there is none, or no table. */
static const struct table_entry *entry_of(const struct table_view *view, const struct abi_ioctl *ioctl)
{
	for (size_t i = 0; view && i < view->entry_count; i++)
		if (view->entries[i]->number == ioctl->number &&
		    !strcmp(view->entries[i]->family, ioctl->family))
			return view->entries[i];
	return NULL;
}

/* For qsort(): orders rows by family, number and name of the ioctl, or of the entry if there is no ioctl. */
static int compare_rows(const void *a, const void *b)
{
	const struct surface_row *x = a, *y = b;
	uint64_t x_number = x->ioctl ? x->ioctl->number : x->entry->number,
		 y_number = y->ioctl ? y->ioctl->number : y->entry->number;

	return strcmp(family_of_row(x), family_of_row(y)) ?: compare_numbers(x_number, y_number)
		?: strcmp(row_name(x), row_name(y));
}

/* Adds the row, with fields of the filter's roles, if the filter selects it. Return: as flatten_record(). */
static int add_surface_row(struct surface *surface, struct surface_row *rows, struct surface_row row,
			   const struct surface_filter *filter, struct arena *arena, struct err *err)
{
	const char *params = row.ioctl ? row.ioctl->params : NULL;
	struct abi_layout layout, selected;
	int rc;

	if (!matches_filter(&row, filter))
		return 0;
	if (filter->roles && params && abi_find_record(surface->abi, params)) {
		if ((rc = flatten_record(&layout, surface->abi, params, arena, err)))
			return rc;
		flatten_select(&selected, &layout, filter->roles, arena);
		row.fields = selected.scalar;
		row.field_count = selected.scalar_count;
	}
	if (filter->roles && !row.field_count &&
	    !(filter->roles & 1u << ABI_ROLE_FD && abi_ioctl_has_flag(row.ioctl, ABI_FLAG_RETURNS_FD)))
		return 0;
	rows[surface->row_count++] = row;
	surface->forwarded += row.ioctl && row.entry;
	surface->unknown += !row.ioctl;
	surface->passed += row.passed_as != NULL;
	return 0;
}

int surface_select(struct surface *out, const struct abi *abi, const struct table_view *view,
		   const struct surface_filter *filter, struct arena *arena, struct err *err)
{
	const size_t entry_count = view ? view->entry_count : 0;
	struct surface surface = { .abi = abi, .view = view, .roles = filter->roles,
				   .not_forwarded = filter->not_forwarded };
	struct surface_row *rows = arena_array(arena, abi->ioctl_count + entry_count + 1, sizeof(*rows));
	int rc = 0;

	for (size_t i = 0; !rc && i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		struct surface_row row = { .ioctl = ioctl,
					   .params = ioctl->params ? ioctl->params : ioctl->argument };

		if (!(row.entry = entry_of(view, ioctl)) && view)
			row.passed_as = table_passes(view->table, ioctl->family, ioctl->number);
		/* An array of scalars has no name in the document, but the ioctl number contains its size. */
		if (ioctl->params)
			row.params_bytes = driver_bytes(abi, ioctl->params);
		else if (ioctl->argument && !(ioctl->varies & 1u << ABI_IOC_SIZE))
			row.params_bytes = abi_ioc_get(ioctl->number, ABI_IOC_SIZE);
		rc = add_surface_row(&surface, rows, row, filter, arena, err);
	}
	for (size_t i = 0; !rc && i < entry_count; i++) {
		const struct table_entry *entry = view->entries[i];
		size_t count;

		if (!abi_ioctls_numbered(&count, abi, entry->family, entry->number))
			rc = add_surface_row(&surface, rows, (struct surface_row){ .entry = entry }, filter,
					     arena, err);
	}
	if (rc)
		return rc;
	sort_items(rows, surface.row_count, sizeof(*rows), compare_rows);
	surface.rows = rows;
	*out = surface;
	return 0;
}
