#include "base/file.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct input {
	dev_t device;
	ino_t inode;
};

static struct {
	struct input *files;
	size_t file_count, file_capacity;
	char **trees; /* absolute, without links; each ends with a slash */
	size_t tree_count, tree_capacity;
} inputs;

void file_note_input(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	ARRAY_GROW(inputs.files, inputs.file_count, inputs.file_capacity);
	inputs.files[inputs.file_count++] = (struct input){ st.st_dev, st.st_ino };
}

void file_note_input_tree(const char *path)
{
	char *real = realpath(path, NULL), *tree;
	size_t length = real ? strlen(real) : 0;

	if (!real)
		return;
	tree = xmalloc(length + 2);
	memcpy(tree, real, length);
	memcpy(tree + length, "/", 2);
	free(real);
	ARRAY_GROW(inputs.trees, inputs.tree_count, inputs.tree_capacity);
	inputs.trees[inputs.tree_count++] = tree;
}

void file_forget_input(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return;
	for (size_t i = 0; i < inputs.file_count; i++)
		if (inputs.files[i].device == st.st_dev && inputs.files[i].inode == st.st_ino)
			inputs.files[i] = (struct input){ 0 };
}

int file_check_output(const char *path, struct err *err)
{
	char *real;
	struct stat st;
	bool is_input = false;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	for (size_t i = 0; !is_input && i < inputs.file_count; i++)
		is_input = inputs.files[i].device == st.st_dev && inputs.files[i].inode == st.st_ino;
	real = inputs.tree_count ? realpath(path, NULL) : NULL;
	for (size_t i = 0; real && !is_input && i < inputs.tree_count; i++)
		is_input = !strncmp(real, inputs.trees[i], strlen(inputs.trees[i]));
	free(real);
	return is_input ? err_set(err, ERR_USAGE, "%s would be overwritten, which is an input of this run; name another file", path) : 0;
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

/* A network file system may tell only then that the disk is full. @fd stays open. */
static int close_copy(int fd)
{
	const int copy = dup(fd);

	return copy >= 0 ? close(copy) : 0;
}

int file_finish_stream(FILE *stream, const char *name, struct err *err)
{
	errno = 0;
	if (fflush(stream) || ferror(stream) || close_copy(fileno(stream)))
		return err_set(err, ERR_IO, "cannot write to %s: %s", name, strerror(errno ? errno : EIO));
	return 0;
}
