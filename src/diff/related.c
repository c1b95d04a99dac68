/*
 * diff/related.c - changes that are reported with another one
 *
 * 1. A record whose declaration is the same in both versions, member by member, changed only through the
 *    types of its members. Those of them that changed are its causes (because).
 * 2. A record that was added or removed inside a record that changed is reported with that one (inside),
 *    unless an ioctl has it as its parameters. Members are those that a record contains by value: the
 *    target of a pointer is not inside.
 * 3. The parameter record of a renamed ioctl, if nothing of it changed but names, and constants (with). If
 *    COVERAGE became INSTRUMENTATION in the ioctl's name, a removed constant with the word COVERAGE and an
 *    added one with INSTRUMENTATION instead and with the same value are one: the interface's number, a
 *    message's number. Both names begin as the ioctl's do. Each is reported with the ioctl; a record with
 *    the first of several.
 */
#include "diff/internal.h"

#include <stdlib.h>

/* --- records that changed through others ------------------------------------------------- */

enum { DEPTH_MAX = 32 }; /* of unnamed records in each other */

struct through {
	struct diff_pass *pass;
	size_t *base_change, *next_change; /* by group: the index of its change, or SIZE_MAX */
	/* The state for the record that is visited. */
	const char *cause[64];
	size_t cause_count;
	bool aligns; /* one of the causes has another alignment */
};

/* The record that a field holds by value; NULL if it is a scalar, or of a type that cannot be resolved. */
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

static void add_cause(struct through *through, const struct diff_change *change)
{
	through->aligns |= change->base_record->align_bytes != change->next_record->align_bytes;
	for (size_t i = 0; i < through->cause_count; i++)
		if (through->cause[i] == change->name)
			return;
	if (through->cause_count < sizeof(through->cause) / sizeof(*through->cause))
		through->cause[through->cause_count++] = change->name;
}

/* Is every member declared alike in both? Adds the record in a member to the causes, if it changed. */
static bool same_records(struct through *through, const struct abi_record *base,
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

		if (diff_compare_texts(a->name, b->name) || a->role != b->role ||
		    a->is_bitfield != b->is_bitfield || diff_compare_texts(a->type, b->type) || !was != !is ||
		    (!is && (a->size_bits != b->size_bits || a_bytes != b_bytes)))
			return false;
		if (!is)
			continue;
		if (diff_side_is_unnamed(&pass->base, was) || diff_side_is_unnamed(&pass->next, is)) {
			if (!same_records(through, was, is, depth + 1))
				return false;
		} else if ((change = change_of(through, true, is)) && change->base_record &&
			   change->next_record) {
			add_cause(through, change);
		}
	}
	return true;
}

static void find_causes(struct through *through, struct diff_change *change)
{
	through->cause_count = 0;
	through->aligns = false;
	if (change->base_name || !same_records(through, change->base_record, change->next_record, 0) ||
	    !through->cause_count)
		return;
	if (change->base_record->align_bytes != change->next_record->align_bytes && !through->aligns)
		return;
	change->because = arena_memdup(through->pass->arena, through->cause,
				       through->cause_count * sizeof(*through->cause));
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

/* All records that were added or removed inside @record on one side are inside @holder. */
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

/* By group: the index of the change that its record has. */
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

/* The most ioctls of which words are looked for in constants. NVIDIA renamed 18 at once (610.43.02). */
enum { WORDS_MAX = 256 };

/* In the name of an ioctl, whole words that became others. Not NUL-terminated. */
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
 * The first renamed ioctl that had the record as its parameters, and has it, by one of its names. @by_params:
 * first renamed ioctls
 */
static const char *ioctl_of_record(const struct diff_pass *pass, const struct diff_name_index *by_params,
				   const struct diff_change *record)
{
	size_t first = diff_name_index_find(by_params, record->name, strlen(record->name));
	const char *params;

	for (size_t i = 0; i < record->also_count; i++) {
		size_t other = diff_name_index_find(by_params, record->also[i], strlen(record->also[i]));

		if (other < first)
			first = other;
	}
	params = first == SIZE_MAX ? NULL : pass->changes[first].base_ioctl->params;
	return params && (!strcmp(record->base_name, params) || diff_has_also(record, params))
		       ? pass->changes[first].name
		       : NULL;
}

static void rename_records(struct diff_pass *pass)
{
	struct diff_name_index by_params = { 0 };

	for (size_t i = 0; i < pass->change_count; i++) {
		const char *params =
			is_renamed_ioctl(&pass->changes[i]) ? pass->changes[i].next_ioctl->params : NULL;

		if (params)
			diff_name_index_add(&by_params, params, i, pass->arena);
	}
	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		if (change->kind == ABI_RECORD && change->base_name && change->classes == DIFF_NAME)
			change->with = ioctl_of_record(pass, &by_params, change);
	}
	diff_name_index_release(&by_params);
}

/* Return: false if no word was removed, or none was added: FENCE_ATTACH and PRIME_FENCE_ATTACH. */
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
 * @name with the other words; NULL if it does not have the removed words, or begins otherwise than the
 * ioctl.
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
 * If a constant was added under the other name, with the same value and not yet reported with another, then
 * that change reports it, and @removed becomes empty. If several ioctls agree, the one with the most similar
 * name counts.
 */
static void rename_constant(struct diff_pass *pass, const struct diff_name_index *added,
			    const struct word_change *words, size_t word_count, struct diff_change *removed)
{
	const struct word_change *best = NULL;
	struct diff_change *renamed = NULL;

	for (size_t i = 0; i < word_count; i++) {
		const char *name = renamed_by(&words[i], removed->name, pass->arena);
		size_t index = name ? diff_name_index_find(added, name, strlen(name)) : SIZE_MAX;
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
	struct diff_name_index added = { 0 }; /* constants */
	struct word_change words[WORDS_MAX];
	size_t word_count = 0, left = 0;
	bool any = false;

	for (size_t i = 0; i < pass->change_count && word_count < WORDS_MAX; i++) {
		if (!is_renamed_ioctl(&pass->changes[i]))
			continue;
		any = true;
		word_count += word_change_of(&words[word_count], &pass->changes[i]);
	}
	if (!any)
		return;
	rename_records(pass);
	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].kind == ABI_CONSTANT && pass->changes[i].classes == DIFF_ADDED)
			diff_name_index_add(&added, pass->changes[i].name, i, pass->arena);
	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].kind == ABI_CONSTANT && pass->changes[i].classes == DIFF_REMOVED)
			rename_constant(pass, &added, words, word_count, &pass->changes[i]);
	diff_name_index_release(&added);
	for (size_t i = 0; i < pass->change_count; i++)
		if (pass->changes[i].classes)
			pass->changes[left++] = pass->changes[i];
	pass->change_count = left;
}

/* --- which changes are reported under another one ------------------------------------------ */

struct under {
	struct diff_change *changes;
	struct diff_name_index by_name; /* records on both sides, added or removed: each name once */
};

/* The first in the list of those that @change follows from; SIZE_MAX if it follows from none. */
static size_t reason_of(const struct under *under, const struct diff_change *change)
{
	size_t first = SIZE_MAX, index;

	for (size_t i = 0; i < change->because_count; i++) {
		index = diff_name_index_find(&under->by_name, change->because[i], strlen(change->because[i]));
		if (index < first)
			first = index;
	}
	index = change->inside ? diff_name_index_find(&under->by_name, change->inside, strlen(change->inside))
			       : SIZE_MAX;
	return index == SIZE_MAX ? first : index;
}

/* A record cannot be inside itself, but a document may say so: no chain is longer than the list. */
static const struct diff_change *root_of(const struct under *under, size_t start, size_t count)
{
	size_t at = start, steps = 0, reason;

	while (steps++ < count && (reason = reason_of(under, &under->changes[at])) != SIZE_MAX)
		at = reason;
	return at == start || steps > count ? NULL : &under->changes[at];
}

/* Items that were renamed together with the ioctl, and the items below them, are reported below the ioctl. */
static void set_with(struct diff_change *changes, size_t count, struct arena *arena)
{
	struct diff_name_index renamed = { 0 };

	for (size_t i = 0; i < count; i++)
		if (is_renamed_ioctl(&changes[i]))
			diff_name_index_add(&renamed, changes[i].name, i, arena);
	for (size_t i = 0; i < count; i++) {
		size_t index = changes[i].with ? diff_name_index_find(&renamed, changes[i].with,
								      strlen(changes[i].with))
					       : SIZE_MAX;

		if (changes[i].with)
			changes[i].under = index == SIZE_MAX ? NULL : &changes[index];
	}
	for (size_t i = 0; i < count; i++)
		if (changes[i].under && changes[i].under->under)
			changes[i].under = changes[i].under->under;
	diff_name_index_release(&renamed);
}

/* The reverse: counts first, and then gives each its part of one list. */
static void set_reported(struct diff_change *changes, size_t count, struct arena *arena)
{
	const struct diff_change **list = arena_array(arena, count + 1, sizeof(const struct diff_change *));
	size_t *end = arena_array(arena, count + 1, sizeof(*end)), used = 0;

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

/*
 * A record that changed only through others, or was added or removed inside one that changed, is reported
 * below that one, or below the change that reports that one. If there are several, the first in the list
 * counts. If none of them is in the list, the record is reported by itself. Items that were renamed
 * together with an ioctl are reported below it, if it is in the list.
 */
void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena)
{
	struct under under = { .changes = changes };

	for (size_t i = 0; i < count; i++)
		if (changes[i].kind == ABI_RECORD && !changes[i].same_as)
			diff_name_index_add(&under.by_name, changes[i].name, i, arena);
	for (size_t i = 0; i < count; i++)
		changes[i].under =
			changes[i].because_count || changes[i].inside ? root_of(&under, i, count) : NULL;
	diff_name_index_release(&under.by_name);
	set_with(changes, count, arena);
	set_reported(changes, count, arena);
}
