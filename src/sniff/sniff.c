#include "sniff/sniff.h"

#include "sniff/arch.h"
#include "sniff/signals.h"
#include "sniff/start.h"
#include "sniff/stops.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

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

/* Until nothing is left that is traced. */
static void wait_for_all(struct session *session)
{
	bool was_ending = false;
	int status;

	for (;;) {
		const pid_t tid = wait4(-1, &status, __WALL, NULL);

		if (tid < 0 && errno != EINTR)
			return; /* ECHILD: there is no thread any more */
		if (tid > 0)
			stops_next(session, tid, status);
		if (session->is_ending && !was_ending)
			kill_all(session);
		was_ending = session->is_ending;
		if (!session->is_leaving && session->options->pid && signals_arrived())
			attach_leave(session);
	}
}

int sniff_run(struct sniff_result *out, const struct sniff_options *options, const struct sniff_observer *observer, struct err *err)
{
	struct session session = {
		.options = options,
		.observer = observer,
		.filter = { .any_type = options->any_type, .replay = options->replay },
		.stops_at_all = options->survive || options->pid,
		.traits = { .abi = options->abi, .rules = options->pointers },
		.scope = { .region_bytes = options->region_bytes },
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
		*out = session.result;
	}
	session_release(&session);
	return rc;
}
