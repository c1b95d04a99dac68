#include "compress/compress.h"

#include <stdlib.h>
#include <zstd.h>

struct compress_stream {
	ZSTD_DStream *zstd;
	size_t state; /* what zstd returned last; 0: between frames */
};

bool compress_recognise(const uint8_t *bytes, size_t size)
{
	uint32_t magic;

	if (size < 4)
		return false;
	magic = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

struct compress_stream *compress_stream_new(void)
{
	struct compress_stream *stream = xmalloc(sizeof(*stream));

	*stream = (struct compress_stream){ .zstd = ZSTD_createDStream() };
	return stream;
}

void compress_stream_free(struct compress_stream *stream)
{
	if (stream)
		ZSTD_freeDStream(stream->zstd);
	free(stream);
}

int compress_stream_next(size_t *got, struct compress_stream *stream, uint8_t *out, size_t room, const uint8_t **at, const uint8_t *end,
			 struct err *err)
{
	ZSTD_outBuffer to = { out, room, 0 };
	ZSTD_inBuffer from = { *at, (size_t)(end - *at), 0 };

	if (!stream->zstd)
		return err_set(err, ERR_LIMIT, "zstd has no memory to unpack with");
	if (ZSTD_isError(stream->state))
		return err_set(err, ERR_FORMAT, "%s", ZSTD_getErrorName(stream->state));
	*got = 0;
	if (!stream->state && *at == end)
		return 0; /* zstd would wait for another frame */
	do {
		stream->state = ZSTD_decompressStream(stream->zstd, &to, &from);
		if (ZSTD_isError(stream->state))
			return err_set(err, ERR_FORMAT, "%s", ZSTD_getErrorName(stream->state));
	} while (!to.pos && from.pos < from.size);
	*at += from.pos;
	*got = to.pos;
	return 0;
}

bool compress_stream_is_whole(const struct compress_stream *stream)
{
	return !stream->state;
}
