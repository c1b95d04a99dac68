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
#include "diff/internal.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/*
 * is a record the same in both versions, without listing its members?
 *
 * Most records are the same, and need no more than
 * this. Nothing here fails.
 */

struct diff_changed_types {
	const struct diff_side *base, *next; /* borrowed */
	const char *const *name; /* of aliases and enums whose definitions differ; sorted */
	size_t count;
};

/*
 * is a record the same in both versions, without listing its members?
 *
 * 1. diff_changed_types_list() lists the names whose definition differs: an
 *    alias or enum with another size or type, or one that became something
 *    else. Records are not listed: a record that changed is reported on its
 *    own, not with those that contain it.
 * 2. diff_is_unchanged() compares the two records as they are spelled. If
 *    they are equal, it looks their fields' types up in that list, and
 *    compares unnamed records of their fields the same way: these are only
 *    reported with the record that contains them.
 *
 * The answer "no" may be wrong, and costs a comparison in full.
 */

enum { UNNAMED_DEPTH_MAX = 64 };

/* Has a type name of base another definition in next? Names that next lacks are not in its fields. */
static bool alias_changed(const struct abi *next, const struct abi_alias *was)
{
	const struct abi_alias *is = abi_find_alias(next, was->name);

	if (is)
		return !abi_same_alias(was, is);
	return abi_find_record(next, was->name) || abi_find_enum(next, was->name);
}

static bool enum_changed(const struct abi *next, const struct abi_enum *was)
{
	const struct abi_enum *is = abi_find_enum(next, was->name);

	if (is)
		return was->size_bytes != is->size_bytes || strcmp(was->type, is->type);
	return abi_find_record(next, was->name) || abi_find_alias(next, was->name);
}

/* diff_changed_types_list - @out points into the sides and @arena. */
static void diff_changed_types_list(struct diff_changed_types *out, const struct diff_side *base_side, const struct diff_side *next_side,
			     struct arena *arena)
{
	const struct abi *base = base_side->abi, *next = next_side->abi;
	const char **list = arena_array(arena, base->alias_count + base->enum_count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < base->alias_count; i++)
		if (alias_changed(next, &base->aliases[i]))
			list[count++] = base->aliases[i].name;
	for (size_t i = 0; i < base->enum_count; i++)
		if (enum_changed(next, &base->enums[i]))
			list[count++] = base->enums[i].name;
	if (count > 1)
		qsort(list, count, sizeof(*list), diff_order_texts);
	*out = (struct diff_changed_types){ base_side, next_side, list, count };
}

static bool type_changed(const struct diff_changed_types *types, const char *type)
{
	size_t low = 0, high = types->count;
	struct abi_spelling spelling;

	if (!high || abi_spelling_parse(&spelling, type, NULL))
		return high > 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(types->name[middle], spelling.base, spelling.base_length);

		if (!order && !types->name[middle][spelling.base_length])
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static bool is_unchanged_type(const struct diff_changed_types *types, const char *type, int depth);

/* The common case, decided without listing members. */
static bool is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next, int depth)
{
	if (!abi_same_record(base, next) || depth == UNNAMED_DEPTH_MAX)
		return false;
	if (!types->count && !types->base->has_unnamed[base - types->base->abi->records])
		return true;
	for (size_t i = 0; i < base->field_count; i++)
		if (!is_unchanged_type(types, base->fields[i].type, depth))
			return false;
	return true;
}

/* An equal spelling is an equal type, unless its name has another definition now, or it is an unnamed record that changed. */
static bool is_unchanged_type(const struct diff_changed_types *types, const char *type, int depth)
{
	struct abi_type was, is;

	if (type_changed(types, type))
		return false;
	if (!strstr(type, "::"))
		return true;
	if (abi_resolve_type(&was, types->base->abi, type, NULL) || abi_resolve_type(&is, types->next->abi, type, NULL) ||
	    !was.record != !is.record)
		return false;
	return !was.record || !diff_side_is_unnamed(types->base, was.record) ||
	       is_unchanged(types, was.record, is.record, depth + 1);
}

/* diff_is_unchanged - false if that is not certain. */
static bool diff_is_unchanged(const struct diff_changed_types *types, const struct abi_record *base, const struct abi_record *next)
{
	return is_unchanged(types, base, next, 0);
}

/*
 * records that go by another name in the other version
 *
 * A wrong claim is worse than none, so two things count as proof only:
 *
 * 1. The ioctl says so: every ioctl that had the old record and is still
 *    there has the new one, and every one that has the new record and was
 *    there had the old one. The fields may then differ.
 * 2. The bytes say so: all leaves are equal in name, type and offset, and no
 *    other record that came or went has the same. Besides, the names are alike,
 *    or both are declared in one file and have at least LEAVES_THAT_PROVE
 *    leaves ({ NvU32 flags } proves nothing).
 */

enum { LEAVES_THAT_PROVE = 4 };

struct rename_search {
	struct diff_pass *pass;
	size_t *next_of, *base_of;
};

static size_t params_group(const struct diff_side *side, const struct abi_ioctl *ioctl)
{
	const struct abi_record *record = ioctl->params ? abi_find_record(side->abi, ioctl->params) : NULL;

	return record ? side->records.of[record - side->abi->records] : SIZE_MAX;
}

/* What one ioctl says: claims that contradict each other end up as SIZE_MAX - 1. */
static void note_claim(size_t *claim, size_t group, size_t other)
{
	claim[group] = claim[group] == SIZE_MAX || claim[group] == other ? other : SIZE_MAX - 1;
}

/*
 * Asks the ioctls that both versions have. An ioctl whose parameter record has
 * the same name in both claims nothing: that record is paired already.
 */
static void claims_of_ioctls(const struct rename_search *search, size_t *next_claim, size_t *base_claim)
{
	struct diff_pass *pass = search->pass;

	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *partner = pass->base_partner[i];
		size_t was, is;

		if (!partner || !partner->params || !pass->base.abi->ioctls[i].params ||
		    !diff_compare_texts(pass->base.abi->ioctls[i].params, partner->params))
			continue;
		was = params_group(&pass->base, &pass->base.abi->ioctls[i]);
		is = params_group(&pass->next, partner);
		if (was == SIZE_MAX || is == SIZE_MAX)
			continue;
		note_claim(next_claim, was, is);
		note_claim(base_claim, is, was);
	}
}

static void accept_claims(const struct rename_search *search, const size_t *next_claim, const size_t *base_claim)
{
	for (size_t g = 0; g < search->pass->base.records.group_count; g++) {
		size_t h = next_claim[g];

		if (h >= SIZE_MAX - 1 || base_claim[h] != g)
			continue;
		if (search->pass->records.base_pairs[g] || search->pass->records.next_pairs[h])
			continue;
		search->next_of[g] = h;
		search->base_of[h] = g;
	}
}

static void find_by_ioctl(const struct rename_search *search)
{
	struct diff_pass *pass = search->pass;
	size_t *next_claim = diff_no_indices(pass->base.records.group_count, pass->arena);
	size_t *base_claim = diff_no_indices(pass->next.records.group_count, pass->arena);

	claims_of_ioctls(search, next_claim, base_claim);
	accept_claims(search, next_claim, base_claim);
}

/* Equal for equal leaves; accept_equal() compares what has one fingerprint in full. */
static uint64_t fingerprint(const struct abi_layout *layout)
{
	uint64_t hash = layout->size_bytes;

	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct abi_leaf *leaf = &layout->leaf[i];

		hash = XXH3_64bits_withSeed(leaf->path, strlen(leaf->path), hash);
		hash = XXH3_64bits_withSeed(leaf->type, strlen(leaf->type), hash);
		hash = XXH3_64bits_withSeed(&leaf->offset_bits, sizeof(leaf->offset_bits), hash);
	}
	return hash;
}

/* A record that no other one is paired with yet, and a number for its leaves. */
struct lone {
	uint64_t fingerprint;
	size_t group;
};

static int compare_lone(const void *a, const void *b)
{
	const struct lone *x = a, *y = b;

	if (x->fingerprint != y->fingerprint)
		return x->fingerprint < y->fingerprint ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static int list_lone(struct lone *list, size_t *count, struct diff_side *side, const size_t *pairs, const size_t *partner,
		     struct err *err)
{
	*count = 0;
	for (size_t g = 0; g < side->records.group_count; g++) {
		const struct abi_layout *layout;
		int rc;

		if (pairs[g] || partner[g] != SIZE_MAX)
			continue;
		if ((rc = diff_side_layout(&layout, side, diff_side_record(side, g), err)))
			return rc;
		if (layout->leaf_count)
			list[(*count)++] = (struct lone){ fingerprint(layout), g };
	}
	if (*count > 1)
		qsort(list, *count, sizeof(*list), compare_lone);
	return 0;
}

static size_t file_length(const char *source)
{
	const char *colon = source ? strchr(source, ':') : NULL;

	return colon ? (size_t)(colon - source) : 0;
}

static bool same_file(const struct abi_record *a, const struct abi_record *b)
{
	size_t length = file_length(a->source);

	return length && length == file_length(b->source) && !memcmp(a->source, b->source, length);
}

static bool any_names_alike(const struct diff_pass *pass, size_t base, size_t next)
{
	const struct diff_group *a = &pass->base.records.group[base], *b = &pass->next.records.group[next];

	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (diff_alike(pass->base.abi->records[a->index[i]].name, pass->next.abi->records[b->index[j]].name))
				return true;
	return false;
}

static bool same_leaf_types(const struct abi_layout *a, const struct abi_layout *b)
{
	for (size_t i = 0; i < a->leaf_count; i++)
		if (strcmp(a->leaf[i].type, b->leaf[i].type))
			return false;
	return true;
}

static int accept_equal(const struct rename_search *search, size_t g, size_t h, struct err *err)
{
	struct diff_pass *pass = search->pass;
	const struct abi_record *base = diff_side_record(&pass->base, g), *next = diff_side_record(&pass->next, h);
	const struct abi_layout *a, *b;
	int rc;

	if ((rc = diff_side_layout(&a, &pass->base, base, err)) || (rc = diff_side_layout(&b, &pass->next, next, err)))
		return rc;
	if (!diff_leaves_equal(a, b) || !same_leaf_types(a, b))
		return 0;
	if (!any_names_alike(pass, g, h) && !(a->leaf_count >= LEAVES_THAT_PROVE && same_file(base, next)))
		return 0;
	search->next_of[g] = h;
	search->base_of[h] = g;
	return 0;
}

/* The end of the run of equal fingerprints that begins at @i. */
static size_t run_end(const struct lone *list, size_t count, size_t i)
{
	uint64_t hash = list[i].fingerprint;

	while (i < count && list[i].fingerprint == hash)
		i++;
	return i;
}

static int match_lone(const struct rename_search *search, const struct lone *base, size_t base_count,
		      const struct lone *next, size_t next_count, struct err *err)
{
	size_t i = 0, j = 0;

	while (i < base_count && j < next_count) {
		size_t i_end = run_end(base, base_count, i), j_end = run_end(next, next_count, j);
		int rc;

		if (base[i].fingerprint < next[j].fingerprint) {
			i = i_end;
			continue;
		}
		if (base[i].fingerprint > next[j].fingerprint) {
			j = j_end;
			continue;
		}
		if (i_end - i == 1 && j_end - j == 1 && (rc = accept_equal(search, base[i].group, next[j].group, err)))
			return rc;
		i = i_end;
		j = j_end;
	}
	return 0;
}

static int find_by_leaves(const struct rename_search *search, struct err *err)
{
	struct diff_pass *pass = search->pass;
	struct lone *base = arena_array(pass->arena, pass->base.records.group_count + 1, sizeof(*base));
	struct lone *next = arena_array(pass->arena, pass->next.records.group_count + 1, sizeof(*next));
	size_t base_count, next_count;
	int rc;

	if ((rc = list_lone(base, &base_count, &pass->base, search->pass->records.base_pairs, search->next_of, err)) ||
	    (rc = list_lone(next, &next_count, &pass->next, search->pass->records.next_pairs, search->base_of, err)))
		return rc;
	return match_lone(search, base, base_count, next, next_count, err);
}

/**
 * diff_find_renamed - pair records that share no name
 * @next_of: by group of base: the group of next it became; untouched (SIZE_MAX) if none
 * @base_of: the same, the other way round
 */
static int diff_find_renamed(size_t *next_of, size_t *base_of, struct diff_pass *pass, struct err *err)
{
	const struct rename_search search = { .pass = pass, .next_of = next_of, .base_of = base_of };

	find_by_ioctl(&search);
	return find_by_leaves(&search, err);
}

struct records {
	struct diff_pass *pass;
	struct diff_changed_types changed;
	const bool *base_params, *next_params; /* by name: some ioctl's parameters; NULL until params_of() is asked */
};

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
static int compare_best_names(const struct abi *abi, const bool *params, size_t x, size_t y)
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
		if (compare_best_names(side->abi, params_of(records, side), index[i], index[best]) < 0)
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
	diff_set_also(change, &pass->next.records, pair->next, pass->arena);
	return 0;
}

static struct diff_change *add_whole(struct records *records, bool is_added, size_t group, const struct abi_record *record)
{
	struct diff_pass *pass = records->pass;
	struct diff_side *side = is_added ? &pass->next : &pass->base;
	struct diff_change *change = diff_add_change(pass, ABI_RECORD, record->name);

	change->classes = is_added ? DIFF_ADDED : DIFF_REMOVED;
	*(is_added ? &change->next_record : &change->base_record) = record;
	diff_set_also(change, &side->records, group, pass->arena);
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

/* All other names that a renamed record had or has. */
static void set_also_of_both(struct diff_change *change, const struct diff_pass *pass, size_t base, size_t next)
{
	const struct diff_group *was = &pass->base.records.group[base];
	const char **also = arena_array(pass->arena, was->count + pass->next.records.group[next].count, sizeof(*also));

	diff_set_also(change, &pass->next.records, next, pass->arena);
	memcpy(also, change->also, change->also_count * sizeof(*also));
	change->also = also;
	for (size_t i = 0; i < was->count; i++) {
		const char *name = pass->base.abi->records[was->index[i]].name;

		if (strcmp(name, change->base_name) && strcmp(name, change->name) && !diff_has_also(change, name))
			also[change->also_count++] = name;
	}
	if (change->also_count > 1)
		qsort(also, change->also_count, sizeof(*also), diff_order_texts);
}

static int add_renamed(struct records *records, size_t base, size_t next, struct err *err)
{
	struct diff_pass *pass = records->pass;
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
	set_also_of_both(change, pass, base, next);
	return 0;
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
	pass->record_partner = diff_no_indices(pass->base.records.group_count, pass->arena);
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
	size_t *next_of = diff_no_indices(pass->base.records.group_count, pass->arena);
	size_t *base_of = diff_no_indices(pass->next.records.group_count, pass->arena);
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
