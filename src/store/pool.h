/*
 * store/pool.h - things that many versions have, each once
 *
 * Layer L2, internal to archive/, used for writing. Two things are one if the
 * bytes of their keys are equal. The pool owns things and keys.
 */
#ifndef STORE_POOL_H
#define STORE_POOL_H

#include "store/version_set.h"
#include "base/base.h"

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <xxhash.h>
#include <uthash.h>

struct thing {
	const void *of;     /* what it is: an element of the first document that has it */
	size_t number;      /* in the order in which things came */
	size_t path;        /* number of its path; of records, enums, ioctls and lists of lines */
	size_t layout;      /* number of its layout; of records */
	const char *key;    /* key_size bytes */
	size_t key_size;
	struct abi_span *spans; /* the versions that have it, in order */
	size_t span_count, span_capacity;
	UT_hash_handle hh;
};

struct pool {
	struct thing **things; /* in the order in which they came, until pool_sort() */
	size_t count, capacity;
	struct thing *by_key;
	struct arena arena;    /* the things */
};

/* pool_add - the thing with @key, a new one if there is none; the caller sets of, path and layout of a new one. */
struct thing *pool_add(struct pool *pool, const struct strbuf *key);

/* thing_add_version - @version has it, and is not before any that does. Return: false if it was added before. */
bool thing_add_version(struct thing *thing, uint32_t version);

/* pool_sort - put things into another order; pool_add() comes first. */
void pool_sort(struct pool *pool, int (*order)(const void *, const void *));

void pool_release(struct pool *pool);

#endif
