/*
 * diff/ioctls.c - which ioctls are the same, and what happened to them
 *
 * An ioctl is known by its name; under one name its number may change. If the
 * name is gone, the one that has its number now may be the same ioctl,
 * renamed, or another one that got the number. It is taken for the same one if
 * both names are unknown to the other version and nothing else has that
 * number, and
 *
 *   it takes the same parameter record, or
 *   its parameters have equal leaves, or neither has any, and the names are alike, or
 *   its parameters have equal leaves, and enough of them to be no accident.
 *
 * In all other cases the old one was removed and the new one, added, says
 * whose number it has: number_was.
 */
#include "diff/classify.h"
#include "diff/pass.h"

#include <string.h>

enum { LEAVES_THAT_PROVE = 4 };

static void make_partners(struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	pass->base_partner[base - pass->base.abi->ioctls] = next;
	pass->next_partner[next - pass->next.abi->ioctls] = base;
}

static const struct abi_ioctl *base_partner(const struct diff_pass *pass, const struct abi_ioctl *base)
{
	return pass->base_partner[base - pass->base.abi->ioctls];
}

static const struct abi_ioctl *next_partner(const struct diff_pass *pass, const struct abi_ioctl *next)
{
	return pass->next_partner[next - pass->next.abi->ioctls];
}

/* The end of the run that begins at @i, of ioctls with one name and family. */
static size_t run_end(const struct diff_side *side, size_t i)
{
	size_t end = i + 1;

	while (end < side->abi->ioctl_count && !diff_compare_ioctls(&side->ioctls[i], &side->ioctls[end]))
		end++;
	return end;
}

/* One name, mostly one ioctl on each side; if a table lists it twice, equal numbers belong together. Both runs are by number. */
static void match_run(struct diff_pass *pass, size_t i, size_t i_end, size_t j, size_t j_end)
{
	const struct abi_ioctl **base = pass->base.ioctls, **next = pass->next.ioctls;

	for (size_t x = i, y = j; x < i_end && y < j_end;) {
		if (base[x]->number == next[y]->number)
			make_partners(pass, base[x++], next[y++]);
		else if (base[x]->number < next[y]->number)
			x++;
		else
			y++;
	}
	for (; j < j_end; j++) {
		while (i < i_end && base_partner(pass, base[i]))
			i++;
		if (i < i_end && !next_partner(pass, next[j]))
			make_partners(pass, base[i], next[j]);
	}
}

static void match_names(struct diff_pass *pass)
{
	size_t i = 0, j = 0;

	while (i < pass->base.abi->ioctl_count && j < pass->next.abi->ioctl_count) {
		int order = diff_compare_ioctls(&pass->base.ioctls[i], &pass->next.ioctls[j]);
		size_t i_end = run_end(&pass->base, i), j_end = run_end(&pass->next, j);

		if (!order)
			match_run(pass, i, i_end, j, j_end);
		if (order <= 0)
			i = i_end;
		if (order >= 0)
			j = j_end;
	}
}

/* The first of @family that is not before @number; ioctls are sorted by these two. */
static size_t lower_bound(const struct abi *abi, const char *family, uint64_t number)
{
	size_t low = 0, high = abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct abi_ioctl *ioctl = &abi->ioctls[middle];
		int order = strcmp(ioctl->family, family);

		if (order < 0 || (!order && ioctl->number < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The ioctls of @abi with a family and number: how many, and the first. */
static size_t with_number(const struct abi_ioctl **first, const struct abi *abi, const char *family, uint64_t number)
{
	size_t start = lower_bound(abi, family, number), i = start;

	while (i < abi->ioctl_count && abi->ioctls[i].number == number && !strcmp(abi->ioctls[i].family, family))
		i++;
	*first = i > start ? &abi->ioctls[start] : NULL;
	return i - start;
}

static int params_equal(bool *out, size_t *leaves, struct diff_pass *pass, const char *base, const char *next, struct err *err)
{
	struct diff_record_pair pair = { NULL, NULL, &pass->base, &pass->next };
	const struct abi_layout *layout;
	int rc;

	*out = false;
	*leaves = 0;
	pair.base = base ? abi_find_record(pass->base.abi, base) : NULL;
	pair.next = next ? abi_find_record(pass->next.abi, next) : NULL;
	if (!pair.base || !pair.next) {
		*out = !base && !next;
		return 0;
	}
	if ((rc = diff_same_leaves(out, &pair, err)) || (rc = diff_side_layout(&layout, &pass->base, pair.base, err)))
		return rc;
	*leaves = layout->leaf_count;
	return 0;
}

static int match_number(struct diff_pass *pass, const struct abi_ioctl *base, struct err *err)
{
	const struct abi_ioctl *next, *rival;
	size_t leaves;
	bool equal;
	int rc;

	if (with_number(&next, pass->next.abi, base->family, base->number) != 1 || next_partner(pass, next) ||
	    with_number(&rival, pass->base.abi, base->family, base->number) != 1)
		return 0;
	if (base->params && diff_same_params(pass, base->params, next->params)) {
		make_partners(pass, base, next);
		return 0;
	}
	if ((rc = params_equal(&equal, &leaves, pass, base->params, next->params, err)))
		return rc;
	if (equal && (leaves >= LEAVES_THAT_PROVE || diff_alike(base->name, next->name)))
		make_partners(pass, base, next);
	return 0;
}

int diff_match_ioctls(struct diff_pass *pass, struct err *err)
{
	size_t base_count = pass->base.abi->ioctl_count, next_count = pass->next.abi->ioctl_count;

	pass->base_partner = arena_array(pass->arena, base_count + 1, sizeof(const struct abi_ioctl *));
	pass->next_partner = arena_array(pass->arena, next_count + 1, sizeof(const struct abi_ioctl *));
	match_names(pass);
	for (size_t i = 0; i < base_count; i++) {
		int rc = pass->base_partner[i] ? 0 : match_number(pass, &pass->base.abi->ioctls[i], err);

		if (rc)
			return rc;
	}
	return 0;
}

static bool same_access(const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	if (base->flag_count != next->flag_count || !base->access != !next->access)
		return false;
	for (size_t i = 0; i < base->flag_count; i++)
		if (strcmp(base->flags[i], next->flags[i]))
			return false;
	return !base->access || !strcmp(base->access, next->access);
}

/* Whose the number is in the other version: NULL if nobody's, or if @partner has it there. */
static const char *other_owner(const struct abi *other, const struct abi_ioctl *ioctl, const struct abi_ioctl *partner)
{
	const struct abi_ioctl *first;
	size_t count = with_number(&first, other, ioctl->family, ioctl->number);

	for (size_t i = 0; i < count; i++)
		if (&first[i] == partner || !strcmp(first[i].name, ioctl->name))
			return NULL;
	return count ? first->name : NULL;
}

static unsigned compare_ioctls(const struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next)
{
	unsigned classes = 0;

	if (base->number != next->number || !diff_same_params(pass, base->params, next->params))
		classes |= DIFF_NUMBER;
	else if (base->params && strcmp(base->params, next->params))
		classes |= DIFF_NAME;
	if (strcmp(base->name, next->name))
		classes |= DIFF_NAME;
	if (!same_access(base, next))
		classes |= DIFF_VALUE;
	return classes;
}

static void add_ioctl(struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next, unsigned classes)
{
	struct diff_change *change;

	if (!classes)
		return;
	change = diff_add_change(pass, ABI_IOCTL, next ? next->name : base->name);
	change->base_name = base && next && strcmp(base->name, next->name) ? base->name : NULL;
	change->family = next ? next->family : base->family;
	change->classes = classes;
	change->base_ioctl = base;
	change->next_ioctl = next;
	change->access_changed = base && next && !same_access(base, next);
	change->number_was = next ? other_owner(pass->base.abi, next, base) : other_owner(pass->next.abi, base, NULL);
}

void diff_ioctls(struct diff_pass *pass)
{
	for (size_t i = 0; i < pass->base.abi->ioctl_count; i++) {
		const struct abi_ioctl *base = &pass->base.abi->ioctls[i], *next = pass->base_partner[i];

		add_ioctl(pass, base, next, next ? compare_ioctls(pass, base, next) : DIFF_REMOVED);
	}
	for (size_t j = 0; j < pass->next.abi->ioctl_count; j++)
		if (!pass->next_partner[j])
			add_ioctl(pass, NULL, &pass->next.abi->ioctls[j], DIFF_ADDED);
}
