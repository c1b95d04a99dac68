/*
 * decode/pending.h - calls that have begun and not yet returned
 *
 * Internal to decode/. A table of fixed size, by format and thread.
 */
#ifndef DECODE_PENDING_H
#define DECODE_PENDING_H

#include "decode/lines.h"

enum { PENDING_MAX = 256 };

struct pending_call {
	bool is_used;
	size_t format;
	uint64_t thread;
	uint64_t serial; /* the larger, the later it began */
	struct decode_line line; /* without bytes */
};

struct pending {
	struct pending_call calls[PENDING_MAX];
	size_t count;
	uint64_t serial;
};

/* pending_add - a call of @thread, which has none. Return: false if there is no room. */
bool pending_add(struct pending *pending, size_t format, uint64_t thread, const struct decode_line *line);

/* pending_find - the call of @thread, until the next change; NULL if it has none. */
const struct decode_line *pending_find(const struct pending *pending, size_t format, uint64_t thread);

/* pending_take - the call of @thread, which is no longer pending. Return: false if it has none. */
bool pending_take(struct decode_line *out, struct pending *pending, size_t format, uint64_t thread);

/**
 * pending_take_resumed - the call that returned
 *
 * strace names no thread as long as there is one only: a call that began then
 * is the one that returned if it is the only one pending, and likewise if the
 * line that says so names none.
 */
bool pending_take_resumed(struct decode_line *out, struct pending *pending, size_t format, uint64_t thread);

/* pending_take_oldest - the one that began first. Return: false if there is none. */
bool pending_take_oldest(struct decode_line *out, struct pending *pending);

#endif
