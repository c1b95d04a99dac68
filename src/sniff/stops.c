/*
 * Handles each stop of a thread, and continues the thread.
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

#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/* restart_look - find the decision about the last interrupted call. The thread just entered the handler. */
static void restart_look(struct session *session, struct tracee *tracee)
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

/* The signal of a system call's stop, with PTRACE_O_TRACESYSGOOD. */
enum { SYSCALL_STOP = SIGTRAP | 0x80 };

static void system_call(struct session *session, struct tracee *tracee)
{
	struct __ptrace_syscall_info info;
	struct entry entry;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tracee->tid, sizeof(info), &info) < 0)
		return;
	entry = (struct entry){ .architecture = info.arch,
				.instruction = info.instruction_pointer,
				.stack = info.stack_pointer };
	switch (info.op) {
	case PTRACE_SYSCALL_INFO_ENTRY:
		entry.number = info.entry.nr;
		memcpy(entry.arguments, info.entry.args, sizeof(entry.arguments));
		watch_entry(session, tracee, &entry);
		break;
	case PTRACE_SYSCALL_INFO_SECCOMP:
		entry.number = info.seccomp.nr;
		memcpy(entry.arguments, info.seccomp.args, sizeof(entry.arguments));
		watch_entry(session, tracee, &entry);
		break;
	case PTRACE_SYSCALL_INFO_EXIT:
		if (tracee->call)
			watch_exit(session, tracee, info.exit.rval);
		break;
	default:
		break;
	}
}

/* --- continuing --------------------------------------------------------------------------------- */

/* Continues the thread. Errors are ignored, because wait(2) reports a thread that has ended. */
static void go_on(const struct session *session, const struct tracee *tracee, int signal)
{
	const bool to_next_call = session->stops_at_all || tracee->call;

	if (session->is_ending)
		kill(tracee->tid, SIGKILL);
	ptrace(to_next_call ? PTRACE_SYSCALL : PTRACE_CONT, tracee->tid, NULL, signal);
}

void stops_go_on(struct session *session, struct tracee *tracee)
{
	if (!tracee->is_at_exit)
		return;
	tracee->is_at_exit = false;
	go_on(session, tracee, 0);
}

/* Continues the thread at the stop of a system call, unless stops_go_on() has done so at the call's exit. */
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

/* Checks a signal that a thread is about to get. Return: false to drop the signal. */
static bool is_for_command(struct session *session, struct tracee *tracee)
{
	siginfo_t info;

	if (session->options->pid || session_pid(tracee) != session->child ||
	    ptrace(PTRACE_GETSIGINFO, tracee->tid, NULL, &info) < 0 || info.si_code > 0)
		return true;
	if (info.si_signo == SIGSTOP)
		session->stopped_itself = info.si_pid == session->child;
	return !signals_is_again(&info, monotonic_ns());
}

/* Handles the stop after an exec. The process has only one thread now, whose id is the pid. */
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
	session_forget_used(session, tracee->tid);
	privilege_check(session, tracee->tid);
	if (session->options->replay &&
	    ptrace(PTRACE_GET_SYSCALL_INFO, tracee->tid, sizeof(info), &info) > 0 &&
	    info.arch == sniff_arch.narrow_audit)
		session_loss(
			session,
			"process %d executes an %s program, whose opens and calls the trace does not answer",
			(int)tracee->tid, sniff_arch.narrow_name);
}

static void thread_ended(struct session *session, struct tracee *tracee, int status)
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
	const int signal = WSTOPSIG(status), event = status >> 16;
	const bool is_step = tracee->steps && signal == SIGTRAP;
	int given = 0; /* the signal that the thread gets */

	if (!WIFSTOPPED(status)) {
		thread_ended(session, tracee, status);
		return;
	}
	tracee->steps = false;
	if (session->is_ending)
		kill(tid, SIGKILL);
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
		} else if (is_for_command(session, tracee)) {
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
