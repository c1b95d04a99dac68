/*
 * abi/tree.h - the files of one driver version
 *
 * Layer L1. source/ makes trees out of git and out of directories; extract/
 * reads them and does not know which it was. Paths are relative to the
 * tree's root, with "/" and without "." or "..".
 *
 * A tree is used by one thread at a time; two trees may be used by two.
 */
#ifndef ABI_TREE_H
#define ABI_TREE_H

#include "base/base.h"

struct tree;

struct tree_ops {
	/*
	 * Appends to @paths (growing, *count of them) every file that matches
	 * @pattern, sorted by strcmp(). '*' and '?' do not match '/'. A pattern without
	 * wildcards yields that file, if it exists. The strings belong to the tree.
	 */
	int (*glob)(struct tree *tree, const char *pattern, const char ***paths, size_t *count, struct err *err);
	/*
	 * The text of a file, NUL-terminated, valid until it is forgotten or the tree is freed; a
	 * second read of the same path costs nothing. ERR_NOT_FOUND if there is none.
	 */
	int (*read)(struct tree *tree, const char *path, const char **text, size_t *size, struct err *err);
	/*
	 * The content id (git object id, 40 hex digits) of a file or directory,
	 * without reading it. ERR_NOT_FOUND if absent or if the tree has no ids.
	 */
	int (*id)(struct tree *tree, const char *path, char hex[41], struct err *err);
	/*
	 * The path of the file or directory at @path after all links: two paths with one are one file.
	 * @real belongs to the tree. ERR_NOT_FOUND if there is nothing at @path. May be NULL: the tree has no links.
	 */
	int (*real)(struct tree *tree, const char *path, const char **real, struct err *err);
	/* The text of @path is not needed any more; a later read loads it again. May be NULL. */
	void (*forget)(struct tree *tree, const char *path);
	void (*free)(struct tree *tree);
};

struct tree {
	const struct tree_ops *ops;
	const char *version; /* as the user should see it: "550.54.14", a short commit, a directory */
	const char *commit;  /* 40 hex digits; "" for a directory */
};

static inline void tree_forget(struct tree *tree, const char *path)
{
	if (tree->ops->forget)
		tree->ops->forget(tree, path);
}

static inline int tree_real(struct tree *tree, const char *path, const char **real, struct err *err)
{
	if (tree->ops->real)
		return tree->ops->real(tree, path, real, err);
	*real = path;
	return 0;
}

static inline void tree_free(struct tree *tree)
{
	if (tree)
		tree->ops->free(tree);
}

#endif
