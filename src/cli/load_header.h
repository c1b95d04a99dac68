/*
 * cli/load_header.h - the table of a proxy that is written in C
 *
 * Layer L6. Clang parses the header (store), ctable builds the table.
 */
#ifndef CLI_LOAD_HEADER_H
#define CLI_LOAD_HEADER_H

#include "cli/cli.h"

/**
 * load_header_table - args->table_from_header, with args->map, as a table of args->version
 *
 * What follows "--" is given to clang, after the target and -ffreestanding
 * (the headers of C itself are clang's then, not the machine's).
 * Return: 0; ERR_USAGE; ERR_PARSE; what ctable_read() and ctable_build() return.
 */
int load_header_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err);

/* load_header_check - that options which go together with --table-from-header do so. Return: 0 or ERR_USAGE. */
int load_header_check(const struct cli_args *args, struct err *err);

#endif
