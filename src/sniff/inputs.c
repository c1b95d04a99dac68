#include "sniff/inputs.h"

#include <string.h>

/* FNV-1a, of 64 bits. */
void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size_bytes; i++)
		*hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

uint64_t inputs_shape(const char *path, uint64_t request, const struct gathered *gathered)
{
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	uint64_t hash = INPUTS_EMPTY_HASH;

	inputs_mix(&hash, path, strlen(path) + 1);
	inputs_mix(&hash, &request, sizeof(request));
	if (last) {
		inputs_mix(&hash, last->family, strlen(last->family) + 1);
		inputs_mix(&hash, &last->number, sizeof(last->number));
	}
	for (size_t i = 0; i < gathered->count; i++)
		inputs_mix(&hash, &gathered->regions[i].size_bytes, sizeof(gathered->regions[i].size_bytes));
	return hash;
}

void inputs_copy(struct strbuf *out, const struct gathered *gathered, size_t region)
{
	const struct region *at = &gathered->regions[region];

	strbuf_reset(out);
	strbuf_add(out, at->before.text, at->before.length);
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *reference = &gathered->references[i];

		if (reference->region == region && reference->offset_bytes + reference->size_bytes <= out->length)
			memset(out->text + reference->offset_bytes, 0, reference->size_bytes);
	}
}

uint64_t inputs_hash(const struct gathered *gathered)
{
	struct strbuf inputs = { 0 };
	uint64_t hash = INPUTS_EMPTY_HASH;

	for (size_t i = 0; i < gathered->count; i++) {
		if (gathered->regions[i].direction == USE_OUT)
			continue;
		inputs_copy(&inputs, gathered, i);
		inputs_mix(&hash, inputs.text, inputs.length);
	}
	strbuf_release(&inputs);
	return hash;
}
