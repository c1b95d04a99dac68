/* history/ranges_choice.c - which node of a table one version may use, without a look at all the others */
#include "history/history.h"

#include <string.h>

/* What verify finds at the own version of each node that has a document. */
static int find_known(struct ranges *ranges, struct arena *arena, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < ranges->table->node_count; i++)
		if (ranges->nodes[i].version >= 0)
			rc = ranges_baseline(ranges, i, arena, err);
	return rc;
}

int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table, size_t version,
		  struct arena *arena, struct err *err)
{
	const struct ranges_version *found;
	struct ranges ranges;
	int rc;

	ranges_plan(&ranges, graph, table, RANGES_TABLE, arena);
	if ((rc = find_known(&ranges, arena, err)) ||
	    (rc = ranges_fit_version(&ranges, version, arena, err)))
		return rc;
	found = &ranges.versions[version];
	*out = (struct ranges_choice){
		.version = graph->versions[version].version,
		.is_known = true,
		.fit = found->fit,
		.is_own = !strcmp(found->node->version, graph->versions[version].version),
		.follows_none = found->follows_none,
		.node = found->safe,
		.follows = found->node,
		.fresh = found->fresh,
		.fresh_count = found->fresh_count,
	};
	return 0;
}

const struct table_node *ranges_followed(const struct history_graph *graph, const struct table *table, size_t version)
{
	const struct table_node *node;

	for (long at = (long)version; at != HISTORY_NO_PARENT; at = graph->versions[at].parent)
		if ((node = table_find_node(table, graph->versions[at].version)))
			return node;
	node = table_nearest_node(table, graph->versions[version].version);
	return node ? node : &table->nodes[0];
}
