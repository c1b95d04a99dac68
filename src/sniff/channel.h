/*
 * sniff/channel.h - memory that a workload and its recorder share: the plan (which memory to record), and the
 * recorded calls
 *
 * Both map the same file. It has a head, the plan, and a ring buffer with a stream of messages. Any thread of
 * any process of the workload appends whole messages, and the recorder removes them. If a process is killed,
 * its last message is whole or absent, and the kernel releases its lock (a robust mutex). After the recorder
 * has ended, nothing is appended.
 */
#ifndef SNIFF_CHANNEL_H
#define SNIFF_CHANNEL_H

#include "decode/decode.h"

#include <pthread.h>
#include <stdatomic.h>

#define CHANNEL_VARIABLE "DRVABI_PRELOAD_CHANNEL" /* environment variable with the file's path */

enum {
	CHANNEL_RING_BYTES = 16 * 1024 * 1024,
	CHANNEL_MESSAGE_MAX = CHANNEL_RING_BYTES / 2,
};

struct channel_head {
	char magic[16];
	uint64_t began_ns;      /* when the trace began, on CLOCK_MONOTONIC */
	uint64_t region_bytes;  /* limit for the recorded bytes of one range of memory */
	uint64_t plan_bytes;
	pthread_mutex_t lock;   /* held while a message is appended */
	pthread_mutex_t alive;  /* held by the recorder while it runs */
	/* counts of bytes since the beginning; the ring holds the bytes from @taken up to @appended */
	_Atomic uint64_t appended, taken;
	_Atomic uint64_t attached; /* number of processes that have attached */
	_Atomic uint64_t lost;  /* number of messages that could not be appended */
	_Atomic bool is_closed; /* the recorder has ended */
};

/*
 * the plan: which memory each ioctl reads, as offsets
 *
 * A process of the workload has neither the driver's document nor the time to look up names in it. So the
 * recorder lists beforehand, for each ioctl and each size of its parameters, the offsets of pointers, of the
 * sizes of their targets, and of descriptors. The plan finds the same ranges as call_follow(),
 * call_pointers() and call_fds(), but does not follow pointers in the target of a pointer. The plan is one
 * block of bytes: the head, the entries sorted by family and number, the steps, and the devices whose ioctls
 * are recorded.
 */

enum { PLAN_FAMILY_MAX = sizeof(((struct device_rule *)NULL)->family) };

/* Where a number is in the parameters. */
struct plan_field {
	uint32_t offset_bytes;
	uint32_t size_bytes; /* 1 to 8; 0: the parameters do not have the number */
};

enum plan_step_kind {
	PLAN_ENVELOPE, /* the ioctl carries an inner ioctl with @number, and @size bytes at @pointer */
	PLAN_POINTER,  /* @pointer points to @size * @times elements */
	PLAN_FD,       /* @number is a descriptor */
};

struct plan_step {
	enum plan_step_kind kind;
	char family[PLAN_FAMILY_MAX]; /* the inner ioctl's family */
	struct plan_field number, pointer, size, times, when;
	uint64_t element_bytes;
	/* the pointer, or an envelope's inner pointers, are followed if (when & mask) == equals */
	uint64_t mask, equals;
};

struct plan_entry {
	char family[PLAN_FAMILY_MAX];
	uint64_t number;              /* abi_ioctl_identity() */
	uint64_t size_bytes;          /* the steps are for parameters of this size */
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
	uint8_t *ring; /* mapped twice in a row, so that a message that wraps around is contiguous */
	size_t head_bytes;      /* size of the mapping of head and plan */
	uint64_t taken;         /* the recorder's copy of head->taken, which the workload can overwrite */
	bool is_closed;         /* the recorder's copy of head->is_closed */
};

/**
 * channel_create - make a channel in the empty file @fd
 *
 * The calling thread is the recorder: the workload stops appending after this thread has ended.
 * Return: 0; -1 with errno.
 */
int channel_create(struct channel *out, int fd, const void *plan, size_t plan_bytes, uint64_t region_bytes);

/*
 * channel_attach - map the channel in a process of the workload, count the process in head->attached, and
 * close @fd, which may be -1. Return: 0; -1 if @fd is not a channel of this library, or cannot be mapped.
 */
int channel_attach(struct channel *out, int fd);

void channel_release(struct channel *channel);

/**
 * channel_append - append a message
 *
 * Waits while the ring is full and the recorder is there. A message that is not appended is counted in
 * head->lost. Allocates nothing, and is not a cancellation point. If a signal handler interrupts this
 * function and calls it, the handler's message can be lost. errno may change.
 */
void channel_append(struct channel *channel, const void *bytes, size_t size_bytes);

/*
 * channel_peek - point @out to the bytes in the ring, which are valid until channel_take(). Return: the
 * number of bytes; SIZE_MAX if the workload has overwritten the head.
 */
size_t channel_peek(const uint8_t **out, const struct channel *channel);
void channel_take(struct channel *channel, size_t size_bytes);

/* channel_close - end recording. Processes no longer wait for the recorder. */
void channel_close(struct channel *channel);

/*
 * how a process gets the channel's file if it cannot open the path
 *
 * The path is in /proc and has the recorder's pid. A process in a different pid namespace has a different
 * /proc, so the recorder sends the file to this process through a Unix socket. The socket is abstract, so
 * that no common directory is needed. Its name is random, and only in the workload's environment. Both
 * processes must be in the same network namespace.
 */

#define HANDOVER_VARIABLE "DRVABI_PRELOAD_SOCKET" /* environment variable with the socket's name */

enum { HANDOVER_NAME_MAX = 64 };

/* handover_open - listen on a socket with a new name, and set @name. Return: a descriptor; -1 with errno. */
int handover_open(char name[HANDOVER_NAME_MAX]);

/*
 * handover_serve - send @channel_fd to all processes that have connected to @socket_fd. Does not wait for
 * connections. Refuses processes that do not run as this user or as root.
 * Return: the number of processes that were refused.
 */
unsigned handover_serve(int socket_fd, int channel_fd);

/*
 * handover_ask - request the channel's descriptor from the recorder. errno may change.
 * Return: the descriptor, which the caller closes; -1 if none arrives within two seconds.
 */
int handover_ask(const char *name);

/* --- the plan's bytes: one struct plan_head, the entries, the steps, the devices ------------- */

struct plan_head {
	uint32_t entry_count, step_count, device_count, unused;
};

/*
 * memory of this process, which may be unmapped
 *
 * A pointer that the driver would refuse must not crash the workload here. Memory that is certainly mapped
 * (this thread's stack, the heap of brk, the program's own data) is copied directly. All other memory is
 * copied by the kernel, which reports unmapped addresses.
 */

/*
 * own_memory_init - find the memory that stays mapped, for own_memory_read(); called once. @stack_top: an
 * address on the first thread's stack, above all frames
 */
void own_memory_init(const void *stack_top);

/* Addresses from @low up to, but not including, @high. */
struct own_range {
	uintptr_t low, high;
};

/* own_stack_of - find the stack of the calling thread, for own_memory_read(); 0, 0 if it is unknown. */
struct own_range own_stack_of(pid_t pid, pid_t tid);

/*
 * own_memory_read - read @size_bytes at @address, or up to the first unreadable byte
 * @tid: the calling thread (the process's first thread may have ended, and then its memory cannot be read)
 *
 * Copies ranges that are certainly mapped. The kernel copies all others, so an unmapped byte causes no crash.
 * Return: the number of bytes that were read.
 */
size_t own_memory_read(void *out, pid_t tid, const struct own_range *stack, uint64_t address,
		       size_t size_bytes);

#endif
