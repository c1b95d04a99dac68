/*
 * cli/load.h - the profile and the documents that the user's options name
 *
 * Layer L6. Turns options into requests to the store; the store decides where
 * documents come from.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/cli.h"
#include "store/store.h"

/* load_profile - built-in or file; lives in @arena. */
int load_profile(struct profile *out, const struct cli_args *args, struct arena *arena, struct err *err);

/**
 * load_documents - stores_documents() of the store that @args name
 *
 * The documents live in the first request's arena. Their warnings go to
 * standard error unless args->quiet. load_documents_release() is due, also
 * after an error.
 */
int load_documents(struct store_request *requests, size_t count, const struct cli_args *args, struct err *err);

void load_documents_release(struct store_request *requests, size_t count);

/* load_warn - reports the warnings of a document, as a count or each by -v; @name: the user's name of the document */
void load_warn(const struct abi *abi, const char *name, const struct cli_args *args);

/* load_warn_each - each warning on standard error, whatever the options are; @name: prefix, NULL if each has its path */
void load_warn_each(const struct abi *abi, const char *name);

/* load_history - stores_history() of the store that @args name; lives in @arena. A bar shows the progress. */
int load_history(struct store_history *out, const struct store_choice *choice, const struct cli_args *args, struct arena *arena,
		 struct err *err);

/* load_around - stores_around() of the store that @args name; load_documents_release() of @request is due, also after an error. */
int load_around(struct store_around *out, struct store_request *request, const struct cli_args *args, struct err *err);

/* load_archive - stores_archive() of the store that @args name. */
int load_archive(const struct archive **out, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_tags - stores_tags() of the store that @args name; live in @arena. */
int load_tags(const char *const **names, size_t *count, const struct cli_args *args, struct arena *arena, struct err *err);

#endif
