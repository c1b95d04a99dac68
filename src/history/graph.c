/* history/graph.c - from versions with parents to edges */
#include "history/history.h"

#include <string.h>

/* The nearest ancestor that could be read, or HISTORY_NO_PARENT. */
static long known_parent(const struct history_version *versions, size_t version)
{
	long parent = versions[version].parent;

	while (parent != HISTORY_NO_PARENT && !versions[parent].abi)
		parent = versions[parent].parent;
	return parent;
}

/* "570.86.15" and "570.133.20": the same release. */
static bool same_release(const char *a, const char *b)
{
	size_t length = strcspn(a, ".");

	return length && length == strcspn(b, ".") && !memcmp(a, b, length);
}

void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count, struct arena *arena)
{
	struct history_edge *edges = arena_array(arena, count + 1, sizeof(*edges));
	struct history_graph graph = { .versions = versions, .version_count = count, .edges = edges };

	for (size_t i = 0; i < count; i++) {
		long parent = known_parent(versions, i);

		if (!versions[i].abi || parent == HISTORY_NO_PARENT)
			continue;
		edges[graph.edge_count++] = (struct history_edge){
			.version = i,
			.parent = (size_t)parent,
			.inside_release = same_release(versions[i].version, versions[parent].version),
		};
	}
	*out = graph;
}
