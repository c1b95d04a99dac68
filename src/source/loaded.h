/*
 * source/loaded.h - the files of a tree that have been read, by path
 *
 * Layer L2, internal to source/. { 0 } is empty, or { .blobs = B } for files of
 * git. A text is loaded once; it belongs to the struct and stays at its address
 * until loaded_forget() or loaded_release(). Nothing here fails.
 */
#ifndef SOURCE_LOADED_H
#define SOURCE_LOADED_H

#include "source/blobs.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	LOADED_FILE_LIMIT_BYTES = 32 * 1024 * 1024, /* the largest header of OGKM has 0.6 MB */
	LOADED_LIMIT_BYTES = 96 * 1024 * 1024,      /* all files of a tree that are not forgotten; all headers of OGKM have 39 MB */
};

struct loaded_file {
	char *path;
	char *text; /* NUL-terminated */
	size_t size;
	struct blob *blob; /* whose text it is; NULL: its own */
};

struct loaded_files {
	struct blobs *blobs; /* borrowed */
	void *by_path; /* tsearch(3) tree of struct loaded_file */
	size_t bytes;  /* of all files, with their overhead */
};

const struct loaded_file *loaded_find(const struct loaded_files *loaded, const char *path);
/* loaded_has_room - may @size more bytes be added below LOADED_LIMIT_BYTES? */
bool loaded_has_room(const struct loaded_files *loaded, size_t size);
/* loaded_add - copies @size bytes of @data; @path is not there yet. */
const struct loaded_file *loaded_add(struct loaded_files *loaded, const char *path, const void *data, size_t size);
/* loaded_add_blob - the same with the text of a blob, of which @loaded becomes the user. */
const struct loaded_file *loaded_add_blob(struct loaded_files *loaded, const char *path, struct blob *blob);
/* loaded_forget - forget one file, if it is there. */
void loaded_forget(struct loaded_files *loaded, const char *path);
void loaded_release(struct loaded_files *loaded);

#endif
