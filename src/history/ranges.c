/*
 * history/ranges.c - the first and the last step of ranges; ranges_assign.c and ranges_prove.c work on each version in between
 *
 * First, ranges_plan() finds the node that each version follows: its own, or
 * that of its nearest ancestor with a node; where no ancestor has one, the
 * newest node that is not newer than the version. Last, ranges_finish():
 *
 * 1. Versions with one document share what was found for the first of them.
 * 2. Versions in which all that the table refers to is equal become a set.
 * 3. Of versions that no node fits, the first of each line of descendants needs a
 *    new node. The others use that, if of every entry that one of them needs anew
 *    the driver has the same at both.
 * 4. Each node gets a verdict: is it needed, empty, or could it be merged with
 *    its parent?
 */
#include "history/history.h"
#include "history/reading.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

const char *ranges_notion_name(enum ranges_notion notion)
{
	return notion == RANGES_STRICT ? "strict" : "table";
}

/* The node of @version or of its nearest ancestor that has one; NULL if none has. */
static const struct table_node *node_along(const struct history_graph *graph, const struct table *table, long version)
{
	for (; version != HISTORY_NO_PARENT; version = graph->versions[version].parent) {
		const struct table_node *node = table_find_node(table, graph->versions[version].version);

		if (node)
			return node;
	}
	return NULL;
}

static long find_version(const struct history_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (!strcmp(graph->versions[i].version, name))
			return (long)i;
	return -1;
}

static void plan_node(struct ranges_node *out, const struct history_graph *graph, const struct table *table,
		      const struct table_node *node)
{
	*out = (struct ranges_node){ .node = node, .version = find_version(graph, node->version) };
	if (out->version < 0)
		return;
	out->follows = node_along(graph, table, graph->versions[out->version].parent);
	out->is_misplaced = out->follows != node->parent;
	if (!graph->versions[out->version].abi)
		out->version = -1;
}

static void plan_version(struct ranges_version *out, const struct history_graph *graph, const struct table *table, size_t version)
{
	*out = (struct ranges_version){ .node = node_along(graph, table, (long)version), .served_by = -1 };
	if (out->node)
		return;
	out->follows_none = true;
	out->node = table_nearest_node(table, graph->versions[version].version);
	if (!out->node)
		out->node = &table->nodes[0];
}

void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table, enum ranges_notion notion,
		 struct arena *arena)
{
	struct ranges ranges = { .graph = graph, .table = table, .notion = notion };

	ranges.versions = arena_array(arena, graph->version_count + 1, sizeof(*ranges.versions));
	ranges.nodes = arena_array(arena, table->node_count + 1, sizeof(*ranges.nodes));
	for (size_t i = 0; i < graph->version_count; i++)
		plan_version(&ranges.versions[i], graph, table, i);
	for (size_t i = 0; i < table->node_count; i++)
		plan_node(&ranges.nodes[i], graph, table, &table->nodes[i]);
	*out = ranges;
}

/* A set while its versions are collected. */
struct gathered {
	const char *reading; /* the key */
	size_t set;
	size_t *versions;    /* room for all */
	size_t count;
	UT_hash_handle hh;
};

static void gather_version(struct gathered **all, struct ranges *ranges, size_t version, struct arena *arena)
{
	struct ranges_version *one = &ranges->versions[version];
	struct gathered *found;

	HASH_FIND_STR(*all, one->reading, found);
	if (!found) {
		found = arena_alloc(arena, sizeof(*found));
		found->reading = one->reading;
		found->set = HASH_COUNT(*all);
		found->versions = arena_array(arena, ranges->graph->version_count, sizeof(size_t));
		HASH_ADD_KEYPTR(hh, *all, found->reading, strlen(found->reading), found);
	}
	found->versions[found->count++] = version;
	one->set = found->set;
}

static void finish_sets(struct ranges *ranges, struct arena *arena)
{
	struct gathered *all = NULL;
	struct arena scratch = { 0 };
	struct ranges_set *sets;

	for (size_t i = 0; i < ranges->graph->version_count; i++) {
		ranges->versions[i].set = SIZE_MAX;
		if (ranges->graph->versions[i].abi)
			gather_version(&all, ranges, i, &scratch);
	}
	sets = arena_array(arena, HASH_COUNT(all) + 1, sizeof(*sets));
	for (const struct gathered *one = all; one; one = one->hh.next)
		sets[one->set] = (struct ranges_set){ arena_memdup(arena, one->versions, one->count * sizeof(size_t)), one->count };
	ranges->sets = sets;
	ranges->set_count = HASH_COUNT(all);
	HASH_CLEAR(hh, all);
	arena_release(&scratch);
}

/* What was found out once for all versions that have one document. */
static void share_results(struct ranges *ranges)
{
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			ranges->versions[i] = ranges->versions[ranges_twin(ranges, i)];
}

static void finish_version(struct ranges *ranges, size_t version)
{
	struct ranges_version *one = &ranges->versions[version];

	switch (one->fit) {
	case RANGES_FITS:
		ranges->fitting++;
		break;
	case RANGES_OTHER:
		ranges->other++;
		break;
	case RANGES_NEEDS:
		ranges->needing++;
		break;
	case RANGES_OLDER:
		ranges->older++;
		break;
	}
}

static bool has_finding(const struct ranges_version *version, const struct table_entry *entry)
{
	for (size_t i = 0; i < version->fresh_count; i++)
		if (!strcmp(version->fresh[i].family, entry->family) && !strcmp(version->fresh[i].entry, entry->name))
			return true;
	return false;
}

/* Of what the table forwards at the node that both follow, the entries that one of the two needs anew. */
static void view_in_need(struct table_view *out, const struct ranges *ranges, size_t first, size_t version, struct arena *arena)
{
	const struct table_entry **entries;
	struct table_view view;
	size_t count = 0;

	table_view_at(&view, ranges->table, ranges->versions[version].node, arena);
	entries = arena_array(arena, view.entry_count + 1, sizeof(*entries));
	for (size_t i = 0; i < view.entry_count; i++)
		if (has_finding(&ranges->versions[first], view.entries[i]) || has_finding(&ranges->versions[version], view.entries[i]))
			entries[count++] = view.entries[i];
	*out = (struct table_view){ view.table, view.node, entries, count };
}

/*
 * Would a node that is made for @first serve @version? Both follow the same
 * node. What neither has a finding of stays as that node has it; of the rest
 * both must be the same.
 */
static int serves(bool *out, const struct ranges *ranges, size_t first, size_t version, struct err *err)
{
	const struct ranges_version *a = &ranges->versions[first], *b = &ranges->versions[version];
	struct strbuf one = { 0 }, other = { 0 };
	struct arena arena = { 0 };
	struct table_view view;
	int rc = 0;

	*out = a->set == b->set;
	if (*out || a->node != b->node)
		return 0;
	view_in_need(&view, ranges, first, version, &arena);
	if (!(rc = ranges_reading_anew(&one, ranges->graph->versions[first].abi, &view, ranges->notion, err)) &&
	    !(rc = ranges_reading_anew(&other, ranges->graph->versions[version].abi, &view, ranges->notion, err)))
		*out = !strcmp(strbuf_text(&one), strbuf_text(&other));
	strbuf_release(&one);
	strbuf_release(&other);
	arena_release(&arena);
	return rc;
}

/* The nearest ancestor with a document; HISTORY_NO_PARENT if there is none. */
static long documented_parent(const struct ranges *ranges, long version)
{
	do
		version = ranges->graph->versions[version].parent;
	while (version != HISTORY_NO_PARENT && !ranges->graph->versions[version].abi);
	return version;
}

/* @version needs a node, and its parent knows whose it would use, or needs none. */
static int set_server(struct ranges *ranges, long version, struct err *err)
{
	long parent = documented_parent(ranges, version);
	bool served = false;
	int rc = 0;

	if (parent != HISTORY_NO_PARENT && ranges->versions[parent].fit == RANGES_NEEDS)
		rc = serves(&served, ranges, (size_t)ranges->versions[parent].served_by, (size_t)version, err);
	ranges->versions[version].served_by = served ? ranges->versions[parent].served_by : version;
	ranges->new_nodes += !served;
	return rc;
}

/* From the oldest ancestor that needs a node down to @version. @way has room for all versions. */
static int set_servers(struct ranges *ranges, long version, long *way, struct err *err)
{
	size_t length = 0;
	int rc = 0;

	for (; version != HISTORY_NO_PARENT && ranges->versions[version].fit == RANGES_NEEDS && ranges->versions[version].served_by < 0;
	     version = documented_parent(ranges, version))
		way[length++] = version;
	while (length && !rc)
		rc = set_server(ranges, way[--length], err);
	return rc;
}

static enum ranges_verdict verdict_of(const struct ranges *ranges, const struct ranges_node *node)
{
	const struct table_node *parent = node->node->parent;

	if (!parent)
		return RANGES_KEEP;
	if (node->is_empty)
		return RANGES_EMPTY;
	if (node->version < 0 || ranges->nodes[parent - ranges->table->nodes].version < 0)
		return RANGES_UNKNOWN;
	return node->fits_parent ? RANGES_MERGE : RANGES_KEEP;
}

int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err)
{
	long *way = arena_array(arena, ranges->graph->version_count + 1, sizeof(*way));
	int rc = 0;

	share_results(ranges);
	finish_sets(ranges, arena);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			finish_version(ranges, i);
	for (size_t i = 0; i < ranges->graph->version_count && !rc; i++)
		if (ranges->graph->versions[i].abi)
			rc = set_servers(ranges, (long)i, way, err);
	for (size_t i = 0; i < ranges->table->node_count; i++)
		ranges->nodes[i].verdict = verdict_of(ranges, &ranges->nodes[i]);
	return rc;
}
