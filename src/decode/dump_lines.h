/*
 * decode/dump_lines.h - the lines of a dump, in the order of their offsets
 *
 * Internal to decode/.
 */
#ifndef DECODE_DUMP_LINES_H
#define DECODE_DUMP_LINES_H

#include "base/base.h"
#include "decode/rest.h"

enum { DUMP_LINE_MAX = 256 }; /* bytes in one; xxd -c takes no more */

struct dump_lines {
	const char *text;   /* that is still to be read */
	unsigned number;    /* of the line that was read last, from 1 */
	struct strbuf *out;
	size_t before;      /* bytes in @out that are none of the dump's */
	size_t last_bytes;  /* in the line before; 0: there was none */
	bool is_repeated;   /* a "*" came */
	bool is_ended;      /* an offset without bytes came */
};

/* dump_lines_next - the next line that is not empty, without blanks before it. Return: false: there is none. */
bool dump_lines_next(struct rest *line, struct dump_lines *lines);

/**
 * dump_lines_at - the line that is being read is at @offset
 *
 * What "*" stood for is added. Return: 0; ERR_FORMAT if that is not where the bytes before it end; ERR_LIMIT.
 */
int dump_lines_at(struct dump_lines *lines, uint64_t offset, struct err *err);

/* dump_lines_add - its bytes, at most DUMP_LINE_MAX */
int dump_lines_add(struct dump_lines *lines, const uint8_t *bytes, size_t count, struct err *err);

/* dump_lines_repeat - it is "*" */
int dump_lines_repeat(struct dump_lines *lines, struct err *err);

/* dump_lines_end - it is an offset alone, which is how long the dump is. The last @slack bytes may be none: a word is printed whole. */
int dump_lines_end(struct dump_lines *lines, uint64_t offset, size_t slack, struct err *err);

/* dump_lines_finish - there are no more. A dump of hexdump need not have its last line. */
int dump_lines_finish(struct dump_lines *lines, struct err *err);

/* dump_lines_wrong - "line 3 of the dump WHAT". Return: ERR_FORMAT. */
int dump_lines_wrong(const struct dump_lines *lines, const char *what, struct err *err);

#endif
