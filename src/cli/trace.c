#include "cli/trace.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* What the threads that compare edges share. */
struct trace_work {
	struct trace *trace;
	const struct history_filter *filter;
	size_t next;      /* the next edge to take, under @lock */
	int rc;           /* of the first edge, in their order, that failed, with @failed and @err */
	size_t failed;
	struct err *err;
	pthread_mutex_t lock;
};

int trace_load(struct trace *trace, const char *only, const struct cli_args *args, struct err *err)
{
	const struct source_graph *tags = &trace->loaded.graph;
	struct history_version *versions;
	const struct load_request *requests;
	int rc;

	*trace = (struct trace){ .args = args };
	if ((rc = load_history(&trace->loaded, only, args, err)))
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

int trace_table(struct table *out, struct trace *trace, struct err *err)
{
	struct table table;
	int rc;

	if ((rc = load_table(&table, trace->args, &trace->arena, err)))
		return rc;
	if (strcmp(table.driver, trace->driver))
		return err_set(err, ERR_USAGE, "%s is a table for the driver %s, not for %s", table.path, table.driver, trace->driver);
	*out = table;
	return 0;
}

static void note_failure(struct trace_work *work, size_t edge, int rc, const struct err *err)
{
	pthread_mutex_lock(&work->lock);
	if (!work->rc || edge < work->failed) {
		work->rc = rc;
		work->failed = edge;
		*work->err = *err;
	}
	pthread_mutex_unlock(&work->lock);
}

static void *trace_worker(void *data)
{
	struct trace_work *work = data;
	struct trace *trace = work->trace;

	for (;;) {
		struct err err = { "" };
		size_t edge;
		int rc;

		pthread_mutex_lock(&work->lock);
		edge = work->next++;
		pthread_mutex_unlock(&work->lock);
		if (edge >= trace->graph.edge_count)
			return NULL;
		rc = history_compare(&trace->changes[edge], &trace->graph, &trace->graph.edges[edge], work->filter,
				     &trace->edge_arenas[edge], &err);
		if (rc)
			note_failure(work, edge, rc, &err);
	}
}

int trace_compare(struct trace *trace, const struct history_filter *filter, struct err *err)
{
	struct trace_work work = { .trace = trace, .filter = filter, .err = err };
	unsigned helpers = load_jobs(trace->args, trace->graph.edge_count) - 1, started = 0;
	pthread_t *threads = arena_array(&trace->arena, helpers + 1, sizeof(*threads));

	trace->changes = arena_array(&trace->arena, trace->graph.edge_count + 1, sizeof(*trace->changes));
	trace->edge_arenas = arena_array(&trace->arena, trace->graph.edge_count + 1, sizeof(*trace->edge_arenas));
	pthread_mutex_init(&work.lock, NULL);
	while (started < helpers && !pthread_create(&threads[started], NULL, trace_worker, &work))
		started++;
	trace_worker(&work);
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&work.lock);
	return work.rc;
}

void trace_release(struct trace *trace)
{
	for (size_t i = 0; trace->edge_arenas && i < trace->graph.edge_count; i++)
		arena_release(&trace->edge_arenas[i]);
	load_history_release(&trace->loaded);
	arena_release(&trace->arena);
}
