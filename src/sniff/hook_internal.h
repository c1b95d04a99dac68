/* sniff/hook_internal.h - what the preloaded library and its recorder share. It is linked with libc alone. */
#ifndef SNIFF_HOOK_INTERNAL_H
#define SNIFF_HOOK_INTERNAL_H

#include "sniff/internal.h"
#include "decode/decode.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct descriptor {
	dev_t device;
	ino_t inode;
	dev_t number;            /* of a device */
	pid_t pid;               /* of the process that asked first */
	enum plan_family family; /* of its ioctls; PLAN_FAMILIES: not known */
	char path[256];          /* "/dev/nvidiactl" */
};

/**
 * descriptor_of - what @fd is
 * @is_new: this process did not know it as that before
 *
 * Lives until the process ends. Return: NULL if it is no device of the driver.
 */
const struct descriptor *descriptor_of(bool *is_new, const struct device_rules *devices, int fd, pid_t pid);

/* descriptor_path - the path of any descriptor, as /proc has it, cut at @room; "" if there is none. */
void descriptor_path(char *out, size_t room, int fd);

/* descriptor_flags - with which it was opened. */
uint64_t descriptor_flags(int fd);

/* The stack of a thread; 0, 0: not known. */
struct own_stack {
	uintptr_t low, high;
};

/*
 * the memory in which one call is recorded
 *
 * Reserved once for each thread, and another one for each call that a signal's handler makes while a call is in
 * progress; it is used again by the thread's next call. Pages that are not used are not there. After a fork the child finds its frames empty.
 * What is long is in here and not on the workload's stack, of which a handler's may have 8 KB.
 */

enum {
	FRAME_REGIONS = 64,
	FRAME_FDS = 64,
	FRAME_PATH_MAX = 256,
	FRAME_BYTES = 3 * 1024 * 1024, /* of all regions before the call; as many after it, and the message that is made of both */
};

/* A range of the caller's memory. */
struct frame_region {
	uint64_t address, size_bytes; /* that belong to the call; what was read may be less */
	uint8_t *before, *after;
	size_t before_bytes, after_bytes;
};

struct frame {
	struct frame *next;      /* that are not used */
	pid_t pid, tid;          /* 0: not asked for yet */
	struct own_stack stack;
	struct frame_region regions[FRAME_REGIONS];
	size_t region_count;
	int64_t fds[FRAME_FDS];  /* descriptors in the parameters */
	size_t fd_count;
	char paths[FRAME_FDS][FRAME_PATH_MAX]; /* of these */
	struct trace_fd message_fds[FRAME_FDS]; /* both, and the regions, as the message has them */
	struct trace_memory message_memory[FRAME_REGIONS];
	size_t used_bytes;       /* of bytes */
	size_t packed_bytes;     /* of what is behind them, at most, since it was last given back */
	uint8_t bytes[2 * FRAME_BYTES];
	uint8_t packed[3 * FRAME_BYTES];
};

/*
 * the memory that belongs to a call of this process
 *
 * The same ranges, in the same order, as call_follow(), call_pointers() and call_fds() ask for.
 */

/**
 * follow_before - read the argument, and what it leads to
 * @family: of the device; PLAN_FAMILIES: nothing is followed
 * @region_limit_bytes: of one range
 */
void follow_before(struct frame *frame, const struct plan *plan, enum plan_family family, uint64_t request, uint64_t argument,
		   uint64_t region_limit_bytes);

/* follow_after - read the same ranges again. */
void follow_after(struct frame *frame);

/*
 * memory of this process, which may not be there
 *
 * A pointer that the driver would refuse must not end the workload here. What is sure to be there (this thread's
 * stack, the heap of brk, the program's own data) is copied; all else the kernel copies, which tells.
 */

/* own_memory_init - once; @stack_top: an address on the first thread's stack, above all frames. */
void own_memory_init(const void *stack_top);

/* own_stack_of - of the thread that calls it. */
struct own_stack own_stack_of(pid_t pid, pid_t tid);

/*
 * own_memory_read - what can be read from @address on, up to @size_bytes
 * @tid: the thread that calls it; the first one, whose number is the process's, may have ended, and has no memory then
 *
 * Return: bytes that were read.
 */
size_t own_memory_read(void *out, pid_t tid, const struct own_stack *stack, uint64_t address, size_t size_bytes);

/* frame_take - one that is empty; NULL if there is no memory for it. errno may change. */
struct frame *frame_take(void);

/* frame_give_back - of the same thread. */
void frame_give_back(struct frame *frame);

/*
 * memory that a workload and its recorder share: what to record, and what was recorded
 *
 * A file that both map: a head, the plan (plan.h), and a ring of bytes, which is a stream of trace.h.
 * Any thread of any process of the workload appends whole messages; the recorder takes them out. A process that is
 * killed has appended a message or not; the lock that it may have held is given up by the kernel (a robust mutex).
 * When the recorder has gone, nothing is appended any more.
 */

#define CHANNEL_VARIABLE "DRVABI_PRELOAD_CHANNEL" /* of the environment: the file's path */

enum {
	CHANNEL_RING_BYTES = 16 * 1024 * 1024,
	CHANNEL_MESSAGE_MAX = CHANNEL_RING_BYTES / 2,
};

struct channel_head {
	char magic[16];
	uint64_t began_ns;      /* of CLOCK_MONOTONIC: when the trace began */
	uint64_t region_bytes;  /* of one range of memory, at most */
	uint64_t plan_bytes;
	uint64_t ring_offset;   /* in the file */
	pthread_mutex_t lock;   /* of whoever appends */
	pthread_mutex_t alive;  /* held by the recorder while it runs */
	_Atomic uint64_t appended, taken; /* bytes since the beginning; between them lies what is in the ring */
	_Atomic uint64_t attached; /* processes */
	_Atomic uint64_t lost;  /* messages that could not be appended */
	_Atomic bool is_closed; /* the recorder has gone */
};

struct channel {
	struct channel_head *head;
	const uint8_t *plan;
	uint8_t *ring;          /* mapped twice in a row, so that what wraps around is in one piece */
	size_t head_bytes;      /* that are mapped for head and plan */
	uint64_t taken;         /* by the recorder, as @head must have it */
	bool is_closed;         /* likewise */
};

/**
 * channel_create - fill the empty file @fd
 *
 * The caller is the recorder, in the thread that calls it.
 * Return: 0; -1 with errno.
 */
int channel_create(struct channel *out, int fd, const void *plan, size_t plan_bytes, uint64_t region_bytes);

/* channel_open - the channel's file at @path. Return: a descriptor; -1 with errno. */
int channel_open(const char *path);

/* channel_attach - map the channel, and close @fd, which may be -1. Return: 0; -1 if there is none, or it is another program's. */
int channel_attach(struct channel *out, int fd);

void channel_release(struct channel *channel);

/**
 * channel_append - append a message
 *
 * Waits while the ring is full. Allocates nothing, and is no cancellation point; if a signal's handler interrupts it and calls it
 * again, that message is lost. errno may change.
 */
void channel_append(struct channel *channel, const void *bytes, size_t size_bytes);

/* channel_peek - what is in the ring: points into it until channel_take(). Return: bytes; SIZE_MAX if the workload has overwritten the head. */
size_t channel_peek(const uint8_t **out, const struct channel *channel);
void channel_take(struct channel *channel, size_t size_bytes);

/* channel_close - the recorder ends: nobody waits for it any more. */
void channel_close(struct channel *channel);

/*
 * the channel's file, for a process that cannot open its path
 *
 * The channel has a path in /proc, by the recorder's pid. A process in a pid namespace of its own has
 * another /proc; the recorder sends it the file by a Unix socket. The socket is abstract, so that it needs no directory that both
 * see, and has a random name, which only those know who have the workload's environment. It needs the same network namespace.
 */

#define HANDOVER_VARIABLE "DRVABI_PRELOAD_SOCKET" /* of the environment: the name */

enum { HANDOVER_NAME_MAX = 64 };

/* handover_open - listen by a new name. Return: a descriptor; -1 with errno. */
int handover_open(char name[HANDOVER_NAME_MAX]);

/*
 * handover_serve - send @channel_fd to all who have asked at @socket_fd, and run as this user or as root. Waits for nobody.
 * Return: how many were refused.
 */
unsigned handover_serve(int socket_fd, int channel_fd);

/* handover_ask - Return: the channel's descriptor, to be closed; -1 if nobody sends one within two seconds. errno may change. */
int handover_ask(const char *name);

#endif
