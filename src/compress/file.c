#include "compress/compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* Of zstd: at 3 it compresses about as fast as a disk writes. */
enum { LEVEL = 3 };

struct packing {
	ZSTD_CStream *zstd;
	size_t in_room, out_room;
	char *in, *out;
};

static int write_all(int fd, const char *bytes, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t put = write(fd, bytes + done, size - done);

		if (put < 0 && errno != EINTR)
			return -1;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* Packs @size bytes of in, and writes what comes of it; with @mode ZSTD_e_end until the frame is whole. */
static int pack(int to, struct packing *packing, size_t size, ZSTD_EndDirective mode, struct err *err)
{
	ZSTD_inBuffer in = { packing->in, size, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { packing->out, packing->out_room, 0 };

		left = ZSTD_compressStream2(packing->zstd, &out, &in, mode);
		if (ZSTD_isError(left))
			return err_set(err, ERR_IO, "zstd cannot compress it: %s", ZSTD_getErrorName(left));
		if (write_all(to, packing->out, out.pos))
			return err_set(err, ERR_IO, "%s", strerror(errno));
	} while (mode == ZSTD_e_end ? left : in.pos < in.size);
	return 0;
}

static int pack_all(int to, int from, struct packing *packing, struct err *err)
{
	int rc = 0;
	ssize_t got;

	while (!rc && (got = read(from, packing->in, packing->in_room))) {
		if (got > 0)
			rc = pack(to, packing, (size_t)got, ZSTD_e_continue, err);
		else if (errno != EINTR)
			rc = err_set(err, ERR_IO, "%s", strerror(errno));
	}
	return rc ? rc : pack(to, packing, 0, ZSTD_e_end, err);
}

static int fill(int to, int from, struct err *err)
{
	struct packing packing = { ZSTD_createCStream(), ZSTD_CStreamInSize(), ZSTD_CStreamOutSize(), NULL, NULL };
	int rc;

	packing.in = xmalloc(packing.in_room);
	packing.out = xmalloc(packing.out_room);
	if (!packing.zstd || ZSTD_isError(ZSTD_CCtx_setParameter(packing.zstd, ZSTD_c_compressionLevel, LEVEL)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(packing.zstd, ZSTD_c_checksumFlag, 1)))
		rc = err_set(err, ERR_IO, "zstd has no memory to compress with");
	else
		rc = pack_all(to, from, &packing, err);
	ZSTD_freeCStream(packing.zstd);
	free(packing.in);
	free(packing.out);
	return rc;
}

int compress_file(const char *path, struct err *err)
{
	return file_replace(path, fill, err);
}
