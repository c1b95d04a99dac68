/*
 * diff/member.c - the members that are compared
 *
 * A record that is unnamed in one version may have got a name in the other,
 * with the same bytes. So that its members are compared all the same, the
 * members of the named one are then listed too: matching asks for that by path.
 */
#include "diff/member.h"
#include "diff/match.h"

#include <stdlib.h>
#include <string.h>

enum { OPENED_MAX = 64 };

/* Paths of named records whose members are to be listed. */
struct opened {
	const char *path[OPENED_MAX];
	size_t count;
};

/* The record that is being listed, inside the outermost. */
struct outer {
	const char *path;
	uint64_t offset_bits;
};

void diff_members_release(struct diff_members *members)
{
	free(members->member);
	members->member = NULL;
	members->count = members->capacity = 0;
}

static bool is_opened(const struct opened *opened, const char *path)
{
	for (size_t i = 0; i < opened->count; i++)
		if (!strcmp(opened->path[i], path))
			return true;
	return false;
}

static const char *member_path(struct arena *arena, const char *outer, const char *name)
{
	if (!*name)
		return outer;
	return *outer ? arena_printf(arena, "%s.%s", outer, name) : name;
}

static const char *group_path(struct arena *arena, const char *path, size_t dimension_count)
{
	for (size_t i = 0; i < dimension_count; i++)
		path = arena_printf(arena, "%s[]", path);
	return path;
}

static struct diff_member *add_member(struct diff_members *members, const struct outer *outer,
				      const struct abi_field *field, const struct abi_type *type)
{
	struct diff_member *member;

	ARRAY_GROW(members->member, members->count, members->capacity);
	member = &members->member[members->count++];
	memset(member, 0, sizeof(*member));
	member->side.path = member_path(members->side->arena, outer->path, field->name);
	member->side.type = field->type;
	member->side.offset_bits = outer->offset_bits + field->offset_bits;
	member->side.size_bits = field->size_bits;
	member->side.is_bitfield = field->is_bitfield;
	member->side.role = field->role;
	member->type = *type;
	member->is_padding = padding_in_diff(member->side.path);
	member->partner = DIFF_NO_PARTNER;
	return member;
}

static int list_members(struct diff_members *members, const struct abi_record *record, const struct outer *outer,
			const struct opened *opened, struct err *err);

static int list_member(struct diff_members *members, const struct abi_field *field, const struct outer *outer,
		       const struct opened *opened, struct err *err)
{
	struct arena *arena = members->side->arena;
	struct outer inner = { outer->path, outer->offset_bits + field->offset_bits };
	struct diff_member *member;
	const struct abi_type *type;
	int rc;

	if (field->is_bitfield && !*field->name)
		return 0;
	if ((rc = abi_resolve_known(&type, &members->side->known, members->side->abi, field->type, err)))
		return rc;
	if (*field->name) {
		member = add_member(members, outer, field, type);
		inner.path = group_path(arena, member->side.path, type->dimension_count);
		member->is_group = type->record && (diff_side_is_unnamed(members->side, type->record) ||
						    is_opened(opened, member->side.path));
		if (!member->is_group)
			return 0;
	}
	return type->record ? list_members(members, type->record, &inner, opened, err) : 0;
}

static int list_members(struct diff_members *members, const struct abi_record *record, const struct outer *outer,
			const struct opened *opened, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < record->field_count; i++)
		rc = list_member(members, &record->fields[i], outer, opened, err);
	return rc;
}

static int list_all(struct diff_members *members, const struct abi_record *record, const struct opened *opened,
		    struct err *err)
{
	const struct outer outermost = { "", 0 };

	members->count = 0;
	return list_members(members, record, &outermost, opened, err);
}

/* Is @member a named record where the other version has an unnamed one? Then its members are to be listed. */
static bool open_partner(struct opened *opened, const struct diff_member *group, const struct diff_member *member)
{
	if (!group->is_group || member->is_group || !member->type.record || opened->count == OPENED_MAX)
		return false;
	opened->path[opened->count++] = member->side.path;
	return true;
}

/* Return: whether anything is to be listed anew. */
static bool open_named(struct opened *base_opened, struct opened *next_opened, const struct diff_members *base,
		       const struct diff_members *next)
{
	bool any = false;

	for (size_t i = 0; i < base->count; i++) {
		const struct diff_member *member = &base->member[i];

		if (member->partner == DIFF_NO_PARTNER)
			continue;
		any |= open_partner(next_opened, member, &next->member[member->partner]);
		any |= open_partner(base_opened, &next->member[member->partner], member);
	}
	return any;
}

int diff_members_match(struct diff_members *base, const struct abi_record *base_record, struct diff_members *next,
		       const struct abi_record *next_record, struct err *err)
{
	struct opened base_opened = { .count = 0 }, next_opened = { .count = 0 };
	int rc;

	do {
		if ((rc = list_all(base, base_record, &base_opened, err)) ||
		    (rc = list_all(next, next_record, &next_opened, err)))
			return rc;
		diff_match_paths(base, next);
	} while (open_named(&base_opened, &next_opened, base, next));
	diff_match_renamed(base, next);
	return 0;
}
