/*
 * gen/client.c - a trace as steps, blocks and patches
 *
 * 1. An open or a mapping becomes a step; an ioctl, too, with a block for each memory that was recorded of it.
 * 2. Memory within other memory of the same call is no block of its own: the driver would see both.
 * 3. Memory of which the end could not be read ends at a page; what --max-bytes cut off elsewhere is zero.
 * 4. client_patches() finds which bytes are a run's own.
 * 5. Blocks and patches of a call are a run of a table, and so is each block's memory: what recurs is there once.
 */
#include "gen/client_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* As in client_tail.txt: pages of blocks, whatever the machine's are. */
enum { PAGE_BYTES = 65536, BLOCK_ALIGNMENT = 64, RECORDED_PAGE_BYTES = 4096 };

struct gen_client *gen_client_new(const struct abi *abi)
{
	struct gen_client *client = xmalloc(sizeof(*client));

	*client = (struct gen_client){ .abi = abi, .blocks_max = 1 };
	client->bytes = sequences_new(1);
	client->blocks = sequences_new(sizeof(struct client_block));
	client->patches = sequences_new(sizeof(struct client_patch));
	client->maps = sequences_new(sizeof(struct client_map));
	ARRAY_GROW(client->names, client->name_count, client->name_capacity);
	client->names[client->name_count++] = "";
	return client;
}

void gen_client_free(struct gen_client *client)
{
	if (!client)
		return;
	sequences_free(client->bytes);
	sequences_free(client->blocks);
	sequences_free(client->patches);
	sequences_free(client->maps);
	client_keys_free(client);
	client_fields_free(client);
	free(client->steps);
	free(client->descriptors);
	free(client->handles);
	free(client->names);
	arena_release(&client->arena);
	free(client);
}

size_t gen_client_count(const struct gen_client *client)
{
	return client->step_count;
}

/* --- opens and mappings ------------------------------------------------------------------ */

static void add_open(struct gen_client *client, const struct trace_message *message)
{
	const uint64_t closed = message->ret < 0 ? 0 : client_descriptor_closed(client, message->pid, message->ret);
	const uint32_t descriptor = client_descriptor_new(client, message->pid, message->ret, message->fd_path);
	struct client_step *step = client_step_new(client, CLIENT_OPEN);

	step->descriptor = descriptor;
	step->request = message->open_flags;
	step->argument = closed;
	step->ret = message->ret;
	step->error = message->error;
}

static void add_map(struct gen_client *client, const struct trace_message *message)
{
	const struct client_map map = {
		message->argument, message->map_size_bytes, message->map_offset, message->map_protection, message->map_flags,
	};
	const uint32_t descriptor = client_descriptor(client, message->pid, message->fd, message->fd_path);
	struct client_step *step = client_step_new(client, CLIENT_MAP);

	step->descriptor = descriptor;
	step->block = sequences_add(client->maps, &map, 1);
	step->ret = message->ret < 0 ? -1 : 0;
	step->error = message->error;
}

/* --- memory ------------------------------------------------------------------------------- */

/* How many bytes the argument should have; 0 if nobody says. */
static uint64_t argument_size(const struct gen_client *client, const struct trace_message *message)
{
	const char *family = call_family_of_path(message->fd_path);
	const struct abi_ioctl *ioctl;
	uint64_t number;

	if (!family || strcmp(family, "uvm"))
		return call_split(message->request).size_bytes;
	call_identify(&number, family, message->request);
	ioctl = call_find(client->abi, family, number);
	return ioctl && ioctl->params ? call_record_size(client->abi, ioctl->params) : 0;
}

/* What lies behind the bytes that were recorded: nothing that can be read, or zeros. */
static uint32_t beyond(uint64_t address, uint64_t recorded_bytes, uint64_t size_bytes)
{
	if (size_bytes <= recorded_bytes)
		return 0;
	if (!((address + recorded_bytes) % RECORDED_PAGE_BYTES))
		return CLIENT_UNMAPPED;
	return (uint32_t)(size_bytes - recorded_bytes < CALL_SIZE_MAX ? size_bytes - recorded_bytes : CALL_SIZE_MAX);
}

/* By address; the longer one first, then the earlier one. */
static int by_address(const void *a, const void *b)
{
	const struct client_piece *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->before.size_bytes != y->before.size_bytes)
		return x->before.size_bytes > y->before.size_bytes ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int by_order(const void *a, const void *b)
{
	const struct client_piece *const *x = a, *const *y = b;

	return (*x)->order < (*y)->order ? -1 : (*x)->order > (*y)->order;
}

static bool lies_within(const struct client_piece *piece, const struct client_piece *outer)
{
	return piece->address >= outer->address && piece->address - outer->address <= outer->before.size_bytes &&
	       piece->before.size_bytes <= outer->before.size_bytes - (piece->address - outer->address);
}

/* Step 2: which pieces are blocks, and in which block the others are. The argument is block 0. */
static void choose_blocks(struct client_call *call, struct arena *arena)
{
	const struct client_piece **outer = arena_array(arena, call->piece_count, sizeof(*outer));
	struct client_piece **owners = arena_array(arena, call->piece_count, sizeof(*owners));
	struct client_piece *argument = NULL, *cover = NULL;

	qsort(call->pieces, call->piece_count, sizeof(*call->pieces), by_address);
	for (size_t i = 0; i < call->piece_count; i++)
		if (!call->pieces[i].order)
			argument = &call->pieces[i];
	for (size_t i = 0; i < call->piece_count; i++) {
		struct client_piece *piece = &call->pieces[i];

		if (piece == argument)
			outer[i] = piece;
		else if (lies_within(piece, argument))
			outer[i] = argument;
		else if (cover && lies_within(piece, cover))
			outer[i] = cover;
		else
			outer[i] = cover = piece;
		if (outer[i] == piece)
			owners[call->block_count++] = piece;
	}
	qsort(owners, call->block_count, sizeof(*owners), by_order);
	for (uint32_t i = 0; i < call->block_count; i++)
		owners[i]->block = i;
	for (size_t i = 0; i < call->piece_count; i++) {
		call->pieces[i].block = outer[i]->block;
		call->pieces[i].delta_bytes = call->pieces[i].address - outer[i]->address;
	}
	call->owners = arena_array(arena, call->block_count, sizeof(*call->owners));
	for (size_t i = 0; i < call->block_count; i++)
		call->owners[i] = *owners[i];
}

/* What was recorded and could be read. Return: false for no argument. */
static bool find_pieces(struct client_call *call, struct gen_client *client, uint64_t *sizes, struct arena *arena)
{
	const struct trace_message *message = call->message;

	if (!message->before.bytes || !message->before.size_bytes)
		return false;
	call->pieces = arena_array(arena, 1 + message->memory_count, sizeof(*call->pieces));
	call->pieces[call->piece_count++] = (struct client_piece){ .address = message->argument, .before = message->before, .after = message->after };
	sizes[0] = argument_size(client, message);
	for (size_t i = 0; i < message->memory_count; i++) {
		const struct trace_memory *memory = &message->memory[i];

		sizes[1 + i] = memory->size_bytes;
		if (memory->before.bytes && memory->before.size_bytes)
			call->pieces[call->piece_count++] = (struct client_piece){
				.address = memory->address, .before = memory->before, .after = memory->after, .order = 1 + i,
			};
	}
	choose_blocks(call, arena);
	return true;
}

/* Steps 2 and 3, and how much room the blocks need when the client runs. */
static void add_blocks(struct client_call *call, struct gen_client *client, const uint64_t *sizes, struct arena *arena)
{
	size_t room = 0;

	call->blocks = arena_array(arena, call->block_count, sizeof(*call->blocks));
	for (size_t i = 0; i < call->block_count; i++) {
		const struct client_piece *owner = &call->owners[i];
		struct client_block *block = &call->blocks[i];

		block->size = (uint32_t)owner->before.size_bytes;
		block->beyond = beyond(owner->address, block->size, sizes[owner->order]);
		block->before = sequences_add(client->bytes, owner->before.bytes, block->size);
		block->after = CLIENT_NOTHING;
		if (owner->after.bytes && owner->after.size_bytes == block->size)
			block->after = sequences_add(client->bytes, owner->after.bytes, block->size);
		room += block->beyond == CLIENT_UNMAPPED ? block->size + 3 * (size_t)PAGE_BYTES : block->size + (size_t)block->beyond + BLOCK_ALIGNMENT;
	}
	if (room > client->room_bytes)
		client->room_bytes = room;
	if (call->block_count > client->blocks_max)
		client->blocks_max = call->block_count;
}

/* --- ioctls -------------------------------------------------------------------------------- */

static int check_limits(const struct client_call *call, const struct gen_client *client, struct err *err)
{
	if (call->block_count > CLIENT_ELEMENTS_MAX || call->patch_count > CLIENT_ELEMENTS_MAX)
		return err_set(err, ERR_LIMIT, "call %zu of the trace has more than %d buffers or pointers", client->step_count + 1, CLIENT_ELEMENTS_MAX);
	if (sequences_count(client->bytes) > CLIENT_BYTES_MAX || client->room_bytes > CLIENT_BYTES_MAX)
		return err_set(err, ERR_LIMIT, "the trace has more than %d MB of bytes that differ, which no compiler takes; record less with --max-bytes, or a shorter workload",
			       CLIENT_BYTES_MAX >> 20);
	return 0;
}

static void put_step(struct gen_client *client, const struct client_call *call)
{
	const struct trace_message *message = call->message;
	const uint32_t descriptor = client_descriptor(client, message->pid, message->fd, message->fd_path);
	struct client_step *step = client_step_new(client, CLIENT_IOCTL);

	step->descriptor = descriptor;
	step->request = message->request;
	step->argument = call->block_count ? 0 : message->argument;
	step->ret = message->ret;
	step->error = message->error;
	step->name = call->name;
	step->block_count = call->block_count;
	step->block = sequences_add(client->blocks, call->blocks, call->block_count);
	step->patch_count = call->patch_count;
	step->patch = sequences_add(client->patches, call->patches, call->patch_count);
}

static int add_ioctl(struct gen_client *client, const struct trace_message *message, struct err *err)
{
	struct client_call call = { .message = message };
	struct arena arena = { 0 };
	uint64_t *sizes = arena_array(&arena, 1 + message->memory_count, sizeof(*sizes));
	int rc;

	if (!message->before.bytes && message->after.bytes && message->after.size_bytes) {
		arena_release(&arena);
		return err_set(err, ERR_FORMAT, "call %zu of the trace lacks the bytes before the call, as gVisor's traces do; record it with drvabi sniff",
			       client->step_count + 1);
	}
	if (find_pieces(&call, client, sizes, &arena))
		add_blocks(&call, client, sizes, &arena);
	client_patches(&call, client);
	if (!(rc = check_limits(&call, client, err)))
		put_step(client, &call);
	free(call.patches);
	arena_release(&arena);
	return rc;
}

int gen_client_add(struct gen_client *client, const struct trace_message *message, struct err *err)
{
	switch (message->kind) {
	case TRACE_HEADER:
		return 0;
	case TRACE_OPEN:
		add_open(client, message);
		return 0;
	case TRACE_MMAP:
		add_map(client, message);
		return 0;
	case TRACE_IOCTL:
		return add_ioctl(client, message, err);
	}
	return 0;
}
