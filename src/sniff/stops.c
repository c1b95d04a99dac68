/*
 * Handles each stop of a thread, and continues the thread. A watched system call is followed from entry to
 * exit. When an ioctl or a shared mmap of one of the driver's devices has ended, its message is written.
 * Calls that cannot be recorded are reported.
 *
 * A call that a signal interrupts ends with a result that programs never get (ERESTARTSYS, ...). After that,
 * the kernel either restarts the call at the same instruction, so that the program sees one call, or the call
 * returns EINTR. The kernel decides this when it delivers the signal:
 *
 *   1. If the signal has no handler, the kernel restarts the call.
 *   2. If the signal has a handler, the context to which the handler returns shows the decision. The thread
 *      makes one step into the handler, and the tracer reads the context.
 *
 * If a later call has the same instruction, stack and arguments as an interrupted call, it is the restarted
 * call.
 */
#include "sniff/internal.h"

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From the kernel's include/linux/errno.h. Programs never get them, so no header for programs has them. */
enum { ERESTARTSYS = 512, ERESTARTNOINTR = 513, ERESTARTNOHAND = 514, ERESTART_RESTARTBLOCK = 516 };

bool restart_may_follow(int64_t result)
{
	return result == -ERESTARTSYS || result == -ERESTARTNOINTR || result == -ERESTARTNOHAND ||
	       result == -ERESTART_RESTARTBLOCK;
}

bool restart_continue(struct tracee *tracee, const struct entry *entry)
{
	for (struct watched **at = &tracee->interrupted; *at; at = &(*at)->next) {
		struct watched *call = *at;

		if (call->number != entry->number || call->instruction != entry->instruction ||
		    call->stack != entry->stack ||
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

bool restart_must_look(const struct tracee *tracee, int signal)
{
	char caught[PROC_FIELD_MAX];

	return tracee->interrupted && !tracee->interrupted->is_restarted &&
	       proc_field(caught, tracee->tid, "status", "SigCgt:") &&
	       (strtoull(caught, NULL, 16) >> (signal - 1) & 1);
}

/* --- continuing --------------------------------------------------------------------------------- */

/*
 * Delivers @signal (0: none) and continues the thread, up to its next system call if it is in a watched call,
 * or stops at all calls. Kills an ended workload. Errors are ignored, because wait(2) reports ended threads.
 */
static void go_on(const struct session *session, const struct tracee *tracee, int signal)
{
	const bool to_next_call = session->stops_at_all || tracee->call;

	if (session->result.was_ended)
		kill(tracee->tid, SIGKILL);
	ptrace(to_next_call ? PTRACE_SYSCALL : PTRACE_CONT, tracee->tid, NULL, signal);
}

/*
 * Continues a thread that is stopped at the exit of a call, after its memory and descriptors were read. The
 * call's message is then written while the thread runs. The thread's next watched call stops until the
 * message is written.
 */
static void go_on_at_exit(struct session *session, struct tracee *tracee)
{
	if (!tracee->is_at_exit)
		return;
	tracee->is_at_exit = false;
	go_on(session, tracee, 0);
}

/* --- opens ------------------------------------------------------------------------------------- */

static void record_message(struct session *session, const struct trace_message *message,
			   const struct gathered *gathered)
{
	if (!session->result.was_ended &&
	    !session->observer->message(session->observer->data, message, gathered ? gathered->chain : NULL,
					gathered ? gathered->chain_count : 0))
		session->result.was_ended = true;
}

/* Returns a message with the members that all kinds of messages have. It points into @call. */
static struct trace_message call_message(const struct session *session, struct tracee *tracee,
					 const struct watched *call)
{
	return (struct trace_message){
		.fd_path = call->device.path,
		.fd = call->device.fd,
		.pid = (uint32_t)session_pid(tracee),
		.tid = (uint32_t)tracee->tid,
		.start_ns = call->start_ns - session->began_ns,
		.caller = call->caller,
	};
}

/* Writes the message TRACE_OPEN of a device, unless the last one for this descriptor has the same path. */
static void record_open(struct session *session, struct tracee *tracee, const struct watched *call, int fd,
		      const char *path)
{
	struct trace_message message = call_message(session, tracee, call);
	struct opened *opened = session_opened(session, session_pid(tracee), fd);

	if (!strcmp(opened->path, path))
		return;
	snprintf(opened->path, sizeof(opened->path), "%s", path);
	message.kind = TRACE_OPEN;
	message.fd_path = opened->path;
	message.fd = message.ret = fd;
	message.end_ns = message.start_ns;
	message.caller = ""; /* an earlier call opened the descriptor */
	message.open_flags = opened->has_flags ? opened->flags : device_open_flags(tracee->tid, fd);
	record_message(session, &message, NULL);
}

/* The directory has one link from each of its subdirectories, which are the threads. */
static bool has_one_thread(pid_t pid)
{
	struct stat st;

	return !stat(proc_path(pid, "task").text, &st) && st.st_nlink == 2 + 1;
}

/**
 * message_opens - write messages for descriptors that were opened before @call
 *
 * Threads do not stop when they open a device, so the message is written when the descriptor is first used as
 * this device. If the process has only one thread, the messages of all its devices are written, because some
 * devices may never be used. With several threads, these messages would not be the same in each run.
 */
static void message_opens(struct session *session, struct tracee *tracee, const struct watched *call)
{
	const struct opened *opened = session_opened(session, session_pid(tracee), call->device.fd);
	struct device *list = NULL;
	size_t count = 0;

	if (!strcmp(opened->path, call->device.path))
		return;
	if (has_one_thread(session_pid(tracee)))
		count = device_list_of(&list, session->options->devices, session_pid(tracee));
	for (size_t i = 0; i < count; i++)
		if (list[i].is_replayed == call->device.is_replayed)
			record_open(session, tracee, call, list[i].fd, list[i].path);
	record_open(session, tracee, call, call->device.fd, call->device.path);
	free(list);
}

/* --- ioctls ------------------------------------------------------------------------------------- */

/* Completes an ioctl's message, continues the thread unless observer->may_end, and passes the message on. */
static void record_ioctl(struct session *session, struct tracee *tracee, struct trace_message *message,
			 const struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	const struct region *regions = gathered->regions;
	struct device devices[CALL_FDS_MAX]; /* their paths are those of @fds */
	struct decode_fd fds[CALL_FDS_MAX];
	struct trace_memory *memory = NULL;

	message->kind = TRACE_IOCTL;
	message->request = (uint32_t)call->arguments[1];
	message->argument = call->arguments[2];
	if (gathered->count) { /* the first range is the argument; the others are the targets of pointers */
		memory = xmalloc(gathered->count * sizeof(*memory));
		for (size_t i = 0; i < gathered->count; i++)
			memory[i] = (struct trace_memory){ regions[i].address, regions[i].size_bytes,
							   gather_bytes(&regions[i], &regions[i].before),
							   gather_bytes(&regions[i], &regions[i].after) };
		message->before = memory[0].before;
		message->after = memory[0].after;
		message->memory = memory + 1;
		message->memory_count = gathered->count - 1;
	}
	message->fds = fds;
	for (size_t i = 0; i < gathered->reference_count && message->fd_count < CALL_FDS_MAX; i++) {
		const struct reference *reference = &gathered->references[i];
		struct device *device = &devices[message->fd_count];
		const int fd = (int)reference->number;

		if (!reference->is_fd || reference->number < 0 || reference->number > INT_MAX)
			continue;
		if (!device_of(device, session->options->devices, tracee->tid, fd, ""))
			device_path_of(device->path, tracee->tid, fd);
		fds[message->fd_count++] = (struct decode_fd){ reference->number, device->path };
	}
	if (!session->observer->may_end)
		go_on_at_exit(session, tracee);
	record_message(session, message, gathered);
	free(memory);
}

/* --- ends --------------------------------------------------------------------------------------- */

enum { ERRNO_MAX = 4095 };

/**
 * message_end_call - write the message of an ioctl or mmap that has ended, and release @call
 * @result: the kernel's result: a negative errno, or the call's result
 */
static void message_end_call(struct session *session, struct tracee *tracee, struct watched *call,
			     int64_t result)
{
	struct trace_message message = call_message(session, tracee, call);
	const bool failed = result < 0 && result >= -ERRNO_MAX;

	message.end_ns = monotonic_ns() - session->began_ns;
	message.ret = failed ? -1 : (int32_t)result;
	message.error = failed ? (int32_t)-result : 0;
	if (call->number == SYS_mmap) {
		message.kind = TRACE_MMAP;
		message.ret = failed ? -1 : 0;
		message.argument = failed ? 0 : (uint64_t)result;
		message.map_size_bytes = call->arguments[1];
		message.map_protection = call->arguments[2];
		message.map_flags = call->arguments[3];
		message.map_offset = call->arguments[5];
		record_message(session, &message, NULL);
	} else {
		gather_after(&call->gathered, tracee->tid);
		record_ioctl(session, tracee, &message, call);
	}
	watched_free(call);
}

/* --- calls --------------------------------------------------------------------------------------- */

static size_t read_tracee(void *out, void *data, uint64_t address, size_t size_bytes)
{
	return memory_read(out, ((const struct tracee *)data)->tid, address, size_bytes);
}

static bool is_shared_mmap(const uint64_t arguments[6])
{
	return (arguments[3] & MAP_SHARED) && !(arguments[3] & MAP_ANONYMOUS) && (int)arguments[4] >= 0;
}

static bool is_watched(const struct entry *entry)
{
	if (entry->number == SYS_ioctl)
		return device_may_answer((uint32_t)entry->arguments[1]);
	return entry->number == SYS_mmap && is_shared_mmap(entry->arguments);
}

/* --- calls that are not recorded ----------------------------------------------------------------- */

/*
 * Finds the descriptor of an ioctl or shared mmap of a 32-bit or x32 program; -1 for all other calls.
 * @name: set to the name of such programs
 */
static int foreign_fd(const char **name, const struct tracee *tracee, const struct entry *entry)
{
	const bool is_narrow = entry->architecture == sniff_arch.narrow_audit;
	uint32_t words[6]; /* arguments that are in memory */
	uint64_t arguments[6];

	*name = is_narrow ? sniff_arch.narrow_name : "x32";
	if (!is_narrow && entry->architecture != sniff_arch.audit)
		return -1;
	if (entry->number == (is_narrow ? sniff_arch.narrow_ioctl : sniff_arch.x32_ioctl))
		return device_may_answer((uint32_t)entry->arguments[1]) ? (int)entry->arguments[0] : -1;
	memcpy(arguments, entry->arguments, sizeof(arguments));
	if (is_narrow && sniff_arch.narrow_old_mmap && entry->number == sniff_arch.narrow_old_mmap) {
		if (memory_read(words, tracee->tid, arguments[0], sizeof(words)) != sizeof(words))
			return -1;
		for (size_t i = 0; i < 6; i++)
			arguments[i] = words[i];
	} else if (entry->number != (is_narrow ? sniff_arch.narrow_mmap : SYS_mmap | sniff_arch.x32_bit)) {
		return -1;
	}
	return is_shared_mmap(arguments) ? (int)arguments[4] : -1;
}

/* True if this process may not read the descriptors of @tid. */
static bool is_hidden(pid_t tid, int fd)
{
	char path[2];

	if (readlink(proc_fd_path(tid, fd).text, path, sizeof(path)) >= 0)
		return false;
	/* if /proc is mounted with hidepid, it does not show the process */
	return errno == EACCES || errno == EPERM || access(proc_path(tid, "").text, F_OK);
}

/* If the tracer may not read the process's memory and descriptors, reports this, once for each process. */
static void report_hidden(struct session *session, struct tracee *tracee, int fd)
{
	struct opened *process;

	if (!is_hidden(tracee->tid, fd))
		return;
	process = session_opened(session, session_pid(tracee), -1);
	if (!process->is_hidden)
		observer_loss(session->observer,
			"process %d cannot be read: it belongs to another user, is not dumpable (PR_SET_DUMPABLE), or /proc does not show it; "
			"its ioctls are not recorded. Sniff as root, in a container with the capability SYS_PTRACE (--cap-add SYS_PTRACE)",
			(int)session_pid(tracee));
	process->is_hidden = true;
}

/*
 * Counts calls of 32-bit and x32 programs on the driver's devices, and reports the first of each process.
 * They are not recorded, because they have different structs and registers.
 */
static void report_foreign_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const char *name;
	const int fd = foreign_fd(&name, tracee, entry);
	struct opened *process;
	struct device device;

	if (fd < 0)
		return;
	if (!device_of(&device, session->options->devices, tracee->tid, fd, "")) {
		if (!*device.path)
			report_hidden(session, tracee, fd);
		return;
	}
	process = session_opened(session, session_pid(tracee), -1);
	if (!process->has_foreign_calls)
		observer_loss(session->observer, "process %d makes %s calls on %s; they are not recorded",
			     (int)session_pid(tracee), name, device.path);
	process->has_foreign_calls = true;
	session->foreign_calls++;
}

/* True if the call starts a process with CLONE_UNTRACED. */
static bool makes_untraced(struct tracee *tracee, const struct entry *entry)
{
	uint64_t flags = 0;

	if (entry->number == SYS_clone)
		flags = entry->arguments[0];
	else if (entry->number == SYS_clone3 &&
		 memory_read(&flags, tracee->tid, entry->arguments[0], sizeof(flags)) != sizeof(flags))
		return false;
	return flags & CLONE_UNTRACED;
}

/*
 * Reports calls that hide later calls from the tracer. The ioctls of an untraced process fail if there is a
 * filter, and reach the driver if there is none.
 */
static void report_unseen(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const uint64_t seccomp =
		entry->architecture == sniff_arch.narrow_audit ? sniff_arch.narrow_seccomp : SYS_seccomp;

	if (!session->stops_at_all && entry->number == seccomp &&
	    (entry->arguments[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER))
		observer_loss(session->observer,
			"process %d installs a seccomp filter that notifies a supervisor (SECCOMP_RET_USER_NOTIF); ioctls that the "
			"supervisor lets continue are not recorded",
			(int)session_pid(tracee));
	if (session->stops_at_all && makes_untraced(tracee, entry))
		observer_loss(session->observer,
			"process %d starts an untraced process (CLONE_UNTRACED), whose ioctls are not recorded",
			(int)session_pid(tracee));
}

/*
 * watch_entry - at the entry of an ioctl or mmap on a device of the driver, set tracee->call, write messages
 * of opens, and read memory. With replay, answers this call, or a call with a path. Reports unrecorded calls.
 */
static void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const struct gather_source source = { .read = read_tracee, .data = tracee };
	const int fd = (int)entry->arguments[entry->number == SYS_mmap ? 4 : 0];
	struct watched *call;
	struct device device;
	struct call first;

	report_unseen(session, tracee, entry);
	if (entry->architecture != sniff_arch.audit || (entry->number & sniff_arch.x32_bit)) {
		report_foreign_entry(session, tracee, entry);
		return;
	}
	if (session->options->replay && path_call_of(entry->number)) {
		paths_entry(session, tracee, entry);
		return;
	}
	if (!is_watched(entry) || restart_continue(tracee, entry))
		return;
	if (!device_of(&device, session->options->devices, tracee->tid, fd, session->last_device)) {
		if (!*device.path && entry->number == SYS_ioctl)
			report_hidden(session, tracee, fd);
		return;
	}
	if (device.is_replayed && !session->options->replay)
		return;
	if (!device.is_replayed)
		memcpy(session->last_device, device.path, sizeof(session->last_device));
	call = watched_new(tracee, entry);
	call->device = device;
	if (session->options->names_callers)
		who_called(call->caller, session, tracee);
	message_opens(session, tracee, call);
	if (entry->number == SYS_ioctl) {
		identify_ioctl(&first, &session->scope, device.path, (uint32_t)entry->arguments[1],
			       entry->arguments[2]);
		gather_before(&call->gathered, &first, &source, &session->scope);
		if (device.is_replayed)
			answer_ioctl(session, tracee, call);
	} else if (device.is_replayed) {
		answer_mmap(session, tracee, call);
	}
}

/*
 * watch_exit - at the exit of tracee->call, set its answer, write the message of an ioctl or mmap, and free
 * the call. If a signal interrupted the call, keeps it in tracee->interrupted, because the kernel may restart
 * it.
 * @result: a negative errno, or the call's result
 */
static void watch_exit(struct session *session, struct tracee *tracee, int64_t result)
{
	struct watched *call = tracee->call;

	tracee->call = NULL;
	if (path_call_of(call->number)) {
		answer_exit(call, tracee, paths_exit(session, call, tracee, result));
		watched_free(call);
		return;
	}
	result = answer_exit(call, tracee, result);
	if (call->answer.kind == ANSWER_NONE && restart_may_follow(result)) {
		call->next = tracee->interrupted;
		tracee->interrupted = call;
		return;
	}
	message_end_call(session, tracee, call, result);
}

/*
 * watch_gone - free the calls of a thread that has ended or executed a program, and write the messages of the
 * ioctls, in the order in which they began, without a result and without bytes from after the call.
 */
static void watch_gone(struct session *session, struct tracee *tracee)
{
	struct trace_message message;
	struct watched *call, *first = NULL, **at;

	while ((call = tracee->call ? tracee->call : tracee->interrupted)) {
		*(tracee->call ? &tracee->call : &tracee->interrupted) = call->next;
		/* the current call may be an old one that was restarted */
		for (at = &first; *at && (*at)->start_ns < call->start_ns; at = &(*at)->next)
			;
		call->next = *at;
		*at = call;
	}
	while ((call = first)) {
		first = call->next;
		message = call_message(session, tracee, call);
		if (call->number == SYS_ioctl)
			record_ioctl(session, tracee, &message, call);
		watched_free(call);
	}
}

/* --- stops -------------------------------------------------------------------------------------- */

/*
 * restart_look - at the first instruction of a signal handler, find out whether the kernel restarts the last
 * interrupted call. If not, the call returns EINTR, and its message is written.
 */
static void restart_look(struct session *session, struct tracee *tracee)
{
	struct watched *call = tracee->interrupted;
	uint64_t pc;

	if (!arch_handler_returns(&pc, tracee->tid))
		return;
	if (pc == call->instruction - sniff_arch.call_bytes) {
		call->is_restarted = true;
		return;
	}
	tracee->interrupted = call->next;
	message_end_call(session, tracee, call, -EINTR);
}

/* The signal of a system call's stop, with PTRACE_O_TRACESYSGOOD. */
enum { SYSCALL_STOP = SIGTRAP | 0x80 };

/* Handles the entry or exit of a system call at which a thread has stopped. */
static void system_call(struct session *session, struct tracee *tracee)
{
	struct __ptrace_syscall_info info;
	struct entry entry;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tracee->tid, sizeof(info), &info) < 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
		if (tracee->call)
			watch_exit(session, tracee, info.exit.rval);
	} else if (info.op != PTRACE_SYSCALL_INFO_NONE) { /* info.seccomp begins like info.entry */
		entry = (struct entry){ .architecture = info.arch,
					.number = info.entry.nr,
					.instruction = info.instruction_pointer,
					.stack = info.stack_pointer };
		memcpy(entry.arguments, info.entry.args, sizeof(entry.arguments));
		watch_entry(session, tracee, &entry);
	}
}

/* Calls system_call(), and continues the thread, unless go_on_at_exit() has already done this. */
static void system_call_stop(struct session *session, struct tracee *tracee)
{
	const bool is_exit = tracee->is_at_exit = tracee->call;

	system_call(session, tracee);
	if (!is_exit || tracee->is_at_exit)
		go_on(session, tracee, 0);
	tracee->is_at_exit = false;
}

static bool is_stopping(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/*
 * If the terminal stopped the command, or the command stopped itself, this process stops as well, so that its
 * parent sees the stop. A SIGCONT to this process continues both. If a different process of the workload
 * stopped the command, this process does not stop, because only the workload knows when to continue the
 * command.
 */
static void stop_with(const struct session *session, const struct tracee *tracee, int signal)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL }, before;

	if (tracee->tid != session->child || getpgid(tracee->tid) != getpgrp())
		return;
	if (signal == SIGSTOP) { /* stops only in a job of a shell */
		if (session->stopped_itself && getpgid(getppid()) != getpgrp() &&
		    getsid(getppid()) == getsid(0))
			raise(signal);
		return;
	}
	sigaction(signal, &by_default, &before);
	raise(signal);
	sigaction(signal, &before, NULL);
}

/*
 * Return: false if the command has already got the signal at which the thread has stopped, so that the signal
 * must be dropped. Also notes whether the command stopped itself.
 */
static bool should_deliver(struct session *session, struct tracee *tracee)
{
	siginfo_t info;

	if (session->options->pid || session_pid(tracee) != session->child ||
	    ptrace(PTRACE_GETSIGINFO, tracee->tid, NULL, &info) < 0 || info.si_code > 0)
		return true;
	if (info.si_signo == SIGSTOP)
		session->stopped_itself = info.si_pid == session->child;
	return !signals_is_again(&info, monotonic_ns());
}

/* Writes a note if a program is set-user-id or set-group-id, and runs without that user or group. */
static void check_privilege(const struct session *session, pid_t pid)
{
	const struct proc_path link = proc_path(pid, "exe");
	char path[DEVICE_PATH_MAX], users[PROC_FIELD_MAX], groups[PROC_FIELD_MAX];
	unsigned user, group; /* the effective ids */
	struct stat st;

	if (stat(link.text, &st) || !(st.st_mode & (S_ISUID | S_ISGID)) ||
	    !proc_field(users, pid, "status", "Uid:") || !proc_field(groups, pid, "status", "Gid:") ||
	    sscanf(users, "%*u %u", &user) != 1 || sscanf(groups, "%*u %u", &group) != 1)
		return;
	if ((!(st.st_mode & S_ISUID) || st.st_uid == user) && (!(st.st_mode & S_ISGID) || st.st_gid == group))
		return;
	link_target(path, sizeof(path), link.text);
	observer_note(session->observer,
		"%s runs without the privilege of its owner, because it is set-user-id and traced without privilege; "
		"run it beforehand (nvidia-modprobe), or sniff as root",
		path);
}

/*
 * Handles the stop after an exec: ends the calls of the thread that executed the program, forgets what was
 * reported about the process, and reports a lost privilege or, with replay, a 32-bit program. The process has
 * only one thread now, whose id is the pid.
 */
static void became_program(struct session *session, struct tracee *tracee)
{
	struct __ptrace_syscall_info info;
	unsigned long before = 0;

	watch_gone(session, tracee);
	if (!ptrace(PTRACE_GETEVENTMSG, tracee->tid, NULL, &before) && (pid_t)before != tracee->tid) {
		struct tracee *thread = session_tracee(session, (pid_t)before);

		watch_gone(session, thread);
		session_forget(session, thread);
	}
	tracee->pid = 0;
	session_forget_process(session, tracee->tid, false);
	check_privilege(session, tracee->tid);
	if (session->options->replay &&
	    ptrace(PTRACE_GET_SYSCALL_INFO, tracee->tid, sizeof(info), &info) > 0 &&
	    info.arch == sniff_arch.narrow_audit)
		observer_loss(session->observer,
			"process %d executes an %s program, whose opens and calls the trace does not answer",
			(int)tracee->tid, sniff_arch.narrow_name);
}

/* Ends the calls of a thread, and forgets it. @status: the result of wait(2), kept if it is the command's */
static void thread_ended(struct session *session, struct tracee *tracee, int status)
{
	watch_gone(session, tracee);
	if (tracee->tid == session->child) {
		session->result.status = status;
		signals_command_ended();
	}
	session_forget_process(session, tracee->tid, true);
	session_forget(session, tracee);
}

void stops_next(struct session *session, pid_t tid, int status)
{
	struct tracee *tracee = session_tracee(session, tid);
	const int signal = WSTOPSIG(status), event = status >> 16;
	const bool is_step = tracee->steps && signal == SIGTRAP;
	int given = 0; /* the signal that the thread gets */

	if (!WIFSTOPPED(status)) {
		thread_ended(session, tracee, status);
		return;
	}
	tracee->steps = false;
	if (session->is_leaving) {
		watch_gone(session, tracee);
		ptrace(PTRACE_DETACH, tid, NULL, event || signal == SYSCALL_STOP || is_step ? 0 : signal);
		session_forget(session, tracee);
		return;
	}
	switch (event) {
	case 0:
		if (signal == SYSCALL_STOP) {
			system_call_stop(session, tracee);
			return;
		}
		if (is_step) {
			restart_look(session, tracee);
		} else if (should_deliver(session, tracee)) {
			given = signal;
			if (restart_must_look(tracee, signal)) {
				tracee->steps = true;
				ptrace(PTRACE_SINGLESTEP, tid, NULL, signal);
				return;
			}
		}
		break;
	case PTRACE_EVENT_STOP: /* a new thread, the beginning or end of a group stop, or PTRACE_INTERRUPT */
		if (is_stopping(signal)) {
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			stop_with(session, tracee, signal);
			return;
		}
		break;
	case PTRACE_EVENT_SECCOMP:
		if (!session->stops_at_all) /* otherwise the stop at the entry was handled before */
			system_call(session, tracee);
		break;
	case PTRACE_EVENT_EXEC:
		became_program(session, tracee);
		break;
	default: /* a fork or clone: the new thread has its own first stop */
		if (session->options->replay)
			paths_forked(session, tracee);
		break;
	}
	go_on(session, tracee, given);
}
