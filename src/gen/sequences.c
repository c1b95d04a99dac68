#include "gen/sequences.h"

#include <uthash.h>

struct run {
	const void *data; /* the key: @size_bytes of it */
	uint32_t first;
	UT_hash_handle hh;
};

struct sequences {
	size_t element_bytes;
	struct run *by_data;
	struct strbuf all;
	struct arena arena;
};

struct sequences *sequences_new(size_t element_bytes)
{
	struct sequences *sequences = xmalloc(sizeof(*sequences));

	*sequences = (struct sequences){ .element_bytes = element_bytes };
	return sequences;
}

void sequences_free(struct sequences *sequences)
{
	if (!sequences)
		return;
	HASH_CLEAR(hh, sequences->by_data);
	strbuf_release(&sequences->all);
	arena_release(&sequences->arena);
	free(sequences);
}

uint32_t sequences_add(struct sequences *sequences, const void *data, size_t count)
{
	const size_t size_bytes = count * sequences->element_bytes;
	struct run *run;

	if (!count)
		return 0;
	HASH_FIND(hh, sequences->by_data, data, size_bytes, run);
	if (run)
		return run->first;
	run = arena_alloc(&sequences->arena, sizeof(*run));
	run->data = arena_memdup(&sequences->arena, data, size_bytes);
	run->first = (uint32_t)sequences_count(sequences);
	strbuf_add(&sequences->all, data, size_bytes);
	HASH_ADD_KEYPTR(hh, sequences->by_data, run->data, size_bytes, run);
	return run->first;
}

const void *sequences_data(const struct sequences *sequences)
{
	return sequences->all.text;
}

size_t sequences_count(const struct sequences *sequences)
{
	return sequences->all.length / sequences->element_bytes;
}
