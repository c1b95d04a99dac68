/*
 * cli/manual.h - what help and the manual pages say beyond the tables of commands and options
 *
 * Layer L6. Data only; help.c prints it in both forms.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/cli.h"

/* A term and what it stands for; a table ends with a NULL term. */
struct manual_term {
	const char *term;
	const char *text;
};

/* Every environment variable that the program reads: a test compares this table with the code. */
extern const struct manual_term manual_environment[];
/* The files that come with drvabi or that it writes by itself. */
extern const struct manual_term manual_files[];

/* manual_class - the text of a class of change, by diff_class_name(); NULL if the table lacks it. */
const char *manual_class(const char *name);

/* manual_has_classes - does @command report changes by class? */
bool manual_has_classes(const struct cli_command *command);

/* manual_related - names of the commands that a reader of @command's page may want next, NULL-terminated. */
const char *const *manual_related(const struct cli_command *command);

/* Lists that help prints by themselves: "environment", "files", "classes"; NULL-terminated. */
extern const char *const manual_topics[];

/* manual_exit_status - of @command, or of all if NULL. */
void manual_exit_status(struct strbuf *out, const struct cli_command *command);

/* manual_option_heading - "-o, --output FILE", the names between two @emphasis. */
void manual_option_heading(struct strbuf *out, const struct cli_option *option, const char *emphasis);

#endif
