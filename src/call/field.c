#include "call/call.h"

#include <string.h>

static const struct abi_field *find_field(const struct abi_record *record, const char *name)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (!strcmp(record->fields[i].name, name))
			return &record->fields[i];
	return NULL;
}

bool call_field_value(uint64_t *out, const struct abi *abi, const char *record_name, const char *name, const uint8_t *bytes,
		      uint64_t size_bytes)
{
	const struct abi_record *record = abi_find_record(abi, record_name);
	const struct abi_field *field = record ? find_field(record, name) : NULL;
	uint64_t offset, size, value = 0;

	if (!field || field->is_bitfield || !field->size_bits || field->size_bits > 64)
		return false;
	offset = field->offset_bits / 8;
	size = field->size_bits / 8;
	if (offset > size_bytes || size > size_bytes - offset)
		return false;
	for (uint64_t i = size; i-- > 0;)
		value = value << 8 | bytes[offset + i];
	*out = value;
	return true;
}
