/*
 * cli/progress.h - a bar on standard error while something long runs
 *
 * Layer L6. Nothing is shown unless standard error is a terminal.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool active; /* standard error is a terminal, and the user did not say --quiet */
	bool shown;  /* a bar is on the line now */
	int percent; /* the last one drawn, so that nothing is drawn twice */
};

void progress_init(struct progress *progress, bool quiet);
/* progress_show - a source_progress callback; @data is the struct progress. */
void progress_show(void *data, const char *what, size_t done, size_t total);
/* progress_done - remove the bar. */
void progress_done(struct progress *progress);

#endif
