#include "abi/layout.h"

bool abi_leaf_same_repeats(const struct abi_leaf *a, const struct abi_leaf *b)
{
	if (a->repeat_count != b->repeat_count)
		return false;
	for (size_t i = 0; i < a->repeat_count; i++)
		if (a->repeat[i].count != b->repeat[i].count || a->repeat[i].stride_bits != b->repeat[i].stride_bits)
			return false;
	return true;
}
