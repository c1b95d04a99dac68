/*
 * decode/sizes.h - how long an ioctl's parameters are in each version
 *
 * Part of decode/, and of its public face.
 */
#ifndef DECODE_SIZES_H
#define DECODE_SIZES_H

#include "abi/abi.h"

struct history_graph;

/* Versions in their order, one after the other, in which an ioctl has one name and its parameters one size. */
struct decode_size {
	size_t first, last;
	uint64_t size_bytes; /* 0: it has no parameters that the headers describe */
};

struct decode_sizes {
	const struct decode_size *runs; /* in the order of versions */
	size_t count;
	size_t newest;                  /* version that has the ioctl; the graph's count if none has */
};

/**
 * decode_sizes - every size that the parameters of an ioctl have had
 * @wanted: of a payload; a version in which the ioctl may have this size counts with it. 0: none
 * @out: lives in @arena
 */
void decode_sizes(struct decode_sizes *out, const struct history_graph *graph, const char *family, uint64_t number, uint64_t wanted,
		  struct arena *arena);

/* decode_sizes_text - "68 since 595.44.02, 132 before"; of many, "904 to 1664". */
void decode_sizes_text(struct strbuf *out, const struct decode_sizes *sizes, const struct history_graph *graph);

#endif
