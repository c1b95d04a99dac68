#include "gen/definition_type.h"

#include <inttypes.h>
#include <string.h>

enum abi_scalar definition_type_integer(const struct abi_enum *one, uint64_t bytes)
{
	bool is_signed = one && strncmp(one->type, "unsigned", 8) && strcmp(one->type, "_Bool");

	switch (bytes) {
	case 1: return is_signed ? ABI_I8 : ABI_U8;
	case 2: return is_signed ? ABI_I16 : ABI_U16;
	case 4: return is_signed ? ABI_I32 : ABI_U32;
	case 8: return is_signed ? ABI_I64 : ABI_U64;
	default: return ABI_BYTES;
	}
}

const char *definition_type_words(enum abi_scalar scalar)
{
	static const char *const words[] = {
		[ABI_U8] = "unsigned char", [ABI_U16] = "unsigned short", [ABI_U32] = "unsigned int", [ABI_U64] = "unsigned long long",
		[ABI_I8] = "signed char", [ABI_I16] = "short", [ABI_I32] = "int", [ABI_I64] = "long long",
		[ABI_CHAR] = "char", [ABI_BOOL] = "_Bool", [ABI_POINTER] = "void *", [ABI_ENUMERATION] = NULL, [ABI_BYTES] = NULL,
	};

	return words[scalar];
}

const struct definition *definition_type_one_name(const struct definition *definition)
{
	return definition && definition->same_as ? definition->same_as : definition;
}

uint64_t definition_type_bits(const struct definition_type *type)
{
	uint64_t bits = type->element_bytes * 8;

	for (size_t i = 0; i < type->all_dimension_count; i++)
		bits *= type->all_dimensions[i]; /* abi_resolve_type() has checked that it fits */
	return bits;
}

bool definition_type_same(const struct definition_type *a, const struct definition_type *b)
{
	return a->record == b->record && (a->record || a->scalar == b->scalar) && a->element_bytes == b->element_bytes &&
	       a->flexible == b->flexible && a->all_dimension_count == b->all_dimension_count &&
	       !memcmp(a->all_dimensions, b->all_dimensions, a->all_dimension_count * sizeof(*a->all_dimensions));
}

static bool same_member(const struct definition_member *a, const struct definition_member *b)
{
	return a->field->offset_bits == b->field->offset_bits && a->field->size_bits == b->field->size_bits &&
	       a->field->is_bitfield == b->field->is_bitfield && !strcmp(a->field->name, b->field->name) && definition_type_same(&a->type, &b->type);
}

bool definition_type_same_record(const struct definition *definition, const struct abi_record *record, const struct definition_member *members)
{
	const struct abi_record *other = definition->record;

	if (!other || other->is_union != record->is_union || other->size_bytes != record->size_bytes ||
	    other->align_bytes != record->align_bytes || other->field_count != record->field_count)
		return false;
	for (size_t i = 0; i < record->field_count; i++)
		if (!same_member(&definition->members[i], &members[i]))
			return false;
	return true;
}

int definition_type_check_record(const struct abi_record *record, struct err *err)
{
	uint64_t align_bytes = record->align_bytes;

	if (!align_bytes || align_bytes & (align_bytes - 1))
		return err_set(err, ERR_LAYOUT, "%s: %" PRIu64 " is no alignment; mend the document", record->name, align_bytes);
	if (record->size_bytes % align_bytes)
		return err_set(err, ERR_LAYOUT, "%s: its size is no multiple of its alignment, so no declaration has it", record->name);
	for (size_t i = 0; i < record->field_count; i++)
		for (size_t k = 0; k < i && *record->fields[i].name; k++)
			if (!strcmp(record->fields[i].name, record->fields[k].name))
				return err_set(err, ERR_FORMAT, "record %s has field %s twice; mend the document", record->name, record->fields[i].name);
	return 0;
}
