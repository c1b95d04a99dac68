/*
 * diff/records.c - which records came, went and changed
 *
 * 1. Declarations that share a name are the same record: compared, and
 *    reported once for all their names if they differ. A name that such a
 *    record gained or lost is reported by itself.
 * 2. What is left over on both sides may be one record under a new name.
 *    rename.c says which are.
 * 3. The rest came or went as a whole.
 */
#include "diff/classify.h"
#include "diff/pass.h"
#include "diff/rename.h"
#include "diff/unchanged.h"

#include <stdlib.h>
#include <string.h>

struct records {
	struct diff_pass *pass;
	struct diff_changed_types changed;
	const bool *base_params, *next_params; /* by name: some ioctl's parameters; NULL until params_of() is asked */
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const bool *mark_params(struct diff_side *side)
{
	const struct abi *abi = side->abi;
	bool *marks = arena_array(side->arena, abi->record_count + 1, sizeof(*marks));

	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const char *name = abi->ioctls[i].params;
		const struct abi_record *record = name ? diff_side_record_named(side, name, strlen(name)) : NULL;

		if (record)
			marks[record - abi->records] = true;
	}
	return marks;
}

/* Most comparisons have no record of two names to tell, and never ask. */
static const bool *params_of(struct records *records, struct diff_side *side)
{
	const bool **params = side == &records->pass->next ? &records->next_params : &records->base_params;

	if (!*params)
		*params = mark_params(side);
	return *params;
}

/* A tag that stands behind a typedef, as far as a name can tell. */
static bool looks_like_tag(const char *name)
{
	return name[0] == '_' || !strncmp(name, "tag", 3);
}

/* Which of two names of one record should people see? Less is better. */
static int compare_names(const struct abi *abi, const bool *params, size_t x, size_t y)
{
	const char *a = abi->records[x].name, *b = abi->records[y].name;
	size_t a_length = strlen(a), b_length = strlen(b);

	if (params[x] != params[y])
		return params[x] ? -1 : 1;
	if (looks_like_tag(a) != looks_like_tag(b))
		return looks_like_tag(b) ? -1 : 1;
	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return strcmp(a, b);
}

/* Which of @index, records of @side, has the best name: its index in the list. */
static size_t best_of(struct records *records, struct diff_side *side, const size_t *index, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (compare_names(side->abi, params_of(records, side), index[i], index[best]) < 0)
			best = i;
	return best;
}

static const struct abi_record *best_record(struct records *records, struct diff_side *side, const size_t *index, size_t count)
{
	return &side->abi->records[index[best_of(records, side, index, count)]];
}

static const struct abi_record *best_of_group(struct records *records, struct diff_side *side, size_t group)
{
	return best_record(records, side, side->records.group[group].index, side->records.group[group].count);
}

static const char **group_names(const struct diff_side *side, size_t group, struct arena *arena)
{
	const struct diff_group *names = &side->records.group[group];
	const char **list = arena_array(arena, names->count, sizeof(*list));

	for (size_t i = 0; i < names->count; i++)
		list[i] = side->abi->records[names->index[i]].name;
	return list;
}

static void set_also(struct diff_change *change, const struct diff_side *side, size_t group, struct arena *arena)
{
	const struct diff_group *names = &side->records.group[group];
	const char **also = arena_array(arena, names->count, sizeof(*also));

	for (size_t i = 0; i < names->count; i++) {
		const char *name = side->abi->records[names->index[i]].name;

		if (strcmp(name, change->name))
			also[change->also_count++] = name;
	}
	change->also = also;
}

/* The one name that @group of @side has and the other version has not; NULL if there is none, or more. */
static const struct abi_record *lone_name(const struct diff_side *side, size_t group, const bool *marked)
{
	const struct diff_group *names = &side->records.group[group];
	const struct abi_record *found = NULL;

	for (size_t i = 0; i < names->count; i++) {
		if (!marked[names->index[i]])
			continue;
		if (found)
			return NULL;
		found = &side->abi->records[names->index[i]];
	}
	return found;
}

/* Both groups are in this one pair: one name less and one name more is a name that changed. */
static const struct abi_record *renamed_from(const struct diff_pass *pass, const struct diff_pair *pair, const struct abi_record **to)
{
	const struct abi_record *lost;

	if (pass->records.base_pairs[pair->base] != 1 || pass->records.next_pairs[pair->next] != 1)
		return NULL;
	lost = lone_name(&pass->base, pair->base, pass->records.base_lost);
	*to = lost ? lone_name(&pass->next, pair->next, pass->records.next_gained) : NULL;
	return *to ? lost : NULL;
}

/* All names of one declaration are the same record, so any of those that both versions have tells whether it changed. */
static bool is_unchanged_pair(const struct records *records, const struct diff_pair *pair)
{
	const struct diff_pass *pass = records->pass;

	return diff_is_unchanged(&records->changed, &pass->base.abi->records[pair->in_base[0]], &pass->next.abi->records[pair->in_next[0]]);
}

static int compare_pair(struct records *records, const struct diff_pair *pair, struct err *err)
{
	struct diff_pass *pass = records->pass;
	struct diff_record_pair both = { .base_side = &pass->base, .next_side = &pass->next };
	const struct abi_record *gained = NULL, *lost = renamed_from(pass, pair, &gained);
	struct diff_change seen = { 0 }, *change;
	size_t best;
	int rc;

	if (!lost && is_unchanged_pair(records, pair))
		return 0;
	best = best_of(records, &pass->next, pair->in_next, pair->name_count);
	both.base = &pass->base.abi->records[pair->in_base[best]];
	both.next = &pass->next.abi->records[pair->in_next[best]];
	if ((rc = diff_compare_records(&seen, &both, pass->arena, err)))
		return rc;
	if (!seen.classes && !lost)
		return 0;
	change = diff_add_change(pass, ABI_RECORD, lost ? gained->name : both.next->name);
	change->classes = seen.classes | (lost ? DIFF_NAME : 0u);
	change->fields = seen.fields;
	change->field_count = seen.field_count;
	change->base_name = lost ? lost->name : NULL;
	change->base_record = lost ? lost : both.base;
	change->next_record = lost ? gained : both.next;
	set_also(change, &pass->next, pair->next, pass->arena);
	return 0;
}

static struct diff_change *add_whole(struct records *records, bool is_added, size_t group, const struct abi_record *record)
{
	struct diff_pass *pass = records->pass;
	struct diff_side *side = is_added ? &pass->next : &pass->base;
	struct diff_change *change = diff_add_change(pass, ABI_RECORD, record->name);

	change->classes = is_added ? DIFF_ADDED : DIFF_REMOVED;
	*(is_added ? &change->next_record : &change->base_record) = record;
	set_also(change, side, group, pass->arena);
	return change;
}

/* Some names of a record that both versions have: one change for all of them. */
static void add_names(struct records *records, bool is_added, size_t group, const bool *marked)
{
	struct diff_pass *pass = records->pass;
	struct diff_side *side = is_added ? &pass->next : &pass->base;
	const struct diff_group *names = &side->records.group[group];
	size_t *one_sided = arena_array(pass->arena, names->count, sizeof(*one_sided));
	size_t *shared = arena_array(pass->arena, names->count, sizeof(*shared));
	const char **also = arena_array(pass->arena, names->count, sizeof(*also));
	size_t one_sided_count = 0, shared_count = 0;
	struct diff_change *change;

	for (size_t i = 0; i < names->count; i++) {
		if (marked[names->index[i]])
			one_sided[one_sided_count++] = names->index[i];
		else
			shared[shared_count++] = names->index[i];
	}
	change = add_whole(records, is_added, group, best_record(records, side, one_sided, one_sided_count));
	change->same_as = best_record(records, side, shared, shared_count)->name;
	change->also_count = 0;
	change->also = also;
	for (size_t i = 0; i < one_sided_count; i++)
		if (side->abi->records[one_sided[i]].name != change->name)
			also[change->also_count++] = side->abi->records[one_sided[i]].name;
}

/* Records of one version only, and names of one version only of records that both have. */
static void add_one_sided(struct records *records, bool is_added, const size_t *renamed)
{
	struct diff_pass *pass = records->pass;
	struct diff_side *side = is_added ? &pass->next : &pass->base;
	const size_t *pairs = is_added ? pass->records.next_pairs : pass->records.base_pairs;
	const bool *marked = is_added ? pass->records.next_gained : pass->records.base_lost;

	for (size_t g = 0; g < side->records.group_count; g++) {
		if (renamed[g] != SIZE_MAX)
			continue;
		if (!pairs[g])
			add_whole(records, is_added, g, best_of_group(records, side, g));
		else if (diff_any_marked(&side->records.group[g], marked))
			add_names(records, is_added, g, marked);
	}
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* All other names that a renamed record had or has. */
static void set_also_of_both(struct diff_change *change, const char **base, size_t base_count, const char **next,
			     size_t next_count, struct arena *arena)
{
	const char **also = arena_array(arena, base_count + next_count, sizeof(*also));

	for (size_t i = 0; i < next_count; i++)
		if (strcmp(next[i], change->name))
			also[change->also_count++] = next[i];
	for (size_t i = 0; i < base_count; i++)
		if (strcmp(base[i], change->base_name) && !is_among(next, next_count, base[i]))
			also[change->also_count++] = base[i];
	if (change->also_count > 1)
		qsort(also, change->also_count, sizeof(*also), compare_texts);
	change->also = also;
}

static int add_renamed(struct records *records, size_t base, size_t next, struct err *err)
{
	struct diff_pass *pass = records->pass;
	size_t base_count = pass->base.records.group[base].count, next_count = pass->next.records.group[next].count;
	const char **base_names = group_names(&pass->base, base, pass->arena);
	const char **next_names = group_names(&pass->next, next, pass->arena);
	const struct diff_record_pair both = { best_of_group(records, &pass->base, base), best_of_group(records, &pass->next, next),
					       &pass->base, &pass->next };
	struct diff_change seen = { 0 }, *change;
	int rc;

	if ((rc = diff_compare_records(&seen, &both, pass->arena, err)))
		return rc;
	change = diff_add_change(pass, ABI_RECORD, both.next->name);
	change->classes = seen.classes | DIFF_NAME;
	change->fields = seen.fields;
	change->field_count = seen.field_count;
	change->base_name = both.base->name;
	change->base_record = both.base;
	change->next_record = both.next;
	set_also_of_both(change, base_names, base_count, next_names, next_count, pass->arena);
	return 0;
}

static size_t *no_groups(size_t count, struct arena *arena)
{
	size_t *list = arena_array(arena, count + 1, sizeof(*list));

	memset(list, 0xff, (count + 1) * sizeof(*list));
	return list;
}

/* Pairs of which the names of both sides were already told apart: not to be told again as gained and lost. */
static void mark_name_changes(const struct records *records, size_t *base_renamed, size_t *next_renamed)
{
	for (size_t i = 0; i < records->pass->records.pair_count; i++) {
		const struct diff_pair *pair = &records->pass->records.pair[i];
		const struct abi_record *to;

		if (!renamed_from(records->pass, pair, &to))
			continue;
		base_renamed[pair->base] = pair->next;
		next_renamed[pair->next] = pair->base;
	}
}

void diff_pair_records(struct diff_pass *pass)
{
	diff_pair_names(&pass->records, &pass->base.records, &pass->next.records, pass->arena);
	pass->record_partner = no_groups(pass->base.records.group_count, pass->arena);
	for (size_t i = 0; i < pass->records.pair_count; i++) {
		const struct diff_pair *pair = &pass->records.pair[i];

		if (pass->record_partner[pair->base] == SIZE_MAX)
			pass->record_partner[pair->base] = pair->next;
	}
}

static int add_changed(struct records *records, size_t *next_of, size_t *base_of, struct err *err)
{
	struct diff_pass *pass = records->pass;
	int rc;

	for (size_t i = 0; i < pass->records.pair_count; i++)
		if ((rc = compare_pair(records, &pass->records.pair[i], err)))
			return rc;
	if ((rc = diff_find_renamed(next_of, base_of, pass, err)))
		return rc;
	for (size_t g = 0; g < pass->base.records.group_count; g++) {
		if (next_of[g] == SIZE_MAX)
			continue;
		pass->record_partner[g] = next_of[g];
		if ((rc = add_renamed(records, g, next_of[g], err)))
			return rc;
	}
	return 0;
}

int diff_records(struct diff_pass *pass, struct err *err)
{
	struct records records = { .pass = pass };
	size_t *next_of = no_groups(pass->base.records.group_count, pass->arena);
	size_t *base_of = no_groups(pass->next.records.group_count, pass->arena);
	int rc;

	diff_changed_types_list(&records.changed, &pass->base, &pass->next, pass->arena);
	if ((rc = add_changed(&records, next_of, base_of, err)))
		return rc;
	mark_name_changes(&records, next_of, base_of);
	add_one_sided(&records, false, next_of);
	add_one_sided(&records, true, base_of);
	return 0;
}

/* In how many pairs a group is does not matter here: the names themselves are asked first. */
bool diff_same_params(const struct diff_pass *pass, const char *base, const char *next)
{
	const struct abi_record *was, *is;
	size_t group;

	if (!base || !next)
		return !base && !next;
	if (!diff_compare_texts(base, next))
		return true;
	was = abi_find_record(pass->base.abi, base);
	is = abi_find_record(pass->next.abi, next);
	if (!was || !is)
		return false;
	group = pass->base.records.of[was - pass->base.abi->records];
	return group != SIZE_MAX && pass->record_partner[group] == pass->next.records.of[is - pass->next.abi->records];
}
