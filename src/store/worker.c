/*
 * Runs jobs that may crash, hang or use all memory in worker processes.
 *
 * Headers and repositories are untrusted: some headers crash libclang, and libgit2 waits forever for a FIFO.
 * So they are read only in worker processes, with bounds on memory and time. The worker's standard error is
 * discarded, and the bytes that it sends are read as untrusted input.
 *
 * 1. Workers are forked while this process has only one thread. There is at most one worker for each job. A
 *    socket connects each worker with the parent.
 * 2. The parent sends the number of a job. The worker does the job, and sends a return code, an error message
 *    and the result. A worker does many jobs, because memory that it has already touched costs no time.
 * 3. A worker whose job failed ends, because its state is unknown. If a worker died without an answer, the
 *    parent makes an error message from the result of wait4() (the signal, and the used memory), and forks a
 *    new worker if jobs are left. The parent kills a worker that uses no processor time for
 *    DRVABI_PARSE_SECONDS.
 * 4. Workers die with their parent (PR_SET_PDEATHSIG, and the closed socket).
 */
#include "store/internal.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	DEFAULT_MB = 2048,
	LEAST_MB = 64, /* with less memory, all jobs fail, with different errors */
	DEFAULT_SECONDS = 60,
	STACK_BYTES = 64 * 1024 * 1024, /* fixed, so that the maximum depth of expressions is the same on all
					   machines */
	NO_MEMORY_STATUS = 2,		/* the exit status of xmalloc() */
	RESULT_BYTES_MAX = 1024 * 1024 * 1024,
	REPOSITORY_FACTOR = 10, /* Linux has 1.3 million commits */
	DOWNLOAD_FACTOR = 4,    /* libgit2 lists all objects while it receives them; Linux has 11 million */
};

static const struct {
	const char *reads, *crash_hint; /* for messages */
} texts[] = {
	[BOUNDED_HEADERS] = { "its headers", "; is an expression or a type nested thousands of times?" },
	[BOUNDED_REPOSITORY] = { "the repository", "" },
	[BOUNDED_DOWNLOAD] = { "the repository from its URL", "" },
};

/* The header that a worker sends before the error message and the result. */
struct worker_reply {
	int32_t rc;
	uint32_t sentence_size;
	uint64_t size;
};

struct bounds {
	unsigned long megabytes, seconds, wait_seconds;
};

/* A worker process; used by the parent. */
struct worker {
	pid_t pid;
	int socket;         /* -1 if there is no worker process */
	size_t index;       /* the worker's job */
	struct strbuf answer; /* the received part of struct worker_reply, the error message and the result */
	struct timespec used; /* the processor time of the process when it was last looked at */
	unsigned long waited; /* for how many seconds @used has not changed; beyond the bound, it is killed */
};

struct workers {
	const struct bounded_ops *ops;
	struct bounds bounds;
	struct worker *items;
	unsigned count;
	size_t next, end; /* the jobs that no worker has begun */
	time_t ticked;    /* when the workers were last looked at: seconds of CLOCK_MONOTONIC */
	struct byte_reader *answer; /* bounded_ask(): the only job's result, error and return code */
	struct arena *arena;
	struct err *err;
	int rc;
};

/* --- in a worker --- */

/* Sends all bytes. Return: false if the process at the other end is dead. */
static bool send_all(int socket, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return false;
		at += sent > 0 ? sent : 0;
		size -= sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

/* Receives the number of a job. Return: false if the parent has closed the socket. */
static bool receive_job(int socket, uint64_t *index)
{
	ssize_t got;

	do
		got = recv(socket, index, sizeof(*index), MSG_WAITALL);
	while (got < 0 && errno == EINTR);
	return got == sizeof(*index);
}

/* Sets the soft limit of a resource of this process, but not above the hard limit. Errors are ignored. */
static void set_soft_limit(int resource, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return;
	limit.rlim_cur = limit.rlim_max < value ? limit.rlim_max : value;
	setrlimit(resource, &limit);
}

/* With the sanitizers, RLIMIT_DATA is not set, because it would count the terabytes that they map. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

/* Bounds the next job's processor time, except for downloads. RLIMIT_CPU counts from the process's start. */
static void set_time_bound(const struct workers *workers)
{
	const struct bounds *bounds = &workers->bounds;
	struct rusage usage;

	if (workers->ops->kind != BOUNDED_DOWNLOAD && !getrusage(RUSAGE_SELF, &usage))
		set_soft_limit(RLIMIT_CPU,
			       (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1 + bounds->seconds);
}

/*
 * The filter is for workers that hostile headers have taken over. It allows only the system calls that
 * libclang, libgit2 and the C library make after the start: calls for memory that is not executable, for
 * threads, for open files, and for opening files to read, because git objects are read on demand. A worker
 * could send the contents of any file to its parent, so Landlock permits only the files of its jobs, if these
 * are known. A call that is not allowed fails with ENOSYS, so that the C library tries an older call. With
 * the sanitizers, there is no filter, because they start a process to write a report.
 */
#if defined(__x86_64__)
#define FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef FILTER_ARCH
static const unsigned kept_calls[] = {
	/* open files */
	SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_pwrite64, SYS_writev, SYS_lseek, SYS_close, SYS_dup,
	SYS_ftruncate, SYS_memfd_create, SYS_fstat, SYS_statfs, SYS_fstatfs, SYS_getdents64, SYS_fadvise64,
	/* paths; chdir() is clang's -working-directory */
	SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_getcwd, SYS_chdir,
	/* memory and threads */
	SYS_munmap, SYS_mremap, SYS_madvise, SYS_mincore, SYS_brk, SYS_futex, SYS_membarrier, SYS_sched_yield,
	SYS_sched_getaffinity, SYS_set_robust_list, SYS_getrandom,
	/* time */
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times,
	/* facts about the process and the machine */
	SYS_gettid, SYS_getpid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage,
	SYS_getrlimit, SYS_setrlimit, SYS_sysinfo, SYS_uname,
	/* signals, the channel to the parent, the end */
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
	SYS_ppoll, SYS_recvfrom, SYS_sendto, SYS_exit, SYS_exit_group,
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
#ifdef SYS_rseq
	SYS_rseq,
#endif
#ifdef __x86_64__
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_poll, SYS_time, SYS_arch_prctl,
#endif
};

/* A system call that is allowed if (argument & mask) == value, for the low 32 bits of the argument. */
struct kept_if {
	unsigned call, argument;
	uint32_t mask, value;
};

/*
 * Lets this process, which reads hostile files, make only the calls of kept_calls, and those of kept[] with
 * harmless arguments. All other calls fail with ENOSYS, except that a call of another architecture ends the
 * process. If the kernel has no filters, nothing changes.
 */
static void install_filter(void)
{
	const uint32_t writes = O_ACCMODE | O_CREAT | O_TRUNC;
	const struct kept_if kept[] = {
		{ SYS_openat, 2, writes, O_RDONLY },
#ifdef __x86_64__
		{ SYS_open, 1, writes, O_RDONLY },
#endif
		{ SYS_clone, 0, CLONE_THREAD, CLONE_THREAD },
		{ SYS_mmap, 2, PROT_EXEC, 0 },
		{ SYS_mprotect, 2, PROT_EXEC, 0 },
		{ SYS_prlimit64, 0, UINT32_MAX, 0 }, /* the worker's own limits */
		{ SYS_tgkill, 0, UINT32_MAX, (uint32_t)getpid() }, /* abort() */
		{ SYS_prctl, 0, UINT32_MAX, PR_SET_NAME },
		{ SYS_fcntl, 1, UINT32_MAX, F_GETFD },
		{ SYS_fcntl, 1, UINT32_MAX, F_SETFD },
		{ SYS_fcntl, 1, UINT32_MAX, F_GETFL },
		{ SYS_fcntl, 1, UINT32_MAX, F_DUPFD_CLOEXEC },
	};
	enum { CALLS = sizeof(kept_calls) / sizeof(*kept_calls), RULES = sizeof(kept) / sizeof(*kept) };
	const struct sock_filter load_call =
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	struct sock_filter code[2 * CALLS + 6 * RULES + 8];
	struct sock_fprog program = { .filter = code };
	unsigned short at = 0;

	code[at++] =
		(struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCH, 1, 0);
	code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	code[at++] = load_call;
	for (size_t i = 0; i < CALLS; i++) {
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kept_calls[i], 0, 1);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	for (size_t i = 0; i < RULES; i++) {
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kept[i].call, 0, 5);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
							  (uint32_t)offsetof(struct seccomp_data,
									     args[kept[i].argument]));
		code[at++] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, kept[i].mask);
		code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kept[i].value, 0, 1);
		code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
		code[at++] = load_call;
	}
	code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
	program.len = at;
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif

/*
 * Permits this process to open only @paths (NULL-terminated), and, if these are directories, the files in
 * them. Paths that do not exist are ignored. If the kernel has no Landlock, nothing changes.
 */
static void restrict_files(const char *const *paths)
{
	const struct landlock_ruleset_attr handled = { LANDLOCK_ACCESS_FS_READ_FILE |
						       LANDLOCK_ACCESS_FS_READ_DIR };
	const int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);

	if (rules < 0)
		return;
	for (; *paths; paths++) {
		struct landlock_path_beneath_attr beneath = { .parent_fd = open(*paths, O_PATH | O_CLOEXEC) };
		struct stat st;

		if (beneath.parent_fd < 0)
			continue;
		beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
		if (!fstat(beneath.parent_fd, &st) && S_ISDIR(st.st_mode))
			beneath.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
		syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
		close(beneath.parent_fd);
	}
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
}

/*
 * Restricts the files and system calls of this worker, as far as the kernel has Landlock and seccomp. If the
 * processor is unknown, nothing is restricted.
 */
static void confine(const char *const *readable)
{
#ifdef FILTER_ARCH
	if (HAS_SANITIZER)
		return;
	if (readable)
		restrict_files(readable);
	install_filter();
#else
	(void)readable;
#endif
}

/*
 * Replaces the worker's standard streams, to discard the output of libraries, and text that was in a buffer
 * at the fork, which the parent prints.
 */
static void silence(void)
{
	int nowhere = open("/dev/null", O_RDWR);

	if (nowhere < 0)
		return;
	dup2(nowhere, STDIN_FILENO);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	if (nowhere > STDERR_FILENO)
		close(nowhere);
}

/*
 * Removes the variables with which clang would search more directories, because a document must not depend on
 * the environment.
 */
static void unset_include_paths(void)
{
	static const char *const names[] = { "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
					     "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

/*
 * The worker process: limits its memory and, except for downloads, its time, files and system calls. Then
 * does jobs, and sends their results, until a job fails or the parent closes the socket.
 */
static _Noreturn void worker_main(const struct workers *workers, int socket)
{
	const struct bounded_ops *ops = workers->ops;
	const char *const *readable;
	uint64_t index;
	int rc = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	if (ops->kind != BOUNDED_DOWNLOAD)
		silence();
	unset_include_paths();
	set_soft_limit(RLIMIT_CORE, 0);
	set_soft_limit(RLIMIT_STACK, STACK_BYTES);
	if (!HAS_SANITIZER)
		set_soft_limit(RLIMIT_DATA, (rlim_t)workers->bounds.megabytes * 1024 * 1024);
	set_time_bound(workers);
	readable = ops->prepare ? ops->prepare(ops->data) : NULL;
	if (ops->kind != BOUNDED_DOWNLOAD)
		confine(readable);
	while (!rc && receive_job(socket, &index)) {
		struct strbuf bytes = { 0 };
		struct err err = { "" };
		struct worker_reply head;

		set_time_bound(workers);
		rc = ops->work(ops->data, index, &bytes, &err);
		head = (struct worker_reply){ rc, rc ? (uint32_t)strlen(err.text) : 0,
					     rc ? 0 : bytes.length };
		if (!send_all(socket, &head, sizeof(head)) ||
		    !send_all(socket, err.text, head.sentence_size) ||
		    !send_all(socket, strbuf_text(&bytes), head.size))
			break;
		strbuf_release(&bytes);
	}
	_exit(0);
}

/* --- in the parent --- */

/* Reads a bound from the environment, or else @otherwise. Return: 0; ERR_USAGE if not @least to INT_MAX. */
static int read_bound(unsigned long *out, const char *variable, unsigned long least, unsigned long otherwise,
		      struct err *err)
{
	const char *text = getenv(variable);
	char *end;

	*out = otherwise;
	if (!text || !*text)
		return 0;
	errno = 0;
	*out = strtoul(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9' || *out < least || *out > INT_MAX)
		return err_set(err, ERR_USAGE, "%s is '%s', but should be a number, at least %lu", variable,
			       text, least);
	return 0;
}

/*
 * Sends the next job to a worker. Return: false if no job is left, and the worker's socket is closed, or if
 * the worker is dead, and the socket is still open.
 */
static bool give_job(struct workers *workers, struct worker *worker)
{
	uint64_t index = workers->next;

	if (workers->next == workers->end) {
		close(worker->socket); /* so that the worker ends */
		worker->socket = -1;
		return false;
	}
	worker->index = workers->next++;
	worker->waited = 0;
	return send_all(worker->socket, &index, sizeof(index));
}

/* Starts a process for @worker, which runs worker_main(), and sends it a job. Return: 0; ERR_IO. */
static int start_worker(struct workers *workers, struct worker *worker, struct err *err)
{
	int ends[2];

	file_share_inputs(); /* so that the output file (-o) cannot replace a file that a worker reads */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return err_set(err, ERR_IO, "cannot make a socket for another process: %s", strerror(errno));
	worker->pid = fork();
	if (worker->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return err_set(err, ERR_IO, "cannot make another process: %s", strerror(errno));
	}
	if (!worker->pid) {
		for (unsigned i = 0; i < workers->count; i++)
			if (workers->items[i].socket >= 0)
				close(workers->items[i].socket);
		close(ends[0]);
		worker_main(workers, ends[1]);
	}
	close(ends[1]);
	worker->socket = ends[0];
	give_job(workers, worker);
	return 0;
}

/* Waits for the end of a process. @usage: can be NULL. Return: the status of wait4(); 0 if unknown. */
static int reap_worker(pid_t pid, struct rusage *usage)
{
	int status = 0;

	while (wait4(pid, &status, 0, usage) < 0 && errno == EINTR)
		;
	return status;
}

/* Waits until a worker that gave no answer has ended, and explains in @err why it died. Return: ERR_LIMIT. */
static int explain_death(const struct workers *workers, const struct worker *worker, struct err *err)
{
	const struct bounded_ops *ops = workers->ops;
	const char *name = ops->name ? ops->name(ops->data, worker->index) : ops->subject;
	const char *reads = texts[ops->kind].reads;
	const struct bounds *bounds = &workers->bounds;
	struct rusage usage = { .ru_maxrss = 0 };
	int status = reap_worker(worker->pid, &usage);

	if (worker->waited > bounds->wait_seconds)
		return err_set(
			err, ERR_LIMIT,
			"%s: reading %s waited for more than %lu s; is one of the files a FIFO, or on a disk that does not answer? DRVABI_PARSE_SECONDS=N allows more",
			name, reads, bounds->wait_seconds);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return err_set(
			err, ERR_LIMIT,
			"%s: the process that read %s was killed, perhaps because the machine ran out of memory",
			name, reads);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		return err_set(
			err, ERR_LIMIT,
			"%s: reading %s takes more than %lu s of processor time; DRVABI_PARSE_SECONDS=N allows more",
			name, reads, bounds->seconds);
	/*
	 * If an allocation fails, LLVM aborts, and xmalloc() exits. LLVM doubles its buffers, so an
	 * allocation can fail when much less memory than the bound is used.
	 */
	if ((WIFEXITED(status) && WEXITSTATUS(status) == NO_MEMORY_STATUS) ||
	    (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	     (unsigned long)usage.ru_maxrss / 1024 > bounds->megabytes / 4))
		return err_set(
			err, ERR_LIMIT,
			"%s: reading %s takes more than %lu MB of memory; DRVABI_PARSE_MB=N allows more", name,
			reads, bounds->megabytes);
	if (WIFSIGNALED(status))
		return err_set(err, ERR_LIMIT, "%s: the process that read %s crashed (%s)%s", name, reads,
			       strsignal(WTERMSIG(status)), texts[ops->kind].crash_hint);
	return err_set(err, ERR_LIMIT, "%s: the process that read %s ended without an answer (status %d)",
		       name, reads, status);
}

/* Closes a worker's socket, so that the worker ends, and frees its incomplete answer. */
static void stop_worker(struct worker *worker)
{
	if (worker->socket >= 0)
		close(worker->socket);
	worker->socket = -1;
	strbuf_release(&worker->answer);
}

/*
 * Passes the result of a job to ops->done(). For bounded_ask(), which has no such function, keeps the result
 * in the arena, and the return code and message in @workers.
 */
static void finish_job(struct workers *workers, size_t index, int rc, struct view result,
		       const struct err *err)
{
	if (workers->ops->done) {
		workers->ops->done(workers->ops->data, index, rc, result, err);
		return;
	}
	workers->rc = rc ? err_set(workers->err, rc, "%s", err->text) : 0;
	byte_reader_init(workers->answer, arena_memdup(workers->arena, result.at, result.length),
			 result.length);
}

/* Ends a worker that is dead or whose answer is invalid, and reports its job as failed. */
static void end_dead_worker(struct workers *workers, struct worker *worker)
{
	struct err why = { "" };
	int rc;

	stop_worker(worker); /* before the wait, so that a worker that is still alive ends when it sends */
	rc = explain_death(workers, worker, &why);
	finish_job(workers, worker->index, rc, view_of(""), &why);
}

/* Passes on a complete answer, and gives the worker its next job. Ends the worker if its job failed. */
static void receive_answer(struct workers *workers, struct worker *worker)
{
	struct strbuf answer = worker->answer;
	const struct worker_reply *head = (const void *)answer.text;
	struct view body = { answer.text + sizeof(*head), answer.length - sizeof(*head) };
	const int rc = head->rc > 0 ? ERR_LIMIT : head->rc;
	const size_t index = worker->index;
	struct err err = { "" };

	worker->answer = (struct strbuf){ 0 };
	if (rc) {
		memcpy(err.text, body.at, head->sentence_size);
		body.length = 0;
		stop_worker(worker);
		reap_worker(worker->pid, NULL);
	} else if (!give_job(workers, worker) && worker->socket >= 0) {
		end_dead_worker(workers, worker);
	} else if (worker->socket < 0) {
		reap_worker(worker->pid, NULL);
	}
	finish_job(workers, index, rc, body, &err); /* meanwhile, the worker does its next job */
	strbuf_release(&answer);
}

/* Reads the available bytes of an answer. Return: false if the worker is dead, or its answer is invalid. */
static bool read_some(struct worker *worker)
{
	char buffer[65536];
	const ssize_t got = recv(worker->socket, buffer, sizeof(buffer), 0);
	const struct worker_reply *head;

	if (got <= 0)
		return got < 0 && errno == EINTR;
	strbuf_add(&worker->answer, buffer, (size_t)got);
	head = (const void *)worker->answer.text;
	return worker->answer.length < sizeof(*head) ||
	       (head->sentence_size < sizeof(((struct err *)0)->text) && head->size <= RESULT_BYTES_MAX &&
		worker->answer.length <= sizeof(*head) + head->sentence_size + head->size);
}

static bool is_complete(const struct worker *worker)
{
	const struct worker_reply *head = (const void *)worker->answer.text;

	return worker->answer.length >= sizeof(*head) &&
	       worker->answer.length == sizeof(*head) + head->sentence_size + head->size;
}

/*
 * Kills workers, except for downloads, that have used no processor time for too long. Seconds are counted
 * while this process runs, so that workers survive if all processes are stopped for an hour (Ctrl-Z).
 */
static void kill_waiting(struct workers *workers)
{
	struct timespec now = { .tv_sec = 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec == workers->ticked || workers->ops->kind == BOUNDED_DOWNLOAD)
		return;
	workers->ticked = now.tv_sec;
	for (unsigned i = 0; i < workers->count; i++) {
		struct worker *worker = &workers->items[i];
		struct timespec used;
		clockid_t clock;

		if (worker->socket < 0 || clock_getcpuclockid(worker->pid, &clock) ||
		    clock_gettime(clock, &used))
			continue;
		worker->waited = memcmp(&used, &worker->used, sizeof(used)) ? 0 : worker->waited + 1;
		worker->used = used;
		if (worker->waited > workers->bounds.wait_seconds)
			kill(worker->pid, SIGKILL);
	}
}

/*
 * The parent's loop: gives out jobs and receives answers until all workers have ended. The job of a worker
 * that dies fails, and a new worker is started for the rest. If none can be started, jobs are left without a
 * result.
 */
static void serve_workers(struct workers *workers, struct pollfd *fds)
{
	for (;;) {
		unsigned alive = 0;

		for (unsigned i = 0; i < workers->count; i++) {
			fds[i] = (struct pollfd){ .fd = workers->items[i].socket, .events = POLLIN };
			alive += workers->items[i].socket >= 0;
		}
		if (!alive)
			return;
		if (poll(fds, workers->count, 1000) < 0)
			continue;
		kill_waiting(workers);
		for (unsigned i = 0; i < workers->count; i++) {
			struct worker *worker = &workers->items[i];

			if (worker->socket < 0 || !fds[i].revents)
				continue;
			if (!read_some(worker))
				end_dead_worker(workers, worker);
			else if (is_complete(worker))
				receive_answer(workers, worker);
			if (worker->socket < 0 && workers->next < workers->end)
				start_worker(workers, worker, NULL);
		}
	}
}

/*
 * Does all jobs, in up to @jobs processes. Return: 0, even if a job fails, because finish_job() gets its
 * error; ERR_USAGE for an invalid bound; ERR_IO if jobs are left because no process could be made.
 */
static int run_workers(struct workers *workers, unsigned jobs, struct err *err)
{
	struct pollfd *fds;
	int rc;

	if ((rc = read_bound(&workers->bounds.megabytes, "DRVABI_PARSE_MB", LEAST_MB, DEFAULT_MB, err)) ||
	    (rc = read_bound(&workers->bounds.seconds, "DRVABI_PARSE_SECONDS", 1, DEFAULT_SECONDS, err)))
		return rc;
	workers->bounds.wait_seconds = workers->bounds.seconds;
	if (workers->ops->kind == BOUNDED_DOWNLOAD)
		workers->bounds.megabytes *= DOWNLOAD_FACTOR;
	if (workers->ops->kind == BOUNDED_REPOSITORY)
		workers->bounds.seconds *= REPOSITORY_FACTOR;
	workers->items = xmalloc(jobs * sizeof(*workers->items));
	fds = xmalloc(jobs * sizeof(*fds));
	while (workers->count < jobs && !rc) {
		workers->items[workers->count] = (struct worker){ .socket = -1 };
		rc = start_worker(workers, &workers->items[workers->count], err);
		workers->count += !rc;
	}
	if (workers->count) { /* one worker is enough */
		rc = 0;
		serve_workers(workers, fds);
		if (workers->next < workers->end)
			rc = err_set(err, ERR_IO, "cannot make another process");
	}
	for (unsigned i = 0; i < workers->count; i++)
		stop_worker(&workers->items[i]);
	free(workers->items);
	free(fds);
	return rc;
}

int bounded_run(const struct bounded_ops *ops, size_t count, unsigned jobs, struct err *err)
{
	struct workers workers = { .ops = ops, .end = count };

	return count ? run_workers(&workers, !jobs ? 1 : jobs < count ? jobs : (unsigned)count, err) : 0;
}

int bounded_ask(struct byte_reader *out, const struct bounded_ops *ops, struct arena *arena, struct err *err)
{
	struct workers workers = { .ops = ops, .end = 1, .answer = out, .arena = arena, .err = err };
	const int rc = run_workers(&workers, 1, err);

	return rc ? rc : workers.rc;
}
