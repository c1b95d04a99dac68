/* cli/output.c - writes results to a file, to a terminal, possibly with a pager, or to a pipe */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The exit statuses with which a shell and run_pager() report that a program cannot be executed, or does not
 * exist.
 */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/*
 * Returns the pager; NULL if no pager is to be used. *@is_named: set to whether the environment names a
 * pager. A pager that the user names is run on any terminal, but less is not run on a terminal that is too
 * simple for it.
 */
static const char *choose_pager(bool *is_named)
{
	const char *pager = getenv("DRVABI_PAGER"), *terminal = getenv("TERM");

	if (!pager)
		pager = getenv("PAGER");
	*is_named = pager;
	if (!pager)
		return terminal && *terminal && strcmp(terminal, "dumb") ? "less" : NULL;
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

/*
 * Signals that drvabi ignores while the pager runs. The terminal's signals are for the pager. SIGPIPE must
 * not end drvabi if the pager has exited.
 */
static const int ignored_signals[] = { SIGINT, SIGQUIT, SIGPIPE };

enum { IGNORED_COUNT = sizeof(ignored_signals) / sizeof(*ignored_signals) };

static void restore_signals(const struct sigaction before[IGNORED_COUNT])
{
	for (size_t i = 0; i < IGNORED_COUNT; i++)
		sigaction(ignored_signals[i], &before[i], NULL);
}

/* Runs the pager in a child process. @input: the end of the pipe from which it reads; never returns */
static void run_pager(const char *pager, int input, const struct sigaction before[IGNORED_COUNT])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

	restore_signals(before);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	if (dup2(input, STDIN_FILENO) < 0)
		_exit(NOT_EXECUTABLE);
	if (!pager[strspn(pager, plain)]) /* one word; a shell runs other commands, such as "less -S" */
		execlp(pager, pager, (char *)NULL);
	else
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(NOT_FOUND);
}

/* Writes @text, until everything is written or the pager has exited. */
static void feed_pager(int pipe, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(pipe, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}

/* Waits for the pager to exit. Return: false if it could not be run. */
static bool wait_for_pager(pid_t pager)
{
	int status;

	while (waitpid(pager, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_EXECUTABLE);
}

/*
 * Runs the pager with @text as its input, and waits until it exits. Meanwhile, drvabi ignores the signals
 * that are for the pager. Return: false if the pager could not be run, and nothing was shown.
 */
static bool show_in_pager(const char *pager, const char *text, size_t length)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction before[IGNORED_COUNT];
	bool was_run = false;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	for (size_t i = 0; i < IGNORED_COUNT; i++)
		sigaction(ignored_signals[i], &ignore, &before[i]);
	child = fork();
	if (!child)
		run_pager(pager, ends[0], before);
	close(ends[0]);
	if (child > 0)
		feed_pager(ends[1], text, length);
	close(ends[1]);
	if (child > 0)
		was_run = wait_for_pager(child);
	restore_signals(before);
	return was_run;
}

bool pager_show(const char *text, size_t length, struct err *why)
{
	bool is_named;
	const char *pager = choose_pager(&is_named);

	if (!pager || !length)
		return false;
	if (show_in_pager(pager, text, length))
		return true;
	if (is_named)
		err_set(why, ERR_NOT_FOUND,
			"the pager '%s' cannot be run; set DRVABI_PAGER to a different one, or to cat for none",
			pager);
	return false;
}

/* Returns true if @text needs no escapes: only printable ASCII characters, tabs and newlines. */
static bool is_plain(const char *text, size_t length)
{
	size_t i = 0;

	for (; length - i >= BYTES16; i += BYTES16) {
		const bytes16 bytes = bytes16_load(text + i);

		if (bytes16_any((bytes16)(bytes - ' ' >= 0x7f - ' ') & (bytes16)(bytes != '\t') &
				(bytes16)(bytes != '\n')))
			return false;
	}
	for (; i < length; i++) {
		const unsigned char ch = (unsigned char)text[i];

		if ((ch < ' ' || ch >= 0x7f) && ch != '\t' && ch != '\n')
			return false;
	}
	return true;
}

/* Copies tabs and newlines, writes a NUL as \x00, and escapes the rest with escape_terminal(). */
static void pass_escaped(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch)
{
	for (size_t i = 0; i < length;) {
		size_t end = i;

		while (end < length && text[end] && text[end] != '\t' && text[end] != '\n')
			end++;
		strbuf_reset(scratch);
		strbuf_add(scratch, text + i, end - i);
		escape_terminal(out, strbuf_text(scratch));
		if (end < length && text[end])
			strbuf_addch(out, text[end]);
		else if (end < length)
			strbuf_adds(out, "\\x00");
		i = end + 1;
	}
}

void pass_through(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch)
{
	if (is_plain(text, length)) {
		strbuf_add(out, text, length);
		return;
	}
	/* Only the lines that need it are escaped, because most lines of a log do not. */
	for (size_t at = 0; at < length;) {
		const char *end = memchr(text + at, '\n', length - at);
		const size_t line = end ? (size_t)(end + 1 - text) - at : length - at;

		if (is_plain(text + at, line))
			strbuf_add(out, text + at, line);
		else
			pass_escaped(out, text + at, line, scratch);
		at += line;
	}
}

struct report_style output_style(const struct cli_args *args)
{
	struct report_style style = { .markdown = args->format && !strcmp(args->format, "markdown"),
				      .verbose = args->verbose };
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");
	struct winsize size;

	if (!strcmp(args->color, "always"))
		style.color = true;
	else if (!strcmp(args->color, "auto"))
		style.color = !args->output && isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
			      !(terminal && !strcmp(terminal, "dumb"));
	if (!args->output && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		style.columns = size.ws_col;
	return style;
}

/* Returns the length of the colour sequence at @at, such as "\033[1;31m"; 0 if there is none. */
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

/*
 * Replaces control characters that a renderer should have escaped with '?', as ls(1) does. Newlines, tabs and
 * colour sequences are kept.
 */
static void replace_controls(char *text, size_t length)
{
	for (char *at = text, *end = text + length; at < end; at++) {
		size_t color = color_length(at, end);

		if (color)
			at += color - 1;
		else if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
			*at = '?';
		else if (at + 1 < end && (unsigned char)at[0] == 0xc2 && (unsigned char)at[1] >= 0x80 &&
			 (unsigned char)at[1] < 0xa0)
			at[0] = at[1] = '?'; /* the control characters U+0080 to U+009F */
	}
}

/* Prints the program's name, @kind and the sentence to standard error, with control characters escaped. */
__attribute__((format(printf, 2, 0)))
static void print_line(const char *kind, const char *format, va_list list)
{
	struct strbuf line = { 0 };

	strbuf_addf(&line, "%s: %s", program_name(), kind);
	escape_vaddf(&line, escape_terminal, format, list);
	strbuf_addch(&line, '\n');
	fputs(line.text, stderr);
	strbuf_release(&line);
}

void output_say(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	print_line("", format, list);
	va_end(list);
}

void output_note(const struct cli_args *args, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	if (!args->quiet)
		print_line("note: ", format, list);
	va_end(list);
}

/*
 * Returns true if both are the same regular file. A device or a pipe can be input and output at the same
 * time.
 */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns the file name in FORMAT=FILE. */
static const char *report_file(const char *report)
{
	return strchr(report, '=') + 1;
}

/* A file that the command will write. */
struct output_file {
	const char *option, *path;
	struct stat st; /* st_mode is 0 if the file does not exist */
};

int output_check(const struct cli_args *args, struct err *err)
{
	struct output_file *file = arena_array(args->arena, 2 + args->reports.count, sizeof(*file));
	struct stat input;
	const bool has_input = !fstat(STDIN_FILENO, &input);
	size_t count = 0;

	if (args->write_suppress)
		file[count++] = (struct output_file){ "--write-suppress", args->write_suppress, { 0 } };
	if (args->output)
		file[count++] = (struct output_file){ "-o", args->output, { 0 } };
	for (size_t i = 0; i < args->reports.count; i++)
		file[count++] = (struct output_file){ "--report", report_file(args->reports.item[i]), { 0 } };
	for (size_t i = 0; i < count; i++) {
		if (stat(file[i].path, &file[i].st))
			file[i].st.st_mode = 0;
		/*
		 * Even if the command does not read standard input, the user does not want that file to be
		 * overwritten.
		 */
		if (has_input && is_same_file(&input, &file[i].st) && file[i].path != args->write_suppress)
			return usage_error(err,
				"%s is standard input and would be overwritten; name a different file",
				file[i].path);
		for (size_t n = 0; n < i; n++)
			if (!strcmp(file[n].path, file[i].path) || is_same_file(&file[n].st, &file[i].st))
				return usage_error(err, "%s and %s name the same file, %s; give two files",
						   file[n].option, file[i].option, file[i].path);
	}
	return 0;
}

int output_write(struct cli_args *args, struct err *err)
{
	struct strbuf *text = args->out;
	struct err why = { "" };
	struct file_writer to;
	bool is_terminal, is_paged;
	int rc;

	if (!text->length && !args->output)
		return 0;
	if ((rc = file_check_output(args->output, err)) || (rc = file_writer_open(&to, args->output, err)))
		return rc;
	is_terminal = isatty(to.fd);
	if (is_terminal)
		replace_controls(text->text, text->length);
	is_paged = is_terminal && !args->output && args->may_page &&
		   pager_show(strbuf_text(text), text->length, &why);
	if (*why.text)
		output_note(args, "%s", why.text);
	if (!is_paged && !(rc = file_writer_add(&to, strbuf_text(text), text->length, err)))
		rc = file_writer_finish(&to, err);
	file_writer_release(&to);
	strbuf_reset(text);
	args->output = NULL;
	return rc;
}

int output_result(const struct cli_args *args,
		  void (*render)(struct strbuf *out, const void *result, const struct cli_args *args),
		  const void *result, struct err *err)
{
	struct strbuf out = { 0 };
	int rc = 0;

	for (size_t i = 0; i < args->reports.count && !rc; i++) {
		const char *report = args->reports.item[i], *file = report_file(report);
		struct cli_args one = *args;

		one.out = &out;
		one.output = file;
		one.format = arena_strndup(args->arena, report, (size_t)(file - 1 - report));
		one.style = output_style(&one);
		render(&out, result, &one);
		rc = output_write(&one, err);
	}
	strbuf_release(&out);
	if (!rc)
		render(args->out, result, args);
	return rc;
}
