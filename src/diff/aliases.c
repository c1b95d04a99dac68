/* diff/aliases.c - which aliases came, went and changed */
#include "diff/pass.h"
#include "diff/same_type.h"

/* What cannot be resolved is no longer the same. */
static int alias_classes(unsigned *classes, struct diff_pass *pass, const struct abi_alias *base, const struct abi_alias *next, struct err *err)
{
	struct abi_type was, is;
	const struct diff_typed before = { &pass->base, &was, base->type }, after = { &pass->next, &is, next->type };

	*classes = DIFF_LAYOUT;
	if (base->size_bytes != next->size_bytes || abi_resolve_type(&was, pass->base.abi, base->name, NULL) ||
	    abi_resolve_type(&is, pass->next.abi, next->name, NULL))
		return 0;
	return diff_type_classes(classes, &before, &after, err);
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

static int compare_aliases(struct diff_pass *pass, const struct abi_alias *base, const struct abi_alias *next, struct err *err)
{
	unsigned classes;
	int rc;

	if (abi_same_alias(base, next))
		return 0;
	if (!(rc = alias_classes(&classes, pass, base, next, err)))
		add_alias(pass, base, next, classes ? classes : DIFF_NAME);
	return rc;
}

int diff_aliases(struct diff_pass *pass, struct err *err)
{
	const struct abi *base = pass->base.abi, *next = pass->next.abi;
	size_t i = 0, j = 0;
	int rc = 0;

	while (!rc && (i < base->alias_count || j < next->alias_count)) {
		int order = i == base->alias_count ? 1 : j == next->alias_count ? -1 :
			    diff_compare_texts(base->aliases[i].name, next->aliases[j].name);

		if (order < 0)
			add_alias(pass, &base->aliases[i++], NULL, DIFF_REMOVED);
		else if (order > 0)
			add_alias(pass, NULL, &next->aliases[j++], DIFF_ADDED);
		else
			rc = compare_aliases(pass, &base->aliases[i++], &next->aliases[j++], err);
	}
	return rc;
}
