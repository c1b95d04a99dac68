/*
 * history/ranges.c - the first and the last step of ranges; ranges_assign.c and ranges_prove.c work on each version in between
 *
 * First, ranges_plan() finds the node that each version follows: its own, or
 * that of its nearest ancestor with a node; where no ancestor has one, the
 * newest node that is not newer than the version. Last, ranges_finish():
 *
 * 1. Versions with one document share what was found for the first of them.
 * 2. Versions in which all that the table refers to is equal become a set.
 * 3. Of versions that no node fits, the first of each line of descendants in one
 *    set needs a new node, and the others use that.
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

/* The first of the line of ancestors that need the same new node as @version. */
static long first_in_need(const struct ranges *ranges, long version)
{
	for (;;) {
		long parent = ranges->graph->versions[version].parent;

		while (parent != HISTORY_NO_PARENT && !ranges->graph->versions[parent].abi)
			parent = ranges->graph->versions[parent].parent;
		if (parent == HISTORY_NO_PARENT || ranges->versions[parent].fit != RANGES_NEEDS ||
		    ranges->versions[parent].set != ranges->versions[version].set)
			return version;
		version = parent;
	}
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
		one->served_by = first_in_need(ranges, (long)version);
		ranges->new_nodes += one->served_by == (long)version;
		break;
	case RANGES_OLDER:
		ranges->older++;
		break;
	}
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

void ranges_finish(struct ranges *ranges, struct arena *arena)
{
	share_results(ranges);
	finish_sets(ranges, arena);
	for (size_t i = 0; i < ranges->graph->version_count; i++)
		if (ranges->graph->versions[i].abi)
			finish_version(ranges, i);
	for (size_t i = 0; i < ranges->table->node_count; i++)
		ranges->nodes[i].verdict = verdict_of(ranges, &ranges->nodes[i]);
}
