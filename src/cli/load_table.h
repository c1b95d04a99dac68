/*
 * cli/load_table.h - the proxy's table that the user's options name
 *
 * Layer L6. --table, or DRVABI_TABLE, names a file of JSON or a table that comes along, --table-from-header the header of a
 * proxy that is written in C (load_header.c).
 */
#ifndef CLI_LOAD_TABLE_H
#define CLI_LOAD_TABLE_H

#include "cli/cli.h"

enum { TABLE_LIMIT_BYTES = 256 * 1024 * 1024 };

/**
 * load_table_find - the file that the user names, or the table of that name which comes with drvabi
 * @out: @name itself if it is a path, ends in ".json", or names a file here; else where NAME.json is, in @arena
 *
 * A note is printed if a file here hides a table that is included.
 * Return: 0; ERR_NOT_FOUND, with all paths that were looked at. A path need not exist.
 */
int load_table_find(const char **out, const char *name, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_table_file - read and check the table in @path; lives in @arena. */
int load_table_file(struct table *out, const char *path, struct arena *arena, struct err *err);

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
