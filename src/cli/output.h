/*
 * cli/output.h - where results go
 *
 * Layer L6.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/cli.h"
#include "report/report.h"

/* output_style - what --color, NO_COLOR and the terminal say. */
struct report_style output_style(const struct cli_args *args);

/* output_say - "drvabi: SENTENCE" (or "run_differ: SENTENCE") on standard error, one line whatever an input's names hold. */
void output_say(const char *sentence);

/* output_note - "drvabi: note: SENTENCE" in the same way, unless --quiet: a fact that the result itself does not contain. */
void output_note(const struct cli_args *args, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * output_check - is -o standard input, or do two outputs go into one file?
 *
 * That an output is a file which the run reads is found when it is written: file_note_input().
 * Return: 0; ERR_USAGE.
 */
int output_check(const struct cli_args *args, struct err *err);

/**
 * output_write - all of @text to --output or to standard output
 *
 * The renderers have escaped what comes from inputs. On a terminal, what a
 * renderer missed is shown as '?', and a command that may page goes through the
 * pager; files and pipes get what there is.
 * Return: 0 or ERR_IO; then a file that was named is as it was before.
 */
int output_write(const struct strbuf *text, const struct cli_args *args, struct err *err);

#endif
