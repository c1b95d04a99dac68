/*
 * source/tree_path.h - paths inside a tree: relative, with "/", without "." or ".."
 *
 * Part of source/.
 */
#ifndef SOURCE_TREE_PATH_H
#define SOURCE_TREE_PATH_H

#include "base/base.h"

/* tree_path_check - Return: 0; ERR_FORMAT if @path is empty, absolute or has an empty, "." or ".." component. */
int tree_path_check(const char *path, struct err *err);

/* tree_path_join - @out becomes "dir/name", or "name" if @dir is "" */
void tree_path_join(struct strbuf *out, const char *dir, const char *name);

#endif
