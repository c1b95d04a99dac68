/*
 * cli/completion.h - what may follow on a command line, for bash, zsh and fish
 *
 * Layer L6. The scripts (completion.bash, .zsh, .fish) know no command and no option: at each TAB they run
 * `drvabi help --complete -- PROGRAM WORD...`, which reads the tables of commands and options.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/cli.h"

/* completion_script - of "bash", "zsh" or "fish". Return: 0; ERR_USAGE if @shell is none of them. */
int completion_script(const char **out, const char *shell, struct err *err);

/**
 * completion_candidates - what the last of @words may become
 * @words: the program's name as it is called, then the words up to the cursor; the last may be ""
 *
 * A candidate is a line, "WORD" or "WORD\tWHAT IT IS". ":file" and ":directory" stand for what the shell finds in the file system. It
 * asks an archive or a local repository for versions and names, never the network, and whatever fails is no candidate.
 */
void completion_candidates(struct strbuf *out, const char *const *words, size_t count);

#endif
