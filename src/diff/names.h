/*
 * diff/names.h - which names are one declaration, and which are the same in both versions
 *
 * Layer L3, internal to diff/. A declaration stands in a document under its tag and
 * under every typedef of it, each a full copy with the same source. What is
 * compared and reported is the declaration, once: a group of names.
 */
#ifndef DIFF_NAMES_H
#define DIFF_NAMES_H

#include "abi/abi.h"

#include <string.h>

/* The names of one kind in one document, sorted. */
struct diff_names {
	const char *const *name;
	const char *const *source;
	const bool *skipped; /* not compared on its own, but with its parent; NULL: none is */
	size_t count;
	/* A total order of content, names and sources aside; 0 is equal. */
	int (*compare)(const struct abi *abi, size_t a, size_t b);
	const struct abi *abi;
};

struct diff_group {
	const size_t *index; /* of its names, sorted */
	size_t count;
};

struct diff_grouping {
	const struct diff_names *names;
	struct diff_group *group; /* by first name */
	size_t group_count;
	size_t *of; /* the group of each name; SIZE_MAX if skipped */
};

void diff_group_names(struct diff_grouping *out, const struct diff_names *names, struct arena *arena);

/* diff_group_order - of two groups, by declaration, then content; as strcmp(). */
int diff_group_order(const struct diff_grouping *grouping, size_t a, size_t b);

/* A declaration of base and one of next that share at least one name. */
struct diff_pair {
	size_t base, next;               /* groups */
	const size_t *in_base, *in_next; /* the names they share, sorted: their indices on either side */
	size_t name_count;
};

struct diff_pairing {
	const struct diff_pair *pair; /* by base, then next */
	size_t pair_count;
	/* By group: in how many pairs it is. 0: the declaration came or went as a whole. */
	const size_t *base_pairs, *next_pairs;
	/* By name: the other version lacks it. */
	const bool *base_lost, *next_gained;
};

void diff_pair_names(struct diff_pairing *out, const struct diff_grouping *base, const struct diff_grouping *next,
		     struct arena *arena);

/* diff_any_marked - is one of the names of @group marked? @marked: by name */
static inline bool diff_any_marked(const struct diff_group *group, const bool *marked)
{
	for (size_t i = 0; i < group->count; i++)
		if (marked[group->index[i]])
			return true;
	return false;
}

/* diff_compare_texts - strcmp(), quick for one text at one address: documents that come from one archive share theirs. */
static inline int diff_compare_texts(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

/**
 * diff_alike - are two names so close that one is probably the other, respelled?
 *
 * Words that both begin or end with say nothing ("NV2080_CTRL_CMD_…",
 * "…_PARAMS"). Of what is left between them, half of the longer or more is
 * shared at its two ends, case ignored; or one has nothing left.
 */
bool diff_alike(const char *a, const char *b);

/* diff_closeness - how many letters two names share at their ends, case ignored. */
size_t diff_closeness(const char *a, const char *b);

#endif
