/*
 * cli/examples.h - the examples of each command, for --help and the manual pages
 *
 * Layer L6. Data only, in the order of the table of commands; each list ends with a NULL command.
 */
#ifndef CLI_EXAMPLES_H
#define CLI_EXAMPLES_H

#include "cli/cli.h"

extern const struct cli_example diff_examples[];
extern const struct cli_example extract_examples[];
extern const struct cli_example flatten_examples[];
extern const struct cli_example show_examples[];
extern const struct cli_example verify_examples[];
extern const struct cli_example surface_examples[];
extern const struct cli_example pids_examples[];
extern const struct cli_example history_examples[];
extern const struct cli_example blame_examples[];
extern const struct cli_example archive_examples[];
extern const struct cli_example cache_examples[];
extern const struct cli_example ranges_examples[];
extern const struct cli_example profile_examples[];
extern const struct cli_example sniff_examples[];
extern const struct cli_example table_examples[];
extern const struct cli_example bootstrap_examples[];
extern const struct cli_example gen_examples[];
extern const struct cli_example decode_examples[];
extern const struct cli_example help_examples[];

#endif
