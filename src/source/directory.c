#include "source/internal.h"

#include <dirent.h>
#include <sys/stat.h>

/*
 * Links are followed if they stay inside the root. Each path is resolved before it is opened, and a path that
 * leads outside is an error. So a driver's ABI cannot include other files of the machine.
 *
 * For installed headers of Linux, a second directory is allowed: in Debian's linux-libc-dev since 6.12, the
 * headers of /usr/include/TRIPLE/asm are links into /usr/lib/linux/uapi/ARCH/asm, which is one directory for
 * all triples of a processor.
 */
struct directory {
	struct file_tree common;
	const char *top; /* if @root has only one directory of the tree, its path in the tree; NULL: @root is
			    the whole tree */
	char *root; /* resolved, without "/" at the end; so the file system's root is "" */
	char *uapi; /* for the root "/usr/include": "/usr/lib/linux/uapi", resolved; NULL: none */
	struct strbuf scratch;
};

#define BESIDE "/lib/linux/uapi"

/* Checks whether @path is @dir or inside it. Both are resolved, or both are relative to the tree. */
static bool is_below(const char *dir, const char *path)
{
	const size_t length = strlen(dir);

	return begins(path, dir) && (!path[length] || path[length] == '/');
}

/*
 * Returns the path `uapi` of struct directory for @root, which the caller frees. NULL if the directory does
 * not exist, or if a link is in its path, because a link could lead to any directory.
 */
static char *find_uapi(const char *root)
{
	static const char include[] = "/include";
	struct strbuf path = { 0 };
	char *real;

	if (!view_ends_with(view_of(root), include))
		return NULL;
	strbuf_addf(&path, "%.*s%s", (int)(strlen(root) - strlen(include)), root, BESIDE);
	real = realpath(path.text, NULL);
	if (real && strcmp(real, path.text)) {
		free(real);
		real = NULL;
	}
	strbuf_release(&path);
	return real;
}

/* Returns @path relative to the root; NULL if @path is not in the tree's directory @top. */
static const char *below_top(const struct directory *directory, const char *path)
{
	if (!directory->top)
		return path;
	if (!is_below(directory->top, path))
		return NULL;
	path += strlen(directory->top);
	return *path ? path + 1 : path;
}

/*
 * Resolves all links in @path. @real: set to the real path on this machine, which the caller frees. Return:
 * 0; ERR_NOT_FOUND if @path does not exist; ERR_FORMAT if a link leads out of the tree; ERR_IO.
 */
static int directory_resolve(char **real, const struct directory *directory, const char *path,
			     struct err *err)
{
	const char *below = below_top(directory, path);
	struct strbuf full = { 0 };
	char *got = NULL;
	int rc = 0;

	errno = ENOENT;
	if (below) {
		strbuf_addf(&full, "%s/%s", directory->root, below);
		got = realpath(full.text, NULL);
	}
	if (!got && (errno == ENOENT || errno == ENOTDIR))
		rc = err_set(err, ERR_NOT_FOUND, "no file %s in %s", path, directory->common.tree.version);
	else if (!got)
		rc = err_set(err, ERR_IO, "cannot read %s in %s: %s", path, directory->common.tree.version,
			     strerror(errno));
	else if (!is_below(directory->root, got) && !(directory->uapi && is_below(directory->uapi, got)))
		rc = err_set(
			err, ERR_FORMAT,
			"%s in %s is a link that leaves the tree (to %s); only links inside the tree are followed",
			path, directory->common.tree.version, got);
	strbuf_release(&full);
	if (rc)
		free(got);
	else
		*real = got;
	return rc;
}

/*
 * The function `list` of file_tree_ops: calls @visit for each entry of directory @dir; for none if @dir does
 * not exist. If only one directory of the tree is there, the root has only its name.
 */
static int directory_list(struct tree *tree, const char *dir, glob_visit visit, void *data, struct err *err)
{
	struct directory *directory = (struct directory *)tree;
	struct dirent *entry;
	char *real = NULL;
	DIR *stream;
	int rc;

	if (directory->top && !*dir)
		return visit(data, directory->top, GLOB_DIRECTORY);
	rc = directory_resolve(&real, directory, dir, err);
	if (rc)
		return rc == ERR_NOT_FOUND ? 0 : rc;
	stream = opendir(real);
	if (!stream && errno != ENOENT && errno != ENOTDIR)
		rc = err_set(err, ERR_IO, "cannot list %s: %s", real, strerror(errno));
	while (!rc && stream && (errno = 0, entry = readdir(stream))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		rc = visit(data, entry->d_name, entry->d_type == DT_REG ? GLOB_FILE :
			   entry->d_type == DT_DIR ? GLOB_DIRECTORY : GLOB_UNKNOWN);
	}
	if (!rc && stream && errno)
		rc = err_set(err, ERR_IO, "cannot list %s: %s", real, strerror(errno));
	if (stream)
		closedir(stream);
	free(real);
	return rc;
}

/*
 * The function `kind` of file_tree_ops: finds whether @path is a file, a directory or absent. Follows links.
 * A link that cannot be followed counts as a file, so that reading this file gives the error.
 */
static int directory_kind(enum glob_kind *out, struct tree *tree, const char *path, struct err *err)
{
	struct directory *directory = (struct directory *)tree;
	const char *below = below_top(directory, path);
	struct stat st;
	char *real;

	strbuf_reset(&directory->scratch);
	strbuf_addf(&directory->scratch, "%s/%s", directory->root, below ? below : "");
	*out = GLOB_ABSENT;
	errno = ENOENT;
	if (!below || lstat(directory->scratch.text, &st)) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		return err_set(err, ERR_IO, "cannot read %s in %s: %s", path, directory->common.tree.version,
			       strerror(errno));
	}
	*out = GLOB_FILE;
	if (directory_resolve(&real, directory, path, NULL))
		return 0;
	if (!stat(real, &st) && S_ISDIR(st.st_mode))
		*out = GLOB_DIRECTORY;
	free(real);
	return 0;
}

/*
 * The function `load` of file_tree_ops: reads the file @path, and adds it to the loaded files. Return: 0;
 * ERR_NOT_FOUND if it is not a regular file; ERR_FORMAT; ERR_LIMIT; ERR_IO.
 */
static int directory_load(const struct loaded_file **out, struct tree *tree, const char *path,
			  struct err *err)
{
	struct directory *directory = (struct directory *)tree;
	struct stat st;
	char *real = NULL;
	int rc;

	if ((rc = tree_path_check(path, err)) ||
	    (rc = directory_resolve(&real, directory, path, err)))
		return rc;
	strbuf_reset(&directory->scratch);
	if (stat(real, &st))
		rc = err_set(err, ERR_IO, "cannot read %s: %s", real, strerror(errno));
	else if (!S_ISREG(st.st_mode)) /* opening a FIFO would wait forever */
		rc = err_set(err, ERR_NOT_FOUND, "%s in %s is not a regular file", path,
			     directory->common.tree.version);
	else
		rc = file_read(&directory->scratch, real, LOADED_FILE_LIMIT_BYTES, err);
	free(real);
	if (!rc)
		*out = file_tree_add(&directory->common, path, directory->scratch.text,
				  directory->scratch.length);
	return rc;
}

/*
 * The function `real` of tree_ops: sets @real to the path without links, relative to the tree. For a file in
 * directory->uapi, the path begins with "..".
 */
static int directory_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	struct directory *directory = (struct directory *)tree;
	char *full;
	int rc;

	if ((rc = tree_path_check(path, err)) ||
	    (rc = directory_resolve(&full, directory, path, err)))
		return rc;
	if (is_below(directory->root, full))
		*real = arena_printf(&directory->common.arena, "%s%s%s", directory->top ? directory->top : "",
				     directory->top ? "/" : "", full + strlen(directory->root) + 1);
	else
		*real = arena_printf(&directory->common.arena, "..%s%s", BESIDE, full + strlen(directory->uapi));
	free(full);
	return 0;
}

static void directory_free(struct tree *tree)
{
	struct directory *directory = (struct directory *)tree;

	file_tree_release(&directory->common);
	strbuf_release(&directory->scratch);
	free(directory->root);
	free(directory->uapi);
	free(directory);
}

static const struct tree_ops directory_ops = {
	.glob = file_tree_glob, .read = file_tree_read, .id = file_tree_no_id, .real = directory_real,
	.forget = file_tree_forget, .free = directory_free,
};

static const struct file_tree_ops directory_loading = {
	.load = directory_load, .list = directory_list, .kind = directory_kind,
};

int source_directory(struct tree **out, const char *path, const char *top, struct err *err)
{
	struct directory *directory;
	struct stat st;
	char *real;

	real = realpath(path, NULL);
	if (!real || stat(real, &st)) {
		free(real);
		return err_set(err, errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_IO,
			       "cannot open directory %s: %s", path, strerror(errno));
	}
	if (!S_ISDIR(st.st_mode)) {
		free(real);
		return err_set(err, ERR_NOT_FOUND,
			       "%s is not a directory; give an unpacked driver tree with --dir PATH", path);
	}
	if (!strcmp(real, "/"))
		*real = '\0';
	directory = xmalloc(sizeof(*directory));
	*directory = (struct directory){ .common.tree = { .ops = &directory_ops, .commit = "" },
					 .common.ops = &directory_loading,
					 .root = real,
					 .top = top,
					 .uapi = find_uapi(real) };
	directory->common.tree.version = arena_strdup(&directory->common.arena, path);
	*out = &directory->common.tree;
	return 0;
}
