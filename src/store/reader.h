/*
 * store/reader.h - a worker, and the documents that it reads
 *
 * Layer L3, internal to store/. A worker remembers what its last readings depended on (dependencies.h). Of a tree in which that is the same
 * it says only whose document it has: of a thousand tags of a kernel, each worker reads those in which a header of the
 * driver is another one. Releases follow each other, so the last few readings are enough.
 */
#ifndef STORE_READER_H
#define STORE_READER_H

#include "store/dependencies.h"
#include "store/store.h"

enum { READER_PAST_MAX = 8 };

/* Begins as zeroes, and lasts as long as its process. */
struct reader {
	struct memo *memo; /* NULL before the first reading */
	struct {
		size_t job;
		struct dependencies dependencies;
	} past[READER_PAST_MAX];
	size_t past_count; /* of all readings: the last one is at past_count - 1, modulo READER_PAST_MAX */
};

/* What the first byte of an answer says of the others. */
enum reader_answer {
	READER_DOCUMENT,        /* a packed document, which the key of the tree does not decide */
	READER_DOCUMENT_OF_KEY, /* one that it does */
	READER_JOB,             /* the job that has the document, see reader_job() */
};

/**
 * reader_read - the document of @tree
 * @out: the answer is appended
 * @job: the number of this reading in later answers
 *
 * Return: 0; what extract_tree() and ioctls_add() return.
 */
int reader_read(struct strbuf *out, struct reader *reader, size_t job, struct tree *tree, const struct store_options *options, struct err *err);

/* reader_job - the job of such an answer; SIZE_MAX if @answer is none */
size_t reader_job(const struct strbuf *answer);

#endif
