#include "base/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of zstd: at 3 it compresses about as fast as a disk writes. */
enum { LEVEL = 3, CHUNK_BYTES = 128 * 1024 };

static int write_all(int fd, const struct strbuf *bytes)
{
	for (size_t done = 0; done < bytes->length;) {
		const ssize_t put = write(fd, bytes->text + done, bytes->length - done);

		if (put < 0 && errno != EINTR)
			return -1;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* Packs @size bytes, and writes what comes of it. */
static int pack(int to, struct compress_packer *packer, const void *bytes, size_t size, enum compress_flush flush, struct err *err)
{
	struct strbuf packed = { 0 };
	int rc = compress_packer_add(&packed, packer, bytes, size, flush, err);

	if (!rc && write_all(to, &packed))
		rc = err_set(err, ERR_IO, "%s", strerror(errno));
	strbuf_release(&packed);
	return rc;
}

static int fill(int to, int from, struct err *err)
{
	struct compress_packer *packer = compress_packer_new(LEVEL);
	char *chunk = xmalloc(CHUNK_BYTES);
	ssize_t got;
	int rc = 0;

	if (!packer)
		rc = err_set(err, ERR_IO, "zstd has no memory to compress with");
	while (!rc && (got = read(from, chunk, CHUNK_BYTES))) {
		if (got > 0)
			rc = pack(to, packer, chunk, (size_t)got, COMPRESS_LATER, err);
		else if (errno != EINTR)
			rc = err_set(err, ERR_IO, "%s", strerror(errno));
	}
	if (!rc)
		rc = pack(to, packer, NULL, 0, COMPRESS_END, err);
	compress_packer_free(packer);
	free(chunk);
	return rc;
}

int compress_file(const char *path, struct err *err)
{
	return file_replace(path, fill, err);
}
