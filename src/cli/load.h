/*
 * cli/load.h - from what the user named to sealed documents
 *
 * Layer L5. Joins source, cache, json and extract, which do not know each
 * other.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/cli.h"

/* One document that a command needs. */
struct load_request {
	const char *version; /* a version, or a directory ("./x", "/x"); NULL with @json or args->dir */
	const char *json;    /* a document's file, "-" for standard input; NULL: from the driver */
	bool may_lack;       /* a version that the repository does not have is no error: @lacking says so */
	bool lacking;        /* set by load_documents(): no such version, @err says more; abi is unset */
	struct abi abi;      /* set by load_documents() */
	struct arena arena;  /* owns abi; arena_release() by the caller, also after an error */
	int rc;
	struct err err;
};

/* load_profile - built-in or file. @text: its JSON, for the cache's key. Both live in @arena. */
int load_profile(struct profile *out, const char **text, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_table - read and check args->table. */
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
 * Return: 0, or the first failing request's code, with its sentence in @err.
 */
int load_documents(struct load_request *requests, size_t count, const struct cli_args *args, struct err *err);

/* load_newest_version - the highest tag of the repository; lives in @arena. */
int load_newest_version(const char **out, const struct cli_args *args, struct arena *arena, struct err *err);

#endif
