#include "archive/take.h"

#include <string.h>

void reader_init(struct reader *in, const struct block *block)
{
	*in = (struct reader){ .at = block->data, .end = block->data + block->size };
}

uint64_t take_failed(struct reader *in)
{
	in->failed = true;
	in->at = in->end;
	return 0;
}

uint64_t take_below(struct reader *in, uint64_t limit)
{
	uint64_t value = take_number(in);

	return value < limit ? value : take_failed(in);
}

bool take_bool(struct reader *in)
{
	return take_below(in, 2);
}

size_t take_count(struct reader *in, size_t least_bytes)
{
	uint64_t count = take_number(in);

	return count <= (uint64_t)(in->end - in->at) / least_bytes ? (size_t)count : (size_t)take_failed(in);
}

struct abi_number take_value(struct reader *in)
{
	bool negative = take_bool(in);
	uint64_t magnitude = take_number(in);

	if (negative && !magnitude)
		take_failed(in);
	return (struct abi_number){ magnitude, negative };
}

const char *take_text(struct reader *in)
{
	const char *text = (const char *)in->at;
	const unsigned char *nul = in->at < in->end ? memchr(in->at, '\0', (size_t)(in->end - in->at)) : NULL;

	if (!nul) {
		take_failed(in);
		return "";
	}
	in->at = nul + 1;
	return text;
}
