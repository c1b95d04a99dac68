/*
 * archive/take.h - reading the blocks, never past their end
 *
 * Private to archive/. After the first thing that cannot be, a reader is at
 * its end and answers 0, so that one question at the end is enough.
 */
#ifndef ARCHIVE_TAKE_H
#define ARCHIVE_TAKE_H

#include "abi/abi.h"
#include "archive/block.h"

struct reader {
	const unsigned char *at, *end;
	bool failed;
};

void reader_init(struct reader *in, const struct block *block);

/* take_failed - Return: 0, for what was to be read. */
uint64_t take_failed(struct reader *in);

static inline uint64_t take_number(struct reader *in)
{
	uint64_t value;

	return varint_take(&value, &in->at, in->end) ? value : take_failed(in);
}

/* take_below - a number less than @limit. */
uint64_t take_below(struct reader *in, uint64_t limit);

/* take_bool - 0 or 1. */
bool take_bool(struct reader *in);

/* take_count - of elements that take at least @least_bytes each, so that no forged count allocates much. */
size_t take_count(struct reader *in, size_t least_bytes);

struct abi_number take_value(struct reader *in);

/* take_text - up to and with its NUL; points into the block. */
const char *take_text(struct reader *in);

#endif
