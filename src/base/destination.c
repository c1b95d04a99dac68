#include "base/destination.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

enum {
	LINKS_MAX = 40, /* as Linux has it */
	PROC_MAGIC = 0x9fa0, /* PROC_SUPER_MAGIC in linux/magic.h */
};

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The directory of @path's last component: "" is written ".". */
static void directory_of(struct strbuf *out, const char *path)
{
	strbuf_reset(out);
	strbuf_add(out, path, (size_t)(last_component(path) - path));
	if (!out->length)
		strbuf_addch(out, '.');
}

static bool is_same_directory(const char *a, const char *b)
{
	char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
	const bool same = real_a && real_b && !strcmp(real_a, real_b);

	free(real_a);
	free(real_b);
	return same;
}

/* The links of /proc/self/fd are no paths: what they show may have been renamed, or never had a name. */
static void find_descriptor(struct destination *out)
{
	struct strbuf dir = { 0 };
	char *end;
	long fd = strtol(out->name, &end, 10);

	directory_of(&dir, out->path.text);
	if (end > out->name && !*end && fd <= INT_MAX && is_same_directory(dir.text, "/proc/self/fd"))
		out->own_fd = (int)fd;
	else
		out->is_magic = true;
	strbuf_release(&dir);
}

/* A link of somebody else where everybody may make links: it might lead a careless root anywhere. */
static bool is_trap(const struct destination *at, const struct stat *link)
{
	struct strbuf dir = { 0 };
	struct stat st;
	int rc;

	directory_of(&dir, at->path.text);
	rc = stat(dir.text, &st);
	strbuf_release(&dir);
	if (rc)
		return true;
	return (st.st_mode & S_ISVTX) && (st.st_mode & S_IWOTH) && link->st_uid != geteuid() && link->st_uid != st.st_uid;
}

/* Replaces the path by where the link @fd leads. */
static int follow(struct destination *out, int fd)
{
	char text[PATH_MAX];
	struct strbuf next = { 0 };
	const ssize_t length = readlinkat(fd, "", text, sizeof(text));

	if (length < 0)
		return -1;
	if (!length || length == sizeof(text)) {
		errno = length ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	if (*text != '/')
		strbuf_add(&next, out->path.text, (size_t)(out->name - out->path.text));
	strbuf_add(&next, text, (size_t)length);
	strbuf_release(&out->path);
	out->path = next;
	out->name = last_component(out->path.text);
	return 0;
}

/* Return: 1 if the path changed, 0 if it leads to no further link, -1 with errno. */
static int follow_one(struct destination *out)
{
	const int fd = open(out->path.text, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	struct stat st;
	int rc = 0;

	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	if (fstat(fd, &st)) {
		rc = -1;
	} else if (S_ISLNK(st.st_mode) && !fstatfs(fd, &fs) && fs.f_type == PROC_MAGIC) {
		find_descriptor(out);
	} else if (S_ISLNK(st.st_mode) && is_trap(out, &st)) {
		errno = EACCES;
		rc = -1;
	} else if (S_ISLNK(st.st_mode)) {
		rc = follow(out, fd) ? -1 : 1;
	}
	close(fd);
	return rc;
}

static int open_directory(struct destination *out)
{
	struct strbuf dir = { 0 };

	directory_of(&dir, out->path.text);
	out->dir_fd = open(dir.text, O_PATH | O_DIRECTORY | O_CLOEXEC);
	strbuf_release(&dir);
	return out->dir_fd < 0 ? -1 : 0;
}

int destination_find(struct destination *out, const char *path)
{
	int rc = 1;

	*out = (struct destination){ .dir_fd = -1, .own_fd = -1 };
	strbuf_adds(&out->path, path);
	out->name = last_component(out->path.text);
	for (int links = 0; rc > 0 && !out->is_magic && out->own_fd < 0; links++) {
		if (links > LINKS_MAX) {
			errno = ELOOP;
			return -1;
		}
		rc = follow_one(out);
	}
	if (rc < 0 || out->own_fd >= 0)
		return rc;
	return open_directory(out);
}

void destination_release(struct destination *destination)
{
	if (destination->dir_fd >= 0)
		close(destination->dir_fd);
	strbuf_release(&destination->path);
}
