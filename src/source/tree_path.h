/*
 * source/tree_path.h - paths inside a tree: relative, with "/", without "." or ".."
 *
 * Layer L2, internal to source/.
 */
#ifndef SOURCE_TREE_PATH_H
#define SOURCE_TREE_PATH_H

#include "base/base.h"

enum {
	TREE_PATH_BYTES = 4096, /* PATH_MAX */
	TREE_PATH_DEPTH = 128,  /* directories; that of OGKM is 11. A directory is found by recursion. */
};

/*
 * tree_path_check - Return: 0; ERR_FORMAT if @path is empty, absolute or has an empty, "." or ".." component;
 * ERR_LIMIT if it is longer or deeper than any driver's.
 */
int tree_path_check(const char *path, struct err *err);

/* tree_path_join - @out becomes "dir/name", or "name" if @dir is "" */
void tree_path_join(struct strbuf *out, const char *dir, const char *name);

#endif
