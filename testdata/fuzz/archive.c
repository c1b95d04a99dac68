/*
 * archive - read damaged archives with several versions
 *
 * After a change, the blocks are compressed and hashed again. The hashes only
 * detect accidents: the code that reads the blocks must not depend on them.
 */
#include "lib/fuzz.h"

#include "store/store.h"
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION_COUNT = 4, TARGET_COUNT = 2 };

static const struct source_version versions[VERSION_COUNT] = {
	{ "1.0", "10", 1, SOURCE_NO_PARENT, true },
	{ "1.1", "11", 2, 0, false },
	{ "2.0", "20", 2, 0, true },
	{ "2.1", "", -3, 2, true },
};

/* same - check that @got is the document @expected, with the name and commit of its version */
static void same(const struct abi *got, struct abi expected, size_t version)
{
	struct strbuf a = { 0 }, b = { 0 };

	expected.version = versions[version].name;
	expected.commit = versions[version].commit;
	json_write_abi(&(struct json_writer){ .out = &a }, got);
	json_write_abi(&(struct json_writer){ .out = &b }, &expected);
	MUST(a.length == b.length && !memcmp(a.text, b.text, a.length));
	strbuf_release(&a);
	strbuf_release(&b);
}

/* read_target - read all documents of a target. @documents: the expected ones, or NULL if unknown */
static int read_target(const struct archive *archive, size_t target, const struct abi *documents, struct arena *arena, struct err *err)
{
	size_t count = archive->head.graph.count;
	struct abi *got = arena_array(arena, count + 1, sizeof(*got));
	struct abi **wanted = arena_array(arena, count + 1, sizeof(struct abi *));
	int rc;

	for (size_t i = 0; i < count; i++)
		wanted[i] = &got[i];
	rc = archive_documents(wanted, NULL, archive, target, arena, err);
	for (size_t i = 0; !rc && i < count; i++) {
		if (documents)
			same(&got[i], documents[i], i);
		if (i && got[i].records == got[i - 1].records)
			fuzz_diff(&got[i], &got[i], NULL);
		if (!documents) {
			fuzz_pack_trip(&got[i]);
			fuzz_flatten_all(&got[i]);
		}
	}
	return rc;
}

/* read_all - read an archive. @documents: the expected ones, by target; NULL if unknown, maybe invalid */
static void read_all(const struct strbuf *bytes, const struct abi *documents)
{
	const struct archive *archive;
	struct arena arena = { 0 };
	struct err err = { "" };
	char *bare = fuzz_text((const uint8_t *)strbuf_text(bytes), bytes->length);
	int rc = archive_open(&archive, bare, bytes->length, "fuzzed", &arena, &err);

	free(bare);
	for (size_t target = 0; !rc && target < archive->head.target_count; target++)
		rc = read_target(archive, target, documents ? documents + target * VERSION_COUNT : NULL, &arena, &err);
	if (rc) {
		MUST_SAY(!documents && (rc == ERR_FORMAT || rc == ERR_NOT_FOUND), &err);
		fuzz_sentence(&err);
	}
	arena_release(&arena);
}

/* read_edited - change a few bytes in the blocks of a valid archive, and read it */
static void read_edited(const struct strbuf *sound, struct fuzz_choice *choice)
{
	struct strbuf again[ARCHIVE_BLOCK_COUNT] = { { 0 } };
	struct packed_block packed[ARCHIVE_BLOCK_COUNT];
	struct strbuf forged = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };
	unsigned edits = fuzz_pick(choice, 4);

	MUST_SAY(!blocks_find(packed, sound->text, sound->length, &err), &err);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++) {
		struct byte_reader block;

		MUST(block_unpack(&block, &packed[i], &arena));
		strbuf_add(&again[i], block.at, (size_t)(block.end - block.at));
	}
	while (edits--) {
		struct strbuf *block = &again[fuzz_pick(choice, ARCHIVE_BLOCK_COUNT)];

		if (block->length)
			block->text[fuzz_number(choice) % block->length] = (char)fuzz_pick(choice, 256);
	}
	again[fuzz_pick(choice, ARCHIVE_BLOCK_COUNT)].length -= fuzz_pick(choice, 16) == 1;
	MUST_SAY(!blocks_write(&forged, again, 1, &err), &err);
	read_all(&forged, NULL);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&again[i]);
	strbuf_release(&forged);
	arena_release(&arena);
}

/*
 * write_and_read - write an archive of documents generated from the input, and read it
 *
 * Versions can have equal documents. The second target has documents of the first in a different order.
 */
static void write_and_read(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	struct abi documents[TARGET_COUNT * VERSION_COUNT];
	const struct abi *all[TARGET_COUNT * VERSION_COUNT];
	const char *targets[TARGET_COUNT];
	struct archive_head head = { .profile = "00", .targets = targets, .graph = { .versions = versions, .count = VERSION_COUNT } };
	struct strbuf bytes = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };

	fuzz_document(&documents[0], &choice, &arena);
	for (size_t i = 1; i < VERSION_COUNT; i++)
		if (fuzz_pick(&choice, 2))
			fuzz_next_version(&documents[i], &documents[fuzz_pick(&choice, (unsigned)i)], &choice, &arena);
		else
			documents[i] = documents[0];
	for (size_t i = 0; i < VERSION_COUNT; i++) {
		documents[VERSION_COUNT + i] = documents[fuzz_pick(&choice, VERSION_COUNT)];
		documents[VERSION_COUNT + i].target = "zz";
	}
	for (size_t i = 0; i < TARGET_COUNT * VERSION_COUNT; i++)
		all[i] = &documents[i];
	head.driver = documents[0].driver;
	targets[0] = documents[0].target;
	targets[1] = "zz";
	head.target_count = 1 + (strcmp(targets[0], "zz") < 0 && fuzz_pick(&choice, 2));
	head.graph.main = fuzz_pick(&choice, 2) ? "main" : NULL;
	if (archive_write(&bytes, &head, all, &err)) {
		fuzz_sentence(&err);
		MUST(!bytes.length);
	} else {
		read_all(&bytes, documents);
		read_edited(&bytes, &choice);
	}
	strbuf_release(&bytes);
	arena_release(&arena);
}

/* unpack - unpack a packed document, as in the cache or from a worker process */
static void unpack(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi abi;

	if (archive_unpack(&abi, data, size, &arena, &err))
		fuzz_sentence(&err);
	else
		fuzz_flatten_all(&abi);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf bare = { 0 };

	unpack(data, size);
	strbuf_add(&bare, data, size);
	read_all(&bare, NULL);
	strbuf_release(&bare);
	write_and_read(data, size);
	return 0;
}
