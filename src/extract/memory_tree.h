/* extract/memory_tree.h - a tree of files in memory, for the tests of this directory */
#ifndef EXTRACT_MEMORY_TREE_H
#define EXTRACT_MEMORY_TREE_H

#include "abi/abi.h"

#include <fnmatch.h>
#include <string.h>

/* A file. A list of files ends with a NULL path. */
struct memory_file {
	const char *path; /* lists are sorted by path, in the order of strcmp() */
	const char *text;
};

struct memory_tree {
	struct tree tree; /* must be the first member */
	const struct memory_file *files;
};

static inline int memory_tree_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
				   struct err *err)
{
	const struct memory_file *file;

	(void)err;
	for (file = ((struct memory_tree *)tree)->files; file->path; file++) {
		if (fnmatch(pattern, file->path, FNM_PATHNAME))
			continue;
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = file->path;
	}
	return 0;
}

static inline int memory_tree_read(struct tree *tree, const char *path, const char **text, size_t *size,
				   struct err *err)
{
	const struct memory_file *file;

	for (file = ((struct memory_tree *)tree)->files; file->path; file++) {
		if (strcmp(file->path, path))
			continue;
		*text = file->text;
		*size = strlen(file->text);
		return 0;
	}
	return err_set(err, ERR_NOT_FOUND, "there is no %s", path);
}

static inline int memory_tree_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	(void)tree;
	(void)hex;
	return err_set(err, ERR_NOT_FOUND, "%s has no id", path);
}

static inline void memory_tree_forget(struct tree *tree, const char *path)
{
	(void)tree;
	(void)path;
}

static inline void memory_tree_free(struct tree *tree)
{
	(void)tree;
}

static inline struct memory_tree memory_tree_of(const struct memory_file *files)
{
	static const struct tree_ops ops = {
		.glob = memory_tree_glob,
		.read = memory_tree_read,
		.id = memory_tree_id,
		.forget = memory_tree_forget,
		.free = memory_tree_free,
	};

	return (struct memory_tree){ { &ops, "1.0", "" }, files };
}

#endif
