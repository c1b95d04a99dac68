/*
 * cli/archive_write.h - drvabi archive write
 *
 * Layer L6. Part of cmd_archive.c's work.
 */
#ifndef CLI_ARCHIVE_WRITE_H
#define CLI_ARCHIVE_WRITE_H

#include "cli/cli.h"

/* archive_write_command - Return: CLI_NOTHING, or a negative ERR_* with its sentence in @err. */
int archive_write_command(const struct cli_args *args, struct err *err);

#endif
