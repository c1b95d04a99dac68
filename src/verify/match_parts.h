/*
 * verify/match_parts.h - what match.c and match_union.c share
 *
 * Private to the two of them.
 */
#ifndef VERIFY_MATCH_PARTS_H
#define VERIFY_MATCH_PARTS_H

#include "verify/extents.h"
#include "verify/match.h"

/* One match on its way. */
struct match {
	const struct match_subject *subject;
	struct arena *arena;
	const char **met;           /* for each leaf of the proxy, the path of the driver's that it meets; NULL: none */
	struct extent_list extents; /* of every scalar of the driver that was walked, members of unions included */
	size_t *leaves;
	size_t elements;            /* records walked, so far */
	unsigned unions;            /* that we are inside of, to see which member is meant: what is met then does not count */
	struct err *err;
};

/* A member of the driver's record, at a place. */
struct match_place {
	const char *path;
	uint64_t offset_bits; /* from the start of the outermost record */
	unsigned depth;
};

/* match_name - "RECORD.path", or "RECORD" for the whole. */
const char *match_name(const struct match *match, const char *path);

/* match_count - one more record is walked. Return: 0, or ERR_LIMIT if there are more than is sane. */
int match_count(struct match *match);

/* match_field - one member, whatever it is. */
int match_field(struct finding_list *list, struct match *match, const struct abi_field *field, const struct match_place *outer);

/* match_members - the fields of one record that is no union. */
int match_members(struct finding_list *list, struct match *match, const struct abi_record *record, const struct match_place *place);

/* match_unions - a member that is a union, or an array of them. */
int match_unions(struct finding_list *list, struct match *match, const struct abi_type *type, const struct match_place *place);

#endif
