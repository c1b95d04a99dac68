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

enum fit {
	FIT_NONE,
	FIT_PART,    /* what one name is about is a part of what the other is about: "gpuCount" and "gpuIds"; or "numEntries" of anything */
	FIT_WHOLE,
};

static enum fit fit(const struct abi_field *count, const struct abi_field *array)
{
	char a[STEM_MAX], b[STEM_MAX];

	stem(a, count->name);
	stem(b, array->name);
	if (*a && !strcmp(a, b))
		return FIT_WHOLE;
	if (!*a || !strcmp(a, "entry") || !strcmp(a, "entrie"))
		return FIT_PART;
	return *b && (strstr(a, b) || strstr(b, a)) ? FIT_PART : FIT_NONE;
}

static bool is_array(const struct abi_field *field)
{
	return strchr(field->type, '[') && !padding_in_diff(field->name);
}

static bool is_count(const struct abi_field *field)
{
	return field->role == ABI_ROLE_COUNT && !is_array(field) && !field->is_bitfield;
}

static size_t distance(const struct abi_field *a, const struct abi_field *b)
{
	return (size_t)(a < b ? b - a : a - b);
}

/* Of several arrays that one name fits, the nearest is counted: numBksvs counts bKsvList, not bKsv. */
static bool is_nearest(const struct abi_record *record, const struct abi_field *count, const struct abi_field *array)
{
	for (size_t i = 0; i < record->field_count; i++)
		if (is_array(&record->fields[i]) && fit(count, &record->fields[i]) == FIT_WHOLE &&
		    distance(count, &record->fields[i]) < distance(count, array))
			return false;
	return true;
}

/* Does another field's name begin like the count's? All of DPAUXPACKET's begin with "aux", so that this says nothing. */
static bool is_common(const struct abi_record *record, const struct abi_field *count, const struct abi_field *array)
{
	char name[STEM_MAX], other[STEM_MAX];

	stem(name, count->name);
	for (size_t i = 0; *name && i < record->field_count; i++) {
		stem(other, record->fields[i].name);
		if (&record->fields[i] != count && &record->fields[i] != array && !strncmp(other, name, strlen(name)))
			return true;
	}
	return false;
}

const struct abi_field *decode_counted_by(const struct abi_record *record, const struct abi_field *array)
{
	const struct abi_field *only = NULL;
	size_t counts = 0, arrays = 0;

	if (record->is_union || !is_array(array))
		return NULL;
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		arrays += is_array(field);
		if (!is_count(field))
			continue;
		if (fit(field, array) == FIT_WHOLE && is_nearest(record, field, array))
			return field;
		only = field;
		counts++;
	}
	return counts == 1 && arrays == 1 && fit(only, array) != FIT_NONE && !is_common(record, only, array) ? only : NULL;
}
