/*
 * base/byte_reader.h - read numbers and texts out of bytes, never past their end
 *
 * Layer L0. For binary formats whose numbers are varints. After the first
 * error a reader is at its end and every read returns 0 or "", so a caller
 * checks `failed` once, when it is done. The reader borrows the bytes, and
 * the texts that it returns point into them.
 */
#ifndef BASE_BYTE_READER_H
#define BASE_BYTE_READER_H

#include "base/varint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_reader {
	const unsigned char *at, *end;
	bool failed; /* once set, at == end */
};

void byte_reader_init(struct byte_reader *in, const void *data, size_t size);

/* byte_reader_fail - the bytes are not what they should be. Return: 0, for what was to be read. */
uint64_t byte_reader_fail(struct byte_reader *in);

static inline uint64_t byte_reader_number(struct byte_reader *in)
{
	uint64_t value;

	return varint_get(&value, &in->at, in->end) ? value : byte_reader_fail(in);
}

/* byte_reader_below - a number less than @limit. */
uint64_t byte_reader_below(struct byte_reader *in, uint64_t limit);

/* byte_reader_bool - 0 or 1. */
bool byte_reader_bool(struct byte_reader *in);

/* byte_reader_count - of elements of at least @least_bytes each, so that no forged count allocates much. */
size_t byte_reader_count(struct byte_reader *in, size_t least_bytes);
/* byte_reader_bounded - the same of a @count that has been read already. */
size_t byte_reader_bounded(struct byte_reader *in, uint64_t count, size_t least_bytes);

/* byte_reader_text - up to and with its NUL; points into the bytes. */
const char *byte_reader_text(struct byte_reader *in);

#endif
