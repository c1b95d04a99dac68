/*
 * diff/reported_with.c - find the changes that are reported with a different change
 *
 * 1. If all members of a changed record are declared in the same way in both versions, the record changed
 *    only because the types of its members changed. The changed types are its causes (because).
 * 2. A record that was added or removed inside a changed record is reported with the changed record (inside),
 *    unless it is the parameter record of an ioctl. Only members by value are inside; the target of a pointer
 *    is not.
 * 3. Items that were renamed together with an ioctl are reported with the ioctl (with): its parameter record,
 *    if only names in the record changed, and constants. For example, in the ioctl's name, COVERAGE became
 *    INSTRUMENTATION. If a constant with the word COVERAGE was removed, and a constant with INSTRUMENTATION
 *    instead and the same value was added, the constant was renamed. Such a constant can be the number of an
 *    interface or a message. Both names must begin like the ioctl's name. A record of several ioctls is
 *    reported with the first of them.
 */
#include "diff/internal.h"

/* --- records that changed because of other records ------------------------------------------ */

enum { DEPTH_MAX = 32 }; /* depth of nested unnamed records */

struct through {
	struct diff_pass *pass;
	size_t *base_change, *next_change; /* indexed by group: the index of its change, or SIZE_MAX */
	/* The state for the current record. */
	const char *cause[64];
	size_t cause_count;
	bool aligns; /* the alignment of one of the causes changed */
};

/*
 * Returns the record that a field contains by value; NULL if the field is a scalar, or its type cannot be
 * resolved. @element_bytes: the size of one element; 0 if the type cannot be resolved
 */
static const struct abi_record *held_by(struct diff_side *side, const struct abi_field *field,
					uint64_t *element_bytes)
{
	const struct abi_type *type;
	struct err err;

	*element_bytes = 0;
	if (abi_resolve_known(&type, &side->known, side->abi, field->type, &err))
		return NULL;
	*element_bytes = type->element_bytes;
	return type->record;
}

/* Returns the change of @record, a record of next or of base; NULL if there is none. */
static struct diff_change *change_of(const struct through *through, bool of_next,
				     const struct abi_record *record)
{
	const struct diff_side *side = of_next ? &through->pass->next : &through->pass->base;
	size_t group = side->records.of[record - side->abi->records], index;

	if (group == SIZE_MAX)
		return NULL;
	index = (of_next ? through->next_change : through->base_change)[group];
	return index == SIZE_MAX ? NULL : &through->pass->changes[index];
}

/* Adds the name of a changed record to the causes, once, if there is room. Notes a changed alignment. */
static void add_cause(struct through *through, const struct diff_change *change)
{
	through->aligns |= change->base_record->align_bytes != change->next_record->align_bytes;
	for (size_t i = 0; i < through->cause_count; i++)
		if (through->cause[i] == change->name)
			return;
	if (through->cause_count < sizeof(through->cause) / sizeof(*through->cause))
		through->cause[through->cause_count++] = change->name;
}

/*
 * Are all members declared in the same way in both versions? Adds the changed records that are members, also
 * of unnamed records, to the causes. @depth: the number of unnamed records around the members
 */
static bool same_members(struct through *through, const struct abi_record *base,
			 const struct abi_record *next, int depth)
{
	struct diff_pass *pass = through->pass;

	if (depth > DEPTH_MAX || base->field_count != next->field_count || base->is_union != next->is_union)
		return false;
	for (size_t i = 0; i < base->field_count; i++) {
		const struct abi_field *a = &base->fields[i], *b = &next->fields[i];
		uint64_t a_bytes, b_bytes;
		const struct abi_record *was = held_by(&pass->base, a, &a_bytes),
					*is = held_by(&pass->next, b, &b_bytes);
		const struct diff_change *change;

		if (compare_texts(a->name, b->name) || a->role != b->role ||
		    a->is_bitfield != b->is_bitfield || compare_texts(a->type, b->type) || !was != !is ||
		    (!is && (a->size_bits != b->size_bits || a_bytes != b_bytes)))
			return false;
		if (!is)
			continue;
		if (diff_side_is_unnamed(&pass->base, was) || diff_side_is_unnamed(&pass->next, is)) {
			if (!same_members(through, was, is, depth + 1))
				return false;
		} else if ((change = change_of(through, true, is)) && change->base_record &&
			   change->next_record) {
			add_cause(through, change);
		}
	}
	return true;
}

/*
 * Sets `because` of a changed record by rule 1. A renamed record has no causes. If the alignment of the
 * record changed, that of a cause must have changed, too.
 */
static void find_causes(struct through *through, struct diff_change *change)
{
	through->cause_count = 0;
	through->aligns = false;
	if (change->base_name || !same_members(through, change->base_record, change->next_record, 0) ||
	    !through->cause_count)
		return;
	if (change->base_record->align_bytes != change->next_record->align_bytes && !through->aligns)
		return;
	change->because = arena_memdup(through->pass->arena, through->cause,
				       through->cause_count * sizeof(*through->cause));
	change->because_count = through->cause_count;
}

/* Is the changed record the parameter record of an ioctl, not only the type of a member? */
static bool is_params(const struct diff_change *change)
{
	for (size_t i = 0; i < change->reach_count; i++)
		if (change->reached_by[i].through_count == 1)
			return true;
	return false;
}

/*
 * Sets `inside` to @holder for the records that were added (next) or removed (base) inside @record, and for
 * those inside them, so that all are reported with @holder. A record that is an ioctl's parameters, or for
 * which `inside` is already set, is left out.
 */
static void set_inside(struct through *through, bool of_next, const struct abi_record *record,
		       const char *holder, int depth)
{
	struct diff_side *side = of_next ? &through->pass->next : &through->pass->base;
	unsigned wanted = of_next ? DIFF_ADDED : DIFF_REMOVED;

	for (size_t i = 0; i < record->field_count && depth <= DEPTH_MAX; i++) {
		uint64_t bytes;
		const struct abi_record *held = held_by(side, &record->fields[i], &bytes);
		struct diff_change *change = held ? change_of(through, of_next, held) : NULL;

		if (held && diff_side_is_unnamed(side, held))
			set_inside(through, of_next, held, holder, depth + 1);
		if (!change || !(change->classes & wanted) || change->same_as || change->inside ||
		    is_params(change))
			continue;
		change->inside = holder;
		set_inside(through, of_next, held, holder, depth + 1);
	}
}

/*
 * Returns an array, indexed by group of records in one version, of the indices of their changes; SIZE_MAX if
 * there is none, or if only a name was added or removed.
 */
static size_t *index_changes(struct diff_pass *pass, bool of_next)
{
	const struct diff_side *side = of_next ? &pass->next : &pass->base;
	size_t *list = diff_no_indices(side->records.group_count, pass->arena);

	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];
		const struct abi_record *record = of_next ? change->next_record : change->base_record;
		size_t group =
			record && !change->same_as ? side->records.of[record - side->abi->records] : SIZE_MAX;

		if (group != SIZE_MAX)
			list[group] = i;
	}
	return list;
}

void diff_through(struct diff_pass *pass)
{
	struct through through = { .pass = pass, .base_change = index_changes(pass, false),
				   .next_change = index_changes(pass, true) };

	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (change->kind != ABI_RECORD || !change->base_record || !change->next_record)
			continue;
		find_causes(&through, change);
		set_inside(&through, true, change->next_record, change->name, 0);
		set_inside(&through, false, change->base_record, change->name, 0);
	}
}

/* --- items that were renamed together with an ioctl ------------------------------------------- */

/*
 * The largest number of renamed ioctls whose words are searched for in constants. NVIDIA renamed 18 ioctls in
 * 610.43.02.
 */
enum { WORDS_MAX = 256 };

/* The words of an ioctl's name that were replaced. They are not NUL-terminated. */
struct word_change {
	const char *ioctl; /* its name in next */
	const char *from, *to;
	size_t from_length, to_length;
};

static bool is_renamed_ioctl(const struct diff_change *change)
{
	return change->kind == ABI_IOCTL && change->base_name;
}

/*
 * Returns the name of the first renamed ioctl that has the renamed record as its parameters in both versions,
 * under any name of the record; else NULL. @by_params: index of renamed ioctls by their parameter record
 */
static const char *ioctl_of_record(const struct diff_pass *pass, const struct diff_name_index *by_params,
				   const struct diff_change *record)
{
	size_t first = diff_index_of(by_params, record->name, strlen(record->name));
	const char *params;

	for (size_t i = 0; i < record->also_count; i++) {
		size_t other = diff_index_of(by_params, record->also[i], strlen(record->also[i]));

		if (other < first)
			first = other;
	}
	params = first == SIZE_MAX ? NULL : pass->changes[first].base_ioctl->params;
	return params && (!strcmp(record->base_name, params) || diff_has_also(record, params))
		       ? pass->changes[first].name
		       : NULL;
}

/*
 * Sets @out to the words that were replaced in a renamed ioctl's name. Return: false if no word was removed,
 * or no word was added, as between FENCE_ATTACH and PRIME_FENCE_ATTACH, or if the names begin differently.
 */
static bool word_change_of(struct word_change *out, const struct diff_change *ioctl)
{
	size_t head = diff_shared_words(ioctl->base_name, ioctl->name), tail = 0;
	const char *from = ioctl->base_name + head, *to = ioctl->name + head;
	size_t from_length = strlen(from), to_length = strlen(to);

	for (size_t i = 1; i <= from_length && i <= to_length && from[from_length - i] == to[to_length - i];
	     i++)
		if (from[from_length - i] == '_')
			tail = i;
	*out = (struct word_change){ ioctl->name, from, to, from_length - tail, to_length - tail };
	return head && out->from_length && out->to_length;
}

/*
 * Returns the name of a constant with its words replaced as in the ioctl's name, in @arena; NULL if it does
 * not have the removed words, or does not begin like the ioctl's name.
 */
static const char *renamed_by(const struct word_change *words, const char *name, struct arena *arena)
{
	size_t first = strcspn(words->ioctl, "_") + 1, length = words->from_length;

	if (strncmp(name, words->ioctl, first))
		return NULL;
	for (const char *at = name; (at = memmem(at, strlen(at), words->from, length)); at++)
		if ((at == name || at[-1] == '_') && (!at[length] || at[length] == '_'))
			return arena_printf(arena, "%.*s%.*s%s", (int)(at - name), name,
					    (int)words->to_length, words->to, at + length);
	return NULL;
}

/*
 * Finds the new name of a removed constant: that of an added constant with the same value, if the words that
 * were replaced in a renamed ioctl's name lead from one name to the other. The change of the added constant
 * becomes a rename, and @removed loses its classes, so that it is dropped later. If several ioctls suggest a
 * rename, the ioctl with the most similar name is used.
 */
static void rename_constant(struct diff_pass *pass, const struct diff_name_index *added,
			    const struct word_change *words, size_t word_count, struct diff_change *removed)
{
	const struct word_change *best = NULL;
	struct diff_change *renamed = NULL;

	for (size_t i = 0; i < word_count; i++) {
		const char *name = renamed_by(&words[i], removed->name, pass->arena);
		size_t index = name ? diff_index_of(added, name, strlen(name)) : SIZE_MAX;
		struct diff_change *candidate = index == SIZE_MAX ? NULL : &pass->changes[index];

		if (!candidate || candidate->with ||
		    !abi_number_equal(candidate->next_constant->value, removed->base_constant->value) ||
		    (best && diff_closeness(candidate->name, words[i].ioctl) <=
				     diff_closeness(renamed->name, best->ioctl)))
			continue;
		best = &words[i];
		renamed = candidate;
	}
	if (!renamed)
		return;
	renamed->classes = DIFF_NAME;
	renamed->base_name = removed->name;
	renamed->base_constant = removed->base_constant;
	renamed->with = best->ioctl;
	removed->classes = 0;
}

void diff_renamed_with(struct diff_pass *pass)
{
	const char **params = arena_array(pass->arena, pass->change_count + 1, sizeof(*params));
	const char **constants = arena_array(pass->arena, pass->change_count + 1, sizeof(*constants));
	struct diff_name_index by_params, added;
	struct word_change words[WORDS_MAX];
	size_t word_count = 0, left = 0;
	bool any = false;

	for (size_t i = 0; i < pass->change_count; i++) {
		const struct diff_change *change = &pass->changes[i];

		if (change->kind == ABI_CONSTANT && change->classes == DIFF_ADDED)
			constants[i] = change->name;
		if (!is_renamed_ioctl(change))
			continue;
		any = true;
		params[i] = change->next_ioctl->params;
		if (word_count < WORDS_MAX)
			word_count += word_change_of(&words[word_count], change);
	}
	if (!any)
		return;
	diff_index_names(&by_params, params, pass->change_count, pass->arena);
	diff_index_names(&added, constants, pass->change_count, pass->arena);
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (change->kind == ABI_RECORD && change->base_name && change->classes == DIFF_NAME)
			change->with = ioctl_of_record(pass, &by_params, change);
		else if (change->kind == ABI_CONSTANT && change->classes == DIFF_REMOVED)
			rename_constant(pass, &added, words, word_count, change);
	}
	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].classes)
			pass->changes[left++] = pass->changes[i];
	pass->change_count = left;
}

/* --- which changes are reported with a different one --------------------------------------- */

struct under {
	struct diff_change *changes;
	struct diff_name_index by_name; /* changes of records by name; each name is unique */
};

/*
 * Returns the index of the change with which @change is reported: the change that it is inside, or the first
 * of its causes; SIZE_MAX if neither is in the list.
 */
static size_t reason_of(const struct under *under, const struct diff_change *change)
{
	size_t first = SIZE_MAX, index;

	for (size_t i = 0; i < change->because_count; i++) {
		index = diff_index_of(&under->by_name, change->because[i], strlen(change->because[i]));
		if (index < first)
			first = index;
	}
	index = change->inside ? diff_index_of(&under->by_name, change->inside, strlen(change->inside))
			       : SIZE_MAX;
	return index == SIZE_MAX ? first : index;
}

/*
 * Returns the last change in the chain of reasons that begins at change @start; NULL if @start has no reason
 * in the list, or if the chain is a circle: in a malformed document, a record can be inside itself.
 */
static const struct diff_change *root_of(const struct under *under, size_t start, size_t count)
{
	size_t at = start, steps = 0, reason;

	while (steps++ < count && (reason = reason_of(under, &under->changes[at])) != SIZE_MAX)
		at = reason;
	return at == start || steps > count ? NULL : &under->changes[at];
}

/*
 * Sets `under` and `reported`. A record R is listed under a changed record S if R changed only because S did,
 * or if R was added or removed inside S. If S is listed under a different change, R is, too. If there are
 * several such S, the first in the list counts; if there is none, R is listed separately. Items that were
 * renamed together with an ioctl are listed under the ioctl, if the list has it.
 */
void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena)
{
	const char **records = arena_array(arena, count + 1, sizeof(*records));
	const char **ioctls = arena_array(arena, count + 1, sizeof(*ioctls));
	const struct diff_change **list = arena_array(arena, count + 1, sizeof(const struct diff_change *));
	size_t *end = arena_array(arena, count + 1, sizeof(*end)), used = 0;
	struct under under = { .changes = changes };
	struct diff_name_index renamed;

	for (size_t i = 0; i < count; i++) {
		if (changes[i].kind == ABI_RECORD && !changes[i].same_as)
			records[i] = changes[i].name;
		else if (is_renamed_ioctl(&changes[i]))
			ioctls[i] = changes[i].name;
	}
	diff_index_names(&under.by_name, records, count, arena);
	diff_index_names(&renamed, ioctls, count, arena);
	for (size_t i = 0; i < count; i++) {
		const char *with = changes[i].with;
		size_t index = with ? diff_index_of(&renamed, with, strlen(with)) : SIZE_MAX;

		if (index != SIZE_MAX)
			changes[i].under = &changes[index];
		else if (!with && (changes[i].because_count || changes[i].inside))
			changes[i].under = root_of(&under, i, count);
		else
			changes[i].under = NULL;
	}
	/* A change that is reported with a renamed item is reported with the item's ioctl. */
	for (size_t i = 0; i < count; i++)
		if (changes[i].under && changes[i].under->under)
			changes[i].under = changes[i].under->under;
	/* `reported` is the reverse of `under`: each change gets its part of one common array. */
	for (size_t i = 0; i < count; i++)
		if (changes[i].under)
			end[changes[i].under - changes]++;
	for (size_t i = 0; i < count; i++) {
		changes[i].reported = list + used;
		changes[i].reported_count = end[i];
		end[i] = used;
		used += changes[i].reported_count;
	}
	for (size_t i = 0; i < count; i++)
		if (changes[i].under)
			list[end[changes[i].under - changes]++] = &changes[i];
}
