#include "decode/counted.h"

#include <ctype.h>
#include <string.h>

enum { STEM_MAX = 128 };

/* Removes every @word from @text. */
static void without(char *text, const char *word)
{
	const size_t length = strlen(word);
	char *at;

	while ((at = strstr(text, word)))
		memmove(at, at + length, strlen(at + length) + 1);
}

/* What a name is about: "pidTblCount" and "pidTbl" are about "pid". */
static void stem(char out[STEM_MAX], const char *name)
{
	static const char *const words[] = { "count", "num", "valid", "array", "list", "tbl", "table", "per" };
	size_t length;

	for (length = 0; name[length] && length < STEM_MAX - 1; length++)
		out[length] = (char)tolower((unsigned char)name[length]);
	out[length] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		without(out, words[i]);
	length = strlen(out);
	if (length && out[length - 1] == 's')
		out[length - 1] = '\0';
}

static bool is_about(const struct abi_field *count, const struct abi_field *array)
{
	char a[STEM_MAX], b[STEM_MAX];

	stem(a, count->name);
	stem(b, array->name);
	return *a && !strcmp(a, b);
}

static bool is_array(const struct abi_field *field)
{
	return strchr(field->type, '[') && !padding_in_diff(field->name);
}

const struct abi_field *decode_counted_by(const struct abi_record *record, const struct abi_field *array)
{
	const struct abi_field *only = NULL;
	size_t counts = 0, arrays = 0;

	if (record->is_union)
		return NULL;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		arrays += is_array(field);
		if (field->role != ABI_ROLE_COUNT || is_array(field) || field->is_bitfield)
			continue;
		if (is_about(field, array))
			return field;
		only = field;
		counts++;
	}
	return counts == 1 && arrays == 1 ? only : NULL;
}
