/*
 * testdata/fuzz/lib/source.h - C source made of the input, for the readers of ioctls/
 */
#ifndef FUZZ_SOURCE_H
#define FUZZ_SOURCE_H

#include "lib/fuzz.h"

#include "extract/internal.h"

/* A file that is being read, and the document that its warnings go to. */
struct fuzz_source {
	struct arena arena;
	struct table_file file;
	char *text;
};

void fuzz_source_begin(struct fuzz_source *source, const uint8_t *data, size_t size);
/* fuzz_source_end - every warning names the file and is a sentence; all is freed. */
void fuzz_source_end(struct fuzz_source *source);

/* A tree of few files. Texts may hold NUL bytes, as those of a git tree may. */
struct fuzz_tree_file {
	const char *path; /* sorted */
	const char *text; /* NUL-terminated at text[size] */
	size_t size;
};

struct fuzz_tree {
	struct tree tree; /* first */
	const struct fuzz_tree_file *files;
	size_t count;
};

struct fuzz_tree fuzz_tree_of(const struct fuzz_tree_file *files, size_t count);

#endif
