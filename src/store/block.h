/*
 * store/block.h - the file around the blocks: compressed, hashed, checked
 *
 * Layer L2, internal to archive/.
 */
#ifndef STORE_BLOCK_H
#define STORE_BLOCK_H

#include "store/archive.h"
#include "store/form.h"
#include "base/base.h"

/* blocks_write - append the whole file. Return: 0; ERR_LIMIT if a block is too large to be read again, or zstd cannot. */
int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], struct err *err);

struct block {
	const unsigned char *data;
	size_t size;
};

/* A block as it is in the file; its hash was found right. */
struct packed_block {
	struct block packed;
	size_t unpacked_bytes;
};

/**
 * blocks_find - check a whole file
 * @blocks: point into @data
 *
 * Return: 0; ERR_FORMAT; ERR_NOT_FOUND for another form.
 */
int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size, struct err *err);

/* block_unpack - @out is in @arena. Return: false if it does not unpack to what it should. */
bool block_unpack(struct block *out, const struct packed_block *block, struct arena *arena);

#endif
