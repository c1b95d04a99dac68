/*
 * diff/side.h - one of the two documents, indexed for comparison
 *
 * Private to diff/.
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "diff/names.h"

struct diff_side {
	const struct abi *abi;
	struct arena *arena;              /* layouts and paths; the result's */
	struct diff_names record_names, enum_names;
	struct diff_grouping records, enums;
	const struct abi_layout **layout; /* by record; NULL until diff_side_layout() is asked for it */
	const struct abi_ioctl **ioctls;  /* all of them, by name, family, number */
};

int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err);

/* diff_side_is_part - is @record the unnamed type of a field, and so no thing of its own? */
bool diff_side_is_part(const struct diff_side *side, const struct abi_record *record);

/* diff_side_layout - the flat layout of @record, made once. Return: 0 or what flatten_record() says. */
int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err);

/* diff_side_record - the first name of a group. */
const struct abi_record *diff_side_record(const struct diff_side *side, size_t group);
const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group);

/* diff_compare_ioctls - by name, then family; for qsort() of pointers and for walking two sides at once. */
int diff_compare_ioctls(const void *a, const void *b);
/* diff_side_ioctl - the first ioctl of that name in any family, or NULL. */
const struct abi_ioctl *diff_side_ioctl(const struct diff_side *side, const char *name);

/* diff_same_values - the same enumerators with the same values. */
bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b);

/*
 * What a proxy must act on: pointer, fd, handle or pid. A C pointer is one
 * whatever the profile says. Return: ABI_ROLE_NONE for all else.
 */
enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar kind);

#endif
