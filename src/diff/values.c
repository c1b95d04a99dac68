/*
 * diff/values.c - enums, aliases and constants: names that stand for a value or a type
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

/* The one value of @list that has @number and went, or came, with no name in common; NULL if none or several. */
static struct diff_value *only_with(struct diff_value *list, size_t count, struct abi_number number, bool added)
{
	struct diff_value *found = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct abi_number *side = added ? list[i].after : list[i].before;

		if ((list[i].before && list[i].after) || !side || !abi_number_equal(*side, number))
			continue;
		if (found)
			return NULL;
		found = &list[i];
	}
	return found;
}

/* An enumerator that went and one that came with its value are one that was renamed, if they are the only two. */
static size_t merge_renamed(struct diff_value *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct diff_value *came, *went;

		if (list[i].before || !list[i].after)
			continue;
		came = only_with(list, count, *list[i].after, true);
		went = only_with(list, count, *list[i].after, false);
		if (came != &list[i] || !went)
			continue;
		came->base_name = went->name;
		came->before = went->before;
		went->before = NULL; /* empty on both sides: dropped below */
	}
	for (size_t i = 0; i < count; i++)
		if (list[i].before || list[i].after)
			list[kept++] = list[i];
	return kept;
}

static size_t list_values(struct diff_value *list, const struct abi_enum *base, const struct abi_enum *next)
{
	size_t count = 0, i = 0, j = 0;

	while (i < base->value_count || j < next->value_count) {
		const struct abi_enumerator *was = i < base->value_count ? &base->values[i] : NULL;
		const struct abi_enumerator *is = j < next->value_count ? &next->values[j] : NULL;
		int order = !was ? 1 : !is ? -1 : strcmp(was->name, is->name);

		if (order < 0) {
			list[count++] = (struct diff_value){ .name = was->name, .before = &was->value };
			i++;
		} else if (order > 0) {
			list[count++] = (struct diff_value){ .name = is->name, .after = &is->value };
			j++;
		} else {
			if (!abi_number_equal(was->value, is->value))
				list[count++] = (struct diff_value){ is->name, NULL, &was->value, &is->value };
			i++;
			j++;
		}
	}
	return count;
}

static unsigned compare_enums(struct diff_change *change, const struct abi_enum *base, const struct abi_enum *next,
			      struct arena *arena)
{
	struct diff_value *list = arena_array(arena, base->value_count + next->value_count + 1, sizeof(*list));
	unsigned classes = 0;

	change->value_count = merge_renamed(list, list_values(list, base, next));
	change->values = list;
	for (size_t i = 0; i < change->value_count; i++)
		classes |= list[i].base_name ? DIFF_NAME : DIFF_VALUE;
	if (base->size_bytes != next->size_bytes || strcmp(base->type, next->type))
		classes |= DIFF_LAYOUT;
	return classes;
}

static void set_also(struct diff_change *change, const struct diff_side *side, size_t group, struct arena *arena)
{
	const struct diff_group *names = &side->enums.group[group];
	const char **also = arena_array(arena, names->count, sizeof(*also));

	for (size_t i = 0; i < names->count; i++) {
		const char *name = side->abi->enums[names->index[i]].name;

		if (strcmp(name, change->name))
			also[change->also_count++] = name;
	}
	change->also = also;
}

static void compare_enum_pair(struct diff_pass *pass, const struct diff_pair *pair)
{
	const char *name = pair->common[0];
	const struct abi_enum *base = abi_find_enum(pass->base.abi, name), *next = abi_find_enum(pass->next.abi, name);
	struct diff_change seen = { 0 }, *change;

	seen.classes = compare_enums(&seen, base, next, pass->arena);
	if (!seen.classes)
		return;
	change = diff_add_change(pass, ABI_ENUM, name);
	change->classes = seen.classes;
	change->values = seen.values;
	change->value_count = seen.value_count;
	change->base_enum = base;
	change->next_enum = next;
	set_also(change, &pass->next, pair->next, pass->arena);
}

/* @names: of one declaration, those that came or went; all of them if @same_as is NULL. */
static void add_enum(struct diff_pass *pass, bool is_added, const char **names, size_t count, const char *same_as)
{
	const struct diff_side *side = is_added ? &pass->next : &pass->base;
	struct diff_change *change = diff_add_change(pass, ABI_ENUM, names[0]);

	change->classes = is_added ? DIFF_ADDED : DIFF_REMOVED;
	*(is_added ? &change->next_enum : &change->base_enum) = abi_find_enum(side->abi, names[0]);
	change->also = names + 1;
	change->also_count = count - 1;
	change->same_as = same_as;
}

/* Names of one version only: one change for all that a declaration has of them. */
static void add_one_sided(struct diff_pass *pass, bool is_added, const bool *marked, const bool *told)
{
	const struct diff_side *side = is_added ? &pass->next : &pass->base;

	for (size_t g = 0; g < side->enums.group_count; g++) {
		const struct diff_group *group = &side->enums.group[g];
		const char **names = arena_array(pass->arena, group->count, sizeof(*names));
		const char *same_as = NULL;
		size_t count = 0;

		for (size_t i = 0; i < group->count; i++) {
			const char *name = side->abi->enums[group->index[i]].name;

			if (marked[group->index[i]])
				names[count++] = name;
			else if (!same_as)
				same_as = name;
		}
		if (count && !told[g])
			add_enum(pass, is_added, names, count, same_as);
	}
}

/* Enumerators have names of their own, which no other enum can have: equal lists are one enum. */
static void add_renamed(struct diff_pass *pass, const struct diff_pairing *pairing, bool *base_told, bool *next_told)
{
	for (size_t g = 0; g < pass->base.enums.group_count; g++) {
		const struct abi_enum *base = diff_side_enum(&pass->base, g);

		if (pairing->base_pairs[g] || !base->value_count)
			continue;
		for (size_t h = 0; h < pass->next.enums.group_count; h++) {
			const struct abi_enum *next = diff_side_enum(&pass->next, h);
			struct diff_change *change;

			if (pairing->next_pairs[h] || next_told[h] || !diff_same_values(base, next))
				continue;
			base_told[g] = next_told[h] = true;
			change = diff_add_change(pass, ABI_ENUM, next->name);
			change->base_name = base->name;
			change->base_enum = base;
			change->next_enum = next;
			change->classes = DIFF_NAME | (base->size_bytes != next->size_bytes ? DIFF_LAYOUT : 0u);
			set_also(change, &pass->next, h, pass->arena);
			break;
		}
	}
}

void diff_enums(struct diff_pass *pass)
{
	bool *base_told = arena_array(pass->arena, pass->base.enums.group_count + 1, sizeof(bool));
	bool *next_told = arena_array(pass->arena, pass->next.enums.group_count + 1, sizeof(bool));
	struct diff_pairing pairing;

	diff_pair_names(&pairing, &pass->base.enums, &pass->next.enums, pass->arena);
	for (size_t i = 0; i < pairing.pair_count; i++)
		compare_enum_pair(pass, &pairing.pair[i]);
	add_renamed(pass, &pairing, base_told, next_told);
	add_one_sided(pass, false, pairing.base_lost, base_told);
	add_one_sided(pass, true, pairing.next_gained, next_told);
}

/* Is the alias still the same scalar, however C spells it? What cannot be resolved is no longer the same. */
static bool same_scalar(const struct diff_pass *pass, const struct abi_alias *base, const struct abi_alias *next)
{
	struct abi_type was, is;

	if (base->size_bytes != next->size_bytes || abi_resolve_type(&was, pass->base.abi, base->name, NULL) ||
	    abi_resolve_type(&is, pass->next.abi, next->name, NULL))
		return false;
	return !was.record && !is.record && was.scalar == is.scalar && was.scalar != ABI_BYTES &&
	       was.element_bytes == is.element_bytes && was.count == is.count;
}

/* An enum may stand among the aliases as well, as itself; then the enum tells. */
static bool is_enum_itself(const struct abi *abi, const struct abi_alias *alias)
{
	return abi_find_enum(abi, alias->name) != NULL;
}

static void add_alias(struct diff_pass *pass, const struct abi_alias *base, const struct abi_alias *next, unsigned classes)
{
	struct diff_change *change;

	if ((!base || is_enum_itself(pass->base.abi, base)) && (!next || is_enum_itself(pass->next.abi, next)))
		return;
	change = diff_add_change(pass, ABI_ALIAS, next ? next->name : base->name);
	change->base_alias = base;
	change->next_alias = next;
	change->classes = classes;
}

static void compare_aliases(struct diff_pass *pass, const struct abi_alias *base, const struct abi_alias *next)
{
	if (base->size_bytes == next->size_bytes && !strcmp(base->type, next->type))
		return;
	add_alias(pass, base, next, same_scalar(pass, base, next) ? DIFF_NAME : DIFF_LAYOUT);
}

void diff_aliases(struct diff_pass *pass)
{
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	size_t i = 0, j = 0;

	while (i < base->alias_count || j < next->alias_count) {
		int order = i == base->alias_count ? 1 : j == next->alias_count ? -1 :
			    strcmp(base->aliases[i].name, next->aliases[j].name);

		if (order < 0)
			add_alias(pass, &base->aliases[i++], NULL, DIFF_REMOVED);
		else if (order > 0)
			add_alias(pass, NULL, &next->aliases[j++], DIFF_ADDED);
		else
			compare_aliases(pass, &base->aliases[i++], &next->aliases[j++]);
	}
}

/*
 * A constant that is an ioctl's number has been told with the ioctl: that one
 * came or went with it, or is on both sides and has the same two numbers.
 */
static bool is_told_by_ioctl(const struct diff_pass *pass, const struct abi_constant *base, const struct abi_constant *next)
{
	const char *name = next ? next->name : base->name;
	const struct abi_ioctl *was = diff_side_ioctl(&pass->base, name), *is = diff_side_ioctl(&pass->next, name);

	if (!was != !base || !is != !next)
		return false;
	return (!base || base->value.magnitude == was->number) && (!next || next->value.magnitude == is->number);
}

/* Is it the number of an ioctl, by what the driver or the proxy says? Then another value is another number. */
static bool is_ioctl_number(const struct diff_pass *pass, const char *name)
{
	const struct table_view *view = pass->options->view;

	if (diff_side_ioctl(&pass->base, name) || diff_side_ioctl(&pass->next, name))
		return true;
	for (size_t i = 0; view && i < view->entry_count; i++)
		if (view->entries[i]->constant && !strcmp(view->entries[i]->constant, name))
			return true;
	return false;
}

static void add_constant(struct diff_pass *pass, const struct abi_constant *base, const struct abi_constant *next)
{
	struct diff_change *change;

	if (is_told_by_ioctl(pass, base, next))
		return;
	change = diff_add_change(pass, ABI_CONSTANT, next ? next->name : base->name);
	change->base_constant = base;
	change->next_constant = next;
	if (base && next)
		change->classes = is_ioctl_number(pass, change->name) ? DIFF_NUMBER : DIFF_VALUE;
	else
		change->classes = next ? DIFF_ADDED : DIFF_REMOVED;
}

void diff_constants(struct diff_pass *pass)
{
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	size_t i = 0, j = 0;

	while (i < base->constant_count || j < next->constant_count) {
		int order = i == base->constant_count ? 1 : j == next->constant_count ? -1 :
			    strcmp(base->constants[i].name, next->constants[j].name);

		if (order < 0) {
			add_constant(pass, &base->constants[i++], NULL);
		} else if (order > 0) {
			add_constant(pass, NULL, &next->constants[j++]);
		} else {
			if (!abi_number_equal(base->constants[i].value, next->constants[j].value))
				add_constant(pass, &base->constants[i], &next->constants[j]);
			i++;
			j++;
		}
	}
}
