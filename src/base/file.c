#include "base/file.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int file_read_fd(struct strbuf *out, int fd, const char *path, size_t limit_bytes, struct err *err)
{
	size_t start = out->length;

	for (;;) {
		ssize_t got;

		strbuf_reserve(out, 64 * 1024);
		got = read(fd, out->text + out->length, 64 * 1024);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
		out->length += (size_t)got;
		out->text[out->length] = '\0';
		if (out->length - start > limit_bytes)
			return err_set(err, ERR_LIMIT, "%s is larger than %zu bytes; is it the right file?", path, limit_bytes);
		if (!got)
			return 0;
	}
}

int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err)
{
	size_t start = out->length;
	int fd, rc;

	if (!strcmp(path, "-")) {
		rc = file_read_fd(out, STDIN_FILENO, "standard input", limit_bytes, err);
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s: %s", path, strerror(errno));
		rc = file_read_fd(out, fd, path, limit_bytes, err);
		close(fd);
	}
	if (rc && out->text) {
		out->length = start;
		out->text[start] = '\0';
	}
	return rc;
}

static int file_write_fd(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t put = write(fd, data, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		data += put;
		size -= (size_t)put;
	}
	return 0;
}

static int file_write_in_place(const char *path, const void *data, size_t size, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int failed;

	if (fd < 0)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	failed = file_write_fd(fd, data, size);
	if (failed)
		err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (close(fd) && !failed)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	return failed ? ERR_IO : 0;
}

/* A name beside @path that no other thread or process is writing to. */
static int file_open_temp(struct strbuf *temp, const char *path)
{
	static atomic_uint serial;
	int fd;

	do {
		strbuf_reset(temp);
		strbuf_addf(temp, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&serial, 1));
		fd = open(temp->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST);
	return fd;
}

static int file_replace(const char *path, const void *data, size_t size, bool sync, struct err *err)
{
	struct strbuf temp = { 0 };
	struct stat st;
	int fd, rc = 0;

	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			return err_set(err, ERR_IO, "cannot write %s: it is a directory", path);
		return file_write_in_place(path, data, size, err);
	}
	fd = file_open_temp(&temp, path);
	if (fd < 0) {
		rc = err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
		goto out;
	}
	if (file_write_fd(fd, data, size) || (sync && fsync(fd)))
		rc = err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (close(fd) && !rc)
		rc = err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (!rc && rename(temp.text, path))
		rc = err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (rc)
		unlink(temp.text);
out:
	strbuf_release(&temp);
	return rc;
}

int file_write_atomic(const char *path, const void *data, size_t size, struct err *err)
{
	return file_replace(path, data, size, true, err);
}

int file_write_unsynced(const char *path, const void *data, size_t size, struct err *err)
{
	return file_replace(path, data, size, false, err);
}

/* With errno as it has to be reported if it is none. */
static bool is_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

int file_make_dirs(const char *path, struct err *err)
{
	char *copy = xmalloc(strlen(path) + 1);
	char *slash = copy;
	int rc = 0;

	memcpy(copy, path, strlen(path) + 1);
	while (!rc && slash) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(copy, 0777) && (errno != EEXIST || !is_directory(copy)))
			rc = err_set(err, ERR_IO, "cannot make directory %s: %s", copy, strerror(errno));
		if (slash)
			*slash = '/';
	}
	free(copy);
	return rc;
}

int file_finish_stream(FILE *stream, const char *name, struct err *err)
{
	errno = 0;
	if (fflush(stream) || ferror(stream))
		return err_set(err, ERR_IO, "cannot write to %s: %s", name, strerror(errno ? errno : EIO));
	return 0;
}
