/*
 * sniff/channel.h - memory that a workload and its recorder share: what to record, and what was recorded
 *
 * Part of preload/. A file that both map: a head, the plan (plan.h), and a ring of bytes, which is a stream of trace.h.
 * Any thread of any process of the workload appends whole messages; the recorder takes them out. A process that is
 * killed has appended a message or not; the lock that it may have held is given up by the kernel (a robust mutex).
 * When the recorder has gone, nothing is appended any more.
 */
#ifndef SNIFF_CHANNEL_H
#define SNIFF_CHANNEL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
