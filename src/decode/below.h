/*
 * decode/below.h - the bytes of a call, dumped below the line that tells of it
 *
 * Internal to decode/. People paste what hexdump, hexdump -C or xxd printed
 * under the line of a log. A call of known size whose bytes no line told is
 * held back until the next line shows whether it has such a dump. The dump is
 * the call's only if all of this is so:
 *
 *   1. it begins in the very next line, at offset 0, and nothing stands before its offsets
 *   2. its lines follow one another
 *   3. it is whole, and has as many bytes as the call's parameters
 */
#ifndef DECODE_BELOW_H
#define DECODE_BELOW_H

#include "decode/lines.h"
#include "decode/rest.h"

struct below {
	bool is_held;
	bool is_open;         /* a line of the dump has come */
	bool is_xxd;
	struct decode_line call;
	struct strbuf text;   /* of the dump */
	struct strbuf bytes;
};

/* below_hold - holds @call back. Return: false if it could have no dump. Nothing may be held. */
bool below_hold(struct below *below, const struct decode_line *call);

/* below_is_mine - is @line the next one of the dump? false if nothing is held. */
bool below_is_mine(const struct below *below, struct rest line);

/* below_add - a line that is. */
void below_add(struct below *below, struct rest line);

/* below_end - the call, with its bytes if there were any; they last until the next call is held. Return: false if none was held. */
bool below_end(struct decode_line *out, struct below *below);

void below_release(struct below *below);

#endif
