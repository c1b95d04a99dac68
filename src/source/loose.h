/*
 * source/loose.h - is an object that stands in a file of its own whole?
 *
 * Layer L2, internal to source/, its only user of zlib. A loose object is a zlib stream of
 * "TYPE SIZE\0" and SIZE bytes. libgit2 (odb_loose.c, up to 1.9.7) allocates
 * SIZE bytes and writes the whole stream into it, and does not come back
 * from a stream that ends early. So the file is inflated here first, in a
 * buffer of its own, and libgit2 is only asked for what is sound.
 */
#ifndef SOURCE_LOOSE_H
#define SOURCE_LOOSE_H

#include "base/base.h"

#include <git2.h>
#include <sys/types.h>

/* Where loose objects may be: the repository's own directory, then its alternates. */
struct loose_dirs {
	const char **path;
	struct {
		dev_t device;
		ino_t inode;
	} *id;
	size_t count;
	struct arena arena; /* of the paths */
};

/* loose_dirs_init - find those of the repository whose directory is @common_dir, as libgit2 does. To be released. Never fails: what cannot be read is left to libgit2. */
void loose_dirs_init(struct loose_dirs *out, const char *common_dir);
void loose_dirs_release(struct loose_dirs *dirs); /* { 0 } is fine */

/**
 * loose_fault - what is wrong with the file of an object
 *
 * Reads until more bytes come than the header says.
 * Return: NULL if it is sound, or if there is none (the object is in a pack);
 * else a phrase that follows the object's name: "ends early".
 */
const char *loose_fault(const struct loose_dirs *dirs, const git_oid *id);

#endif
