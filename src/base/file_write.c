/*
 * How a file is written:
 *
 * 1. Symbolic links are followed by hand, because a rename would replace the
 *    link. A link of another user is refused. /dev/stdout and /dev/fd/N are
 *    descriptors of this process, and are written to as they are.
 * 2. An existing file is opened for writing, so that the kernel says whether
 *    we may. A pipe, a device or a terminal is written to through that open.
 * 3. A regular file is replaced: a temporary file in the same directory gets
 *    the old owner and mode, is filled, flushed, and renamed.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
	LINKS_MAX = 40, /* as in Linux */
	MODE_BITS = 0777,
	NEW_MODE = 0666,
	PRIVATE_MODE = 0600,
	STEM_MAX = 200, /* of a temporary file's name */
	READER_STEPS = 200, /* how often a pipe without a reader is tried, */
	READER_STEP_MS = 10, /* and the time between two tries */
};

#define ACCESS_LIST "system.posix_acl_access"
#define OWN_FDS "/proc/self/fd"

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Opening such a name again would lose the position, and the mode of ">>". Return: -1 if @path names no descriptor. */
static int own_descriptor(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", OWN_FDS "/" };
	char *end;

	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		const char *number = path + strlen(dirs[i]);
		long fd;

		if (strncmp(path, dirs[i], strlen(dirs[i])) || *number < '0' || *number > '9')
			continue;
		fd = strtol(number, &end, 10);
		if (!*end && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

/* Replaces @path by the target of the link @fd. Return: NULL, or why not. */
static const char *follow_link(struct strbuf *path, int fd)
{
	char text[PATH_MAX];
	const ssize_t length = readlinkat(fd, "", text, sizeof(text));
	struct strbuf next = { 0 };

	if (length < 0 || length == sizeof(text))
		return strerror(length < 0 ? errno : ENAMETOOLONG);
	if (length && *text != '/')
		strbuf_add(&next, path->text, directory_length(path->text));
	strbuf_add(&next, text, (size_t)length);
	strbuf_release(path);
	*path = next;
	return NULL;
}

static const char *follow_links(struct strbuf *path)
{
	for (int links = 0; own_descriptor(path->text) < 0; links++) {
		const int fd = open(path->text, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		const char *why = NULL;
		struct stat st;

		if (fd < 0)
			return errno == ENOENT ? NULL : strerror(errno);
		if (fstat(fd, &st) || !S_ISLNK(st.st_mode)) {
			close(fd);
			return NULL;
		}
		if (st.st_uid != geteuid() && st.st_uid) /* root needs no link to do harm */
			why = "it is a symbolic link of another user";
		else
			why = links < LINKS_MAX ? follow_link(path, fd) : strerror(ELOOP);
		close(fd);
		if (why)
			return why;
	}
	return NULL;
}

/* An access list or attributes that a user gave this file. NFS shows a list of its own for every file, and SELinux a label. */
static bool has_attributes(int fd)
{
	char names[4096];
	const ssize_t size = flistxattr(fd, names, sizeof(names));

	if (size < 0)
		return errno == ERANGE;
	for (const char *name = names; name < names + size; name += strlen(name) + 1)
		if (!strcmp(name, ACCESS_LIST) || !strncmp(name, "user.", strlen("user.")))
			return true;
	return false;
}

static bool is_of(const char *path, mode_t kind)
{
	struct stat st;

	return !lstat(path, &st) && (st.st_mode & S_IFMT) == kind;
}

/* Opens @path for writing. A pipe is given time to get a reader, but does not wait for one without end. */
static int open_target(const char *path, int flags)
{
	int fd;

	for (int step = 0; (fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | flags, NEW_MODE)) < 0; step++) {
		if (errno != ENXIO || step == READER_STEPS || !is_of(path, S_IFIFO))
			return -1;
		poll(NULL, 0, READER_STEP_MS);
	}
	fcntl(fd, F_SETFL, flags & O_APPEND);
	return fd;
}

static const char *why_not_opened(const char *path, int error)
{
	if (error == EISDIR)
		return "it is a directory";
	if (error == ENXIO)
		return is_of(path, S_IFSOCK) ? "it is a socket" : "nobody reads it";
	return strerror(error);
}

/* The temporary file. It has no name if the system can give it one later, so that a kill leaves nothing behind. */
static const char *open_temporary(struct file_writer *writer, const struct stat *old)
{
	const mode_t mode = old ? old->st_mode & MODE_BITS & NEW_MODE : writer->is_private ? PRIVATE_MODE : NEW_MODE;
	static unsigned serial;
	struct stat st;

	snprintf(writer->temporary, sizeof(writer->temporary), "%.*s.%ld-%u.tmp", STEM_MAX, writer->name, (long)getpid(), serial++);
	writer->fd = access(OWN_FDS, F_OK) ? -1 : openat(writer->dir_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (writer->fd < 0) {
		writer->fd = openat(writer->dir_fd, writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		writer->is_named = writer->fd >= 0;
	}
	if (writer->fd < 0 || fstat(writer->fd, &st))
		return strerror(errno);
	if (!old)
		return NULL;
	fremovexattr(writer->fd, ACCESS_LIST); /* that of the directory for new files */
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) && fchown(writer->fd, old->st_uid, old->st_gid))
		return "it belongs to another user or group, and a file that replaces it would not; remove it, or name another file";
	return fchmod(writer->fd, old->st_mode & MODE_BITS) ? strerror(errno) : NULL;
}

static const char *open_directory(struct file_writer *writer)
{
	struct strbuf dir = { 0 };

	strbuf_add(&dir, writer->target.text, (size_t)(writer->name - writer->target.text));
	writer->dir_fd = open(dir.length ? dir.text : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	strbuf_release(&dir);
	return writer->dir_fd < 0 ? strerror(errno) : NULL;
}

/* Return: NULL, or why @path cannot be written. */
static const char *open_writer(struct file_writer *writer, const char *path, bool append)
{
	const char *why;
	struct stat old;
	int fd;

	strbuf_adds(&writer->target, path);
	if ((why = follow_links(&writer->target)))
		return why;
	path = writer->target.text;
	writer->name = path + directory_length(path);
	if ((fd = own_descriptor(path)) >= 0)
		return (writer->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0)) < 0 ? strerror(errno) : NULL;
	writer->fd = open_target(path, append ? O_APPEND | O_CREAT : 0);
	if (writer->fd < 0 && (errno != ENOENT || append))
		return why_not_opened(path, errno);
	if (writer->fd < 0)
		return (why = open_directory(writer)) ? why : open_temporary(writer, NULL);
	if (fstat(writer->fd, &old))
		return strerror(errno);
	if (S_ISREG(old.st_mode) && old.st_nlink > 1)
		return "it has several names (hard links), which would hold different texts; remove it, or name another file";
	if (!S_ISREG(old.st_mode) || append)
		return NULL;
	if (has_attributes(writer->fd))
		return "it has an access list or attributes, which would be lost; remove it, or name another file";
	close(writer->fd);
	writer->fd = -1;
	return (why = open_directory(writer)) ? why : open_temporary(writer, &old);
}

/* Names the target of the links, too. Return: ERR_IO. */
static int cannot_write(const struct file_writer *writer, const char *why, struct err *err)
{
	if (!writer->path)
		return err_set(err, ERR_IO, "cannot write to standard output: %s", why);
	if (!writer->target.length || !strcmp(writer->path, writer->target.text))
		return err_set(err, ERR_IO, "cannot write %s: %s", writer->path, why);
	return err_set(err, ERR_IO, "cannot write %s, which links to %s: %s", writer->path, writer->target.text, why);
}

static int open_or_release(struct file_writer *out, const char *path, bool append, struct err *err)
{
	const char *why;
	int rc;

	*out = (struct file_writer){ .path = path, .fd = -1, .dir_fd = -1 };
	if (path)
		why = open_writer(out, path, append);
	else
		why = (out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) < 0 ? strerror(errno) : NULL;
	if (!why)
		return 0;
	rc = cannot_write(out, why, err);
	file_writer_release(out);
	return rc;
}

int file_writer_open(struct file_writer *out, const char *path, struct err *err)
{
	return open_or_release(out, path, false, err);
}

int file_writer_append(struct file_writer *out, const char *path, struct err *err)
{
	return open_or_release(out, path, true, err);
}

int file_writer_open_in(struct file_writer *out, int dir_fd, const char *name, struct err *err)
{
	const char *why;
	int rc;

	*out = (struct file_writer){ .path = name, .name = name, .fd = -1, .dir_fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0), .is_private = true };
	why = out->dir_fd < 0 ? strerror(errno) : open_temporary(out, NULL);
	if (!why)
		return 0;
	rc = cannot_write(out, why, err);
	file_writer_release(out);
	return rc;
}

int file_writer_add_parts(struct file_writer *writer, struct iovec *parts, size_t count, struct err *err)
{
	struct pollfd writable = { .fd = writer->fd, .events = POLLOUT };

	while (count) {
		ssize_t wrote = writev(writer->fd, parts, (int)count);

		if (wrote < 0 && errno == EAGAIN)
			poll(&writable, 1, -1); /* a pipe that somebody else made non-blocking */
		else if (wrote < 0 && errno != EINTR)
			return cannot_write(writer, strerror(errno), err);
		for (wrote = wrote < 0 ? 0 : wrote; count && (size_t)wrote >= parts->iov_len; parts++, count--)
			wrote -= (ssize_t)parts->iov_len;
		if (count) {
			parts->iov_base = (char *)parts->iov_base + wrote;
			parts->iov_len -= (size_t)wrote;
		}
	}
	return 0;
}

int file_writer_add(struct file_writer *writer, const void *data, size_t size, struct err *err)
{
	return file_writer_add_parts(writer, &(struct iovec){ .iov_base = (void *)data, .iov_len = size }, 1, err);
}

/* Return: 0; -1 with errno. */
static int give_name(struct file_writer *writer)
{
	char link[sizeof(OWN_FDS) + 16];
	int fd = writer->fd;

	if (!writer->is_named) {
		snprintf(link, sizeof(link), OWN_FDS "/%d", fd);
		if (!linkat(AT_FDCWD, link, writer->dir_fd, writer->name, AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST || linkat(AT_FDCWD, link, writer->dir_fd, writer->temporary, AT_SYMLINK_FOLLOW))
			return -1;
		writer->is_named = true;
	}
	writer->fd = -1;
	if (close(fd) || renameat(writer->dir_fd, writer->temporary, writer->dir_fd, writer->name))
		return -1;
	writer->is_named = false;
	return 0;
}

int file_writer_finish(struct file_writer *writer, struct err *err)
{
	const int fd = writer->fd;

	if (writer->dir_fd < 0) {
		writer->fd = -1;
		return close(fd) ? cannot_write(writer, strerror(errno), err) : 0; /* a network file system may fail only now */
	}
	if ((!writer->is_private && fsync(fd) && errno != EINVAL && errno != EROFS) || give_name(writer))
		return cannot_write(writer, errno == EBUSY ? "it is a mount point, which cannot be replaced; redirect standard output to it" : strerror(errno), err);
	return 0;
}

void file_writer_release(struct file_writer *writer)
{
	if (writer->is_named)
		unlinkat(writer->dir_fd, writer->temporary, 0);
	if (writer->fd >= 0)
		close(writer->fd);
	if (writer->dir_fd >= 0)
		close(writer->dir_fd);
	strbuf_release(&writer->target);
	*writer = (struct file_writer){ .fd = -1, .dir_fd = -1 };
}

int file_write_atomic(const char *path, const void *data, size_t size, struct err *err)
{
	struct file_writer writer;
	int rc = file_writer_open(&writer, path, err);

	if (rc)
		return rc;
	if (!(rc = file_writer_add(&writer, data, size, err)))
		rc = file_writer_finish(&writer, err);
	file_writer_release(&writer);
	return rc;
}
