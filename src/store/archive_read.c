/*
 * Reads an archive in memory. The hashes in the archive show that archive_write() wrote these bytes. All
 * bounds are still checked, so that forged bytes with correct hashes give ERR_FORMAT.
 *
 * 1. archive_open() checks header, block table and hashes, and unpacks the block ARCHIVE_VERSIONS.
 * 2. archive_find() and archive_find_commit() find versions by name or commit.
 */
#include "store/internal.h"

#include <xxhash.h>

/* --- the header and the block table --------------------------------------------- */

static void put_fixed(unsigned char *at, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_fixed(const unsigned char *at)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static void put_hash(unsigned char *at, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	memcpy(at, &hash, sizeof(hash));
}

/* Is the hash at @stored, of 16 bytes, that of the data? */
static bool hash_is(const unsigned char *stored, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	return !memcmp(stored, &hash, sizeof(hash));
}

int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], int level,
		 struct err *err)
{
	unsigned char head[ARCHIVE_BLOCKS_AT] = ARCHIVE_MAGIC, *row = head + ARCHIVE_TABLE_AT;
	struct strbuf packed = { 0 };
	int rc = 0;

	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++, row += ARCHIVE_ROW_BYTES) {
		const size_t before = packed.length, size = blocks[i].length;

		if (size > ARCHIVE_UNPACKED_LIMIT_BYTES)
			rc = err_set(err, ERR_LIMIT, "%zu bytes are too many for one block of an archive; "
				     "archive fewer versions", size);
		if (rc || (rc = compress_append(&packed, strbuf_text(&blocks[i]), size, level, err)))
			goto out;
		put_fixed(row, packed.length - before);
		put_fixed(row + ARCHIVE_ROW_UNPACKED_AT, size);
		put_hash(row + ARCHIVE_ROW_HASH_AT, packed.text + before, packed.length - before);
	}
	put_fixed(head + ARCHIVE_SIZE_AT, sizeof(head) + packed.length);
	put_hash(head + ARCHIVE_HASH_AT, head + ARCHIVE_TABLE_AT, sizeof(head) - ARCHIVE_TABLE_AT);
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, packed.text, packed.length);
out:
	strbuf_release(&packed);
	return rc;
}

int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size,
		struct err *err)
{
	const unsigned char *start = data, *row = start + ARCHIVE_TABLE_AT, *at = start + ARCHIVE_BLOCKS_AT;
	const unsigned char *end = start + size;

	if (size < ARCHIVE_MAGIC_BYTES || memcmp(start, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES - 1))
		return err_set(err, ERR_FORMAT,
			       "this is not an archive of drvabi; 'drvabi archive write' makes one");
	if (start[ARCHIVE_MAGIC_BYTES - 1] != (unsigned char)ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1])
		return err_set(err, ERR_NOT_FOUND, "the archive has format %d, but this drvabi reads format %d; "
			       "write it again with 'drvabi archive write'", start[ARCHIVE_MAGIC_BYTES - 1],
			       ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1]);
	if (size < ARCHIVE_BLOCKS_AT || get_fixed(start + ARCHIVE_SIZE_AT) != size)
		return err_set(
			err, ERR_FORMAT,
			"the archive is truncated, or data follows it; download or write it again");
	if (!hash_is(start + ARCHIVE_HASH_AT, row, ARCHIVE_BLOCKS_AT - ARCHIVE_TABLE_AT))
		return err_set(err, ERR_FORMAT, "the archive is damaged; download or write it again");
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++, row += ARCHIVE_ROW_BYTES) {
		uint64_t packed = get_fixed(row), unpacked = get_fixed(row + ARCHIVE_ROW_UNPACKED_AT);

		if (packed > (uint64_t)(end - at) || unpacked > ARCHIVE_UNPACKED_LIMIT_BYTES ||
		    !hash_is(row + ARCHIVE_ROW_HASH_AT, at, packed) ||
		    compress_unpacked_bytes(at, packed) != unpacked)
			return err_set(err, ERR_FORMAT,
				       "block %zu of the archive is damaged; download or write it again",
				       i + 1);
		blocks[i] = (struct packed_block){ { at, packed }, unpacked };
		at += packed;
	}
	if (at != end)
		return err_set(err, ERR_FORMAT,
			       "the archive has data after its last block; download or write it again");
	return 0;
}

bool block_unpack(struct block *out, const struct packed_block *block, struct arena *arena)
{
	unsigned char *data = arena_alloc(arena, block->unpacked_bytes + 1);

	if (!compress_unpack(data, block->unpacked_bytes, block->packed.data, block->packed.size))
		return false;
	*out = (struct block){ data, block->unpacked_bytes };
	return true;
}

/* --- the head ------------------------------------------------------------------- */

/* True if no version is its own ancestor. */
static bool is_forest(const struct source_version *versions, size_t count, struct arena *arena)
{
	size_t *walk =
		arena_array(arena, count + 1, sizeof(*walk)); /* the first walk to reach a version, plus 1 */

	for (size_t i = 0; i < count; i++)
		for (long at = (long)i; at != SOURCE_NO_PARENT; at = versions[at].parent) {
			if (walk[at] == i + 1)
				return false;
			if (walk[at])
				break;
			walk[at] = i + 1;
		}
	return true;
}

const struct archive_head *archive_head(const struct archive *archive)
{
	return &archive->head;
}

void graph_read(struct source_graph *out, struct byte_reader *in, struct arena *arena)
{
	struct source_version *versions;

	*out = (struct source_graph){ .main = byte_reader_text(in) };
	if (!*out->main)
		out->main = NULL;
	out->shallow = byte_reader_bool(in);
	out->count = byte_reader_count(in, 5);
	out->versions = versions = arena_array(arena, out->count + 1, sizeof(*versions));
	for (size_t i = 0; i < out->count; i++) {
		versions[i].name = byte_reader_text(in);
		versions[i].commit = byte_reader_text(in);
		versions[i].time = varint_unfolded(byte_reader_number(in));
		versions[i].parent = (long)byte_reader_below(in, out->count + 1) - 1;
		versions[i].on_main = byte_reader_bool(in);
		if (i && abi_version_compare(versions[i - 1].name, versions[i].name) >= 0)
			byte_reader_fail(in);
	}
	if (!in->failed && !is_forest(versions, out->count, arena))
		byte_reader_fail(in);
}

/* Reads the block ARCHIVE_VERSIONS. Return: false if a byte is missing, superfluous or invalid. */
static bool open_head(struct archive_head *head, const struct block *block, struct arena *arena)
{
	struct source_graph graph;
	struct byte_reader in;
	const char **targets;

	byte_reader_init(&in, block->data, block->size);
	head->driver = byte_reader_text(&in);
	head->profile = byte_reader_text(&in);
	head->generation = byte_reader_number(&in);
	head->target_count = byte_reader_below(&in, ARCHIVE_TARGETS_MAX + 1);
	head->targets = targets = arena_array(arena, head->target_count + 1, sizeof(*targets));
	for (size_t i = 0; i < head->target_count; i++) {
		targets[i] = byte_reader_text(&in);
		if (i && strcmp(targets[i - 1], targets[i]) >= 0)
			byte_reader_fail(&in);
	}
	graph_read(&graph, &in, arena);
	head->versions = graph.versions;
	head->count = graph.count;
	head->main = graph.main;
	head->shallow = graph.shallow;
	return byte_reader_is_done(&in);
}

int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err)
{
	struct archive *archive = arena_alloc(arena, sizeof(*archive));
	struct block head;
	int rc;

	if ((rc = blocks_find(archive->blocks, arena_memdup(arena, data, size), size, err))) {
		err_prefix(err, "%s", name);
		return rc;
	}
	archive->name = arena_strdup(arena, name);
	if (!block_unpack(&head, &archive->blocks[ARCHIVE_VERSIONS], arena) ||
	    !open_head(&archive->head, &head, arena))
		return err_set(err, ERR_FORMAT,
			       "%s: the archive is inconsistent; it was not written by this drvabi", name);
	*out = archive;
	return 0;
}

const char *archive_as_of(const struct archive *archive, char buffer[32])
{
	const struct archive_head *head = &archive->head;
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < head->count; i++)
		if (head->versions[i].time > newest)
			newest = head->versions[i].time;
	return text_of_day(newest, buffer);
}

const char *archive_name(const struct archive *archive)
{
	return archive->name;
}

bool archive_target(size_t *index, const struct archive *archive, const char *target)
{
	for (size_t i = 0; i < archive->head.target_count; i++) {
		if (strcmp(archive->head.targets[i], target))
			continue;
		*index = i;
		return true;
	}
	return false;
}

/* --- versions by name or commit ------------------------------------------------- */

enum { SHOWN_DIGITS = 12 }; /* `archive list` prints 12 digits of a commit */

bool is_commit_id(const char *text, size_t least_digits)
{
	size_t digits = strlen(text);

	return digits >= least_digits && digits <= COMMIT_DIGITS &&
	       strspn(text, "0123456789abcdefABCDEF") == digits;
}

/* Finds a version by the first digits of its commit. If several versions match, the lowest one is found. */
static bool find_digits(size_t *index, const struct archive_head *head, const char *digits)
{
	for (size_t i = 0; i < head->count; i++) {
		if (strncmp(head->versions[i].commit, digits, strlen(digits)))
			continue;
		*index = i;
		return true;
	}
	return false;
}

bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit)
{
	return strlen(commit) == COMMIT_DIGITS && find_digits(index, &archive->head, commit);
}

int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err)
{
	const struct archive_head *head = &archive->head;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };
	struct arena arena = { 0 };
	const char **names;
	char day[32];

	for (size_t i = 0; i < head->count; i++) {
		if (strcmp(head->versions[i].name, version))
			continue;
		*index = i;
		return 0;
	}
	if (is_commit_id(version, SHOWN_DIGITS) && find_digits(index, head, version))
		return 0;
	names = arena_array(&arena, head->count + 1, sizeof(*names));
	for (size_t i = 0; i < head->count; i++)
		names[i] = head->versions[i].name;
	abi_nearest_typos(&nearest, version, names, head->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, head->count);
	abi_nearest_list(&list, &nearest);
	err_set(err, ERR_NOT_FOUND, "no version %s in %s (as of %s)%s", version, archive->name,
		archive_as_of(archive, day), strbuf_text(&list));
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
