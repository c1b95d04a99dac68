/*
 * testdata/fuzz/lib/source.h - the input as C source, for the readers in src/extract
 */
#ifndef FUZZ_SOURCE_H
#define FUZZ_SOURCE_H

#include "lib/fuzz.h"

#include "extract/internal.h"

/* struct fuzz_source - the input as a file, and a document for the warnings about it */
struct fuzz_source {
	struct arena arena;
	struct table_file file;
	char *text;
};

void fuzz_source_begin(struct fuzz_source *source, const uint8_t *data, size_t size);
/* fuzz_source_end - assert that each warning names the file and has a text, and free @source */
void fuzz_source_end(struct fuzz_source *source);

/* struct fuzz_tree_file - a file of a struct fuzz_tree. As in git, its text can contain NUL bytes. */
struct fuzz_tree_file {
	const char *path; /* the files of a tree are sorted by path */
	const char *text; /* NUL-terminated at text[size] */
	size_t size;
};

struct fuzz_tree {
	struct tree tree; /* must be the first member */
	const struct fuzz_tree_file *files;
	size_t count;
};

struct fuzz_tree fuzz_tree_of(const struct fuzz_tree_file *files, size_t count);

#endif
