/*
 * gen/scalar.c - scalars of C, and arrays of them, as a proxy declares them
 */
#include "gen/draft.h"

#include <inttypes.h>
#include <string.h>

const char *draft_array(const struct draft *draft, const char *base, uint64_t count)
{
	return arena_printf(&draft->with->scratch, "%s[%" PRIu64 "]", base, count);
}

/* Types that a proxy has for the driver's own. A set without a table declares them when they are used. */
static const struct own_type {
	const char *name, *alias;
	uint64_t size_bytes;
	enum abi_role role;
} own_types[] = {
	{ "Handle", "uint32", 4, ABI_ROLE_HANDLE },
	{ "P64", "uint64", 8, ABI_ROLE_POINTER },
	{ "NvUUID", "uint8[16]", 16, ABI_ROLE_NONE },
};

const char *draft_own_type(const struct draft *draft, const char *name)
{
	struct proxytype_set *set = draft->with->set;

	for (size_t i = 0; i < sizeof(own_types) / sizeof(*own_types) && !proxytype_find(set, name); i++) {
		struct table_type type = { .name = own_types[i].name, .size_bytes = own_types[i].size_bytes,
					   .alias = own_types[i].alias, .role = own_types[i].role };

		if (!strcmp(own_types[i].name, name))
			set_add(set, name, &(struct proxytype){ .type = &type, .version = "" }, &type);
	}
	return name;
}

static const char *scalar_name(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	static const char *const names[] = {
		[ABI_U8] = "uint8", [ABI_U16] = "uint16", [ABI_U32] = "uint32", [ABI_U64] = "uint64",
		[ABI_I8] = "int8", [ABI_I16] = "int16", [ABI_I32] = "int32", [ABI_I64] = "int64",
		[ABI_CHAR] = "uint8", [ABI_BOOL] = "uint8",
	};
	struct abi_spelling parsed;
	bool is_handle = !abi_spelling_parse(&parsed, spelling, NULL) && parsed.base_length == strlen("NvHandle") &&
			 !strncmp(parsed.base, "NvHandle", parsed.base_length);

	switch (type->scalar) {
	case ABI_POINTER:
		return type->element_bytes == 8 ? draft_own_type(draft, "P64") : NULL;
	case ABI_ENUMERATION:
		return type->element_bytes <= 8 && (type->element_bytes & (type->element_bytes - 1)) == 0
			       ? arena_printf(&draft->with->scratch, "uint%" PRIu64, type->element_bytes * 8)
			       : NULL;
	case ABI_BYTES:
		return NULL;
	case ABI_U8: case ABI_U16: case ABI_U32: case ABI_U64: case ABI_I8: case ABI_I16: case ABI_I32: case ABI_I64:
	case ABI_CHAR: case ABI_BOOL:
		break;
	}
	return is_handle && type->element_bytes == 4 ? draft_own_type(draft, "Handle") : names[type->scalar];
}

const char *draft_dimensions(const struct draft *draft, const char *base, const struct abi_type *type)
{
	const char *out = base;

	for (size_t i = 0; i < type->dimension_count; i++)
		out = draft_array(draft, out, type->dimension[i]);
	return out;
}

const char *draft_scalar(const struct draft *draft, const struct abi_type *type, const char *spelling)
{
	const char *base = scalar_name(draft, type, spelling);

	if (!base)
		return draft_array(draft, "uint8", type->count * type->element_bytes);
	return draft_dimensions(draft, base, type);
}

const char *draft_bytes(const struct draft *draft, const struct abi_field *member)
{
	return draft_array(draft, "uint8", member->size_bits / 8);
}

void draft_scalar_field(struct draft_field *out, const struct draft *draft, const struct abi_field *member, const struct abi_type *type)
{
	struct arena *arena = &draft->with->scratch;
	const char *base = scalar_name(draft, type, member->type);

	out->field.type = base ? draft_dimensions(draft, base, type) : draft_bytes(draft, member);
	out->note.is_char = type->scalar == ABI_CHAR && type->dimension_count;
	if (!base)
		out->note.remark = member->type;
	else if (type->scalar == ABI_ENUMERATION && type->enumeration)
		out->note.remark = arena_printf(arena, "enum %s", type->enumeration->name);
}
