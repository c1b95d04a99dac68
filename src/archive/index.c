/* archive/index.c - what an archive has of one target, without the documents */
#include "archive/stored.h"

struct indexer {
	struct abi_index_item *items;
	size_t count;
};

/* What only another target has has no life here. */
static void add(struct indexer *indexer, const struct abi_index_item *item, const struct life *life)
{
	if (!life->count)
		return;
	indexer->items[indexer->count] = *item;
	indexer->items[indexer->count].spans = life->spans;
	indexer->items[indexer->count++].span_count = life->count;
}

static void add_types(struct indexer *indexer, const struct stored *stored)
{
	for (size_t i = 0; i < stored->record_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_RECORD, .name = stored->records[i].record.name }, &stored->records[i].life);
	for (size_t i = 0; i < stored->alias_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_ALIAS, .name = stored->aliases[i].alias.name }, &stored->aliases[i].life);
	for (size_t i = 0; i < stored->enum_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_ENUM, .name = stored->enums[i].one.name }, &stored->enums[i].life);
}

static void add_numbers(struct indexer *indexer, const struct stored *stored)
{
	for (size_t i = 0; i < stored->constant_count; i++) {
		const struct abi_constant *constant = &stored->constants[i].constant;

		add(indexer, &(struct abi_index_item){ .kind = ABI_CONSTANT, .name = constant->name, .number = constant->value },
		    &stored->constants[i].life);
	}
	for (size_t i = 0; i < stored->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &stored->ioctls[i].ioctl;

		add(indexer, &(struct abi_index_item){ .kind = ABI_IOCTL, .family = ioctl->family, .name = ioctl->name,
						       .number = abi_number_unsigned(ioctl->number) },
		    &stored->ioctls[i].life);
	}
}

void stored_index(struct abi_index *out, const struct stored *stored, struct arena *arena)
{
	size_t most = stored->record_count + stored->alias_count + stored->enum_count + stored->constant_count + stored->ioctl_count;
	struct indexer indexer = { .items = arena_array(arena, most + 1, sizeof(*indexer.items)) };

	add_types(&indexer, stored);
	add_numbers(&indexer, stored);
	*out = (struct abi_index){ indexer.items, indexer.count };
}
