#include "bootstrap/position.h"

#include <string.h>

static long find_version(const struct history_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (!strcmp(graph->versions[i].version, name))
			return (long)i;
	return HISTORY_NO_PARENT;
}

static const struct table_node *node_of(const struct history_graph *graph, const struct table *table, long version)
{
	return table_find_node(table, graph->versions[version].version);
}

/* The nearest of @version and its ancestors that has a node; HISTORY_NO_PARENT if none has. */
static long nearest(const struct history_graph *graph, const struct table *table, long version)
{
	while (version != HISTORY_NO_PARENT && !node_of(graph, table, version))
		version = graph->versions[version].parent;
	return version;
}

static void set_path(struct bootstrap_position *out, const struct history_graph *graph, long from, size_t version, struct arena *arena)
{
	size_t count = 1, *path;

	for (long i = (long)version; i != from; i = graph->versions[i].parent)
		count++;
	out->path = path = arena_array(arena, count, sizeof(*path));
	out->path_count = count;
	for (long i = (long)version; count; i = graph->versions[i].parent)
		path[--count] = (size_t)i;
}

/*
 * A node can be judged if the graph has both its version and that of its parent: a parent that is not in it may well
 * be an ancestor.
 */
static void find_misplaced(struct bootstrap_position *out, const struct history_graph *graph, const struct table *table, struct arena *arena)
{
	struct bootstrap_misplaced *found = arena_array(arena, table->node_count + 1, sizeof(*found));

	out->misplaced = found;
	for (size_t i = 0; i < table->node_count; i++) {
		const struct table_node *node = &table->nodes[i];
		long version = find_version(graph, node->version), follows;

		if (version == HISTORY_NO_PARENT || !node->parent || find_version(graph, node->parent->version) == HISTORY_NO_PARENT)
			continue;
		follows = nearest(graph, table, graph->versions[version].parent);
		if (follows != HISTORY_NO_PARENT && node_of(graph, table, follows) == node->parent)
			continue;
		found[out->misplaced_count++] = (struct bootstrap_misplaced){
			node->version, node->parent->version,
			follows == HISTORY_NO_PARENT ? NULL : graph->versions[follows].version,
		};
	}
}

static bool descends_from(const struct history_graph *graph, long version, size_t ancestor)
{
	while (version != HISTORY_NO_PARENT && version != (long)ancestor)
		version = graph->versions[version].parent;
	return version != HISTORY_NO_PARENT;
}

/* A node between two that the table has: the lower one follows it from now on. */
static void find_below(struct bootstrap_position *out, const struct history_graph *graph, const struct table *table, size_t version,
		       struct arena *arena)
{
	const struct table_node **below = arena_array(arena, table->node_count + 1, sizeof(const struct table_node *));

	out->below = below;
	for (size_t i = 0; i < table->node_count && !out->exists; i++) {
		const struct table_node *node = &table->nodes[i];

		if (node->parent == out->base && descends_from(graph, find_version(graph, node->version), version))
			below[out->below_count++] = node;
	}
}

int bootstrap_find(struct bootstrap_position *out, const struct history_graph *graph, const struct table *table, size_t version,
		   struct arena *arena, struct err *err)
{
	struct bootstrap_position position = { .path_count = 0 };
	long from = nearest(graph, table, (long)version);

	if (from == HISTORY_NO_PARENT)
		return err_set(err, ERR_NOT_FOUND, "no ancestor of %s in the driver's commit graph is a node of %s, whose oldest is %s; "
						   "bootstrap goes from a node to what came after it", graph->versions[version].version,
			       table->path, table->nodes[0].version);
	position.base = node_of(graph, table, from);
	position.exists = from == (long)version;
	set_path(&position, graph, from, version, arena);
	find_misplaced(&position, graph, table, arena);
	find_below(&position, graph, table, version, arena);
	*out = position;
	return 0;
}
