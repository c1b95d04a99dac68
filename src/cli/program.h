/*
 * cli/program.h - the name that the program was called by
 *
 * Layer L6. One binary has two names: drvabi, and run_differ, which is drvabi diff. Help, errors and --version use the name that the
 * user typed.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include "cli/cli.h"

/* program_is_differ - called as run_differ? */
bool program_is_differ(void);

/* program_name - "run_differ", or "drvabi" whatever else the file is called. */
const char *program_name(void);

/* program_command - how the user calls @command: "run_differ" or "drvabi show". */
void program_command(struct strbuf *out, const struct cli_command *command);

/* program_version - what --version prints: this version, and what it was built with. */
void program_version(struct strbuf *out);

/*
 * program_remember_environment - the environment as this program got it, before main() changes it for libraries
 * program_environment - that one, for a command that is run on behalf of the user
 */
void program_remember_environment(void);
char *const *program_environment(void);

#endif
