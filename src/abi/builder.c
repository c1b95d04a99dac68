/*
 * How a document is built: one list per kind, in the order of adding, and beside each a hash of its names.
 * Sealing sorts the lists into the arena. Nothing here depends on the order in which a hash is walked.
 */
#include "abi/abi.h"

#include "abi/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* The index of an element in its list, by name. In the builder's scratch arena. */
struct slot {
	const char *name;
	size_t index;
	UT_hash_handle hh;
};

struct abi_builder {
	struct arena *arena; /* the document's */
	struct arena scratch; /* slots and their names: the builder's own */
	struct slot *slots[ABI_KIND_COUNT];
	struct abi_record *records;
	struct abi_alias *aliases;
	struct abi_enum *enums;
	struct abi_constant *constants;
	struct abi_ioctl *ioctls;
	size_t count[ABI_KIND_COUNT];
	size_t capacity[ABI_KIND_COUNT];
	struct abi_warning *warnings;
	size_t warning_count;
	size_t warning_capacity;
};

/* Appends by value. */
#define PUSH(builder, kind, list, element) do { \
	ARRAY_GROW((builder)->list, (builder)->count[kind], (builder)->capacity[kind]); \
	(builder)->list[(builder)->count[kind]++] = *(element); \
} while (0)

struct abi_builder *abi_builder_new(struct arena *arena)
{
	struct abi_builder *builder = xmalloc(sizeof(*builder));

	*builder = (struct abi_builder){ .arena = arena };
	return builder;
}

static void builder_empty(struct abi_builder *builder)
{
	struct arena *arena = builder->arena;

	for (int kind = 0; kind < ABI_KIND_COUNT; kind++)
		HASH_CLEAR(hh, builder->slots[kind]);
	arena_release(&builder->scratch);
	free(builder->records);
	free(builder->aliases);
	free(builder->enums);
	free(builder->constants);
	free(builder->ioctls);
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

/*
 * The index of @name in the list of its kind. A new name gets the next index:
 * then *@is_new is true and the caller must append.
 */
static size_t slot_of(struct abi_builder *builder, enum abi_kind kind, const char *name, bool *is_new)
{
	struct slot **table = &builder->slots[kind];
	size_t length = strlen(name);
	unsigned int hash;
	struct slot *slot;

	HASH_VALUE(name, length, hash);
	HASH_FIND_BYHASHVALUE(hh, *table, name, length, hash, slot);
	*is_new = !slot;
	if (!slot) {
		slot = arena_alloc(&builder->scratch, sizeof(*slot));
		slot->name = name;
		slot->index = builder->count[kind];
		HASH_ADD_KEYPTR_BYHASHVALUE(hh, *table, slot->name, length, hash, slot);
	}
	return slot->index;
}

static bool has_slot(const struct abi_builder *builder, enum abi_kind kind, const char *name)
{
	struct slot *slot;

	HASH_FIND_STR(builder->slots[kind], name, slot);
	return slot != NULL;
}

bool abi_builder_has_record(const struct abi_builder *builder, const char *name)
{
	return has_slot(builder, ABI_RECORD, name);
}

bool abi_builder_has_alias(const struct abi_builder *builder, const char *name)
{
	return has_slot(builder, ABI_ALIAS, name);
}

bool abi_builder_has_other(const struct abi_builder *builder, enum abi_kind kind, const char *name)
{
	bool has_record = has_slot(builder, ABI_RECORD, name), has_enum = has_slot(builder, ABI_ENUM, name);

	switch (kind) {
	case ABI_RECORD: return has_enum || has_slot(builder, ABI_ALIAS, name);
	case ABI_ENUM: return has_record || (!has_enum && has_slot(builder, ABI_ALIAS, name));
	case ABI_ALIAS: return has_record || has_enum;
	case ABI_CONSTANT:
	case ABI_IOCTL: return false;
	}
	return false;
}

const struct abi_record *abi_builder_find_record(const struct abi_builder *builder, const char *name)
{
	struct slot *slot;

	HASH_FIND_STR(builder->slots[ABI_RECORD], name, slot);
	return slot ? &builder->records[slot->index] : NULL;
}

const struct abi_enum *abi_builder_find_enum(const struct abi_builder *builder, const char *name)
{
	struct slot *slot;

	HASH_FIND_STR(builder->slots[ABI_ENUM], name, slot);
	return slot ? &builder->enums[slot->index] : NULL;
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

static void warn_record(struct abi_builder *builder, const struct abi_record *first,
			const struct abi_record *other)
{
	abi_builder_warning(builder, other->source,
			    "%s %s is defined differently at %s (%" PRIu64
			    " bytes, %zu fields) and at %s (%" PRIu64
			    " bytes, %zu fields); the first is kept",
			    first->is_union ? "union" : "struct", first->name, source_text(first->source),
			    first->size_bytes, first->field_count, source_text(other->source),
			    other->size_bytes, other->field_count);
}

void abi_builder_record(struct abi_builder *builder, const struct abi_record *record)
{
	bool is_new;
	size_t slot = slot_of(builder, ABI_RECORD, record->name, &is_new);

	if (is_new)
		PUSH(builder, ABI_RECORD, records, record);
	else if (!abi_same_record(&builder->records[slot], record))
		warn_record(builder, &builder->records[slot], record);
}

void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias)
{
	bool is_new;
	size_t slot = slot_of(builder, ABI_ALIAS, alias->name, &is_new);
	const struct abi_alias *first;

	if (is_new) {
		PUSH(builder, ABI_ALIAS, aliases, alias);
		return;
	}
	first = &builder->aliases[slot];
	if (abi_same_alias(first, alias))
		return;
	abi_builder_warning(builder, "",
			    "%s stands for \"%s\" (%" PRIu64
			    " bytes) in one translation unit and for \"%s\" (%" PRIu64
			    " bytes) in another; the first is kept",
			    first->name, first->type, first->size_bytes, alias->type, alias->size_bytes);
}

/* Sorted copy in the arena, each element once; the array itself if it is that already. */
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
	qsort(copy, *count, size, order);
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
	bool is_new;
	size_t slot = slot_of(builder, ABI_ENUM, one->name, &is_new);

	sorted.values = sorted_array(builder->arena, one->values, &sorted.value_count, sizeof(*one->values),
				     abi_order_named);
	if (is_new) {
		PUSH(builder, ABI_ENUM, enums, &sorted);
		return;
	}
	first = &builder->enums[slot];
	if (abi_same_enum(first, &sorted))
		return;
	abi_builder_warning(builder, one->source,
			    "enum %s is defined differently at %s (%" PRIu64
			    " bytes, %zu values) and at %s (%" PRIu64
			    " bytes, %zu values); the first is kept",
			    first->name, source_text(first->source), first->size_bytes, first->value_count,
			    source_text(one->source), one->size_bytes, one->value_count);
}

void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant)
{
	char first_text[24], other_text[24];
	bool is_new;
	size_t slot = slot_of(builder, ABI_CONSTANT, constant->name, &is_new);

	if (is_new) {
		PUSH(builder, ABI_CONSTANT, constants, constant);
		return;
	}
	if (abi_number_equal(builder->constants[slot].value, constant->value))
		return;
	abi_builder_warning(builder, "",
			    "%s is %s in one translation unit and %s in another; the first is kept",
			    constant->name, abi_number_text(builder->constants[slot].value, first_text),
			    abi_number_text(constant->value, other_text));
}

static void warn_ioctl(struct abi_builder *builder, const struct abi_ioctl *first,
		       const struct abi_ioctl *other)
{
	abi_builder_warning(builder, other->source,
			    "%s ioctl %s is stated differently at %s (number 0x%" PRIx64
			    ", parameters %s) and at %s (number 0x%" PRIx64
			    ", parameters %s); the first is kept",
			    first->family, first->name, source_text(first->source), first->number,
			    first->params ? first->params : "none", source_text(other->source), other->number,
			    other->params ? other->params : "none");
}

/* An ioctl is known by family and name; a name in two families is two ioctls. */
void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl)
{
	struct abi_ioctl sorted = *ioctl;
	size_t family = strlen(ioctl->family), name = strlen(ioctl->name);
	char *key = arena_alloc(&builder->scratch, family + name + 2);
	bool is_new;
	size_t slot;

	memcpy(key, ioctl->family, family);
	key[family] = '\n';
	memcpy(key + family + 1, ioctl->name, name + 1);
	slot = slot_of(builder, ABI_IOCTL, key, &is_new);
	sorted.flags = sorted_array(builder->arena, ioctl->flags, &sorted.flag_count, sizeof(*ioctl->flags),
				    abi_order_string);
	if (!sorted.source)
		sorted.source = "";
	if (is_new)
		PUSH(builder, ABI_IOCTL, ioctls, &sorted);
	else if (!abi_same_ioctl(&builder->ioctls[slot], &sorted))
		warn_ioctl(builder, &builder->ioctls[slot], &sorted);
}

/* Sorts the array and drops repetitions. */
static size_t sort_warnings(struct abi_warning *warnings, size_t count)
{
	size_t unique = 0;

	if (count)
		qsort(warnings, count, sizeof(*warnings), abi_order_warning);
	for (size_t i = 0; i < count; i++)
		if (!unique || abi_order_warning(&warnings[unique - 1], &warnings[i]))
			warnings[unique++] = warnings[i];
	return unique;
}

static const void *frozen(struct arena *arena, void *list, size_t count, size_t size,
			  int (*order)(const void *, const void *))
{
	if (!count)
		return NULL;
	if (order)
		qsort(list, count, size, order);
	return arena_memdup(arena, list, count * size);
}

#define FROZEN(builder, kind, list, order) \
	frozen((builder)->arena, (builder)->list, (builder)->count[kind], sizeof(*(builder)->list), (order))

void abi_builder_seal(struct abi *out, struct abi_builder *builder, const struct abi *head)
{
	struct abi abi = {
		.driver = head->driver ? head->driver : "",
		.version = head->version ? head->version : "",
		.commit = head->commit ? head->commit : "",
		.target = head->target ? head->target : "",
		.absent = head->absent,
		.absent_count = head->absent_count,
	};

	abi.records = FROZEN(builder, ABI_RECORD, records, abi_order_named);
	abi.record_count = builder->count[ABI_RECORD];
	abi.aliases = FROZEN(builder, ABI_ALIAS, aliases, abi_order_named);
	abi.alias_count = builder->count[ABI_ALIAS];
	abi.enums = FROZEN(builder, ABI_ENUM, enums, abi_order_named);
	abi.enum_count = builder->count[ABI_ENUM];
	abi.constants = FROZEN(builder, ABI_CONSTANT, constants, abi_order_named);
	abi.constant_count = builder->count[ABI_CONSTANT];
	abi.ioctls = FROZEN(builder, ABI_IOCTL, ioctls, abi_order_ioctl);
	abi.ioctl_count = builder->count[ABI_IOCTL];
	abi.warning_count = sort_warnings(builder->warnings, builder->warning_count);
	abi.warnings =
		frozen(builder->arena, builder->warnings, abi.warning_count, sizeof(*abi.warnings), NULL);
	builder_empty(builder);
	*out = abi;
}
