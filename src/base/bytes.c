#include "base/compress.h"

#include <zstd.h>

int compress_append(struct strbuf *out, const void *data, size_t size, int level, struct err *err)
{
	const size_t room = ZSTD_compressBound(size);
	size_t packed;

	strbuf_reserve(out, room);
	packed = ZSTD_compress(out->text + out->length, room, data, size, level);
	if (ZSTD_isError(packed))
		return err_set(err, ERR_LIMIT, "zstd cannot compress %zu bytes: %s", size, ZSTD_getErrorName(packed));
	out->length += packed;
	out->text[out->length] = '\0';
	return 0;
}

uint64_t compress_unpacked_bytes(const void *packed, size_t size)
{
	const unsigned long long unpacked = ZSTD_getFrameContentSize(packed, size);

	return unpacked == ZSTD_CONTENTSIZE_ERROR || unpacked == ZSTD_CONTENTSIZE_UNKNOWN ? UINT64_MAX : unpacked;
}

bool compress_unpack(void *out, size_t out_bytes, const void *packed, size_t size)
{
	return ZSTD_decompress(out, out_bytes, packed, size) == out_bytes;
}

const char *compress_version(void)
{
	return ZSTD_versionString();
}
