/*
 * cli/load_table.h - the proxy's table that the user's options name
 *
 * Layer L6. --table names a file of JSON, --table-from-header the header of a
 * proxy that is written in C (load_header.c).
 */
#ifndef CLI_LOAD_TABLE_H
#define CLI_LOAD_TABLE_H

#include "cli/cli.h"

/* load_table - read and check args->table, or build a table from args->table_from_header; lives in @arena. */
int load_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_table_for - load_table() for documents of @driver. Return: 0; ERR_USAGE if the table is another driver's; what load_table() returns. */
int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct arena *arena, struct err *err);

/**
 * load_table_view - load_table_for() the driver of @abi, as of the node that stands for @abi's version
 *
 * A version older than every node gets the first. Return: what load_table_for() returns.
 */
int load_table_view(struct table_view *view, struct table *table, const struct abi *abi, const struct cli_args *args,
		    struct arena *arena, struct err *err);

#endif
