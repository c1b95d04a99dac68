#include "cli/lineage.h"

#include "cli/work.h"

#include <string.h>

int lineage_load(struct lineage *lineage, const char *only, const struct cli_args *args, struct err *err)
{
	const struct source_graph *tags = &lineage->loaded.graph;
	struct history_version *versions;
	const struct store_request *requests;
	const struct store_choice choice = { .only = only };
	int rc;

	*lineage = (struct lineage){ .args = args };
	if ((rc = load_history(&lineage->loaded, &choice, args, &lineage->arena, err)))
		return rc;
	requests = lineage->loaded.requests;
	versions = arena_array(&lineage->arena, tags->count + 1, sizeof(*versions));
	for (size_t i = 0; i < tags->count; i++)
		versions[i] = (struct history_version){
			.version = tags->versions[i].name,
			.commit = tags->versions[i].commit,
			.time = tags->versions[i].time,
			.parent = tags->versions[i].parent,
			.on_main = tags->versions[i].on_main,
			.abi = requests[i].rc || requests[i].skipped ? NULL : &requests[i].abi,
		};
	history_graph_of(&lineage->graph, versions, tags->count, &lineage->arena);
	for (size_t i = tags->count; i--;)
		if (versions[i].abi)
			lineage->driver = versions[i].abi->driver;
	if (!lineage->driver)
		return err_set(err, ERR_PARSE, "no version can be read; %s: %s", tags->versions[lineage->loaded.newest].name,
			       requests[lineage->loaded.newest].err.text);
	return 0;
}

/* What the threads that compare edges share. */
struct comparison {
	struct lineage *lineage;
	const struct history_filter *filter;
};

static int compare_one(void *data, size_t edge, struct err *err)
{
	const struct comparison *comparison = data;
	struct lineage *lineage = comparison->lineage;

	return history_compare(&lineage->changes[edge], &lineage->graph, &lineage->graph.edges[edge], comparison->filter,
			       &lineage->edge_arenas[edge], err);
}

int lineage_compare(struct lineage *lineage, const struct history_filter *filter, struct err *err)
{
	struct comparison comparison = { lineage, filter };

	lineage->changes = arena_array(&lineage->arena, lineage->graph.edge_count + 1, sizeof(*lineage->changes));
	lineage->edge_arenas = arena_array(&lineage->arena, lineage->graph.edge_count + 1, sizeof(*lineage->edge_arenas));
	return work_each(compare_one, &comparison, lineage->graph.edge_count, lineage->args, err);
}

void lineage_release(struct lineage *lineage)
{
	for (size_t i = 0; lineage->edge_arenas && i < lineage->graph.edge_count; i++)
		arena_release(&lineage->edge_arenas[i]);
	arena_release(&lineage->arena);
}
