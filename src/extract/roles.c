#include "extract/roles.h"

#include <stdio.h>
#include <string.h>
#include <uthash.h>

struct role_node {
	const char *key; /* type, newline, name */
	enum abi_role role;
	UT_hash_handle hh;
};

static bool looks_at_records(const struct profile *profile)
{
	size_t i;

	for (i = 0; i < profile->role_count; i++)
		if (profile->roles[i].record)
			return true;
	return false;
}

enum abi_role roles_of(struct roles *roles, const char *record, const char *name, const char *type)
{
	struct role_node *node;
	char key[512];
	size_t length;

	if (!roles->profile)
		return ABI_ROLE_NONE;
	if (!roles->is_ready) {
		roles->by_record = looks_at_records(roles->profile);
		roles->is_ready = true;
	}
	length = (size_t)snprintf(key, sizeof(key), "%s\n%s", type, name);
	if (roles->by_record || length >= sizeof(key))
		return profile_role_of(roles->profile, record, name, type);
	HASH_FIND(hh, roles->nodes, key, length, node);
	if (!node) {
		node = arena_alloc(roles->arena, sizeof(*node));
		node->key = arena_strndup(roles->arena, key, length);
		node->role = profile_role_of(roles->profile, record, name, type);
		HASH_ADD_KEYPTR(hh, roles->nodes, node->key, length, node);
	}
	return node->role;
}

void roles_release(struct roles *roles)
{
	HASH_CLEAR(hh, roles->nodes);
}
