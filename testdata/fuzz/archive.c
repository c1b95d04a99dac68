/*
 * archive - the documents of three versions in one file: written and read, then damaged and read
 *
 * The hashes in front stop accidents; here they are made right again, for
 * what lies behind them must hold without their help.
 */
#include "lib/fuzz.h"

#include "archive/archive.h"
#include "archive/block.h"

#include <stdlib.h>
#include <string.h>

enum { VERSIONS = 3 };

static const struct archive_version versions[VERSIONS] = {
	{ "1.0", "0a", 1, ARCHIVE_NO_PARENT, true }, { "1.1", "0b", -5, 0, false }, { "2.0", "0c", INT64_MAX, 0, true },
};

static void write_json(struct strbuf *out, const struct abi *abi)
{
	struct json_writer writer = { .out = out };

	json_write_abi(&writer, abi);
}

/* Each document comes back as it was. */
static void check_same(const struct archive *archive, const struct abi *const *documents, struct arena *arena)
{
	struct strbuf was = { 0 }, is = { 0 };
	struct err err = { "" };
	struct abi back;

	for (size_t i = 0; i < VERSIONS; i++) {
		strbuf_reset(&was);
		strbuf_reset(&is);
		MUST_SAY(!archive_document(&back, archive, i, arena, &err), &err);
		write_json(&was, documents[i]);
		write_json(&is, &back);
		MUST(was.length == is.length && !memcmp(was.text, is.text, was.length));
	}
	strbuf_release(&was);
	strbuf_release(&is);
}

/* Whatever is taken for a document can be used as one. */
static void use(const struct archive *archive, struct arena *arena)
{
	struct err err = { "" };
	struct abi abi;
	size_t index;

	for (size_t i = 0; i < archive_head(archive)->count && i < 8; i++) {
		archive_same_as_before(archive, i);
		if (archive_document(&abi, archive, i, arena, &err)) {
			fuzz_sentence(&err);
			continue;
		}
		fuzz_pack_trip(&abi);
		fuzz_flatten_all(&abi);
		fuzz_diff(&abi, &abi, NULL);
	}
	if (archive_find(&index, archive, "1.1", &err))
		fuzz_sentence(&err);
}

static void read_back(const struct strbuf *file, const struct abi *const *documents, struct arena *arena)
{
	char *copy = fuzz_text((const uint8_t *)file->text, file->length);
	const struct archive *archive;
	struct err err = { "" };
	int rc = archive_open(&archive, copy, file->length, "a", arena, &err);

	free(copy);
	if (documents) {
		MUST_SAY(!rc, &err);
		check_same(archive, documents, arena);
	} else if (rc) {
		MUST(!strncmp(err.text, "a:", 2));
	} else {
		use(archive, arena);
	}
}

/* A few bytes of the unpacked blocks change. */
static void damage(const struct strbuf *file, struct fuzz_choice *choice, struct arena *arena)
{
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	struct strbuf changed[ARCHIVE_BLOCK_COUNT] = { 0 }, again = { 0 };
	struct err err = { "" };

	MUST_SAY(!blocks_read(blocks, file->text, file->length, arena, &err), &err);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_add(&changed[i], blocks[i].data, blocks[i].size);
	for (unsigned edits = fuzz_pick(choice, 5); edits; edits--) {
		struct strbuf *block = &changed[fuzz_pick(choice, ARCHIVE_BLOCK_COUNT)];
		uint64_t at = fuzz_number(choice);

		if (block->length && at % 16 == 15)
			block->length--;
		else if (block->length)
			block->text[at % block->length] = (char)fuzz_pick(choice, 256);
	}
	MUST_SAY(!blocks_write(&again, changed, &err), &err);
	read_back(&again, NULL, arena);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&changed[i]);
	strbuf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct archive_head head = { "nvidia", "x86_64-linux-gnu", versions, VERSIONS, "main", false };
	const struct strbuf raw = { (char *)(uintptr_t)data, size, size };
	struct fuzz_choice choice = { data, size };
	struct abi abi[VERSIONS];
	const struct abi *documents[VERSIONS] = { &abi[0], &abi[1], &abi[2] };
	struct strbuf file = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };

	read_back(&raw, NULL, &arena);
	fuzz_document(&abi[0], &choice, &arena);
	fuzz_next_version(&abi[1], &abi[0], &choice, &arena);
	fuzz_next_version(&abi[2], &abi[1], &choice, &arena);
	for (size_t i = 0; i < VERSIONS; i++) {
		abi[i].version = versions[i].name;
		abi[i].commit = versions[i].commit;
	}
	MUST_SAY(!archive_write(&file, &head, documents, &err), &err);
	read_back(&file, documents, &arena);
	damage(&file, &choice, &arena);
	strbuf_release(&file);
	arena_release(&arena);
	return 0;
}
