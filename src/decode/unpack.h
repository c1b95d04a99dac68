/*
 * decode/unpack.h - a message out of its bytes
 *
 * Layer L2, internal to trace/.
 */
#ifndef DECODE_UNPACK_H
#define DECODE_UNPACK_H

#include "decode/trace.h"

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_PARTS_MAX_BYTES = 16 * 1024 * 1024, TRACE_USUAL_BYTES = 16 * 1024 };

/* Most messages fit into the first bytes, so that a trace of small ones costs no allocation. */
struct trace_unpacker {
	max_align_t first[TRACE_USUAL_BYTES / sizeof(max_align_t)];
	size_t used_bytes;  /* of first */
	size_t left_bytes;  /* that may still be allocated */
	bool spent;         /* more was wanted */
	struct arena arena; /* the rest */
};

/**
 * trace_unpack - read one message
 * @out:   all that it points to is in @unpacker; what was there before is gone
 * @bytes: without the length before it; of at most TRACE_MESSAGE_MAX; not needed afterwards
 *
 * Allocates at most twice the size of the message (memory that a call changed in part is written in part), and TRACE_PARTS_MAX_BYTES: a
 * few bytes of a message can stand for a part that takes hundreds.
 * Return: 0; ERR_FORMAT; ERR_LIMIT if it has too many parts. The sentence does not say where it is.
 */
int trace_unpack(struct trace_message *out, const uint8_t *bytes, size_t size_bytes, struct trace_unpacker *unpacker, struct err *err);

#endif
