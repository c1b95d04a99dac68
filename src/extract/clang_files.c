#include "extract/clang_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* The soft limit on open files is often 1,024, for the sake of select(2), which nothing here calls. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int new_file(int *out, struct err *err)
{
	int fd = memfd_create("drvabi", MFD_CLOEXEC);

	if (fd < 0 && errno == EMFILE) {
		raise_file_limit();
		fd = memfd_create("drvabi", MFD_CLOEXEC);
	}
	if (fd < 0 && errno == EMFILE)
		return err_set(err, ERR_LIMIT, "the headers are more files than a process may open here; raise the hard limit (ulimit -Hn)");
	if (fd < 0)
		return err_set(err, ERR_IO, "cannot make a file in memory: %s", strerror(errno));
	*out = fd;
	return 0;
}

static int lend_inodes(struct clang_files *files, size_t count, struct err *err)
{
	int rc = 0;

	while (files->inode_count < count && !rc) {
		ARRAY_GROW(files->inodes, files->inode_count, files->inode_capacity);
		rc = new_file(&files->inodes[files->inode_count], err);
		files->inode_count += !rc;
	}
	return rc;
}

/* Inside a double-quoted scalar of YAML, which is what an overlay is read as. */
static void add_escaped(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			strbuf_addf(out, "\\x%02x", (unsigned char)*text);
		else
			strbuf_addch(out, *text);
	}
}

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	add_escaped(out, text);
	strbuf_addch(out, '"');
}

static void add_root(struct strbuf *out, const char *type, const char *name, const char *contents)
{
	strbuf_addf(out, "{\"type\":\"%s\",\"name\":", type);
	add_quoted(out, name);
	strbuf_adds(out, ",\"external-contents\":");
	add_quoted(out, contents);
	strbuf_adds(out, "}");
}

static void add_file(struct strbuf *out, const char *name, int inode)
{
	char contents[32];

	snprintf(contents, sizeof(contents), "/proc/self/fd/%d", inode);
	add_root(out, "file", name, contents);
	strbuf_addch(out, ',');
}

/* Include directories of which the closure has no file: clang ignores one that does not exist, but "../x.h" may be found from there. */
static void add_directories(struct strbuf *out, const struct closure *closure)
{
	const char *real, *text;
	size_t size;

	for (size_t i = 0; i < closure->dir_count; i++) {
		const char *dir = closure->dirs[i];

		if (!*dir || tree_real(closure->tree, dir, &real, NULL) || !closure->tree->ops->read(closure->tree, dir, &text, &size, NULL))
			continue; /* the root is always there; a file is no directory */
		strbuf_adds(out, "{\"type\":\"directory\",\"name\":\"" CLOSURE_ROOT);
		add_escaped(out, dir);
		strbuf_adds(out, "\",\"contents\":[]},");
	}
}

static int describe(struct strbuf *out, const struct clang_files *files, const struct closure *closure, const char *main_name,
		    const char *own_headers, struct err *err)
{
	strbuf_adds(out, "{\"version\":0,\"case-sensitive\":true,\"use-external-names\":false,\"fallthrough\":false,\"roots\":[");
	for (size_t i = 0; i < closure->file_count; i++) {
		if (!utf8_is_valid(closure->files[i]->path))
			return err_set(err, ERR_FORMAT, "%s: the name of this file is no UTF-8", closure->files[i]->path);
		add_file(out, closure_name(closure->files[i]), files->inodes[closure->files[i]->inode]);
	}
	add_directories(out, closure);
	add_file(out, main_name, files->inodes[closure->file_count]);
	if (*own_headers)
		add_root(out, "directory-remap", own_headers, own_headers);
	strbuf_adds(out, "]}");
	return 0;
}

static int write_file(int fd, const struct strbuf *text, struct err *err)
{
	const char *at = strbuf_text(text), *end = at + text->length;

	while (at < end) {
		ssize_t written = pwrite(fd, at, (size_t)(end - at), at - strbuf_text(text));

		if (written < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write a file in memory: %s", strerror(errno));
		at += written > 0 ? written : 0;
	}
	return 0;
}

int clang_files_write(struct clang_files *files, const struct closure *closure, const char *main_name, const char *own_headers, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	if (files->file < 0 && (rc = new_file(&files->file, err)))
		return rc;
	snprintf(files->path, sizeof(files->path), "/proc/self/fd/%d", files->file);
	if (access(files->path, R_OK))
		return err_set(err, ERR_IO, "cannot read %s: is /proc mounted?", files->path);
	if (!(rc = lend_inodes(files, closure->file_count + 1, err)) &&
	    !(rc = describe(&text, files, closure, main_name, own_headers, err)))
		rc = write_file(files->file, &text, err); /* never shorter than before: a closure only grows */
	strbuf_release(&text);
	return rc;
}

void clang_files_release(struct clang_files *files)
{
	if (files->file >= 0)
		close(files->file);
	while (files->inode_count)
		close(files->inodes[--files->inode_count]);
	free(files->inodes);
	*files = (struct clang_files){ .file = -1 };
}
