/*
 * base/varint.h - whole numbers in the fewest bytes
 *
 * Layer L0. Seven bits a byte, the lowest first; the top bit says that
 * another byte follows. A number has one form only: one that ends in a zero
 * byte is refused.
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

void varint_put(struct strbuf *out, uint64_t value);

/* varint_get_long - varint_get() of more than one byte. */
bool varint_get_long(uint64_t *value, const unsigned char **at, const unsigned char *end);

/**
 * varint_get - read a number
 * @at: moves past it, if it is one
 *
 * Return: false if the bytes end too early, are no number of 64 bits, or are
 * more than the number needs.
 */
static inline bool varint_get(uint64_t *value, const unsigned char **at, const unsigned char *end)
{
	if (*at == end || **at >= 0x80)
		return varint_get_long(value, at, end);
	*value = *(*at)++;
	return true;
}

/* Small numbers of either sign as small numbers: 0, -1, 1, -2 are 0, 1, 2, 3. */
static inline uint64_t varint_folded(int64_t value)
{
	return value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1;
}

static inline int64_t varint_unfolded(uint64_t folded)
{
	return (int64_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

#endif
