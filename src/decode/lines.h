/*
 * decode/lines.h - the calls that the lines of a log tell of
 *
 * Part of decode/, and of its public face.
 *
 *   runsc      gVisor's log, old and new wordings, and its strace lines     read_runsc.c
 *   sniffer    the text of gVisor's ioctl_sniffer                           read_sniffer.c
 *   strace     with all options that change its lines                       read_strace.c
 *   perf       perf trace                                                   read_perf.c
 *   libcudest  libcudest's dumps, with the parameters' bytes                read_cudest.c
 *
 * A call may be told by several lines: strace's unfinished ones, which
 * pending.c keeps, and dumps: libcudest's, and what hexdump or xxd printed of a
 * call below its line (below.c). It is found where the last of them is. Memory
 * is bounded, whatever the lines hold.
 */
#ifndef DECODE_LINES_H
#define DECODE_LINES_H

#include "abi/abi.h"
#include "base/base.h"

#include <stdbool.h>
#include <stdint.h>

/* Memory that a pointer of the call's parameters leads to. */
struct decode_block {
	uint64_t address;
	uint64_t size_bytes;
	const uint8_t *before, *after; /* the call; NULL: not recorded */
};

enum { DECODE_BLOCK_MAX = 1 }; /* that a line tells of */

/* What a log says of a call. */
struct decode_line {
	const char *family;
	uint64_t number;
	const char *within;  /* the ioctl that allocates this class by rules of its own, "NV_ESC_RM_ALLOC_MEMORY"; NULL: none. Static */
	bool has_size;
	uint64_t size_bytes;
	bool has_ret;
	int64_t ret;
	int error;           /* errno of a call that failed; 0: not told */
	bool has_status;
	uint64_t status;
	const uint8_t *before, *after; /* the call: size_bytes of its parameters each; NULL: not recorded */
	struct decode_block blocks[DECODE_BLOCK_MAX];
	size_t block_count;
};

/* What is called for each call, and for each line that names the driver's version. @call and its bytes last until it returns; what is not 0 ends the reading. */
struct decode_sink {
	int (*found)(void *data, const struct decode_line *call, struct err *err);
	int (*version)(void *data, const char *version, struct err *err); /* the driver's, of the calls that follow; NULL: nobody wants it */
	void *data;
};

struct decode_lines;

/**
 * decode_lines_new - a reader of lines
 * @format: NULL: every one
 *
 * Return: freed with decode_lines_free(); NULL if there is no such format.
 */
struct decode_lines *decode_lines_new(const char *format, const struct device_rules *devices);
void decode_lines_free(struct decode_lines *lines);

/* decode_lines_format - the name of the format numbered @index; NULL behind the last. */
const char *decode_lines_format(size_t index);

/**
 * decode_lines_read - what a line tells
 * @line: @length bytes of anything, without the newline
 *
 * Return: 0, or what @sink returned.
 */
int decode_lines_read(struct decode_lines *lines, const char *line, size_t length, const struct decode_sink *sink, struct err *err);

/**
 * decode_lines_before - what a line tells of the calls before it
 *
 * decode_lines_read() of the same line does it, too. Who prints lines between calls asks first.
 */
int decode_lines_before(struct decode_lines *lines, const char *line, size_t length, const struct decode_sink *sink, struct err *err);

/* decode_lines_is_waiting - is a call held back, because the next line may be a dump of its bytes? */
bool decode_lines_is_waiting(const struct decode_lines *lines);

/* decode_lines_flush - tells it now, without what has not come. */
int decode_lines_flush(struct decode_lines *lines, const struct decode_sink *sink, struct err *err);

/* decode_lines_end - the calls that no line ended. */
int decode_lines_end(struct decode_lines *lines, const struct decode_sink *sink, struct err *err);

/**
 * decode_lines_skip - how many of @length bytes are whole lines that tell nothing, at least
 *
 * They need not be given to decode_lines_read(). One search over many lines costs less than one in each.
 */
size_t decode_lines_skip(const struct decode_lines *lines, const char *text, size_t length);

/* decode_lines_other - the format other than the asked one that a line was of; NULL: there was none. */
const char *decode_lines_other(const struct decode_lines *lines);

#endif
