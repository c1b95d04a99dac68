/*
 * diff/classify.h - what happened to each member of a record, and the classes of that
 *
 * Layer L3, internal to diff/. The decision table is at the top of classify.c. All that is
 * found is in the caller's arena.
 */
#ifndef DIFF_CLASSIFY_H
#define DIFF_CLASSIFY_H

#include "diff/member.h"

struct diff_record_pair {
	const struct abi_record *base, *next;
	struct diff_side *base_side, *next_side;
};

/**
 * diff_compare_records - fill in fields, field_count and classes of @change
 *
 * classes gains no bit and fields stay empty if the two are the same.
 *
 * Return: 0 or what flatten_record() says.
 */
int diff_compare_records(struct diff_change *change, const struct diff_record_pair *pair, struct arena *arena, struct err *err);

/* diff_same_leaves - the same names, offsets and kinds, once flattened. Return: 0 or what flatten_record() says. */
int diff_same_leaves(bool *out, const struct diff_record_pair *pair, struct err *err);

#endif
