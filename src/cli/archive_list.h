/* cli/archive_list.h - drvabi archive list. Layer L6. */
#ifndef CLI_ARCHIVE_LIST_H
#define CLI_ARCHIVE_LIST_H

#include "cli/cli.h"

int archive_list_command(const struct cli_args *args, struct err *err);

#endif
