/*
 * diff/through.c - records that changed only because one inside them did
 *
 * 1. A record whose declaration is the same in both versions, member by member,
 *    changed only through the types of its members. Those of them that changed
 *    are its causes.
 * 2. A record that came or went inside a record that changed is told with that
 *    one, unless an ioctl has it as its parameters.
 *
 * Members are those that a record holds by value. What it points to is not inside.
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32 }; /* of unnamed records in each other */

struct through {
	struct diff_pass *pass;
	size_t *base_change, *next_change; /* by group: the index of its change, or SIZE_MAX */
	/* Of the record that is looked at. */
	const char *cause[64];
	size_t cause_count;
	bool aligns; /* one of the causes has another alignment */
};

static size_t group_of(const struct diff_side *side, const struct abi_record *record)
{
	return side->records.of[record - side->abi->records];
}

/* The record that a field holds by value; NULL if it is a scalar, or of a type that cannot be resolved. */
static const struct abi_record *held_by(struct diff_side *side, const struct abi_field *field, uint64_t *element_bytes)
{
	const struct abi_type *type;
	struct err err;

	*element_bytes = 0;
	if (abi_resolve_known(&type, &side->known, side->abi, field->type, &err))
		return NULL;
	*element_bytes = type->element_bytes;
	return type->record;
}

static struct diff_change *change_of(const struct through *through, bool of_next, const struct abi_record *record)
{
	const struct diff_side *side = of_next ? &through->pass->next : &through->pass->base;
	size_t group = group_of(side, record), index;

	if (group == SIZE_MAX)
		return NULL;
	index = (of_next ? through->next_change : through->base_change)[group];
	return index == SIZE_MAX ? NULL : &through->pass->changes[index];
}

static void add_cause(struct through *through, const struct diff_change *change)
{
	through->aligns |= change->base_record->align_bytes != change->next_record->align_bytes;
	for (size_t i = 0; i < through->cause_count; i++)
		if (through->cause[i] == change->name)
			return;
	if (through->cause_count < sizeof(through->cause) / sizeof(*through->cause))
		through->cause[through->cause_count++] = change->name;
}

static bool same_records(struct through *through, const struct abi_record *base, const struct abi_record *next, int depth);

/* Is a member declared alike in both? Adds what it holds to the causes, if that changed. */
static bool same_member(struct through *through, const struct abi_field *base, const struct abi_field *next, int depth)
{
	struct diff_pass *pass = through->pass;
	uint64_t base_bytes, next_bytes;
	const struct abi_record *was = held_by(&pass->base, base, &base_bytes), *is = held_by(&pass->next, next, &next_bytes);
	const struct diff_change *change;

	if (diff_compare_texts(base->name, next->name) || base->role != next->role || base->is_bitfield != next->is_bitfield ||
	    diff_compare_texts(base->type, next->type) || !was != !is)
		return false;
	if (!is)
		return base->size_bits == next->size_bits && base_bytes == next_bytes;
	if (diff_side_is_unnamed(&pass->base, was) || diff_side_is_unnamed(&pass->next, is))
		return same_records(through, was, is, depth + 1);
	if ((change = change_of(through, true, is)) && change->base_record && change->next_record)
		add_cause(through, change);
	return true;
}

static bool same_records(struct through *through, const struct abi_record *base, const struct abi_record *next, int depth)
{
	if (depth > DEPTH_MAX || base->field_count != next->field_count || base->is_union != next->is_union)
		return false;
	for (size_t i = 0; i < base->field_count; i++)
		if (!same_member(through, &base->fields[i], &next->fields[i], depth))
			return false;
	return true;
}

static void find_causes(struct through *through, struct diff_change *change)
{
	through->cause_count = 0;
	through->aligns = false;
	if (change->base_name || !same_records(through, change->base_record, change->next_record, 0) || !through->cause_count)
		return;
	if (change->base_record->align_bytes != change->next_record->align_bytes && !through->aligns)
		return;
	change->because = arena_memdup(through->pass->arena, through->cause, through->cause_count * sizeof(*through->cause));
	change->because_count = through->cause_count;
}

/* Is it the parameters of an ioctl, and so more than a type of a member? */
static bool is_params(const struct diff_change *change)
{
	for (size_t i = 0; i < change->reach_count; i++)
		if (change->reached_by[i].through_count == 1)
			return true;
	return false;
}

/* Of what @record holds on one side, all that came or went there is inside @holder. */
static void set_inside(struct through *through, bool of_next, const struct abi_record *record, const char *holder, int depth)
{
	struct diff_side *side = of_next ? &through->pass->next : &through->pass->base;
	unsigned wanted = of_next ? DIFF_ADDED : DIFF_REMOVED;

	for (size_t i = 0; i < record->field_count && depth <= DEPTH_MAX; i++) {
		uint64_t bytes;
		const struct abi_record *held = held_by(side, &record->fields[i], &bytes);
		struct diff_change *change = held ? change_of(through, of_next, held) : NULL;

		if (held && diff_side_is_unnamed(side, held))
			set_inside(through, of_next, held, holder, depth + 1);
		if (!change || !(change->classes & wanted) || change->same_as || change->inside || is_params(change))
			continue;
		change->inside = holder;
		set_inside(through, of_next, held, holder, depth + 1);
	}
}

static size_t *no_changes(size_t count, struct arena *arena)
{
	size_t *list = arena_array(arena, count + 1, sizeof(*list));

	memset(list, 0xff, (count + 1) * sizeof(*list));
	return list;
}

static void index_changes(struct through *through)
{
	struct diff_pass *pass = through->pass;

	through->base_change = no_changes(pass->base.records.group_count, pass->arena);
	through->next_change = no_changes(pass->next.records.group_count, pass->arena);
	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];

		if (change->kind != ABI_RECORD || change->same_as)
			continue;
		if (change->base_record && group_of(&pass->base, change->base_record) != SIZE_MAX)
			through->base_change[group_of(&pass->base, change->base_record)] = i;
		if (change->next_record && group_of(&pass->next, change->next_record) != SIZE_MAX)
			through->next_change[group_of(&pass->next, change->next_record)] = i;
	}
}

void diff_through(struct diff_pass *pass)
{
	struct through through = { .pass = pass };

	index_changes(&through);
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (change->kind != ABI_RECORD || !change->base_record || !change->next_record)
			continue;
		find_causes(&through, change);
		set_inside(&through, true, change->next_record, change->name, 0);
		set_inside(&through, false, change->base_record, change->name, 0);
	}
}
