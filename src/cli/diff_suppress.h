/*
 * cli/diff_suppress.h - diff --suppress and --fail-on
 *
 * Layer L6. The file is verify's (verify/verify.h), with a class of change in place of a rule.
 */
#ifndef CLI_DIFF_SUPPRESS_H
#define CLI_DIFF_SUPPRESS_H

#include "cli/cli.h"
#include "diff/diff.h"
#include "verify/verify.h"

struct diff_accepted {
	struct suppressions suppressions;
	unsigned fails;  /* classes that make the exit status 1 */
	unsigned *left;  /* by change of the diff after diff_accept(): its classes that no line covers */
};

/* diff_accepted_read - what the options say. Return: 0; ERR_FORMAT; what suppress_file_read() returns. */
int diff_accepted_read(struct diff_accepted *out, const struct cli_args *args, struct arena *arena, struct err *err);

/**
 * diff_accept - leave out of @diff every change of which each class is covered
 *
 * A line covers a class of every change that has one of its names, if it is for the version of next.
 * Return: how many were left out.
 */
size_t diff_accept(struct diff *diff, struct diff_accepted *accepted, struct arena *arena);

/* diff_fails - is a change left with a class that was asked for? */
bool diff_fails(const struct diff *diff, const struct diff_accepted *accepted);

#endif
