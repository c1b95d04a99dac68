/*
 * Starts a command under the tracer, or attaches to a running process. If this is forbidden, the error says
 * why. A command is started in four steps:
 *
 * 1. The parent forks, and the child waits for one byte from a socket.
 * 2. The parent attaches to the child (PTRACE_SEIZE), and sends the byte.
 * 3. The child installs the filter, makes an ioctl to test the filter, and executes the command. If one of
 *    these fails, the child sends which one, and errno.
 * 4. The parent waits for the stop at the exec, or for the child's end.
 */
#include "sniff/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The seccomp filter decides at which system calls a command stops. Its program, in this order:
 *
 *   1. For 32-bit programs, check the same calls by their 32-bit numbers, and allow all other calls.
 *   2. Check the request of an ioctl.
 *   3. Check the flags and the descriptor of an mmap.
 *   4. Stop if seccomp installs a filter that notifies a supervisor.
 *   5. With replay, stop at the calls of path_calls.
 *   6. Allow all other calls.
 *
 * Each part ends with a verdict, so that no jump leaves its part.
 */

#define DATA(field) ((uint32_t)offsetof(struct seccomp_data, field))
/*
 * The offset of the low half of an argument. Both processors are little-endian, and the kernel ignores the
 * high half of an int argument.
 */
#define ARGUMENT(index) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (index)))

/* Skips @count instructions unless the accumulator is @value (BPF_JEQ), or has one of its bits (BPF_JSET). */
#define SKIP_UNLESS(test, value, count) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, 0, (uint8_t)(count))
#define SKIP_IF(test, value, count) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, (uint8_t)(count), 0)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define STOP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Appends instructions at @end. Return: the new end. */
#define APPEND(end, ...) \
	((struct sock_filter *)mempcpy(end, (const struct sock_filter[]){ __VA_ARGS__ }, \
				       sizeof((const struct sock_filter[]){ __VA_ARGS__ })))

/* Appends a part that stops at ioctls that a driver may get. Return: the new end, as for the other parts. */
static struct sock_filter *judge_ioctl(struct sock_filter *end, uint32_t number)
{
	end = APPEND(end, SKIP_UNLESS(BPF_JEQ, number, DEVICE_NEVER_COUNT + 3), LOAD(ARGUMENT(1)));
	for (int i = 0; i < DEVICE_NEVER_COUNT; i++)
		end = APPEND(end, SKIP_IF(BPF_JEQ, device_never[i], DEVICE_NEVER_COUNT - i));
	return APPEND(end, STOP, ALLOW);
}

/* Appends the part that stops if seccomp(2) installs a filter that may hide calls from the tracer. */
static struct sock_filter *judge_listener(struct sock_filter *end, uint32_t number)
{
	return APPEND(end, SKIP_UNLESS(BPF_JEQ, number, 4), LOAD(ARGUMENT(1)),
		      SKIP_UNLESS(BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER, 1), STOP, ALLOW);
}

/* Appends the part that stops at a shared mapping of a file descriptor, which may be that of a device. */
static struct sock_filter *judge_mmap(struct sock_filter *end, uint32_t number)
{
	return APPEND(end, SKIP_UNLESS(BPF_JEQ, number, 7), LOAD(ARGUMENT(3)),
		      SKIP_UNLESS(BPF_JSET, MAP_SHARED, 4), SKIP_IF(BPF_JSET, MAP_ANONYMOUS, 3),
		      LOAD(ARGUMENT(4)), SKIP_IF(BPF_JSET, 0x80000000, 1), STOP, ALLOW);
}

size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay)
{
	struct sock_filter *end, *is_native;

	end = APPEND(out, LOAD(DATA(arch)));
	is_native = end;
	end = APPEND(end, SKIP_IF(BPF_JEQ, sniff_arch.audit, 0), /* the target is set below */
		     SKIP_IF(BPF_JEQ, sniff_arch.narrow_audit, 1), ALLOW, LOAD(DATA(nr)));
	end = judge_ioctl(end, sniff_arch.narrow_ioctl);
	end = judge_listener(end, sniff_arch.narrow_seccomp);
	end = judge_mmap(end, sniff_arch.narrow_mmap);
	if (sniff_arch.narrow_old_mmap)
		end = APPEND(end, SKIP_UNLESS(BPF_JEQ, sniff_arch.narrow_old_mmap, 1), STOP);
	end = APPEND(end, ALLOW);

	is_native->jt = (uint8_t)(end - is_native - 1);
	end = judge_ioctl(APPEND(end, LOAD(DATA(nr))), SYS_ioctl);
	end = judge_mmap(end, SYS_mmap);
	if (sniff_arch.x32_bit) {
		end = judge_ioctl(end, (uint32_t)sniff_arch.x32_ioctl);
		end = judge_mmap(end, (uint32_t)sniff_arch.x32_bit | SYS_mmap);
	}
	end = judge_listener(end, SYS_seccomp);
	for (const struct path_call *call = path_calls; replay && call->number; call++)
		end = APPEND(end, SKIP_UNLESS(BPF_JEQ, call->number, 1), STOP);
	return (size_t)(APPEND(end, ALLOW) - out);
}

/* Reads the setting of the security module Yama; -1 if this kernel does not have Yama. */
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

/*
 * privilege_refused - set @err to why the process @pid cannot be traced, and how to permit this. @what: its
 * name in the sentence. @error: errno of ptrace(2). Return: ERR_IO.
 */
static int privilege_refused(struct err *err, const char *what, pid_t pid, int error)
{
	const pid_t tracer = processes_number(PROCESSES_OF_TRACER, pid);
	const int scope = yama_scope();
	char name[PROC_FIELD_MAX] = "";

	if (tracer) {
		proc_field(name, tracer, "comm", "");
		name[strcspn(name, "\n")] = '\0';
		return err_set(
			err, ERR_IO,
			"cannot trace %s: process %d (%s) already traces it, and a process can have only "
			"one tracer",
			what, (int)tracer, name);
	}
	if (error != EPERM && error != EACCES && error != ENOSYS)
		return err_set(err, ERR_IO, "cannot trace %s: %s", what, strerror(error));
	if (scope > 0)
		return err_set(
			err, ERR_IO,
			"cannot trace %s: %s; /proc/sys/kernel/yama/ptrace_scope is %d: sniff as root, or set it to %s; a container needs the "
			"capability SYS_PTRACE",
			what, strerror(error), scope, scope < 3 ? "0" : "a lower value, which requires a reboot");
	return err_set(
		err, ERR_IO,
		"cannot trace %s: %s; a container needs the capability SYS_PTRACE (--cap-add SYS_PTRACE), and another user's process "
		"needs root",
		what, strerror(error));
}

/*
 * Attaching to a running process: the tracer attaches to each thread, and then interrupts it, so that the
 * thread stops at its next system call. The list of threads is read again until it has no new thread.
 */

static const long attach_options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
				   PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

/* Attaches to a thread, and interrupts it. Return: 1; 0 if it has ended, or was already attached; ERR_IO. */
static int seize_thread(struct session *session, pid_t pid, pid_t tid, struct err *err)
{
	char what[64], state[PROC_FIELD_MAX];
	struct tracee *tracee;

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return 0;
	if (ptrace(PTRACE_SEIZE, tid, NULL, attach_options) < 0) {
		const int error = errno;

		/* the first thread of a process can end before the others */
		if (error == ESRCH || (proc_field(state, tid, "status", "State:\t") &&
				       (*state == 'Z' || *state == 'X')))
			return 0;
		snprintf(what, sizeof(what), "process %d", (int)pid);
		return privilege_refused(err, what, tid, error);
	}
	session_tracee(session, tid);
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return 1;
}

/* Attaches to all threads of a process. Return: the number of new ones; ERR_NOT_FOUND; ERR_IO. */
static int seize_threads(struct session *session, pid_t pid, struct err *err)
{
	DIR *dir = opendir(proc_path(pid, "task").text);
	struct dirent *entry;
	bool has_new = true;
	int count = 0, rc = 0;

	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "there is no process %d", (int)pid);
	for (; rc >= 0 && has_new; rewinddir(dir)) {
		has_new = false;
		while (rc >= 0 && (entry = readdir(dir))) {
			const pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

			if (tid > 0 && (rc = seize_thread(session, pid, tid, err)) > 0) {
				has_new = true;
				count++;
			}
		}
	}
	closedir(dir);
	return rc < 0 ? rc : count;
}

/* Attaches to a process that has a device open, and reports its earlier calls, or why it cannot be traced. */
static void attach_opener(struct session *session, pid_t pid, const char *device)
{
	struct opened *process = session_opened(session, pid, -1);
	struct err err;
	const int count = seize_threads(session, pid, &err);

	if (count == ERR_IO && !process->is_refused)
		observer_loss(session->observer, "%s; it has %s open", err.text, device);
	else if (count > 0)
		observer_loss(session->observer,
			     "process %d has %s open; its earlier calls are not recorded",
			     (int)pid, device);
	process->is_refused = count < 0;
}

void attach_new(struct session *session)
{
	DIR *dir = opendir("/proc");
	struct device *devices;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct tracee *tracee;

		HASH_FIND_INT(session->tracees, &pid, tracee);
		if (pid <= 0 || tracee || pid == getpid())
			continue;
		if (device_list_of(&devices, session->options->devices, pid))
			attach_opener(session, pid, devices->path);
		free(devices);
	}
	if (dir)
		closedir(dir);
}

int attach_process(struct session *session, struct err *err)
{
	const pid_t pid = session->options->pid;
	int count = 0;

	if (pid == SNIFF_ALL)
		attach_new(session);
	else
		count = seize_threads(session, pid, err);
	if (count < 0)
		return count;
	if (pid != SNIFF_ALL && !session->tracees)
		return err_set(err, ERR_NOT_FOUND, "process %d has ended", (int)pid);
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

/* The step that failed in the child. */
enum stage { STAGE_FILTER, STAGE_EXEC };

struct failure {
	enum stage stage;
	int error;
};

static void exit_with_failure(int fd, enum stage stage)
{
	const struct failure failure = { stage, errno };

	_exit(write(fd, &failure, sizeof(failure)) < 0 ? 126 : 127);
}

/* Installs the filter. Without CAP_SYS_ADMIN, sets no_new_privs for it. Return: false, with errno. */
static bool install_filter(bool replay)
{
	struct sock_filter program[FILTER_MAX];
	struct sock_fprog filter = {
		.len = (unsigned short)filter_build(program, replay), .filter = program,
	};

	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0))
		return true;
	return errno == EACCES && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}

/*
 * In the child: waits until the parent has attached, installs the filter, and executes the command. Never
 * returns. If the parent has ended, the command is not executed. @parent: the socket to the parent
 */
static void become_command(const struct session *session, int parent)
{
	const char *const *command = session->options->command;
	char byte;

	if (read(parent, &byte, 1) != 1)
		_exit(127);
	if (!session->stops_at_all && !install_filter(session->options->replay))
		exit_with_failure(parent, STAGE_FILTER);
	ioctl(-1, 0); /* wait_for_exec() checks that the child stops at this call */
	execvpe(command[0], (char *const *)(uintptr_t)command, session->options->environment);
	exit_with_failure(parent, STAGE_EXEC);
}

/* Sets @err to the failure that the child has sent. Return: ERR_NOT_FOUND; ERR_IO. */
static int fail_to_start(const struct session *session, const struct failure *failure, struct err *err)
{
	const char *name = session->options->command[0];

	if (failure->stage == STAGE_FILTER)
		return err_set(err, ERR_IO,
			       "cannot install a seccomp filter for %s: %s; use --survive, which needs no filter",
			       name, strerror(failure->error));
	if (failure->error == ENOENT && !strchr(name, '/'))
		return err_set(err, ERR_NOT_FOUND, "cannot run %s: there is no such command in PATH", name);
	return err_set(err, failure->error == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot run %s: %s", name,
		       strerror(failure->error));
}

/*
 * Makes the workload stop at every system call, and writes a note. If an older filter of this process refuses
 * ioctls, or notifies a supervisor of them, the kernel does not apply the verdict of drvabi's filter. The
 * stops of PTRACE_SYSCALL happen before all filters.
 */
static void stop_at_all(struct session *session)
{
	session->stops_at_all = true;
	observer_note(session->observer,
		"an older seccomp filter of this process handles ioctls, so drvabi's filter does not see them; %s stops at every system call "
		"instead, which is slower",
		session->options->command[0]);
}

/*
 * Handles the child's stops until it has executed the command, and calls the observer's started(). If the
 * filter did not stop the child at its test ioctl, calls stop_at_all().
 * Return: 0, or the error of the step that failed.
 */
static int wait_for_exec(struct session *session, int child, struct err *err)
{
	bool has_stopped = false; /* the child has stopped at its first ioctl */
	struct failure failure;
	int status;

	for (;;) {
		const pid_t tid = waitpid(session->child, &status, __WALL);

		if (tid < 0 && errno == EINTR)
			continue;
		if (tid < 0)
			return err_set(err, ERR_IO, "cannot wait for %s: %s", session->options->command[0],
				       strerror(errno));
		if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_SECCOMP) {
			has_stopped = true;
			ptrace(PTRACE_CONT, tid, NULL, NULL);
			continue;
		}
		if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXEC) {
			if (!session->stops_at_all && !has_stopped)
				stop_at_all(session);
			session->observer->started(session->observer->data);
			stops_next(session, tid, status);
			return 0;
		}
		if (!WIFSTOPPED(status)) {
			if (read(child, &failure, sizeof(failure)) == (ssize_t)sizeof(failure))
				return fail_to_start(session, &failure, err);
			return err_set(err, ERR_IO, "cannot run %s: its process ended before the exec",
				       session->options->command[0]);
		}
		stops_next(session, tid, status);
	}
}

static int cannot_run(const struct session *session, struct err *err)
{
	return err_set(err, ERR_IO, "cannot run %s: %s", session->options->command[0], strerror(errno));
}

/* Attaches to the child and waits for its exec. If it cannot attach, kills the child. @child: its socket */
static int seize_command(struct session *session, int child, struct err *err)
{
	long options = attach_options;

	if (!session->stops_at_all)
		options |= PTRACE_O_TRACESECCOMP;
	if (!session->options->survive)
		options |= PTRACE_O_EXITKILL;
	if (ptrace(PTRACE_SEIZE, session->child, NULL, options) < 0) {
		const int rc = privilege_refused(err, session->options->command[0], session->child, errno);

		kill(session->child, SIGKILL);
		waitpid(session->child, NULL, __WALL);
		return rc;
	}
	if (send(child, "", 1, MSG_NOSIGNAL) < 0)
		return cannot_run(session, err);
	return wait_for_exec(session, child, err);
}

int start_command(struct session *session, struct err *err)
{
	int ends[2], rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return cannot_run(session, err);
	session->child = fork();
	rc = session->child < 0 ? cannot_run(session, err) : 0;
	if (!session->child) {
		close(ends[0]);
		become_command(session, ends[1]);
	}
	close(ends[1]);
	if (!rc)
		rc = seize_command(session, ends[0], err);
	close(ends[0]);
	return rc;
}
