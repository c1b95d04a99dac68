/*
 * archive/block.h - the file around the blocks: compressed, hashed, checked
 *
 * Private to archive/.
 */
#ifndef ARCHIVE_BLOCK_H
#define ARCHIVE_BLOCK_H

#include "archive/archive.h"
#include "archive/form.h"
#include "base/base.h"

/* blocks_write - append the whole file. Return: 0; ERR_LIMIT if a block is too large to be read again, or zstd cannot. */
int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], enum archive_effort effort, struct err *err);

struct block {
	const unsigned char *data;
	size_t size;
};

/**
 * blocks_read - check a whole file and unpack its blocks
 * @blocks: live in @arena
 *
 * Return: 0; ERR_FORMAT.
 */
int blocks_read(struct block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size, struct arena *arena, struct err *err);

#endif
