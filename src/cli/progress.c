#include "cli/progress.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

void progress_init(struct progress *progress, bool quiet)
{
	*progress = (struct progress){ .active = !quiet && isatty(STDERR_FILENO), .percent = -1 };
}

void progress_show(void *data, const char *what, size_t done, size_t total)
{
	struct progress *progress = data;
	int percent = total ? (int)(done * 100 / total) : 0;
	int filled = percent * BAR_WIDTH / 100;
	struct strbuf line = { 0 };

	if (!progress->active || percent == progress->percent)
		return;
	escape_addf(&line, escape_terminal, "\r%-24s [%.*s%*s] %3d%%", what, filled, "##############################",
		    BAR_WIDTH - filled, "", percent);
	fputs(line.text, stderr);
	fflush(stderr);
	strbuf_release(&line);
	progress->percent = percent;
	progress->shown = true;
}

void progress_done(struct progress *progress)
{
	if (progress->shown)
		fprintf(stderr, "\r%*s\r", 24 + 3 + BAR_WIDTH + 6, "");
	progress->shown = false;
	progress->percent = -1;
}
