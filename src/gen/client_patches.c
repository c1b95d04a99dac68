/*
 * gen/client_patches.c - which bytes of a call are a run's own
 *
 * 1. Pointers: an aligned word that is the address of memory that was recorded. No document is asked, so embedded pointers
 *    and envelopes within envelopes are found as well. What was not recorded could not be read: a bad pointer stays as it is.
 * 2. Handles and descriptors: call_follow() says which records there are, client_fields() which of their fields are one.
 *    A handle that comes out other than it went in is the driver's choice, and is known from then on.
 */
#include "gen/client_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t number_at(const uint8_t *bytes, size_t size_bytes)
{
	uint64_t value = 0;

	for (size_t i = size_bytes; i-- > 0;)
		value = value << 8 | bytes[i];
	return value;
}

static void add_patch(struct client_call *call, struct client_patch patch)
{
	ARRAY_GROW(call->patches, call->patch_count, call->patch_capacity);
	call->patches[call->patch_count++] = patch;
}

/* --- pointers ------------------------------------------------------------------------ */

/* The piece that begins at @address; NULL if none does. */
static const struct client_piece *piece_at(const struct client_call *call, uint64_t address)
{
	size_t low = 0, high = call->piece_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (call->pieces[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < call->piece_count && call->pieces[low].address == address ? &call->pieces[low] : NULL;
}

static void add_pointers(struct client_call *call, uint32_t block)
{
	const struct trace_bytes before = call->owners[block].before;

	for (uint64_t offset = 0; offset + 8 <= before.size_bytes; offset += 8) {
		const uint64_t word = number_at(before.bytes + offset, 8);
		const struct client_piece *piece = word ? piece_at(call, word) : NULL;

		if (piece)
			add_patch(call, (struct client_patch){ CLIENT_POINTER, block, (uint32_t)offset, piece->block, (uint32_t)piece->delta_bytes });
	}
}

/* --- handles and descriptors ----------------------------------------------------------- */

/* NVKMS numbers its objects by itself. */
static const char *handle_key(struct strbuf *key, const struct call *call, uint64_t value)
{
	strbuf_reset(key);
	strbuf_addf(key, "%s handle %#" PRIx64, !strcmp(call->family, "nvkms") ? "nvkms" : "rm", value);
	return strbuf_text(key);
}

static uint32_t new_handle(struct gen_client *client, const char *key, uint32_t value)
{
	uint32_t number;

	if (client_key_find(&number, client, key))
		return number;
	number = (uint32_t)client->handle_count;
	ARRAY_GROW(client->handles, client->handle_count, client->handle_capacity);
	client->handles[client->handle_count++] = value;
	client_key_set(client, key, number);
	return number;
}

static void add_handle(struct client_call *to, struct gen_client *client, const struct call *call, struct client_patch at, uint64_t before,
		       uint64_t after)
{
	struct strbuf key = { 0 };

	at.kind = CLIENT_HANDLE;
	if (before && client_key_find(&at.to, client, handle_key(&key, call, before)))
		add_patch(to, at);
	if (after && after != before && to->message->ret >= 0) {
		at.kind = CLIENT_NEW_HANDLE;
		at.to = new_handle(client, handle_key(&key, call, after), (uint32_t)after);
		add_patch(to, at);
	}
	strbuf_release(&key);
}

static const struct trace_fd *recorded_fd(const struct trace_message *message, int64_t number)
{
	for (size_t i = 0; i < message->fd_count; i++)
		if (message->fds[i].number == number)
			return &message->fds[i];
	return NULL;
}

static void add_descriptor(struct client_call *to, struct gen_client *client, struct client_patch at, uint64_t before, uint64_t after)
{
	const int64_t number = (int32_t)before;
	const struct trace_fd *fd = recorded_fd(to->message, number);

	at.kind = CLIENT_DESCRIPTOR;
	if (fd && number >= 0) {
		at.to = client_descriptor(client, to->message->pid, number, fd->path);
		add_patch(to, at);
	} else if (after != before && (int32_t)after >= 0 && to->message->ret >= 0) {
		at.kind = CLIENT_NEW_DESCRIPTOR;
		at.to = client_descriptor_new(client, to->message->pid, (int32_t)after, "");
		add_patch(to, at);
	}
}

/* The block whose bytes are those of a call in the chain; false if there is none. */
static bool block_of(uint32_t *out, uint64_t *delta, const struct client_call *call, const uint8_t *bytes)
{
	for (size_t i = 0; i < call->block_count; i++) {
		const struct trace_bytes before = call->owners[i].before;

		if ((uintptr_t)bytes >= (uintptr_t)before.bytes && (uintptr_t)bytes < (uintptr_t)before.bytes + before.size_bytes) {
			*out = (uint32_t)i;
			*delta = (uint64_t)((uintptr_t)bytes - (uintptr_t)before.bytes);
			return true;
		}
	}
	return false;
}

static void add_fields(struct client_call *to, struct gen_client *client, const struct call *call)
{
	const struct client_field *fields;
	uint64_t delta;
	uint32_t block;
	size_t count;

	if (!call->record || !call->bytes || !block_of(&block, &delta, to, call->bytes))
		return;
	fields = client_fields(&count, client, call->record);
	for (size_t i = 0; i < count; i++) {
		const struct client_piece *owner = &to->owners[block];
		const uint64_t offset = delta + fields[i].offset_bytes;
		struct client_patch at = { 0, block, (uint32_t)offset, 0, fields[i].size_bytes };
		uint64_t before, after;

		if (offset + fields[i].size_bytes > owner->before.size_bytes)
			continue;
		before = after = number_at(owner->before.bytes + offset, fields[i].size_bytes);
		if (offset + fields[i].size_bytes <= owner->after.size_bytes)
			after = number_at(owner->after.bytes + offset, fields[i].size_bytes);
		if (fields[i].role == ABI_ROLE_HANDLE)
			add_handle(to, client, call, at, before, after);
		else
			add_descriptor(to, client, at, before, after);
	}
}

/* --- the call --------------------------------------------------------------------------- */

/* What call_follow() reads is what was recorded. */
static bool read_recorded(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct client_piece *piece = piece_at(data, address);

	if (!piece || piece->before.size_bytes < size_bytes)
		return false;
	*bytes = piece->before.bytes;
	return true;
}

/* "NV_ESC_RM_CONTROL NV2080_CTRL_CMD_GPU_GET_NAME_STRING" */
static uint32_t name_of(struct gen_client *client, const struct call *chain, size_t count)
{
	struct strbuf name = { 0 }, key = { 0 };
	uint32_t number;

	for (size_t i = 0; i < count; i++)
		if (chain[i].ioctl)
			strbuf_addf(&name, "%s%s", name.length ? " " : "", chain[i].ioctl->name);
	strbuf_addf(&key, "name %s", strbuf_text(&name));
	if (!client_key_find(&number, client, strbuf_text(&key))) {
		number = (uint32_t)client->name_count;
		if (number > CLIENT_ELEMENTS_MAX) {
			number = 0;
		} else {
			ARRAY_GROW(client->names, client->name_count, client->name_capacity);
			client->names[client->name_count++] = arena_strdup(&client->arena, strbuf_text(&name));
			client_key_set(client, strbuf_text(&key), number);
		}
	}
	strbuf_release(&name);
	strbuf_release(&key);
	return number;
}

static int by_place(const void *a, const void *b)
{
	const struct client_patch *x = a, *y = b;

	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* A union may have a handle where another member has one: the same patch, twice. */
static void sort_patches(struct client_call *call)
{
	size_t count = 0;

	if (!call->patch_count)
		return;
	qsort(call->patches, call->patch_count, sizeof(*call->patches), by_place);
	for (size_t i = 0; i < call->patch_count; i++)
		if (!count || by_place(&call->patches[count - 1], &call->patches[i]))
			call->patches[count++] = call->patches[i];
	call->patch_count = count;
}

void client_patches(struct client_call *call, struct gen_client *client)
{
	const struct trace_message *message = call->message;
	const struct call_memory memory = { .read = read_recorded, .data = call };
	struct call first = { .family = call_family_of_path(message->fd_path) }, chain[CALL_DEPTH_MAX];
	size_t count;

	for (uint32_t i = 0; i < call->block_count; i++)
		add_pointers(call, i);
	first.family = call_identify(&first.number, first.family, message->request);
	if (first.family) {
		first.address = message->argument;
		first.bytes = message->before.bytes;
		first.size_bytes = message->before.size_bytes;
		first.has_size = message->before.bytes != NULL;
		count = call_follow(chain, &first, client->abi, &memory);
		for (size_t i = 0; i < count; i++)
			add_fields(call, client, &chain[i]);
		call->name = name_of(client, chain, count);
	}
	sort_patches(call);
}
