#include "cli/output.h"

#include "cli/pager.h"
#include "cli/program.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* How wide the terminal is that standard output is; 0: it is none, or does not say. */
static size_t terminal_columns(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

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
	style.columns = args->output ? 0 : terminal_columns();
	return style;
}

/* The length of a colour, "\033[1;31m"; 0 if @at starts none. */
static size_t color_length(const char *at, const char *end)
{
	const char *p;

	if (end - at < 3 || at[0] != '\033' || at[1] != '[')
		return 0;
	p = at + 2;
	while (p < end && ((*p >= '0' && *p <= '9') || *p == ';'))
		p++;
	return p < end && *p == 'm' ? (size_t)(p - at) + 1 : 0;
}

/* Replaces control characters that a renderer should have escaped, as ls(1) does. Line ends, tabs and colours stay. */
static void tame(char *text, size_t length)
{
	for (char *at = text, *end = text + length; at < end; at++) {
		size_t color = color_length(at, end);

		if (color)
			at += color - 1;
		else if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
			*at = '?';
		else if (at + 1 < end && (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xa0)
			at[0] = at[1] = '?'; /* U+0080 to U+009F */
	}
}

void output_say(const char *sentence)
{
	struct strbuf line = { 0 };

	escape_addf(&line, escape_terminal, "%s: %s\n", program_name(), sentence);
	fputs(line.text, stderr);
	strbuf_release(&line);
}

void output_note(const struct cli_args *args, const char *format, ...)
{
	struct strbuf line = { 0 };
	va_list list;

	if (args->quiet)
		return;
	strbuf_addf(&line, "%s: note: ", program_name());
	va_start(list, format);
	escape_vaddf(&line, escape_terminal, format, list);
	va_end(list);
	strbuf_addch(&line, '\n');
	fputs(line.text, stderr);
	strbuf_release(&line);
}

/* One regular file? A device or a pipe may be input and output, as in a shell. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether it will be read or not: whoever redirects a file wants to keep it. */
static bool is_standard_input(const char *path)
{
	struct stat x, y;

	return path && !fstat(STDIN_FILENO, &x) && !stat(path, &y) && is_same_file(&x, &y);
}

int output_check(const struct cli_args *args, struct err *err)
{
	struct stat x, y;

	if (is_standard_input(args->output))
		return err_set(err, ERR_USAGE, "%s would be overwritten, which is the standard input; name another file", args->output);
	if (args->write_suppress && args->output &&
	    (!strcmp(args->write_suppress, args->output) ||
	     (!stat(args->write_suppress, &x) && !stat(args->output, &y) && is_same_file(&x, &y))))
		return err_set(err, ERR_USAGE, "--write-suppress and -o name one file, %s; give two", args->output);
	return 0;
}

static bool is_paged(const struct strbuf *text, const struct cli_args *args)
{
	struct err why = { "" };

	if (args->output || !args->may_page)
		return false;
	if (pager_show(strbuf_text(text), text->length, &why))
		return true;
	if (*why.text)
		output_note(args, "%s", why.text);
	return false;
}

int output_write(const struct strbuf *text, const struct cli_args *args, struct err *err)
{
	struct strbuf shown = { 0 };
	struct file_writer to;
	int rc;

	if ((rc = file_check_output(args->output, err)) || (rc = file_writer_open(&to, args->output, err)))
		return rc;
	strbuf_add(&shown, strbuf_text(text), text->length);
	if (isatty(to.fd))
		tame(shown.text, shown.length);
	if (!(isatty(to.fd) && is_paged(&shown, args)) && !(rc = file_writer_add(&to, strbuf_text(&shown), shown.length, err)))
		rc = file_writer_finish(&to, err);
	file_writer_release(&to);
	strbuf_release(&shown);
	return rc;
}
