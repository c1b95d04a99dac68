/*
 * unpack - a cache entry, damaged
 *
 * The size and the hash in front are made right first: they stop accidents,
 * and what lies behind them must hold without their help.
 */
#include "lib/fuzz.h"

#include "abi/internal.h"

#include <stdlib.h>
#include <string.h>

/* Header and payload, in memory of its very size. */
static uint8_t *framed(const uint8_t *payload, size_t size)
{
	uint8_t *bytes = xmalloc(SERIAL_HEADER_BYTES + size);
	XXH128_canonical_t hash;

	memcpy(bytes, SERIAL_MAGIC, SERIAL_MAGIC_BYTES);
	for (int i = 0; i < 8; i++)
		bytes[SERIAL_SIZE_AT + i] = (uint8_t)((uint64_t)size >> (8 * i));
	XXH128_canonicalFromHash(&hash, XXH3_128bits(payload, size));
	memcpy(bytes + SERIAL_HASH_AT, &hash, sizeof(hash));
	if (size)
		memcpy(bytes + SERIAL_HEADER_BYTES, payload, size);
	return bytes;
}

/* "Anything that is not exactly what abi_serialize() wrote is refused": what is taken packs to the same bytes. */
static void unpack(const uint8_t *bytes, size_t size)
{
	struct arena arena = { 0 };
	struct strbuf again = { 0 };
	struct err err = { "" };
	struct abi abi;

	if (abi_deserialize(&abi, bytes, size, &arena, &err)) {
		fuzz_sentence(&err);
	} else {
		abi_serialize(&again, &abi);
		MUST(again.length == size && !memcmp(again.text, bytes, size));
		fuzz_flatten_all(&abi);
		fuzz_show_all(&abi);
		fuzz_diff(&abi, &abi, NULL);
	}
	strbuf_release(&again);
	arena_release(&arena);
}

/* A sound document with a few bytes changed: the fuzzer need not find out the form by itself. */
static void unpack_edited(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	struct arena arena = { 0 };
	struct strbuf packed = { 0 };
	struct abi abi;
	uint8_t *bytes;
	unsigned edits = fuzz_pick(&choice, 4);

	fuzz_document(&abi, &choice, &arena);
	abi_serialize(&packed, &abi);
	while (edits--)
		packed.text[SERIAL_HEADER_BYTES + fuzz_number(&choice) % (packed.length - SERIAL_HEADER_BYTES)] = (char)fuzz_pick(&choice, 256);
	packed.length -= fuzz_pick(&choice, 16) == 1;
	bytes = framed((uint8_t *)packed.text + SERIAL_HEADER_BYTES, packed.length - SERIAL_HEADER_BYTES);
	unpack(bytes, packed.length);
	free(bytes);
	strbuf_release(&packed);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = framed(data, size);
	char *bare = fuzz_text(data, size);

	unpack(bytes, SERIAL_HEADER_BYTES + size);
	unpack((const uint8_t *)bare, size);
	unpack_edited(data, size);
	free(bytes);
	free(bare);
	return 0;
}
