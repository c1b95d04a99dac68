/*
 * source/glob.h - which files of a tree match a pattern
 *
 * Layer L2, internal to source/. Only the directories that a pattern can reach are listed:
 * "a/b/c*.h" lists a/b and nothing else.
 */
#ifndef SOURCE_GLOB_H
#define SOURCE_GLOB_H

#include "abi/abi.h"

enum glob_kind {
	GLOB_ABSENT,
	GLOB_FILE,
	GLOB_DIRECTORY,
	GLOB_UNKNOWN, /* a link, say: ask kind() */
};

typedef int (*glob_visit)(void *data, const char *name, enum glob_kind kind);

struct glob_ops {
	/* Calls @visit for each entry of directory @dir ("" is the root), in any order; for none if there is no such directory. */
	int (*list)(struct tree *tree, const char *dir, glob_visit visit, void *data, struct err *err);
	/* Never GLOB_UNKNOWN. A link that cannot be followed is a GLOB_FILE: reading it says why. */
	int (*kind)(enum glob_kind *out, struct tree *tree, const char *path, struct err *err);
};

/*
 * A directory may stand in a git tree under any number of names, and so may
 * each of those that it is in: ten objects name ten thousand million files.
 * So what the patterns of a tree look at is bounded, in bytes of its paths.
 */
enum { GLOB_LIMIT_BYTES = 32 * 1024 * 1024 }; /* the patterns for OGKM look at 50 kB */

/**
 * glob_tree - tree_ops.glob for a tree that can list a directory
 * @looked_bytes: grows by what is looked at; zero for a new tree
 * @arena: for the strings
 *
 * Return: 0; ERR_FORMAT; ERR_LIMIT if GLOB_LIMIT_BYTES are exceeded; what @ops return.
 */
int glob_tree(const char ***paths, size_t *count, struct tree *tree, const struct glob_ops *ops, const char *pattern,
	      size_t *looked_bytes, struct arena *arena, struct err *err);

#endif
