/*
 * decode/lines.h - what a line of a log says of an ioctl
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_LINES_H
#define DECODE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decode_line {
	const char *family;
	uint64_t number;
	bool has_size;
	uint64_t size_bytes;
	bool has_ret;
	int64_t ret;
	bool has_status;
	uint64_t status;
};

/**
 * decode_line_read - the ioctl that a line names
 * @line: @length bytes of anything, without the newline
 *
 * Knows runsc's log (old and new wordings, and its strace lines), the text of
 * gVisor's sniffer, and strace, with and without paths.
 * Return: false if it names none of the driver's.
 */
bool decode_line_read(struct decode_line *out, const char *line, size_t length);

/**
 * decode_lines_skip - how many of @length bytes are whole lines that name no ioctl, at least
 *
 * They need not be shown to decode_line_read(). One search over many lines costs less than one in each.
 */
size_t decode_lines_skip(const char *lines, size_t length);

#endif
