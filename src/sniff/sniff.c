#include "sniff/sniff.h"

#include "sniff/arch.h"
#include "sniff/signals.h"
#include "sniff/start.h"
#include "sniff/stops.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *sniff_target(void)
{
	return sniff_arch.target;
}

static void kill_all(const struct session *session)
{
	struct tracee *tracee, *next;

	HASH_ITER(hh, session->tracees, tracee, next)
		kill(tracee->tid, SIGKILL);
}

/* Each process once, not each thread. */
static void signal_all(const struct session *session, int signal)
{
	struct tracee *tracee, *next;

	HASH_ITER(hh, session->tracees, tracee, next)
		if (session_pid(tracee) == tracee->tid)
			kill(tracee->tid, signal);
}

/* What wait(2) says of a thread. */
struct change {
	pid_t tid;
	int status;
};

struct changes {
	struct change *changes;
	size_t count, capacity;
};

/* Children that this process had when it became drvabi are no part of the workload: nobody waits for them. */
static bool is_any_traced(const struct session *session)
{
	pid_t *found;
	size_t count;

	if (session->tracees)
		return true;
	count = processes_find(&found, PROCESSES_OF_TRACER, getpid());
	free(found);
	return count;
}

/*
 * All that there is, before the first is seen to: wait(2) looks at threads in an order of its own, and of many that stop again at once the last
 * would wait for ever. Return: false if nothing is left that is traced.
 */
static bool take_changes(struct changes *out, const struct session *session)
{
	struct change change;

	out->count = 0;
	if (!session->tracees) {
		change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL);
		if (!change.tid && !is_any_traced(session))
			return false;
	}
	if (session->tracees || !change.tid)
		change.tid = wait4(-1, &change.status, __WALL, NULL);
	if (change.tid < 0)
		return errno == EINTR; /* ECHILD: there is no thread any more */
	for (; change.tid > 0; change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL)) {
		ARRAY_GROW(out->changes, out->count, out->capacity);
		out->changes[out->count++] = change;
		if (HASH_COUNT(session->tracees) == 1)
			break;
	}
	return true;
}

/* Until nothing is left that is traced. */
static void wait_for_all(struct session *session)
{
	struct changes changes = { .count = 0 };
	bool was_ending = false;
	int signal;

	while (take_changes(&changes, session)) {
		for (size_t i = 0; i < changes.count; i++)
			stops_next(session, changes.changes[i].tid, changes.changes[i].status);
		if (session->is_ending && !was_ending)
			kill_all(session);
		was_ending = session->is_ending;
		if (!session->options->pid && (signal = signals_left()))
			signal_all(session, signal);
		if (!session->is_leaving && session->options->pid && signals_arrived())
			attach_leave(session);
	}
	free(changes.changes);
}

/* How many were in each process, nobody says: one is too many. */
static void tell_foreign(const struct session *session)
{
	struct strbuf count = { 0 };

	if (!session->foreign_calls)
		return;
	strbuf_plural(&count, session->foreign_calls, "ioctl");
	session_loss(session, "%s of programs that are not %s ones %s not recorded", strbuf_text(&count), sniff_arch.target,
		     session->foreign_calls == 1 ? "is" : "are");
	strbuf_release(&count);
}

int sniff_run(struct sniff_result *out, const struct sniff_options *options, const struct sniff_observer *observer, struct err *err)
{
	struct session session = {
		.options = options,
		.observer = observer,
		.stops_at_all = options->survive || options->pid,
		.traits = { .abi = options->abi, .rules = options->pointers },
		.scope = { .region_bytes = options->region_bytes, .devices = options->devices },
		.began_ns = session_now_ns(),
	};
	struct signals signals;
	int rc;

	session.scope.traits = &session.traits;
	if (options->replay)
		replay_index(options->replay, &session.scope);
	rc = options->pid ? attach_process(&session, err) : start_command(&session, err);
	if (!rc) {
		signals_begin(&signals, options->pid ? 0 : session.child);
		wait_for_all(&session);
		signals_end(&signals);
		tell_foreign(&session);
		*out = session.result;
	}
	session_release(&session);
	return rc;
}
