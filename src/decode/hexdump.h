/*
 * decode/hexdump.h - bytes out of what hexdump and xxd print
 *
 * Part of decode/, and of its public face.
 *
 *   hexdump    words of two bytes in the order of the machine, x86's; also -x, -v
 *   hexdump -C bytes, with text beside them; also od -A x -t x1, and od's words (-t x2, x4, x8)
 *   xxd        groups of bytes, with text beside them; -g, -c, -u, -a; -e where the text tells that
 *   xxd -i     bytes as a C array
 *
 * Every offset is held against the bytes before it: a dump with a line that is
 * missing or out of order is no payload. "*" repeats the line before it up to
 * the next offset, at most DECODE_HEXDUMP_MAX bytes in all. xxd -b and hexdump
 * -b, -d, -o are refused.
 */
#ifndef DECODE_HEXDUMP_H
#define DECODE_HEXDUMP_H

#include "base/base.h"

#include <stdbool.h>

enum { DECODE_HEXDUMP_MAX = 16 * 1024 * 1024 };

/* decode_is_hexdump, decode_is_xxd - does @text begin as one? Plain digits are neither. */
bool decode_is_hexdump(const char *text);
bool decode_is_xxd(const char *text);

/**
 * decode_hexdump - append the bytes that hexdump or od printed
 * decode_xxd - those of xxd, or of xxd -i
 *
 * Return: 0; ERR_FORMAT or ERR_LIMIT, naming the line, and @out is as before.
 */
int decode_hexdump(struct strbuf *out, const char *text, struct err *err);
int decode_xxd(struct strbuf *out, const char *text, struct err *err);

#endif
