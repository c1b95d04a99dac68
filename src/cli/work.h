/*
 * cli/work.h - the same for many things, on several threads
 *
 * Layer L6.
 */
#ifndef CLI_WORK_H
#define CLI_WORK_H

#include "cli/cli.h"

/**
 * work_each - do @one for every index below @count
 * @one: called by several threads, each time with another index; 0 or a negative ERR_*
 *
 * args->jobs threads, or one a processor. All are done, whatever fails.
 * Return: 0, or what the lowest index that failed returned, with its @err.
 */
int work_each(int (*one)(void *data, size_t index, struct err *err), void *data, size_t count, const struct cli_args *args,
	      struct err *err);

#endif
