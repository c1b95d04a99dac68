/*
 * cli/load.h - from what the user named to sealed documents
 *
 * Layer L5. Joins source, cache, json and extract, which do not know each
 * other.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/cli.h"
#include "source/source.h"

/* One document that a command needs. */
struct load_request {
	const char *version; /* a version, or a directory ("./x", "/x"); NULL with @json or args->dir */
	const char *json;    /* a document's file, "-" for standard input; NULL: from the driver */
	bool may_lack;       /* a version that the repository does not have is no error: @lacking says so */
	bool skipped;        /* not asked for: nothing is set */
	bool lacking;        /* set by load_documents(): no such version, @err says more; abi is unset */
	struct abi abi;      /* set by load_documents() */
	struct arena arena;  /* owns abi, and what those of the same call share: all are released together */
	int rc;
	struct err err;
};

/* load_profile - built-in or file. @text: its JSON, for the cache's key. Both live in @arena. */
int load_profile(struct profile *out, const char **text, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_table - read and check args->table, or make one of args->table_from_header. */
int load_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err);

/**
 * load_table_view - args->table, as of the node that stands for @abi's version
 *
 * A version older than every node gets the first. Return: 0; ERR_USAGE if
 * the table is another driver's; what load_table() returns.
 */
int load_table_view(struct table_view *view, struct table *table, const struct abi *abi, const struct cli_args *args,
		    struct arena *arena, struct err *err);

/**
 * load_documents - read all of @requests, args->jobs of them at the same time
 *
 * Warnings of the documents go to standard error unless args->quiet.
 * load_documents_release() is due, also after an error.
 * Return: 0, or the first failing request's code, with its sentence in @err.
 */
int load_documents(struct load_request *requests, size_t count, const struct cli_args *args, struct err *err);

void load_documents_release(struct load_request *requests, size_t count);

/* load_warn - what extraction could not see is never kept quiet about; @name: what the user calls the document */
void load_warn(const struct abi *abi, const char *name, const struct cli_args *args);

/* Every version of the repository, as a document. Versions whose sources are equal share one. */
struct load_history {
	struct source_graph graph;
	size_t newest;                 /* the version that was asked for; of all, the last one */
	struct load_request *requests; /* by the graph's index; rc is not 0 where a version could not be read */
	struct arena arena;
};

/**
 * load_history - all tags and their documents
 * @out:  to be released with load_history_release(), also after an error
 * @only: a tag: only it and its ancestors get their documents, the requests
 *        of all others are skipped; NULL: all do; "" is the newest tag
 *
 * A bar shows the progress. Tags that are no versions, and versions that
 * cannot be read, are named on standard error.
 * Return: 0; ERR_NOT_FOUND if there is no version at all, or not @only; ERR_USAGE with
 * args->dir; ERR_IO; ERR_GIT.
 */
int load_history(struct load_history *out, const char *only, const struct cli_args *args, struct err *err);

/* load_tags - the same, and of the tags named in @names only; all others are skipped. ERR_NOT_FOUND if one is no tag. */
int load_tags(struct load_history *out, const char *const *names, size_t count, const struct cli_args *args, struct err *err);

void load_history_release(struct load_history *history);

/* load_jobs - how many threads --jobs and the machine give to @count things; at least 1. */
unsigned load_jobs(const struct cli_args *args, size_t count);

/* load_newest_version - the highest tag of the repository; lives in @arena. */
int load_newest_version(const char **out, const struct cli_args *args, struct arena *arena, struct err *err);

#endif
