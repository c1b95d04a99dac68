/*
 * cli/lineage.h - all versions of a repository, or one with its ancestors, and what changed on each edge between them
 *
 * Layer L6. Shared by history, blame, ranges and diff.
 */
#ifndef CLI_LINEAGE_H
#define CLI_LINEAGE_H

#include "cli/load.h"
#include "history/history.h"

struct lineage {
	const struct cli_args *args;
	struct store_history loaded;
	struct history_graph graph;
	const char *driver;              /* of the documents */
	struct history_changes *changes; /* by edge; set by lineage_compare() */
	struct arena *edge_arenas;       /* by edge: what @changes live in */
	struct arena arena;
};

/* lineage_versions - what the passes over history want to know of each version but its document. */
struct history_version *lineage_versions(const struct source_graph *graph, struct arena *arena);

/* lineage_documents - the same, with the documents; a version that was not asked for, or could not be read, has none. */
const struct history_version *lineage_documents(const struct store_history *loaded, struct arena *arena);

/**
 * lineage_load - every version with its document
 * @lineage: to be released with lineage_release(), also after an error
 * @only:  as in struct store_choice
 *
 * Return: 0; ERR_PARSE if no version at all can be read; what load_history() returns.
 */
int lineage_load(struct lineage *lineage, const char *only, const struct cli_args *args, struct err *err);

/* lineage_load_named - every version, and the documents of some; all in @arena. Return: what load_history() returns. */
int lineage_load_named(struct history_graph *out, const struct store_choice *named, const struct cli_args *args, struct arena *arena,
		       struct err *err);

/**
 * lineage_named - the document of one version, which the graph need not have
 * @index:   set to that of the version in the graph, its version_count if it is not there
 * @request: zeroed; load_documents_release() is due, also after an error. @out points into it, or into @lineage
 *
 * Return: what load_documents() returns.
 */
int lineage_named(const struct abi **out, size_t *index, struct store_request *request, const char *version, const struct lineage *lineage,
		  const struct cli_args *args, struct err *err);

/* lineage_compare - both ends of every edge, args->jobs edges at the same time. Once for each lineage. */
int lineage_compare(struct lineage *lineage, const struct history_filter *filter, struct err *err);

void lineage_release(struct lineage *lineage);

#endif
