/* A run of the tracer: its threads and descriptors, its signals, and the loop that waits for stops. */
#include "sniff/internal.h"

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

void observer_note(const struct sniff_observer *observer, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	observer->note(observer->data, line.text);
}

void observer_loss(const struct sniff_observer *observer, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	observer->loss(observer->data, line.text);
}

struct tracee *session_tracee(struct session *session, pid_t tid)
{
	struct tracee *tracee;

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return tracee;
	tracee = xmalloc(sizeof(*tracee));
	*tracee = (struct tracee){ .tid = tid };
	HASH_ADD_INT(session->tracees, tid, tracee);
	return tracee;
}

void session_forget(struct session *session, struct tracee *tracee)
{
	HASH_DEL(session->tracees, tracee);
	free(tracee);
}

struct opened *session_opened(struct session *session, pid_t pid, int fd)
{
	const struct opened wanted = { .key = { pid, fd } };
	struct opened *found;

	HASH_FIND(hh, session->opened, &wanted.key, sizeof(wanted.key), found);
	if (found)
		return found;
	found = xmalloc(sizeof(*found));
	*found = wanted;
	HASH_ADD(hh, session->opened, key, sizeof(found->key), found);
	return found;
}

void session_forget_process(struct session *session, pid_t pid, bool has_ended)
{
	struct opened *opened, *next;

	who_forget(session, pid);
	HASH_ITER(hh, session->opened, opened, next) {
		if (opened->key.pid != pid)
			continue;
		if (has_ended) {
			HASH_DEL(session->opened, opened);
			free(opened);
		} else if (opened->key.fd != AT_FDCWD) {
			*opened->path = '\0';
			opened->is_hidden = opened->has_foreign_calls = false;
		}
	}
}

pid_t session_pid(struct tracee *tracee)
{
	char process[PROC_FIELD_MAX];

	if (!tracee->pid)
		tracee->pid = proc_field(process, tracee->tid, "status", "Tgid:") ?
			      (pid_t)strtol(process, NULL, 10) : tracee->tid;
	return tracee->pid;
}

struct watched *watched_new(struct tracee *tracee, const struct entry *entry)
{
	struct watched *call = xmalloc(sizeof(*call));

	*call = (struct watched){ .number = entry->number,
				  .instruction = entry->instruction,
				  .stack = entry->stack,
				  .start_ns = monotonic_ns() };
	memcpy(call->arguments, entry->arguments, sizeof(call->arguments));
	tracee->call = call;
	return call;
}

void watched_free(struct watched *call)
{
	gathered_release(&call->gathered);
	free(call);
}

static void session_release(struct session *session)
{
	struct tracee *tracee, *next;
	struct opened *opened, *after;

	HASH_ITER(hh, session->tracees, tracee, next)
		session_forget(session, tracee);
	HASH_ITER(hh, session->opened, opened, after) {
		HASH_DEL(session->opened, opened);
		free(opened);
	}
	who_end(session);
	traits_release(&session->scope);
}

/*
 * Signals to the tracer while a workload runs. The terminal sends its signals to the command as well, so the
 * tracer ignores them. Signals to the tracer alone (kill, timeout) are meant for the command, and are
 * forwarded. A signal to the process group of both would reach the command twice, so it is dropped before the
 * command gets it a second time. Signals that the command sends to its parent are dropped.
 *
 * The first FORWARDED signals are forwarded. With an attached process, the first four end the tracing, and
 * SIGALRM is the timer of wake_up_later(). The remaining signals are ignored: after the terminal has stopped
 * the command, the tracer stops itself (stops.c), and write(2) reports a closed pipe.
 */
static const int caught[] = { SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGALRM, SIGUSR1,
			      SIGUSR2, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE };

enum {
	SIGNALS_CAUGHT = sizeof(caught) / sizeof(*caught),
	FORWARDED = 8,
	WHILE_ATTACHED = 5,
	TOGETHER_NS = 300 * 1000 * 1000 /* copies of one signal arrive within this time */
};

static struct sigaction before[SIGNALS_CAUGHT];

/* Global variables, because the signal handler needs them. */
static volatile sig_atomic_t arrived; /* 1 after a signal, which ends the tracing of an attached process */
static volatile pid_t command;
static volatile sig_atomic_t left; /* the signal that arrived after the command's end; 0: none */
static volatile pid_t sender[NSIG]; /* the sender of the last forwarded signal of each number */

/* The last signal of each number that the command got: from @sender, or from it through this process. */
static struct { pid_t sender; bool was_forwarded; uint64_t at_ns; } heard[NSIG];

/*
 * A signal that arrives after @arrived was checked and before wait(2) sleeps does not interrupt wait(2). So a
 * timer interrupts wait(2) repeatedly.
 */
static void wake_up_later(void)
{
	const struct itimerval soon = { { 0, 50000 }, { 0, 50000 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

/*
 * The signal handler. While the command runs, forwards signals that other processes have sent. Otherwise,
 * ends the tracing of an attached process, or keeps the signal for signals_left().
 */
static void signal_arrived(int signal, siginfo_t *info, void *context)
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
	} else if (info->si_code <= 0 &&
		   info->si_pid != command) { /* sent by a process, not by the terminal */
		sender[signal] = info->si_pid;
		kill(command, signal);
	}
	errno = error;
}

/*
 * signals_begin - until signals_end(), handle the signals in caught[], and forward those to @child that are
 * meant for it. If @child is 0, as with --attach, the first signals of caught[] end the tracing.
 */
static void signals_begin(pid_t child)
{
	struct sigaction arriving = { .sa_sigaction = signal_arrived, .sa_flags = SA_SIGINFO },
			 ignored = { .sa_handler = SIG_IGN };

	arrived = left = 0;
	command = child;
	memset(heard, 0, sizeof(heard));
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++) {
		const struct sigaction *action = i < FORWARDED ? &arriving : &ignored;

		sigaction(caught[i], !child && i >= WHILE_ATTACHED && i < FORWARDED ? NULL : action,
			  &before[i]);
	}
}

bool signals_is_again(const siginfo_t *info, uint64_t now_ns)
{
	const int signal = info->si_signo;
	const bool was_forwarded = info->si_pid == getpid();
	const pid_t from = was_forwarded ? sender[signal] : info->si_pid;
	const bool is_again = heard[signal].at_ns && heard[signal].sender == from &&
			      heard[signal].was_forwarded != was_forwarded &&
			      now_ns - heard[signal].at_ns < TOGETHER_NS;

	heard[signal].sender = from;
	heard[signal].was_forwarded = was_forwarded;
	heard[signal].at_ns = is_again ? 0 : now_ns;
	return is_again;
}

/* Stops the timer, and restores the signal actions from before signals_begin(). */
static void signals_end(void)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &never, NULL);
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++)
		sigaction(caught[i], &before[i], NULL);
}

void signals_command_ended(void)
{
	command = 0;
}

/*
 * signals_left - return and clear the signal that arrived after the command's end, which is meant for the
 * processes that the command left running; 0: none
 */
static int signals_left(void)
{
	const int signal = left;

	left = 0;
	return signal;
}

const char *sniff_target(void)
{
	return sniff_arch.target;
}

/* A result of wait(2). */
struct change {
	pid_t tid;
	int status;
};

struct changes {
	struct change *changes;
	size_t count, capacity;
};

/*
 * Waits for a stop, and takes all stops before the first one is handled. wait(2) always searches the threads
 * in the same order: if many threads stop again at once, it would never return the last ones. Return: false
 * if no traced thread is left.
 */
static bool take_changes(struct changes *out, const struct session *session)
{
	struct change change;
	size_t traced;
	pid_t *found;

	out->count = 0;
	if (!session->tracees) {
		change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL);
		if (!change.tid) { /* children from before drvabi was executed are not traced */
			traced = processes_find(&found, PROCESSES_OF_TRACER, getpid());
			free(found);
			if (!traced)
				return false;
		}
	}
	if (session->tracees || !change.tid)
		change.tid = wait4(-1, &change.status, __WALL, NULL);
	if (change.tid < 0)
		return errno == EINTR; /* ECHILD: no thread is left */
	for (; change.tid > 0; change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL)) {
		ARRAY_GROW(out->changes, out->count, out->capacity);
		out->changes[out->count++] = change;
		if (HASH_COUNT(session->tracees) == 1)
			break;
	}
	return true;
}

enum { LOOK_US = 100000 };

/* With SNIFF_ALL, waits for new processes until a signal arrives. Return: false to end the run. */
static bool looks_on(const struct session *session)
{
	if (session->options->pid != SNIFF_ALL || arrived)
		return false;
	usleep(LOOK_US);
	return true;
}

/*
 * Handles stops until no traced thread is left. Between stops, kills the workload if the observer ended it,
 * forwards signals, lets go of attached processes after a signal, and, with SNIFF_ALL, attaches to new ones.
 */
static void wait_for_all(struct session *session)
{
	const struct itimerval often = { { 0, LOOK_US }, { 0, LOOK_US } };
	uint64_t looked_ns = monotonic_ns();
	struct changes changes = { .count = 0 };
	struct tracee *tracee, *next;
	int signal;

	if (session->options->pid == SNIFF_ALL)
		setitimer(ITIMER_REAL, &often, NULL); /* interrupts wait(2) */
	while (take_changes(&changes, session) || looks_on(session)) {
		for (size_t i = 0; i < changes.count; i++)
			stops_next(session, changes.changes[i].tid, changes.changes[i].status);
		if (session->result.was_ended)
			HASH_ITER(hh, session->tracees, tracee, next)
				kill(tracee->tid, SIGKILL);
		if (!session->options->pid && (signal = signals_left()))
			HASH_ITER(hh, session->tracees, tracee, next)
				if (session_pid(tracee) == tracee->tid) /* once to each process */
					kill(tracee->tid, signal);
		if (!session->is_leaving && session->options->pid && arrived)
			attach_leave(session);
		if (session->options->pid == SNIFF_ALL && !session->is_leaving &&
		    monotonic_ns() - looked_ns > LOOK_US * UINT64_C(1000)) {
			attach_new(session);
			looked_ns = monotonic_ns();
		}
	}
	free(changes.changes);
}

int sniff_run(struct sniff_result *out, const struct sniff_options *options,
	      const struct sniff_observer *observer, struct err *err)
{
	struct session session = {
		.options = options,
		.observer = observer,
		.stops_at_all = options->survive || options->pid,
		.scope = { .abi = options->abi, .pointers = options->pointers, .devices = options->devices,
			   .region_bytes = options->region_bytes },
		.began_ns = monotonic_ns(),
	};
	int rc;

	if (options->names_callers && !who_begin())
		return err_set(err, ERR_IO,
			       "--who needs libdw.so.1, which cannot be loaded; install libdw1");
	if (options->replay)
		replay_index(options->replay, &session.scope);
	rc = options->pid ? attach_process(&session, err) : start_command(&session, err);
	if (!rc) {
		signals_begin(options->pid ? 0 : session.child);
		wait_for_all(&session);
		signals_end();
		if (session.foreign_calls)
			observer_loss(observer,
				     "%zu call%s on the driver's devices by programs not built for %s %s not recorded",
				     session.foreign_calls, session.foreign_calls == 1 ? "" : "s",
				     sniff_arch.target, session.foreign_calls == 1 ? "is" : "are");
		*out = session.result;
		out->unasked = options->replay ? replay_unasked(options->replay) : 0;
	}
	session_release(&session);
	return rc;
}
