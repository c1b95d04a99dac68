#include "decode/call.h"

#include <string.h>

static const struct abi_field *find_field(const struct abi_record *record, const char *name, size_t length)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (strlen(record->fields[i].name) == length && !memcmp(record->fields[i].name, name, length))
			return &record->fields[i];
	return NULL;
}

bool call_field_find(struct call_field *out, const struct abi *abi, const char *record_name, const char *path)
{
	const struct abi_record *record = abi_find_record(abi, record_name);
	struct call_field found = { .field = NULL };

	for (const char *at = path; record; at += *at == '.') {
		const size_t length = strcspn(at, ".");
		struct abi_type type;

		found.field = find_field(record, at, length);
		if (!found.field)
			return false;
		found.offset_bits += found.field->offset_bits;
		at += length;
		if (!*at) {
			*out = found;
			return true;
		}
		record = abi_resolve_type(&type, abi, found.field->type, NULL) || type.dimension_count ? NULL : type.record;
	}
	return false;
}

bool call_field_read(uint64_t *out, const struct call_field *field, const uint8_t *bytes, uint64_t size_bytes)
{
	const uint64_t offset = field->offset_bits / 8, size = field->field->size_bits / 8;
	uint64_t value = 0;

	if (field->field->is_bitfield || !size || size > 8 || field->offset_bits % 8 || offset > size_bytes || size > size_bytes - offset)
		return false;
	for (uint64_t i = size; i-- > 0;)
		value = value << 8 | bytes[offset + i];
	*out = value;
	return true;
}

bool call_field_value(uint64_t *out, const struct abi *abi, const char *record, const char *path, const uint8_t *bytes, uint64_t size_bytes)
{
	struct call_field field;

	return call_field_find(&field, abi, record, path) && call_field_read(out, &field, bytes, size_bytes);
}
