/*
 * decode/length.h - what stands before each message: its length in bytes
 *
 * Layer L2, internal to trace/. Little-endian, on every machine.
 */
#ifndef DECODE_LENGTH_H
#define DECODE_LENGTH_H

#include "decode/trace.h"

#include <stdint.h>

static inline void trace_length_put(uint8_t *at, uint64_t length)
{
	for (int i = 0; i < TRACE_LENGTH_BYTES; i++)
		at[i] = (uint8_t)(length >> (8 * i));
}

static inline uint64_t trace_length_get(const uint8_t *at)
{
	uint64_t length = 0;

	for (int i = 0; i < TRACE_LENGTH_BYTES; i++)
		length |= (uint64_t)at[i] << (8 * i);
	return length;
}

#endif
