/*
 * archive/pool.h - things that many versions have, each once
 *
 * Private to archive/, used for writing. Two things are one if the bytes
 * that they are known by are equal.
 */
#ifndef ARCHIVE_POOL_H
#define ARCHIVE_POOL_H

#include "archive/life.h"
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

/* pool_add - the thing known by @key, made if there is none; then @of, path and layout are still to be set. */
struct thing *pool_add(struct pool *pool, const struct strbuf *key);

/* thing_lives - @version has it, and is not before any that does. Return: false if that was known. */
bool thing_lives(struct thing *thing, uint32_t version);

/* pool_sort - put things into another order; pool_add() comes first. */
void pool_sort(struct pool *pool, int (*order)(const void *, const void *));

void pool_release(struct pool *pool);

#endif
