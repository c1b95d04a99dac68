/*
 * decode/numbers.h - every ioctl that a number has been, in which versions, and how long its parameters were
 *
 * Part of decode/, and of its public face. A driver gives a number that is free to another ioctl: without a version, a
 * number has several names.
 */
#ifndef DECODE_NUMBERS_H
#define DECODE_NUMBERS_H

#include "abi/abi.h"

struct history_graph;

/* Versions in their order, one after the other, in which the parameters of an ioctl have one size. */
struct decode_size {
	size_t first, last;
	uint64_t size_bytes; /* 0: it has no parameters that the headers describe */
};

/* One name that a number has had. */
struct decode_owner {
	const char *name;
	bool is_macro;                 /* no table of the driver lists the command; it has no runs */
	const bool *has;               /* by version of the graph: the number has this name */
	const struct decode_size *runs; /* in the order of versions */
	size_t run_count;
	const char *lifetime;          /* "535.43.24, 535.113.01; removed in 595.44.02": since when the driver has the ioctl, under any number */
};

struct decode_number {
	const struct decode_owner *owners; /* ioctls first; those that a newer version has come before others */
	size_t owner_count;
	bool has_sizes;                    /* the size of a payload decides how long the parameters are: see decode_number_runs() */
};

struct decode_numbers;

/* decode_numbers_new - of the versions that could be read; @graph must outlive it. */
struct decode_numbers *decode_numbers_new(const struct history_graph *graph);
void decode_numbers_free(struct decode_numbers *numbers); /* NULL is fine; what it handed out is gone */

/* decode_numbers_find - Return: NULL if no version has the number. A first answer takes a step for each version, all others do not. */
const struct decode_number *decode_numbers_find(struct decode_numbers *numbers, const char *family, uint64_t number);

/**
 * decode_number_runs - the runs of an owner for a payload
 * @wanted: bytes of the payload; a version in which the parameters may have this size counts with it. 0: not known
 * @count:  set to how many there are
 *
 * Return: those of @owner, or others that live in @arena.
 */
const struct decode_size *decode_number_runs(size_t *count, const struct decode_owner *owner, const struct decode_number *number,
					    const struct history_graph *graph, const char *family, uint64_t value, uint64_t wanted,
					    struct arena *arena);

/**
 * decode_number_sizes - "the record has 68 in 595.44.02..595.45.04, 132 in 515.43.04..590.48.01"; of many, "904 to 1664"
 * @record: what has these sizes; of a number with several names, each of these
 */
void decode_number_sizes(struct strbuf *out, const struct decode_number *number, const char *record, const struct history_graph *graph);

/* decode_versions_list - "A..B" for each row of versions of @graph that @has names. Return: how many; @out lives in @arena. */
size_t decode_versions_list(const char *const **out, const bool *has, const struct history_graph *graph, struct arena *arena);

#endif
