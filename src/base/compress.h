/*
 * base/compress.h - zstd: bytes, streams and files
 *
 * Layer L1. The only room that sees zstd.
 */
#ifndef BASE_COMPRESS_H
#define BASE_COMPRESS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- bytes ------------------------------------------------------------------------------ */

/**
 * compress_append - append @size bytes, compressed, as one frame
 * @level: zstd's, 1 to 19; the same level gives the same bytes with one release of zstd
 *
 * Return: 0; ERR_LIMIT if zstd cannot.
 */
int compress_append(struct strbuf *out, const void *data, size_t size, int level, struct err *err);

/* compress_unpacked_bytes - how many a frame says it unpacks to; UINT64_MAX if it does not say, or is none. */
uint64_t compress_unpacked_bytes(const void *packed, size_t size);

/* compress_unpack - Return: did the frames unpack to @out_bytes, neither more nor less? */
bool compress_unpack(void *out, size_t out_bytes, const void *packed, size_t size);

/* compress_version - "1.5.4": the zstd that is loaded at run time. */
const char *compress_version(void);

/* --- streams ---------------------------------------------------------------------------- */

/* compress_recognise - do these bytes begin a stream of zstd? Four are enough. */
bool compress_recognise(const uint8_t *bytes, size_t size);

struct compress_stream;

/* compress_stream_new - unpacks frames that follow each other, in at most 130 MB of memory, whatever they claim. */
struct compress_stream *compress_stream_new(void);
void compress_stream_free(struct compress_stream *stream); /* NULL is fine */

/**
 * compress_stream_next - unpack some more
 * @got: how many bytes of @out were filled; 0 only if all of @at was used
 * @at:  moves past what was used
 *
 * Return: 0; ERR_FORMAT if the bytes are damaged: each further call fails, too.
 */
int compress_stream_next(size_t *got, struct compress_stream *stream, uint8_t *out, size_t room, const uint8_t **at, const uint8_t *end,
			 struct err *err);

/* compress_stream_is_whole - has every frame that began ended? */
bool compress_stream_is_whole(const struct compress_stream *stream);

struct compress_packer;

/**
 * compress_packer_new - makes one frame, piece by piece, with a checksum
 * @level: zstd's, 1 to 19
 *
 * Return: NULL if zstd has no memory.
 */
struct compress_packer *compress_packer_new(int level);
void compress_packer_free(struct compress_packer *packer); /* NULL is fine */

/* How much of what was added can be unpacked from what has come out. */
enum compress_flush {
	COMPRESS_LATER, /* some of it */
	COMPRESS_NOW,   /* all of it */
	COMPRESS_END,   /* all of it, and the frame is whole: nothing is added after it */
};

/* compress_packer_add - append to @out what comes of @size bytes more. Return: 0; ERR_IO if zstd cannot. */
int compress_packer_add(struct strbuf *out, struct compress_packer *packer, const void *data, size_t size, enum compress_flush flush,
			struct err *err);

/* --- files ------------------------------------------------------------------------------ */

/**
 * compress_file - replace a file by itself, compressed
 *
 * In constant memory. The file is there at every moment, and stays as it is on failure.
 * Return: 0; ERR_IO, also if it is no regular file.
 */
int compress_file(const char *path, struct err *err);

#endif
