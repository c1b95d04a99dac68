#include "extract/roles.h"

#include <string.h>
#include <uthash.h>

struct role_node {
	const char *key; /* type, newline, name */
	enum abi_role role;
	UT_hash_handle hh;
};

static bool is_special(const struct profile *profile, const char *record)
{
	size_t i;

	for (i = 0; i < profile->role_count; i++)
		if (profile->roles[i].record && profile_matches(&(struct profile_strings){ &profile->roles[i].record, 1 }, record))
			return true;
	return false;
}

enum abi_role roles_of(struct roles *roles, const char *record, const char *name, const char *type)
{
	size_t type_length = strlen(type), name_length = strlen(name), length = type_length + 1 + name_length;
	struct role_node *node;
	char key[512];

	if (!roles->profile)
		return ABI_ROLE_NONE;
	if (roles->record != record) {
		roles->is_special = is_special(roles->profile, record);
		roles->record = record;
	}
	if (roles->is_special || length > sizeof(key))
		return profile_role_of(roles->profile, record, name, type);
	memcpy(key, type, type_length);
	key[type_length] = '\n';
	memcpy(key + type_length + 1, name, name_length);
	HASH_FIND(hh, roles->nodes, key, length, node);
	if (!node) {
		node = arena_alloc(roles->arena, sizeof(*node));
		node->key = arena_strndup(roles->arena, key, length);
		node->role = profile_role_of(roles->profile, record, name, type);
		HASH_ADD_KEYPTR(hh, roles->nodes, node->key, length, node);
	}
	return node->role;
}

void roles_forget(struct roles *roles)
{
	roles->record = NULL;
}

void roles_release(struct roles *roles)
{
	HASH_CLEAR(hh, roles->nodes);
}
