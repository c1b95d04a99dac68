/*
 * cli/history_options.h - the names and numbers that history is asked for
 *
 * Layer L6.
 */
#ifndef CLI_HISTORY_OPTIONS_H
#define CLI_HISTORY_OPTIONS_H

#include "cli/cli.h"
#include "history/history.h"

/**
 * history_options_read - sets @filter's names, numbers and classes from the words, --number and --class
 *
 * They live in @arena. Words that name versions are left for history_options_select().
 * Return: 0 or ERR_USAGE.
 */
int history_options_read(struct history_filter *filter, const struct cli_args *args, struct arena *arena, struct err *err);

/**
 * history_options_select - sets @filter's versions from the words, --since and --until
 *
 * Return: 0; ERR_NOT_FOUND if a word names no version, or all of them leave none that follows another; ERR_USAGE.
 */
int history_options_select(struct history_filter *filter, const struct cli_args *args, const struct history_graph *graph,
			   struct arena *arena, struct err *err);

/**
 * history_options_check - does some version have each of them?
 * @spans: of @filter, by history_since()
 *
 * Return: 0; ERR_NOT_FOUND for the first name, glob or number that no version has, with what is near.
 */
int history_options_check(const struct history_filter *filter, const struct history_spans *spans, const struct history_graph *graph,
			  struct err *err);

#endif
