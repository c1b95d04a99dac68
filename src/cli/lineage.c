#include "cli/lineage.h"

#include "cli/work.h"

#include <string.h>

struct history_version *lineage_versions(const struct source_graph *graph, struct arena *arena)
{
	struct history_version *versions = arena_array(arena, graph->count + 1, sizeof(*versions));

	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *listed = &graph->versions[i];

		versions[i] = (struct history_version){
			.version = listed->name,
			.commit = listed->commit,
			.time = listed->time,
			.parent = listed->parent == SOURCE_NO_PARENT ? HISTORY_NO_PARENT : listed->parent,
			.on_main = listed->on_main,
		};
	}
	return versions;
}

const struct history_version *lineage_documents(const struct store_history *loaded, struct arena *arena)
{
	struct history_version *versions = lineage_versions(&loaded->graph, arena);

	for (size_t i = 0; i < loaded->graph.count; i++)
		versions[i].abi = loaded->requests[i].rc || loaded->requests[i].skipped ? NULL : &loaded->requests[i].abi;
	return versions;
}

/* The driver of the documents; NULL if no version could be read. */
static const char *driver_of(const struct history_graph *graph)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (graph->versions[i].abi)
			return graph->versions[i].abi->driver;
	return NULL;
}

int lineage_load(struct lineage *lineage, const char *only, const struct cli_args *args, struct err *err)
{
	const struct store_choice choice = { .only = only };
	const struct store_history *loaded = &lineage->loaded;
	int rc;

	*lineage = (struct lineage){ .args = args };
	if ((rc = load_history(&lineage->loaded, &choice, args, &lineage->arena, err)))
		return rc;
	history_graph_of(&lineage->graph, lineage_documents(loaded, &lineage->arena), loaded->graph.count, &lineage->arena);
	if (!(lineage->driver = driver_of(&lineage->graph)))
		return err_set(err, ERR_PARSE, "no version can be read; %s: %s", loaded->graph.versions[loaded->newest].name,
			       loaded->requests[loaded->newest].err.text);
	return 0;
}

int lineage_load_named(struct history_graph *out, const struct store_choice *named, const struct cli_args *args, struct arena *arena,
		       struct err *err)
{
	struct store_history loaded;
	int rc;

	if ((rc = load_history(&loaded, named, args, arena, err)))
		return rc;
	history_graph_of(out, lineage_documents(&loaded, arena), loaded.graph.count, arena);
	return 0;
}

int lineage_named(const struct abi **out, size_t *index, struct store_request *request, const char *version, const struct lineage *lineage,
		  const struct cli_args *args, struct err *err)
{
	const struct history_graph *graph = &lineage->graph;
	size_t i = 0;
	int rc;

	request->version = version;
	if ((rc = load_documents(request, 1, args, err)))
		return rc;
	while (i < graph->version_count && strcmp(graph->versions[i].version, request->abi.version))
		i++;
	*index = i;
	*out = i < graph->version_count && graph->versions[i].abi ? graph->versions[i].abi : &request->abi;
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
