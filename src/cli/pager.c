#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a shell, and our child, says that there is no such program, or that it is none. */
enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };

/* A terminal that can only print lines is not for less; a pager that the user names is the user's business. */
static const char *default_pager(void)
{
	const char *terminal = getenv("TERM");

	return terminal && *terminal && strcmp(terminal, "dumb") ? "less" : NULL;
}

/* NULL: none. *@is_named: by the user. */
static const char *choose_pager(bool *is_named)
{
	const char *pager = getenv("DRVABI_PAGER");

	if (!pager)
		pager = getenv("PAGER");
	*is_named = pager;
	if (!pager)
		return default_pager();
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

/* Signals of the terminal are for the pager while it runs; writing to one that has ended is no reason to die. */
struct signals {
	struct sigaction interrupt, quit, pipe;
};

static void signals_ignore(struct signals *before)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &ignore, &before->interrupt);
	sigaction(SIGQUIT, &ignore, &before->quit);
	sigaction(SIGPIPE, &ignore, &before->pipe);
}

static void signals_restore(const struct signals *before)
{
	sigaction(SIGINT, &before->interrupt, NULL);
	sigaction(SIGQUIT, &before->quit, NULL);
	sigaction(SIGPIPE, &before->pipe, NULL);
}

/* Only words are run as they are: "less". "less -S" and all else is a shell's to read. */
static bool is_plain_word(const char *pager)
{
	return !pager[strspn(pager, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")];
}

static void run_pager(const char *pager, int input, const struct signals *before)
{
	signals_restore(before);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	if (dup2(input, STDIN_FILENO) < 0)
		_exit(NOT_EXECUTABLE);
	if (is_plain_word(pager))
		execlp(pager, pager, (char *)NULL);
	else
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(NOT_FOUND);
}

/* Until all is written or nobody reads it. */
static void feed(int pipe, const char *text, size_t length)
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

/* Was it a program that could be run? */
static bool wait_for(pid_t pager)
{
	int status;

	while (waitpid(pager, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != NOT_EXECUTABLE);
}

static bool page(const char *pager, const char *text, size_t length)
{
	struct signals before;
	bool was_run = false;
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	signals_ignore(&before);
	child = fork();
	if (!child)
		run_pager(pager, ends[0], &before);
	close(ends[0]);
	if (child > 0)
		feed(ends[1], text, length);
	close(ends[1]);
	if (child > 0)
		was_run = wait_for(child);
	signals_restore(&before);
	return was_run;
}

bool pager_show(const char *text, size_t length, struct err *why)
{
	bool is_named;
	const char *pager = choose_pager(&is_named);

	if (!pager || !length)
		return false;
	if (page(pager, text, length))
		return true;
	if (is_named)
		err_set(why, ERR_NOT_FOUND, "the pager '%s' cannot be run; set DRVABI_PAGER to another one, or to cat for none", pager);
	return false;
}
