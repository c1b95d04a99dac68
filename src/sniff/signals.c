#include "sniff/signals.h"

#include <errno.h>
#include <stddef.h>
#include <sys/time.h>

/* The last ones are ignored: the terminal stops the command, and then the tracer stops itself (stops.c); a closed pipe is an error of write(2). */
static const int caught[SIGNALS_CAUGHT] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE };

enum { FORWARDED = 4 };

/* A handler has nothing but globals. */
static volatile sig_atomic_t arrived;
static volatile pid_t command;

/*
 * A wait(2) that begins between the look at @arrived and its own beginning would sleep on: the timer wakes it up, again and again.
 */
static void wake_up_later(void)
{
	const struct itimerval soon = { { 0, 50000 }, { 0, 50000 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

static void arrive(int signal, siginfo_t *info, void *context)
{
	const int error = errno;

	(void)context;
	if (signal == SIGALRM)
		return;
	arrived = 1;
	if (!command)
		wake_up_later();
	else if (info->si_code <= 0) /* of a process; the terminal's are the kernel's */
		kill(command, signal);
	errno = error;
}

void signals_begin(struct signals *signals, pid_t child)
{
	struct sigaction arriving = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO }, ignored = { .sa_handler = SIG_IGN };

	arrived = 0;
	command = child;
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++)
		sigaction(caught[i], i < FORWARDED ? &arriving : &ignored, &signals->before[i]);
	sigaction(SIGALRM, &arriving, &signals->alarm_before);
}

void signals_end(const struct signals *signals)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &signals->alarm_before, NULL);
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++)
		sigaction(caught[i], &signals->before[i], NULL);
}

bool signals_arrived(void)
{
	return arrived;
}
