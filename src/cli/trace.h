/*
 * cli/trace.h - all versions of a repository, and what changed on each edge between them
 *
 * Layer L6. What history, blame and ranges have in common.
 */
#ifndef CLI_TRACE_H
#define CLI_TRACE_H

#include "cli/load.h"
#include "history/history.h"

struct trace {
	const struct cli_args *args;
	struct store_history loaded;
	struct history_graph graph;
	const char *driver;              /* of the documents */
	struct history_changes *changes; /* by edge; set by trace_compare() */
	struct arena *edge_arenas;       /* by edge: what @changes live in */
	struct arena arena;
};

/**
 * trace_load - every version with its document
 * @trace: to be released with trace_release(), also after an error
 * @only:  as in struct store_choice
 *
 * Return: 0; ERR_PARSE if no version at all can be read; what load_history() returns.
 */
int trace_load(struct trace *trace, const char *only, const struct cli_args *args, struct err *err);

/* trace_compare - both ends of every edge, args->jobs edges at the same time. Once for each trace. */
int trace_compare(struct trace *trace, const struct history_filter *filter, struct err *err);

void trace_release(struct trace *trace);

#endif
