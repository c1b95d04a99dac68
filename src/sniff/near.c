#include "sniff/near.h"

#include "sniff/inputs.h"

const struct trace_bytes *near_after(const struct trace_message *message, const struct gathered *recorded, size_t region)
{
	if (!region)
		return &message->after;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == recorded->regions[region].address)
			return &message->memory[i].after;
	return NULL;
}

static bool was_changed(const struct trace_bytes *after, const struct region *region, size_t offset)
{
	return after && after->bytes && offset < after->size_bytes && after->bytes[offset] != (uint8_t)region->before.text[offset];
}

uint64_t near_mask(const struct trace_message *message, const struct gathered *recorded)
{
	uint64_t hash = INPUTS_EMPTY_HASH;

	if (!message->before.bytes)
		return hash;
	inputs_mix(&hash, &recorded->count, sizeof(recorded->count));
	for (size_t i = 0; i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];
		const struct trace_bytes *after = near_after(message, recorded, i);
		const size_t size_bytes = region->direction == USE_OUT ? SIZE_MAX : region->before.length;

		inputs_mix(&hash, &size_bytes, sizeof(size_bytes));
		for (size_t at = 0; region->direction != USE_OUT && at < region->before.length; at++) {
			const uint8_t changed = was_changed(after, region, at);

			inputs_mix(&hash, &changed, sizeof(changed));
		}
	}
	return hash;
}

bool near_hash(uint64_t *out, const struct trace_message *message, const struct gathered *recorded, const struct gathered *call)
{
	uint64_t hash = INPUTS_EMPTY_HASH;
	struct strbuf given = { 0 };
	bool matches = !message->before.bytes || recorded->count == call->count;

	for (size_t i = 0; matches && message->before.bytes && i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];
		const struct trace_bytes *after = near_after(message, recorded, i);

		if (region->direction == USE_OUT)
			continue;
		inputs_copy(&given, call, i);
		matches = given.length >= region->before.length;
		for (size_t at = 0; matches && at < region->before.length; at++)
			if (!was_changed(after, region, at))
				inputs_mix(&hash, &given.text[at], 1);
	}
	strbuf_release(&given);
	if (matches)
		*out = hash;
	return matches;
}
