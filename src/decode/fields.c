/*
 * 1. A record's fields are walked in order, types resolved in the document, arrays of records element by element.
 * 2. What is a scalar, or an array of such, is a field. It gets the driver's word for its value, and how many of its
 *    elements are worth showing.
 * 3. An array of records becomes a fold behind the elements that are worth showing.
 * 4. Bytes that no field covers are padding; what is not 0 there is listed.
 */
#include "decode/decode.h"

#include "decode/counted.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, TEXT_LEAST = 4 };

struct walk {
	const struct abi *abi;
	const uint8_t *bytes;
	uint64_t size_bytes;
	struct decode_field *fields; /* from xrealloc */
	size_t count, capacity;
	struct decode_fold *folds;
	size_t fold_count, fold_capacity;
	uint8_t *covered;            /* by byte */
	unsigned depth;
	size_t steps;                /* records may be nested so that they have no end in any reasonable time */
	struct arena *arena;
	struct err *err;
};

/* Something of a type, somewhere in the payload. */
struct spot {
	const char *path;
	const char *type;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
	enum abi_role role;
	const char *member;            /* as in struct decode_field */
	const struct abi_record *in;   /* the record that has it; NULL: none */
	const struct abi_field *field; /* of that */
	uint64_t record_offset_bits;
};

/* --- values --------------------------------------------------------------------------- */

static uint64_t bits_at(const uint8_t *bytes, uint64_t offset_bits, uint64_t size_bits)
{
	uint64_t value = 0;

	for (uint64_t i = 0; i < size_bits && i < 64; i++)
		value |= (uint64_t)(bytes[(offset_bits + i) / 8] >> (offset_bits + i) % 8 & 1) << i;
	return value;
}

static bool is_signed(const struct decode_field *field)
{
	switch (field->kind) {
	case ABI_I8: case ABI_I16: case ABI_I32: case ABI_I64: return true;
	case ABI_ENUMERATION: return field->enumeration && !strncmp(field->enumeration->type, "int", 3);
	case ABI_U8: case ABI_U16: case ABI_U32: case ABI_U64: case ABI_CHAR: case ABI_BOOL: case ABI_POINTER: case ABI_BYTES: return false;
	}
	return false;
}

bool decode_field_is_integer(const struct decode_field *field)
{
	return field->kind != ABI_BYTES && field->element_bytes <= 8;
}

struct abi_number decode_field_value(const struct decode_field *field, uint64_t index)
{
	const uint64_t width = field->is_bitfield ? field->size_bits : field->element_bytes * 8;
	uint64_t value = bits_at(field->bytes, field->offset_bits + index * field->element_bytes * 8, width);

	if (is_signed(field) && width && width < 64 && value >> (width - 1) & 1)
		value |= ~UINT64_C(0) << width;
	return is_signed(field) ? abi_number_signed((int64_t)value) : abi_number_unsigned(value);
}

const char *decode_status_name(const struct abi *abi, uint64_t value)
{
	for (size_t i = 0; i < abi->constant_count; i++) {
		const struct abi_constant *at = &abi->constants[i];

		if (at->value.negative || at->value.magnitude != value)
			continue;
		if (!strcmp(at->name, "NV_OK") || !strncmp(at->name, "NV_ERR_", 7) || !strncmp(at->name, "NV_WARN_", 8))
			return at->name;
	}
	return NULL;
}

static const char *enumerator_name(const struct abi_enum *one, struct abi_number value)
{
	for (size_t i = 0; one && i < one->value_count; i++)
		if (abi_number_equal(one->values[i].value, value))
			return one->values[i].name;
	return NULL;
}

/* A status of NVLink or NVKMS is none of the resource manager's. */
static bool is_rm_status(const struct spot *spot)
{
	return spot->role == ABI_ROLE_STATUS && (!strcmp(spot->type, "NvV32") || !strcmp(spot->type, "NvU32") || !strcmp(spot->type, "NV_STATUS"));
}

static const char *ioctl_name(const struct abi *abi, const char *family, uint64_t number)
{
	const struct abi_ioctl *ioctl = call_find(abi, family, number);

	return ioctl ? ioctl->name : NULL;
}

/* The driver's word for a field's value. */
static const char *name_of(const struct walk *walk, const struct spot *spot, const struct decode_field *field)
{
	const struct abi_number value = decode_field_value(field, 0);
	const struct call_choice *choice;

	if (field->enumeration)
		return enumerator_name(field->enumeration, value);
	if (is_rm_status(spot))
		return decode_status_name(walk->abi, value.magnitude);
	if (!spot->field)
		return NULL;
	if (!strcmp(spot->field->name, "hClass"))
		return ioctl_name(walk->abi, "alloc", value.magnitude);
	if (!strcmp(spot->in->name, "NVOS54_PARAMETERS") && !strcmp(spot->field->name, "cmd"))
		return ioctl_name(walk->abi, "control", value.magnitude);
	choice = call_chosen(walk->abi, spot->in->name, walk->bytes + spot->record_offset_bits / 8,
			     walk->size_bytes - spot->record_offset_bits / 8);
	return choice && !strcmp(choice->selector, spot->field->name) ? choice->word : NULL;
}

/* --- what is worth showing --------------------------------------------------------------- */

static bool is_zero(const uint8_t *bytes, uint64_t size)
{
	while (size && !bytes[size - 1])
		size--;
	return !size;
}

/* Elements up to the last that is not 0. */
static uint64_t last_used(const uint8_t *bytes, uint64_t count, uint64_t size)
{
	while (count && is_zero(bytes + (count - 1) * size, size))
		count--;
	return count;
}

/* How many elements of the array at @spot count. */
static uint64_t elements_shown(const char **counted_by, const struct walk *walk, const struct spot *spot, uint64_t count, uint64_t size)
{
	const struct abi_field *by = spot->in ? decode_counted_by(spot->in, spot->field) : NULL;
	const uint64_t at = by ? spot->record_offset_bits + by->offset_bits : 0;

	*counted_by = NULL;
	if (by && by->size_bits <= 64 && by->offset_bits <= walk->size_bytes * 8 && at + by->size_bits <= walk->size_bytes * 8) {
		const uint64_t value = bits_at(walk->bytes, at, by->size_bits);

		if (value <= count) {
			*counted_by = by->name;
			return value;
		}
	}
	return last_used(walk->bytes + spot->offset_bits / 8, count, size);
}

/* Printable ASCII, then zeros to the end. */
static bool is_text(const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	uint64_t length = 0;

	if (!field->is_array || field->element_bytes != 1)
		return false;
	while (length < field->count && bytes[length] >= ' ' && bytes[length] < 0x7f)
		length++;
	if (length < (field->kind == ABI_CHAR ? 1 : TEXT_LEAST) || (length >= 2 && bytes[0] == '0' && bytes[1] == 'x'))
		return false;
	return is_zero(bytes + length, field->count - length);
}

/* --- the walk ------------------------------------------------------------------------------ */

static int add_scalar(struct walk *walk, const struct spot *spot, const struct abi_type *type)
{
	const bool is_array = type->dimension_count > 0;
	struct decode_field field = {
		.path = spot->path, .type = spot->type, .offset_bits = spot->offset_bits, .is_bitfield = spot->is_bitfield,
		.is_array = is_array, .kind = type->scalar, .element_bytes = type->element_bytes, .count = type->count, .role = spot->role,
		.enumeration = type->enumeration, .bytes = walk->bytes, .member = spot->member,
	};
	const uint8_t *from = walk->bytes + spot->offset_bits / 8;
	uint64_t bytes;

	field.size_bits = spot->is_bitfield ? spot->size_bits : type->count * type->element_bytes * 8;
	bytes = (spot->offset_bits % 8 + field.size_bits + 7) / 8;
	if (walk->count == DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s has more than %d fields", walk->abi->version, (int)DECODE_FIELDS_MAX);
	if (!spot->is_bitfield)
		field.is_zero = is_zero(from, bytes);
	else
		field.is_zero = !bits_at(walk->bytes, spot->offset_bits, spot->size_bits);
	field.is_text = is_text(&field);
	field.shown = is_array ? elements_shown(&field.counted_by, walk, spot, type->count, type->element_bytes) : 1;
	if (!is_array && decode_field_is_integer(&field))
		field.name = name_of(walk, spot, &field);
	memset(walk->covered + spot->offset_bits / 8, 1, bytes);
	ARRAY_GROW(walk->fields, walk->count, walk->capacity);
	walk->fields[walk->count++] = field;
	return 0;
}

static int walk_spot(struct walk *walk, const struct spot *spot);

/* Which member of the union at @union_spot the call uses; NULL: any. */
static const char *chosen_member(const struct walk *walk, const struct spot *at)
{
	const struct call_choice *choice;

	if (!at->in)
		return NULL;
	choice = call_chosen(walk->abi, at->in->name, walk->bytes + at->record_offset_bits / 8, walk->size_bytes - at->record_offset_bits / 8);
	return choice && !strcmp(choice->selected, at->field->name) ? choice->member : NULL;
}

static bool has_member(const struct abi_record *record, const char *name)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].name, name))
			return true;
	return false;
}

static int walk_record(struct walk *walk, const struct spot *at, const struct abi_record *record)
{
	const char *only = record->is_union ? chosen_member(walk, at) : NULL;
	int rc = 0;

	if (++walk->depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s nests records deeper than %d levels", record->name, (int)DEPTH_MAX);
	if (only && !has_member(record, only))
		only = NULL;
	for (size_t i = 0; i < record->field_count && !rc; i++) {
		const struct abi_field *field = &record->fields[i];
		struct spot spot = { .type = field->type, .offset_bits = at->offset_bits + field->offset_bits, .size_bits = field->size_bits,
				     .is_bitfield = field->is_bitfield, .role = field->role, .in = record, .field = field,
				     .record_offset_bits = at->offset_bits,
				     .member = record->is_union && !only && record->field_count > 1 ? (*at->path ? at->path : record->name) : at->member };

		if (only && strcmp(only, field->name))
			continue;
		spot.path = !*field->name ? at->path : *at->path ? arena_printf(walk->arena, "%s.%s", at->path, field->name) : field->name;
		rc = walk_spot(walk, &spot);
	}
	walk->depth--;
	return rc;
}

/* "[2][1]" of the element @index. */
static const char *element_path(const struct walk *walk, const char *path, const struct abi_type *type, uint64_t index)
{
	struct strbuf text = { 0 };
	uint64_t rest = index, inner = type->count;
	const char *out;

	strbuf_adds(&text, path);
	for (size_t d = 0; d < type->dimension_count; d++) {
		inner /= type->dimension[d];
		strbuf_addf(&text, "[%llu]", (unsigned long long)(rest / inner));
		rest %= inner;
	}
	out = arena_strdup(walk->arena, strbuf_text(&text));
	strbuf_release(&text);
	return out;
}

static int walk_elements(struct walk *walk, const struct spot *at, const struct abi_type *type)
{
	struct decode_fold fold = { .path = at->path, .count = type->count };
	int rc = 0;

	if (!type->element_bytes)
		return 0;
	fold.shown = elements_shown(&fold.counted_by, walk, at, type->count, type->element_bytes);
	for (uint64_t i = 0; i < type->count && !rc; i++) {
		struct spot spot = *at;

		if (i == fold.shown)
			fold.first = walk->count;
		spot.path = element_path(walk, at->path, type, i);
		spot.offset_bits = at->offset_bits + i * type->element_bytes * 8;
		spot.in = NULL;
		rc = walk_record(walk, &spot, type->record);
	}
	if (rc || fold.shown == type->count)
		return rc;
	fold.until = walk->count;
	fold.is_zero = is_zero(walk->bytes + at->offset_bits / 8 + fold.shown * type->element_bytes, (fold.count - fold.shown) * type->element_bytes);
	ARRAY_GROW(walk->folds, walk->fold_count, walk->fold_capacity);
	walk->folds[walk->fold_count++] = fold;
	return 0;
}

/* An array without elements has no bytes. */
static int walk_spot(struct walk *walk, const struct spot *spot)
{
	struct abi_type type;
	uint64_t bits;
	int rc;

	if ((rc = abi_resolve_type(&type, walk->abi, spot->type, walk->err)))
		return rc;
	if (++walk->steps > 4 * (size_t)DECODE_FIELDS_MAX)
		return err_set(walk->err, ERR_LIMIT, "'%s' and what is before it are more than %zu fields", spot->path, walk->steps - 1);
	if (!type.count || type.flexible)
		return 0;
	if (type.element_bytes > walk->size_bytes || type.count > walk->size_bytes ||
	    (spot->is_bitfield && (type.record || spot->size_bits > 64)))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is longer than its record", spot->path);
	bits = spot->is_bitfield ? spot->size_bits : type.count * type.element_bytes * 8;
	if (spot->offset_bits > walk->size_bytes * 8 || bits > walk->size_bytes * 8 - spot->offset_bits ||
	    (!spot->is_bitfield && spot->offset_bits % 8))
		return err_set(walk->err, ERR_LAYOUT, "'%s' is not inside its record", spot->path);
	if (!bits)
		return 0;
	if (!type.record)
		return add_scalar(walk, spot, &type);
	return type.dimension_count ? walk_elements(walk, spot, &type) : walk_record(walk, spot, type.record);
}

/* --- padding ---------------------------------------------------------------------------------- */

static void find_padding(struct decode_fields *out, const struct walk *walk)
{
	struct decode_padding *found = NULL;
	size_t count = 0, capacity = 0;

	for (uint64_t i = 0; i < walk->size_bytes; i++) {
		if (walk->covered[i] || !walk->bytes[i])
			continue;
		ARRAY_GROW(found, count, capacity);
		found[count] = (struct decode_padding){ .offset = i };
		while (i < walk->size_bytes && !walk->covered[i])
			i++;
		found[count].size = i - found[count].offset;
		count++;
	}
	out->padding = count ? arena_memdup(walk->arena, found, count * sizeof(*found)) : NULL;
	out->padding_count = count;
	free(found);
}

static int by_first(const void *a, const void *b)
{
	const struct decode_fold *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->until < y->until) - (x->until > y->until);
}

static void hand_over(struct decode_fields *out, const struct walk *walk)
{
	*out = (struct decode_fields){ .bytes = walk->bytes, .count = walk->count, .fold_count = walk->fold_count };
	if (walk->fold_count)
		qsort(walk->folds, walk->fold_count, sizeof(*walk->folds), by_first);
	out->fields = walk->count ? arena_memdup(walk->arena, walk->fields, walk->count * sizeof(*walk->fields)) : NULL;
	out->folds = walk->fold_count ? arena_memdup(walk->arena, walk->folds, walk->fold_count * sizeof(*walk->folds)) : NULL;
	find_padding(out, walk);
}

int decode_fields(struct decode_fields *out, const struct abi *abi, const char *record, const uint8_t *bytes, uint64_t size_bytes,
		  struct arena *arena, struct err *err)
{
	struct walk walk = { .abi = abi, .bytes = bytes, .size_bytes = size_bytes, .arena = arena, .err = err };
	const struct abi_record *found = abi_find_record(abi, record);
	struct spot spot = { .path = "", .type = record };
	int rc;

	walk.covered = xmalloc(size_bytes + 1);
	memset(walk.covered, 0, size_bytes + 1);
	rc = found ? walk_record(&walk, &spot, found) : walk_spot(&walk, &spot);
	if (!rc)
		hand_over(out, &walk);
	else
		err_prefix(err, "%s of %s", record, abi->version);
	free(walk.fields);
	free(walk.folds);
	free(walk.covered);
	return rc;
}
