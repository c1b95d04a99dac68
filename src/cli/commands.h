/*
 * cli/commands.h - what each command of the table runs
 *
 * Layer L6. Return: an exit status (CLI_NOTHING, CLI_SOMETHING), or a
 * negative ERR_* with its sentence in @err.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"

int cmd_diff(const struct cli_args *args, struct err *err);
int cmd_extract(const struct cli_args *args, struct err *err);
int cmd_flatten(const struct cli_args *args, struct err *err);
int cmd_show(const struct cli_args *args, struct err *err);
int cmd_verify(const struct cli_args *args, struct err *err);
int cmd_pids(const struct cli_args *args, struct err *err);
int cmd_surface(const struct cli_args *args, struct err *err);
int cmd_history(const struct cli_args *args, struct err *err);
int cmd_blame(const struct cli_args *args, struct err *err);
int cmd_archive(const struct cli_args *args, struct err *err);
int cmd_cache(const struct cli_args *args, struct err *err);
int cmd_bootstrap(const struct cli_args *args, struct err *err);
int cmd_ranges(const struct cli_args *args, struct err *err);
int cmd_table(const struct cli_args *args, struct err *err);
int cmd_gen(const struct cli_args *args, struct err *err);
int cmd_profile(const struct cli_args *args, struct err *err);
int cmd_decode(const struct cli_args *args, struct err *err);
int cmd_sniff(const struct cli_args *args, struct err *err);
int cmd_help(const struct cli_args *args, struct err *err);

#endif
