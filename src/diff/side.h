/*
 * diff/side.h - one of the two documents, indexed for comparison
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_SIDE_H
#define DIFF_SIDE_H

#include "diff/name_index.h"
#include "diff/names.h"

struct diff_side {
	const struct abi *abi;
	struct arena *arena;              /* layouts and paths; the result's */
	struct diff_names record_names, enum_names;
	struct diff_grouping records, enums;
	const bool *has_unnamed;            /* by record: a field of it has an unnamed type */
	struct abi_known_types known;
	const struct abi_layout **layout; /* by record; NULL until diff_side_layout() is asked for it */
	/* Built when they are first asked: most comparisons need no index. */
	struct diff_name_index aliases_by_name, records_by_name, enums_by_name, ioctls;
	bool has_type_index, has_ioctl_index;
};

/* diff_side_init - Return: 0 or what abi_resolve_type() says. Released in either case. */
int diff_side_init(struct diff_side *side, const struct abi *abi, struct arena *arena, struct err *err);

/* diff_side_release - the arena's memory stays; { 0 } is fine. */
void diff_side_release(struct diff_side *side);

/* diff_side_is_unnamed - is @record the unnamed type of a field, and so not compared on its own? */
bool diff_side_is_unnamed(const struct diff_side *side, const struct abi_record *record);

/* diff_side_layout - the flat layout of @record, computed once. Return: 0 or what flatten_record() says. */
int diff_side_layout(const struct abi_layout **out, struct diff_side *side, const struct abi_record *record,
		     struct err *err);

/* diff_side_record - the first name of a group. */
const struct abi_record *diff_side_record(const struct diff_side *side, size_t group);
const struct abi_enum *diff_side_enum(const struct diff_side *side, size_t group);

/* diff_side_ioctl - the first ioctl of that name, by family and number, or NULL. */
const struct abi_ioctl *diff_side_ioctl(struct diff_side *side, const char *name);

/*
 * As the lookups of abi/abi.h, of a name of @length bytes. For callers with
 * thousands of names: the first lookup builds the index.
 */
const struct abi_alias *diff_side_alias_named(struct diff_side *side, const char *name, size_t length);
const struct abi_record *diff_side_record_named(struct diff_side *side, const char *name, size_t length);
const struct abi_enum *diff_side_enum_named(struct diff_side *side, const char *name, size_t length);

/* diff_same_values - the same enumerators with the same values. */
bool diff_same_values(const struct abi_enum *a, const struct abi_enum *b);

/*
 * What a proxy must act on: pointer, fd, handle or pid. A C pointer is one
 * whatever the profile says. Return: ABI_ROLE_NONE for all else.
 */
enum abi_role diff_acted_on(enum abi_role role, enum abi_scalar kind);

#endif
