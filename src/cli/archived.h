/*
 * cli/archived.h - versions out of an archive instead of a repository
 *
 * Layer L5. Part of load.c's work; commands call load.h.
 */
#ifndef CLI_ARCHIVED_H
#define CLI_ARCHIVED_H

#include "archive/archive.h"
#include "cli/load.h"

/* archived_open - read args->archive, which must be of args->target. @out lives in @arena. */
int archived_open(const struct archive **out, const struct cli_args *args, struct arena *arena, struct err *err);

/* archived_load - the document of request->version; lives in request->arena and in @archive. */
int archived_load(struct load_request *request, const struct archive *archive, const struct cli_args *args);

/* archived_graph - the commit graph of an archive's versions; lives in @archive and @arena. */
void archived_graph(struct source_graph *out, const struct archive *archive, struct arena *arena);

/* archived_documents - those of all @requests that are not skipped, one for each version of @archive; they live in it and in @arena. */
int archived_documents(struct load_request *requests, const struct archive *archive, const char *target, struct arena *arena,
		       struct err *err);

#endif
