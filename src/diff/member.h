/*
 * diff/member.h - the members of a record that are compared, and their partners
 *
 * Layer L3, internal to diff/. Members are those of the record itself and of the
 * unnamed records inside it; a member whose type is a
 * named record is one member, that record being reported on its own.
 */
#ifndef DIFF_MEMBER_H
#define DIFF_MEMBER_H

#include "diff/diff.h"
#include "diff/side.h"

#define DIFF_NO_PARTNER SIZE_MAX

struct diff_member {
	struct diff_field_side side;
	struct abi_type type;
	bool is_group;   /* an unnamed record with a name of its own ("e[4]"); its own members follow it in the list */
	bool is_padding; /* its name says that it is unused */
	size_t partner;  /* the same member in the other version's list, or DIFF_NO_PARTNER */
	bool renamed;    /* the partner has another path */
};

struct diff_members {
	struct diff_member *member; /* in the order of declaration */
	size_t count, capacity;     /* member is malloc'd */
	struct diff_side *side;
};

void diff_members_release(struct diff_members *members);

/**
 * diff_members_match - list the members of both versions of a record, and find partners
 *
 * Releasing both lists is the caller's, also on failure. The records must have been flattened, which checks them.
 */
int diff_members_match(struct diff_members *base, const struct abi_record *base_record, struct diff_members *next,
		       const struct abi_record *next_record, struct err *err);

#endif
