/*
 * source/blobs.h - the texts of blobs that several versions have
 *
 * Layer L2, internal to source/. Most files of a version are those of the version before,
 * and to inflate them is a sixth of the time of reading a version. The text of an
 * object id never changes, so a text is handed to the next tree that has the blob.
 *
 * A text that no tree uses any more is freed after one more tree was freed that
 * did not use it: so the texts of about one version stay in memory.
 *
 * All functions may be called by several threads. What is held by two owners
 * (a source and its trees) is freed by the last of them.
 */
#ifndef SOURCE_BLOBS_H
#define SOURCE_BLOBS_H

#include <git2.h>
#include <stdbool.h>

struct blobs;

struct blob {
	git_oid id;
	char *text; /* NUL-terminated */
	size_t size;
	/* The rest is private. */
	unsigned users;
	unsigned long used; /* when it was used last */
};

struct blobs *blobs_new(void);
struct blobs *blobs_hold(struct blobs *blobs); /* Return: @blobs, with one more owner */
void blobs_drop(struct blobs *blobs);          /* NULL is fine */

/* blobs_find - a text that is there, for one more user; NULL if it is not. */
struct blob *blobs_find(struct blobs *blobs, const git_oid *id);
/* blobs_add - copies @data, for one user. */
struct blob *blobs_add(struct blobs *blobs, const git_oid *id, const void *data, size_t size);
/* blobs_return - one user less. */
void blobs_return(struct blobs *blobs, struct blob *blob);
/* blobs_age - a tree that used some of them is freed. */
void blobs_age(struct blobs *blobs);

#endif
