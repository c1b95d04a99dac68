/*
 * sniff/near.h - which calls differ from a recorded one only in bytes that the driver changed
 *
 * Part of sniff/. A recorded call's mask is which of its inputs the driver left as they were, and how long they are. Two calls of one mask are compared
 * by one number, so that nobody compares each with each.
 */
#ifndef SNIFF_NEAR_H
#define SNIFF_NEAR_H

#include "sniff/gather.h"

/* near_after - the bytes after the call of one range of @recorded, which was gathered from @message; NULL: there are none. */
const struct trace_bytes *near_after(const struct trace_message *message, const struct gathered *recorded, size_t region);

/* near_mask - a hash of the mask of @recorded, which was gathered from @message. */
uint64_t near_mask(const struct trace_message *message, const struct gathered *recorded);

/**
 * near_hash - what @call has where the mask of @recorded says that the driver left it
 * @out: set to a hash. The driver's answer to @recorded is one to @call as well, but for what it wrote, if the hash of @recorded itself is the same.
 *
 * Of a message without bytes before the call, nothing is left: every call has the same.
 * Return: false if @call has too few bytes, or other ranges.
 */
bool near_hash(uint64_t *out, const struct trace_message *message, const struct gathered *recorded, const struct gathered *call);

#endif
