#include "base/varint.h"

void varint_put(struct strbuf *out, uint64_t value)
{
	char bytes[10];
	size_t count = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[count++] = (char)(value | 0x80);
	bytes[count++] = (char)value;
	strbuf_add(out, bytes, count);
}

bool varint_get_long(uint64_t *value, const unsigned char **at, const unsigned char *end)
{
	const unsigned char *byte = *at;
	uint64_t got = 0;

	for (unsigned shift = 0; byte < end && shift < 64; shift += 7, byte++) {
		uint64_t bits = *byte & 0x7f;

		if (shift == 63 && bits > 1)
			return false;
		got |= bits << shift;
		if (*byte < 0x80) {
			if (shift && !bits)
				return false;
			*value = got;
			*at = byte + 1;
			return true;
		}
	}
	return false;
}
