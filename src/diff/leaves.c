#include "diff/leaves.h"
#include "diff/side.h"

#include <string.h>

static bool same_leaf(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return abi_leaf_same(a, b) && !strcmp(a->path, b->path);
}

/* Both are sorted by offset, so the search goes on from where the last leaf was found. */
bool diff_leaves_contained(const struct abi_layout *base, const struct abi_layout *next)
{
	size_t first = 0;

	if (base->is_union != next->is_union)
		return false;
	for (size_t i = 0; i < base->leaf_count; i++) {
		const struct abi_leaf *leaf = &base->leaf[i];
		size_t j;

		while (first < next->leaf_count && next->leaf[first].offset_bits < leaf->offset_bits)
			first++;
		for (j = first; j < next->leaf_count && next->leaf[j].offset_bits == leaf->offset_bits; j++)
			if (same_leaf(leaf, &next->leaf[j]))
				break;
		if (j == next->leaf_count || next->leaf[j].offset_bits != leaf->offset_bits)
			return false;
	}
	return true;
}

bool diff_leaves_equal(const struct abi_layout *a, const struct abi_layout *b)
{
	return a->size_bytes == b->size_bytes && a->leaf_count == b->leaf_count && diff_leaves_contained(a, b);
}

static bool is_acted_on(const struct abi_leaf *leaf)
{
	return diff_acted_on(leaf->role, leaf->kind) != ABI_ROLE_NONE;
}

/* The first leaf from @i on that a proxy must act on; NULL if none is left. */
static const struct abi_leaf *next_acted(const struct abi_layout *layout, size_t *i)
{
	while (*i < layout->leaf_count) {
		const struct abi_leaf *leaf = &layout->leaf[(*i)++];

		if (is_acted_on(leaf))
			return leaf;
	}
	return NULL;
}

bool diff_acted_any(const struct diff_acted *acted)
{
	size_t i = 0;

	if (acted->layout)
		return next_acted(acted->layout, &i) != NULL;
	return diff_acted_on(acted->role, acted->type->scalar) != ABI_ROLE_NONE;
}

static bool same_dimensions(const struct abi_type *a, const struct abi_type *b)
{
	return a->count == b->count && (a->count == 1 || a->element_bytes == b->element_bytes) && a->flexible == b->flexible;
}

static bool same_acted_leaf(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits && a->count == b->count &&
	       diff_acted_on(a->role, a->kind) == diff_acted_on(b->role, b->kind) && abi_leaf_same_dimensions(a, b);
}

static bool same_acted_leaves(const struct abi_layout *a, const struct abi_layout *b)
{
	size_t i = 0, j = 0;

	for (;;) {
		const struct abi_leaf *x = next_acted(a, &i), *y = next_acted(b, &j);

		if (!x || !y)
			return !x && !y;
		if (!same_acted_leaf(x, y))
			return false;
	}
}

bool diff_acted_equal(const struct diff_acted *a, const struct diff_acted *b)
{
	if (!diff_acted_any(a) && !diff_acted_any(b))
		return true;
	if (a->offset_bits != b->offset_bits || !same_dimensions(a->type, b->type) || !a->layout != !b->layout)
		return false;
	if (a->layout)
		return same_acted_leaves(a->layout, b->layout);
	return a->type->element_bytes == b->type->element_bytes &&
	       diff_acted_on(a->role, a->type->scalar) == diff_acted_on(b->role, b->type->scalar);
}
