/*
 * store/extract_many.h - many extractions, some of them at the same time
 *
 * Private to store/. A job makes bytes, or one finished sentence that says why
 * it cannot; nothing else of it reaches the caller, so that a job may as well
 * be a process of its own. Nothing in store/ starts a thread before this does.
 */
#ifndef STORE_EXTRACT_MANY_H
#define STORE_EXTRACT_MANY_H

#include "store/places.h"

struct extract_many {
	/* The bytes of one job. Called by several threads, each time with another index. */
	int (*make)(struct strbuf *out, void *data, size_t index, struct err *err);
	/* What became of a job: @rc, and its bytes or its sentence. In any order, one call at a time. */
	void (*take)(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err);
	void *data;
	size_t count;
};

/* extract_many - run all jobs, options->jobs of them at the same time. */
void extract_many(const struct extract_many *many, const struct store_options *options);

#endif
