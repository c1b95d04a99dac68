/*
 * The library that is preloaded into a workload: libc's ioctl(), recorded.
 *
 * It links nothing but libc, allocates nothing from the workload's heap while a call is recorded, and leaves errno as the call does. Where
 * it cannot record, the call goes on all the same. Without a channel in the environment it only passes calls on.
 */
#include "sniff/hook_internal.h"

#include "decode/decode.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

typedef int ioctl_function(int fd, unsigned long request, ...);

int ioctl(int fd, unsigned long request, ...);

static ioctl_function *next;
static struct channel channel;
static struct plan plan;
static bool is_recording;

/* By its path; from the recorder, where that is not there. */
static bool attach(const char *path, const char *socket)
{
	return !channel_attach(&channel, channel_open(path)) || (socket && !channel_attach(&channel, handover_ask(socket)));
}

__attribute__((constructor)) static void begin(int count, char **arguments, char **environment)
{
	const char *path = getenv(CHANNEL_VARIABLE);

	(void)count;
	(void)environment;
	next = (ioctl_function *)dlsym(RTLD_NEXT, "ioctl");
	if (!next || !path || !attach(path, getenv(HANDOVER_VARIABLE)) || !plan_open(&plan, channel.plan, channel.head->plan_bytes))
		return;
	own_memory_init(arguments);
	is_recording = true;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - channel.head->began_ns;
}

static void send_message(struct frame *frame, const struct trace_message *message)
{
	struct trace_bytes packed;

	if (!trace_pack_in(&packed, frame->packed, sizeof(frame->packed), message, TRACE_WIRE_DRVABI)) {
		channel.head->lost++;
		return;
	}
	frame->packed_bytes = (size_t)(packed.bytes - frame->packed) + packed.size_bytes;
	channel_append(&channel, packed.bytes, packed.size_bytes);
}

static struct trace_message message_of(const struct frame *frame, const struct descriptor *descriptor, int fd, uint64_t start_ns)
{
	return (struct trace_message){ .fd_path = descriptor->path, .fd = fd, .pid = (uint32_t)frame->pid, .tid = (uint32_t)frame->tid,
				       .start_ns = start_ns };
}

/* A descriptor that was not used before: somebody opened it. */
static void send_open(struct frame *frame, const struct descriptor *descriptor, int fd, uint64_t start_ns)
{
	struct trace_message message = message_of(frame, descriptor, fd, start_ns);

	message.kind = TRACE_OPEN;
	message.ret = fd;
	message.end_ns = start_ns;
	message.open_flags = descriptor_flags(fd);
	send_message(frame, &message);
}

static struct trace_bytes bytes_of(const uint8_t *bytes, size_t size_bytes)
{
	return (struct trace_bytes){ size_bytes ? bytes : NULL, size_bytes };
}

/* Sets what the argument leads to: the first range is the argument itself, if it could be asked for. */
static void set_memory(struct trace_message *message, struct frame *frame)
{
	struct trace_memory *memory = frame->message_memory;

	for (size_t i = 0; i < frame->region_count; i++) {
		const struct frame_region *region = &frame->regions[i];

		memory[i] = (struct trace_memory){ region->address, region->size_bytes, bytes_of(region->before, region->before_bytes),
						   bytes_of(region->after, region->after_bytes) };
	}
	if (!frame->region_count)
		return;
	message->before = memory[0].before;
	message->after = memory[0].after;
	message->memory = memory + 1;
	message->memory_count = frame->region_count - 1;
}

static void set_fds(struct trace_message *message, struct frame *frame)
{
	for (size_t i = 0; i < frame->fd_count; i++) {
		descriptor_path(frame->paths[i], FRAME_PATH_MAX, (int)frame->fds[i]);
		frame->message_fds[i] = (struct trace_fd){ frame->fds[i], frame->paths[i] };
	}
	message->fds = frame->message_fds;
	message->fd_count = frame->fd_count;
}

static int record(struct frame *frame, const struct descriptor *descriptor, bool is_new, int fd, unsigned long request, void *argument, int error)
{
	struct trace_message message = message_of(frame, descriptor, fd, now_ns());
	int ret;

	if (is_new)
		send_open(frame, descriptor, fd, message.start_ns);
	follow_before(frame, &plan, descriptor->family, (uint32_t)request, (uintptr_t)argument, channel.head->region_bytes);
	errno = error;
	ret = next(fd, request, argument);
	error = errno;
	message.end_ns = now_ns();
	message.kind = TRACE_IOCTL;
	message.request = (uint32_t)request;
	message.argument = (uintptr_t)argument;
	message.ret = ret;
	message.error = ret == -1 ? error : 0;
	follow_after(frame);
	set_memory(&message, frame);
	set_fds(&message, frame);
	send_message(frame, &message);
	frame_give_back(frame);
	errno = error;
	return ret;
}

__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
	const int error = errno;
	const struct descriptor *descriptor = NULL;
	struct frame *frame = NULL;
	bool is_new = false;
	void *argument;
	va_list list;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (!next)
		next = (ioctl_function *)dlsym(RTLD_NEXT, "ioctl");
	if (is_recording && device_may_answer((uint32_t)request) && !channel.head->is_closed && (frame = frame_take())) {
		descriptor = descriptor_of(&is_new, &plan.devices, fd, frame->pid);
		if (!descriptor)
			frame_give_back(frame);
	}
	if (descriptor)
		return record(frame, descriptor, is_new, fd, request, argument, error);
	errno = error;
	return next(fd, request, argument);
}
