/* diff/aliases.c - which aliases came, went and changed */
#include "diff/pass.h"

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
	if (base->size_bytes == next->size_bytes && !diff_compare_texts(base->type, next->type))
		return;
	add_alias(pass, base, next, same_scalar(pass, base, next) ? DIFF_NAME : DIFF_LAYOUT);
}

void diff_aliases(struct diff_pass *pass)
{
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	size_t i = 0, j = 0;

	while (i < base->alias_count || j < next->alias_count) {
		int order = i == base->alias_count ? 1 : j == next->alias_count ? -1 :
			    diff_compare_texts(base->aliases[i].name, next->aliases[j].name);

		if (order < 0)
			add_alias(pass, &base->aliases[i++], NULL, DIFF_REMOVED);
		else if (order > 0)
			add_alias(pass, NULL, &next->aliases[j++], DIFF_ADDED);
		else
			compare_aliases(pass, &base->aliases[i++], &next->aliases[j++]);
	}
}
