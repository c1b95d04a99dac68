/*
 * abi/index.h - everything that a set of versions has, and which of them have it
 *
 * Layer L1. Made by archive/, which stores documents so, and read by history/. It answers "since when" without a document
 * in memory for each version.
 */
#ifndef ABI_INDEX_H
#define ABI_INDEX_H

#include "abi/document.h"

/* Versions by index, from @from up to but not including @until. */
struct abi_span {
	uint32_t from, until;
};

/* A thing whose contents changed is there more than once. */
struct abi_index_item {
	enum abi_kind kind;
	const char *family;        /* of an ioctl; else NULL */
	const char *name;
	struct abi_number number;  /* of an ioctl or a constant */
	const struct abi_span *spans; /* in order; never none */
	size_t span_count;
};

struct abi_index {
	const struct abi_index_item *items;
	size_t count;
};

#endif
