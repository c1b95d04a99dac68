/*
 * cli/version_range.h - the documents of all versions from one to another
 *
 * Layer L6.
 */
#ifndef CLI_VERSION_RANGE_H
#define CLI_VERSION_RANGE_H

#include "cli/load.h"

struct version_range {
	struct store_request *requests; /* by abi_version_compare() */
	size_t count;
	struct arena arena;
};

/**
 * version_range_load - the documents of "A..B", both included, in the order of versions
 * @out: { 0 }; to be released with version_range_release(), also after an error
 *
 * A and B are versions, or how some begin ("580" is all of 580's); without A from the oldest, without B to the newest.
 * Return: 0; ERR_USAGE if it is no range, or an empty one; ERR_NOT_FOUND if there is no such version, with the nearest;
 * what load_documents() returns.
 */
int version_range_load(struct version_range *out, const char *range, const struct cli_args *args, struct err *err);

void version_range_release(struct version_range *range);

#endif
