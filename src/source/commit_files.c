#include "source/internal.h"

#include <search.h>

enum {
	LINKS_MAX = 16, /* limit for the number of links that are followed for one path */
	/*
	 * The limit for the memory of all directories. One tree object can have a million paths, and is
	 * counted once for each path. NVIDIA's driver (OGKM) needs 0.1 MB.
	 */
	DIRECTORIES_LIMIT_BYTES = 32 * 1024 * 1024,
	DIRECTORY_OVERHEAD_BYTES = 256,
	DIRECTORY_ENTRY_BYTES = 64, /* a name, an id, and libgit2's entry */
};

/*
 * Directories are read when a path needs them, and stay loaded: each path is parsed once, and each file is
 * inflated once.
 *
 * Links are followed if their target is in the link's own directory or under it. A link that points up
 * ("../x") is refused. With such a link, a file outside of a directory could change while the directory's id
 * stays the same, and these ids decide which cached document is used.
 */
struct commit_files {
	struct file_tree common;
	struct objects objects;
	const char *shown;
	void *directories; /* tsearch(3) tree of struct loaded_directory */
	size_t directory_bytes; /* memory of all directories */
};

struct loaded_directory {
	const char *path; /* the first member, for order_named(); "" is the root; in the arena */
	const char *real; /* the path without links; in the arena */
	git_tree *tree;   /* NULL: the directory does not exist, or is refused */
	int rc;           /* why it is refused, each time: the error and its message; otherwise 0 */
	const char *why;
};

static int find_directory(const struct loaded_directory **out, struct commit_files *files, const char *path,
			  unsigned links, struct err *err);

/*
 * Adds a directory after checking its names, or, if @tree is NULL, remembers that it does not exist. @files
 * owns the tree afterwards, also on errors. @real: in the arena. Return: 0; ERR_LIMIT; ERR_GIT.
 */
static int add_directory(const struct loaded_directory **out, struct commit_files *files, const char *path,
			 const char *real, git_tree *tree, struct err *err)
{
	struct loaded_directory *directory = xmalloc(sizeof(*directory));
	size_t entries_bytes = tree ? git_tree_entrycount(tree) * DIRECTORY_ENTRY_BYTES : 0;
	struct err fault = { "" };
	int rc = 0;

	files->directory_bytes += strlen(path) + strlen(real) + DIRECTORY_OVERHEAD_BYTES;
	if (files->directory_bytes + entries_bytes > DIRECTORIES_LIMIT_BYTES)
		rc = err_set(&fault, ERR_LIMIT,
			     "the directories of version %s in %s need more than %d bytes of memory; the last one is %s",
			     files->common.tree.version, files->shown, DIRECTORIES_LIMIT_BYTES, path);
	else if (tree)
		rc = directory_check(tree, path, files->common.tree.version, files->shown, &fault);
	if (rc) {
		git_tree_free(tree);
		tree = NULL;
		entries_bytes = 0;
	}
	files->directory_bytes += entries_bytes;
	*directory = (struct loaded_directory){ arena_strdup(&files->common.arena, path), real, tree, rc,
						arena_strdup(&files->common.arena, fault.text) };
	*out = directory;
	tsearch(directory, &files->directories, order_named);
	return rc ? err_set(err, rc, "%s", fault.text) : 0;
}

static int bad_link(struct commit_files *files, const char *path, const char *why, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s of version %s in %s is a link that %s", path, files->common.tree.version,
		       files->shown, why);
}

/*
 * Appends the target of the link @entry, which is at @path, as a path in the tree. The target may not exist.
 * Return: 0; ERR_FORMAT if the link leads out of its own directory; ERR_LIMIT; ERR_GIT.
 */
static int read_link(struct strbuf *out, struct commit_files *files, const git_tree_entry *entry,
		     const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	git_object *blob;
	int rc;

	if ((rc = object_open(&blob, &files->objects, git_tree_entry_id(entry), OBJECT_LINK, path, err)))
		return rc;
	if (slash)
		strbuf_add(out, path, (size_t)(slash + 1 - path));
	strbuf_add(out, git_blob_rawcontent((git_blob *)blob), (size_t)git_blob_rawsize((git_blob *)blob));
	git_object_free(blob);
	rc = tree_path_check(strbuf_text(out) + (slash ? slash + 1 - path : 0), NULL);
	if (rc == ERR_FORMAT || strlen(out->text) != out->length)
		return bad_link(files, path,
				"leads out of its own directory, and is not followed", err);
	return tree_path_check(out->text, err);
}

/*
 * Finds the entry of @path itself, which may be a link; NULL if @path does not exist. @real: set to the path
 * without the links to its directories, in the arena; can be NULL
 */
static int find_name(const git_tree_entry **out, const char **real, struct commit_files *files,
		     const char *path, unsigned links, struct err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const struct loaded_directory *directory;
	struct strbuf parent = { 0 };
	int rc;

	strbuf_add(&parent, path, slash ? (size_t)(slash - path) : 0);
	rc = find_directory(&directory, files, parent.text, links, err);
	strbuf_release(&parent);
	if (rc)
		return rc;
	*out = directory->tree ? git_tree_entry_byname(directory->tree, name) : NULL;
	if (real)
		*real = arena_printf(&files->common.arena, "%s%s%s", directory->real,
				     *directory->real ? "/" : "", name);
	return 0;
}

/*
 * Finds the entry of @path after following all links; NULL if it does not exist. @real: set to the path
 * without links, in the arena; can be NULL. @links: the number of links followed so far. Return: 0;
 * ERR_FORMAT if a link is refused, or there are too many; the errors of object_open() and add_directory().
 */
static int find_entry(const git_tree_entry **out, const char **real, struct commit_files *files,
		      const char *path, unsigned links, struct err *err)
{
	struct strbuf target = { 0 };
	int rc;

	rc = find_name(out, real, files, path, links, err);
	if (rc || !*out || git_tree_entry_filemode(*out) != GIT_FILEMODE_LINK)
		return rc;
	if (links == LINKS_MAX)
		return bad_link(files, path, "leads through too many other links", err);
	rc = read_link(&target, files, *out, path, err);
	if (!rc)
		rc = find_entry(out, real, files, target.text, links + 1, err);
	strbuf_release(&target);
	return rc;
}

/*
 * Finds the directory @path, and reads it if it was not loaded yet. @out: @files owns it; its tree is NULL if
 * @path is not a directory. @links, return: see find_entry()
 */
static int find_directory(const struct loaded_directory **out, struct commit_files *files, const char *path,
			  unsigned links, struct err *err)
{
	struct loaded_directory key = { .path = path };
	void *const *node = tfind(&key, &files->directories, order_named);
	const git_tree_entry *entry;
	git_object *tree = NULL;
	const char *real;
	int rc;

	if (node) {
		*out = *node;
		return (*out)->rc ? err_set(err, (*out)->rc, "%s", (*out)->why) : 0;
	}
	if ((rc = find_entry(&entry, &real, files, path, links, err)))
		return rc;
	if (entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE &&
	    (rc = object_open(&tree, &files->objects, git_tree_entry_id(entry), OBJECT_DIRECTORY, path, err)))
		return rc;
	return add_directory(out, files, path, real, (git_tree *)tree, err);
}

static enum glob_kind kind_of_entry(const git_tree_entry *entry)
{
	switch (git_tree_entry_filemode(entry)) {
	case GIT_FILEMODE_TREE:
		return GLOB_DIRECTORY;
	case GIT_FILEMODE_LINK:
		return GLOB_UNKNOWN; /* the target can be a file or a directory */
	default: /* a file or a submodule; reading a submodule is an error */
		return GLOB_FILE;
	}
}

/* The function `list` of file_tree_ops: calls @visit for each entry of @dir; for none if it is absent. */
static int commit_files_list(struct tree *tree, const char *dir, glob_visit visit, void *data,
			     struct err *err)
{
	const struct loaded_directory *directory;
	int rc = find_directory(&directory, (struct commit_files *)tree, dir, 0, err);

	for (size_t i = 0; !rc && directory->tree && i < git_tree_entrycount(directory->tree); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(directory->tree, i);

		rc = visit(data, git_tree_entry_name(entry), kind_of_entry(entry));
	}
	return rc;
}

/*
 * The function `kind` of file_tree_ops: finds whether @path is a file, a directory or absent. Follows links.
 * A link that cannot be followed counts as a file, so that reading this file gives the error.
 */
static int commit_files_kind(enum glob_kind *out, struct tree *tree, const char *path, struct err *err)
{
	struct commit_files *files = (struct commit_files *)tree;
	const git_tree_entry *entry;
	int rc;

	rc = find_name(&entry, NULL, files, path, 0, err);
	if (rc)
		return rc;
	*out = entry ? kind_of_entry(entry) : GLOB_ABSENT;
	if (*out != GLOB_UNKNOWN)
		return 0;
	*out = GLOB_FILE;
	if (!find_entry(&entry, NULL, files, path, 0, NULL) && entry &&
	    git_tree_entry_type(entry) == GIT_OBJECT_TREE)
		*out = GLOB_DIRECTORY;
	return 0;
}

/* Checks @path, and finds its entry, as find_entry(), but returns ERR_NOT_FOUND if @path does not exist. */
static int find_existing(const git_tree_entry **out, const char **real, struct commit_files *files,
			 const char *path, struct err *err)
{
	int rc;

	if ((rc = tree_path_check(path, err)) ||
	    (rc = find_entry(out, real, files, path, 0, err)))
		return rc;
	if (!*out)
		return err_set(err, ERR_NOT_FOUND, "no file %s in version %s of %s", path,
			       files->common.tree.version, files->shown);
	return 0;
}

/*
 * The function `load` of file_tree_ops: reads the file @path, and adds it to the loaded files. Return: 0;
 * ERR_NOT_FOUND if it is not a file; ERR_LIMIT; ERR_FORMAT; ERR_GIT.
 */
static int commit_files_load(const struct loaded_file **out, struct tree *tree, const char *path,
			     struct err *err)
{
	struct commit_files *files = (struct commit_files *)tree;
	const git_tree_entry *entry;
	git_object *blob;
	size_t size;
	int rc;

	if ((rc = find_existing(&entry, NULL, files, path, err)))
		return rc;
	if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		return err_set(err, ERR_NOT_FOUND, "%s in version %s of %s is a %s, not a file", path,
			       files->common.tree.version, files->shown,
			       git_tree_entry_type(entry) == GIT_OBJECT_COMMIT ? "submodule" : "directory");
	if ((rc = object_open(&blob, &files->objects, git_tree_entry_id(entry), OBJECT_FILE, path, err)))
		return rc;
	size = (size_t)git_blob_rawsize((git_blob *)blob);
	if (file_tree_has_room(&files->common, size))
		*out = file_tree_add(&files->common, path, git_blob_rawcontent((git_blob *)blob), size);
	else
		rc = err_set(err, ERR_LIMIT,
			     "the files read from version %s in %s have more than %d bytes in total; the last one is %s",
			     files->common.tree.version, files->shown, LOADED_LIMIT_BYTES, path);
	git_object_free(blob);
	return rc;
}

/* The function `id` of tree_ops: sets @hex to the id of the git object of @path, "" for the root. */
static int commit_files_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	struct commit_files *files = (struct commit_files *)tree;
	const git_tree_entry *entry;
	const struct loaded_directory *root;
	int rc;

	if (!*path) {
		if (!(rc = find_directory(&root, files, "", 0, err)))
			git_oid_tostr(hex, GIT_OID_HEXSZ + 1, git_tree_id(root->tree));
		return rc;
	}
	if ((rc = find_existing(&entry, NULL, files, path, err)))
		return rc;
	git_oid_tostr(hex, GIT_OID_HEXSZ + 1, git_tree_entry_id(entry));
	return 0;
}

/* The function `real` of tree_ops: sets @real to @path without links. */
static int commit_files_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	const git_tree_entry *entry;
	const char *found;
	int rc = find_existing(&entry, &found, (struct commit_files *)tree, path, err);

	if (!rc)
		*real = found;
	return rc;
}

static void free_directory(void *node)
{
	struct loaded_directory *directory = node;

	git_tree_free(directory->tree);
	free(directory);
}

static void commit_files_free(struct tree *tree)
{
	struct commit_files *files = (struct commit_files *)tree;

	tdestroy(files->directories, free_directory);
	objects_release(&files->objects);
	file_tree_release(&files->common);
	free(files);
}

static const struct tree_ops commit_files_ops = {
	.glob = file_tree_glob, .read = file_tree_read, .id = commit_files_id, .real = commit_files_real,
	.forget = file_tree_forget, .free = commit_files_free,
};

static const struct file_tree_ops commit_files_loading = {
	.load = commit_files_load, .list = commit_files_list, .kind = commit_files_kind,
};

int commit_files_open(struct tree **out, const struct source *source, const git_oid *commit,
		      const char *version, struct err *err)
{
	struct commit_files *files = xmalloc(sizeof(*files));
	const struct loaded_directory *directory;
	git_object *object, *root;
	char hex[GIT_OID_HEXSZ + 1];
	int rc;

	*files = (struct commit_files){ .common.tree.ops = &commit_files_ops,
					.common.ops = &commit_files_loading };
	files->common.tree.version = arena_strdup(&files->common.arena, version);
	files->common.tree.commit =
		arena_strdup(&files->common.arena, git_oid_tostr(hex, sizeof(hex), commit));
	files->shown = arena_strdup(&files->common.arena, source->shown);
	if ((rc = objects_init(&files->objects, source->repo, files->shown, files->common.tree.version,
			       err)) ||
	    (rc = object_open(&object, &files->objects, commit, OBJECT_COMMIT, "", err)))
		goto out;
	rc = object_open(&root, &files->objects, git_commit_tree_id((git_commit *)object), OBJECT_DIRECTORY,
			 "", err);
	git_object_free(object);
	if (!rc)
		rc = add_directory(&directory, files, "", "", (git_tree *)root, err);
out:
	if (rc)
		commit_files_free(&files->common.tree);
	else
		*out = &files->common.tree;
	return rc;
}
