#include "base/compress.h"

#include <stdlib.h>
#include <zstd.h>

struct compress_packer {
	ZSTD_CStream *zstd;
};

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

struct compress_packer *compress_packer_new(int level)
{
	struct compress_packer *packer = xmalloc(sizeof(*packer));

	*packer = (struct compress_packer){ .zstd = ZSTD_createCStream() };
	if (packer->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, level)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1)))
		return packer;
	compress_packer_free(packer);
	return NULL;
}

void compress_packer_free(struct compress_packer *packer)
{
	if (packer)
		ZSTD_freeCStream(packer->zstd);
	free(packer);
}

int compress_packer_add(struct strbuf *out, struct compress_packer *packer, const void *data, size_t size, enum compress_flush flush,
			struct err *err)
{
	static const ZSTD_EndDirective directives[] = { ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_end };
	const size_t room = ZSTD_CStreamOutSize();
	ZSTD_inBuffer in = { data, size, 0 };
	size_t left;

	do {
		ZSTD_outBuffer to;

		strbuf_reserve(out, room);
		to = (ZSTD_outBuffer){ out->text + out->length, room, 0 };
		left = ZSTD_compressStream2(packer->zstd, &to, &in, directives[flush]);
		if (ZSTD_isError(left))
			return err_set(err, ERR_IO, "zstd cannot compress it: %s", ZSTD_getErrorName(left));
		out->length += to.pos;
		out->text[out->length] = '\0';
	} while (flush == COMPRESS_LATER ? in.pos < in.size : left);
	return 0;
}
