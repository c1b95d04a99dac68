#include "abi/table.h"

#include <string.h>

static bool is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Moves @text past a run of digits. Return: where its significant digits begin, and how many they are in @length. */
static const char *scan_digits(const char **text, size_t *length)
{
	const char *start;

	while (**text == '0')
		(*text)++;
	start = *text;
	while (is_digit(**text))
		(*text)++;
	*length = (size_t)(*text - start);
	return start;
}

static int digits_compare(const char **a, const char **b)
{
	size_t a_length, b_length;
	const char *a_digits = scan_digits(a, &a_length);
	const char *b_digits = scan_digits(b, &b_length);

	if (a_length != b_length)
		return a_length < b_length ? -1 : 1;
	return memcmp(a_digits, b_digits, a_length);
}

/* "535.54.3" and "535.54.03" are the same numbers: then the text decides, so that the order is total. */
int abi_version_compare(const char *a, const char *b)
{
	const char *x = a, *y = b;
	int order;

	while (*x && *y) {
		if (is_digit(*x) && is_digit(*y)) {
			order = digits_compare(&x, &y);
			if (order)
				return order;
		} else if (*x != *y) {
			return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	if (*x || *y)
		return *x ? 1 : -1;
	return strcmp(a, b);
}
