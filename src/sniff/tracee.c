/*
 * sniff/tracee.c - another process: its memory, privileges, signals; starting it, attaching to it,
 * restarting its system call
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* No page of the processors that are known is smaller; a larger one is read in slices. */
enum { PAGE_BYTES = 4096 };

typedef ssize_t (*transfer)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);

static size_t move_once(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	const struct iovec local = { here, size_bytes };
	const struct iovec remote = { (void *)(uintptr_t)there, size_bytes };
	const ssize_t moved = move(tid, &local, 1, &remote, 1, 0);

	return moved < 0 ? 0 : (size_t)moved;
}

/* All at once; what fails is tried again page by page, up to the first that is not there. */
static size_t move_all(transfer move, pid_t tid, void *here, uint64_t there, size_t size_bytes)
{
	size_t done = move_once(move, tid, here, there, size_bytes);

	while (done < size_bytes) {
		const size_t to_page = PAGE_BYTES - (size_t)((there + done) % PAGE_BYTES);
		const size_t wanted = size_bytes - done < to_page ? size_bytes - done : to_page;
		const size_t moved = move_once(move, tid, (uint8_t *)here + done, there + done, wanted);

		done += moved;
		if (moved < wanted)
			break;
	}
	return done;
}

size_t memory_read(void *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return move_all(process_vm_readv, tid, out, address, size_bytes);
}

size_t memory_write(pid_t tid, uint64_t address, const void *bytes, size_t size_bytes)
{
	return move_all(process_vm_writev, tid, (void *)(uintptr_t)bytes, address, size_bytes);
}

bool memory_read_text(char *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	return memchr(out, '\0', memory_read(out, tid, address, size_bytes));
}

/* The effective user and group of a process. */
static bool effective_ids(uid_t *user, gid_t *group, pid_t pid)
{
	char name[64], line[128];
	bool has_user = false, has_group = false;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file)) {
		has_user |= sscanf(line, "Uid: %*u %u", user) == 1;
		has_group |= sscanf(line, "Gid: %*u %u", group) == 1;
	}
	if (file)
		fclose(file);
	return has_user && has_group;
}

void privilege_check(const struct session *session, pid_t pid)
{
	char link[64], path[DEVICE_PATH_MAX];
	struct stat st;
	ssize_t length;
	uid_t user;
	gid_t group;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	if (stat(link, &st) || !(st.st_mode & (S_ISUID | S_ISGID)) || !effective_ids(&user, &group, pid))
		return;
	if ((!(st.st_mode & S_ISUID) || st.st_uid == user) && (!(st.st_mode & S_ISGID) || st.st_gid == group))
		return;
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	session_note(session, "%s runs without the privilege of its owner, as every set-user-id program does that is traced without "
		     "privilege; run what it has to do beforehand (nvidia-modprobe), or sniff as root", path);
}

/* What the security module Yama allows; -1: there is none. */
static int yama_scope(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = -1;

	if (file && fscanf(file, "%d", &scope) != 1)
		scope = -1;
	if (file)
		fclose(file);
	return scope;
}

/* The name of a process; "" if it has none. */
static void name_of(char name[64], pid_t pid)
{
	char path[64];
	FILE *file;

	*name = '\0';
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	file = fopen(path, "re");
	if (file && fgets(name, 64, file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* privilege_refused - say in @err why the process @pid cannot be traced, and what to allow. */
static int privilege_refused(struct err *err, const char *what, pid_t pid, int error)
{
	const pid_t tracer = processes_number(PROCESSES_OF_TRACER, pid);
	const int scope = yama_scope();
	char name[64];

	if (tracer) {
		name_of(name, tracer);
		return err_set(err, ERR_IO, "cannot trace %s: process %d (%s) traces it already, and a process has one tracer", what, (int)tracer, name);
	}
	if (error != EPERM && error != EACCES && error != ENOSYS)
		return err_set(err, ERR_IO, "cannot trace %s: %s", what, strerror(error));
	if (scope > 0)
		return err_set(err, ERR_IO, "cannot trace %s: %s; /proc/sys/kernel/yama/ptrace_scope is %d: sniff as root, or set it to %s; a container needs the "
			       "capability SYS_PTRACE", what, strerror(error), scope, scope < 3 ? "0" : "less, which takes a reboot");
	return err_set(err, ERR_IO, "cannot trace %s: %s; a container needs the capability SYS_PTRACE (--cap-add SYS_PTRACE), and another user's process "
		       "needs root", what, strerror(error));
}

/*
 * The first ones go on to the command. Of an attached process, the first four end the tracing, and SIGALRM is this file's own. The last ones are ignored:
 * the terminal stops the command, and then the tracer stops itself (stops.c); a closed pipe is an error of write(2).
 */
static const int caught_signals[SIGNALS_CAUGHT] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE };

enum { FORWARDED = 8, WHILE_ATTACHED = 5, TOGETHER_NS = 300 * 1000 * 1000 };

/* A handler has nothing but globals. */
static volatile sig_atomic_t arrived;

static volatile pid_t command_pid;
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
	if (!command_pid && signal == SIGALRM)
		return;
	arrived = 1;
	if (!command_pid) {
		if (info->si_code <= 0)
			left = signal;
		wake_up_later();
	} else if (info->si_code <= 0 && info->si_pid != command_pid) { /* of a process; the terminal's are the kernel's */
		sender[signal] = info->si_pid;
		kill(command_pid, signal);
	}
	errno = error;
}

void signals_begin(struct signals *signals, pid_t child)
{
	struct sigaction arriving = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO }, ignored = { .sa_handler = SIG_IGN };

	arrived = left = 0;
	command_pid = child;
	memset(heard, 0, sizeof(heard));
	for (size_t i = 0; i < SIGNALS_CAUGHT; i++) {
		const struct sigaction *action = i < FORWARDED ? &arriving : &ignored;

		sigaction(caught_signals[i], !child && i >= WHILE_ATTACHED && i < FORWARDED ? NULL : action, &signals->before[i]);
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
		sigaction(caught_signals[i], &signals->before[i], NULL);
}

void signals_command_ended(void)
{
	command_pid = 0;
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

/* include/linux/errno.h: never seen by programs, so no header of theirs has them. */
enum { ERESTARTSYS = 512, ERESTARTNOINTR = 513, ERESTARTNOHAND = 514, ERESTART_RESTARTBLOCK = 516 };

bool restart_may_follow(int64_t result)
{
	return result == -ERESTARTSYS || result == -ERESTARTNOINTR || result == -ERESTARTNOHAND || result == -ERESTART_RESTARTBLOCK;
}

bool restart_continue(struct tracee *tracee, const struct entry *entry)
{
	for (struct watched **at = &tracee->interrupted; *at; at = &(*at)->next) {
		struct watched *call = *at;

		if (call->number != entry->number || call->instruction != entry->instruction || call->stack != entry->stack ||
		    memcmp(call->arguments, entry->arguments, sizeof(call->arguments)) != 0)
			continue;
		*at = call->next;
		call->next = NULL;
		call->is_restarted = false;
		tracee->call = call;
		return true;
	}
	return false;
}

/* Has the process a handler for a signal? */
static bool is_caught(pid_t tid, int signal)
{
	char name[64], line[128];
	unsigned long long caught = 0;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			break;
	if (file)
		fclose(file);
	return caught >> (signal - 1) & 1;
}

bool restart_must_look(const struct tracee *tracee, int signal)
{
	return tracee->interrupted && !tracee->interrupted->is_restarted && is_caught(tracee->tid, signal);
}

void restart_look(struct session *session, struct tracee *tracee)
{
	struct watched *call = tracee->interrupted;
	uint64_t pc;
	int64_t result;

	if (!arch_handler_returns(&pc, &result, tracee->tid))
		return;
	if (pc == call->instruction - sniff_arch.call_bytes) {
		call->is_restarted = true;
		return;
	}
	tracee->interrupted = call->next;
	message_end_call(session, tracee, call, result);
}

/*
 * 1. The parent forks, and the child waits for one byte.
 * 2. The parent seizes the child, and sends the byte.
 * 3. The child puts its filter on, and becomes the command. If it cannot, it sends what failed, and errno.
 * 4. The parent waits for the stop of the exec, or for the child's end.
 */

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

/*
 * A process that runs already: each of its threads is seized, and then interrupted, so that it stops at system calls from then on.
 * Threads that begin meanwhile are found by looking again, until none is new.
 */

static const long attach_options =
	PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

/* The first thread may have, of a process that goes on. */
static bool has_ended(pid_t tid)
{
	char name[64], line[128], state = '\0';
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "State: %c", &state) == 1)
			break;
	if (file)
		fclose(file);
	return state == 'Z' || state == 'X';
}

/* Return: 1 if it was seized; 0 if it has ended, or was seized already; ERR_IO. */
static int seize_thread(struct session *session, pid_t tid, struct err *err)
{
	struct tracee *tracee;
	char what[64];

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, attach_options) < 0) {
		const int error = errno;

		if (error == ESRCH || has_ended(tid))
			return 0;
		snprintf(what, sizeof(what), "process %d", (int)session->options->pid);
		return privilege_refused(err, what, tid, error);
	}
	session_tracee(session, tid);
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return 1;
}

/* Return: how many threads are new; ERR_*. */
static int seize_threads(struct session *session, struct err *err)
{
	struct dirent *entry;
	char name[64];
	int count = 0, rc = 0;
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/task", (int)session->options->pid);
	dir = opendir(name);
	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "there is no process %d", (int)session->options->pid);
	while (rc >= 0 && (entry = readdir(dir))) {
		const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && (rc = seize_thread(session, tid, err)) > 0)
			count++;
	}
	closedir(dir);
	return rc < 0 ? rc : count;
}

int attach_process(struct session *session, struct err *err)
{
	int count;

	while ((count = seize_threads(session, err)) > 0)
		;
	if (count < 0)
		return count;
	if (!session->tracees)
		return err_set(err, ERR_NOT_FOUND, "process %d has ended", (int)session->options->pid);
	session->observer->started(session->observer->data);
	return 0;
}

void attach_leave(struct session *session)
{
	struct tracee *tracee, *next;

	session->is_leaving = true;
	HASH_ITER(hh, session->tracees, tracee, next)
		ptrace(PTRACE_INTERRUPT, tracee->tid, NULL, NULL);
}
