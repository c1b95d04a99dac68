#include "diff/pass.h"

#include <string.h>

struct diff_change *diff_add_change(struct diff_pass *pass, enum abi_kind kind, const char *name)
{
	struct diff_change *change;

	ARRAY_GROW(pass->changes, pass->change_count, pass->change_capacity);
	change = &pass->changes[pass->change_count++];
	memset(change, 0, sizeof(*change));
	change->kind = kind;
	change->name = name;
	return change;
}
