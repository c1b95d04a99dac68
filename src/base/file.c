/* Reads and writes whole files, and remembers which files were read, so that no result replaces them. */
#include "base/base.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* --- files that were read ----------------------------------------------------- */

/* A file that was read, or a directory whose files may have been read. */
struct input {
	dev_t device;
	ino_t inode;
};

enum { INPUTS_MAX = 1024 * 1024 };

/*
 * The list is in memory that workers share with their parent. The system allocates each page when the page is
 * first used.
 */
static struct {
	atomic_size_t count;
	struct input item[INPUTS_MAX];
} *inputs;

void file_share_inputs(void)
{
	void *memory;

	if (inputs)
		return;
	memory = mmap(NULL, sizeof(*inputs), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	inputs = memory == MAP_FAILED ? NULL : memory;
}

void file_note_input(int fd)
{
	struct stat st;
	size_t at;

	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return;
	file_share_inputs();
	if (inputs && (at = atomic_fetch_add(&inputs->count, 1)) < INPUTS_MAX)
		inputs->item[at] = (struct input){ st.st_dev, st.st_ino };
}

void file_note_input_path(const char *path)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd >= 0) {
		file_note_input(fd);
		close(fd);
	}
}

/* Finds the file in the list of the files that no result may replace; NULL if it is not there. */
static struct input *find_input(const struct stat *st)
{
	const size_t count = inputs ? atomic_load(&inputs->count) : 0;

	for (size_t i = 0; i < count && i < INPUTS_MAX; i++)
		if (inputs->item[i].device == st->st_dev && inputs->item[i].inode == st->st_ino)
			return &inputs->item[i];
	return NULL;
}

void file_forget_input(const char *path)
{
	struct stat st;
	struct input *input;

	if (stat(path, &st))
		return;
	while ((input = find_input(&st)))
		*input = (struct input){ 0 };
}

/*
 * Checks whether @st is a regular file that is an input, or is in a directory that is an input. @path: a name
 * of the file, or NULL
 */
static bool is_input(const struct stat *st, const char *path)
{
	char *real, *slash;
	struct stat above;
	bool found;

	if (!S_ISREG(st->st_mode))
		return false;
	found = find_input(st) ||
		(inputs && atomic_load(&inputs->count) > INPUTS_MAX); /* too many inputs to remember them
									 all */
	real = path ? realpath(path, NULL) : NULL;
	while (!found && real && (slash = strrchr(real, '/')) && slash > real) {
		*slash = '\0';
		found = !stat(real, &above) && find_input(&above);
	}
	free(real);
	return found;
}

int file_check_output(const char *path, struct err *err)
{
	struct stat st;

	if ((path ? stat(path, &st) : fstat(STDOUT_FILENO, &st)) || !is_input(&st, path))
		return 0;
	return err_set(err, ERR_USAGE,
		       "%s is an input of this run, and would be overwritten; name a different file",
		       path ? path : "standard output");
}

/* --- reading -------------------------------------------------------------------- */

/*
 * Appends all bytes that can be read from @fd; on failure, some of them. @path is only for error messages.
 * Return: 0; ERR_IO; ERR_LIMIT.
 */
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
			return err_set(err, ERR_LIMIT, "%s is larger than %zu bytes; is it the right file?",
				       path, limit_bytes);
		if (!got)
			return 0;
	}
}

int file_read(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err)
{
	const bool is_standard = !strcmp(path, "-");
	const int fd = is_standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	size_t start = out->length;
	int rc;

	if (fd < 0)
		return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s: %s", path,
			       strerror(errno));
	file_note_input(fd);
	rc = file_read_fd(out, fd, is_standard ? "standard input" : path, limit_bytes, err);
	if (!is_standard)
		close(fd);
	if (rc && out->text) {
		out->length = start;
		out->text[start] = '\0';
	}
	return rc;
}

/* --- directories ---------------------------------------------------------------- */

/* Checks whether @path is a directory, and sets errno if it is not. */
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

int file_make_own_dir(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct strbuf parent = { 0 };
	int rc = 0;

	if (slash && slash > path) {
		strbuf_add(&parent, path, (size_t)(slash - path));
		rc = file_make_dirs(parent.text, err);
	}
	if (!rc && mkdir(path, 0700) && errno != EEXIST)
		rc = err_set(err, ERR_IO, "cannot make directory %s: %s", path, strerror(errno));
	strbuf_release(&parent);
	return rc;
}

int file_open_own_dir(const char *path, struct err *err)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		err_set(err, ERR_IO, "cannot open %s: %s", path,
			errno == ENOTDIR ? "it is a file or a symbolic link; remove it" : strerror(errno));
	} else if (fstat(fd, &st) || (st.st_uid != geteuid() && st.st_uid) ||
		   (st.st_mode & (S_IWGRP | S_IWOTH))) {
		err_set(err, ERR_IO,
			"%s belongs to a different user, or others can write to it; remove it, or run chmod go-w on it",
			path);
		close(fd);
		return -1;
	}
	return fd;
}

/* --- writing -------------------------------------------------------------------- */

/*
 * A file is written in these steps:
 *
 * 1. Symbolic links are resolved by this code, because a rename would replace the link. A link of a different
 *    user is refused. /dev/stdout and /dev/fd/N mean descriptors of this process, and are written to
 *    directly.
 * 2. An existing file is opened for writing, so that the kernel checks the permission. A pipe, a device or a
 *    terminal is written to through this descriptor.
 * 3. A regular file is replaced: a temporary file in the same directory gets the old owner and mode. It is
 *    written, flushed, and renamed.
 */

enum {
	LINKS_MAX = 40, /* the limit of Linux */
	MODE_BITS = 0777,
	NEW_MODE = 0666,
	PRIVATE_MODE = 0600,
	STEM_MAX = 200, /* bytes of the old name in a temporary file's name */
	READER_STEPS = 200, /* attempts to open a pipe without a reader, */
	READER_STEP_MS = 10, /* and the time between two attempts */
};

#define ACCESS_LIST "system.posix_acl_access"
#define OWN_FDS "/proc/self/fd"

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash + 1 - path) : 0;
}

/*
 * Returns the descriptor that @path names, such as 1 for "/dev/stdout"; -1 if @path does not name a
 * descriptor. Opening such a path again would lose the file position and the append mode of ">>".
 */
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

		if (!begins(path, dirs[i]) || *number < '0' || *number > '9')
			continue;
		fd = strtol(number, &end, 10);
		if (!*end && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

/* Replaces @path, a link open as @fd, with its target, maybe a link. Return: NULL, or the error's text. */
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

/*
 * Replaces @path with the target of its links, which can be missing. A path that names a descriptor is not
 * followed. Return: NULL, or the error's text, also if a link belongs to another user, except root.
 */
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
		if (st.st_uid != geteuid() && st.st_uid) /* links of root are trusted: root can do any harm
							    without them */
			why = "it is a symbolic link of another user";
		else
			why = links < LINKS_MAX ? follow_link(path, fd) : strerror(ELOOP);
		close(fd);
		if (why)
			return why;
	}
	return NULL;
}

/*
 * Checks whether the file has an access list, or attributes that a user set, which a new file would not have.
 * Other attributes do not count: NFS has an access list for every file, and SELinux a label.
 */
static bool has_attributes(int fd)
{
	char names[4096];
	const ssize_t size = flistxattr(fd, names, sizeof(names));

	if (size < 0)
		return errno == ERANGE;
	for (const char *name = names; name < names + size; name += strlen(name) + 1)
		if (!strcmp(name, ACCESS_LIST) || begins(name, "user."))
			return true;
	return false;
}

static bool is_of_kind(const char *path, mode_t kind)
{
	struct stat st;

	return !lstat(path, &st) && (st.st_mode & S_IFMT) == kind;
}

/*
 * Opens @path for writing. If a pipe has no reader, this waits for one, but only for a limited time. @flags:
 * 0, or O_APPEND and O_CREAT. Return: a descriptor; -1 with errno.
 */
static int open_target(const char *path, int flags)
{
	int fd;

	for (int step = 0; (fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | flags,
				      NEW_MODE)) < 0;
	     step++) {
		if (errno != ENXIO || step == READER_STEPS || !is_of_kind(path, S_IFIFO))
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
		return is_of_kind(path, S_IFSOCK) ? "it is a socket" : "no process reads it";
	return strerror(error);
}

/*
 * Opens the directory, unless it is open, and the temporary file in it, with the owner and mode of the file
 * @old, which can be NULL. The temporary file has no name if the system can add the name later, so that a
 * killed process leaves no file. Return: NULL, or the error's text.
 */
static const char *open_temporary(struct file_writer *writer, const struct stat *old)
{
	const mode_t mode = old                  ? old->st_mode & MODE_BITS & NEW_MODE
			    : writer->is_private ? PRIVATE_MODE
						 : NEW_MODE;
	static unsigned serial;
	struct strbuf dir = { 0 };
	struct stat st;

	if (writer->dir_fd < 0) {
		strbuf_add(&dir, writer->target.text, (size_t)(writer->name - writer->target.text));
		writer->dir_fd = open(dir.length ? dir.text : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
		strbuf_release(&dir);
		if (writer->dir_fd < 0)
			return strerror(errno);
	}
	snprintf(writer->temporary, sizeof(writer->temporary), "%.*s.%ld-%u.tmp", STEM_MAX, writer->name,
		 (long)getpid(), serial++);
	writer->fd = access(OWN_FDS, F_OK)
			     ? -1
			     : openat(writer->dir_fd, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (writer->fd < 0) {
		writer->fd = openat(writer->dir_fd, writer->temporary,
				    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		writer->is_named = writer->fd >= 0;
	}
	if (writer->fd < 0 || fstat(writer->fd, &st))
		return strerror(errno);
	if (!old)
		return NULL;
	fremovexattr(writer->fd, ACCESS_LIST); /* remove the default access list of the directory */
	if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(writer->fd, old->st_uid, old->st_gid))
		return "it belongs to another user or group, but the new file would not; remove it, or "
		       "name another file";
	return fchmod(writer->fd, old->st_mode & MODE_BITS) ? strerror(errno) : NULL;
}

/*
 * Opens @path, or a temporary file to replace it if it is a regular file or does not exist, unless text is
 * appended. Return: NULL, or why @path cannot be written; then @writer must be released.
 */
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
		return open_temporary(writer, NULL);
	if (fstat(writer->fd, &old))
		return strerror(errno);
	if (S_ISREG(old.st_mode) && old.st_nlink > 1)
		return "it has several names (hard links), which would have different contents afterwards; "
		       "remove it, or name another file";
	if (!S_ISREG(old.st_mode) || append)
		return NULL;
	if (has_attributes(writer->fd))
		return "it has an access list or attributes, which would be lost; remove it, or name another file";
	close(writer->fd);
	writer->fd = -1;
	return open_temporary(writer, &old);
}

/* Reports an error, with the path and the target of its links. Return: ERR_IO. */
static int cannot_write(const struct file_writer *writer, const char *why, struct err *err)
{
	if (!writer->path)
		return err_set(err, ERR_IO, "cannot write to standard output: %s", why);
	if (!writer->target.length || !strcmp(writer->path, writer->target.text))
		return err_set(err, ERR_IO, "cannot write %s: %s", writer->path, why);
	return err_set(err, ERR_IO, "cannot write %s, which links to %s: %s", writer->path,
		       writer->target.text, why);
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

/* In a pipe of 64 KB, the writer and the reader of a log wait for each other: it takes twice the time. */
enum { PIPE_BYTES = 1024 * 1024 };

/* Opens @path, or a duplicate of standard output if @path is NULL. On failure, @out is released. */
static int open_or_release(struct file_writer *out, const char *path, bool append, struct err *err)
{
	const char *why;
	int rc;

	*out = (struct file_writer){ .path = path, .fd = -1, .dir_fd = -1 };
	if (path)
		why = open_writer(out, path, append);
	else
		why = (out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)) < 0 ? strerror(errno) : NULL;
	if (!why && !path)
		fcntl(out->fd, F_SETPIPE_SZ, PIPE_BYTES); /* fails if this is not a pipe */
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

	*out = (struct file_writer){ .path = name,
				     .name = name,
				     .fd = -1,
				     .dir_fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0),
				     .is_private = true };
	why = out->dir_fd < 0 ? strerror(errno) : open_temporary(out, NULL);
	if (!why)
		return 0;
	rc = cannot_write(out, why, err);
	file_writer_release(out);
	return rc;
}

int file_writer_add(struct file_writer *writer, const void *data, size_t size, struct err *err)
{
	struct pollfd writable = { .fd = writer->fd, .events = POLLOUT };
	const char *rest = data;

	while (size) {
		ssize_t wrote = write(writer->fd, rest, size);

		if (wrote < 0 && errno == EAGAIN)
			poll(&writable, 1, -1); /* a different process made the pipe non-blocking */
		else if (wrote < 0 && errno != EINTR)
			return cannot_write(writer, strerror(errno), err);
		if (wrote < 0)
			continue;
		rest += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

/* Gives the file's name to the temporary file, which replaces an old file. Return: 0; -1 with errno. */
static int give_name(struct file_writer *writer)
{
	char link[sizeof(OWN_FDS) + 16];
	int fd = writer->fd;

	if (!writer->is_named) {
		snprintf(link, sizeof(link), OWN_FDS "/%d", fd);
		if (!linkat(AT_FDCWD, link, writer->dir_fd, writer->name, AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST ||
		    linkat(AT_FDCWD, link, writer->dir_fd, writer->temporary, AT_SYMLINK_FOLLOW))
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
		return close(fd) ? cannot_write(writer, strerror(errno), err)
				 : 0; /* a network file system may report an error only now */
	}
	if ((!writer->is_private && fsync(fd) && errno != EINVAL && errno != EROFS) || give_name(writer))
		return cannot_write(
			writer,
			errno == EBUSY
				? "it is a mount point, which cannot be replaced; redirect standard output to it"
				: strerror(errno),
			err);
	return 0;
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
