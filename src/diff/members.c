/*
 * diff/members.c - which member of base is which member of next
 *
 * Three passes, each over what the passes before left without a partner. A
 * wrong partner is worse than none: a removal and an addition are always
 * true, a rename is a claim. So whenever there are two candidates, the pass
 * chooses neither.
 *
 * 1. Equal path. Also when all else changed: names are how people know
 *    fields, and a field that is elsewhere has moved. Two fields that swapped
 *    their offsets are two moves; of the chain a -> b, b -> c it makes one
 *    move, one removal and one addition, which is what a deleted first and an
 *    appended last field look like as well.
 *
 * 2. Same bits, another name. Offset, size and kind must agree, both must be
 *    the only ones left there with these (unions have several), and something must
 *    support it: the names are alike; or the types are spelled alike and
 *    the record is still the same one, that is, some other member of it did
 *    not move, or nothing else is left over. Bytes that were padding
 *    and got a use are not renamed, nor those that lost it, nor is a handle that
 *    gave way to a plain number. And if another name that is left over is
 *    closer to the old one, then this one is not it.
 *
 * 3. Another name and another offset, if there is no other explanation: both
 *    neighbours on either side are partners (or both ends of the record),
 *    the type is spelled the same, and it went just as far as a neighbour did.
 */
#include "diff/internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * which member of base is which member of next
 *
 * The passes are at the top of match.c. They set
 * `partner` and `renamed` of members, and do not fail.
 */

/* Every pair is looked at, so a record made to hurt is left with its removals and additions. */
enum { SEARCHED_MAX = 4096 };

static int compare_paths(const void *a, const void *b, void *context)
{
	const struct diff_member *member = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	int order = strcmp(member[x].side.path, member[y].side.path);

	return order ? order : x < y ? -1 : x > y;
}

static size_t *by_path(const struct diff_members *members)
{
	size_t *order = xmalloc(members->count * sizeof(*order));

	for (size_t i = 0; i < members->count; i++)
		order[i] = i;
	if (members->count > 1)
		qsort_r(order, members->count, sizeof(*order), compare_paths, members->member);
	return order;
}

static void pair_up(struct diff_members *base, size_t i, struct diff_members *next, size_t j)
{
	base->member[i].partner = j;
	next->member[j].partner = i;
	base->member[i].renamed = next->member[j].renamed = strcmp(base->member[i].side.path, next->member[j].side.path) != 0;
}

/* diff_match_paths - members of equal path are partners; forgets all others. */
static void diff_match_paths(struct diff_members *base, struct diff_members *next)
{
	size_t *x = by_path(base), *y = by_path(next);
	size_t i = 0, j = 0;

	while (i < base->count && j < next->count) {
		int order = strcmp(base->member[x[i]].side.path, next->member[y[j]].side.path);

		if (!order)
			pair_up(base, x[i++], next, y[j++]);
		else if (order < 0)
			i++;
		else
			j++;
	}
	free(x);
	free(y);
}

static bool same_bits(const struct diff_member *a, const struct diff_member *b)
{
	return a->side.offset_bits == b->side.offset_bits && a->side.size_bits == b->side.size_bits &&
	       a->side.size_bits && a->is_group == b->is_group;
}

/* Could a proxy tell the two types apart? */
static bool same_kind(const struct diff_member *a, const struct diff_member *b)
{
	if (a->side.is_bitfield != b->side.is_bitfield || !abi_same_dimensions(&a->type, &b->type) ||
	    a->type.element_bytes != b->type.element_bytes || !a->type.record != !b->type.record)
		return false;
	if (a->type.record)
		return a->is_group || diff_same_spelling(a->side.type, b->side.type);
	return diff_integer_kind(&a->type) == diff_integer_kind(&b->type);
}

static bool same_role(const struct diff_member *a, const struct diff_member *b)
{
	return diff_acted_on(a->side.role, a->type.scalar) == diff_acted_on(b->side.role, b->type.scalar);
}

static bool is_candidate(const struct diff_member *a, const struct diff_member *b)
{
	return a->partner == DIFF_NO_PARTNER && b->partner == DIFF_NO_PARTNER && same_bits(a, b) && same_kind(a, b) &&
	       a->is_padding == b->is_padding;
}

/* The one candidate for @member; DIFF_NO_PARTNER if there is none or more than one. */
static size_t only_candidate(const struct diff_member *member, const struct diff_members *others)
{
	size_t found = DIFF_NO_PARTNER;

	for (size_t i = 0; i < others->count; i++) {
		if (!is_candidate(member, &others->member[i]))
			continue;
		if (found != DIFF_NO_PARTNER)
			return DIFF_NO_PARTNER;
		found = i;
	}
	return found;
}

struct left_over {
	size_t base, next;
	bool anything_unmoved; /* a member with the path and the bits that it had */
};

static struct left_over count_left_over(const struct diff_members *base, const struct diff_members *next)
{
	struct left_over left = { 0 };

	for (size_t i = 0; i < base->count; i++) {
		const struct diff_member *member = &base->member[i];

		if (member->partner == DIFF_NO_PARTNER)
			left.base++;
		else if (same_bits(member, &next->member[member->partner]))
			left.anything_unmoved = true;
	}
	for (size_t j = 0; j < next->count; j++)
		left.next += next->member[j].partner == DIFF_NO_PARTNER;
	return left;
}

static const char *last_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Candidates they are; does anything say that they are the same field? */
static bool is_likely(const struct diff_member *a, const struct diff_member *b, const struct left_over *left)
{
	if (diff_alike(last_name(a->side.path), last_name(b->side.path)))
		return true;
	if (!same_role(a, b) || !(a->is_group || diff_same_spelling(a->side.type, b->side.type)))
		return false;
	return left->anything_unmoved || (left->base == 1 && left->next == 1);
}

/* Is some other member of next that is left over closer to @member by name than @next's @j? */
static bool is_closer_elsewhere(const struct diff_member *member, const struct diff_members *next, size_t j)
{
	const char *name = last_name(member->side.path);
	size_t closeness = diff_closeness(name, last_name(next->member[j].side.path));

	for (size_t i = 0; i < next->count; i++)
		if (i != j && next->member[i].partner == DIFF_NO_PARTNER &&
		    diff_closeness(name, last_name(next->member[i].side.path)) > closeness)
			return true;
	return false;
}

static void match_same_bits(struct diff_members *base, struct diff_members *next)
{
	const struct left_over left = count_left_over(base, next);

	if (!left.base || !left.next || left.base > SEARCHED_MAX || left.next > SEARCHED_MAX)
		return;
	for (size_t i = 0; i < base->count; i++) {
		struct diff_member *member = &base->member[i];
		size_t j;

		if (member->partner != DIFF_NO_PARTNER)
			continue;
		j = only_candidate(member, next);
		if (j == DIFF_NO_PARTNER || only_candidate(&next->member[j], base) != i)
			continue;
		if (!is_closer_elsewhere(member, next, j) && is_likely(member, &next->member[j], &left))
			pair_up(base, i, next, j);
	}
}

/* How far a member went, in bits; members without a partner went nowhere that could be told. */
static bool went(int64_t *bits, const struct diff_members *base, const struct diff_members *next, size_t i, size_t j)
{
	if (i >= base->count || j >= next->count || base->member[i].partner != j)
		return false;
	*bits = (int64_t)(next->member[j].side.offset_bits - base->member[i].side.offset_bits);
	return true;
}

static bool is_between_partners(const struct diff_members *base, const struct diff_members *next, size_t i, size_t j)
{
	int64_t shift = (int64_t)(next->member[j].side.offset_bits - base->member[i].side.offset_bits);
	int64_t before = 0, after = 0;
	bool has_before = i && j && went(&before, base, next, i - 1, j - 1);
	bool has_after = went(&after, base, next, i + 1, j + 1);
	bool is_first = !i && !j, is_last = i + 1 == base->count && j + 1 == next->count;

	if (!(has_before || is_first) || !(has_after || is_last) || !(has_before || has_after))
		return false;
	return shift && ((has_before && before == shift) || (has_after && after == shift));
}

static void match_shifted(struct diff_members *base, struct diff_members *next)
{
	for (size_t i = 0; i < base->count; i++) {
		struct diff_member *a = &base->member[i], *b;
		size_t j;

		if (a->partner != DIFF_NO_PARTNER)
			continue;
		j = i && base->member[i - 1].partner != DIFF_NO_PARTNER ? base->member[i - 1].partner + 1 : 0;
		b = j < next->count ? &next->member[j] : NULL;
		if (!b || b->partner != DIFF_NO_PARTNER || a->is_group || b->is_group || a->is_padding != b->is_padding)
			continue;
		if (a->side.size_bits == b->side.size_bits && same_kind(a, b) && same_role(a, b) &&
		    diff_same_spelling(a->side.type, b->side.type) && is_between_partners(base, next, i, j))
			pair_up(base, i, next, j);
	}
}

/* diff_match_renamed - partners among those that diff_match_paths() left over. */
static void diff_match_renamed(struct diff_members *base, struct diff_members *next)
{
	match_same_bits(base, next);
	match_shifted(base, next);
}

/*
 * the members that are compared
 *
 * A record that is unnamed in one version may have got a name in the other,
 * with the same bytes. So that its members are compared all the same, the
 * members of the named one are then listed too: matching asks for that by path.
 */

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

static int list_member(struct diff_members *members, const struct abi_field *field, const struct outer *outer,
		       const struct opened *opened, struct err *err);

static int list_members(struct diff_members *members, const struct abi_record *record, const struct outer *outer,
			const struct opened *opened, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < record->field_count; i++)
		rc = list_member(members, &record->fields[i], outer, opened, err);
	return rc;
}

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
