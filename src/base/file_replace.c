#include "base/file.h"

#include "base/destination.h"
#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Gives @fd the owner and the mode of the file that it replaces. */
static int make_like(int fd, const struct stat *old)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid))
		return -1;
	return fchmod(fd, old->st_mode & 07777);
}

static int open_temp(struct temp_file *temp, const struct destination *to, mode_t mode)
{
	return temp_file_open_unnamed(temp, to->dir_fd, mode) && temp_file_open_named(temp, to->dir_fd, to->name, mode) ? -1 : 0;
}

static int replace(const struct destination *to, int from, const struct stat *old, int (*fill)(int, int, struct err *), struct err *err)
{
	struct temp_file temp;
	int rc;

	if (open_temp(&temp, to, old->st_mode & 0600))
		return err_set(err, ERR_IO, "%s", strerror(errno));
	if ((rc = fill(temp.fd, from, err))) {
		temp_file_discard(&temp);
		return rc;
	}
	if (make_like(temp.fd, old) || (fsync(temp.fd) && errno != EINVAL && errno != EROFS)) {
		rc = err_set(err, ERR_IO, "%s", strerror(errno));
		temp_file_discard(&temp);
		return rc;
	}
	return temp_file_publish(&temp, to->name) ? err_set(err, ERR_IO, "%s", strerror(errno)) : 0;
}

static int replace_regular(const struct destination *to, int (*fill)(int, int, struct err *), struct err *err)
{
	const int from = openat(to->dir_fd, to->name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	struct stat old;
	int rc;

	if (from < 0)
		return err_set(err, ERR_IO, "%s", strerror(errno));
	if (fstat(from, &old))
		rc = err_set(err, ERR_IO, "%s", strerror(errno));
	else if (!S_ISREG(old.st_mode) || old.st_nlink > 1)
		rc = err_set(err, ERR_IO, "it is no regular file, or has several names");
	else
		rc = replace(to, from, &old, fill, err);
	close(from);
	return rc;
}

int file_replace(const char *path, int (*fill)(int to, int from, struct err *err), struct err *err)
{
	struct destination to;
	int rc;

	if (destination_find(&to, path))
		rc = err_set(err, ERR_IO, "%s", strerror(errno));
	else if (to.own_fd >= 0 || to.is_magic)
		rc = err_set(err, ERR_IO, "it is a descriptor of a process");
	else
		rc = replace_regular(&to, fill, err);
	destination_release(&to);
	if (rc)
		err_prefix(err, "cannot replace %s, which stays as it is", path);
	return rc;
}
