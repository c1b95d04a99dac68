#include "sniff/signals.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * The first ones go on to the command. Of an attached process, the first four end the tracing, and SIGALRM is this file's own. The last ones are ignored:
 * the terminal stops the command, and then the tracer stops itself (stops.c); a closed pipe is an error of write(2).
 */
static const int caught[SIGNALS_CAUGHT] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE };

enum { FORWARDED = 8, WHILE_ATTACHED = 5, TOGETHER_NS = 300 * 1000 * 1000 };

/* A handler has nothing but globals. */
static volatile sig_atomic_t arrived;
static volatile pid_t command;
static volatile sig_atomic_t left; /* a signal that came when the command had ended; 0: none */
static volatile pid_t sender[NSIG]; /* of what went on to the command last */

/* What the command got last. */
static struct { pid_t sender; bool went_on; uint64_t at_ns; } heard[NSIG];

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
	if (!command && signal == SIGALRM)
		return;
	arrived = 1;
	if (!command) {
		if (info->si_code <= 0)
			left = signal;
		wake_up_later();
	} else if (info->si_code <= 0 && info->si_pid != command) { /* of a process; the terminal's are the kernel's */
		sender[signal] = info->si_pid;
		kill(command, signal);
	}
	errno = error;
}

void signals_begin(struct signals *signals, pid_t child)
{
	struct sigaction arriving = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO }, ignored = { .sa_handler = SIG_IGN };

	arrived = left = 0;
	command = child;
	memset(heard, 0, sizeof(heard));
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++) {
		const struct sigaction *action = i < FORWARDED ? &arriving : &ignored;

		sigaction(caught[i], !child && i >= WHILE_ATTACHED && i < FORWARDED ? NULL : action, &signals->before[i]);
	}
}

bool signals_is_again(const siginfo_t *info, uint64_t now_ns)
{
	const int signal = info->si_signo;
	const bool went_on = info->si_pid == getpid();
	const pid_t from = went_on ? sender[signal] : info->si_pid;
	const bool is_again = heard[signal].at_ns && heard[signal].sender == from && heard[signal].went_on != went_on &&
			      now_ns - heard[signal].at_ns < TOGETHER_NS;

	heard[signal].sender = from;
	heard[signal].went_on = went_on;
	heard[signal].at_ns = is_again ? 0 : now_ns;
	return is_again;
}

void signals_end(const struct signals *signals)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++)
		sigaction(caught[i], &signals->before[i], NULL);
}

void signals_command_ended(void)
{
	command = 0;
}

int signals_left(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	const int signal = left;

	if (signal) {
		setitimer(ITIMER_REAL, &never, NULL);
		left = 0;
	}
	return signal;
}

bool signals_arrived(void)
{
	return arrived;
}
