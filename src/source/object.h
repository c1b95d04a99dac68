/*
 * source/object.h - git objects, none of which is inflated before its size is known
 *
 * Layer L2, internal to source/. Bytes of a repository are cheap to write and dear to read:
 * 1 GB of zeros is a pack of 1 MB. An object's header is read first and held
 * against the limit of what the object is for. What unpacking it needs on top
 * (see source/allocation.h) is bounded by the limit of its type.
 */
#ifndef SOURCE_OBJECT_H
#define SOURCE_OBJECT_H

#include "source/loose.h"

/* What an object is read as. */
enum object_use { OBJECT_COMMIT, OBJECT_TAG, OBJECT_DIRECTORY, OBJECT_FILE, OBJECT_LINK };

/* The objects of one repository, as one reader sees them. */
struct objects {
	git_repository *repo; /* the caller's */
	git_odb *odb;
	struct loose_dirs loose;
	const char *shown;    /* the repository, for messages */
	const char *version;  /* likewise; NULL: none is being read */
	uint64_t left_bytes;  /* that may still be unpacked */
};

/* objects_init - Return: 0; ERR_GIT. @out is released in either case. */
int objects_init(struct objects *out, git_repository *repo, const char *shown, const char *version, struct err *err);
void objects_release(struct objects *objects); /* { 0 } is fine */

/* object_type - Return: 0; GIT_ENOTFOUND; another of libgit2's codes. */
int object_type(git_object_t *out, const struct objects *objects, const git_oid *id);

/**
 * object_open - read one object
 * @out:  to be freed with git_object_free(); a git_commit, git_tag, git_tree or git_blob, as @use wants
 * @what: names it in messages: "inc/a.h", "directory inc", "commit 0123"
 *
 * Return: 0; ERR_LIMIT if it is larger than what @use may have, or needs too much memory to unpack; ERR_GIT.
 */
int object_open(git_object **out, struct objects *objects, const git_oid *id, enum object_use use, const char *what, struct err *err);

#endif
