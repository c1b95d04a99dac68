/*
 * Every line that tells of a call has "ioctl", "command 0x" or "class 0x"; the
 * line that names the driver's version has "NVIDIA driver". One pass looks for
 * them together, 16 bytes at a time: for "io.." with an l at its end, for a 'd'
 * or an 's' before " 0x", and for "I. d". A log is read at the speed of this loop.
 */
#include "decode/hints.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

enum { STEP = 16, AHEAD = 4 }; /* of a hint, beyond its first byte */

static bytes16 load(const char *at)
{
	bytes16 out;

	memcpy(&out, at, sizeof(out));
	return out;
}

static bytes16 equal(bytes16 bytes, uint8_t ch)
{
	return (bytes16)(bytes == ch);
}

static bool is_hint(const char *at)
{
	return !memcmp(at, "ioctl", 5) || !memcmp(at, "IA dr", 5) || ((*at == 'd' || *at == 's') && !memcmp(at + 1, " 0x", 3));
}

/* Does a hint begin in one of the STEP bytes? STEP + AHEAD bytes are read. */
static bool may_have_hint(const char *at)
{
	const bytes16 first = load(at), third = load(at + 2), fourth = load(at + 3);
	const bytes16 call = equal(first, 'i') & equal(third, 'c') & equal(load(at + 4), 'l');
	const bytes16 number = equal(fourth, 'x') & equal(third, '0') & (equal(first, 'd') | equal(first, 's'));
	const bytes16 version = equal(first, 'I') & equal(third, ' ') & equal(fourth, 'd');
	const words2 any = (words2)(call | number | version);

	return any[0] | any[1];
}

const char *hints_find(const char *text, size_t length)
{
	const char *end = text + length, *at = text;

	for (; end - at >= STEP + AHEAD; at += STEP)
		if (may_have_hint(at))
			for (size_t i = 0; i < STEP; i++)
				if (is_hint(at + i))
					return at + i;
	for (; end - at > AHEAD; at++)
		if (is_hint(at))
			return at;
	return end - at == AHEAD && (*at == 'd' || *at == 's') && !memcmp(at + 1, " 0x", 3) ? at : NULL;
}
