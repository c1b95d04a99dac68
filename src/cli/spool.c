#include "cli/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0600 };

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

int spool_open(struct spool *out, const char *path, struct err *err)
{
	struct strbuf directory = { 0 };
	int fd = STDOUT_FILENO;

	if (path) {
		directory_of(&directory, path);
		fd = open(directory.text, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);
		if (fd < 0)
			fd = open_named(directory.text);
		strbuf_release(&directory);
	}
	if (fd < 0)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	*out = (struct spool){ .path = path, .fd = fd };
	return 0;
}

int spool_write(struct spool *spool, const char *text, size_t length, struct err *err)
{
	for (size_t done = 0; done < length;) {
		const ssize_t wrote = write(spool->fd, text + done, length - done);

		if (wrote < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write %s: %s", spool->path ? spool->path : "to standard output", strerror(errno));
		done += wrote > 0 ? (size_t)wrote : 0;
	}
	spool->size_bytes += length;
	return 0;
}

int spool_finish(struct spool *spool, struct err *err)
{
	return spool->path ? file_copy_atomic(spool->path, spool->fd, spool->size_bytes, err) : 0;
}

void spool_close(struct spool *spool)
{
	if (spool->path)
		close(spool->fd);
}
