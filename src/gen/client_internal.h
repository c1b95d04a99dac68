/*
 * gen/client_internal.h - what a client is made of, while a trace is read
 *
 * Layer L5, internal to gen/. The structs with "as in" are those of the
 * generated program (client_head.txt); they have no padding.
 */
#ifndef GEN_CLIENT_INTERNAL_H
#define GEN_CLIENT_INTERNAL_H

#include "gen/client.h"
#include "gen/sequences.h"

#include "call/call.h"

#define CLIENT_NOTHING UINT32_MAX
#define CLIENT_UNMAPPED UINT32_MAX

enum { CLIENT_BYTES_MAX = 256 * 1024 * 1024, CLIENT_ELEMENTS_MAX = UINT16_MAX };

/* As in enum { OPEN, … }, and the patches. */
enum client_step_kind { CLIENT_OPEN, CLIENT_IOCTL, CLIENT_MAP };
enum client_patch_kind { CLIENT_POINTER, CLIENT_HANDLE, CLIENT_DESCRIPTOR, CLIENT_NEW_HANDLE, CLIENT_NEW_DESCRIPTOR };

struct client_step { /* as in struct step */
	enum client_step_kind kind;
	size_t patch_count, block_count;
	uint32_t name, descriptor, block, patch;
	uint64_t request, argument;
	int32_t ret, error;
};

struct client_block { /* as in struct block */
	uint32_t size, before, after, beyond;
};

struct client_patch { /* as in struct patch */
	uint32_t kind, block, offset, to, detail;
};

struct client_map { /* as in struct map */
	uint64_t address, size, offset, protection, flags;
};

/* An open file. */
struct client_descriptor {
	const char *path;
	int32_t number;
	bool is_shared; /* more than one process, or number, has it */
};

struct client_key;    /* which descriptor, or handle, something is */
struct client_record; /* fields of a record that are handles or descriptors */

struct gen_client {
	const struct abi *abi;
	struct sequences *bytes, *blocks, *patches, *maps;
	struct client_step *steps;
	size_t step_count, step_capacity;
	struct client_descriptor *descriptors;
	size_t descriptor_count, descriptor_capacity;
	uint32_t *handles; /* as recorded */
	size_t handle_count, handle_capacity;
	const char **names; /* of steps; the first is "" */
	size_t name_count, name_capacity;
	struct client_key *keys;
	struct client_record *records;
	size_t room_bytes; /* the most that the blocks of a step need */
	size_t blocks_max;
	struct arena arena;
};

/* --- client_keys.c: numbers by name ------------------------------------------------- */

/* client_key_find - Return: false if there is none; then @out is untouched. */
bool client_key_find(uint32_t *out, const struct gen_client *client, const char *key);
void client_key_set(struct gen_client *client, const char *key, uint32_t value);
void client_keys_free(struct gen_client *client);

/* --- client_descriptors.c ------------------------------------------------------------ */

/**
 * client_descriptor - which open file a process has under a number
 *
 * If no message said that it was opened: the last one of that path under the same number, in the same process, or at all. Else a step that opens it is added.
 */
uint32_t client_descriptor(struct gen_client *client, uint32_t pid, int64_t number, const char *path);

/* client_descriptor_new - an open file from now on. */
uint32_t client_descriptor_new(struct gen_client *client, uint32_t pid, int32_t number, const char *path);

/* client_descriptor_closed - 1 + the file that a process had under a number that it gets again; 0 if none, or others have it, too. */
uint64_t client_descriptor_closed(const struct gen_client *client, uint32_t pid, int32_t number);

struct client_step *client_step_new(struct gen_client *client, enum client_step_kind kind);

/* --- client_fields.c ------------------------------------------------------------------ */

/* A field that is a handle or a descriptor: one for each element of an array. */
struct client_field {
	uint32_t offset_bytes, size_bytes;
	enum abi_role role;
};

/* client_fields - those of a record, in the order of their offsets; of more than a few thousand the first. */
const struct client_field *client_fields(size_t *count, struct gen_client *client, const char *record);
void client_fields_free(struct gen_client *client);

/* --- client_patches.c ------------------------------------------------------------------ */

/* Where something that was recorded is: in a block. */
struct client_piece {
	uint64_t address;
	struct trace_bytes before, after;
	uint32_t block;
	uint64_t delta_bytes; /* in the block */
	size_t order;         /* in the message; 0 is the argument */
};

/* One ioctl that is being added. */
struct client_call {
	const struct trace_message *message;
	struct client_piece *pieces; /* by address */
	size_t piece_count;
	struct client_block *blocks;
	struct client_piece *owners;  /* of each block, the piece whose bytes it has */
	size_t block_count;
	struct client_patch *patches;
	size_t patch_count, patch_capacity;
	uint32_t name;
};

/* client_patches - which bytes of a call are a run's own, and what the call is named. The patches are the caller's to free. */
void client_patches(struct client_call *call, struct gen_client *client);

#endif
