#include "base/compress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of zstd: at 3 it compresses about as fast as a disk writes. */
enum { LEVEL = 3, CHUNK_BYTES = 128 * 1024 };

/* Packs @size bytes, and writes what comes of it. */
static int pack(struct file_writer *to, struct compress_packer *packer, const void *bytes, size_t size, enum compress_flush flush, struct err *err)
{
	struct strbuf packed = { 0 };
	int rc = compress_packer_add(&packed, packer, bytes, size, flush, err);

	if (!rc)
		rc = file_writer_add(to, packed.text, packed.length, err);
	strbuf_release(&packed);
	return rc;
}

static int pack_file(struct file_writer *to, int from, struct err *err)
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
			rc = err_set(err, ERR_IO, "cannot read it: %s", strerror(errno));
	}
	if (!rc)
		rc = pack(to, packer, NULL, 0, COMPRESS_END, err);
	compress_packer_free(packer);
	free(chunk);
	return rc;
}

static int compress_from(int from, const char *path, struct err *err)
{
	struct file_writer to;
	struct stat st;
	int rc;

	if (from < 0 || fstat(from, &st))
		return err_set(err, ERR_IO, "cannot open it: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "it is not a regular file");
	if ((rc = file_writer_open(&to, path, err)))
		return rc;
	if (!(rc = pack_file(&to, from, err)))
		rc = file_writer_finish(&to, err);
	file_writer_release(&to);
	return rc;
}

int compress_file(const char *path, struct err *err)
{
	const int from = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	int rc = compress_from(from, path, err);

	if (from >= 0)
		close(from);
	if (rc)
		err_prefix(err, "cannot compress %s, which stays as it is", path);
	return rc;
}
