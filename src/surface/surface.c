/*
 * surface/surface.c - a row for each ioctl, joined with the proxy's entries
 *
 * 1. The view's entries are sorted by family and number.
 * 2. Each ioctl of the document becomes a row, with the entry of its family
 *    and number if there is one.
 * 3. Each entry that no ioctl of the document has becomes a row of its own.
 * 4. Rows that the filter rejects are dropped; the rest are sorted and counted.
 */
#include "surface/surface.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int compare_entries(const void *a, const void *b)
{
	const struct table_entry *x = *(const struct table_entry *const *)a, *y = *(const struct table_entry *const *)b;
	int order = strcmp(x->family, y->family);

	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* The entries of a view by family and number. */
static const struct table_entry **sorted_entries(const struct table_view *view, struct arena *arena)
{
	const struct table_entry **entries;

	if (!view)
		return NULL;
	entries = arena_memdup(arena, view->entries, view->entry_count * sizeof(*entries));
	qsort(entries, view->entry_count, sizeof(*entries), compare_entries);
	return entries;
}

static const struct table_entry *entry_of(const struct table_entry **entries, const struct table_view *view,
					  const struct abi_ioctl *ioctl)
{
	const struct table_entry key = { .family = ioctl->family, .number = ioctl->number }, *wanted = &key;
	const struct table_entry **found;

	if (!view)
		return NULL;
	found = bsearch(&wanted, entries, view->entry_count, sizeof(*entries), compare_entries);
	return found ? *found : NULL;
}

static bool has_cap(const struct table_entry *entry, const struct profile_strings *caps)
{
	for (size_t c = 0; entry && c < caps->count; c++)
		if (caps_lists(entry, caps->item[c]))
			return true;
	return false;
}

static bool wanted(const struct surface_row *row, const struct surface_filter *filter)
{
	const char *family = row->ioctl ? row->ioctl->family : row->entry->family;
	const char *name = row->ioctl ? row->ioctl->name : row->entry->name;

	return (!filter->family || !fnmatch(filter->family, family, 0)) && (!filter->name || !fnmatch(filter->name, name, 0)) &&
	       (!filter->flag || abi_ioctl_has_flag(row->ioctl, filter->flag)) && (!filter->caps || has_cap(row->entry, filter->caps));
}

static uint64_t params_bytes(const struct abi *abi, const char *name)
{
	const struct abi_record *record = name ? abi_find_record(abi, name) : NULL;
	const struct abi_alias *alias = name && !record ? abi_find_alias(abi, name) : NULL;

	return record ? record->size_bytes : alias ? alias->size_bytes : 0;
}

static bool driver_has(const struct abi *abi, const struct table_entry *entry)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct abi_ioctl *ioctl = &abi->ioctls[middle];
		int order = strcmp(ioctl->family, entry->family);

		if (order < 0 || (!order && ioctl->number < entry->number))
			low = middle + 1;
		else
			high = middle;
	}
	return low < abi->ioctl_count && !strcmp(abi->ioctls[low].family, entry->family) && abi->ioctls[low].number == entry->number;
}

static int compare_rows(const void *a, const void *b)
{
	const struct surface_row *x = a, *y = b;
	const char *family[2] = { x->ioctl ? x->ioctl->family : x->entry->family, y->ioctl ? y->ioctl->family : y->entry->family };
	uint64_t number[2] = { x->ioctl ? x->ioctl->number : x->entry->number, y->ioctl ? y->ioctl->number : y->entry->number };
	int order = strcmp(family[0], family[1]);

	if (order)
		return order;
	if (number[0] != number[1])
		return number[0] < number[1] ? -1 : 1;
	return strcmp(x->ioctl ? x->ioctl->name : x->entry->name, y->ioctl ? y->ioctl->name : y->entry->name);
}

void surface_select(struct surface *out, const struct abi *abi, const struct table_view *view, const struct surface_filter *filter,
		    struct arena *arena)
{
	const struct table_entry **entries = sorted_entries(view, arena);
	struct surface surface = { .abi = abi, .view = view };
	struct surface_row *rows = arena_array(arena, abi->ioctl_count + (view ? view->entry_count : 0) + 1, sizeof(*rows));

	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		struct surface_row row = { ioctl, entry_of(entries, view, ioctl), params_bytes(abi, ioctl->params) };

		if (wanted(&row, filter))
			rows[surface.row_count++] = row;
	}
	for (size_t i = 0; view && i < view->entry_count; i++) {
		struct surface_row row = { NULL, view->entries[i], 0 };

		if (!driver_has(abi, view->entries[i]) && wanted(&row, filter))
			rows[surface.row_count++] = row;
	}
	qsort(rows, surface.row_count, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < surface.row_count; i++) {
		surface.forwarded += rows[i].ioctl && rows[i].entry;
		surface.unknown += !rows[i].ioctl;
	}
	surface.rows = rows;
	*out = surface;
}
