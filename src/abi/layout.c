#include "abi/layout.h"

#include <string.h>

bool abi_leaf_same_dimensions(const struct abi_leaf *a, const struct abi_leaf *b)
{
	if (a->repeat_count != b->repeat_count || a->dimension_count != b->dimension_count || a->flexible != b->flexible)
		return false;
	for (size_t i = 0; i < a->repeat_count; i++)
		if (a->repeat[i].count != b->repeat[i].count || a->repeat[i].stride_bits != b->repeat[i].stride_bits)
			return false;
	for (size_t i = 0; i < a->dimension_count; i++)
		if (a->dimension[i] != b->dimension[i])
			return false;
	return true;
}

bool abi_leaf_same_bits(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits && a->element_bits == b->element_bits &&
	       a->is_bitfield == b->is_bitfield && abi_leaf_same_dimensions(a, b);
}

bool abi_leaf_same(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return abi_leaf_same_bits(a, b) && a->kind == b->kind && a->role == b->role && !a->c_name == !b->c_name &&
	       (!a->c_name || !strcmp(a->c_name, b->c_name));
}
