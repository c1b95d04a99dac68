#include "source/tree_path.h"

#include <stdbool.h>
#include <string.h>

static bool component_is_plain(const char *text, size_t length)
{
	return length && !(length == 1 && text[0] == '.') && !(length == 2 && text[0] == '.' && text[1] == '.');
}

int tree_path_check(const char *path, struct err *err)
{
	const char *at = path;
	unsigned depth;

	if (strlen(path) > TREE_PATH_BYTES)
		return err_set(err, ERR_LIMIT, "the path \"%.60s...\" has %zu bytes; one in a driver tree may have %d",
			       path, strlen(path), TREE_PATH_BYTES);
	for (depth = 0; depth <= TREE_PATH_DEPTH; depth++) {
		size_t length = strcspn(at, "/");

		if (!component_is_plain(at, length))
			return err_set(err, ERR_FORMAT,
				       "\"%s\" is no path inside a driver tree: write it relative to the tree's root, without \".\" and \"..\"",
				       path);
		if (!at[length])
			return 0;
		at += length + 1;
	}
	return err_set(err, ERR_LIMIT, "the path \"%.60s...\" is deeper than %d directories", path, TREE_PATH_DEPTH);
}

void tree_path_join(struct strbuf *out, const char *dir, const char *name)
{
	strbuf_reset(out);
	if (*dir) {
		strbuf_adds(out, dir);
		strbuf_addch(out, '/');
	}
	strbuf_adds(out, name);
}
