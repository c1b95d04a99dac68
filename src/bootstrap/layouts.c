#include "bootstrap/layouts.h"

#include <string.h>
#include <strings.h>

/* What a number is called does not matter to a proxy: an enum and a char are numbers, too. */
static enum abi_scalar plain(const struct abi_leaf *leaf)
{
	if (leaf->kind == ABI_CHAR)
		return ABI_U8;
	if (leaf->kind == ABI_ENUMERATION && leaf->element_bits == 32)
		return ABI_U32;
	return leaf->kind;
}

/* Roles that a proxy acts by. */
static enum abi_role acted_role(const struct abi_leaf *leaf)
{
	switch (leaf->role) {
	case ABI_ROLE_POINTER:
	case ABI_ROLE_FD:
	case ABI_ROLE_HANDLE:
	case ABI_ROLE_PID:
		return leaf->role;
	case ABI_ROLE_NONE:
	case ABI_ROLE_STATUS:
	case ABI_ROLE_SIZE:
	case ABI_ROLE_COUNT:
	case ABI_ROLE_KERNEL_POINTER:
		break;
	}
	return ABI_ROLE_NONE;
}

static bool same_scalar(const struct abi_leaf *a, const struct abi_leaf *b)
{
	return abi_leaf_same_bits(a, b) && plain(a) == plain(b) && acted_role(a) == acted_role(b) && !a->union_path == !b->union_path;
}

static bool same_leaves(const struct abi_layout *a, const struct abi_layout *b, bool with_names)
{
	if (a->size_bytes != b->size_bytes || a->leaf_count != b->leaf_count)
		return false;
	for (size_t i = 0; i < a->leaf_count; i++)
		if (!same_scalar(&a->leaf[i], &b->leaf[i]) ||
		    (with_names && (strcmp(a->leaf[i].path, b->leaf[i].path) || strcmp(a->leaf[i].type, b->leaf[i].type) ||
				    a->leaf[i].role != b->leaf[i].role)))
			return false;
	return true;
}

bool layouts_same_bytes(const struct abi_layout *a, const struct abi_layout *b)
{
	return same_leaves(a, b, false);
}

bool layouts_same(const struct abi_layout *a, const struct abi_layout *b)
{
	return same_leaves(a, b, true);
}

/* verify's rule "not-simple" goes by the name of an fd as well. */
static bool is_called_fd(const char *path)
{
	size_t length = strlen(path);

	return length >= 2 && !strcasecmp(path + length - 2, "fd");
}

bool layouts_is_translated(const struct abi_leaf *leaf)
{
	if (leaf->role == ABI_ROLE_KERNEL_POINTER)
		return false;
	return leaf->kind == ABI_POINTER || leaf->role == ABI_ROLE_POINTER || leaf->role == ABI_ROLE_FD || leaf->role == ABI_ROLE_PID ||
	       is_called_fd(leaf->path);
}

/* Stands it at the same offset in @layout, as a scalar that has to be translated? Its name does not matter. */
static bool is_there(const struct abi_leaf *leaf, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++)
		if (layouts_is_translated(&layout->leaf[i]) && same_scalar(&layout->leaf[i], leaf))
			return true;
	return false;
}

/* Is there one of that name? It may have moved. One more process id beside others is nothing new: samples of one more engine. */
static bool is_known(const struct abi_leaf *leaf, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++)
		if (layouts_is_translated(&layout->leaf[i]) && layout->leaf[i].role == leaf->role &&
		    (leaf->role == ABI_ROLE_PID || !strcmp(layout->leaf[i].path, leaf->path)))
			return true;
	return false;
}

const struct abi_leaf *layouts_new_translated(const struct abi_layout *was, const struct abi_layout *now)
{
	for (size_t i = 0; i < now->leaf_count; i++)
		if (layouts_is_translated(&now->leaf[i]) && !is_there(&now->leaf[i], was) && !is_known(&now->leaf[i], was))
			return &now->leaf[i];
	return NULL;
}

const char *layouts_translated_words(const struct abi_leaf *leaf)
{
	if (leaf->role == ABI_ROLE_PID)
		return "process id";
	if (leaf->kind == ABI_POINTER || leaf->role == ABI_ROLE_POINTER)
		return "pointer";
	return leaf->role == ABI_ROLE_FD ? "file descriptor" : "file descriptor by its name";
}
