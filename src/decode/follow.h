/*
 * decode/follow.h - the memory behind the pointers in a call's parameters
 *
 * Internal to decode/.
 */
#ifndef DECODE_FOLLOW_H
#define DECODE_FOLLOW_H

#include "decode/decode.h"

/**
 * decode_follow - sets the pointers of @ioctl
 * @chain: of call_follow(), in the documents that the ioctls were decoded with; @index of it is @ioctl's
 *
 * What cannot be decoded gets a note.
 */
void decode_follow(struct decode_ioctl *ioctl, const struct call *chain, size_t index, const struct decode_scope *scope,
		   const struct decode_memory *memory, struct arena *arena);

#endif
