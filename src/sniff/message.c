#include "sniff/message.h"


#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

static void tell(struct session *session, const struct trace_message *message, const struct gathered *gathered)
{
	const size_t count = gathered ? gathered->chain_count : 0;

	if (!session->is_ending && !session->observer->message(session->observer->data, message, gathered ? gathered->chain : NULL, count))
		session->result.was_ended = session->is_ending = true;
}

static struct trace_message message_of(const struct session *session, struct tracee *tracee, const struct watched *call)
{
	return (struct trace_message){
		.fd_path = call->device.path,
		.fd = (int32_t)call->arguments[call->number == SYS_mmap ? 4 : 0],
		.pid = (uint32_t)session_pid(tracee),
		.tid = (uint32_t)tracee->tid,
		.start_ns = call->start_ns - session->began_ns,
		.version = "", .target = "", .command = "",
	};
}

/* --- opens ------------------------------------------------------------------------------------- */

static void tell_open(struct session *session, struct tracee *tracee, const struct watched *call, int fd, const char *path)
{
	struct trace_message message = message_of(session, tracee, call);
	struct opened *opened = session_opened(session, session_pid(tracee), fd);

	if (!strcmp(opened->path, path))
		return;
	snprintf(opened->path, sizeof(opened->path), "%s", path);
	message.kind = TRACE_OPEN;
	message.fd_path = opened->path;
	message.fd = message.ret = fd;
	message.end_ns = message.start_ns;
	message.open_flags = opened->has_flags ? opened->flags : device_open_flags(tracee->tid, fd);
	tell(session, &message, NULL);
}

void message_opens(struct session *session, struct tracee *tracee, const struct watched *call)
{
	const int fd = (int)call->arguments[call->number == SYS_mmap ? 4 : 0];
	const struct opened *opened = session_opened(session, session_pid(tracee), fd);
	struct device_list list;

	if (!strcmp(opened->path, call->device.path))
		return;
	device_list_of(&list, session->options->devices, session_pid(tracee));
	for (size_t i = 0; i < list.count; i++)
		if (list.devices[i].is_replayed == call->device.is_replayed)
			tell_open(session, tracee, call, list.fds[i], list.devices[i].path);
	tell_open(session, tracee, call, fd, call->device.path);
	device_list_release(&list);
}

/* --- mmaps -------------------------------------------------------------------------------------- */

static void tell_mmap(struct session *session, struct trace_message *message, const struct watched *call, int64_t result)
{
	message->kind = TRACE_MMAP;
	message->ret = message->error ? -1 : 0;
	message->argument = message->error ? 0 : (uint64_t)result;
	message->map_size_bytes = call->arguments[1];
	message->map_protection = call->arguments[2];
	message->map_flags = call->arguments[3];
	message->map_offset = call->arguments[5];
	tell(session, message, NULL);
}

/* --- ioctls ------------------------------------------------------------------------------------- */

/* The descriptors in a call's parameters. */
struct fd_list {
	struct trace_fd fds[CALL_FDS_MAX];
	struct device devices[CALL_FDS_MAX];
	size_t count;
};

static void list_fds(struct trace_message *message, struct fd_list *list, const struct device_rules *rules, const struct tracee *tracee,
		     const struct gathered *gathered)
{
	list->count = 0;
	for (size_t i = 0; i < gathered->reference_count && list->count < CALL_FDS_MAX; i++) {
		const struct reference *reference = &gathered->references[i];
		struct device *device = &list->devices[list->count];

		if (!reference->is_fd || reference->number < 0 || reference->number > INT_MAX)
			continue;
		if (!device_of(device, rules, tracee->tid, tracee->table, (int)reference->number, ""))
			device_path_of(device->path, tracee->tid, tracee->table, (int)reference->number);
		list->fds[list->count++] = (struct trace_fd){ reference->number, device->path };
	}
	message->fds = list->fds;
	message->fd_count = list->count;
}

/* What the argument leads to; @memory has room for all of it. */
static void list_memory(struct trace_message *message, struct trace_memory *memory, const struct gathered *gathered)
{
	message->before = gather_bytes(&gathered->regions[0], &gathered->regions[0].before);
	message->after = gather_bytes(&gathered->regions[0], &gathered->regions[0].after);
	for (size_t i = 1; i < gathered->count; i++) {
		const struct region *region = &gathered->regions[i];

		memory[i - 1] = (struct trace_memory){ region->address, region->size_bytes, gather_bytes(region, &region->before),
						       gather_bytes(region, &region->after) };
	}
	message->memory = memory;
	message->memory_count = gathered->count - 1;
}

static void tell_ioctl(struct session *session, struct tracee *tracee, struct trace_message *message, const struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	struct trace_memory *memory = NULL;
	struct fd_list fds; /* long, and most calls have none */

	message->kind = TRACE_IOCTL;
	message->request = (uint32_t)call->arguments[1];
	message->argument = call->arguments[2];
	if (gathered->count) {
		memory = xmalloc(gathered->count * sizeof(*memory));
		list_memory(message, memory, gathered);
	}
	if (gathered->reference_count)
		list_fds(message, &fds, session->options->devices, tracee, gathered);
	tell(session, message, gathered);
	free(memory);
}

/* --- ends --------------------------------------------------------------------------------------- */

enum { ERRNO_MAX = 4095 };

void message_end_call(struct session *session, struct tracee *tracee, struct watched *call, int64_t result)
{
	struct trace_message message = message_of(session, tracee, call);
	const bool failed = result < 0 && result >= -ERRNO_MAX;

	message.end_ns = session_now_ns() - session->began_ns;
	message.ret = failed ? -1 : (int32_t)result;
	message.error = failed ? (int32_t)-result : 0;
	if (call->number == SYS_mmap) {
		tell_mmap(session, &message, call, result);
	} else {
		gather_after(&call->gathered, tracee->tid);
		tell_ioctl(session, tracee, &message, call);
	}
	session_end_call(session, call);
}

void message_endless(struct session *session, struct tracee *tracee, struct watched *call)
{
	struct trace_message message = message_of(session, tracee, call);

	if (call->number == SYS_ioctl)
		tell_ioctl(session, tracee, &message, call);
	session_end_call(session, call);
}
