/* Compresses and unpacks with zstd: buffers, streams of frames, and files. */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

int compress_append(struct strbuf *out, const void *data, size_t size, int level, struct err *err)
{
	const size_t room = ZSTD_compressBound(size);
	size_t packed;

	strbuf_reserve(out, room);
	packed = ZSTD_compress(out->text + out->length, room, data, size, level);
	if (ZSTD_isError(packed))
		return err_set(err, ERR_LIMIT, "zstd cannot compress %zu bytes: %s", size,
			       ZSTD_getErrorName(packed));
	out->length += packed;
	out->text[out->length] = '\0';
	return 0;
}

uint64_t compress_unpacked_bytes(const void *packed, size_t size)
{
	const unsigned long long unpacked = ZSTD_getFrameContentSize(packed, size);

	return unpacked == ZSTD_CONTENTSIZE_ERROR || unpacked == ZSTD_CONTENTSIZE_UNKNOWN ? UINT64_MAX
											  : unpacked;
}

bool compress_unpack(void *out, size_t out_bytes, const void *packed, size_t size)
{
	return ZSTD_decompress(out, out_bytes, packed, size) == out_bytes;
}

const char *compress_version(void)
{
	return ZSTD_versionString();
}

struct compress_packer {
	ZSTD_CStream *zstd;
};

struct compress_stream {
	ZSTD_DStream *zstd;
	size_t state; /* the last return value of zstd; 0 between frames */
};

bool compress_recognise(const uint8_t *bytes, size_t size)
{
	uint32_t magic;

	if (size < 4)
		return false;
	magic = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
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

int compress_stream_next(size_t *got, struct compress_stream *stream, uint8_t *out, size_t room,
			 const uint8_t **at, const uint8_t *end, struct err *err)
{
	ZSTD_outBuffer to = { out, room, 0 };
	ZSTD_inBuffer from = { *at, (size_t)(end - *at), 0 };

	if (!stream->zstd)
		return err_set(err, ERR_LIMIT, "zstd cannot allocate memory to unpack");
	if (ZSTD_isError(stream->state))
		return err_set(err, ERR_FORMAT, "%s", ZSTD_getErrorName(stream->state));
	*got = 0;
	if (!stream->state && *at == end)
		return 0; /* a call of zstd would begin a further frame */
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

void compress_packer_free(struct compress_packer *packer)
{
	if (packer)
		ZSTD_freeCStream(packer->zstd);
	free(packer);
}

struct compress_packer *compress_packer_new(int level)
{
	struct compress_packer *packer = xmalloc(sizeof(*packer));

	*packer = (struct compress_packer){ .zstd = ZSTD_createCStream() };
	if (packer->zstd &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, level)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1)))
		return packer;
	compress_packer_free(packer);
	return NULL;
}

int compress_packer_add(struct strbuf *out, struct compress_packer *packer, const void *data, size_t size,
			enum compress_flush flush, struct err *err)
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
			return err_set(err, ERR_IO, "zstd failed: %s", ZSTD_getErrorName(left));
		out->length += to.pos;
		out->text[out->length] = '\0';
	} while (flush == COMPRESS_LATER ? in.pos < in.size : left);
	return 0;
}

/* At level 3, zstd is about as fast as a disk. */
enum { LEVEL = 3, CHUNK_BYTES = 128 * 1024 };

/* Compresses @size bytes of a file, and writes the result, which can be empty with COMPRESS_LATER. */
static int pack_and_write(struct file_writer *to, struct compress_packer *packer, const void *bytes,
			  size_t size, enum compress_flush flush, struct err *err)
{
	struct strbuf packed = { 0 };
	int rc = compress_packer_add(&packed, packer, bytes, size, flush, err);

	if (!rc)
		rc = file_writer_add(to, packed.text, packed.length, err);
	strbuf_release(&packed);
	return rc;
}

/* Writes all bytes that can be read from the descriptor @from to @to, as one compressed frame. */
static int pack_file(struct file_writer *to, int from, struct err *err)
{
	struct compress_packer *packer = compress_packer_new(LEVEL);
	char *chunk = xmalloc(CHUNK_BYTES);
	ssize_t got;
	int rc = 0;

	if (!packer)
		rc = err_set(err, ERR_IO, "zstd cannot allocate memory to compress");
	while (!rc && (got = read(from, chunk, CHUNK_BYTES))) {
		if (got > 0)
			rc = pack_and_write(to, packer, chunk, (size_t)got, COMPRESS_LATER, err);
		else if (errno != EINTR)
			rc = err_set(err, ERR_IO, "cannot read it: %s", strerror(errno));
	}
	if (!rc)
		rc = pack_and_write(to, packer, NULL, 0, COMPRESS_END, err);
	compress_packer_free(packer);
	free(chunk);
	return rc;
}

int compress_file(const char *path, struct err *err)
{
	const int from = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	struct file_writer to;
	struct stat st;
	int rc;

	if (from < 0 || fstat(from, &st)) {
		rc = err_set(err, ERR_IO, "cannot open it: %s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		rc = err_set(err, ERR_IO, "it is not a regular file");
	} else if (!(rc = file_writer_open(&to, path, err))) {
		if (!(rc = pack_file(&to, from, err)))
			rc = file_writer_finish(&to, err);
		file_writer_release(&to);
	}
	if (from >= 0)
		close(from);
	if (rc)
		err_prefix(err, "cannot compress %s; the file is unchanged", path);
	return rc;
}
