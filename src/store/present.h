/*
 * store/present.h - which things of an archive each version has
 *
 * Layer L2, internal to archive/, used for reading. Versions are asked for in
 * ascending order: a span that ended before one of them is not looked at again.
 */
#ifndef STORE_PRESENT_H
#define STORE_PRESENT_H

#include "store/unpacked.h"

/* The things of one kind. */
struct present_kind {
	struct version_set *left; /* by thing: the spans that have not ended; malloc'd */
	uint32_t *rank;           /* by thing: that of its name among all names; malloc'd */
	size_t count;
	size_t size_bytes;        /* of one in a document */
};

struct present {
	struct present_kind kinds[ABI_KIND_COUNT];
	size_t *things; /* what present_list() found; malloc'd */
};

/**
 * present_init - before the first version
 * @out: freed with present_release(), also after a failure
 *
 * Return: false if the things are not in the order of documents.
 */
bool present_init(struct present *out, const struct unpacked *unpacked);
void present_release(struct present *present);

/**
 * present_list - the things of one kind that @version has
 * @out:     set to their numbers, ascending; they last until the next call
 * @version: not less than that of the call before
 * @failed:  set if two of them have one name
 *
 * Return: how many.
 */
size_t present_list(const size_t **out, struct present *present, enum abi_kind kind, uint32_t version, bool *failed);

/**
 * present_bytes - what the elements of the documents take
 * @wanted: by version, @count of them
 *
 * To be called before the first present_list().
 */
size_t present_bytes(const struct present *present, const bool *wanted, size_t count);

#endif
