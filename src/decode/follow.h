/*
 * decode/follow.h - the memory behind the pointers in a call's parameters
 *
 * Internal to decode/.
 */
#ifndef DECODE_FOLLOW_H
#define DECODE_FOLLOW_H

#include "decode/decode.h"

/**
 * decode_follow - sets the pointers of @ioctl, and marks the fields that are pointers without a rule
 * @chain: of call_follow(), in the documents that the ioctls were decoded with; @index of it is @ioctl's
 *
 * What cannot be decoded gets a note.
 */
void decode_follow(struct decode_ioctl *ioctl, const struct call *chain, size_t index, const struct decode_scope *scope,
		   const struct decode_memory *memory, struct arena *arena);

/* decode_has_unfollowed - is there a pointer without a rule in the parameters, or behind another one? */
bool decode_has_unfollowed(const struct decode_ioctl *ioctl);

/**
 * decode_follow_lacks_rule - has a call that nobody decodes a pointer without a rule in its parameters?
 * @chain: of call_follow(), in the document that @scope asks for; @index of it is the call
 *
 * What pointers lead to is not looked at. Return: false, too, if the parameters are not known.
 */
bool decode_follow_lacks_rule(const struct call *chain, size_t index, const struct decode_scope *scope);

#endif
