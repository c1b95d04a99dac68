/* sniff/workload.c - inside the workload: its memory, its descriptors' devices, and the pointers of a call */
#include "sniff/hook_internal.h"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, STACK_MAX = 8 * 1024 * 1024, START_BRK_FIELD = 47, PROGRAM_RANGES = 8 };

/* Addresses from low up to, and without, high. */
struct range {
	uintptr_t low, high;
};

static uintptr_t heap_start, main_stack_top;
static struct range program[PROGRAM_RANGES]; /* the segments of the program itself, which stay until it ends */
static size_t program_count;

/* start_brk of /proc/self/stat (proc_pid_stat(5)); 0: not known. */
static uintptr_t find_heap(void)
{
	char text[2048], *at;
	const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	int field = 2;

	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	for (at = strrchr(text, ')'); at && field < START_BRK_FIELD; field++)
		at = strchr(at + 1, ' ');
	return at ? (uintptr_t)strtoull(at, NULL, 10) : 0;
}

/* Of the first object, which is the program. Return: 1, so that there is no second one. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data)
{
	(void)size;
	(void)data;
	for (size_t i = 0; i < info->dlpi_phnum && program_count < PROGRAM_RANGES; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t low = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_R)
			program[program_count++] = (struct range){ low, low + segment->p_memsz };
	}
	return 1;
}

void own_memory_init(const void *stack_top)
{
	dl_iterate_phdr(note_program, NULL);
	heap_start = find_heap();
	main_stack_top = (uintptr_t)stack_top;
}

/* The kernel lets the first thread's stack grow to its limit, and puts nothing else there. */
static struct own_stack main_stack(void)
{
	return (struct own_stack){ main_stack_top - STACK_MAX, main_stack_top };
}

struct own_stack own_stack_of(pid_t pid, pid_t tid)
{
	struct own_stack stack = { 0, 0 };
	pthread_attr_t attributes;
	void *low;
	size_t size;

	if (pid == tid) {
		struct rlimit limit;

		return !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur >= STACK_MAX ? main_stack() : stack;
	}
	if (pthread_getattr_np(pthread_self(), &attributes))
		return stack;
	if (!pthread_attr_getstack(&attributes, &low, &size))
		stack = (struct own_stack){ (uintptr_t)low, (uintptr_t)low + size };
	pthread_attr_destroy(&attributes);
	return stack;
}

static bool within(uint64_t address, size_t size_bytes, uintptr_t low, uintptr_t high)
{
	return address >= low && address <= high && size_bytes <= high - address;
}

/* Is it above the frame of this function, on the stack that this function runs on? */
static bool is_on_stack(const struct own_stack *stack, uint64_t address, size_t size_bytes)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0); /* below it, nothing is in use */

	return here >= stack->low && here < stack->high && within(address, size_bytes, here, stack->high);
}

/* glibc knows the end of the heap without asking the kernel. */
static bool is_on_heap(uint64_t address, size_t size_bytes)
{
	return heap_start && within(address, size_bytes, heap_start, (uintptr_t)sbrk(0));
}

static bool is_in_program(uint64_t address, size_t size_bytes)
{
	for (size_t i = 0; i < program_count; i++)
		if (within(address, size_bytes, program[i].low, program[i].high))
			return true;
	return false;
}

static bool is_there(const struct own_stack *stack, uint64_t address, size_t size_bytes)
{
	return is_on_stack(stack, address, size_bytes) || is_on_heap(address, size_bytes) || is_in_program(address, size_bytes);
}

static size_t read_once(void *out, pid_t tid, uint64_t address, size_t size_bytes)
{
	const struct iovec here = { out, size_bytes }, there = { (void *)(uintptr_t)address, size_bytes };
	const ssize_t got = process_vm_readv(tid, &here, 1, &there, 1, 0);

	return got < 0 ? 0 : (size_t)got;
}

size_t own_memory_read(void *out, pid_t tid, const struct own_stack *stack, uint64_t address, size_t size_bytes)
{
	size_t done;

	if (is_there(stack, address, size_bytes)) {
		memcpy(out, (const void *)(uintptr_t)address, size_bytes);
		return size_bytes;
	}
	done = read_once(out, tid, address, size_bytes);
	while (done < size_bytes) { /* page by page, up to the first that is not there */
		const size_t to_page = PAGE_BYTES - (size_t)((address + done) % PAGE_BYTES);
		const size_t wanted = size_bytes - done < to_page ? size_bytes - done : to_page;
		const size_t got = read_once((uint8_t *)out + done, tid, address + done, wanted);

		done += got;
		if (got < wanted)
			break;
	}
	return done;
}

/* What stands in /proc before the path of a device that is only pretended (sniff --replay, and tests). */
#define PRETENDED "/memfd:drvabi:"

enum { KNOWN_MAX = 4096, ROOM_MAX = 64 };

/* By descriptor. An entry is written once, before its address is stored here. */
static _Atomic(const struct descriptor *) known[KNOWN_MAX];

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void cut_deleted(char *path)
{
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);

	if (length > strlen(deleted) && !strcmp(path + length - strlen(deleted), deleted))
		path[length - strlen(deleted)] = '\0';
}

void descriptor_path(char *out, size_t room, int fd)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, out, room - 1);
	out[length < 0 ? 0 : length] = '\0';
	cut_deleted(out);
	if (begins(out, PRETENDED))
		memmove(out, out + strlen(PRETENDED), strlen(out + strlen(PRETENDED)) + 1);
}

/* The kernel's O_LARGEFILE, which it adds to all that a 64-bit program opens; libc's is 0. */
#ifdef __aarch64__
enum { LARGE_FILE = 0400000 };
#else
enum { LARGE_FILE = 0100000 };
#endif

uint64_t descriptor_flags(int fd)
{
	const int flags = fcntl(fd, F_GETFL), descriptor_flags = fcntl(fd, F_GETFD);

	if (flags < 0 || descriptor_flags < 0)
		return 0;
	return (uint64_t)((flags & ~LARGE_FILE) | (descriptor_flags & FD_CLOEXEC ? O_CLOEXEC : 0));
}

/* By its path, if it is pretended. Return: NULL if it is no device of the driver. */
static const struct device_rule *rule_of(struct descriptor *out, const struct device_rules *devices, int fd, const struct stat *st)
{
	static _Atomic dev_t other; /* the last number that was not the driver's: /proc/devices is not read again for it */
	const struct device_rule *rule;
	char link[64], path[sizeof(out->path)];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/thread-self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (begins(path, PRETENDED)) {
		descriptor_path(out->path, sizeof(out->path), fd);
		return device_rule_of_path(devices, out->path);
	}
	if (!S_ISCHR(st->st_mode) || (other == st->st_rdev && !device_rule_of_path(devices, path)))
		return NULL;
	cut_deleted(path);
	rule = device_rule_of(out->path, sizeof(out->path), devices, path, st->st_rdev);
	if (!rule)
		other = st->st_rdev;
	return rule;
}

/*
 * Never freed: few descriptors become another device. The first ones have their room here, since a page that is mapped now might be one that the workload
 * has unmapped, and expects calls to fail at.
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

static const struct descriptor *look(const struct device_rules *devices, int fd, pid_t pid, const struct stat *st)
{
	struct descriptor got = { .device = st->st_dev, .inode = st->st_ino, .number = st->st_rdev, .pid = pid }, *found;
	const struct device_rule *rule = rule_of(&got, devices, fd, st);

	if (!rule)
		return NULL;
	found = new_descriptor();
	if (!found)
		return NULL;
	got.family = plan_family_of(rule->family);
	*found = got;
	if (fd < KNOWN_MAX)
		known[fd] = found;
	return found;
}

/* Most descriptors are told without their path: no file with a name is a device, and no socket. */
static bool may_be_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) || (S_ISREG(st->st_mode) && !st->st_nlink);
}

const struct descriptor *descriptor_of(bool *is_new, const struct device_rules *devices, int fd, pid_t pid)
{
	const struct descriptor *found = fd >= 0 && fd < KNOWN_MAX ? known[fd] : NULL;
	struct stat st;

	*is_new = false;
	if (fstat(fd, &st) || !may_be_device(&st))
		return NULL;
	if (found && found->device == st.st_dev && found->inode == st.st_ino && found->number == st.st_rdev && found->pid == pid)
		return found;
	found = look(devices, fd, pid, &st);
	*is_new = found;
	return found;
}

/*
 * How a call is followed:
 *
 * 1. The argument is read. Its size is in the request; UVM's is that of the ioctl's parameters.
 * 2. If it is an envelope, what is inside is read, and that may be one, too: the chain.
 * 3. Behind the whole chain, in its order: what the pointers of each call lead to, and its descriptors.
 *
 * A range is read once. What could not be read whole is recorded, and not looked into.
 */

/* Of a chain, and of one range that is looked into: as CALL_DEPTH_MAX and CALL_SIZE_MAX of decode/decode.h. */
enum { DEPTH_MAX = 4, SIZE_MAX_BYTES = 16 * 1024 * 1024, NUMBER_MASK = 0xff, SIZE_SHIFT = 16, SIZE_MASK = 0x3fff };

struct following {
	struct frame *frame;
	const struct plan *plan;
	uint64_t region_limit_bytes;
};

/* A call of the chain. */
struct level {
	const struct plan_entry *entry; /* of the parameters' very size; NULL: none */
	const uint8_t *bytes;           /* NULL: not known */
	size_t size_bytes;
	bool is_serialized;             /* its pointers are not followed */
};

static struct frame_region *find_region(struct frame *frame, uint64_t address, uint64_t size_bytes)
{
	for (size_t i = 0; i < frame->region_count; i++)
		if (frame->regions[i].address == address && frame->regions[i].size_bytes == size_bytes)
			return &frame->regions[i];
	return NULL;
}

static struct frame_region *read_region(const struct following *following, uint64_t address, uint64_t size_bytes)
{
	struct frame *frame = following->frame;
	struct frame_region *region;
	uint64_t wanted = size_bytes;

	if (frame->region_count == FRAME_REGIONS)
		return NULL;
	if (wanted > following->region_limit_bytes)
		wanted = following->region_limit_bytes;
	if (wanted > FRAME_BYTES - frame->used_bytes)
		wanted = FRAME_BYTES - frame->used_bytes;
	region = &frame->regions[frame->region_count++];
	*region = (struct frame_region){ .address = address, .size_bytes = size_bytes, .before = frame->bytes + frame->used_bytes };
	region->before_bytes = own_memory_read(region->before, frame->tid, &frame->stack, address, (size_t)wanted);
	frame->used_bytes += region->before_bytes;
	return region;
}

/* Return: the bytes; NULL if not all of them are known. */
static const uint8_t *read_all(const struct following *following, uint64_t address, uint64_t size_bytes)
{
	const struct frame_region *region = find_region(following->frame, address, size_bytes);

	if (!region)
		region = read_region(following, address, size_bytes);
	return region && region->before_bytes == size_bytes ? region->before : NULL;
}

/* What is inside an envelope. The driver goes by the class of an allocation: the size that it gives need not be true. */
static struct level open_envelope(const struct following *following, const struct plan_step *step, const struct level *outer)
{
	const uint64_t number = plan_value(&step->number, outer->bytes, outer->size_bytes);
	const uint64_t address = plan_value(&step->pointer, outer->bytes, outer->size_bytes);
	uint64_t size_bytes = plan_value(&step->size, outer->bytes, outer->size_bytes);
	const struct plan_entry *usual = step->family == PLAN_ALLOC ? plan_find(following->plan, step->family, number) : NULL;
	struct level inner = { .bytes = NULL };

	if (usual)
		size_bytes = usual->size_bytes;
	inner.entry = plan_find_size(following->plan, step->family, number, size_bytes);
	inner.is_serialized = plan_value(&step->serialized, outer->bytes, outer->size_bytes) & step->serialized_mask;
	if (address && size_bytes && size_bytes <= SIZE_MAX_BYTES)
		inner.bytes = read_all(following, address, size_bytes);
	inner.size_bytes = (size_t)size_bytes;
	return inner;
}

static const struct plan_step *envelope_of(const struct plan *plan, const struct level *level)
{
	const struct plan_step *step = level->entry && level->bytes ? &plan->steps[level->entry->first_step] : NULL;

	return step && level->entry->step_count && step->kind == PLAN_ENVELOPE ? step : NULL;
}

static void read_pointer(const struct following *following, const struct plan_step *step, const struct level *level)
{
	const uint64_t address = plan_value(&step->pointer, level->bytes, level->size_bytes);
	const uint64_t count = step->size.size_bytes ? plan_value(&step->size, level->bytes, level->size_bytes) : 1;
	const uint64_t times = step->times.size_bytes ? plan_value(&step->times, level->bytes, level->size_bytes) : 1;
	uint64_t size_bytes;

	if (level->is_serialized || !address || (plan_value(&step->when, level->bytes, level->size_bytes) & step->mask) != step->equals)
		return;
	if (count > SIZE_MAX_BYTES || times > SIZE_MAX_BYTES || count * times > SIZE_MAX_BYTES ||
	    (step->element_bytes && count * times > SIZE_MAX_BYTES / step->element_bytes))
		return;
	size_bytes = count * times * step->element_bytes;
	if (size_bytes)
		read_all(following, address, size_bytes);
}

/* A descriptor is an int, or an int in 64 bits. */
static void note_fd(struct frame *frame, const struct plan_step *step, const struct level *level)
{
	const uint64_t value = plan_value(&step->number, level->bytes, level->size_bytes);
	const int64_t number = step->number.size_bytes == 4 ? (int32_t)value : (int64_t)value;

	if (number >= 0 && number <= INT32_MAX && frame->fd_count < FRAME_FDS)
		frame->fds[frame->fd_count++] = number;
}

static void look_into(const struct following *following, const struct level *level)
{
	if (!level->entry || !level->bytes)
		return;
	for (uint32_t i = 0; i < level->entry->step_count; i++) {
		const struct plan_step *step = &following->plan->steps[level->entry->first_step + i];

		if (step->kind == PLAN_POINTER)
			read_pointer(following, step, level);
		else if (step->kind == PLAN_FD)
			note_fd(following->frame, step, level);
	}
}

static struct level outermost(const struct following *following, enum plan_family family, uint64_t request, uint64_t argument)
{
	const bool is_known_by_nr = family == PLAN_FRONTEND || family == PLAN_NVSWITCH || family == PLAN_NVLINK; /* as decode/request.c has it */
	const uint64_t number = is_known_by_nr ? request & NUMBER_MASK : request;
	struct level level = { .size_bytes = (request >> SIZE_SHIFT) & SIZE_MASK };

	if (family == PLAN_UVM) {
		const struct plan_entry *usual = plan_find(following->plan, family, number);

		level.size_bytes = usual ? usual->size_bytes : 0;
	}
	if (argument && level.size_bytes)
		level.bytes = read_all(following, argument, level.size_bytes);
	if (family < PLAN_FAMILIES)
		level.entry = plan_find_size(following->plan, family, number, level.size_bytes);
	return level;
}

void follow_before(struct frame *frame, const struct plan *plan, enum plan_family family, uint64_t request, uint64_t argument,
		   uint64_t region_limit_bytes)
{
	const struct following following = { frame, plan, region_limit_bytes };
	const struct plan_step *envelope;
	struct level chain[DEPTH_MAX];
	size_t count = 1;

	chain[0] = outermost(&following, family, request, argument);
	while (count < DEPTH_MAX && (envelope = envelope_of(plan, &chain[count - 1]))) {
		chain[count] = open_envelope(&following, envelope, &chain[count - 1]);
		count++;
	}
	for (size_t i = 0; i < count; i++)
		look_into(&following, &chain[i]);
}

void follow_after(struct frame *frame)
{
	for (size_t i = 0; i < frame->region_count; i++) {
		struct frame_region *region = &frame->regions[i];

		region->after = frame->bytes + frame->used_bytes;
		region->after_bytes = own_memory_read(region->after, frame->tid, &frame->stack, region->address, region->before_bytes);
		frame->used_bytes += region->after_bytes;
	}
}
