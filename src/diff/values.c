/*
 * diff/values.c - find the enums, aliases and constants that were added, removed or changed
 *
 * 1. Enums of both versions with a common name are the same enum. A change is reported once for all its
 *    names. If a removed and an added enumerator have the same value, the enumerator was renamed.
 * 2. Among the other enums, add_renamed_enums() finds renamed ones.
 * 3. The remaining enums, or names of enums, were added or removed.
 */
#include "diff/internal.h"

/* --- enumerators -------------------------------------------------------------------------- */

static bool is_one_sided(const struct diff_value *value)
{
	return !value->before || !value->after;
}

static struct abi_number enumerator_number(const struct diff_value *value)
{
	return value->after ? *value->after : *value->before;
}

/* Orders enumerators: first those of only one version, then by number, then by name. */
static int compare_by_number(const void *a, const void *b)
{
	const struct diff_value *x = *(const struct diff_value *const *)a,
				*y = *(const struct diff_value *const *)b;

	return is_one_sided(y) - is_one_sided(x)
		?: abi_number_compare(enumerator_number(x), enumerator_number(y)) ?: strcmp(x->name, y->name);
}

/*
 * Merges a removed and an added enumerator with the same value into a renamed enumerator, if no other
 * enumerator with that value was added or removed. Return: the new number of values.
 */
static size_t merge_renamed(struct diff_value *list, size_t count, struct arena *arena)
{
	struct diff_value **order = arena_array(arena, count + 1, sizeof(struct diff_value *));
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = &list[i];
	sort_items(order, count, sizeof(*order), compare_by_number);
	for (size_t i = 0, end; i < count && is_one_sided(order[i]); i = end) {
		struct diff_value *added, *removed;

		for (end = i + 1; end < count && is_one_sided(order[end]) &&
				  abi_number_equal(enumerator_number(order[i]),
						   enumerator_number(order[end])); end++)
			;
		added = order[i]->after ? order[i] : order[end - 1];
		removed = added == order[i] ? order[end - 1] : order[i];
		if (end - i != 2 || !added->after || !removed->before)
			continue;
		added->base_name = removed->name;
		added->before = removed->before;
		removed->before = NULL; /* now in neither version, so it is dropped below */
	}
	for (size_t i = 0; i < count; i++)
		if (list[i].before || list[i].after)
			list[left++] = list[i];
	return left;
}

/*
 * Lists the enumerators that differ, in a walk over both enums, which are sorted by name. Return: their
 * number.
 */
static size_t list_values(struct diff_value *list, const struct abi_enum *base, const struct abi_enum *next)
{
	size_t count = 0, i = 0, j = 0;

	while (i < base->value_count || j < next->value_count) {
		const struct abi_enumerator *was = i < base->value_count ? &base->values[i] : NULL;
		const struct abi_enumerator *is = j < next->value_count ? &next->values[j] : NULL;
		int order = !was ? 1 : !is ? -1 : strcmp(was->name, is->name);

		if (order || !abi_number_equal(was->value, is->value))
			list[count++] = (struct diff_value){ order < 0 ? was->name : is->name, NULL,
							     order <= 0 ? &was->value : NULL,
							     order >= 0 ? &is->value : NULL };
		i += order <= 0;
		j += order >= 0;
	}
	return count;
}

/* --- enums ---------------------------------------------------------------------------------- */

static bool same_storage(const struct abi_enum *base, const struct abi_enum *next)
{
	return base->size_bytes == next->size_bytes && !strcmp(base->type, next->type);
}

/*
 * An enum of only one version, and its first enumerator. In C, no other enum can have an enumerator with this
 * name.
 */
struct lone_enum {
	const char *first;
	bool is_next;
	size_t group;
};

/* Orders enums by first enumerator, base before next, so that add_renamed_enums() finds pairs adjacent. */
static int compare_lone_enums(const void *a, const void *b)
{
	const struct lone_enum *x = a, *y = b;

	return strcmp(x->first, y->first) ?: x->is_next - y->is_next ?: compare_numbers(x->group, y->group);
}

/* Appends the enums of one version without a common name, except empty ones. Return: the new count. */
static size_t list_lone_enums(struct lone_enum *list, size_t count, const struct diff_side *side,
			      const size_t *pairs, bool is_next)
{
	for (size_t g = 0; g < side->enums.group_count; g++) {
		const struct abi_enum *one = diff_side_enum(side, g);

		if (!pairs[g] && one->value_count)
			list[count++] = (struct lone_enum){ one->values[0].name, is_next, g };
	}
	return count;
}

/*
 * Adds the changes of renamed enums, and sets next_of and base_of to their groups in the other version. Enums
 * with the same enumerators are the same enum, because in C, two enums cannot have the same enumerator.
 */
static void add_renamed_enums(struct diff_pass *pass, const struct diff_pairing *pairing, size_t *next_of,
			      size_t *base_of)
{
	struct lone_enum *list =
		arena_array(pass->arena, pass->base.enums.group_count + pass->next.enums.group_count + 1,
			    sizeof(*list));
	size_t count = list_lone_enums(list, 0, &pass->base, pairing->base_pairs, false);

	count = list_lone_enums(list, count, &pass->next, pairing->next_pairs, true);
	sort_items(list, count, sizeof(*list), compare_lone_enums);
	for (size_t i = 0, middle, end; i < count; i = end) {
		for (middle = i;
		     middle < count && !list[middle].is_next && !strcmp(list[middle].first, list[i].first);
		     middle++)
			;
		for (end = middle; end < count && !strcmp(list[end].first, list[i].first); end++)
			;
		for (size_t k = 0; i + k < middle && middle + k < end; k++) {
			size_t g = list[i + k].group, h = list[middle + k].group;
			const struct abi_enum *base = diff_side_enum(&pass->base, g),
					      *next = diff_side_enum(&pass->next, h);
			struct diff_change *change;

			if (!diff_same_values(base, next))
				continue;
			next_of[g] = h;
			base_of[h] = g;
			change = diff_add_change(pass, ABI_ENUM, base, next);
			change->base_name = base->name;
			change->classes = DIFF_NAME | (same_storage(base, next) ? 0u : DIFF_LAYOUT);
			diff_set_also(change, &pass->next.enums, h, pass->arena);
		}
	}
}

void diff_enums(struct diff_pass *pass)
{
	size_t *next_of = diff_no_indices(pass->base.enums.group_count, pass->arena); /* see records.c */
	size_t *base_of = diff_no_indices(pass->next.enums.group_count, pass->arena);
	struct diff_pairing pairing;

	diff_pair_names(&pairing, &pass->base.enums, &pass->next.enums, pass->arena);
	for (size_t p = 0; p < pairing.pair_count; p++) {
		const struct diff_pair *pair = &pairing.pair[p];
		const struct abi_enum *base = &pass->base.abi->enums[pair->in_base[0]],
				      *next = &pass->next.abi->enums[pair->in_next[0]];
		bool same = same_storage(base, next);
		struct diff_change *change;
		struct diff_value *list;

		if (same && diff_same_values(base, next))
			continue;
		list = arena_array(pass->arena, base->value_count + next->value_count + 1, sizeof(*list));
		change = diff_add_change(pass, ABI_ENUM, base, next);
		change->value_count = merge_renamed(list, list_values(list, base, next), pass->arena);
		change->values = list;
		change->classes = same ? 0 : DIFF_LAYOUT;
		for (size_t i = 0; i < change->value_count; i++)
			change->classes |= list[i].base_name ? DIFF_NAME : DIFF_VALUE;
		diff_set_also(change, &pass->next.enums, pair->next, pass->arena);
	}
	add_renamed_enums(pass, &pairing, next_of, base_of);
	diff_one_sided(pass, ABI_ENUM, false, &pairing, next_of, NULL);
	diff_one_sided(pass, ABI_ENUM, true, &pairing, base_of, NULL);
}

/* --- all names of one kind in both versions --------------------------------------------------- */

/*
 * Calls @compare for each name of one kind, with the items of both versions. An item is NULL if its version
 * does not have the name. Return: 0, or the first error of @compare.
 */
static int compare_items_of_kind(struct diff_pass *pass, enum abi_kind kind,
				 int (*compare)(struct diff_pass *, const void *base, const void *next,
						struct err *),
				 struct err *err)
{
	const struct abi_items base = abi_items(pass->base.abi, kind), next = abi_items(pass->next.abi, kind);
	size_t i = 0, j = 0;
	int rc = 0;

	while (!rc && (i < base.count || j < next.count)) {
		const void *was = i < base.count ? base.first + i * base.size_bytes : NULL;
		const void *is = j < next.count ? next.first + j * next.size_bytes : NULL;
		int order = !was  ? 1
			    : !is ? -1
				  : compare_texts(abi_item_name(kind, was), abi_item_name(kind, is));

		rc = compare(pass, order <= 0 ? was : NULL, order >= 0 ? is : NULL, err);
		i += order <= 0;
		j += order >= 0;
	}
	return rc;
}

/* --- aliases --------------------------------------------------------------------------------- */

/* Adds an alias's change, if any. An enum that is listed as an alias of itself is reported as an enum. */
static int compare_aliases(struct diff_pass *pass, const void *base, const void *next, struct err *err)
{
	const struct abi_alias *was = base, *is = next;
	unsigned classes = was ? DIFF_REMOVED : DIFF_ADDED;
	int rc;

	if (was && is) {
		struct abi_type old, new;
		const struct diff_typed before = { &pass->base, &old, was->type },
					after = { &pass->next, &new, is->type };

		if (abi_same_item(ABI_ALIAS, was, is))
			return 0;
		classes = DIFF_LAYOUT; /* also if a type cannot be resolved */
		if (was->size_bytes == is->size_bytes &&
		    !abi_resolve_type(&old, pass->base.abi, was->name, NULL) &&
		    !abi_resolve_type(&new, pass->next.abi, is->name, NULL) &&
		    (rc = diff_type_classes(&classes, &before, &after, err)))
			return rc;
	}
	if ((!was || abi_find_enum(pass->base.abi, was->name)) &&
	    (!is || abi_find_enum(pass->next.abi, is->name)))
		return 0;
	diff_add_change(pass, ABI_ALIAS, was, is)->classes = classes ? classes : DIFF_NAME;
	return 0;
}

int diff_aliases(struct diff_pass *pass, struct err *err)
{
	return compare_items_of_kind(pass, ABI_ALIAS, compare_aliases, err);
}

/* --- constants that are not reported with an ioctl ---------------------------------------------- */

static const struct abi_ioctl *ioctl_named(struct diff_side *side, const char *name)
{
	return diff_side_find(side, ABI_IOCTL, name, strlen(name));
}

/*
 * Is the constant the number of the ioctl with its name, so that it is reported with the ioctl? The versions
 * that have the constant must be those that have the ioctl, with the constant's value as its number.
 * @base, @next: NULL if the version does not have the constant
 */
static bool is_reported_with_ioctl(struct diff_pass *pass, const struct abi_constant *base,
				   const struct abi_constant *next)
{
	const char *name = next ? next->name : base->name;
	const struct abi_ioctl *was = ioctl_named(&pass->base, name), *is = ioctl_named(&pass->next, name);

	if (!was != !base || !is != !next)
		return false;
	return (!base || abi_number_equal(base->value, abi_number_unsigned(was->number))) &&
	       (!next || abi_number_equal(next->value, abi_number_unsigned(is->number)));
}

/*
 * Is the constant the number of an ioctl, according to the driver or the proxy? If so, a changed value means
 * that the ioctl's number changed.
 */
static bool is_ioctl_number(struct diff_pass *pass, const char *name)
{
	const struct table_view *view = pass->options->view;

	if (ioctl_named(&pass->base, name) || ioctl_named(&pass->next, name))
		return true;
	for (size_t i = 0; view && i < view->entry_count; i++)
		if (view->entries[i]->constant && !strcmp(view->entries[i]->constant, name))
			return true;
	return false;
}

/* Adds the change of a constant, if any, unless it is reported with its ioctl. Return: 0 */
static int compare_constants(struct diff_pass *pass, const void *base, const void *next, struct err *err)
{
	const struct abi_constant *was = base, *is = next;
	struct diff_change *change;

	(void)err;
	if ((was && is && abi_number_equal(was->value, is->value)) || is_reported_with_ioctl(pass, was, is))
		return 0;
	change = diff_add_change(pass, ABI_CONSTANT, was, is);
	if (was && is)
		change->classes = is_ioctl_number(pass, change->name) ? DIFF_NUMBER : DIFF_VALUE;
	else
		change->classes = is ? DIFF_ADDED : DIFF_REMOVED;
	return 0;
}

void diff_constants(struct diff_pass *pass)
{
	compare_items_of_kind(pass, ABI_CONSTANT, compare_constants, NULL);
}
