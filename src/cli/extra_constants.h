/*
 * cli/extra_constants.h - --constants: macros and enumerators that are in no document otherwise
 *
 * Layer L6. The globs become rules of the profile (abi/profile.h), so the documents are read from the driver's sources, and
 * are cached apart from all others.
 */
#ifndef CLI_EXTRA_CONSTANTS_H
#define CLI_EXTRA_CONSTANTS_H

#include "cli/cli.h"
#include "store/store.h"

/* extra_constants_read - the globs of "GLOB,..."; in @arena. Return: 0; ERR_USAGE if one is empty. */
int extra_constants_read(struct profile_strings *out, const char *list, struct arena *arena, struct err *err);

/* extra_constants_unmatched - the first glob of args->constants that no constant of @requests has; NULL if there is none. In @arena. */
const char *extra_constants_unmatched(const struct store_request *requests, size_t count, const struct cli_args *args, struct arena *arena);

/* extra_constants_none - @abi has all there are: none of them matches @glob. Return: ERR_NOT_FOUND, with names that resemble it. */
int extra_constants_none(const char *glob, const struct abi *abi, struct err *err);

#endif
