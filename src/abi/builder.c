/*
 * How a document is built: one list per kind, in the order of adding, and
 * beside each a hash of its names. Sealing sorts the lists into the arena.
 * Nothing here depends on the order in which a hash is walked.
 */
#include "abi/document.h"

#include "abi/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* Where an element stands in its list. Lives in the builder's scratch arena. */
struct seat {
	const char *name;
	size_t index;
	UT_hash_handle hh;
};

struct abi_builder {
	struct arena *arena; /* the document's */
	struct arena scratch; /* seats and their names: ours */
	struct seat *seats[ABI_KIND_COUNT];
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
		HASH_CLEAR(hh, builder->seats[kind]);
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
 * The seat that @name has among its kind. A name seen for the first time gets
 * the next seat: then *@is_new is true and the caller must append.
 */
static size_t seat_of(struct abi_builder *builder, enum abi_kind kind, const char *name, bool *is_new)
{
	struct seat **table = &builder->seats[kind];
	size_t length = strlen(name);
	unsigned int hash;
	struct seat *seat;

	HASH_VALUE(name, length, hash);
	HASH_FIND_BYHASHVALUE(hh, *table, name, length, hash, seat);
	*is_new = !seat;
	if (!seat) {
		seat = arena_alloc(&builder->scratch, sizeof(*seat));
		seat->name = name;
		seat->index = builder->count[kind];
		HASH_ADD_KEYPTR_BYHASHVALUE(hh, *table, seat->name, length, hash, seat);
	}
	return seat->index;
}

static bool has_seat(const struct abi_builder *builder, enum abi_kind kind, const char *name)
{
	struct seat *seat;

	HASH_FIND_STR(builder->seats[kind], name, seat);
	return seat != NULL;
}

bool abi_builder_has_record(const struct abi_builder *builder, const char *name)
{
	return has_seat(builder, ABI_RECORD, name);
}

bool abi_builder_has_alias(const struct abi_builder *builder, const char *name)
{
	return has_seat(builder, ABI_ALIAS, name);
}

const struct abi_record *abi_builder_find_record(const struct abi_builder *builder, const char *name)
{
	struct seat *seat;

	HASH_FIND_STR(builder->seats[ABI_RECORD], name, seat);
	return seat ? &builder->records[seat->index] : NULL;
}

const struct abi_enum *abi_builder_find_enum(const struct abi_builder *builder, const char *name)
{
	struct seat *seat;

	HASH_FIND_STR(builder->seats[ABI_ENUM], name, seat);
	return seat ? &builder->enums[seat->index] : NULL;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static const char *place_name(const char *source)
{
	return source && *source ? source : "an unknown place";
}

void abi_builder_warning(struct abi_builder *builder, const char *place, const char *text)
{
	ARRAY_GROW(builder->warnings, builder->warning_count, builder->warning_capacity);
	builder->warnings[builder->warning_count++] = (struct abi_warning){ place ? place : "", text };
}

size_t abi_builder_warning_count(const struct abi_builder *builder)
{
	return builder->warning_count;
}

static void warn_record(struct abi_builder *builder, const struct abi_record *kept, const struct abi_record *other)
{
	abi_builder_warning(builder, other->source, arena_printf(builder->arena,
		"%s %s is defined differently at %s (%" PRIu64 " bytes, %zu fields) and at %s (%" PRIu64
		" bytes, %zu fields); the first is kept",
		kept->is_union ? "union" : "struct", kept->name,
		place_name(kept->source), kept->size_bytes, kept->field_count,
		place_name(other->source), other->size_bytes, other->field_count));
}

void abi_builder_record(struct abi_builder *builder, const struct abi_record *record)
{
	bool is_new;
	size_t seat = seat_of(builder, ABI_RECORD, record->name, &is_new);

	if (is_new)
		PUSH(builder, ABI_RECORD, records, record);
	else if (!abi_same_record(&builder->records[seat], record))
		warn_record(builder, &builder->records[seat], record);
}

void abi_builder_alias(struct abi_builder *builder, const struct abi_alias *alias)
{
	bool is_new;
	size_t seat = seat_of(builder, ABI_ALIAS, alias->name, &is_new);
	const struct abi_alias *kept;

	if (is_new) {
		PUSH(builder, ABI_ALIAS, aliases, alias);
		return;
	}
	kept = &builder->aliases[seat];
	if (kept->size_bytes == alias->size_bytes && same_text(kept->type, alias->type))
		return;
	abi_builder_warning(builder, "", arena_printf(builder->arena,
		"%s stands for \"%s\" (%" PRIu64 " bytes) in one translation unit and for \"%s\" (%" PRIu64
		" bytes) in another; the first is kept",
		kept->name, kept->type, kept->size_bytes, alias->type, alias->size_bytes));
}

static bool same_enum(const struct abi_enum *a, const struct abi_enum *b)
{
	if (a->size_bytes != b->size_bytes || a->value_count != b->value_count || !same_text(a->type, b->type))
		return false;
	for (size_t i = 0; i < a->value_count; i++)
		if (strcmp(a->values[i].name, b->values[i].name) ||
		    !abi_number_equal(a->values[i].value, b->values[i].value))
			return false;
	return true;
}

/* Sorted copy in the arena, each element once; the array itself if it is that already. */
static const void *sorted_array(struct arena *arena, const void *array, size_t *count, size_t size,
				int (*order)(const void *, const void *))
{
	size_t i, kept = 0;
	char *copy;

	for (i = 1; i < *count; i++)
		if (order((const char *)array + (i - 1) * size, (const char *)array + i * size) >= 0)
			break;
	if (i >= *count)
		return array;
	copy = arena_memdup(arena, array, *count * size);
	qsort(copy, *count, size, order);
	for (i = 0; i < *count; i++)
		if (!kept || order(copy + (kept - 1) * size, copy + i * size))
			memmove(copy + kept++ * size, copy + i * size, size);
	*count = kept;
	return copy;
}

void abi_builder_enum(struct abi_builder *builder, const struct abi_enum *one)
{
	struct abi_enum sorted = *one;
	const struct abi_enum *kept;
	bool is_new;
	size_t seat = seat_of(builder, ABI_ENUM, one->name, &is_new);

	sorted.values = sorted_array(builder->arena, one->values, &sorted.value_count, sizeof(*one->values),
				     abi_order_named);
	if (is_new) {
		PUSH(builder, ABI_ENUM, enums, &sorted);
		return;
	}
	kept = &builder->enums[seat];
	if (same_enum(kept, &sorted))
		return;
	abi_builder_warning(builder, one->source, arena_printf(builder->arena,
		"enum %s is defined differently at %s (%" PRIu64 " bytes, %zu values) and at %s (%" PRIu64
		" bytes, %zu values); the first is kept",
		kept->name, place_name(kept->source), kept->size_bytes, kept->value_count,
		place_name(one->source), one->size_bytes, one->value_count));
}

void abi_builder_constant(struct abi_builder *builder, const struct abi_constant *constant)
{
	char kept_text[24], other_text[24];
	bool is_new;
	size_t seat = seat_of(builder, ABI_CONSTANT, constant->name, &is_new);

	if (is_new) {
		PUSH(builder, ABI_CONSTANT, constants, constant);
		return;
	}
	if (abi_number_equal(builder->constants[seat].value, constant->value))
		return;
	abi_builder_warning(builder, "", arena_printf(builder->arena,
		"%s is %s in one translation unit and %s in another; the first is kept", constant->name,
		abi_number_text(builder->constants[seat].value, kept_text),
		abi_number_text(constant->value, other_text)));
}

static bool same_ioctl(const struct abi_ioctl *a, const struct abi_ioctl *b)
{
	if (a->number != b->number || a->flag_count != b->flag_count ||
	    !same_text(a->params, b->params) || !same_text(a->access, b->access))
		return false;
	for (size_t i = 0; i < a->flag_count; i++)
		if (strcmp(a->flags[i], b->flags[i]))
			return false;
	return true;
}

static void warn_ioctl(struct abi_builder *builder, const struct abi_ioctl *kept, const struct abi_ioctl *other)
{
	abi_builder_warning(builder, other->source, arena_printf(builder->arena,
		"%s ioctl %s is stated differently at %s (number 0x%" PRIx64 ", parameters %s) and at %s (number 0x%"
		PRIx64 ", parameters %s); the first is kept", kept->family, kept->name,
		place_name(kept->source), kept->number, kept->params ? kept->params : "none",
		place_name(other->source), other->number, other->params ? other->params : "none"));
}

/* An ioctl is known by family and name; a name in two families is two ioctls. */
void abi_builder_ioctl(struct abi_builder *builder, const struct abi_ioctl *ioctl)
{
	struct abi_ioctl sorted = *ioctl;
	size_t family = strlen(ioctl->family), name = strlen(ioctl->name);
	char *key = arena_alloc(&builder->scratch, family + name + 2);
	bool is_new;
	size_t seat;

	memcpy(key, ioctl->family, family);
	key[family] = '\n';
	memcpy(key + family + 1, ioctl->name, name + 1);
	seat = seat_of(builder, ABI_IOCTL, key, &is_new);
	sorted.flags = sorted_array(builder->arena, ioctl->flags, &sorted.flag_count, sizeof(*ioctl->flags),
				    abi_order_string);
	if (!sorted.source)
		sorted.source = "";
	if (is_new)
		PUSH(builder, ABI_IOCTL, ioctls, &sorted);
	else if (!same_ioctl(&builder->ioctls[seat], &sorted))
		warn_ioctl(builder, &builder->ioctls[seat], &sorted);
}

/*
 * A tag and a typedef may share a name in C and mean two things; a field
 * spelled so is then ambiguous in a document, where tags have no keyword.
 */
static void warn_shared_names(struct abi_builder *builder)
{
	for (size_t i = 0; i < builder->count[ABI_ALIAS]; i++) {
		const struct abi_alias *alias = &builder->aliases[i];
		const struct abi_record *record;
		struct seat *seat;

		HASH_FIND_STR(builder->seats[ABI_RECORD], alias->name, seat);
		if (!seat || !strcmp(alias->type, alias->name))
			continue;
		record = &builder->records[seat->index];
		abi_builder_warning(builder, record->source, arena_printf(builder->arena,
			"%s is the tag of a %s at %s (%" PRIu64 " bytes) and also a name for \"%s\" (%" PRIu64
			" bytes); a field of that type is read as the %s",
			alias->name, record->is_union ? "union" : "struct", place_name(record->source),
			record->size_bytes, alias->type, alias->size_bytes, record->is_union ? "union" : "struct"));
	}
}

/* Sorts in place and drops repetitions. */
static size_t sort_warnings(struct abi_warning *warnings, size_t count)
{
	size_t kept = 0;

	if (count)
		qsort(warnings, count, sizeof(*warnings), abi_order_warning);
	for (size_t i = 0; i < count; i++)
		if (!kept || abi_order_warning(&warnings[kept - 1], &warnings[i]))
			warnings[kept++] = warnings[i];
	return kept;
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
	};

	warn_shared_names(builder);
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
	abi.warnings = frozen(builder->arena, builder->warnings, abi.warning_count, sizeof(*abi.warnings), NULL);
	builder_empty(builder);
	*out = abi;
}
