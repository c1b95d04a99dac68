/*
 * diff/members.c - list the members of a record, and pair the members of base with those of next
 *
 * There are three passes. Each looks at the members for which the earlier passes found no partner. A wrong
 * partner is worse than none: a removal and an addition are always true, but a rename is an assumption. So if
 * a member has two candidates, none is chosen.
 *
 * 1. The same path, even if everything else changed: people know fields by name, so a field with a different
 *    offset has moved. If two fields swapped their offsets, both moved. If a was renamed to b, and b to c,
 *    the result is one move, one removal and one addition, as if the first field had been deleted and the
 *    last one appended.
 *
 * 2. The same bits with a different name. Offset, size and kind must be equal, and no other member without a
 *    partner may have the same offset, size and kind (in a union, several can). In addition, the names must
 *    be similar; or the types must have the same spelling and role, and there must be a sign that this is
 *    still the same record: a different member did not move, or these two are the only members without a
 *    partner. If a field became padding, or padding became a field, it was not renamed. It was not renamed
 *    either if a different member without a partner has a name closer to the old name.
 *
 * 3. A different name and a different offset, if there is no other explanation. The neighbours before both
 *    members must be partners, and so must the neighbours after them (or these are the ends of the record).
 *    The types must have the same spelling, and the member must have moved as far as a neighbour.
 *
 * A record that is unnamed in one version can have a name in the other. In that case, the members of the
 * named record are listed too, so that pass 1 pairs them by path.
 */
#include "diff/internal.h"

/*
 * The search for renames compares every pair of members. So it is not done for a very large record, which
 * a hostile document can have.
 */
enum { SEARCHED_MAX = 4096, OPENED_MAX = 64 };

/* --- listing ------------------------------------------------------------------------------ */

/* The paths of members whose type is a named record, but whose own members are also listed. */
struct opened_members {
	const char *path[OPENED_MAX];
	size_t count;
};

void diff_members_release(struct diff_members *members)
{
	free(members->member);
	members->member = NULL;
	members->count = members->capacity = 0;
}

/*
 * Appends the members of @record, except unnamed bit-fields. If the type of a field is an unnamed record, or
 * the field's path is in @opened, the members of the type follow the field, or replace it if it has no name.
 * Return: 0; an error of abi_resolve_known().
 * @outer: the path of @record in the outermost record; "" for that record itself
 * @offset_bits: the offset of @record in the outermost record
 */
static int list_members(struct diff_members *members, const struct abi_record *record, const char *outer,
			uint64_t offset_bits, const struct opened_members *opened, struct err *err)
{
	struct diff_side *side = members->side;
	int rc = 0;

	for (size_t i = 0; !rc && i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		const char *path = outer, *name = field->name;
		struct diff_member *member;
		const struct abi_type *type;
		const struct abi_record *inner;

		if (field->is_bitfield && !*name)
			continue;
		if ((rc = abi_resolve_known(&type, &side->known, side->abi, field->type, err)))
			return rc;
		inner = type->record;
		if (*name) {
			path = *outer ? arena_printf(side->arena, "%s.%s", outer, name) : name;
			ARRAY_GROW(members->member, members->count, members->capacity);
			member = &members->member[members->count++];
			*member = (struct diff_member){ .type = *type, .is_padding = padding_in_diff(path),
							.partner = DIFF_NO_PARTNER };
			member->side = (struct diff_field_side){
				path, field->type, offset_bits + field->offset_bits, field->size_bits,
				field->is_bitfield, field->role,
			};
			member->is_group =
				inner && (diff_side_is_unnamed(side, inner) ||
					  texts_have(opened->path, opened->count, path));
			if (!member->is_group)
				continue;
			for (size_t k = 0; k < member->type.dimension_count; k++)
				path = arena_printf(side->arena, "%s[]", path);
		}
		if (inner)
			rc = list_members(members, inner, path, offset_bits + field->offset_bits, opened,
					  err);
	}
	return rc;
}

/*
 * Notes that the members of @member must be listed, if it is a named record and its partner @group is an
 * unnamed record. Return: false if nothing was noted.
 */
static bool open_partner(struct opened_members *opened, const struct diff_member *group,
			 const struct diff_member *member)
{
	if (!group->is_group || member->is_group || !member->type.record || opened->count == OPENED_MAX)
		return false;
	opened->path[opened->count++] = member->side.path;
	return true;
}

/* --- pass 1 ------------------------------------------------------------------------------- */

/* Orders indexes of members by path, so that the members of both versions are compared in one walk. */
static int compare_paths(const void *a, const void *b, void *context)
{
	const struct diff_member *member = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return strcmp(member[x].side.path, member[y].side.path) ?: compare_numbers(x, y);
}

/* Returns the indices of the members, sorted by path. The caller frees the array. */
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
	base->member[i].renamed = next->member[j].renamed =
		strcmp(base->member[i].side.path, next->member[j].side.path) != 0;
}

/*
 * Pairs members with the same path (pass 1). If an unnamed record has a named record as its partner, the path
 * of the named record is added to its version's opened members. Return: true if a path was added, so that
 * both lists must be made again.
 */
static bool match_paths(struct diff_members *base, struct opened_members *base_opened,
			struct diff_members *next, struct opened_members *next_opened)
{
	size_t *x = by_path(base), *y = by_path(next), i = 0, j = 0;
	bool any = false;

	while (i < base->count && j < next->count) {
		const struct diff_member *was = &base->member[x[i]], *is = &next->member[y[j]];
		int order = strcmp(was->side.path, is->side.path);

		if (!order)
			pair_up(base, x[i], next, y[j]);
		i += order <= 0;
		j += order >= 0;
	}
	free(x);
	free(y);
	for (i = 0; i < base->count; i++) {
		const struct diff_member *member = &base->member[i];

		if (member->partner == DIFF_NO_PARTNER)
			continue;
		any |= open_partner(next_opened, member, &next->member[member->partner]);
		any |= open_partner(base_opened, &next->member[member->partner], member);
	}
	return any;
}

/* --- pass 2 ------------------------------------------------------------------------------- */

static bool same_bits(const struct diff_member *a, const struct diff_member *b)
{
	return a->side.offset_bits == b->side.offset_bits && a->side.size_bits == b->side.size_bits &&
	       a->side.size_bits && a->is_group == b->is_group;
}

/* Do both members have the same type for a proxy: size, dimensions, kind, sign, and name of a record? */
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

/*
 * Returns the index of the only member of @others without a partner that has the same bits and kind as
 * @member; DIFF_NO_PARTNER if there is none, or several.
 */
static size_t only_candidate(const struct diff_member *member, const struct diff_members *others)
{
	size_t found = DIFF_NO_PARTNER;

	for (size_t i = 0; i < others->count; i++) {
		const struct diff_member *other = &others->member[i];

		if (other->partner != DIFF_NO_PARTNER || !same_bits(member, other) ||
		    !same_kind(member, other) || member->is_padding != other->is_padding)
			continue;
		if (found != DIFF_NO_PARTNER)
			return DIFF_NO_PARTNER;
		found = i;
	}
	return found;
}

static const char *last_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/*
 * Does a different member of @next without a partner have a name that is closer to the name of @member than
 * that of member @j?
 */
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

/* Pairs members as renamed by the rules of pass 2, unless more than SEARCHED_MAX have no partner. */
static void match_same_bits(struct diff_members *base, struct diff_members *next)
{
	size_t base_left = 0, next_left = 0;
	bool is_same_record =
		false; /* true if a member kept its path and bits, or if each version has only one member
			  without a partner */

	for (size_t i = 0; i < base->count; i++) {
		const struct diff_member *member = &base->member[i];

		if (member->partner == DIFF_NO_PARTNER)
			base_left++;
		else if (same_bits(member, &next->member[member->partner]))
			is_same_record = true;
	}
	for (size_t j = 0; j < next->count; j++)
		next_left += next->member[j].partner == DIFF_NO_PARTNER;
	if (!base_left || !next_left || base_left > SEARCHED_MAX || next_left > SEARCHED_MAX)
		return;
	is_same_record = is_same_record || (base_left == 1 && next_left == 1);
	for (size_t i = 0; i < base->count; i++) {
		const struct diff_member *a = &base->member[i], *b;
		size_t j = a->partner == DIFF_NO_PARTNER ? only_candidate(a, next) : DIFF_NO_PARTNER;

		if (j == DIFF_NO_PARTNER || only_candidate(&next->member[j], base) != i ||
		    is_closer_elsewhere(a, next, j))
			continue;
		b = &next->member[j];
		if (diff_alike(last_name(a->side.path), last_name(b->side.path)) ||
		    (is_same_record && same_role(a, b) &&
		     (a->is_group || diff_same_spelling(a->side.type, b->side.type))))
			pair_up(base, i, next, j);
	}
}

/* --- pass 3 ------------------------------------------------------------------------------- */

/* Sets @bits to the distance that a member moved. Return: false if @i and @j are not partners. */
static bool shift_of_partner(int64_t *bits, const struct diff_members *base, const struct diff_members *next,
			     size_t i, size_t j)
{
	if (i >= base->count || j >= next->count || base->member[i].partner != j)
		return false;
	*bits = (int64_t)(next->member[j].side.offset_bits - base->member[i].side.offset_bits);
	return true;
}

/* Members of one type: are the neighbours of @i of base and @j of next partners, and did one move as far? */
static bool is_between_partners(const struct diff_members *base, const struct diff_members *next, size_t i,
				size_t j)
{
	int64_t shift = (int64_t)(next->member[j].side.offset_bits - base->member[i].side.offset_bits);
	int64_t before = 0, after = 0;
	bool has_before = i && j && shift_of_partner(&before, base, next, i - 1, j - 1);
	bool has_after = shift_of_partner(&after, base, next, i + 1, j + 1);
	bool is_first = !i && !j, is_last = i + 1 == base->count && j + 1 == next->count;

	if (!(has_before || is_first) || !(has_after || is_last) || !(has_before || has_after))
		return false;
	return shift && ((has_before && before == shift) || (has_after && after == shift));
}

/* Pairs members by the rules of pass 3. Only the member after the previous member's partner is tried. */
static void match_shifted(struct diff_members *base, struct diff_members *next)
{
	for (size_t i = 0; i < base->count; i++) {
		struct diff_member *a = &base->member[i], *b;
		size_t j;

		if (a->partner != DIFF_NO_PARTNER)
			continue;
		j = i && base->member[i - 1].partner != DIFF_NO_PARTNER ? base->member[i - 1].partner + 1 : 0;
		b = j < next->count ? &next->member[j] : NULL;
		if (!b || b->partner != DIFF_NO_PARTNER || a->is_group || b->is_group ||
		    a->is_padding != b->is_padding)
			continue;
		if (a->side.size_bits == b->side.size_bits && same_kind(a, b) && same_role(a, b) &&
		    diff_same_spelling(a->side.type, b->side.type) && is_between_partners(base, next, i, j))
			pair_up(base, i, next, j);
	}
}

int diff_members_match(struct diff_members *base, const struct abi_record *base_record,
		       struct diff_members *next, const struct abi_record *next_record, struct err *err)
{
	struct opened_members base_opened = { .count = 0 }, next_opened = { .count = 0 };
	int rc;

	do {
		base->count = next->count = 0;
		if ((rc = list_members(base, base_record, "", 0, &base_opened, err)) ||
		    (rc = list_members(next, next_record, "", 0, &next_opened, err)))
			return rc;
	} while (match_paths(base, &base_opened, next, &next_opened));
	match_same_bits(base, next);
	match_shifted(base, next);
	return 0;
}
