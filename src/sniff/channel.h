/*
 * sniff/channel.h - memory that a workload and its recorder share: the plan of what to record, and the
 * recorded calls
 *
 * A file that both map: a head, the plan, and a ring of bytes, which is a stream of messages. Any thread of
 * any process of the workload appends whole messages; the recorder takes them out. If a process is killed,
 * its last message is whole or absent, and the kernel releases its lock (a robust mutex). After the recorder
 * has ended, nothing is appended.
 */
#ifndef SNIFF_CHANNEL_H
#define SNIFF_CHANNEL_H

#include "decode/decode.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
	/* bytes since the beginning; the bytes between them are in the ring */
	_Atomic uint64_t appended, taken;
	_Atomic uint64_t attached; /* processes */
	_Atomic uint64_t lost;  /* messages that could not be appended */
	_Atomic bool is_closed; /* the recorder has ended */
};

/*
 * the plan: which memory each ioctl reads, as offsets
 *
 * A workload's process has neither the document of its driver nor the time to look names up in it. So the
 * recorder lists beforehand, for each ioctl and size of its parameters, the offsets of pointers, their sizes,
 * and descriptors. The ranges are those of call_follow(), call_pointers() and call_fds(), without pointers in
 * the target of a pointer. The plan is one block of bytes: head, entries by (family, number, size), steps,
 * and the devices whose ioctls are recorded.
 */

/* Families as numbers; names in channel.c. */
enum plan_family {
	PLAN_FRONTEND,
	PLAN_UVM,
	PLAN_MODESET,
	PLAN_DRM,
	PLAN_NVSWITCH,
	PLAN_NVSWITCH_CTL,
	PLAN_NVLINK,
	PLAN_CONTROL,
	PLAN_ALLOC,
	PLAN_NVKMS,
	PLAN_FAMILIES
};

/* A number in the parameters. */
struct plan_field {
	uint32_t offset_bytes;
	uint32_t size_bytes; /* 1 to 8; 0 if there is none */
};

enum plan_step_kind {
	PLAN_ENVELOPE, /* number, pointer, size: of the inner ioctl */
	PLAN_POINTER,  /* pointer, size * times elements */
	PLAN_FD,       /* number */
};

struct plan_step {
	enum plan_step_kind kind;
	enum plan_family family;      /* of the inner ioctl */
	struct plan_field number, pointer, size, times, when;
	uint64_t element_bytes;
	uint64_t mask, equals;        /* a pointer counts if (when & mask) == equals */
	/* of an envelope: if (serialized & serialized_mask), pointers inside are not followed */
	struct plan_field serialized;
	uint64_t serialized_mask;
};

struct plan_entry {
	enum plan_family family;
	uint64_t number;
	uint64_t size_bytes;          /* of the parameters that the steps are for */
	uint32_t first_step, step_count;
};

struct plan {
	uint32_t entry_count, step_count;
	const struct plan_entry *entries;
	const struct plan_step *steps;
	struct device_rules devices;
};

struct channel {
	struct channel_head *head;
	const uint8_t *plan;
	uint8_t *ring; /* mapped twice in a row, so that a record that wraps around is in one piece */
	size_t head_bytes;      /* that are mapped for head and plan */
	uint64_t taken;         /* by the recorder; @head has the same unless it was overwritten */
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

/*
 * channel_attach - map the channel, and close @fd, which may be -1. Return: 0; -1 if there is none, or it
 * is another program's.
 */
int channel_attach(struct channel *out, int fd);

void channel_release(struct channel *channel);

/**
 * channel_append - append a message
 *
 * Waits while the ring is full. Allocates nothing, and is not a cancellation point. If a signal handler
 * interrupts it and calls it again, the handler's message is lost. errno may change.
 */
void channel_append(struct channel *channel, const void *bytes, size_t size_bytes);

/*
 * channel_peek - the bytes in the ring: points into it until channel_take(). Return: bytes; SIZE_MAX if the
 * workload has overwritten the head.
 */
size_t channel_peek(const uint8_t **out, const struct channel *channel);
void channel_take(struct channel *channel, size_t size_bytes);

/* channel_close - end recording: no process waits for the recorder any more. */
void channel_close(struct channel *channel);

/*
 * the channel's file, for a process that cannot open its path
 *
 * The channel has a path in /proc, with the recorder's pid. A process in another pid namespace has another
 * /proc; the recorder sends it the file by a Unix socket. The socket is abstract, so that it needs no common
 * directory, and has a random name, which is in the workload's environment only. It needs the same network
 * namespace.
 */

#define HANDOVER_VARIABLE "DRVABI_PRELOAD_SOCKET" /* of the environment: the name */

enum { HANDOVER_NAME_MAX = 64 };

/* handover_open - listen by a new name. Return: a descriptor; -1 with errno. */
int handover_open(char name[HANDOVER_NAME_MAX]);

/*
 * handover_serve - send @channel_fd to all processes that have connected to @socket_fd, and run as this user
 * or as root. Does not wait.
 * Return: the number of processes that were refused.
 */
unsigned handover_serve(int socket_fd, int channel_fd);

/*
 * handover_ask - Return: the channel's descriptor, to be closed; -1 if nobody sends one within two seconds.
 * errno may change.
 */
int handover_ask(const char *name);

/* plan_family_of - Return: PLAN_FAMILIES if no step leads there. */
enum plan_family plan_family_of(const char *name);

/* plan_open - the plan in some bytes, which must outlive it. Return: false if it is not whole. */
bool plan_open(struct plan *out, const void *bytes, size_t size_bytes);

/* plan_find - the first entry of a family and number; those of other sizes follow it. NULL: none. */
const struct plan_entry *plan_find(const struct plan *plan, enum plan_family family, uint64_t number);

/* plan_find_size - the entry for parameters of this size; NULL: none. */
const struct plan_entry *plan_find_size(const struct plan *plan, enum plan_family family, uint64_t number,
					uint64_t size_bytes);

/* plan_value - 0 if there is no such field, or the parameters are too short. */
uint64_t plan_value(const struct plan_field *field, const uint8_t *bytes, size_t size_bytes);

/* --- its bytes: one struct plan_head, the entries, the steps, the devices -------------------- */

struct plan_head {
	uint32_t entry_count, step_count, device_count, unused;
};

/*
 * memory of this process, which may be unmapped
 *
 * A pointer that the driver would refuse must not crash the workload here. Memory that is certainly mapped
 * (this thread's stack, the heap of brk, the program's own data) is copied; the kernel copies all other
 * memory, and reports unmapped addresses.
 */

/* own_memory_init - once; @stack_top: an address on the first thread's stack, above all frames. */
void own_memory_init(const void *stack_top);

/* The stack of a thread; 0, 0: not known. */
struct own_stack {
	uintptr_t low, high;
};

/* own_stack_of - of the thread that calls it. */
struct own_stack own_stack_of(pid_t pid, pid_t tid);

/*
 * own_memory_read - the readable bytes from @address on, up to @size_bytes
 * @tid: the calling thread; the process's first thread may have ended, and then has no memory
 *
 * Return: bytes that were read.
 */
size_t own_memory_read(void *out, pid_t tid, const struct own_stack *stack, uint64_t address,
		       size_t size_bytes);

#endif
