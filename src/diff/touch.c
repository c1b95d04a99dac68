/*
 * diff/touch.c - which entries of the proxy's table a change concerns
 *
 * An entry stands for an ioctl if the family is equal and so is any of the
 * three that tell an ioctl: its name, the driver's constant, the number. The
 * number counts too, since a number that became another ioctl's is what a
 * proxy must know first. A record is an entry's if the entry names it, or if an
 * ioctl that the entry stands for carries it.
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

/* A name in the driver and an entry that mentions it. */
struct mention {
	const char *name;
	const char *family; /* of the entry */
	size_t entry;       /* in the view */
};

struct touch {
	const struct diff_pass *pass;
	const struct table_view *view;
	struct mention *ioctls;  /* by name: names and constants of entries; malloc'd */
	size_t ioctl_count, ioctl_capacity;
	struct mention *structs; /* by name; malloc'd */
	size_t struct_count, struct_capacity;
	size_t *by_number;       /* entries by family, then number; malloc'd */
	bool *marked;            /* by entry; malloc'd */
};

static int compare_mentions(const void *a, const void *b)
{
	const struct mention *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int compare_numbers(const void *a, const void *b, void *context)
{
	const struct table_view *view = context;
	const struct table_entry *x = view->entries[*(const size_t *)a], *y = view->entries[*(const size_t *)b];
	int order = strcmp(x->family, y->family);

	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

static void mention_ioctl(struct touch *touch, const char *name, size_t entry)
{
	if (!name)
		return;
	ARRAY_GROW(touch->ioctls, touch->ioctl_count, touch->ioctl_capacity);
	touch->ioctls[touch->ioctl_count++] = (struct mention){ name, touch->view->entries[entry]->family, entry };
}

static void index_entries(struct touch *touch)
{
	const struct table_view *view = touch->view;

	touch->by_number = xmalloc(view->entry_count * sizeof(*touch->by_number));
	touch->marked = xmalloc(view->entry_count * sizeof(*touch->marked));
	for (size_t i = 0; i < view->entry_count; i++) {
		const struct table_entry *entry = view->entries[i];

		touch->by_number[i] = i;
		mention_ioctl(touch, entry->name, i);
		mention_ioctl(touch, entry->constant, i);
		for (size_t s = 0; s < entry->struct_count; s++) {
			ARRAY_GROW(touch->structs, touch->struct_count, touch->struct_capacity);
			touch->structs[touch->struct_count++] = (struct mention){ entry->structs[s].driver, entry->family, i };
		}
	}
	qsort_r(touch->by_number, view->entry_count, sizeof(size_t), compare_numbers, (void *)view);
	if (touch->ioctl_count)
		qsort(touch->ioctls, touch->ioctl_count, sizeof(*touch->ioctls), compare_mentions);
	if (touch->struct_count)
		qsort(touch->structs, touch->struct_count, sizeof(*touch->structs), compare_mentions);
}

/* The first mention of @name, or where it would be. */
static size_t first_mention(const struct mention *list, size_t count, const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(list[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* @family: NULL for any */
static void mark_mentions(struct touch *touch, const struct mention *list, size_t count, const char *name, const char *family)
{
	if (!name)
		return;
	for (size_t i = first_mention(list, count, name); i < count && !strcmp(list[i].name, name); i++)
		if (!family || !strcmp(list[i].family, family))
			touch->marked[list[i].entry] = true;
}

static void mark_number(struct touch *touch, const char *family, uint64_t number)
{
	size_t low = 0, high = touch->view->entry_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct table_entry *entry = touch->view->entries[touch->by_number[middle]];
		int order = strcmp(entry->family, family);

		if (order < 0 || (!order && entry->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < touch->view->entry_count; low++) {
		const struct table_entry *entry = touch->view->entries[touch->by_number[low]];

		if (entry->number != number || strcmp(entry->family, family))
			return;
		touch->marked[touch->by_number[low]] = true;
	}
}

static void mark_ioctl(struct touch *touch, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	mark_mentions(touch, touch->ioctls, touch->ioctl_count, ioctl->name, ioctl->family);
	mark_number(touch, ioctl->family, ioctl->number);
}

static void mark_record_names(struct touch *touch, const struct diff_change *change)
{
	mark_mentions(touch, touch->structs, touch->struct_count, change->name, NULL);
	mark_mentions(touch, touch->structs, touch->struct_count, change->base_name, NULL);
	for (size_t i = 0; i < change->also_count; i++)
		mark_mentions(touch, touch->structs, touch->struct_count, change->also[i], NULL);
}

static void mark_change(struct touch *touch, const struct diff_change *change)
{
	switch (change->kind) {
	case ABI_RECORD:
		mark_record_names(touch, change);
		break;
	case ABI_IOCTL:
		mark_ioctl(touch, change->base_ioctl);
		mark_ioctl(touch, change->next_ioctl);
		break;
	case ABI_CONSTANT:
		mark_mentions(touch, touch->ioctls, touch->ioctl_count, change->name, NULL);
		break;
	case ABI_ALIAS:
	case ABI_ENUM:
		break;
	}
	for (size_t i = 0; i < change->reach_count; i++)
		mark_ioctl(touch, change->reached_by[i].ioctl);
}

static void set_entries(struct diff_change *change, const struct touch *touch)
{
	const struct table_entry **entries;
	size_t count = 0;

	for (size_t i = 0; i < touch->view->entry_count; i++)
		count += touch->marked[i];
	if (!count)
		return;
	entries = arena_array(touch->pass->arena, count, sizeof(const struct table_entry *));
	for (size_t i = 0; i < touch->view->entry_count; i++)
		if (touch->marked[i])
			entries[change->entry_count++] = touch->view->entries[i];
	change->entries = entries;
	change->proxied = true;
}

void diff_touch(struct diff_pass *pass)
{
	struct touch touch = { .pass = pass, .view = pass->options->view };

	if (!touch.view || !touch.view->entry_count)
		return;
	index_entries(&touch);
	for (size_t i = 0; i < pass->change_count; i++) {
		memset(touch.marked, 0, touch.view->entry_count * sizeof(*touch.marked));
		mark_change(&touch, &pass->changes[i]);
		set_entries(&pass->changes[i], &touch);
	}
	free(touch.ioctls);
	free(touch.structs);
	free(touch.by_number);
	free(touch.marked);
}
