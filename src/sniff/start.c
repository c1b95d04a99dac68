/*
 * 1. The parent forks, and the child waits for one byte.
 * 2. The parent seizes the child, and sends the byte.
 * 3. The child puts its filter on, and becomes the command. If it cannot, it sends what failed, and errno.
 * 4. The parent waits for the stop of the exec, or for the child's end.
 */
#include "sniff/start.h"

#include "sniff/privilege.h"
#include "sniff/stops.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child could not do. */
enum stage { STAGE_FILTER, STAGE_EXEC };

struct failure {
	enum stage stage;
	int error;
};

static void fail(int fd, enum stage stage)
{
	const struct failure failure = { stage, errno };
	ssize_t written;

	do
		written = write(fd, &failure, sizeof(failure));
	while (written < 0 && errno == EINTR);
	_exit(127);
}

/* Without CAP_SYS_ADMIN a filter takes no_new_privs. */
static bool put_on_filter(bool replay)
{
	struct sock_filter program[FILTER_MAX];
	struct sock_fprog filter = { .len = (unsigned short)filter_build(program, replay), .filter = program };

	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0))
		return true;
	return errno == EACCES && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

/* If the parent is gone, nobody is to run anything. */
static void become_command(const struct session *session, int go, int failed)
{
	const char *const *command = session->options->command;
	char byte;

	ssize_t got;

	while ((got = read(go, &byte, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(127);
	if (!session->stops_at_all && !put_on_filter(session->options->replay))
		fail(failed, STAGE_FILTER);
	execvpe(command[0], (char *const *)(uintptr_t)command, session->options->environment);
	fail(failed, STAGE_EXEC);
}

static long options_of(const struct session *session)
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

	if (!session->stops_at_all)
		options |= PTRACE_O_TRACESECCOMP;
	if (!session->options->survive && !session->options->pid)
		options |= PTRACE_O_EXITKILL;
	return options;
}

static int told_failure(const struct session *session, const struct failure *failure, struct err *err)
{
	const char *name = session->options->command[0];

	if (failure->stage == STAGE_FILTER)
		return err_set(err, ERR_IO, "cannot put a seccomp filter on %s: %s; --survive goes without one", name, strerror(failure->error));
	if (failure->error == ENOENT && !strchr(name, '/'))
		return err_set(err, ERR_NOT_FOUND, "cannot run %s: there is no such command in PATH", name);
	return err_set(err, failure->error == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot run %s: %s", name, strerror(failure->error));
}

/* Until the child has become the command. Return: 0; what it could not do. */
static int wait_for_exec(struct session *session, int failed, struct err *err)
{
	struct failure failure;
	int status;

	for (;;) {
		const pid_t tid = waitpid(session->child, &status, __WALL);

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			return err_set(err, ERR_IO, "cannot wait for %s: %s", session->options->command[0], strerror(errno));
		if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXEC) {
			session->observer->started(session->observer->data);
			stops_next(session, tid, status);
			return 0;
		}
		if (!WIFSTOPPED(status)) {
			if (read(failed, &failure, sizeof(failure)) == (ssize_t)sizeof(failure))
				return told_failure(session, &failure, err);
			return err_set(err, ERR_IO, "cannot run %s: it ended before it began", session->options->command[0]);
		}
		stops_next(session, tid, status);
	}
}

static int seize(struct session *session, int go, int failed, struct err *err)
{
	if (ptrace(PTRACE_SEIZE, session->child, NULL, options_of(session)) < 0) {
		const int rc = privilege_refused(err, session->options->command[0], session->child, errno);

		kill(session->child, SIGKILL);
		waitpid(session->child, NULL, __WALL);
		return rc;
	}
	if (write(go, "", 1) < 0)
		return err_set(err, ERR_IO, "cannot run %s: %s", session->options->command[0], strerror(errno));
	return wait_for_exec(session, failed, err);
}

int start_command(struct session *session, struct err *err)
{
	int go[2], failed[2], rc = 0;

	if (pipe2(go, O_CLOEXEC))
		return err_set(err, ERR_IO, "cannot run %s: %s", session->options->command[0], strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		rc = err_set(err, ERR_IO, "cannot run %s: %s", session->options->command[0], strerror(errno));
		goto out;
	}
	session->child = fork();
	if (session->child < 0)
		rc = err_set(err, ERR_IO, "cannot run %s: %s", session->options->command[0], strerror(errno));
	if (!session->child) {
		close(go[1]);
		become_command(session, go[0], failed[1]);
	}
	close(failed[1]);
	if (session->child > 0)
		rc = seize(session, go[1], failed[0], err);
	close(failed[0]);
out:
	close(go[0]);
	close(go[1]);
	return rc;
}
