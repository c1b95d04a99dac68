/* store/index.c - what an archive has of one target, without the documents */
#include "store/unpacked.h"

struct indexer {
	struct abi_index_item *items;
	size_t count;
};

/* A thing that only other targets have has no versions here. */
static void add(struct indexer *indexer, const struct abi_index_item *item, const struct version_set *versions)
{
	if (!versions->count)
		return;
	indexer->items[indexer->count] = *item;
	indexer->items[indexer->count].spans = versions->spans;
	indexer->items[indexer->count++].span_count = versions->count;
}

static void add_types(struct indexer *indexer, const struct unpacked *unpacked)
{
	for (size_t i = 0; i < unpacked->record_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_RECORD, .name = unpacked->records[i].record.name }, &unpacked->records[i].versions);
	for (size_t i = 0; i < unpacked->alias_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_ALIAS, .name = unpacked->aliases[i].alias.name }, &unpacked->aliases[i].versions);
	for (size_t i = 0; i < unpacked->enum_count; i++)
		add(indexer, &(struct abi_index_item){ .kind = ABI_ENUM, .name = unpacked->enums[i].one.name }, &unpacked->enums[i].versions);
}

static void add_numbers(struct indexer *indexer, const struct unpacked *unpacked)
{
	for (size_t i = 0; i < unpacked->constant_count; i++) {
		const struct abi_constant *constant = &unpacked->constants[i].constant;

		add(indexer, &(struct abi_index_item){ .kind = ABI_CONSTANT, .name = constant->name, .number = constant->value },
		    &unpacked->constants[i].versions);
	}
	for (size_t i = 0; i < unpacked->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &unpacked->ioctls[i].ioctl;

		add(indexer, &(struct abi_index_item){ .kind = ABI_IOCTL, .family = ioctl->family, .name = ioctl->name,
						       .number = abi_number_unsigned(ioctl->number) },
		    &unpacked->ioctls[i].versions);
	}
}

void unpacked_index(struct abi_index *out, const struct unpacked *unpacked, struct arena *arena)
{
	size_t most = unpacked->record_count + unpacked->alias_count + unpacked->enum_count + unpacked->constant_count + unpacked->ioctl_count;
	struct indexer indexer = { .items = arena_array(arena, most + 1, sizeof(*indexer.items)) };

	add_types(&indexer, unpacked);
	add_numbers(&indexer, unpacked);
	*out = (struct abi_index){ indexer.items, indexer.count };
}
