/*
 * cli/observed.h - what traces say of the ioctls that workloads use
 *
 * Layer L6.
 */
#ifndef CLI_OBSERVED_H
#define CLI_OBSERVED_H

#include "bootstrap/bootstrap.h"
#include "cli/cli.h"

/**
 * observed_load - the ioctls in all traces of --trace CAP=FILE that the driver did not refuse
 * @version: of a trace that does not say its own; NULL: the newest
 *
 * What failed, or was answered NV_ERR_NOT_SUPPORTED or NV_ERR_INVALID_CLASS, is not needed by a workload that went on.
 * Return: 0; ERR_USAGE for a capability that there is none; what trace_file_each() and load_documents() return.
 */
int observed_load(struct bootstrap_observed *out, const struct cli_args *args, const char *version, struct arena *arena, struct err *err);

#endif
