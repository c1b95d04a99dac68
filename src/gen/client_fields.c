#include "gen/client_internal.h"

#include "flatten/flatten.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { FIELDS_MAX = 4096 };

struct client_record {
	const char *name;
	struct client_field *fields;
	size_t count;
	UT_hash_handle hh;
};

/* All elements of a leaf, from @offset_bits on. */
static void add_leaf(struct client_record *record, const struct abi_leaf *leaf, size_t depth, uint64_t offset_bits)
{
	if (depth < leaf->repeat_count) {
		for (uint64_t i = 0; i < leaf->repeat[depth].count && record->count < FIELDS_MAX; i++)
			add_leaf(record, leaf, depth + 1, offset_bits + i * leaf->repeat[depth].stride_bits);
		return;
	}
	for (uint64_t i = 0; i < leaf->count && record->count < FIELDS_MAX; i++)
		record->fields[record->count++] = (struct client_field){
			.offset_bytes = (uint32_t)((offset_bits + i * leaf->element_bits) / 8), .size_bytes = (uint32_t)(leaf->element_bits / 8), .role = leaf->role,
		};
}

static int by_offset(const void *a, const void *b)
{
	const struct client_field *x = a, *y = b;

	if (x->offset_bytes != y->offset_bytes)
		return x->offset_bytes < y->offset_bytes ? -1 : 1;
	if (x->size_bytes != y->size_bytes)
		return x->size_bytes < y->size_bytes ? -1 : 1;
	return (int)x->role - (int)y->role;
}

/* Only what is a whole number: 4 bytes for a handle, 4 or 8 for a descriptor. */
static bool is_wanted(const struct abi_leaf *leaf)
{
	if (leaf->is_bitfield || leaf->offset_bits % 8)
		return false;
	return (leaf->role == ABI_ROLE_HANDLE && leaf->element_bits == 32) ||
	       (leaf->role == ABI_ROLE_FD && (leaf->element_bits == 32 || leaf->element_bits == 64));
}

static void collect(struct client_record *record, struct gen_client *client)
{
	struct client_field *space = xmalloc(FIELDS_MAX * sizeof(*space));
	struct abi_layout layout;

	record->fields = space;
	if (!flatten_record(&layout, client->abi, record->name, &client->arena, NULL))
		for (size_t i = 0; i < layout.leaf_count; i++)
			if (is_wanted(&layout.leaf[i]))
				add_leaf(record, &layout.leaf[i], 0, layout.leaf[i].offset_bits);
	if (record->count) /* an array of records has its fields in turns */
		qsort(space, record->count, sizeof(*space), by_offset);
	record->fields = arena_memdup(&client->arena, space, record->count * sizeof(*space));
	free(space);
}

const struct client_field *client_fields(size_t *count, struct gen_client *client, const char *name)
{
	struct client_record *record;

	HASH_FIND_STR(client->records, name, record);
	if (!record) {
		record = arena_alloc(&client->arena, sizeof(*record));
		record->name = arena_strdup(&client->arena, name);
		collect(record, client);
		HASH_ADD_KEYPTR(hh, client->records, record->name, strlen(record->name), record);
	}
	*count = record->count;
	return record->fields;
}

void client_fields_free(struct gen_client *client)
{
	HASH_CLEAR(hh, client->records);
}
