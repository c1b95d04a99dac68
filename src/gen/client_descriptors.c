/*
 * Which open file a descriptor is. A trace has opens, but no dup, fork or message that passes one on: what a process has
 * from elsewhere is looked up by what is most alike.
 */
#include "gen/client_internal.h"

#include <fcntl.h>
#include <inttypes.h>

enum { KEYS = 4 };

/* The most exact first. */
static void keys_of(struct strbuf keys[KEYS], uint32_t pid, int64_t number, const char *path)
{
	strbuf_addf(&keys[0], "process %" PRIu32 " has %" PRId64 " %s", pid, number, path);
	strbuf_addf(&keys[1], "number %" PRId64 " %s", number, path);
	strbuf_addf(&keys[2], "process %" PRIu32 " %s", pid, path);
	strbuf_addf(&keys[3], "path %s", path);
}

static void keys_release(struct strbuf keys[KEYS])
{
	for (size_t i = 0; i < KEYS; i++)
		strbuf_release(&keys[i]);
}

struct client_step *client_step_new(struct gen_client *client, enum client_step_kind kind)
{
	ARRAY_GROW(client->steps, client->step_count, client->step_capacity);
	client->steps[client->step_count] = (struct client_step){ .kind = kind };
	return &client->steps[client->step_count++];
}

uint32_t client_descriptor_new(struct gen_client *client, uint32_t pid, int32_t number, const char *path)
{
	const uint32_t descriptor = (uint32_t)client->descriptor_count;
	struct strbuf keys[KEYS] = { { 0 } }, last = { 0 };

	ARRAY_GROW(client->descriptors, client->descriptor_count, client->descriptor_capacity);
	client->descriptors[client->descriptor_count++] = (struct client_descriptor){ arena_strdup(&client->arena, path), number, false };
	keys_of(keys, pid, number, path);
	for (size_t i = 0; i < KEYS; i++)
		client_key_set(client, strbuf_text(&keys[i]), descriptor);
	strbuf_addf(&last, "last %" PRIu32 " %" PRId32, pid, number);
	client_key_set(client, strbuf_text(&last), descriptor);
	strbuf_release(&last);
	keys_release(keys);
	return descriptor;
}

uint64_t client_descriptor_closed(const struct gen_client *client, uint32_t pid, int32_t number)
{
	struct strbuf last = { 0 };
	uint32_t descriptor;
	bool found;

	strbuf_addf(&last, "last %" PRIu32 " %" PRId32, pid, number);
	found = client_key_find(&descriptor, client, strbuf_text(&last)) && !client->descriptors[descriptor].is_shared;
	strbuf_release(&last);
	return found ? 1 + (uint64_t)descriptor : 0;
}

/* A file that was open before the trace began. */
static uint32_t open_first(struct gen_client *client, uint32_t pid, int64_t number, const char *path)
{
	const uint32_t descriptor = client_descriptor_new(client, pid, (int32_t)number, path);
	struct client_step *step = client_step_new(client, CLIENT_OPEN);

	step->descriptor = descriptor;
	step->request = O_RDWR | O_CLOEXEC;
	return descriptor;
}

uint32_t client_descriptor(struct gen_client *client, uint32_t pid, int64_t number, const char *path)
{
	struct strbuf keys[KEYS] = { { 0 } };
	uint32_t descriptor;
	size_t i = 0;

	keys_of(keys, pid, number, path);
	while (i < KEYS && !client_key_find(&descriptor, client, strbuf_text(&keys[i])))
		i++;
	if (i == KEYS) {
		descriptor = open_first(client, pid, number, path);
	} else if (i) {
		client->descriptors[descriptor].is_shared = true;
		client_key_set(client, strbuf_text(&keys[0]), descriptor);
	}
	keys_release(keys);
	return descriptor;
}
