#include "base/file.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that was read, or a directory of which anything may have been read. */
struct input {
	dev_t device;
	ino_t inode;
};

enum { INPUTS_MAX = 1024 * 1024 };

/* In memory that workers share with their parent, of which only pages in use exist. */
static struct {
	atomic_size_t count;
	struct input item[INPUTS_MAX];
} *inputs;

void file_share_inputs(void)
{
	void *memory;

	if (inputs)
		return;
	memory = mmap(NULL, sizeof(*inputs), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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

/* Is the regular file of @st, which has the name @path unless that is NULL, an input, or in a directory that is one? */
static bool is_input(const struct stat *st, const char *path)
{
	char *real, *slash;
	struct stat above;
	bool found;

	if (!S_ISREG(st->st_mode))
		return false;
	found = find_input(st) || (inputs && atomic_load(&inputs->count) > INPUTS_MAX); /* which of them, nobody knows */
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
	return err_set(err, ERR_USAGE, "%s would be overwritten, which is an input of this run; name another file", path ? path : "standard output");
}

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
		file_note_input(STDIN_FILENO);
		rc = file_read_fd(out, STDIN_FILENO, "standard input", limit_bytes, err);
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot open %s: %s", path, strerror(errno));
		file_note_input(fd);
		rc = file_read_fd(out, fd, path, limit_bytes, err);
		close(fd);
	}
	if (rc && out->text) {
		out->length = start;
		out->text[start] = '\0';
	}
	return rc;
}

int file_read_regular(struct strbuf *out, const char *path, size_t limit_bytes, struct err *err)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "%s is not a regular file", path);
	return file_read(out, path, limit_bytes, err);
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
		err_set(err, ERR_IO, "cannot open %s: %s", path, errno == ENOTDIR ? "it is a file or a symbolic link; remove it" : strerror(errno));
	} else if (fstat(fd, &st) || (st.st_uid != geteuid() && st.st_uid) || (st.st_mode & (S_IWGRP | S_IWOTH))) {
		err_set(err, ERR_IO, "%s belongs to another user, or others may write to it; remove it, or chmod go-w", path);
		close(fd);
		return -1;
	}
	return fd;
}
