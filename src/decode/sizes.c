#include "decode/decode.h"

#include <stdlib.h>

/* The size of an ioctl's parameters in one document; the one that is wanted, if the ioctl may have several. Of an array, any number of elements. */
static uint64_t size_in(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t wanted)
{
	const char *element = call_array_element(ioctl);
	const uint64_t element_bytes = element ? call_record_size(abi, element) : 0;
	const char *record = call_record(abi, ioctl, wanted);

	if (element_bytes && wanted)
		return wanted % element_bytes ? element_bytes : wanted;
	return record ? call_record_size(abi, record) : 0;
}

void decode_sizes(struct decode_sizes *out, const struct history_graph *graph, const char *family, uint64_t number, uint64_t wanted,
		  struct arena *arena)
{
	struct decode_size *runs = arena_array(arena, graph->version_count + 1, sizeof(*runs));
	struct decode_size *run = NULL;

	*out = (struct decode_sizes){ .runs = runs, .newest = graph->version_count };
	for (size_t v = 0; v < graph->version_count; v++) {
		const struct abi *abi = graph->versions[v].abi;
		const struct abi_ioctl *ioctl = abi ? call_find(abi, family, number) : NULL;
		uint64_t size;

		if (!ioctl) {
			run = abi ? NULL : run; /* a version that cannot be read ends no run */
			continue;
		}
		size = size_in(abi, ioctl, wanted);
		if (!run || run->size_bytes != size) {
			run = &runs[out->count++];
			*run = (struct decode_size){ .first = v, .size_bytes = size };
		}
		run->last = v;
		out->newest = v;
	}
}

static int ascending(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

enum { LISTED_MAX = 3 };

/* Newest first: "68 since 595.44.02, 132 before"; versions that lack the ioctl in between are not told. */
static void list_runs(struct strbuf *out, const struct decode_sizes *sizes, const struct history_graph *graph)
{
	for (size_t i = sizes->count; i-- > 0;) {
		const struct decode_size *run = &sizes->runs[i];

		strbuf_addf(out, "%s%llu", i + 1 < sizes->count ? ", " : "", (unsigned long long)run->size_bytes);
		if (sizes->count == 1)
			continue;
		if (i)
			strbuf_addf(out, " since %s", graph->versions[run->first].version);
		else
			strbuf_adds(out, " before");
	}
}

void decode_sizes_text(struct strbuf *out, const struct decode_sizes *sizes, const struct history_graph *graph)
{
	struct arena arena = { 0 };
	uint64_t *bytes;

	if (sizes->count <= LISTED_MAX) {
		list_runs(out, sizes, graph);
		return;
	}
	bytes = arena_array(&arena, sizes->count, sizeof(*bytes));
	for (size_t i = 0; i < sizes->count; i++)
		bytes[i] = sizes->runs[i].size_bytes;
	qsort(bytes, sizes->count, sizeof(*bytes), ascending);
	strbuf_addf(out, "%llu to %llu", (unsigned long long)bytes[0], (unsigned long long)bytes[sizes->count - 1]);
	arena_release(&arena);
}
