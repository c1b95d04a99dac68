#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct report_style output_style(const struct cli_args *args)
{
	struct report_style style = { .verbose = args->verbose };
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	if (!strcmp(args->color, "always"))
		style.color = true;
	else if (!strcmp(args->color, "auto"))
		style.color = !args->output && isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
			      !(terminal && !strcmp(terminal, "dumb"));
	return style;
}

const char *output_format(const struct cli_args *args, const struct cli_command *command)
{
	static char first[16]; /* the default never changes within a run of one command */

	if (args->format)
		return args->format;
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(command->formats, "|"), command->formats);
	return first;
}

int output_write(const struct strbuf *text, const struct cli_args *args, struct err *err)
{
	if (args->output)
		return file_write_atomic(args->output, strbuf_text(text), text->length, err);
	errno = 0;
	if (fwrite(strbuf_text(text), 1, text->length, stdout) != text->length)
		return err_set(err, ERR_IO, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
	return file_finish_stream(stdout, "standard output", err);
}
