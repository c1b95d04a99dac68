#include "diff/same_type.h"

#include <string.h>

static size_t spelling_length(const char *type, const char **base)
{
	struct abi_spelling spelling;

	if (abi_spelling_parse(&spelling, type, NULL)) {
		*base = type;
		return strlen(type);
	}
	*base = spelling.base;
	return spelling.base_length;
}

bool diff_same_spelling(const char *a, const char *b)
{
	const char *a_base, *b_base;
	size_t a_length = spelling_length(a, &a_base), b_length = spelling_length(b, &b_base);

	return a_length == b_length && !memcmp(a_base, b_base, a_length);
}

enum abi_scalar diff_integer_kind(const struct abi_type *type)
{
	static const enum abi_scalar is_unsigned[] = { [1] = ABI_U8, [2] = ABI_U16, [4] = ABI_U32, [8] = ABI_U64 };
	static const enum abi_scalar is_signed[] = { [1] = ABI_I8, [2] = ABI_I16, [4] = ABI_I32, [8] = ABI_I64 };
	uint64_t size = type->element_bytes;

	if (type->scalar != ABI_ENUMERATION || !type->enumeration || (size != 1 && size != 2 && size != 4 && size != 8))
		return type->scalar;
	return strstr(type->enumeration->type, "unsigned") ? is_unsigned[size] : is_signed[size];
}
