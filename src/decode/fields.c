/*
 * What a template's fields are for some bytes of it: values, their names, how many elements are worth showing, what the
 * call changed, and the bytes that no field covers and that are not 0.
 */
#include "decode/decode.h"

#include "decode/template.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_LEAST = 4 };

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
	static const char *const prefixes[] = { "NV_OK", "NV_ERR_", "NV_WARN_" };

	for (size_t p = 0; p < sizeof(prefixes) / sizeof(*prefixes); p++) {
		const size_t length = strlen(prefixes[p]);

		for (size_t i = abi_constants_from(abi, prefixes[p]); i < abi->constant_count; i++) {
			const struct abi_constant *at = &abi->constants[i];

			if (strncmp(at->name, prefixes[p], length) != 0 || (!p && at->name[length]))
				break;
			if (!at->value.negative && at->value.magnitude == value)
				return at->name;
		}
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

static const char *ioctl_name(const struct abi *abi, const char *family, uint64_t number)
{
	const struct abi_ioctl *ioctl = call_find(abi, family, number);

	return ioctl ? ioctl->name : NULL;
}

static const char *choice_name(const struct union_rule *rule, uint64_t value)
{
	const struct union_choice *choice = call_choice(rule, value);

	return choice ? choice->name : NULL;
}

/* The driver's word for a field's value. */
static const char *name_of(const struct template_field *form, const struct abi *abi, const struct decode_field *field)
{
	const struct abi_number value = decode_field_value(field, 0);

	switch (form->name) {
	case TEMPLATE_UNNAMED: return NULL;
	case TEMPLATE_ENUMERATOR: return enumerator_name(field->enumeration, value);
	case TEMPLATE_STATUS: return decode_status_name(abi, value.magnitude);
	case TEMPLATE_CLASS: return ioctl_name(abi, "alloc", value.magnitude);
	case TEMPLATE_COMMAND: return ioctl_name(abi, "control", value.magnitude);
	case TEMPLATE_ESCAPE: return ioctl_name(abi, "frontend", value.magnitude);
	case TEMPLATE_WORD: return choice_name(form->rule, value.magnitude);
	}
	return NULL;
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

/* How many of @count elements count. */
static uint64_t elements_shown(const char **counted_by, const struct template_count *by, const uint8_t *payload, const uint8_t *elements,
			       uint64_t count, uint64_t size)
{
	*counted_by = NULL;
	if (by->size_bits) {
		const uint64_t value = bits_at(payload, by->offset_bits, by->size_bits);

		if (value <= count) {
			*counted_by = by->name;
			return value;
		}
	}
	return last_used(elements, count, size);
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

/* --- a template's fields ------------------------------------------------------------------- */

static bool same_bits(const uint8_t *a, const uint8_t *b, const struct decode_field *field)
{
	if (field->is_bitfield)
		return bits_at(a, field->offset_bits, field->size_bits) == bits_at(b, field->offset_bits, field->size_bits);
	return !memcmp(a + field->offset_bits / 8, b + field->offset_bits / 8, field->size_bits / 8);
}

/* What the bytes before the call say of a field that has changed. */
static void apply_before(struct decode_field *field, const struct template_field *form, const struct abi *abi, const uint8_t *before)
{
	struct decode_field old = *field;

	if (same_bits(field->bytes, before, field))
		return;
	old.bytes = before;
	field->before = before;
	field->name_before = form->name ? name_of(form, abi, &old) : NULL;
	field->is_text_before = is_text(&old);
	field->shown_before = field->counted_by ? field->shown : last_used(before + old.offset_bits / 8, old.count, old.element_bytes);
}

static void apply_field(struct decode_field *field, const struct template_field *form, const struct abi *abi, const uint8_t *bytes, const uint8_t *before)
{
	const uint8_t *at = bytes + form->field.offset_bits / 8;

	*field = form->field;
	field->bytes = bytes;
	field->is_zero = field->is_bitfield ? !bits_at(bytes, field->offset_bits, field->size_bits) : is_zero(at, field->size_bits / 8);
	field->is_text = is_text(field);
	if (field->is_array)
		field->shown = elements_shown(&field->counted_by, &form->count, bytes, at, field->count, field->element_bytes);
	if (form->name)
		field->name = name_of(form, abi, field);
	if (before)
		apply_before(field, form, abi, before);
}

static int by_first(const void *a, const void *b)
{
	const struct decode_fold *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->until < y->until) - (x->until > y->until);
}

static void apply_folds(struct decode_fields *out, const struct decode_template *form, struct arena *arena)
{
	struct decode_fold *folds = form->fold_count ? arena_array(arena, form->fold_count, sizeof(*folds)) : NULL;

	for (size_t i = 0; i < form->fold_count; i++) {
		const struct template_fold *from = &form->folds[i];
		const uint8_t *elements = out->bytes + from->offset_bytes;
		struct decode_fold fold = { .path = from->path, .count = from->count };

		fold.shown = elements_shown(&fold.counted_by, &from->counted, out->bytes, elements, from->count, from->element_bytes);
		if (fold.shown == fold.count)
			continue;
		fold.first = from->first[fold.shown];
		fold.until = from->first[fold.count];
		fold.is_zero = is_zero(elements + fold.shown * from->element_bytes, (fold.count - fold.shown) * from->element_bytes);
		folds[out->fold_count++] = fold;
	}
	if (out->fold_count)
		qsort(folds, out->fold_count, sizeof(*folds), by_first);
	out->folds = folds;
}

/* From the first byte of a gap that is not 0. */
static void apply_gaps(struct decode_fields *out, const struct decode_template *form, const uint8_t *before, struct arena *arena)
{
	struct decode_padding *found = form->gap_count ? arena_array(arena, form->gap_count, sizeof(*found)) : NULL;

	for (size_t i = 0; i < form->gap_count; i++) {
		uint64_t at = form->gaps[i].offset;
		const uint64_t end = at + form->gaps[i].size;

		while (at < end && !out->bytes[at] && (!before || !before[at]))
			at++;
		if (at == end)
			continue;
		found[out->padding_count++] = (struct decode_padding){
			.offset = at, .size = end - at, .is_changed = before && memcmp(before + at, out->bytes + at, end - at),
		};
	}
	out->padding = found;
}

void decode_template_apply(struct decode_fields *out, const struct decode_template *form, const uint8_t *bytes, const uint8_t *before,
			   struct arena *arena)
{
	struct decode_field *fields = form->count ? arena_array(arena, form->count, sizeof(*fields)) : NULL;

	*out = (struct decode_fields){ .bytes = bytes, .before = before, .fields = fields, .count = form->count };
	for (size_t i = 0; i < form->count; i++)
		apply_field(&fields[i], &form->fields[i], form->abi, bytes, before);
	apply_folds(out, form, arena);
	apply_gaps(out, form, before, arena);
}
