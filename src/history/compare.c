/* history/compare.c - the changes of one edge that a filter selects */
#include "history/asked.h"
#include "history/change_internal.h"
#include "history/command.h"
#include "history/same.h"
#include "history/untouched.h"

#include <string.h>

/* What a table forwards at a version; before its first node, what that forwards. */
static void view_at_version(struct table_view *out, const struct table *table, const char *version, struct arena *arena)
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

	view_at_version(&was, table, base, arena);
	view_at_version(&is, table, next, arena);
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

static bool is_wanted(const struct asked *asked, const struct diff_change *change)
{
	return asked_is(asked, change) && (!asked->filter->table || change->proxied);
}

/* Copies the selected changes into @arena; the selection itself lives in @scratch. */
static void copy_wanted(struct history_changes *out, const struct diff *diff, const struct history_filter *filter,
			struct arena *scratch, struct arena *arena)
{
	struct history_changes copied = { 0 };
	struct diff_change *changes;
	size_t *carriers, wanted = 0;
	struct asked asked;

	asked_of(&asked, filter, diff, scratch);
	for (size_t i = 0; i < diff->change_count; i++)
		wanted += is_wanted(&asked, &diff->changes[i]);
	changes = arena_array(arena, wanted + 1, sizeof(*changes));
	carriers = arena_array(arena, wanted + 1, sizeof(*carriers));
	for (size_t i = 0; i < diff->change_count; i++) {
		struct diff_change *change = &changes[copied.count];

		if (!is_wanted(&asked, &diff->changes[i])) {
			copied.left_out += asked_is(&asked, &diff->changes[i]);
			continue;
		}
		diff_count_change(copied.summary, copied.class_total, &diff->changes[i]);
		history_copy_change(change, &diff->changes[i], arena);
		carriers[copied.count++] = asked_carriers(change, &asked, arena);
	}
	command_name_owners(changes, copied.count, diff->base, diff->next, scratch);
	copied.changes = changes;
	copied.carriers = carriers;
	*out = copied;
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
		copy_wanted(out, &diff, filter, &scratch, arena);
	arena_release(&scratch);
	return rc;
}
