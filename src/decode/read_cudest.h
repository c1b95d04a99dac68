/*
 * decode/read_cudest.h - libcudest's dumps of calls
 *
 * Internal to decode/. What its shim prints (shim/shim.c at 98bc46f), with the
 * escape sequences or without:
 *
 *     ioctl 2a, 32-byte param, fd 3	0xc1d00001 0x5c000002 0x20800110 0x00000000
 *     0x0010				0xbfe84040 0x000055a2 0x00000084 0x00000000
 *     GPU method 0x5c000002:20800110	0x00000000 ...          only of 0x2a with 32 bytes: what params points to
 *     RESULT: 0			0xc1d00001 ...          the same again, unless the call failed
 *     0x0010				...
 *     GPU method 0x5c000002:20800110	0x00000000 0x4449564e ...
 *
 * Words are numbers, four a line. The device is not told: a call without
 * parameters could be anybody's. Lines that are longer, at a wrong offset, or
 * mixed with those of another call cost the call its bytes, not its name.
 */
#ifndef DECODE_READ_CUDEST_H
#define DECODE_READ_CUDEST_H

#include "decode/lines.h"
#include "decode/rest.h"

enum { CUDEST_DUMPS = 4 };

struct cudest_dump {
	struct strbuf bytes;
	bool is_broken;
};

struct cudest {
	bool is_open;     /* a call whose end has not come */
	uint64_t number;  /* of the request */
	uint64_t size_bytes;
	bool has_result;
	int64_t ret;
	struct cudest_dump dumps[CUDEST_DUMPS]; /* parameters, what they point to; the same after the call */
	size_t current;   /* dump that lines continue */
	unsigned foreign; /* lines of others since the last one */
};

enum cudest_line {
	CUDEST_FOREIGN, /* no line of this call */
	CUDEST_MORE,
	CUDEST_DONE,    /* the call's last one */
	CUDEST_LOST,    /* too many lines are foreign */
};

/* cudest_begin - does @line begin a call? Then it is open. */
bool cudest_begin(struct cudest *cudest, struct rest line);

/* cudest_line - what @line is to the call that is open */
enum cudest_line cudest_line(struct cudest *cudest, struct rest line);

/* cudest_end - closes the call. Return: false if it is none of the driver's. @out's bytes last until the next begins. */
bool cudest_end(struct decode_line *out, struct cudest *cudest);

void cudest_release(struct cudest *cudest);

#endif
