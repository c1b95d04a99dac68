/*
 * diff/ioctls.c - which ioctls are the same, and what happened to them
 *
 * An ioctl is known by its name; under one name its number may change. If the
 * name is gone, the one that has its number now may be the same ioctl,
 * renamed, or another one that got the number. A number is what the driver
 * looks at, abi_ioctl_identity(): where that is type and nr, the size does not count. It counts as the same one if
 * both names are unknown to the other version, nothing else has that number,
 * and ioctl_rename.c finds proof. In all other cases the old one was removed and
 * the new one, added, says whose number it has: number_was.
 */
#include "diff/ioctl_flags.h"
#include "diff/ioctl_rename.h"
#include "diff/pass.h"
#include "diff/same_type.h"

#include <stdlib.h>
#include <string.h>

static void pair_up(struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	pass->base_partner[base - pass->base.abi->ioctls] = next;
	pass->next_partner[next - pass->next.abi->ioctls] = base;
}

static const struct abi_ioctl *next_partner(const struct diff_pass *pass, const struct abi_ioctl *next)
{
	return pass->next_partner[next - pass->next.abi->ioctls];
}

/* Those that have one family, number and name: all but a few. Both sides are sorted by these. */
static void match_equal(struct diff_pass *pass)
{
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	size_t i = 0, j = 0;

	while (i < base->ioctl_count && j < next->ioctl_count) {
		const struct abi_ioctl *x = &base->ioctls[i], *y = &next->ioctls[j];
		int order = diff_compare_texts(x->family, y->family);

		if (!order && x->number != y->number)
			order = x->number < y->number ? -1 : 1;
		if (!order)
			order = diff_compare_texts(x->name, y->name);
		if (!order)
			pair_up(pass, x, y);
		i += order <= 0;
		j += order >= 0;
	}
}

/* For qsort() of pointers: by name, family, number. */
static int compare_by_name(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a, *y = *(const struct abi_ioctl *const *)b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->family, y->family);
	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

/* The ioctls that have no partner, by name, family, number. Return: how many. */
static size_t list_single(const struct abi_ioctl ***out, const struct abi *abi, const struct abi_ioctl *const *partner,
			  struct arena *arena)
{
	const struct abi_ioctl **list;
	size_t count = 0;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		count += !partner[i];
	*out = list = arena_array(arena, count + 1, sizeof(const struct abi_ioctl *));
	count = 0;
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!partner[i])
			list[count++] = &abi->ioctls[i];
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_by_name);
	return count;
}

/*
 * One name, mostly one ioctl on each side: if it has another number, it is the
 * same all the same. If a table lists a name twice, equal numbers belong
 * together, and then the lowest ones that are left.
 */
static void match_names(struct diff_pass *pass)
{
	const struct abi_ioctl **base, **next;
	size_t base_count, next_count, i = 0, j = 0;

	match_equal(pass);
	base_count = list_single(&base, pass->base.abi, pass->base_partner, pass->arena);
	next_count = list_single(&next, pass->next.abi, pass->next_partner, pass->arena);
	while (i < base_count && j < next_count) {
		int order = strcmp(base[i]->name, next[j]->name);

		if (!order)
			order = strcmp(base[i]->family, next[j]->family);
		if (!order)
			pair_up(pass, base[i], next[j]);
		i += order <= 0;
		j += order >= 0;
	}
}

static int compare_identities(const struct abi_ioctl *a, const char *family, uint64_t identity)
{
	int order = diff_compare_texts(a->family, family);

	return order ? order : abi_ioctl_identity(a) < identity ? -1 : abi_ioctl_identity(a) > identity;
}

/* For qsort() of pointers: by family, identity, name, and then as documents are sorted. */
static int compare_by_identity(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a, *y = *(const struct abi_ioctl *const *)b;
	int order = compare_identities(x, y->family, abi_ioctl_identity(y));

	if (!order)
		order = diff_compare_texts(x->name, y->name);
	return order ? order : x < y ? -1 : x > y;
}

static const struct abi_ioctl *const *list_by_identity(const struct abi *abi, struct arena *arena)
{
	const struct abi_ioctl **list = arena_array(arena, abi->ioctl_count + 1, sizeof(const struct abi_ioctl *));

	for (size_t i = 0; i < abi->ioctl_count; i++)
		list[i] = &abi->ioctls[i];
	if (abi->ioctl_count > 1)
		qsort(list, abi->ioctl_count, sizeof(*list), compare_by_identity);
	return list;
}

/* Where the ioctls begin, or with @behind end, in @list that have the family and identity of @ioctl. */
static size_t identity_bound(const struct abi_ioctl *const *list, size_t count, const struct abi_ioctl *ioctl, bool behind)
{
	const uint64_t identity = abi_ioctl_identity(ioctl);
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_identities(list[middle], ioctl->family, identity) < behind)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The ioctls of a version that have the family and identity of @ioctl: how many, and the first, in @list. */
static size_t with_identity(const struct abi_ioctl *const **first, const struct abi_ioctl *const *list, size_t count,
			    const struct abi_ioctl *ioctl)
{
	size_t start = identity_bound(list, count, ioctl, false);

	*first = &list[start];
	return identity_bound(list, count, ioctl, true) - start;
}

static int match_number(struct diff_pass *pass, const struct abi_ioctl *base, struct err *err)
{
	const struct abi_ioctl *const *next, *const *rival;
	bool renamed;
	int rc;

	if (with_identity(&next, pass->next_by_identity, pass->next.abi->ioctl_count, base) != 1 || next_partner(pass, *next) ||
	    with_identity(&rival, pass->base_by_identity, pass->base.abi->ioctl_count, base) != 1)
		return 0;
	rc = diff_is_renamed_ioctl(&renamed, pass, base, *next, err);
	if (!rc && renamed)
		pair_up(pass, base, *next);
	return rc;
}

int diff_match_ioctls(struct diff_pass *pass, struct err *err)
{
	size_t base_count = pass->base.abi->ioctl_count, next_count = pass->next.abi->ioctl_count;

	pass->base_partner = arena_array(pass->arena, base_count + 1, sizeof(const struct abi_ioctl *));
	pass->next_partner = arena_array(pass->arena, next_count + 1, sizeof(const struct abi_ioctl *));
	pass->base_by_identity = list_by_identity(pass->base.abi, pass->arena);
	pass->next_by_identity = list_by_identity(pass->next.abi, pass->arena);
	match_names(pass);
	for (size_t i = 0; i < base_count; i++) {
		int rc = pass->base_partner[i] ? 0 : match_number(pass, &pass->base.abi->ioctls[i], err);

		if (rc)
			return rc;
	}
	return 0;
}

/* One version, as the other one's ioctls are looked for in it. */
struct other {
	const struct abi *abi;
	const struct abi_ioctl *const *by_identity;
	const struct abi_ioctl *const *partner; /* by index in @abi */
	const struct abi_ioctl *const *own_partner; /* by index in the version that asks */
	/*
	 * By index in @by_identity, for the first of those with one identity: the first of them, as the document has them, whose number
	 * is another one's in the version that asks, or nobody's.
	 */
	const struct abi_ioctl **leaver;
};

struct owners {
	struct other base, next;
};

static const struct abi_ioctl **list_leavers(const struct other *other, struct arena *arena)
{
	const struct abi_ioctl **leaver = arena_array(arena, other->abi->ioctl_count + 1, sizeof(const struct abi_ioctl *));

	for (size_t i = 0, start = 0; i < other->abi->ioctl_count; i++) {
		const struct abi_ioctl *one = other->by_identity[i], *here = other->partner[one - other->abi->ioctls];

		if (compare_identities(one, other->by_identity[start]->family, abi_ioctl_identity(other->by_identity[start])))
			start = i;
		if ((!here || abi_ioctl_identity(here) != abi_ioctl_identity(one)) && (!leaver[start] || one < leaver[start]))
			leaver[start] = one;
	}
	return leaver;
}

static void init_owners(struct owners *out, const struct diff_pass *pass)
{
	*out = (struct owners){ { pass->base.abi, pass->base_by_identity, pass->base_partner, pass->next_partner, NULL },
				{ pass->next.abi, pass->next_by_identity, pass->next_partner, pass->base_partner, NULL } };
	out->base.leaver = list_leavers(&out->base, pass->arena);
	out->next.leaver = list_leavers(&out->next, pass->arena);
}

/* Has one of @count ioctls of one identity, sorted by name, the name of @ioctl? */
static bool has_name(const struct abi_ioctl *const *list, size_t count, const struct abi_ioctl *ioctl)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = diff_compare_texts(list[middle]->name, ioctl->name);

		if (!order)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/*
 * Who has the number of @ioctl in the other version, and has it no more, or has not had it, in its own; NULL if nobody, or if @ioctl itself.
 * @index: of @ioctl in its document
 */
static const struct abi_ioctl *other_owner(const struct other *other, const struct abi_ioctl *ioctl, size_t index)
{
	const struct abi_ioctl *const *first, *partner = other->own_partner[index];
	size_t count = with_identity(&first, other->by_identity, other->abi->ioctl_count, ioctl);

	if (!count || has_name(first, count, ioctl) || (partner && !compare_identities(partner, ioctl->family, abi_ioctl_identity(ioctl))))
		return NULL;
	return other->leaver[first - other->by_identity];
}

static void set_former_owner(struct diff_change *change, const struct diff_pass *pass, const struct owners *owners)
{
	const struct abi_ioctl *owner, *now;

	if (!change->next_ioctl) {
		owner = other_owner(&owners->next, change->base_ioctl, (size_t)(change->base_ioctl - pass->base.abi->ioctls));
		change->number_was = owner ? owner->name : NULL;
		return;
	}
	if (!(owner = other_owner(&owners->base, change->next_ioctl, (size_t)(change->next_ioctl - pass->next.abi->ioctls))))
		return;
	now = pass->base_partner[owner - pass->base.abi->ioctls];
	change->number_was = owner->name;
	change->number_was_is_gone = !now;
	change->number_was_now = now ? now->number : 0;
}

/* The type that the number's size is of, as far as that is known. */
static const char *argument_of(const struct abi_ioctl *ioctl)
{
	return ioctl->argument ? ioctl->argument : ioctl->params;
}

/*
 * The classes of another argument. What is inside a record is told with the record, and that the parameters are another record
 * with the number: so records by value are left out, as long as there are as many.
 */
static int argument_classes(unsigned *classes, struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next, struct err *err)
{
	const char *before = argument_of(base), *after = argument_of(next);
	struct abi_type was, is;
	const struct diff_typed a = { &pass->base, &was, before }, b = { &pass->next, &is, after };
	bool knew = before && !abi_resolve_type(&was, pass->base.abi, before, NULL);
	bool knows = after && !abi_resolve_type(&is, pass->next.abi, after, NULL);
	int rc;

	*classes = 0;
	if (!knew || !knows) {
		*classes = (base->argument || next->argument) && diff_compare_texts(before ? before : "", after ? after : "") ? DIFF_LAYOUT : 0;
		return 0;
	}
	if (was.record && is.record && abi_same_dimensions(&was, &is))
		return 0;
	if (diff_same_element(&was, &is) && abi_same_dimensions(&was, &is) && !diff_compare_texts(before, after))
		return 0;
	if ((rc = diff_type_classes(classes, &a, &b, err)))
		return rc;
	if ((!was.record && was.scalar == ABI_POINTER) != (!is.record && is.scalar == ABI_POINTER))
		*classes |= DIFF_TRANSLATION;
	return 0;
}

static int compare_ioctls(unsigned *out, struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next, struct err *err)
{
	unsigned classes;
	int rc;

	if ((rc = argument_classes(&classes, pass, base, next, err)))
		return rc;
	if (base->number != next->number || base->encoding != next->encoding || base->varies != next->varies ||
	    !diff_same_params(pass, base->params, next->params))
		classes |= DIFF_NUMBER;
	else if (base->params && diff_compare_texts(base->params, next->params))
		classes |= DIFF_NAME;
	if (diff_compare_texts(base->name, next->name))
		classes |= DIFF_NAME;
	*out = classes;
	return 0;
}

static void add_ioctl(struct diff_pass *pass, const struct owners *owners, const struct abi_ioctl *base, const struct abi_ioctl *next, unsigned classes)
{
	struct diff_change seen = { .classes = classes }, *change;

	if (base && next)
		seen.classes |= diff_compare_flags(&seen.flags, &seen.flag_count, base, next, pass->arena);
	if (!seen.classes)
		return;
	change = diff_add_change(pass, ABI_IOCTL, next ? next->name : base->name);
	change->base_name = base && next && strcmp(base->name, next->name) ? base->name : NULL;
	change->family = next ? next->family : base->family;
	change->classes = seen.classes;
	change->flags = seen.flags;
	change->flag_count = seen.flag_count;
	change->base_ioctl = base;
	change->next_ioctl = next;
	set_former_owner(change, pass, owners);
}

int diff_ioctls(struct diff_pass *pass, struct err *err)
{
	struct owners owners;

	init_owners(&owners, pass);
	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *base = &pass->base.abi->ioctls[i], *next = pass->base_partner[i];
		unsigned classes = DIFF_REMOVED;
		int rc = next ? compare_ioctls(&classes, pass, base, next, err) : 0;

		if (rc)
			return rc;
		add_ioctl(pass, &owners, base, next, classes);
	}
	for (size_t j = 0; j < pass->next.abi->ioctl_count; j++)
		if (!pass->next_partner[j])
			add_ioctl(pass, &owners, NULL, &pass->next.abi->ioctls[j], DIFF_ADDED);
	return 0;
}
