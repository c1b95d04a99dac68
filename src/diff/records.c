/*
 * diff/records.c - find the records that were added, removed or changed
 *
 * 1. Declarations of both versions with a common name are the same record. If they differ, the change is
 *    reported once for all their names. A name that was added to or removed from such a record is reported
 *    separately.
 * 2. Among the remaining records, a record of base can have a new name in next (find_by_ioctl(),
 *    find_by_scalars()).
 * 3. All other records were added or removed.
 */
#include "diff/internal.h"

#include <xxhash.h>

enum { UNNAMED_DEPTH_MAX = 64, SCALARS_THAT_PROVE = 4 };

#define CONTRADICTORY (SIZE_MAX - 1) /* ioctls claim different new names for one record */

struct records {
	struct diff_pass *pass;
	struct diff_name_index changed_types;  /* types of base; see list_changed_types(); unset if none */
	size_t changed_type_count;
	const bool *base_params, *next_params; /* indexed by name: true for the parameter record of an
						  ioctl; params_of() sets them */
	size_t *next_of, *base_of;             /* indexed by group: the group of its new or old name, or
						  SIZE_MAX */
};

/* --- a fast test for equal records, without a list of members -------------------------------- */

/*
 * Sets changed_types to the names of aliases and enums whose size or type changed, or that became a different
 * kind of type. Most records are unchanged, and is_equal_record() is enough to see that: it compares the
 * spelling of two records, and then looks up the types of the fields in this list. Unnamed records in fields
 * are compared in the same way, because they are only reported with the record that contains them.
 *
 * A name that next does not have is not listed, because no field of next uses it. Records are not listed,
 * because a changed record is reported separately, not with the records that contain it.
 */
static void list_changed_types(struct records *records)
{
	const struct abi *base = records->pass->base.abi, *next = records->pass->next.abi;
	const size_t count = base->alias_count + base->enum_count;
	const char **names = arena_array(records->pass->arena, count + 1, sizeof(*names));

	for (size_t i = 0; i < count; i++) {
		const struct abi_alias *alias = i < base->alias_count ? &base->aliases[i] : NULL;
		const struct abi_enum *one = alias ? NULL : &base->enums[i - base->alias_count];
		const char *name = alias ? alias->name : one->name;
		const struct abi_alias *next_alias = alias ? abi_find_alias(next, name) : NULL;
		const struct abi_enum *next_enum = one ? abi_find_enum(next, name) : NULL;
		bool changed;

		if (next_alias)
			changed = !abi_same_item(ABI_ALIAS, alias, next_alias);
		else if (next_enum)
			changed = one->size_bytes != next_enum->size_bytes ||
				  strcmp(one->type, next_enum->type);
		else
			changed = abi_find_record(next, name) || (alias ? abi_find_enum(next, name) != NULL
									: abi_find_alias(next, name) != NULL);
		names[i] = changed ? name : NULL;
		records->changed_type_count += changed;
	}
	if (records->changed_type_count)
		diff_index_names(&records->changed_types, names, count, records->pass->arena);
}

static bool is_equal_record(const struct records *records, const struct abi_record *base,
			    const struct abi_record *next, int depth);

/*
 * Is a type with the same spelling the same type? It is the same, unless the definition of its name changed,
 * or it is an unnamed record that changed.
 */
static bool is_unchanged_type(const struct records *records, const char *type, int depth)
{
	const struct diff_side *base = &records->pass->base;
	struct abi_spelling spelling;
	struct abi_type was, is;

	if (records->changed_type_count &&
	    (abi_spelling_parse(&spelling, type, NULL) ||
	     diff_index_of(&records->changed_types, spelling.base, spelling.base_length) != SIZE_MAX))
		return false;
	if (!strstr(type, "::"))
		return true;
	if (abi_resolve_type(&was, base->abi, type, NULL) ||
	    abi_resolve_type(&is, records->pass->next.abi, type, NULL) || !was.record != !is.record)
		return false;
	return !was.record || !diff_side_is_unnamed(base, was.record) ||
	       is_equal_record(records, was.record, is.record, depth + 1);
}

/* Are both records certainly equal? If not, a full comparison must show whether they differ. */
static bool is_equal_record(const struct records *records, const struct abi_record *base,
			    const struct abi_record *next, int depth)
{
	const struct diff_side *side = &records->pass->base;

	if (!abi_same_item(ABI_RECORD, base, next) || depth == UNNAMED_DEPTH_MAX)
		return false;
	if (!records->changed_type_count && !side->has_unnamed[base - side->abi->records])
		return true;
	for (size_t i = 0; i < base->field_count; i++)
		if (!is_unchanged_type(records, base->fields[i].type, depth))
			return false;
	return true;
}

/* --- renamed records -------------------------------------------------------------------------- */

static void set_renamed(struct records *records, size_t g, size_t h)
{
	records->next_of[g] = h;
	records->base_of[h] = g;
}

static size_t group_of_params(const struct diff_side *side, const struct abi_ioctl *ioctl)
{
	const struct abi_record *record =
		ioctl && ioctl->params ? abi_find_record(side->abi, ioctl->params) : NULL;

	return record ? side->records.of[record - side->abi->records] : SIZE_MAX;
}

/*
 * Notes that @group of one version is @other in the other version, according to an ioctl. An earlier ioctl
 * may have claimed something else.
 */
static void note_claim(size_t *claim, size_t group, size_t other)
{
	claim[group] = claim[group] == SIZE_MAX || claim[group] == other ? other : CONTRADICTORY;
}

/*
 * Finds renamed records by their ioctls, and notes them in next_of and base_of. A record was renamed if every
 * ioctl of both versions with the old record has the new record in next, and every ioctl of both versions
 * with the new record had the old record in base. The fields can differ. An ioctl whose parameter record kept
 * its name is not considered, because that record already has a pair.
 */
static void find_by_ioctl(struct records *records)
{
	struct diff_pass *pass = records->pass;
	size_t *next_claim = diff_no_indices(pass->base.records.group_count, pass->arena);
	size_t *base_claim = diff_no_indices(pass->next.records.group_count, pass->arena);

	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &pass->base.abi->ioctls[i],
				       *partner = pass->base_numbers.partner[i];
		size_t was, is;

		if (!partner || !partner->params || !ioctl->params ||
		    !compare_texts(ioctl->params, partner->params))
			continue;
		was = group_of_params(&pass->base, ioctl);
		is = group_of_params(&pass->next, partner);
		if (was == SIZE_MAX || is == SIZE_MAX)
			continue;
		note_claim(next_claim, was, is);
		note_claim(base_claim, is, was);
	}
	for (size_t g = 0; g < pass->base.records.group_count; g++) {
		size_t h = next_claim[g];

		if (h < CONTRADICTORY && base_claim[h] == g && !pass->records.base_pairs[g] &&
		    !pass->records.next_pairs[h])
			set_renamed(records, g, h);
	}
}

/* A record without a pair, and a hash of its scalars. */
struct lone_record {
	uint64_t fingerprint; /* equal if the scalars are equal; note_if_renamed() compares the records in
				 full */
	bool is_next;
	size_t group;
};

/* Orders records by fingerprint, base before next, so that find_by_scalars() finds equal ones adjacent. */
static int compare_lone_records(const void *a, const void *b)
{
	const struct lone_record *x = a, *y = b;

	return compare_numbers(x->fingerprint, y->fingerprint) ?: x->is_next - y->is_next
		?: compare_numbers(x->group, y->group);
}

/* Appends the records of one version that have scalars, but no pair or partner in the other version yet. */
static int list_lone_records(struct lone_record *list, size_t *count, struct records *records, bool is_next,
			     struct err *err)
{
	struct diff_pass *pass = records->pass;
	struct diff_side *side = is_next ? &pass->next : &pass->base;
	const size_t *pairs = is_next ? pass->records.next_pairs : pass->records.base_pairs;
	const size_t *partner = is_next ? records->base_of : records->next_of;

	for (size_t g = 0; g < side->records.group_count; g++) {
		const struct abi_layout *layout;
		uint64_t hash;
		int rc;

		if (pairs[g] || partner[g] != SIZE_MAX)
			continue;
		if ((rc = diff_side_layout(&layout, side, diff_side_record(side, g), err)))
			return rc;
		hash = layout->size_bytes;
		for (size_t i = 0; i < layout->scalar_count; i++) {
			const struct abi_scalar *scalar = &layout->scalar[i];

			hash = XXH3_64bits_withSeed(scalar->path, strlen(scalar->path), hash);
			hash = XXH3_64bits_withSeed(scalar->type, strlen(scalar->type), hash);
			hash = XXH3_64bits_withSeed(&scalar->offset_bits, sizeof(scalar->offset_bits), hash);
		}
		if (layout->scalar_count)
			list[(*count)++] = (struct lone_record){ hash, is_next, g };
	}
	return 0;
}

static size_t file_length(const char *source)
{
	const char *colon = source ? strchr(source, ':') : NULL;

	return colon ? (size_t)(colon - source) : 0;
}

static bool any_names_alike(const struct diff_pass *pass, size_t base, size_t next)
{
	const struct diff_group *a = &pass->base.records.group[base], *b = &pass->next.records.group[next];

	for (size_t i = 0; i < a->count; i++)
		for (size_t j = 0; j < b->count; j++)
			if (diff_alike(pass->base.abi->records[a->index[i]].name,
				       pass->next.abi->records[b->index[j]].name))
				return true;
	return false;
}

/*
 * Notes that record @g of base was renamed to @h of next, if their scalars are equal, and the names are
 * similar, or they are in the same file and have so many scalars that this is hardly a coincidence. Return:
 * 0; an error of flatten_record().
 */
static int note_if_renamed(struct records *records, size_t g, size_t h, struct err *err)
{
	struct diff_pass *pass = records->pass;
	const struct abi_record *base = diff_side_record(&pass->base, g),
				*next = diff_side_record(&pass->next, h);
	size_t length = file_length(base->source);
	const struct abi_layout *a, *b;
	int rc;

	if ((rc = diff_side_layout(&a, &pass->base, base, err)) ||
	    (rc = diff_side_layout(&b, &pass->next, next, err)))
		return rc;
	if (!diff_scalars_equal(a, b))
		return 0;
	for (size_t i = 0; i < a->scalar_count; i++)
		if (strcmp(a->scalar[i].type, b->scalar[i].type))
			return 0;
	if (any_names_alike(pass, g, h) ||
	    (a->scalar_count >= SCALARS_THAT_PROVE && length && length == file_length(next->source) &&
	     !memcmp(base->source, next->source, length)))
		set_renamed(records, g, h);
	return 0;
}

/*
 * Finds renamed records by their layout, and notes them in next_of and base_of. A record was renamed if all
 * scalars have the same name, type and offset, and no other added or removed record has the same scalars. In
 * addition, the names must be similar, or both records must be declared in the same file and have at least
 * SCALARS_THAT_PROVE scalars ({ NvU32 flags } proves nothing). A wrong rename is worse than a missed rename.
 */
static int find_by_scalars(struct records *records, struct err *err)
{
	struct diff_pass *pass = records->pass;
	struct lone_record *list =
		arena_array(pass->arena, pass->base.records.group_count + pass->next.records.group_count + 1,
			    sizeof(*list));
	size_t count = 0;
	int rc;

	if ((rc = list_lone_records(list, &count, records, false, err)) ||
	    (rc = list_lone_records(list, &count, records, true, err)))
		return rc;
	sort_items(list, count, sizeof(*list), compare_lone_records);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && list[end].fingerprint == list[i].fingerprint; end++)
			;
		if (end - i == 2 && !list[i].is_next && list[i + 1].is_next &&
		    (rc = note_if_renamed(records, list[i].group, list[i + 1].group, err)))
			return rc;
	}
	return 0;
}

/* --- the name under which a record is reported ------------------------------------------------- */

/*
 * Returns an array, indexed like the records of @side: true if the parameters of an ioctl have that name.
 * compare_best_names() prefers such a name. The array is made at the first call for @side, because most
 * comparisons report no record with several names.
 */
static const bool *params_of(struct records *records, struct diff_side *side)
{
	const bool **params = side == &records->pass->next ? &records->next_params : &records->base_params;
	const struct abi *abi = side->abi;
	bool *marks;

	if (*params)
		return *params;
	marks = arena_array(side->arena, abi->record_count + 1, sizeof(*marks));
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const char *name = abi->ioctls[i].params;
		const struct abi_record *record =
			name ? diff_side_find(side, ABI_RECORD, name, strlen(name)) : NULL;

		if (record)
			marks[record - abi->records] = true;
	}
	return *params = marks;
}

/* Does the name look like the tag of a record that also has a typedef? */
static bool looks_like_tag(const char *name)
{
	return name[0] == '_' || !strncmp(name, "tag", 3);
}

/* Orders two names of a record: the better name to report is less. */
static int compare_best_names(const struct abi *abi, const bool *params, size_t x, size_t y)
{
	const char *a = abi->records[x].name, *b = abi->records[y].name;

	return params[y] - params[x] ?: looks_like_tag(a) - looks_like_tag(b)
		?: compare_numbers(strlen(a), strlen(b)) ?: strcmp(a, b);
}

/* Returns the position in @index of the record of @side with the best name; 0 without @records, for enums. */
static size_t best_of(struct records *records, struct diff_side *side, const size_t *index, size_t count)
{
	size_t best = 0;

	for (size_t i = 1; records && i < count; i++)
		if (compare_best_names(side->abi, params_of(records, side), index[i], index[best]) < 0)
			best = i;
	return best;
}

static const struct abi_record *best_of_group(struct records *records, struct diff_side *side, size_t group)
{
	const struct diff_group *names = &side->records.group[group];

	return &side->abi->records[names->index[best_of(records, side, names->index, names->count)]];
}

/* --- records that both versions have --------------------------------------------------------- */

/* Returns the only name of @group that the other version does not have; NULL if there is none, or several. */
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

/*
 * Finds a name that was changed: both groups have only this pair, and exactly one name was removed and one
 * added. Return: the old name, with @to set to the new one; NULL if there is none.
 */
static const struct abi_record *renamed_from(const struct diff_pass *pass, const struct diff_pair *pair,
					     const struct abi_record **to)
{
	const struct abi_record *lost;

	if (pass->records.base_pairs[pair->base] != 1 || pass->records.next_pairs[pair->next] != 1)
		return NULL;
	lost = lone_name(&pass->base, pair->base, pass->records.base_lost);
	*to = lost ? lone_name(&pass->next, pair->next, pass->records.next_gained) : NULL;
	return *to ? lost : NULL;
}

/* Adds a change from @base to @next if the records of @both or the names differ. @out: the change, or NULL */
static int add_compared(struct diff_change **out, struct diff_pass *pass, const struct diff_record_pair *both,
			const struct abi_record *base, const struct abi_record *next, struct err *err)
{
	struct diff_change seen = { 0 };
	bool renamed = base != both->base || strcmp(both->base->name, both->next->name);
	int rc;

	*out = NULL;
	if ((rc = diff_compare_records(&seen, both, pass->arena, err)) || (!seen.classes && !renamed))
		return rc;
	*out = diff_add_change(pass, ABI_RECORD, base, next);
	(*out)->classes = seen.classes | (renamed ? DIFF_NAME : 0u);
	(*out)->fields = seen.fields;
	(*out)->field_count = seen.field_count;
	(*out)->base_name = renamed ? base->name : NULL;
	return 0;
}

/*
 * Adds the change of a record that has common names in both versions, if its content changed or a name was
 * renamed. `also` is set to its other names in next. All names of a declaration have the same content, so the
 * first common name shows whether it changed. Return: 0; an error of flatten_record().
 */
static int compare_pair(struct records *records, const struct diff_pair *pair, struct err *err)
{
	struct diff_pass *pass = records->pass;
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	struct diff_record_pair both = { .base_side = &pass->base, .next_side = &pass->next };
	const struct abi_record *gained = NULL, *lost = renamed_from(pass, pair, &gained);
	struct diff_change *change;
	size_t best;
	int rc;

	if (!lost &&
	    is_equal_record(records, &base->records[pair->in_base[0]], &next->records[pair->in_next[0]], 0))
		return 0;
	best = best_of(records, &pass->next, pair->in_next, pair->name_count);
	both.base = &base->records[pair->in_base[best]];
	both.next = &next->records[pair->in_next[best]];
	rc = add_compared(&change, pass, &both, lost ? lost : both.base, lost ? gained : both.next, err);
	if (change)
		diff_set_also(change, &pass->next.records, pair->next, pass->arena);
	return rc;
}

/* Adds the change of a renamed record, with all other names that it had or has. */
static int add_renamed(struct records *records, size_t base, size_t next, struct err *err)
{
	struct diff_pass *pass = records->pass;
	const struct diff_record_pair both = { best_of_group(records, &pass->base, base),
					       best_of_group(records, &pass->next, next), &pass->base,
					       &pass->next };
	const struct diff_group *was = &pass->base.records.group[base];
	const char **also =
		arena_array(pass->arena, was->count + pass->next.records.group[next].count, sizeof(*also));
	struct diff_change *change;
	int rc;

	if ((rc = add_compared(&change, pass, &both, both.base, both.next, err)))
		return rc;
	diff_set_also(change, &pass->next.records, next, pass->arena);
	memcpy(also, change->also, change->also_count * sizeof(*also));
	change->also = also;
	for (size_t i = 0; i < was->count; i++) {
		const char *name = pass->base.abi->records[was->index[i]].name;

		if (strcmp(name, change->base_name) && strcmp(name, change->name) &&
		    !diff_has_also(change, name))
			also[change->also_count++] = name;
	}
	sort_items(also, change->also_count, sizeof(*also), order_named);
	return 0;
}

/* --- records and enums of only one version -------------------------------------------------------------- */

void diff_one_sided(struct diff_pass *pass, enum abi_kind kind, bool is_added,
		    const struct diff_pairing *pairing, const size_t *partner, struct records *records)
{
	struct diff_side *side = is_added ? &pass->next : &pass->base;
	const struct diff_grouping *declared = kind == ABI_ENUM ? &side->enums : &side->records;
	const bool *is_lone = is_added ? pairing->next_gained : pairing->base_lost;
	const struct abi_items items = abi_items(side->abi, kind);
	size_t *lone = arena_array(pass->arena, items.count + 1, sizeof(*lone)),
	       *shared = arena_array(pass->arena, items.count + 1, sizeof(*shared));

	for (size_t g = 0; g < declared->group_count; g++) {
		const struct diff_group *group = &declared->group[g];
		size_t lone_count = 0, shared_count = 0, first;
		struct diff_change *change;
		const char **also;
		const void *item;

		for (size_t i = 0; i < group->count; i++) {
			if (is_lone[group->index[i]])
				lone[lone_count++] = group->index[i];
			else
				shared[shared_count++] = group->index[i];
		}
		if (partner[g] != SIZE_MAX || !lone_count)
			continue;
		first = best_of(records, side, lone, lone_count);
		item = items.first + lone[first] * items.size_bytes;
		change = diff_add_change(pass, kind, is_added ? NULL : item, is_added ? item : NULL);
		change->classes = is_added ? DIFF_ADDED : DIFF_REMOVED;
		if (shared_count)
			change->same_as =
				declared->names.name[shared[best_of(records, side, shared, shared_count)]];
		change->also = also = arena_array(pass->arena, lone_count, sizeof(*also));
		for (size_t i = 0; i < lone_count; i++)
			if (i != first)
				also[change->also_count++] = declared->names.name[lone[i]];
	}
}

/* --- the steps --------------------------------------------------------------------------------- */

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

int diff_records(struct diff_pass *pass, struct err *err)
{
	struct records records = { .pass = pass };
	const struct abi_record *to;
	int rc = 0;

	records.next_of = diff_no_indices(pass->base.records.group_count, pass->arena);
	records.base_of = diff_no_indices(pass->next.records.group_count, pass->arena);
	list_changed_types(&records);
	for (size_t i = 0; i < pass->records.pair_count && !rc; i++)
		rc = compare_pair(&records, &pass->records.pair[i], err);
	if (rc)
		return rc;
	find_by_ioctl(&records);
	rc = find_by_scalars(&records, err);
	for (size_t g = 0; g < pass->base.records.group_count && !rc; g++) {
		if (records.next_of[g] == SIZE_MAX)
			continue;
		pass->record_partner[g] = records.next_of[g];
		rc = add_renamed(&records, g, records.next_of[g], err);
	}
	if (rc)
		return rc;
	/* Names that were reported as renamed are not reported again as added and removed. */
	for (size_t i = 0; i < pass->records.pair_count; i++)
		if (renamed_from(pass, &pass->records.pair[i], &to))
			set_renamed(&records, pass->records.pair[i].base, pass->records.pair[i].next);
	diff_one_sided(pass, ABI_RECORD, false, &pass->records, records.next_of, &records);
	diff_one_sided(pass, ABI_RECORD, true, &pass->records, records.base_of, &records);
	return 0;
}

bool diff_same_params(const struct diff_pass *pass, const char *base, const char *next)
{
	const struct abi_record *was, *is;
	size_t group;

	if (!base || !next)
		return !base && !next;
	if (!compare_texts(base, next)) /* if the names are equal, the number of pairs does not matter */
		return true;
	was = abi_find_record(pass->base.abi, base);
	is = abi_find_record(pass->next.abi, next);
	if (!was || !is)
		return false;
	group = pass->base.records.of[was - pass->base.abi->records];
	return group != SIZE_MAX &&
	       pass->record_partner[group] == pass->next.records.of[is - pass->next.abi->records];
}
