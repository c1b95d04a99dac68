/* Numbers in few bytes, and a reader of untrusted bytes. See base.h. */
#include "base/base.h"

void text_put(struct strbuf *out, const char *text)
{
	strbuf_add(out, text, strlen(text) + 1);
}

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

void byte_reader_init(struct byte_reader *in, const void *data, size_t size)
{
	const unsigned char *start = data;

	*in = (struct byte_reader){ .at = start, .end = start + size };
}

uint64_t byte_reader_fail(struct byte_reader *in)
{
	in->failed = true;
	in->at = in->end;
	return 0;
}

uint64_t byte_reader_below(struct byte_reader *in, uint64_t limit)
{
	uint64_t value = byte_reader_number(in);

	return value < limit ? value : byte_reader_fail(in);
}

bool byte_reader_bool(struct byte_reader *in)
{
	return byte_reader_below(in, 2);
}

size_t byte_reader_bounded(struct byte_reader *in, uint64_t count, size_t least_bytes)
{
	return count <= (uint64_t)(in->end - in->at) / least_bytes ? (size_t)count
								   : (size_t)byte_reader_fail(in);
}

size_t byte_reader_count(struct byte_reader *in, size_t least_bytes)
{
	return byte_reader_bounded(in, byte_reader_number(in), least_bytes);
}

const char *byte_reader_text(struct byte_reader *in)
{
	const char *text = (const char *)in->at;
	const unsigned char *nul = in->at < in->end ? memchr(in->at, '\0', (size_t)(in->end - in->at)) : NULL;

	if (!nul) {
		byte_reader_fail(in);
		return "";
	}
	in->at = nul + 1;
	return text;
}
