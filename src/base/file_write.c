/*
 * How a file is written:
 *
 * 1. Its name is followed through symbolic links (destination.h). A
 *    descriptor of ours, /dev/stdout, is written to, and that is all.
 * 2. What is there already is opened for writing, which asks the kernel
 *    whether we may. What is no regular file is written to.
 * 3. A regular file is replaced: a file without a name is filled in its
 *    directory, gets its owner and mode, and then its name (temp_file.h).
 * 4. Where that would lose something, the file is overwritten: if it has
 *    several names, an access list or another owner that we cannot give away,
 *    if it is a mount point, or if nothing may be created in its directory.
 *    Its disk space is reserved first, so that a full disk changes nothing.
 */
#include "base/file.h"

#include "base/destination.h"
#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { MODE_BITS = 0777, NEW_MODE = 0666, OVERWRITE = 1 };

enum { COPY_BYTES = 64 * 1024 };

struct content {
	const char *data; /* NULL: what is in @source */
	int source;       /* a file that can be read anywhere */
	size_t size;
	bool sync;
};

static int write_bytes(int fd, const char *data, size_t size)
{
	struct pollfd writable = { .fd = fd, .events = POLLOUT };

	for (size_t done = 0; done < size;) {
		const ssize_t put = write(fd, data + done, size - done);

		if (put >= 0)
			done += (size_t)put;
		else if (errno == EAGAIN)
			poll(&writable, 1, -1); /* a pipe that somebody else made non-blocking */
		else if (errno != EINTR)
			return -1;
	}
	return 0;
}

static int copy_bytes(int fd, const struct content *content)
{
	char buffer[COPY_BYTES];

	for (size_t done = 0; done < content->size;) {
		const size_t left = content->size - done;
		const ssize_t got = pread(content->source, buffer, left < sizeof(buffer) ? left : sizeof(buffer), (off_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			errno = got ? errno : EIO;
			return -1;
		}
		if (write_bytes(fd, buffer, (size_t)got))
			return -1;
		done += (size_t)got;
	}
	return 0;
}

static int write_all(int fd, const struct content *content)
{
	return content->data ? write_bytes(fd, content->data, content->size) : copy_bytes(fd, content);
}

static int sync_all(int fd, const struct content *content)
{
	return content->sync && fsync(fd) && errno != EINVAL && errno != EROFS ? -1 : 0;
}

static int close_after(int fd, int rc)
{
	const int error = errno;

	if (close(fd) && !rc)
		return -1;
	errno = error;
	return rc;
}

/* Those that somebody gave this file. NFS shows its own access list for every file, and SELinux its label. */
static bool has_attributes(int fd)
{
	char names[4096];
	const ssize_t size = flistxattr(fd, names, sizeof(names));

	if (size < 0)
		return errno == ERANGE;
	for (const char *name = names; name < names + size; name += strlen(name) + 1)
		if (!strcmp(name, "system.posix_acl_access") || !strncmp(name, "user.", strlen("user.")))
			return true;
	return false;
}

static bool is_like(int fd, const struct stat *old)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == old->st_uid && st.st_gid == old->st_gid &&
	       (st.st_mode & MODE_BITS) == (old->st_mode & MODE_BITS);
}

/*
 * Gives @fd the owner and the mode of the file that it replaces. Return: false if it may not, or if the directory has
 * given it an access list.
 */
static bool make_like(int fd, const struct stat *old)
{
	if (has_attributes(fd))
		return false;
	if (is_like(fd, old))
		return true;
	return !fchown(fd, old->st_uid, old->st_gid) && !fchmod(fd, old->st_mode & MODE_BITS) && is_like(fd, old);
}

/* May the file be written although nothing may be created or renamed where it is? */
static bool is_about_directory(int error)
{
	return error == EACCES || error == EPERM || error == EROFS || error == EBUSY || error == ENOENT || error == EXDEV || error == EOPNOTSUPP;
}

/* @temp is done with afterwards. Return: 0; OVERWRITE if only that can be done; -1 with errno. */
static int fill_and_publish(struct temp_file *temp, const char *name, const struct stat *old, const struct content *content)
{
	if (old && !make_like(temp->fd, old)) {
		temp_file_discard(temp);
		return OVERWRITE;
	}
	if (write_all(temp->fd, content) || sync_all(temp->fd, content)) {
		temp_file_discard(temp);
		return -1;
	}
	if (temp_file_publish(temp, name))
		return old && is_about_directory(errno) ? OVERWRITE : -1;
	return 0;
}

/* Not every file system can link a file without a name, and it tells only then. */
static bool needs_name(int error)
{
	return error != ENOSPC && error != EDQUOT && error != EFBIG && error != EIO;
}

/* A new file in the directory, or with @old one that gets the name of that. Return: as fill_and_publish(). */
static int replace(int dir_fd, const char *name, const struct stat *old, const struct content *content)
{
	const mode_t mode = old ? old->st_mode & MODE_BITS & NEW_MODE : NEW_MODE;
	struct temp_file temp;
	int rc;

	if (!temp_file_open_unnamed(&temp, dir_fd, mode)) {
		rc = fill_and_publish(&temp, name, old, content);
		if (rc >= 0 || !needs_name(errno))
			return rc;
	}
	if (temp_file_open_named(&temp, dir_fd, name, mode))
		return old && is_about_directory(errno) ? OVERWRITE : -1;
	return fill_and_publish(&temp, name, old, content);
}

/* So that what cannot be stored is known before the old text is lost. Not every file system can. */
static int reserve(int fd, size_t size, const struct stat *old)
{
	int error;

	if (!size || !fallocate(fd, 0, 0, (off_t)size) || errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL || errno == ENODEV)
		return 0;
	error = errno;
	if (ftruncate(fd, old->st_size))
		error = errno;
	errno = error;
	return -1;
}

static int overwrite(int fd, const char *path, const struct stat *old, const struct content *content, struct err *err)
{
	if (reserve(fd, content->size, old))
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (write_all(fd, content) || ftruncate(fd, (off_t)content->size) || sync_all(fd, content))
		return err_set(err, ERR_IO, "cannot write %s: %s; it had to be overwritten, and is incomplete now", path, strerror(errno));
	return 0;
}

/* @fd is the old file, opened for writing. */
static int write_over(int fd, const struct destination *to, const char *path, const struct content *content, struct err *err)
{
	struct stat old;
	int rc = OVERWRITE;

	if (fstat(fd, &old))
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	if (!S_ISREG(old.st_mode))
		return write_all(fd, content) ? err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno)) : 0;
	if (old.st_nlink <= 1 && !to->is_magic && !has_attributes(fd))
		rc = replace(to->dir_fd, to->name, &old, content);
	if (rc < 0)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	return rc == OVERWRITE ? overwrite(fd, path, &old, content, err) : 0;
}

static int write_descriptor(int fd, const char *path, const struct content *content, struct err *err)
{
	if (write_all(fd, content))
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

static const char *reason(const struct destination *to, int error)
{
	struct stat st;

	if (error == EISDIR || (!*to->name && to->dir_fd >= 0))
		return "it is a directory";
	if (error == ENXIO && !fstatat(to->dir_fd, to->name, &st, 0) && S_ISSOCK(st.st_mode))
		return "it is a socket";
	if (error == ENXIO)
		return "nobody reads it";
	return strerror(error);
}

/* Says where the links lead, too: "link, that is nowhere/file". */
static int cannot_write(const struct destination *to, const char *path, int error, struct err *err)
{
	if (!strcmp(path, strbuf_text(&to->path)) || to->is_magic || error == ELOOP)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, reason(to, error));
	return err_set(err, ERR_IO, "cannot write %s, which links to %s: %s", path, to->path.text, reason(to, error));
}

static int write_destination(const struct destination *to, const char *path, const struct content *content, struct err *err)
{
	const int fd = openat(to->dir_fd, to->name, O_WRONLY | O_NOCTTY | O_CLOEXEC | (to->is_magic ? 0 : O_NOFOLLOW));
	int rc;

	if (fd < 0 && (errno != ENOENT || !*to->name))
		return cannot_write(to, path, errno, err);
	if (fd < 0)
		return replace(to->dir_fd, to->name, NULL, content) ? cannot_write(to, path, errno, err) : 0;
	rc = write_over(fd, to, path, content, err);
	if (close_after(fd, rc) && !rc)
		return err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
	return rc;
}

static int write_file(const char *path, const struct content *content, struct err *err)
{
	struct destination to;
	int rc;

	if (destination_find(&to, path))
		rc = cannot_write(&to, path, errno, err);
	else if (to.own_fd >= 0)
		rc = write_descriptor(to.own_fd, path, content, err);
	else
		rc = write_destination(&to, path, content, err);
	destination_release(&to);
	return rc;
}

int file_write_atomic(const char *path, const void *data, size_t size, struct err *err)
{
	return write_file(path, &(struct content){ .data = data, .size = size, .sync = true }, err);
}

int file_write_unsynced(const char *path, const void *data, size_t size, struct err *err)
{
	return write_file(path, &(struct content){ .data = data, .size = size }, err);
}

int file_copy_atomic(const char *path, int source, size_t size, struct err *err)
{
	return write_file(path, &(struct content){ .source = source, .size = size, .sync = true }, err);
}

int file_open_append(int *out, const char *path, struct err *err)
{
	const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
	struct destination to;
	int fd = -1, rc = 0;

	if (!destination_find(&to, path))
		fd = to.own_fd >= 0 ? fcntl(to.own_fd, F_DUPFD_CLOEXEC, 0) :
				      openat(to.dir_fd, to.name, flags | (to.is_magic ? 0 : O_NOFOLLOW), 0666);
	if (fd < 0)
		rc = cannot_write(&to, path, errno, err);
	else if (to.own_fd < 0)
		fcntl(fd, F_SETFL, O_APPEND);
	destination_release(&to);
	if (!rc)
		*out = fd;
	return rc;
}
