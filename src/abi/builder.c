/*
 * abi/builder.c - builds a document from items
 *
 * Each kind has a list of items, in the order in which they were added, and a hash table of their names.
 * abi_builder_seal() copies the lists to the arena and sorts them. No result depends on the order of a hash
 * table.
 */

#include "abi/internal.h"

#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* Maps a name to the index of an item in its list. Allocated in the builder's scratch arena. */
struct slot {
	const char *name;
	size_t index;
	UT_hash_handle hh;
};

struct abi_builder {
	struct arena *arena;  /* the document's */
	struct arena scratch; /* the builder's own, for slots and their names */
	struct builder_list {
		struct slot *slots;
		char *items; /* array of structs of the list's kind */
		size_t count, capacity;
	} lists[ABI_KIND_COUNT];
	struct abi_warning *warnings;
	size_t warning_count, warning_capacity;
};

struct abi_builder *abi_builder_new(struct arena *arena)
{
	struct abi_builder *builder = xmalloc(sizeof(*builder));

	*builder = (struct abi_builder){ .arena = arena };
	return builder;
}

/* Frees the lists of the builder, and leaves it empty. Strings and sealed items, in its arena, stay valid. */
static void builder_empty(struct abi_builder *builder)
{
	struct arena *arena = builder->arena;

	for (int kind = 0; kind < ABI_KIND_COUNT; kind++) {
		HASH_CLEAR(hh, builder->lists[kind].slots);
		free(builder->lists[kind].items);
	}
	arena_release(&builder->scratch);
	free(builder->warnings);
	*builder = (struct abi_builder){ .arena = arena };
}

void abi_builder_free(struct abi_builder *builder)
{
	if (!builder)
		return;
	builder_empty(builder);
	free(builder);
}

/* Adds a copy of @item. Return: NULL; if the builder has an item of this kind and name, only that item. */
static const void *insert_item(struct abi_builder *builder, enum abi_kind kind, const char *name,
			       const void *item)
{
	struct builder_list *list = &builder->lists[kind];
	const size_t length = strlen(name), size = abi_item_bytes(kind);
	unsigned int hash;
	struct slot *slot;

	HASH_VALUE(name, length, hash);
	HASH_FIND_BYHASHVALUE(hh, list->slots, name, length, hash, slot);
	if (slot)
		return list->items + slot->index * size;
	slot = arena_alloc(&builder->scratch, sizeof(*slot));
	*slot = (struct slot){ .name = name, .index = list->count };
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, list->slots, slot->name, length, hash, slot);
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? list->capacity * 2 : 16;
		list->items = xrealloc(list->items, list->capacity * size);
	}
	memcpy(list->items + list->count++ * size, item, size);
	return NULL;
}

const void *abi_builder_find(const struct abi_builder *builder, enum abi_kind kind, const char *name)
{
	const struct builder_list *list = &builder->lists[kind];
	struct slot *slot;

	HASH_FIND_STR(list->slots, name, slot);
	return slot ? list->items + slot->index * abi_item_bytes(kind) : NULL;
}

bool abi_builder_has_other(const struct abi_builder *builder, enum abi_kind kind, const char *name)
{
	const bool has_record = abi_builder_find(builder, ABI_RECORD, name),
		   has_enum = abi_builder_find(builder, ABI_ENUM, name),
		   has_alias = abi_builder_find(builder, ABI_ALIAS, name);

	switch (kind) {
	case ABI_RECORD: return has_enum || has_alias;
	case ABI_ENUM: return has_record || (!has_enum && has_alias);
	case ABI_ALIAS: return has_record || has_enum;
	case ABI_CONSTANT:
	case ABI_IOCTL: return false;
	}
	return false;
}

static const char *source_text(const char *source)
{
	return source && *source ? source : "an unknown place";
}

void abi_builder_warning(struct abi_builder *builder, const char *place, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(builder->arena, format, args);
	va_end(args);
	ARRAY_GROW(builder->warnings, builder->warning_count, builder->warning_capacity);
	builder->warnings[builder->warning_count++] = (struct abi_warning){ place ? place : "", text };
}

void abi_builder_record(struct abi_builder *builder, const struct abi_record *record)
{
	const struct abi_record *first = insert_item(builder, ABI_RECORD, record->name, record);

	if (first && !abi_same_item(ABI_RECORD, first, record))
		abi_builder_warning(builder, record->source,
				    "%s %s is defined differently at %s (%" PRIu64
				    " bytes, %zu fields) and at %s (%" PRIu64
				    " bytes, %zu fields); the first is kept",
				    first->is_union ? "union" : "struct", first->name,
				    source_text(first->source), first->size_bytes, first->field_count,
				    source_text(record->source), record->size_bytes, record->field_count);
}

void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias)
{
	const struct abi_alias *first = insert_item(builder, ABI_ALIAS, alias->name, alias);

	if (first && !abi_same_item(ABI_ALIAS, first, alias))
		abi_builder_warning(builder, "",
				    "%s is an alias of \"%s\" (%" PRIu64
				    " bytes) in one translation unit and of \"%s\" (%" PRIu64
				    " bytes) in another; the first is kept",
				    first->name, first->type, first->size_bytes, alias->type,
				    alias->size_bytes);
}

/*
 * Sorts a copy of @array and removes duplicates from it, which reduces *@count. Return: the copy, in @arena;
 * the array itself if it is already sorted and has no duplicates.
 */
static const void *sorted_array(struct arena *arena, const void *array, size_t *count, size_t size,
				int (*order)(const void *, const void *))
{
	size_t i, unique = 0;
	char *copy;

	for (i = 1; i < *count; i++)
		if (order((const char *)array + (i - 1) * size, (const char *)array + i * size) >= 0)
			break;
	if (i >= *count)
		return array;
	copy = arena_memdup(arena, array, *count * size);
	sort_items(copy, *count, size, order);
	for (i = 0; i < *count; i++)
		if (!unique || order(copy + (unique - 1) * size, copy + i * size))
			memmove(copy + unique++ * size, copy + i * size, size);
	*count = unique;
	return copy;
}

void abi_builder_enum(struct abi_builder *builder, const struct abi_enum *one)
{
	struct abi_enum sorted = *one;
	const struct abi_enum *first;

	sorted.values = sorted_array(builder->arena, one->values, &sorted.value_count, sizeof(*one->values),
				     order_named);
	first = insert_item(builder, ABI_ENUM, one->name, &sorted);
	if (first && !abi_same_item(ABI_ENUM, first, &sorted))
		abi_builder_warning(builder, one->source,
				    "enum %s is defined differently at %s (%" PRIu64
				    " bytes, %zu values) and at %s (%" PRIu64
				    " bytes, %zu values); the first is kept",
				    first->name, source_text(first->source), first->size_bytes,
				    first->value_count, source_text(one->source), one->size_bytes,
				    one->value_count);
}

void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant)
{
	const struct abi_constant *first = insert_item(builder, ABI_CONSTANT, constant->name, constant);
	char first_text[24], other_text[24];

	if (first && !abi_number_equal(first->value, constant->value))
		abi_builder_warning(builder, "",
				    "%s is defined as %s and as %s; the first is kept",
				    constant->name, abi_number_text(first->value, first_text),
				    abi_number_text(constant->value, other_text));
}

void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl)
{
	struct abi_ioctl sorted = *ioctl;
	const struct abi_ioctl *first;

	sorted.flags = sorted_array(builder->arena, ioctl->flags, &sorted.flag_count, sizeof(*ioctl->flags),
				    order_named);
	if (!sorted.source)
		sorted.source = "";
	first = insert_item(builder, ABI_IOCTL,
			    arena_printf(&builder->scratch, "%s\n%s", ioctl->family, ioctl->name), &sorted);
	if (first && !abi_same_item(ABI_IOCTL, first, &sorted))
		abi_builder_warning(builder, sorted.source,
				    "%s ioctl %s is defined differently at %s (number 0x%" PRIx64
				    ", parameters %s) and at %s (number 0x%" PRIx64
				    ", parameters %s); the first is kept",
				    first->family, first->name, source_text(first->source), first->number,
				    first->params ? first->params : "none", source_text(sorted.source),
				    sorted.number, sorted.params ? sorted.params : "none");
}

/* For qsort(): orders warnings by path, line, column and text, as a sealed document has them. */
static int order_warnings(const void *a, const void *b)
{
	const struct abi_warning *x = a, *y = b;
	const size_t x_path = strcspn(x->place, ":"), y_path = strcspn(y->place, ":");

	/* strverscmp() compares the line and the column as numbers. */
	return memcmp(x->place, y->place, x_path < y_path ? x_path : y_path)
		?: compare_numbers(x_path, y_path) ?: strverscmp(x->place + x_path, y->place + y_path)
		?: strcmp(x->text, y->text);
}

void abi_builder_seal(struct abi *out, struct abi_builder *builder, const struct abi *head)
{
	struct abi abi = {
		.driver = head->driver ? head->driver : "",
		.version = head->version ? head->version : "",
		.commit = head->commit ? head->commit : "",
		.target = head->target ? head->target : "",
		.absent = head->absent,
		.absent_count = head->absent_count,
		.warning_count = builder->warning_count,
	};

	for (int kind = 0; kind < ABI_KIND_COUNT; kind++) {
		const struct builder_list *list = &builder->lists[kind];
		const size_t size = abi_item_bytes((enum abi_kind)kind);

		if (!list->count)
			continue;
		sort_items(list->items, list->count, size, kind == ABI_IOCTL ? abi_order_ioctl : order_named);
		abi_set_items(&abi, (enum abi_kind)kind,
			      arena_memdup(builder->arena, list->items, list->count * size), list->count);
	}
	if (abi.warning_count) {
		abi.warnings = arena_memdup(builder->arena, builder->warnings,
					    abi.warning_count * sizeof(*abi.warnings));
		abi.warnings = sorted_array(builder->arena, abi.warnings, &abi.warning_count,
					    sizeof(*abi.warnings), order_warnings);
	}
	builder_empty(builder);
	*out = abi;
}
