/*
 * extract/hashes.h - a set of 64-bit hashes
 *
 * Layer L2, inside extract/. What is put in is taken for its own hash, and is
 * never 0 (see digest_name()). { 0 } is an empty set.
 */
#ifndef EXTRACT_HASHES_H
#define EXTRACT_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hashes {
	uint64_t *slot; /* open addressing; 0 is free */
	size_t mask, count;
};

bool hashes_have(const struct hashes *set, uint64_t hash);
/* hashes_add - Return: false if it was there. */
bool hashes_add(struct hashes *set, uint64_t hash);
void hashes_release(struct hashes *set);

#endif
