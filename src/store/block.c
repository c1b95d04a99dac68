#include "store/block.h"

#include "base/compress.h"

#include <string.h>
#include <xxhash.h>

/* Of zstd. Reading is as fast at any level, and the file is given away. */
enum { LEVEL = 19 };

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

static bool hash_is(const unsigned char *at, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	return !memcmp(at, &hash, sizeof(hash));
}

/* Appends @block, compressed, to @out, and fills its @row of the table. */
static int pack_block(struct strbuf *out, unsigned char *row, const struct strbuf *block, struct err *err)
{
	const size_t before = out->length;
	int rc;

	if (block->length > ARCHIVE_UNPACKED_LIMIT_BYTES)
		return err_set(err, ERR_LIMIT, "%zu bytes are too many for one block of an archive; archive fewer versions", block->length);
	if ((rc = compress_append(out, strbuf_text(block), block->length, LEVEL, err)))
		return rc;
	put_fixed(row, out->length - before);
	put_fixed(row + ARCHIVE_ROW_UNPACKED_AT, block->length);
	put_hash(row + ARCHIVE_ROW_HASH_AT, out->text + before, out->length - before);
	return 0;
}

int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], struct err *err)
{
	unsigned char head[ARCHIVE_BLOCKS_AT] = ARCHIVE_MAGIC;
	struct strbuf packed = { 0 };
	int rc = 0;

	for (size_t i = 0; !rc && i < ARCHIVE_BLOCK_COUNT; i++)
		rc = pack_block(&packed, head + ARCHIVE_TABLE_AT + i * ARCHIVE_ROW_BYTES, &blocks[i], err);
	if (!rc) {
		put_fixed(head + ARCHIVE_SIZE_AT, sizeof(head) + packed.length);
		put_hash(head + ARCHIVE_HASH_AT, head + ARCHIVE_TABLE_AT, sizeof(head) - ARCHIVE_TABLE_AT);
		strbuf_add(out, head, sizeof(head));
		strbuf_add(out, packed.text, packed.length);
	}
	strbuf_release(&packed);
	return rc;
}

static int check_head(const unsigned char *data, size_t size, struct err *err)
{
	if (size < ARCHIVE_MAGIC_BYTES || memcmp(data, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES - 1))
		return err_set(err, ERR_FORMAT, "this is no archive of drvabi; 'drvabi archive write' makes one");
	if (data[ARCHIVE_MAGIC_BYTES - 1] != (unsigned char)ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1])
		return err_set(err, ERR_NOT_FOUND, "the archive has form %d, and this drvabi reads form %d; "
			       "'drvabi archive write' writes it again", data[ARCHIVE_MAGIC_BYTES - 1],
			       ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1]);
	if (size < ARCHIVE_BLOCKS_AT || get_fixed(data + ARCHIVE_SIZE_AT) != size)
		return err_set(err, ERR_FORMAT, "the archive is cut short, or more than the archive; get or write it again");
	if (!hash_is(data + ARCHIVE_HASH_AT, data + ARCHIVE_TABLE_AT, ARCHIVE_BLOCKS_AT - ARCHIVE_TABLE_AT))
		return err_set(err, ERR_FORMAT, "the archive is damaged; get or write it again");
	return 0;
}

/* The block that begins at @at; *at moves behind it. */
static bool find_block(struct packed_block *out, const unsigned char *row, const unsigned char **at, const unsigned char *end)
{
	uint64_t packed = get_fixed(row);
	uint64_t unpacked = get_fixed(row + ARCHIVE_ROW_UNPACKED_AT);

	if (packed > (uint64_t)(end - *at) || !hash_is(row + ARCHIVE_ROW_HASH_AT, *at, packed) ||
	    unpacked > ARCHIVE_UNPACKED_LIMIT_BYTES || compress_unpacked_bytes(*at, packed) != unpacked)
		return false;
	*out = (struct packed_block){ { *at, packed }, unpacked };
	*at += packed;
	return true;
}

int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size, struct err *err)
{
	const unsigned char *start = data, *at = start + ARCHIVE_BLOCKS_AT, *end = start + size;
	int rc;

	if ((rc = check_head(start, size, err)))
		return rc;
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		if (!find_block(&blocks[i], start + ARCHIVE_TABLE_AT + i * ARCHIVE_ROW_BYTES, &at, end))
			return err_set(err, ERR_FORMAT, "block %zu of the archive is damaged; get or write it again", i + 1);
	if (at != end)
		return err_set(err, ERR_FORMAT, "the archive goes on behind its last block; get or write it again");
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
