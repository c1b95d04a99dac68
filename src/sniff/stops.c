/* sniff/stops.c - at which system calls a workload stops, and what each stop is */
#include "sniff/internal.h"
#include "sniff/sniff.h"
#include "decode/decode.h"

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The program, in this order:
 *
 *   1. another architecture: its ioctls, and filters that ask a supervisor; all else is allowed
 *   2. ioctl: the request
 *   3. seccomp: a filter that asks a supervisor
 *   4. mmap: flags and descriptor
 *   5. with replay, the calls that name a path or ask for a status
 *   6. allow
 *
 * Each of them ends with a verdict, so that jumps stay within one.
 */

#define DATA(field) ((uint32_t)offsetof(struct seccomp_data, field))
/* The low half of an argument: both processors are little-endian. What the kernel ignores of an int is not looked at. */
#define ARGUMENT(index) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (index)))

/* What replay answers, or must know of. */
static const uint32_t path_calls[] = {
#ifdef SYS_open
	SYS_open,
#endif
#ifdef SYS_creat
	SYS_creat,
#endif
#ifdef SYS_stat
	SYS_stat, SYS_lstat,
#endif
#ifdef SYS_access
	SYS_access,
#endif
#ifdef SYS_readlink
	SYS_readlink,
#endif
	SYS_openat, SYS_openat2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
};

enum { PATH_CALLS = sizeof(path_calls) / sizeof(*path_calls) };

struct program {
	struct sock_filter *out;
	size_t count;
};

static void emit(struct program *program, uint16_t code, uint32_t value)
{
	program->out[program->count++] = (struct sock_filter)BPF_STMT(code, value);
}

/* Skip @count instructions unless the accumulator is @value, or has a bit of it. */
static void skip_unless(struct program *program, uint16_t test, uint32_t value, uint8_t count)
{
	program->out[program->count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, count);
}

static void skip_if(struct program *program, uint16_t test, uint32_t value, uint8_t count)
{
	program->out[program->count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, count, 0);
}

static void load(struct program *program, uint32_t offset)
{
	emit(program, BPF_LD | BPF_W | BPF_ABS, offset);
}

static void stop(struct program *program)
{
	emit(program, BPF_RET | BPF_K, SECCOMP_RET_TRACE);
}

static void allow(struct program *program)
{
	emit(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

/* An ioctl of that number in its architecture's table: the driver gets all requests but a few. */
static void judge_ioctl(struct program *program, uint32_t number)
{
	skip_unless(program, BPF_JEQ, number, DEVICE_NEVER_COUNT + 3);
	load(program, ARGUMENT(1));
	for (uint8_t i = 0; i < DEVICE_NEVER_COUNT; i++)
		skip_if(program, BPF_JEQ, device_never[i], (uint8_t)(DEVICE_NEVER_COUNT - i));
	stop(program);
	allow(program);
}

/* A filter of the workload's own that asks a supervisor: what that lets go on, stops nowhere. */
static void judge_listener(struct program *program, uint32_t number)
{
	skip_unless(program, BPF_JEQ, number, 4);
	load(program, ARGUMENT(1));
	skip_unless(program, BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER, 1);
	stop(program);
	allow(program);
}

static void judge_mmap(struct program *program)
{
	skip_unless(program, BPF_JEQ, SYS_mmap, 7);
	load(program, ARGUMENT(3));
	skip_unless(program, BPF_JSET, MAP_SHARED, 4);
	skip_if(program, BPF_JSET, MAP_ANONYMOUS, 3);
	load(program, ARGUMENT(4));
	skip_if(program, BPF_JSET, 0x80000000, 1);
	stop(program);
	allow(program);
}

size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay)
{
	enum { NARROW_LENGTH = 1 + (DEVICE_NEVER_COUNT + 4) + 5 + 1 };
	struct program program = { .out = out };

	load(&program, DATA(arch));
	skip_if(&program, BPF_JEQ, sniff_arch.audit, NARROW_LENGTH + 1);
	skip_unless(&program, BPF_JEQ, sniff_arch.narrow_audit, NARROW_LENGTH - 1);
	load(&program, DATA(nr));
	judge_ioctl(&program, sniff_arch.narrow_ioctl);
	judge_listener(&program, sniff_arch.narrow_seccomp);
	allow(&program);

	load(&program, DATA(nr));
	judge_ioctl(&program, SYS_ioctl);
	if (sniff_arch.x32_bit)
		judge_ioctl(&program, (uint32_t)sniff_arch.x32_bit | 514); /* arch/x86/entry/syscalls/syscall_64.tbl: x32 ioctl */
	judge_listener(&program, SYS_seccomp);
	judge_mmap(&program);
	for (size_t i = 0; replay && i < PATH_CALLS; i++) {
		skip_unless(&program, BPF_JEQ, path_calls[i], 1);
		stop(&program);
	}
	allow(&program);
	return program.count;
}

/* filter_names_path - is it one of the calls that open a file by name, or ask for its status? */
static bool filter_names_path(uint64_t number)
{
	for (size_t i = 0; i < PATH_CALLS; i++)
		if (path_calls[i] == number)
			return true;
	return false;
}

enum { CAPS_MAX = 20 }; /* each doubles the time */

/* The capabilities that there are, and for each entry those that it lists, as bits. */
struct cover {
	const char *caps[CAPS_MAX];
	size_t cap_count;
	uint32_t *wanted;
	size_t wanted_count;
};

static size_t index_of(const struct cover *cover, const char *cap)
{
	size_t i = 0;

	while (i < cover->cap_count && strcmp(cover->caps[i], cap))
		i++;
	return i;
}

static bool is_listed(const char *cap, const struct table_entry *const *entries, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < entries[i]->cap_count; c++)
			if (!strcmp(entries[i]->caps[c], cap))
				return true;
	return false;
}

static void add(struct cover *cover, const char *cap)
{
	if (cover->cap_count < CAPS_MAX && index_of(cover, cap) == cover->cap_count)
		cover->caps[cover->cap_count++] = cap;
}

/* Those of table_caps first, then others by name: entries list theirs sorted, the least unknown one is next. */
static void collect_caps(struct cover *cover, const struct table_entry *const *entries, size_t count)
{
	for (const char *const *cap = table_caps; *cap; cap++)
		if (is_listed(*cap, entries, count))
			add(cover, *cap);
	for (;;) {
		const char *least = NULL;

		for (size_t i = 0; i < count; i++)
			for (size_t c = 0; c < entries[i]->cap_count; c++) {
				const char *cap = entries[i]->caps[c];

				if (index_of(cover, cap) == cover->cap_count && (!least || strcmp(cap, least) < 0))
					least = cap;
			}
		if (!least || cover->cap_count == CAPS_MAX)
			return;
		add(cover, least);
	}
}

/* Entries that list the same capabilities are one. */
static void collect_wanted(struct cover *cover, const struct table_entry *const *entries, size_t count, struct arena *arena)
{
	cover->wanted = arena_array(arena, count + 1, sizeof(*cover->wanted));
	for (size_t i = 0; i < count; i++) {
		uint32_t bits = 0;
		size_t at = 0;

		for (size_t c = 0; c < entries[i]->cap_count; c++) {
			const size_t index = index_of(cover, entries[i]->caps[c]);

			bits |= index < cover->cap_count ? UINT32_C(1) << index : 0;
		}
		while (at < cover->wanted_count && cover->wanted[at] != bits)
			at++;
		if (bits && at == cover->wanted_count)
			cover->wanted[cover->wanted_count++] = bits;
	}
}

static bool covers(const struct cover *cover, uint32_t set)
{
	for (size_t i = 0; i < cover->wanted_count; i++)
		if (!(cover->wanted[i] & set))
			return false;
	return true;
}

/* A set is a number: the first capability is its highest bit here, so that of sets of one size the greatest comes first. */
static uint32_t order_of(const struct cover *cover, uint32_t set)
{
	uint32_t order = 0;

	for (size_t i = 0; i < cover->cap_count; i++)
		if (set >> i & 1)
			order |= UINT32_C(1) << (CAPS_MAX - 1 - i);
	return order;
}

static uint32_t smallest(const struct cover *cover)
{
	uint32_t best = (UINT32_C(1) << cover->cap_count) - 1;

	for (uint32_t set = 0; set < UINT32_C(1) << cover->cap_count; set++) {
		const int size = __builtin_popcount(set), best_size = __builtin_popcount(best);

		if (size > best_size || (size == best_size && order_of(cover, set) <= order_of(cover, best)))
			continue;
		if (covers(cover, set))
			best = set;
	}
	return best;
}

void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count, struct arena *arena)
{
	struct cover cover = { .cap_count = 0 };
	const char **list = arena_array(arena, CAPS_MAX + 1, sizeof(*list));
	size_t listed = 0;
	uint32_t set;

	collect_caps(&cover, entries, count);
	collect_wanted(&cover, entries, count, arena);
	set = smallest(&cover);
	for (size_t i = 0; i < cover.cap_count; i++)
		if (set >> i & 1)
			list[listed++] = cover.caps[i];
	*out = list;
}

/* With PTRACE_O_TRACESYSGOOD. */
enum { SYSCALL_STOP = SIGTRAP | 0x80 };

/* Which system call a stop is about; false if that cannot be known. */
static bool read_entry(struct entry *out, const struct __ptrace_syscall_info *info)
{
	*out = (struct entry){ .architecture = info->arch, .instruction = info->instruction_pointer, .stack = info->stack_pointer };
	if (info->op == PTRACE_SYSCALL_INFO_ENTRY) {
		out->number = info->entry.nr;
		memcpy(out->arguments, info->entry.args, sizeof(out->arguments));
		return true;
	}
	if (info->op == PTRACE_SYSCALL_INFO_SECCOMP) {
		out->number = info->seccomp.nr;
		memcpy(out->arguments, info->seccomp.args, sizeof(out->arguments));
		return true;
	}
	return false;
}

/* --- calls --------------------------------------------------------------------------------------- */

static size_t read_tracee(void *out, void *data, uint64_t address, size_t size_bytes)
{
	struct tracee *tracee = data;

	return ahead_read(out, &tracee->ahead, tracee->tid, address, size_bytes);
}

static void begin_ioctl(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct gather_source source = { .read = read_tracee, .data = tracee };
	struct call first;

	ahead_begin(&tracee->ahead);
	identify_ioctl(&first, session->options->devices, call->device.path, (uint32_t)call->arguments[1], call->arguments[2], session->options->abi);
	gather_before(&call->gathered, &first, &source, &session->scope);
}

static bool is_watched(const struct entry *entry)
{
	if (entry->number == SYS_ioctl)
		return device_may_answer((uint32_t)entry->arguments[1]);
	return entry->number == SYS_mmap && (entry->arguments[3] & MAP_SHARED) && !(entry->arguments[3] & MAP_ANONYMOUS) &&
	       (int)entry->arguments[4] >= 0;
}

static int descriptor_of(const struct entry *entry)
{
	return (int)entry->arguments[entry->number == SYS_mmap ? 4 : 0];
}

/* The kernel lets nobody look at what has other rights than the tracer, though it is traced. */
static void report_hidden(struct session *session, struct tracee *tracee, int fd)
{
	struct opened *process;

	if (!device_is_hidden(tracee->tid, fd))
		return;
	process = session_opened(session, session_pid(tracee), -1);
	if (!process->is_hidden)
		session_loss(session, "process %d may not be looked at, since it is another user's, has asked for that (PR_SET_DUMPABLE), or /proc does not show it; "
			     "its ioctls are not recorded. Sniff as root, in a container with the capability SYS_PTRACE (--cap-add SYS_PTRACE)",
			     (int)session_pid(tracee));
	process->is_hidden = true;
}

/* --- what is not recorded ------------------------------------------------------------------------ */

static const char *foreign_name(const struct entry *entry)
{
	if (entry->architecture == sniff_arch.narrow_audit)
		return entry->number == sniff_arch.narrow_ioctl ? sniff_arch.narrow_name : NULL;
	return entry->architecture == sniff_arch.audit && (entry->number & sniff_arch.x32_bit) ? "x32" : NULL;
}

/* Their structs have another layout, and their registers other meanings. */
static void report_foreign(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	const int fd = (int)entry->arguments[0];
	const char *name = foreign_name(entry);
	struct opened *process;
	struct device device;

	if (!name || !device_may_answer((uint32_t)entry->arguments[1]))
		return;
	if (!device_of(&device, session->options->devices, tracee->tid, -1, fd, "")) {
		if (!*device.path)
			report_hidden(session, tracee, fd);
		return;
	}
	process = session_opened(session, session_pid(tracee), -1);
	if (!process->has_foreign_calls)
		session_loss(session, "process %d makes %s ioctls to %s; they are not recorded", (int)session_pid(tracee), name, device.path);
	process->has_foreign_calls = true;
	session->foreign_calls++;
}

static bool is_seccomp(const struct entry *entry)
{
	return entry->architecture == sniff_arch.narrow_audit ? entry->number == sniff_arch.narrow_seccomp : entry->number == SYS_seccomp;
}

static bool makes_untraced(struct tracee *tracee, const struct entry *entry)
{
	uint64_t flags = 0;

	if (entry->number == SYS_clone)
		flags = entry->arguments[0];
	else if (entry->number == SYS_clone3 && memory_read(&flags, tracee->tid, entry->arguments[0], sizeof(flags)) != sizeof(flags))
		return false;
	return flags & CLONE_UNTRACED;
}

/* What makes calls that nobody sees from then on. Behind the filter, the ioctls of a process that is not traced fail; without one they do not. */
static void report_unseen(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	if (!session->stops_at_all && is_seccomp(entry) && (entry->arguments[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER))
		session_loss(session, "process %d puts a filter on itself that asks a supervisor (SECCOMP_RET_USER_NOTIF); an ioctl that this lets go on is "
			     "not recorded", (int)session_pid(tracee));
	if (session->stops_at_all && makes_untraced(tracee, entry))
		session_loss(session, "process %d starts one that may not be traced (CLONE_UNTRACED); its ioctls are not recorded", (int)session_pid(tracee));
}

/* watch_entry - sets tracee->call if the call is watched. */
static void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	struct watched *call;
	struct device device;

	report_unseen(session, tracee, entry);
	if (entry->architecture != sniff_arch.audit || (entry->number & sniff_arch.x32_bit)) {
		report_foreign(session, tracee, entry);
		return;
	}
	if (session->options->replay && filter_names_path(entry->number)) {
		paths_entry(session, tracee, entry);
		return;
	}
	if (!is_watched(entry) || restart_continue(tracee, entry))
		return;
	if (!device_of(&device, session->options->devices, tracee->tid, session_table(session, tracee), descriptor_of(entry), session->last_device)) {
		if (!*device.path && entry->number == SYS_ioctl)
			report_hidden(session, tracee, descriptor_of(entry));
		return;
	}
	if (device.is_replayed && !session->options->replay)
		return;
	if (!device.is_replayed)
		memcpy(session->last_device, device.path, sizeof(session->last_device));
	call = session_new_call(session, tracee, entry);
	call->device = device;
	message_opens(session, tracee, call);
	if (entry->number == SYS_ioctl)
		begin_ioctl(session, tracee, call);
	if (device.is_replayed && entry->number == SYS_ioctl)
		answer_ioctl(session, tracee, call);
	else if (device.is_replayed)
		answer_mmap(session, tracee, call);
}

/* watch_exit - the call that tracee->call is has ended with @result, as the kernel has it: a negative errno, or what it returns. */
static void watch_exit(struct session *session, struct tracee *tracee, int64_t result)
{
	struct watched *call = tracee->call;

	tracee->call = NULL;
	if (filter_names_path(call->number))
		result = paths_exit(session, call, tracee, result);
	result = answer_exit(call, tracee, result);
	if (filter_names_path(call->number)) {
		session_end_call(session, call);
		return;
	}
	if (call->answer.kind == ANSWER_NONE && restart_may_follow(result)) {
		call->next = tracee->interrupted;
		tracee->interrupted = call;
		return;
	}
	message_end_call(session, tracee, call, result);
}

static void system_call(struct session *session, struct tracee *tracee)
{
	struct __ptrace_syscall_info info;
	struct entry entry;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tracee->tid, sizeof(info), &info) < 0)
		return;
	if (read_entry(&entry, &info))
		watch_entry(session, tracee, &entry);
	else if (info.op == PTRACE_SYSCALL_INFO_EXIT && tracee->call)
		watch_exit(session, tracee, info.exit.rval);
}

/* --- going on ---------------------------------------------------------------------------------- */

/* A thread that is gone already will say so by itself; one of a workload that is ended does nothing more. */
static void go_on(const struct session *session, const struct tracee *tracee, int signal)
{
	const bool to_next_call = session->stops_at_all || tracee->call;

	if (session->is_ending)
		kill(tracee->tid, SIGKILL);
	ptrace(to_next_call ? PTRACE_SYSCALL : PTRACE_CONT, tracee->tid, NULL, signal);
}

/* watch_gone - the thread has ended, or become another program: the calls that it was in have no end. */
static void watch_gone(struct session *session, struct tracee *tracee)
{
	struct watched *call;

	while ((call = tracee->interrupted)) {
		tracee->interrupted = call->next;
		message_endless(session, tracee, call);
	}
	if (tracee->call) {
		message_endless(session, tracee, tracee->call);
	}
	tracee->call = NULL;
}

static void leave(struct session *session, struct tracee *tracee, int signal)
{
	watch_gone(session, tracee);
	ptrace(PTRACE_DETACH, tracee->tid, NULL, signal);
	session_forget(session, tracee);
}

static bool is_stopping(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* Is this process a job of a shell, which waits for it, and continues it? */
static bool is_job(void)
{
	return getpgid(getppid()) != getpgrp() && getsid(getppid()) == getsid(0);
}

/*
 * The terminal stopped the command, or it stopped itself: whoever waits for this process is to see that it stopped. It goes on with the
 * same SIGCONT that the command gets. Other stops are between processes of the workload, which may wake each other up.
 */
static void stop_with(const struct session *session, const struct tracee *tracee, int signal)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL }, before;

	if (tracee->tid != session->child || getpgid(tracee->tid) != getpgrp())
		return;
	if (signal == SIGSTOP) {
		if (session->stopped_itself && is_job())
			raise(signal);
		return;
	}
	sigaction(signal, &by_default, &before);
	raise(signal);
	sigaction(signal, &before, NULL);
}

/* A new thread's first stop, the end of a group's stop, or an interruption that was asked for. */
static void event_stop(const struct session *session, const struct tracee *tracee, int signal)
{
	if (!is_stopping(signal)) {
		go_on(session, tracee, 0);
		return;
	}
	ptrace(PTRACE_LISTEN, tracee->tid, NULL, NULL);
	stop_with(session, tracee, signal);
}

/* A signal to the command, of a process. Return: false if it is not to get it. */
static bool is_for_command(struct session *session, struct tracee *tracee)
{
	siginfo_t info;

	if (session->options->pid || session_pid(tracee) != session->child || ptrace(PTRACE_GETSIGINFO, tracee->tid, NULL, &info) < 0 || info.si_code > 0)
		return true;
	if (info.si_signo == SIGSTOP)
		session->stopped_itself = info.si_pid == session->child;
	return !signals_is_again(&info, session_now_ns());
}

static void deliver(struct session *session, struct tracee *tracee, int signal)
{
	if (!is_for_command(session, tracee)) {
		go_on(session, tracee, 0);
		return;
	}
	if (!restart_must_look(tracee, signal)) {
		go_on(session, tracee, signal);
		return;
	}
	tracee->steps = true;
	ptrace(PTRACE_SINGLESTEP, tracee->tid, NULL, signal);
}

/* Another program: of its threads only this one is left, under its process's number. */
static void became_program(struct session *session, struct tracee *tracee)
{
	unsigned long before = 0;

	watch_gone(session, tracee);
	if (!ptrace(PTRACE_GETEVENTMSG, tracee->tid, NULL, &before) && (pid_t)before != tracee->tid) {
		struct tracee *thread = session_tracee(session, (pid_t)before);

		watch_gone(session, thread);
		session_forget(session, thread);
	}
	tracee->pid = 0;
	session_forget_used(session, tracee->tid);
	privilege_check(session, tracee->tid);
}

static void ended(struct session *session, struct tracee *tracee, int status)
{
	watch_gone(session, tracee);
	if (tracee->tid == session->child) {
		session->result.status = status;
		signals_command_ended();
	}
	session_forget_opened(session, tracee->tid);
	session_forget(session, tracee);
}

void stops_next(struct session *session, pid_t tid, int status)
{
	struct tracee *tracee = session_tracee(session, tid);
	const bool stepped = tracee->steps;
	const int signal = WSTOPSIG(status), event = status >> 16;

	if (!WIFSTOPPED(status)) {
		ended(session, tracee, status);
		return;
	}
	tracee->steps = false;
	if (session->is_ending)
		kill(tid, SIGKILL);
	if (session->is_leaving) {
		leave(session, tracee, event || signal == SYSCALL_STOP || (stepped && signal == SIGTRAP) ? 0 : signal);
		return;
	}
	switch (event) {
	case 0:
		break;
	case PTRACE_EVENT_STOP:
		event_stop(session, tracee, signal);
		return;
	case PTRACE_EVENT_SECCOMP:
		system_call(session, tracee);
		go_on(session, tracee, 0);
		return;
	case PTRACE_EVENT_EXEC:
		became_program(session, tracee);
		go_on(session, tracee, 0);
		return;
	default: /* of a fork: the new process stops by itself */
		go_on(session, tracee, 0);
		return;
	}
	if (signal == SYSCALL_STOP) {
		system_call(session, tracee);
		go_on(session, tracee, 0);
	} else if (stepped && signal == SIGTRAP) {
		restart_look(session, tracee);
		go_on(session, tracee, 0);
	} else {
		deliver(session, tracee, signal);
	}
}
