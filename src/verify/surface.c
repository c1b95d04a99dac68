/*
 * verify/surface.c - a row for each ioctl, joined with the proxy's entries
 *
 * 1. The view's entries are sorted by family and number.
 * 2. Each ioctl of the document becomes a row, with the entry of its family
 *    and number if there is one.
 * 3. Each entry that no ioctl of the document has becomes a row of its own.
 * 4. Rows that the filter rejects are dropped; the rest are sorted and counted.
 *    If it has roles, the parameters of each row are flattened for it.
 */
#include "verify/surface.h"

#include "flatten/flatten.h"

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
	const struct abi_record *record = abi_find_record(abi, name);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(abi, name);

	return record ? record->size_bytes : alias ? alias->size_bytes : 0;
}

/* An array of scalars has no record, and no name in the document: the number says how large it is. */
static void set_params(struct surface_row *row, const struct abi *abi, const struct abi_ioctl *ioctl)
{
	row->params = ioctl->params ? ioctl->params : ioctl->argument;
	if (ioctl->params)
		row->params_bytes = params_bytes(abi, ioctl->params);
	else if (ioctl->argument && !(ioctl->varies & 1u << ABI_IOC_SIZE))
		row->params_bytes = abi_ioc_get(ioctl->number, ABI_IOC_SIZE);
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

/* The fields of the row's parameters that have one of @roles. Parameters that are no record have none. */
static int find_fields(struct surface_row *row, const struct abi *abi, unsigned roles, struct arena *arena, struct err *err)
{
	const char *params = row->ioctl ? row->ioctl->params : NULL;
	struct abi_layout layout, selected;
	int rc;

	if (!roles || !params || !abi_find_record(abi, params))
		return 0;
	if ((rc = flatten_record(&layout, abi, params, arena, err)))
		return rc;
	flatten_select(&selected, &layout, roles, arena);
	row->fields = selected.leaf;
	row->field_count = selected.leaf_count;
	return 0;
}

/* Adds the row to @rows if the filter selects it. */
static int add_row(struct surface *surface, struct surface_row *rows, struct surface_row row, const struct surface_filter *filter,
		   struct arena *arena, struct err *err)
{
	int rc;

	if (!wanted(&row, filter))
		return 0;
	if ((rc = find_fields(&row, surface->abi, filter->roles, arena, err)))
		return rc;
	if (filter->roles && !row.field_count)
		return 0;
	rows[surface->row_count++] = row;
	surface->forwarded += row.ioctl && row.entry;
	surface->unknown += !row.ioctl;
	return 0;
}

int surface_select(struct surface *out, const struct abi *abi, const struct table_view *view, const struct surface_filter *filter,
		   struct arena *arena, struct err *err)
{
	const struct table_entry **entries = sorted_entries(view, arena);
	struct surface surface = { .abi = abi, .view = view, .roles = filter->roles };
	struct surface_row *rows = arena_array(arena, abi->ioctl_count + (view ? view->entry_count : 0) + 1, sizeof(*rows));
	int rc = 0;

	for (size_t i = 0; !rc && i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		struct surface_row row = { .ioctl = ioctl, .entry = entry_of(entries, view, ioctl) };

		set_params(&row, abi, ioctl);
		rc = add_row(&surface, rows, row, filter, arena, err);
	}
	for (size_t i = 0; !rc && view && i < view->entry_count; i++)
		if (!driver_has(abi, view->entries[i]))
			rc = add_row(&surface, rows, (struct surface_row){ .entry = view->entries[i] }, filter, arena, err);
	if (rc)
		return rc;
	qsort(rows, surface.row_count, sizeof(*rows), compare_rows);
	surface.rows = rows;
	*out = surface;
	return 0;
}
