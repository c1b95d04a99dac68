/*
 * source/kept.h - the files of a tree that have been read, by path
 *
 * Part of source/. { 0 } is empty, or { .blobs = B } for files of git. A text
 * is loaded once and stays where it is until kept_drop() or kept_release().
 */
#ifndef SOURCE_KEPT_H
#define SOURCE_KEPT_H

#include "source/blobs.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	KEPT_FILE_LIMIT_BYTES = 32 * 1024 * 1024, /* the largest header of OGKM has 0.6 MB */
	KEPT_LIMIT_BYTES = 96 * 1024 * 1024,      /* all files of a tree that are not forgotten; all headers of OGKM have 39 MB */
};

struct kept_file {
	char *path;
	char *text; /* NUL-terminated */
	size_t size;
	struct blob *blob; /* whose text it is; NULL: its own */
};

struct kept {
	struct blobs *blobs; /* borrowed */
	void *by_path; /* tsearch(3) tree of struct kept_file */
	size_t bytes;  /* what all files take */
};

const struct kept_file *kept_find(const struct kept *kept, const char *path);
/* kept_has_room - may @size more bytes be added below KEPT_LIMIT_BYTES? */
bool kept_has_room(const struct kept *kept, size_t size);
/* kept_add - copies @size bytes of @data; @path is not there yet. */
const struct kept_file *kept_add(struct kept *kept, const char *path, const void *data, size_t size);
/* kept_add_blob - the same with the text of a blob, of which @kept becomes the user. */
const struct kept_file *kept_add_blob(struct kept *kept, const char *path, struct blob *blob);
/* kept_drop - forget one file, if it is there. */
void kept_drop(struct kept *kept, const char *path);
void kept_release(struct kept *kept);

#endif
