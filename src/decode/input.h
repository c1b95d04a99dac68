/*
 * decode/input.h - the bytes of a stream, unpacked if they are zstd's
 *
 * Layer L2, internal to trace/.
 */
#ifndef DECODE_INPUT_H
#define DECODE_INPUT_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_input;

/**
 * trace_input_new - read from @fd, after the bytes that were read from it already
 * @fd:    borrowed
 * @begun: copied
 */
struct trace_input *trace_input_new(int fd, const uint8_t *begun, size_t size_bytes);
void trace_input_free(struct trace_input *input); /* NULL is fine */

/**
 * trace_input_read - as read(2)
 * @got: 0 only at the end
 *
 * Return: 0; ERR_IO; ERR_FORMAT if it is damaged zstd. The sentence does not name the file.
 */
int trace_input_read(size_t *got, struct trace_input *input, uint8_t *out, size_t room, struct err *err);

bool trace_input_is_packed(const struct trace_input *input);

/* trace_input_is_whole - at the end: did it end where zstd's frame does? */
bool trace_input_is_whole(const struct trace_input *input);

#endif
