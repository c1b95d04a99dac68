/* diff/constants.c - which constants came, went and changed, and were not told with an ioctl */
#include "diff/pass.h"

#include <string.h>

/*
 * A constant that is an ioctl's number has been told with the ioctl: that one
 * came or went with it, or is on both sides and has the same two numbers.
 */
static bool is_told_by_ioctl(struct diff_pass *pass, const struct abi_constant *base, const struct abi_constant *next)
{
	const char *name = next ? next->name : base->name;
	const struct abi_ioctl *was = diff_side_ioctl(&pass->base, name), *is = diff_side_ioctl(&pass->next, name);

	if (!was != !base || !is != !next)
		return false;
	return (!base || abi_number_equal(base->value, abi_number_unsigned(was->number))) &&
	       (!next || abi_number_equal(next->value, abi_number_unsigned(is->number)));
}

/* Is it the number of an ioctl, by what the driver or the proxy says? Then another value is another number. */
static bool is_ioctl_number(struct diff_pass *pass, const char *name)
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
			    diff_compare_texts(base->constants[i].name, next->constants[j].name);

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
