/*
 * source/kept.h - the files of a tree that have been read, by path
 *
 * Part of source/. { 0 } is empty. A text is loaded once and stays where it
 * is until kept_drop() or kept_release().
 */
#ifndef SOURCE_KEPT_H
#define SOURCE_KEPT_H

#include <stddef.h>

enum { KEPT_FILE_LIMIT_BYTES = 64 * 1024 * 1024 }; /* the largest header of OGKM has 1.5 MB */

struct kept_file {
	char *path;
	char *text; /* NUL-terminated */
	size_t size;
};

struct kept {
	void *by_path; /* tsearch(3) tree of struct kept_file */
};

const struct kept_file *kept_find(const struct kept *kept, const char *path);
/* kept_add - copies @size bytes of @data; @path is not there yet. */
const struct kept_file *kept_add(struct kept *kept, const char *path, const void *data, size_t size);
/* kept_drop - forget one file, if it is there. */
void kept_drop(struct kept *kept, const char *path);
void kept_release(struct kept *kept);

#endif
