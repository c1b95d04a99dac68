/*
 * sniff/frame.h - the memory in which one call is recorded
 *
 * Part of preload/. Reserved once for each thread, and another one for each call that a signal's handler makes while a call is in
 * progress; it is used again by the thread's next call. Pages that are not used are not there. After a fork the child finds its frames empty.
 * What is long is in here and not on the workload's stack, of which a handler's may have 8 KB.
 */
#ifndef SNIFF_FRAME_H
#define SNIFF_FRAME_H

#include "sniff/own_memory.h"
#include "decode/decode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* frame_take - one that is empty; NULL if there is no memory for it. errno may change. */
struct frame *frame_take(void);

/* frame_give_back - of the same thread. */
void frame_give_back(struct frame *frame);

#endif
