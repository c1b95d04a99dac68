/*
 * Reads an archive in memory. The hashes in the archive show that archive_write() wrote these bytes. All
 * bounds are still checked, so that forged bytes with correct hashes give ERR_FORMAT.
 *
 * 1. archive_open() checks header, block table and hashes, and unpacks the block ARCHIVE_VERSIONS.
 * 2. archive_find() and archive_find_commit() find versions by name or commit.
 */
#include "store/internal.h"

#include <endian.h>
#include <xxhash.h>

/* --- the header and the block table --------------------------------------------- */

/* The first bytes of a file, described in internal.h. */
struct file_head {
	char magic[ARCHIVE_FORMAT_AT];
	unsigned char format;
	uint64_t size;
	XXH128_canonical_t hash; /* of @table */
	struct {
		uint64_t size, unpacked_bytes;
		XXH128_canonical_t hash;
	} table[ARCHIVE_BLOCK_COUNT];
};

static XXH128_canonical_t hash_of(const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	return hash;
}

static bool has_hash(const void *data, size_t size, XXH128_canonical_t expected)
{
	const XXH128_canonical_t hash = hash_of(data, size);

	return !memcmp(&hash, &expected, sizeof(hash));
}

int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], int level,
		 struct err *err)
{
	struct file_head head = { .format = ARCHIVE_FORMAT };
	struct strbuf packed = { 0 };
	int rc = 0;

	memcpy(head.magic, ARCHIVE_MAGIC, sizeof(head.magic));
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++) {
		const size_t before = packed.length, size = blocks[i].length;

		if (size > ARCHIVE_UNPACKED_LIMIT_BYTES)
			rc = err_set(err, ERR_LIMIT, "%zu bytes are too many for one block of an archive; "
				     "archive fewer versions", size);
		if (rc || (rc = compress_append(&packed, strbuf_text(&blocks[i]), size, level, err)))
			goto out;
		head.table[i].size = htole64(packed.length - before);
		head.table[i].unpacked_bytes = htole64(size);
		head.table[i].hash = hash_of(packed.text + before, packed.length - before);
	}
	head.size = htole64(sizeof(head) + packed.length);
	head.hash = hash_of(head.table, sizeof(head.table));
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, packed.text, packed.length);
out:
	strbuf_release(&packed);
	return rc;
}

int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size,
		struct err *err)
{
	const unsigned char *at = data, *end = at + size;
	struct file_head head;

	if (size <= ARCHIVE_FORMAT_AT || memcmp(at, ARCHIVE_MAGIC, ARCHIVE_FORMAT_AT))
		return err_set(err, ERR_FORMAT,
			       "this is not an archive of drvabi; 'drvabi archive write' makes one");
	if (at[ARCHIVE_FORMAT_AT] != ARCHIVE_FORMAT)
		return err_set(err, ERR_NOT_FOUND, "the archive has format %d, but this drvabi reads format %d; "
			       "write it again with 'drvabi archive write'", at[ARCHIVE_FORMAT_AT],
			       ARCHIVE_FORMAT);
	if (size >= sizeof(head))
		memcpy(&head, at, sizeof(head));
	if (size < sizeof(head) || le64toh(head.size) != size)
		return err_set(
			err, ERR_FORMAT,
			"the archive is truncated, or data follows it; download or write it again");
	if (!has_hash(head.table, sizeof(head.table), head.hash))
		return err_set(err, ERR_FORMAT, "the archive is damaged; download or write it again");
	at += sizeof(head);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++) {
		const uint64_t packed = le64toh(head.table[i].size);
		const uint64_t unpacked = le64toh(head.table[i].unpacked_bytes);

		if (packed > (uint64_t)(end - at) || unpacked > ARCHIVE_UNPACKED_LIMIT_BYTES ||
		    !has_hash(at, packed, head.table[i].hash) ||
		    compress_unpacked_bytes(at, packed) != unpacked)
			return err_set(err, ERR_FORMAT,
				       "block %zu of the archive is damaged; download or write it again",
				       i + 1);
		blocks[i] = (struct packed_block){ at, packed, unpacked };
		at += packed;
	}
	if (at != end)
		return err_set(err, ERR_FORMAT,
			       "the archive has data after its last block; download or write it again");
	return 0;
}

bool block_unpack(struct byte_reader *out, const struct packed_block *block, struct arena *arena)
{
	unsigned char *data = arena_alloc(arena, block->unpacked_bytes + 1);

	if (!compress_unpack(data, block->unpacked_bytes, block->data, block->size))
		return false;
	byte_reader_init(out, data, block->unpacked_bytes);
	return true;
}

/* --- the head ------------------------------------------------------------------- */

/* Checks that no version is its own ancestor, so that each walk from parent to parent ends. */
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

void texts_put(struct strbuf *out, const char *const *texts, size_t count)
{
	varint_put(out, count);
	for (size_t i = 0; i < count; i++)
		text_put(out, texts[i]);
}

size_t texts_read(const char *const **out, struct byte_reader *in, struct arena *arena)
{
	const size_t count = byte_reader_count(in, 1);
	const char **texts = arena_array(arena, count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = arena_strdup(arena, byte_reader_text(in));
	*out = texts;
	return count;
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

/* Reads the block ARCHIVE_VERSIONS, to which @head then points. Return: false if a byte is invalid. */
static bool read_head(struct archive_head *head, struct byte_reader *in, struct arena *arena)
{
	head->driver = byte_reader_text(in);
	head->profile = byte_reader_text(in);
	head->generation = byte_reader_number(in);
	head->target_count = texts_read(&head->targets, in, arena);
	for (size_t i = 0; i < head->target_count; i++)
		if (i == ARCHIVE_TARGETS_MAX || (i && strcmp(head->targets[i - 1], head->targets[i]) >= 0))
			byte_reader_fail(in);
	graph_read(&head->graph, in, arena);
	return byte_reader_is_done(in);
}

int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err)
{
	struct packed_block *blocks = arena_array(arena, ARCHIVE_BLOCK_COUNT, sizeof(*blocks));
	struct archive *archive = arena_alloc(arena, sizeof(*archive));
	struct byte_reader head;
	int rc;

	if ((rc = blocks_find(blocks, arena_memdup(arena, data, size), size, err))) {
		err_prefix(err, "%s", name);
		return rc;
	}
	archive->name = arena_strdup(arena, name);
	archive->blocks = blocks;
	if (!block_unpack(&head, &blocks[ARCHIVE_VERSIONS], arena) ||
	    !read_head(&archive->head, &head, arena))
		return err_set(err, ERR_FORMAT,
			       "%s: the archive is inconsistent; it was not written by this drvabi", name);
	*out = archive;
	return 0;
}

const char *archive_as_of(const struct archive *archive, char buffer[32])
{
	const struct source_graph *graph = &archive->head.graph;
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < graph->count; i++)
		if (graph->versions[i].time > newest)
			newest = graph->versions[i].time;
	return text_of_day(newest, buffer);
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

/* Finds the first version whose commit id begins with @digits. Return: false if there is none. */
static bool find_digits(size_t *index, const struct source_graph *graph, const char *digits)
{
	for (size_t i = 0; i < graph->count; i++) {
		if (strncmp(graph->versions[i].commit, digits, strlen(digits)))
			continue;
		*index = i;
		return true;
	}
	return false;
}

bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit)
{
	return strlen(commit) == COMMIT_DIGITS && find_digits(index, &archive->head.graph, commit);
}

int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err)
{
	const struct source_graph *graph = &archive->head.graph;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };
	struct arena arena = { 0 };
	const char **names;
	char day[32];

	for (size_t i = 0; i < graph->count; i++) {
		if (strcmp(graph->versions[i].name, version))
			continue;
		*index = i;
		return 0;
	}
	if (is_commit_id(version, SHOWN_DIGITS) && find_digits(index, graph, version))
		return 0;
	names = arena_array(&arena, graph->count + 1, sizeof(*names));
	for (size_t i = 0; i < graph->count; i++)
		names[i] = graph->versions[i].name;
	abi_nearest_typos(&nearest, version, names, graph->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, graph->count);
	abi_nearest_list(&list, &nearest);
	err_set(err, ERR_NOT_FOUND, "no version %s in %s (as of %s)%s", version, archive->name,
		archive_as_of(archive, day), strbuf_text(&list));
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
