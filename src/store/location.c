#include "store/location.h"

#include "store/form.h"

#include <string.h>

enum { DIGITS_MAX = 9 }; /* such a number fits 32 bits */

/*
 * The number behind the last ':' of @source's first @length bytes, if it is
 * written as it would be written again. Return: how long what stands before
 * that ':' is; 0 if there is no such number.
 */
static size_t number_before(uint32_t *number, const char *source, size_t length)
{
	size_t start = length;
	uint32_t value = 0;

	while (start && source[start - 1] >= '0' && source[start - 1] <= '9')
		start--;
	if (start == length || length - start > DIGITS_MAX || !start || source[start - 1] != ':')
		return 0;
	if (source[start] == '0' && length - start > 1)
		return 0;
	for (size_t i = start; i < length; i++)
		value = value * 10 + (uint32_t)(source[i] - '0');
	*number = value;
	return start - 1;
}

struct location location_split(const char *source)
{
	struct location location = { .path_length = strlen(source), .form = ARCHIVE_LOCATION_WHOLE };
	uint32_t last, line;
	size_t before_last = number_before(&last, source, location.path_length);
	size_t before_line = before_last ? number_before(&line, source, before_last) : 0;

	if (before_line)
		return (struct location){ before_line, ARCHIVE_LOCATION_COLUMN + last, line };
	if (before_last)
		return (struct location){ before_last, ARCHIVE_LOCATION_LINE, last };
	return location;
}

/* ":42", at @at. Return: where it ends. */
static char *put_decimal(char *at, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	*at++ = ':';
	while (count)
		*at++ = digits[--count];
	return at;
}

const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line, struct arena *arena)
{
	enum { NUMBERS_MAX = sizeof(":4294967295:4294967295") };
	char *text, *end;

	if (form == ARCHIVE_LOCATION_WHOLE)
		return path;
	text = arena_alloc(arena, path_length + NUMBERS_MAX);
	memcpy(text, path, path_length);
	end = put_decimal(text + path_length, line);
	if (form != ARCHIVE_LOCATION_LINE)
		put_decimal(end, form - ARCHIVE_LOCATION_COLUMN);
	return text;
}
