#include "flatten/flatten.h"

void flatten_select(struct abi_layout *out, const struct abi_layout *layout, unsigned roles, struct arena *arena)
{
	struct abi_leaf *leaves = arena_array(arena, layout->leaf_count + 1, sizeof(*leaves));
	size_t count = 0;

	for (size_t i = 0; i < layout->leaf_count; i++)
		if (roles & 1u << layout->leaf[i].role)
			leaves[count++] = layout->leaf[i];
	*out = *layout;
	out->leaf = leaves;
	out->leaf_count = count;
	out->hole = NULL;
	out->hole_count = 0;
}
