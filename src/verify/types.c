#include "verify/types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What every pointer is that has no name of its own. */
#define POINTER_TYPE "void *"

struct types {
	const struct ctable_map *map;
	const struct abi *abi;
	const struct profile *profile;
	struct table_type *item; /* a name may be there twice until the end: then the first counts */
	size_t count;
	struct arena *arena;
	struct err *err;
};

/* The fields of one struct on their way into the table. */
struct field_list {
	struct table_field *item; /* freed with free() */
	size_t count, capacity;
	bool is_bits;       /* the last one is the storage of bit-fields */
	uint64_t end_bytes; /* of that storage, from the start of the struct */
	uint64_t unit_bytes; /* the one width that these bit-fields were declared with; 0: several */
};

/* The words that every table knows, as Go spells them. */
static bool is_table_word(const char *name)
{
	static const char *const words[] = { "bool", "int16", "int32", "int64", "int8", "uint16", "uint32", "uint64", "uint8" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i], name))
			return true;
	return false;
}

static bool is_integer_width(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

static const char *unsigned_word(uint64_t bytes, struct arena *arena)
{
	return is_integer_width(bytes) ? arena_printf(arena, "uint%" PRIu64, bytes * 8) : arena_printf(arena, "uint8[%" PRIu64 "]", bytes);
}

/* Bytes, one or more: never a number. */
static const char *byte_array(uint64_t bytes, struct arena *arena)
{
	return arena_printf(arena, "uint8[%" PRIu64 "]", bytes);
}

/* One element; what has no integer's width ends in a dimension of its own. */
static const char *scalar_word(const struct abi_type *type, struct arena *arena)
{
	switch (type->scalar) {
	case ABI_I8:
	case ABI_I16:
	case ABI_I32:
	case ABI_I64:
		return arena_printf(arena, "int%" PRIu64, type->element_bytes * 8);
	case ABI_BOOL:
		return "bool";
	case ABI_POINTER:
		return POINTER_TYPE;
	case ABI_U8:
	case ABI_U16:
	case ABI_U32:
	case ABI_U64:
	case ABI_CHAR:
	case ABI_ENUMERATION:
	case ABI_BYTES:
		return unsigned_word(type->element_bytes, arena);
	}
	return "";
}

/* @word, with the dimensions of @type before those that it has itself. */
static const char *with_dimensions(const char *word, const struct abi_type *type, struct arena *arena)
{
	size_t length = strcspn(word, "[");
	struct strbuf text = { 0 };
	const char *spelled;

	strbuf_add(&text, word, length);
	for (size_t i = 0; i < type->dimension_count; i++)
		strbuf_addf(&text, "[%" PRIu64 "]", type->dimension[i]);
	strbuf_adds(&text, word + length);
	spelled = arena_strdup(arena, strbuf_text(&text));
	strbuf_release(&text);
	return spelled;
}

/* A type, in words that need no typedef of the header. */
static const char *plain_spelling(const struct abi_type *type, struct arena *arena)
{
	if (type->record && type->record->is_union) /* all elements of an array of unions are one run of bytes */
		return byte_array(type->element_bytes * type->count, arena);
	return with_dimensions(type->record ? type->record->name : scalar_word(type, arena), type, arena);
}

/* Rules that name a field or record are about the driver's; the proxy has to say for itself what it follows. */
static enum abi_role role_of(const struct types *types, const char *name)
{
	enum abi_role role;

	name += strncmp(name, "const ", 6) ? 0 : 6;
	for (size_t i = 0; i < types->map->role_count; i++)
		if (!strcmp(types->map->role[i].type, name))
			return types->map->role[i].role;
	role = profile_role_of(types->profile, "", "", name);
	return role == ABI_ROLE_POINTER || role == ABI_ROLE_HANDLE ? role : ABI_ROLE_NONE;
}

/* A field has the header's own spelling where a table would read that the same way. */
static int field_spelling(const char **out, const struct types *types, const struct abi_field *field, const struct abi_type *type)
{
	struct abi_spelling spelling;
	const char *base;
	int rc;

	if ((rc = abi_spelling_parse(&spelling, field->type, types->err)))
		return rc;
	base = arena_strndup(types->arena, spelling.base, spelling.base_length);
	if (spelling.dimension_count != type->dimension_count || is_table_word(base) || (type->record && type->record->is_union))
		*out = plain_spelling(type, types->arena);
	else
		*out = field->type;
	return 0;
}

static void push_field(struct field_list *fields, const char *name, const char *type, uint64_t offset_bytes)
{
	ARRAY_GROW(fields->item, fields->count, fields->capacity);
	fields->item[fields->count++] = (struct table_field){ name, type, offset_bytes };
	fields->is_bits = false;
}

/* Bit-fields whose bytes touch are one field: a driver's bit-field must lie in one of the proxy, wherever the storage is cut. */
static void push_bits(struct field_list *fields, const struct types *types, const struct abi_field *field, uint64_t unit_bytes,
		      uint64_t base_bytes)
{
	uint64_t from = base_bytes + field->offset_bits / 8, end = base_bytes + (field->offset_bits + field->size_bits + 7) / 8;
	struct table_field *run;

	if (!fields->is_bits || from > fields->end_bytes) {
		push_field(fields, field->name, NULL, from);
		fields->is_bits = true;
		fields->unit_bytes = unit_bytes;
		fields->end_bytes = end;
	}
	run = &fields->item[fields->count - 1];
	if (end > fields->end_bytes)
		fields->end_bytes = end;
	if (fields->unit_bytes != unit_bytes)
		fields->unit_bytes = 0;
	end = fields->end_bytes - run->offset_bytes;
	run->type = fields->unit_bytes == end && is_integer_width(end) && !(run->offset_bytes % end) ? unsigned_word(end, types->arena) :
													byte_array(end, types->arena);
}

/* What an unnamed union is called in reports: as its first member. */
static const char *first_name(const struct abi_record *record)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (*record->fields[i].name)
			return record->fields[i].name;
	return "union";
}

static int push_members(struct field_list *fields, struct types *types, const struct abi_record *record, uint64_t base_bytes);

static int push_member(struct field_list *fields, struct types *types, const struct abi_field *field, uint64_t base_bytes)
{
	const char *name = field->name, *spelled;
	struct abi_type type;
	int rc;

	if ((rc = abi_resolve_type(&type, types->abi, field->type, types->err)))
		return rc;
	if (field->is_bitfield) {
		if (*field->name && field->size_bits) /* C: the others are padding */
			push_bits(fields, types, field, type.element_bytes, base_bytes);
		return 0;
	}
	base_bytes += field->offset_bits / 8;
	if (type.record && !*name && !type.record->is_union)
		return push_members(fields, types, type.record, base_bytes);
	if (!type.count || !type.element_bytes)
		return 0;
	if ((rc = field_spelling(&spelled, types, field, &type)))
		return rc;
	push_field(fields, type.record && !*name ? first_name(type.record) : name, spelled, base_bytes);
	return 0;
}

static int push_members(struct field_list *fields, struct types *types, const struct abi_record *record, uint64_t base_bytes)
{
	int rc = 0;

	for (size_t i = 0; i < record->field_count && !rc; i++)
		rc = push_member(fields, types, &record->fields[i], base_bytes);
	return rc;
}

static int add_record(struct types *types, const struct abi_record *record)
{
	struct table_type type = { .name = record->name, .size_bytes = record->size_bytes, .role = role_of(types, record->name) };
	struct field_list fields = { 0 };
	int rc = 0;

	if (record->is_union) {
		type.alias = byte_array(record->size_bytes, types->arena);
	} else if (!(rc = push_members(&fields, types, record, 0))) {
		type.fields = arena_memdup(types->arena, fields.item, fields.count * sizeof(*fields.item));
		type.field_count = fields.count;
	}
	free(fields.item);
	if (rc)
		err_prefix(types->err, "%s: %s", record->source, record->name);
	else
		types->item[types->count++] = type;
	return rc;
}

static int add_alias(struct types *types, const char *name)
{
	struct table_type out = { .name = name, .role = role_of(types, name) };
	struct abi_type type;
	int rc;

	if (is_table_word(name))
		return 0;
	if ((rc = abi_resolve_type(&type, types->abi, name, types->err)))
		return rc;
	out.size_bytes = type.element_bytes * type.count;
	if (!out.size_bytes) /* "void", a function: no field is one */
		return 0;
	out.alias = plain_spelling(&type, types->arena);
	if (!type.record && type.scalar == ABI_POINTER && !type.dimension_count) {
		out.role = ABI_ROLE_POINTER;
		out.alias = unsigned_word(out.size_bytes, types->arena);
	}
	types->item[types->count++] = out;
	return 0;
}

static int compare_types(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

/* Records first: a tag that is also a typedef of something else is read as the record, as the document has it. */
static int add_all(struct types *types)
{
	const struct abi *abi = types->abi;
	int rc = 0;

	for (size_t i = 0; i < abi->record_count && !rc; i++)
		rc = add_record(types, &abi->records[i]);
	for (size_t i = 0; i < abi->alias_count && !rc; i++)
		if (!abi_find_record(abi, abi->aliases[i].name))
			rc = add_alias(types, abi->aliases[i].name);
	if (!rc && !abi_find_alias(abi, POINTER_TYPE))
		types->item[types->count++] = (struct table_type){ .name = POINTER_TYPE, .size_bytes = 8, .alias = "uint64",
								   .role = ABI_ROLE_POINTER };
	return rc;
}

static int check_roles(const struct table *table, const struct ctable_map *map, struct err *err)
{
	for (size_t i = 0; i < map->role_count; i++)
		if (!table_find_type(table, map->role[i].type))
			return err_set(err, ERR_FORMAT, "%s: none of the proxy's structs has anything of the type %.200s", map->role[i].source,
				       map->role[i].type);
	return 0;
}

int ctable_types(struct table *out, const struct ctable_map *map, const struct abi *abi, const struct profile *profile,
		 struct arena *arena, struct err *err)
{
	struct types types = { .map = map, .abi = abi, .profile = profile, .arena = arena, .err = err };
	int rc;

	types.item = arena_array(arena, abi->record_count + abi->alias_count + 1, sizeof(*types.item));
	if ((rc = add_all(&types)))
		return rc;
	qsort(types.item, types.count, sizeof(*types.item), compare_types);
	out->types = types.item;
	out->type_count = types.count;
	return check_roles(out, map, err);
}
