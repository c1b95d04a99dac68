/*
 * cli/verify_run.h - one run of verify: which versions are compared, and what is found at each
 *
 * Layer L6. Joins the store's documents and the pass in verify/.
 */
#ifndef CLI_VERIFY_RUN_H
#define CLI_VERIFY_RUN_H

#include "cli/load.h"
#include "report/report.h"

/* The caller sets @args, @table, @suppressions and @fails. */
struct verify_run {
	const struct cli_args *args;
	struct arena arena;
	struct table table;
	struct suppressions suppressions;
	bool fails[VERIFY_RULE_COUNT];   /* rules whose findings make the exit status 1 */
	const struct table_node **nodes; /* by version: the node that stands for it; in the table's order */
	struct store_request *requests;  /* by version */
	struct verify_version *versions; /* set by verify_run_check() */
	size_t count;                    /* of versions */
};

/* verify_run_load - chooses the versions and loads their documents. Return: 0; ERR_USAGE; ERR_NOT_FOUND; what load_documents() returns. */
int verify_run_load(struct verify_run *run, struct err *err);

/* verify_run_check - compares each version. Return: 0; ERR_USAGE; ERR_NOT_FOUND if nothing could be checked; what verify_view() returns. */
int verify_run_check(struct verify_run *run, struct err *err);

/* verify_run_release - also after an error. */
void verify_run_release(struct verify_run *run);

#endif
