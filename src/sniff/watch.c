#include "sniff/watch.h"

#include "sniff/answer.h"
#include "sniff/arch.h"
#include "sniff/identify.h"
#include "sniff/memory.h"
#include "sniff/message.h"
#include "sniff/paths.h"
#include "sniff/restart.h"

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

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

/* --- what is not recorded ------------------------------------------------------------------------ */

static const char *foreign_name(const struct entry *entry)
{
	if (entry->architecture == sniff_arch.narrow_audit)
		return entry->number == sniff_arch.narrow_ioctl ? sniff_arch.narrow_name : NULL;
	return entry->architecture == sniff_arch.audit && (entry->number & sniff_arch.x32_bit) ? "x32" : NULL;
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

void watch_entry(struct session *session, struct tracee *tracee, const struct entry *entry)
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

void watch_exit(struct session *session, struct tracee *tracee, int64_t result)
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

void watch_gone(struct session *session, struct tracee *tracee)
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
