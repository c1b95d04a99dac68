/*
 * archive - an archive of several versions, damaged
 *
 * Compression and hashes in front are made right again: they stop accidents,
 * and what lies behind them must hold without their help.
 */
#include "lib/fuzz.h"

#include "archive/archive.h"
#include "archive/block.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_COUNT = 4 };

static const struct archive_version versions[VERSION_COUNT] = {
	{ "1.0", "10", 1, ARCHIVE_NO_PARENT, true },
	{ "1.1", "11", 2, 0, false },
	{ "2.0", "20", 2, 0, true },
	{ "2.1", "", -3, 2, true },
};

/* The same document under the name of its version. */
static void same(const struct abi *got, struct abi expected, size_t version)
{
	struct strbuf a = { 0 }, b = { 0 };

	expected.version = versions[version].name;
	expected.commit = versions[version].commit;
	abi_pack(&a, got);
	abi_pack(&b, &expected);
	MUST(a.length == b.length && !memcmp(a.text, b.text, a.length));
	strbuf_release(&a);
	strbuf_release(&b);
}

/* @documents: what must come out; NULL if nobody knows, and it may be nothing. */
static void read_all(const struct strbuf *bytes, const struct abi *documents)
{
	const struct archive *archive;
	struct arena arena = { 0 };
	struct err err = { "" };
	char *bare = fuzz_text((const uint8_t *)strbuf_text(bytes), bytes->length);
	int rc = archive_open(&archive, bare, bytes->length, "fuzzed", &arena, &err);

	free(bare);
	for (size_t i = 0; !rc && i < archive_head(archive)->count; i++) {
		struct abi got;

		rc = archive_document(&got, archive, i, &arena, &err);
		if (!rc && documents)
			same(&got, documents[i], i);
		if (!rc && i && archive_same_as_before(archive, i))
			fuzz_diff(&got, &got, NULL);
		if (!rc && !documents) {
			fuzz_pack_trip(&got);
			fuzz_flatten_all(&got);
		}
	}
	if (rc) {
		MUST_SAY(!documents && rc == ERR_FORMAT, &err);
		fuzz_sentence(&err);
	}
	arena_release(&arena);
}

/* A sound archive with a few bytes of its blocks changed. */
static void read_edited(const struct strbuf *sound, struct fuzz_choice *choice)
{
	struct strbuf again[ARCHIVE_BLOCK_COUNT] = { { 0 } };
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	struct strbuf forged = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };
	unsigned edits = fuzz_pick(choice, 4);

	MUST_SAY(!blocks_read(blocks, sound->text, sound->length, &arena, &err), &err);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_add(&again[i], blocks[i].data, blocks[i].size);
	while (edits--) {
		struct strbuf *block = &again[fuzz_pick(choice, ARCHIVE_BLOCK_COUNT)];

		if (block->length)
			block->text[fuzz_number(choice) % block->length] = (char)fuzz_pick(choice, 256);
	}
	again[fuzz_pick(choice, ARCHIVE_BLOCK_COUNT)].length -= fuzz_pick(choice, 16) == 1;
	MUST_SAY(!blocks_write(&forged, again, ARCHIVE_QUICK, &err), &err);
	read_all(&forged, NULL);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&again[i]);
	strbuf_release(&forged);
	arena_release(&arena);
}

/* Documents as the fuzzer wants them, if they are of one driver and target: the second may be the first. */
static void write_and_read(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	struct abi documents[VERSION_COUNT];
	const struct abi *all[VERSION_COUNT];
	struct archive_head head = { .versions = versions, .count = VERSION_COUNT };
	struct strbuf bytes = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };

	fuzz_document(&documents[0], &choice, &arena);
	for (size_t i = 1; i < VERSION_COUNT; i++)
		if (fuzz_pick(&choice, 2))
			fuzz_next_version(&documents[i], &documents[fuzz_pick(&choice, (unsigned)i)], &choice, &arena);
		else
			documents[i] = documents[0];
	for (size_t i = 0; i < VERSION_COUNT; i++)
		all[i] = &documents[i];
	head.driver = documents[0].driver;
	head.target = documents[0].target;
	head.main = fuzz_pick(&choice, 2) ? "main" : NULL;
	if (archive_write(&bytes, &head, all, ARCHIVE_SMALL, &err)) {
		fuzz_sentence(&err);
		MUST(!bytes.length);
	} else {
		read_all(&bytes, documents);
		read_edited(&bytes, &choice);
	}
	strbuf_release(&bytes);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bare = { 0 };

	strbuf_add(&bare, data, size);
	read_all(&bare, NULL);
	strbuf_release(&bare);
	write_and_read(data, size);
	return 0;
}
