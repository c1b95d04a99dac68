#include "cli/trace.h"

#include "cli/work.h"

#include <string.h>

int trace_load(struct trace *trace, const char *only, const struct cli_args *args, struct err *err)
{
	const struct source_graph *tags = &trace->loaded.graph;
	struct history_version *versions;
	const struct store_request *requests;
	const struct store_choice choice = { .only = only };
	int rc;

	*trace = (struct trace){ .args = args };
	if ((rc = load_history(&trace->loaded, &choice, args, &trace->arena, err)))
		return rc;
	requests = trace->loaded.requests;
	versions = arena_array(&trace->arena, tags->count + 1, sizeof(*versions));
	for (size_t i = 0; i < tags->count; i++)
		versions[i] = (struct history_version){
			.version = tags->versions[i].name,
			.commit = tags->versions[i].commit,
			.time = tags->versions[i].time,
			.parent = tags->versions[i].parent,
			.on_main = tags->versions[i].on_main,
			.abi = requests[i].rc || requests[i].skipped ? NULL : &requests[i].abi,
		};
	history_graph_of(&trace->graph, versions, tags->count, &trace->arena);
	for (size_t i = tags->count; i--;)
		if (versions[i].abi)
			trace->driver = versions[i].abi->driver;
	if (!trace->driver)
		return err_set(err, ERR_PARSE, "no version can be read; %s: %s", tags->versions[trace->loaded.newest].name,
			       requests[trace->loaded.newest].err.text);
	return 0;
}

/* What the threads that compare edges share. */
struct comparison {
	struct trace *trace;
	const struct history_filter *filter;
};

static int compare_one(void *data, size_t edge, struct err *err)
{
	const struct comparison *comparison = data;
	struct trace *trace = comparison->trace;

	return history_compare(&trace->changes[edge], &trace->graph, &trace->graph.edges[edge], comparison->filter,
			       &trace->edge_arenas[edge], err);
}

int trace_compare(struct trace *trace, const struct history_filter *filter, struct err *err)
{
	struct comparison comparison = { trace, filter };

	trace->changes = arena_array(&trace->arena, trace->graph.edge_count + 1, sizeof(*trace->changes));
	trace->edge_arenas = arena_array(&trace->arena, trace->graph.edge_count + 1, sizeof(*trace->edge_arenas));
	return work_each(compare_one, &comparison, trace->graph.edge_count, trace->args, err);
}

void trace_release(struct trace *trace)
{
	for (size_t i = 0; trace->edge_arenas && i < trace->graph.edge_count; i++)
		arena_release(&trace->edge_arenas[i]);
	arena_release(&trace->arena);
}
