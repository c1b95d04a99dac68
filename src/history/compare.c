/* history/compare.c - what one edge changed, of that what is wanted */
#include "history/history.h"
#include "history/keep.h"
#include "history/numbers.h"
#include "history/same.h"
#include "history/untouched.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* What a table forwards at a version; before its first node, what that forwards. */
static void view_of(struct table_view *out, const struct table *table, const char *version, struct arena *arena)
{
	const struct table_node *node = table_nearest_node(table, version);

	table_view_at(out, table, node ? node : &table->nodes[0], arena);
}

static int entry_order(const struct table_entry *a, const struct table_entry *b)
{
	int order = strcmp(a->family, b->family);

	return order ? order : strcmp(a->name, b->name);
}

/* What the table forwards on either side of an edge: a new ioctl may be an entry of the later node only. */
static void view_of_edge(struct table_view *out, const struct table *table, const char *base, const char *next,
			 struct arena *arena)
{
	const struct table_entry **entries;
	struct table_view was, is;
	size_t count = 0, i = 0, j = 0;

	view_of(&was, table, base, arena);
	view_of(&is, table, next, arena);
	*out = is;
	if (was.node == is.node)
		return;
	entries = arena_array(arena, was.entry_count + is.entry_count + 1, sizeof(const struct table_entry *));
	while (i < was.entry_count || j < is.entry_count) {
		int order = i == was.entry_count ? 1 : j == is.entry_count ? -1 : entry_order(was.entries[i], is.entries[j]);

		if (!order && was.entries[i] == is.entries[j])
			i++;
		entries[count++] = order < 0 ? was.entries[i++] : is.entries[j++];
	}
	out->entries = entries;
	out->entry_count = count;
}

static bool has_name(const struct history_filter *filter, const char *name)
{
	for (size_t i = 0; name && i < filter->name_count; i++)
		if (!fnmatch(filter->names[i], name, 0))
			return true;
	return false;
}

/*
 * Two records may become two names of one: then one of them changed, and is
 * told with the other's name, of which nothing is to be told.
 */
static bool is_named(const struct history_filter *filter, const struct diff *diff, const struct diff_change *change)
{
	if (has_name(filter, change->name) || has_name(filter, change->base_name))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (has_name(filter, change->also[i]) && !history_same_record(diff->base, diff->next, change->also[i]))
			return true;
	for (size_t i = 0; change->kind == ABI_RECORD && i < change->reach_count; i++)
		if (has_name(filter, change->reached_by[i].ioctl->name))
			return true;
	return false;
}

static bool is_command_of(const struct abi *abi, const struct abi_constant *constant, uint64_t number)
{
	struct numbers_form form;

	if (!constant || constant->value.magnitude != number)
		return false;
	form = numbers_form_of(abi);
	return numbers_is_command(&form, constant);
}

static bool is_numbered(const struct history_filter *filter, const struct diff *diff, const struct diff_change *change)
{
	return (change->base_ioctl && change->base_ioctl->number == filter->number) ||
	       (change->next_ioctl && change->next_ioctl->number == filter->number) ||
	       is_command_of(diff->base, change->base_constant, filter->number) ||
	       is_command_of(diff->next, change->next_constant, filter->number);
}

static bool is_wanted(const struct history_filter *filter, const struct diff *diff, const struct diff_change *change)
{
	return (!filter->name_count || is_named(filter, diff, change)) && (!filter->has_number || is_numbered(filter, diff, change)) &&
	       (!filter->table || change->proxied);
}

static void count_change(struct history_changes *changes, const struct diff_change *change)
{
	struct diff_count *count = &changes->summary[change->kind];

	if (change->classes & DIFF_ADDED)
		count->added++;
	else if (change->classes & DIFF_REMOVED)
		count->removed++;
	else
		count->changed++;
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		changes->class_total[i] += change->classes >> i & 1;
}

static void keep_wanted(struct history_changes *out, const struct diff *diff, const struct history_filter *filter,
			struct arena *arena)
{
	const struct numbers_form form = numbers_form_of(diff->next);
	struct history_changes kept = { 0 };
	struct diff_change *changes;
	size_t wanted = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		wanted += is_wanted(filter, diff, &diff->changes[i]);
	changes = arena_array(arena, wanted + 1, sizeof(*changes));
	for (size_t i = 0; i < diff->change_count; i++)
		if (is_wanted(filter, diff, &diff->changes[i])) {
			count_change(&kept, &diff->changes[i]);
			history_keep(&changes[kept.count], &diff->changes[i], arena);
			numbers_name_owner(&changes[kept.count++], &form, diff->base, diff->next);
		}
	kept.changes = changes;
	*out = kept;
}

int history_compare(struct history_changes *out, const struct history_graph *graph, const struct history_edge *edge,
		    const struct history_filter *filter, struct arena *arena, struct err *err)
{
	const struct abi *base = graph->versions[edge->parent].abi, *next = graph->versions[edge->version].abi;
	struct diff_options options = { 0 };
	struct arena scratch = { 0 };
	struct table_view view;
	struct diff diff;
	int rc;

	if (history_untouched(base, next, filter) || history_same(base, next)) {
		*out = (struct history_changes){ 0 };
		return 0;
	}
	if (filter->table) {
		view_of_edge(&view, filter->table, base->version, next->version, &scratch);
		options.view = &view;
	}
	rc = diff_documents(&diff, base, next, &options, &scratch, err);
	if (!rc)
		keep_wanted(out, &diff, filter, arena);
	arena_release(&scratch);
	return rc;
}
