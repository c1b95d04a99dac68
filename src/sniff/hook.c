/*
 * The library that is preloaded into a workload, and records libc's ioctl().
 *
 * The library links only libc, does not use the workload's heap while it records a call, and keeps the errno
 * of the call. If a call cannot be recorded, it is still made. If the environment names no channel, nothing
 * is recorded.
 */
#include "sniff/channel.h"
#include "sniff/internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Shared with the recorder. */
static struct channel channel;
static struct plan plan;
static bool is_recording;

/*
 * Finding the device of a descriptor of this process. /proc is read once for each descriptor. At each later
 * call, fstat(2) checks that device and inode are still the same.
 */

struct descriptor {
	dev_t device;
	ino_t inode;
	dev_t number;            /* st_rdev of a device node */
	pid_t pid;               /* the process that looked up the descriptor */
	const char *family;      /* the family of the device's ioctls; "": unknown */
	char path[DEVICE_PATH_MAX]; /* "/dev/nvidiactl" */
};

/*
 * A frame is the memory in which one call is recorded. Each thread has one frame, and one more for each call
 * that a signal handler makes during a call. Later calls of the thread reuse the frames. Unused pages take no
 * memory. After a fork, the child's frames are zeroed. Long arrays are in the frame because the stack of a
 * signal handler may have only 8 KB.
 */

enum {
	FRAME_REGIONS = 64,
	FRAME_FDS = 64,
	/* limit for the bytes of all regions before the call; the frame also has the bytes after the call */
	FRAME_BYTES = 3 * 1024 * 1024,
};

struct hook_frame {
	struct hook_frame *next; /* in the list of unused frames */
	pid_t pid, tid;          /* 0: not looked up yet */
	struct own_range stack;
	struct trace_memory regions[FRAME_REGIONS]; /* the first is the argument if its address is valid */
	size_t region_count;
	struct decode_fd fds[FRAME_FDS]; /* descriptors in the parameters */
	size_t fd_count;
	char paths[FRAME_FDS][DEVICE_PATH_MAX]; /* the paths of @fds */
	size_t used_bytes;       /* how much of @bytes is used */
	size_t packed_bytes;     /* how much of @packed was used since frame_take() */
	uint8_t bytes[2 * FRAME_BYTES];
	uint8_t packed[3 * FRAME_BYTES];
};

enum { KNOWN_MAX = 4096, ROOM_MAX = 64 };

/* Indexed by descriptor. An entry is written once, before its address is stored here. */
static _Atomic(const struct descriptor *) known[KNOWN_MAX];

/*
 * For each descriptor, a hash of the last device that is not one of the driver's. Such a device is not looked
 * up again, because a lookup can read /proc/devices. It has no struct descriptor, which would never be freed:
 * programs that search for input devices open one after the other.
 */
static _Atomic uint64_t others[KNOWN_MAX];
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* descriptor_path - get the path of any descriptor; "" if @fd is not open. */
static void descriptor_path(char out[DEVICE_PATH_MAX], int fd)
{
	device_path_of(out, 0, fd);
	device_cut_deleted(out);
	if (begins(out, DEVICE_PRETENDED))
		memmove(out, out + strlen(DEVICE_PRETENDED), strlen(out + strlen(DEVICE_PRETENDED)) + 1);
}

/* descriptor_flags - return the flags with which a descriptor was opened; 0 if they are unknown. */
static uint64_t descriptor_flags(int fd)
{
	const int flags = fcntl(fd, F_GETFL), descriptor_flags = fcntl(fd, F_GETFD);

	if (flags < 0 || descriptor_flags < 0)
		return 0;
	return ((uint64_t)flags & ~sniff_arch.large_file) | (descriptor_flags & FD_CLOEXEC ? O_CLOEXEC : 0);
}

/*
 * Allocates a struct descriptor. It is never freed, because few descriptors become a different device. The
 * first ROOM_MAX are static, because a new mapping could be at an address that the workload has unmapped, and
 * accesses to this address must fail. Return: NULL if there is no memory.
 */
static struct descriptor *new_descriptor(void)
{
	static struct descriptor room[ROOM_MAX];
	static atomic_uint used;
	const unsigned index = atomic_load(&used) < ROOM_MAX ? atomic_fetch_add(&used, 1) : ROOM_MAX;
	struct descriptor *mapped;

	if (index < ROOM_MAX)
		return &room[index];
	mapped = mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return mapped == MAP_FAILED ? NULL : mapped;
}

/**
 * descriptor_of - find the device to which @fd refers
 * @is_new: set to true if this process uses @fd as this device for the first time
 *
 * Return: the descriptor, never freed; NULL if @fd is not a device of the driver, or memory ran out.
 */
static const struct descriptor *descriptor_of(bool *is_new, int fd, pid_t pid)
{
	const bool is_noted = fd >= 0 && fd < KNOWN_MAX;
	const struct descriptor *found = is_noted ? known[fd] : NULL;
	const struct device_rule *rule;
	struct descriptor *added;
	struct device device;
	struct stat st;
	uint64_t file;

	*is_new = false;
	/* most files that are not devices, such as sockets and files with a name, are not looked up */
	if (fstat(fd, &st) || !(S_ISCHR(st.st_mode) || (S_ISREG(st.st_mode) && !st.st_nlink)))
		return NULL;
	if (found && found->device == st.st_dev && found->inode == st.st_ino && found->number == st.st_rdev &&
	    found->pid == pid)
		return found;
	file = ((st.st_dev * HASH_FACTOR ^ st.st_ino) * HASH_FACTOR ^ st.st_rdev) * HASH_FACTOR;
	if (is_noted && S_ISCHR(st.st_mode) && others[fd] == file)
		return NULL;
	if (!device_of(&device, &plan.devices, 0, fd, "") || device.is_replayed) {
		if (is_noted)
			others[fd] = file;
		return NULL;
	}
	if (!(added = new_descriptor()))
		return NULL;
	rule = device_rule_of_path(&plan.devices, device.path);
	*added = (struct descriptor){ st.st_dev, st.st_ino, st.st_rdev, pid, rule ? rule->family : "", "" };
	memcpy(added->path, device.path, sizeof(added->path));
	if (is_noted)
		known[fd] = added;
	*is_new = true;
	return added;
}

enum { HELD_BYTES = 256 * 1024 };

/* The thread's unused frames. With this TLS model, no function call is needed to find the variable. */
static __thread struct hook_frame *unused __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

/* Frees the thread's unused frames when it ends. The value of the key only makes pthreads call this. */
static void free_unused_frames(void *frames)
{
	struct hook_frame *frame = unused;

	(void)frames;
	unused = NULL;
	while (frame) {
		struct hook_frame *next = frame->next;

		munmap(frame, sizeof(*frame));
		frame = next;
	}
}

static void make_key(void)
{
	pthread_key_create(&key, free_unused_frames);
}

/*
 * frame_take - take an empty frame; NULL if there is no memory for it. errno may change.
 *
 * A handler that interrupts this function takes the same frame, and gives it back before the handler returns,
 * so that the list is unchanged. A handler that never returns leaks the frame.
 */
static struct hook_frame *frame_take(void)
{
	struct hook_frame *frame = unused;

	if (frame) {
		unused = frame->next;
	} else {
		frame = mmap(NULL, sizeof(*frame), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
			     MAP_NORESERVE, -1, 0);
		if (frame == MAP_FAILED)
			return NULL;
		madvise(frame, sizeof(*frame), MADV_WIPEONFORK);
		pthread_once(&key_once, make_key);
		pthread_setspecific(key, frame); /* so that the end of the thread frees its frames */
	}
	if (!frame->pid) {
		frame->pid = getpid();
		frame->tid = (pid_t)syscall(SYS_gettid);
		frame->stack = own_stack_of(frame->pid, frame->tid);
	}
	frame->region_count = frame->fd_count = frame->used_bytes = frame->packed_bytes = 0;
	return frame;
}

/* Frees the pages of a buffer after its first HELD_BYTES. */
static void drop_pages(const uint8_t *buffer, size_t used_bytes)
{
	if (used_bytes > HELD_BYTES)
		madvise((void *)(((uintptr_t)buffer + HELD_BYTES) & ~(uintptr_t)0xffff),
			used_bytes - HELD_BYTES, MADV_DONTNEED);
}

/* frame_give_back - return a frame to its thread's list, and keep at most HELD_BYTES of each buffer. */
static void frame_give_back(struct hook_frame *frame)
{
	drop_pages(frame->bytes, frame->used_bytes);
	drop_pages(frame->packed, frame->packed_bytes);
	frame->next = unused;
	unused = frame;
}

/* --- the plan ------------------------------------------------------------------------------------- */

/* Finds the plan in @bytes, which must outlive @out. Return: false if the plan is incomplete. */
static bool plan_open(struct plan *out, const void *bytes, size_t size_bytes)
{
	const struct plan_head *head = bytes;
	struct plan found = { .entry_count = 0 };

	if (size_bytes < sizeof(*head))
		return false;
	found.entry_count = head->entry_count;
	found.step_count = head->step_count;
	found.entries = (const struct plan_entry *)(head + 1);
	found.steps = (const struct plan_step *)(found.entries + found.entry_count);
	found.devices.rules = (const struct device_rule *)(found.steps + found.step_count);
	found.devices.count = head->device_count;
	if (size_bytes - sizeof(*head) != found.entry_count * sizeof(*found.entries) +
						  found.step_count * sizeof(*found.steps) +
						  found.devices.count * sizeof(*found.devices.rules))
		return false;
	for (uint32_t i = 0; i < found.entry_count; i++)
		if (found.entries[i].first_step > found.step_count ||
		    found.entries[i].step_count > found.step_count - found.entries[i].first_step)
			return false;
	*out = found;
	return true;
}

static int compare_plan_entries(const void *a, const void *b)
{
	const struct plan_entry *x = a, *y = b;

	return strcmp(x->family, y->family) ?: compare_numbers(x->number, y->number);
}

/* Finds an ioctl's entry for *@size_bytes, or its first entry if @size_bytes is NULL; NULL if none. */
static const struct plan_entry *find_plan_entry(const char *family, uint64_t number,
						const uint64_t *size_bytes)
{
	struct plan_entry wanted = { .number = number };
	const struct plan_entry *const end = plan.entries + plan.entry_count, *at;

	memcpy(wanted.family, family, strlen(family) + 1);
	at = bsearch(&wanted, plan.entries, plan.entry_count, sizeof(wanted), compare_plan_entries);
	while (at && at > plan.entries && !compare_plan_entries(at - 1, &wanted))
		at--; /* the first of all sizes */
	while (at && size_bytes && at->size_bytes != *size_bytes)
		at = at + 1 < end && !compare_plan_entries(at + 1, &wanted) ? at + 1 : NULL;
	return at;
}

/*
 * How a call is followed:
 *
 * 1. The argument is read. Its size is in the request. UVM's requests have no size, so the size of the
 *    ioctl's parameters is used.
 * 2. If the ioctl is an envelope (it carries an inner call), the inner parameters are read. The inner call
 *    can be an envelope as well. The chain is the list of these calls.
 * 3. For each call of the chain, its descriptors and the targets of its pointers are read.
 *
 * Each range is read once. A range that cannot be read completely is recorded, but its pointers are not
 * followed.
 */

/* A call of the chain. */
struct level {
	const struct plan_entry *entry; /* the entry for parameters of this size; NULL: none */
	const uint8_t *bytes;           /* the parameters; NULL: unknown */
	size_t size_bytes;
	bool is_serialized;             /* its pointers are not followed */
};

/* Reads a number from the parameters; 0 if the field is absent or the parameters are too short. */
static uint64_t value_of_field(const struct plan_field *field, const struct level *level)
{
	uint64_t value = 0;

	if (field->offset_bytes > level->size_bytes ||
	    field->size_bytes > level->size_bytes - field->offset_bytes)
		return 0;
	for (uint32_t i = field->size_bytes; i-- > 0;)
		value = value << 8 | level->bytes[field->offset_bytes + i];
	return value;
}

/* Checks the condition of a step. A step without a condition has zeros, so it is true. */
static bool condition_holds(const struct plan_step *step, const struct level *level)
{
	return (value_of_field(&step->when, level) & step->mask) == step->equals;
}

/* Copies bytes, up to the first unreadable one, to the frame, which has room for them. Return: the copy. */
static struct trace_bytes read_bytes(struct hook_frame *frame, uint64_t address, uint64_t size_bytes)
{
	uint8_t *out = frame->bytes + frame->used_bytes;
	const size_t got = own_memory_read(out, frame->tid, &frame->stack, address, (size_t)size_bytes);

	frame->used_bytes += got;
	return (struct trace_bytes){ got ? out : NULL, got };
}

/*
 * Reads a range, unless it was read before, and adds it to the frame's regions, even if only its first bytes
 * can be read. Return: its bytes; NULL if it could not be read completely.
 */
static const uint8_t *read_whole_range(struct hook_frame *frame, uint64_t address, uint64_t size_bytes)
{
	struct trace_memory *region = frame->regions, *end = region + frame->region_count;
	uint64_t wanted = size_bytes;

	while (region < end && (region->address != address || region->size_bytes != size_bytes))
		region++;
	if (region == end) {
		if (frame->region_count == FRAME_REGIONS)
			return NULL;
		if (wanted > channel.head->region_bytes)
			wanted = channel.head->region_bytes;
		if (wanted > FRAME_BYTES - frame->used_bytes)
			wanted = FRAME_BYTES - frame->used_bytes;
		frame->region_count++;
		*region = (struct trace_memory){ address, size_bytes,
						 .before = read_bytes(frame, address, wanted) };
	}
	return region->before.size_bytes == size_bytes ? region->before.bytes : NULL;
}

/*
 * Finds the inner call of an envelope, and reads its parameters. For an allocation, the driver ignores the
 * size in the envelope, and uses the size of the class's parameters.
 */
static struct level open_envelope(struct hook_frame *frame, const struct plan_step *step,
				  const struct level *outer)
{
	const uint64_t number = value_of_field(&step->number, outer);
	const uint64_t address = value_of_field(&step->pointer, outer);
	uint64_t size_bytes = value_of_field(&step->size, outer);
	const struct plan_entry *usual =
		strcmp(step->family, "alloc") ? NULL : find_plan_entry(step->family, number, NULL);
	struct level inner = { .bytes = NULL };

	if (usual)
		size_bytes = usual->size_bytes;
	inner.entry = find_plan_entry(step->family, number, &size_bytes);
	inner.is_serialized = !condition_holds(step, outer);
	if (address && size_bytes && size_bytes <= CALL_SIZE_MAX)
		inner.bytes = read_whole_range(frame, address, size_bytes);
	inner.size_bytes = (size_t)size_bytes;
	return inner;
}

/* Returns the step that says where the inner call of @level is; NULL if @level carries no inner call. */
static const struct plan_step *envelope_of(const struct level *level)
{
	const struct plan_entry *entry = level->bytes ? level->entry : NULL;

	return entry && entry->step_count && plan.steps[entry->first_step].kind == PLAN_ENVELOPE
		       ? &plan.steps[entry->first_step] : NULL;
}

/*
 * Reads the memory at the pointer of a PLAN_POINTER step: count * times elements. Reads nothing if the
 * condition of the step is false, or if the memory is too long.
 */
static void read_pointer(struct hook_frame *frame, const struct plan_step *step, const struct level *level)
{
	const uint64_t address = value_of_field(&step->pointer, level);
	const uint64_t count = step->size.size_bytes ? value_of_field(&step->size, level) : 1;
	const uint64_t times = step->times.size_bytes ? value_of_field(&step->times, level) : 1;
	uint64_t size_bytes;

	if (level->is_serialized || !address || !condition_holds(step, level))
		return;
	if (count > CALL_SIZE_MAX || times > CALL_SIZE_MAX || count * times > CALL_SIZE_MAX ||
	    (step->element_bytes && count * times > CALL_SIZE_MAX / step->element_bytes))
		return;
	size_bytes = count * times * step->element_bytes;
	if (size_bytes)
		read_whole_range(frame, address, size_bytes);
}

/* Reads the targets of the pointers in the parameters, and adds the descriptors to frame->fds. */
static void follow_steps(struct hook_frame *frame, const struct level *level)
{
	if (!level->entry || !level->bytes)
		return;
	for (uint32_t i = 0; i < level->entry->step_count; i++) {
		const struct plan_step *step = &plan.steps[level->entry->first_step + i];

		if (step->kind == PLAN_POINTER) {
			read_pointer(frame, step, level);
		} else if (step->kind == PLAN_FD) {
			const uint64_t value = value_of_field(&step->number, level);
			const int64_t number =
				step->number.size_bytes == 4 ? (int32_t)value : (int64_t)value;

			if (number >= 0 && number <= INT32_MAX && frame->fd_count < FRAME_FDS)
				frame->fds[frame->fd_count++].number = number;
		}
	}
}

/* Before the call, reads the argument and the targets of its pointers into the frame, as the plan says. */
static void follow_before(struct hook_frame *frame, const char *family, uint32_t request, uint64_t argument)
{
	struct abi_ioctl called = { .family = family };
	struct level chain[CALL_DEPTH_MAX], *first = chain;
	const struct plan_entry *usual;
	const struct plan_step *envelope;
	uint64_t number, size_bytes = abi_ioc_get(request, ABI_IOC_SIZE);
	size_t count = 1;

	call_identify(&called.number, family, request);
	number = abi_ioctl_identity(&called);
	if (!strcmp(family, "uvm")) {
		usual = find_plan_entry(family, number, NULL);
		size_bytes = usual ? usual->size_bytes : 0;
	}
	*first = (struct level){ .entry = find_plan_entry(family, number, &size_bytes),
				 .size_bytes = (size_t)size_bytes };
	if (argument && size_bytes)
		first->bytes = read_whole_range(frame, argument, size_bytes);
	while (count < CALL_DEPTH_MAX && (envelope = envelope_of(&chain[count - 1]))) {
		chain[count] = open_envelope(frame, envelope, &chain[count - 1]);
		count++;
	}
	for (size_t i = 0; i < count; i++)
		follow_steps(frame, &chain[i]);
}

/* --- the call ------------------------------------------------------------------------------------ */

typedef int ioctl_function(int fd, unsigned long request, ...);

ioctl_function ioctl;
static ioctl_function *real_ioctl;

/* Maps the channel: opens it by its path, or requests it from the recorder. */
static bool attach_channel(const char *path, const char *socket)
{
	return !channel_attach(&channel, open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) ||
	       (socket && !channel_attach(&channel, handover_ask(socket)));
}

/* Runs when the library is loaded: switches recording on if the environment names a channel. */
__attribute__((constructor)) static void begin(int count, char **arguments, char **environment)
{
	const char *path = getenv(CHANNEL_VARIABLE);

	(void)count;
	(void)environment;
	real_ioctl = (ioctl_function *)dlsym(RTLD_NEXT, "ioctl");
	if (!real_ioctl || !path || !attach_channel(path, getenv(HANDOVER_VARIABLE)) ||
	    !plan_open(&plan, channel.plan, channel.head->plan_bytes))
		return;
	own_memory_init(arguments);
	is_recording = true;
}

/* Writes a message to the ring, or counts it as lost if it is too large. */
static void send_message(struct hook_frame *frame, const struct trace_message *message)
{
	struct trace_bytes packed;

	if (!trace_pack_in(&packed, frame->packed, sizeof(frame->packed), message, TRACE_WIRE_DRVABI)) {
		channel.head->lost++;
		return;
	}
	frame->packed_bytes = (size_t)(packed.bytes - frame->packed) + packed.size_bytes;
	channel_append(&channel, packed.bytes, packed.size_bytes);
}

/*
 * Makes the ioctl, and records it. @is_new: record the open of @fd before; @error: errno before the call. The
 * frame is given back. Return: the result of the ioctl, which has set errno.
 */
static int record_ioctl(struct hook_frame *frame, const struct descriptor *descriptor, bool is_new, int fd,
			unsigned long request, void *argument, int error)
{
	struct trace_message message = { .kind = TRACE_OPEN,
					 .fd_path = descriptor->path,
					 .fd = fd,
					 .pid = (uint32_t)frame->pid,
					 .tid = (uint32_t)frame->tid,
					 .start_ns = monotonic_ns() - channel.head->began_ns };
	int ret;

	if (is_new) { /* the open is recorded at the descriptor's first use */
		message.ret = fd;
		message.end_ns = message.start_ns;
		message.open_flags = descriptor_flags(fd);
		send_message(frame, &message);
		message.open_flags = 0;
	}
	follow_before(frame, descriptor->family, (uint32_t)request, (uintptr_t)argument);
	errno = error;
	ret = real_ioctl(fd, request, argument);
	error = errno;
	message.end_ns = monotonic_ns() - channel.head->began_ns;
	message.kind = TRACE_IOCTL;
	message.request = (uint32_t)request;
	message.argument = (uintptr_t)argument;
	message.ret = ret;
	message.error = ret == -1 ? error : 0;
	for (size_t i = 0; i < frame->region_count; i++) {
		struct trace_memory *region = &frame->regions[i];

		region->after = read_bytes(frame, region->address, region->before.size_bytes);
	}
	if (frame->region_count) { /* if the argument is an address, it is that of the first range */
		message.before = frame->regions[0].before;
		message.after = frame->regions[0].after;
		message.memory = frame->regions + 1;
		message.memory_count = frame->region_count - 1;
	}
	for (size_t i = 0; i < frame->fd_count; i++) {
		descriptor_path(frame->paths[i], (int)frame->fds[i].number);
		frame->fds[i].path = frame->paths[i];
	}
	message.fds = frame->fds;
	message.fd_count = frame->fd_count;
	send_message(frame, &message);
	frame_give_back(frame);
	errno = error;
	return ret;
}

/* Replaces libc's ioctl(): makes the call with libc's, and records it if @fd is a device of the driver. */
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
	const int error = errno;
	const struct descriptor *descriptor = NULL;
	struct hook_frame *frame = NULL;
	bool is_new = false;
	void *argument;
	va_list list;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (!real_ioctl)
		real_ioctl = (ioctl_function *)dlsym(RTLD_NEXT, "ioctl");
	if (is_recording && device_may_answer((uint32_t)request) && !channel.head->is_closed &&
	    (frame = frame_take())) {
		descriptor = descriptor_of(&is_new, fd, frame->pid);
		if (!descriptor)
			frame_give_back(frame);
	}
	if (descriptor)
		return record_ioctl(frame, descriptor, is_new, fd, request, argument, error);
	errno = error;
	return real_ioctl(fd, request, argument);
}
