#include "cli/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0600, PIPE_BYTES = 256 * 1024 };

/* The directory of a file that is, or will be, a regular one: there is room on its disk for the result anyway. */
static void directory_of(struct strbuf *out, const char *path)
{
	const char *slash = strrchr(path, '/'), *temporary = getenv("TMPDIR");
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		strbuf_adds(out, temporary && *temporary ? temporary : "/tmp");
	else if (slash)
		strbuf_add(out, path, slash > path ? (size_t)(slash - path) : 1);
	else
		strbuf_adds(out, ".");
}

/* Not every file system has files without a name: one that is removed at once does as well. */
static int open_named(const char *directory)
{
	struct strbuf name = { 0 };
	int fd;

	strbuf_addf(&name, "%s/.drvabi.XXXXXX", directory);
	fd = mkostemp(name.text, O_CLOEXEC);
	if (fd >= 0)
		unlink(name.text);
	strbuf_release(&name);
	return fd;
}

/* In a pipe of 64 kB, which is the usual one, each write waits for its reader. What is no pipe stays as it is. */
static void enlarge_pipe(int fd)
{
	const int size_bytes = fcntl(fd, F_GETPIPE_SZ);

	if (size_bytes > 0 && size_bytes < PIPE_BYTES)
		fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

int spool_open(struct spool *out, const char *path, struct err *err)
{
	struct strbuf directory = { 0 };
	int fd = STDOUT_FILENO;
	struct stat st;

	if (path) {
		directory_of(&directory, path);
		fd = open(directory.text, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);
		if (fd < 0)
			fd = open_named(directory.text);
		if (fd < 0 && !stat(path, &st) && !S_ISREG(st.st_mode))
			fd = memfd_create("drvabi", MFD_CLOEXEC); /* there is no directory for temporary files */
		strbuf_release(&directory);
	} else {
		enlarge_pipe(fd);
	}
	if (fd < 0)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	*out = (struct spool){ .path = path, .fd = fd };
	return 0;
}

/* Takes @wrote bytes off the first of @parts. Return: how many parts have been written whole. */
static size_t advance(struct iovec *parts, size_t count, size_t wrote)
{
	size_t whole = 0;

	for (; whole < count && wrote >= parts[whole].iov_len; whole++)
		wrote -= parts[whole].iov_len;
	if (whole < count) {
		parts[whole].iov_base = (char *)parts[whole].iov_base + wrote;
		parts[whole].iov_len -= wrote;
	}
	return whole;
}

int spool_write_parts(struct spool *spool, struct iovec *parts, size_t count, struct err *err)
{
	for (size_t done = advance(parts, count, 0); done < count;) {
		const ssize_t wrote = writev(spool->fd, parts + done, (int)(count - done));

		if (wrote < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write %s: %s", spool->path ? spool->path : "to standard output", strerror(errno));
		if (wrote < 0)
			continue;
		spool->size_bytes += (uint64_t)wrote;
		done += advance(parts + done, count - done, (size_t)wrote);
	}
	return 0;
}

int spool_write(struct spool *spool, const char *text, size_t length, struct err *err)
{
	struct iovec part = { .iov_base = (char *)text, .iov_len = length };

	return spool_write_parts(spool, &part, 1, err);
}

int spool_finish(struct spool *spool, struct err *err)
{
	int rc = spool->path ? file_check_output(spool->path, err) : 0;

	if (rc || !spool->path)
		return rc;
	return file_copy_atomic(spool->path, spool->fd, spool->size_bytes, err);
}

void spool_close(struct spool *spool)
{
	if (spool->path)
		close(spool->fd);
}
