#include "gen/client_internal.h"

#include <string.h>
#include <uthash.h>

struct client_key {
	const char *key;
	uint32_t value;
	UT_hash_handle hh;
};

bool client_key_find(uint32_t *out, const struct gen_client *client, const char *key)
{
	struct client_key *found;

	HASH_FIND_STR(client->keys, key, found);
	if (found)
		*out = found->value;
	return found;
}

void client_key_set(struct gen_client *client, const char *key, uint32_t value)
{
	struct client_key *found;

	HASH_FIND_STR(client->keys, key, found);
	if (!found) {
		found = arena_alloc(&client->arena, sizeof(*found));
		found->key = arena_strdup(&client->arena, key);
		HASH_ADD_KEYPTR(hh, client->keys, found->key, strlen(found->key), found);
	}
	found->value = value;
}

void client_keys_free(struct gen_client *client)
{
	HASH_CLEAR(hh, client->keys);
}
