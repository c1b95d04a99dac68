/*
 * verify/match_internal.h - what match.c and match_union.c share
 *
 * Private to the two of them.
 */
#ifndef VERIFY_MATCH_INTERNAL_H
#define VERIFY_MATCH_INTERNAL_H

#include "verify/extents.h"
#include "verify/match.h"

enum { MATCH_ELEMENTS_MAX = 1 << 16 };

struct match_position;

/* The state of one match. */
struct match {
	const struct match_subject *subject;
	struct arena *arena;
	const char **met;           /* for each leaf of the proxy, the path of the driver's that it meets; NULL: none */
	struct extent_list extents; /* of every scalar of the driver that was walked, members of unions included */
	size_t *leaves;
	size_t elements;            /* records walked, so far */
	/* match_field(): a member of a union is matched as any other is */
	int (*field)(struct finding_list *list, struct match *match, const struct abi_field *field, const struct match_position *outer);
	unsigned unions;            /* how many unions the walk is trying the members of; while it tries, nothing is recorded in @met */
	struct err *err;
};

/* A member of the driver's record: its path and where it starts. */
struct match_position {
	const char *path;
	uint64_t offset_bits; /* from the start of the outermost record */
	unsigned depth;
};

/* match_name - "RECORD.path", or "RECORD" for the whole. */
static inline const char *match_name(const struct match *match, const char *path)
{
	const char *record = match->subject->about->record;

	return *path ? arena_printf(match->arena, "%s.%s", record, path) : record;
}

/* match_count - one more record is walked. Return: 0, or ERR_LIMIT if there are too many. */
static inline int match_count(struct match *match)
{
	if (++match->elements <= MATCH_ELEMENTS_MAX)
		return 0;
	return err_set(match->err, ERR_LIMIT, "%s has more than %d records inside", match->subject->about->record, MATCH_ELEMENTS_MAX);
}

/* match_element - where element @index of an array of records starts; a single record is an array of one. Return: 0; what match_count() returns. */
static inline int match_element(struct match_position *out, struct match *match, const struct abi_type *type,
				const struct match_position *position, uint64_t index)
{
	int rc = match_count(match);

	if (rc)
		return rc;
	*out = *position;
	if (type->dimension_count)
		out->path = arena_printf(match->arena, "%s%s", position->path,
					 meet_index(index, type->dimension, type->dimension_count, match->arena));
	out->offset_bits += index * type->element_bytes * 8;
	return 0;
}

/* match_unions - a member that is a union, or an array of them. */
int match_unions(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_position *position);

#endif
