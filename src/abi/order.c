#include "abi/order.h"

#include <string.h>

/* abi_order_named() and abi_search_named() see the name only. */
_Static_assert(!offsetof(struct abi_record, name), "a record begins with its name");
_Static_assert(!offsetof(struct abi_alias, name), "an alias begins with its name");
_Static_assert(!offsetof(struct abi_enum, name), "an enum begins with its name");
_Static_assert(!offsetof(struct abi_enumerator, name), "an enumerator begins with its name");
_Static_assert(!offsetof(struct abi_constant, name), "a constant begins with its name");

static const char *name_of(const void *element)
{
	return *(const char *const *)element;
}

int abi_order_named(const void *a, const void *b)
{
	return strcmp(name_of(a), name_of(b));
}

int abi_order_string(const void *a, const void *b)
{
	return strcmp(name_of(a), name_of(b));
}

int abi_order_ioctl(const void *a, const void *b)
{
	const struct abi_ioctl *x = a, *y = b;
	int order = strcmp(x->family, y->family);

	if (order)
		return order;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* A parsed location: "path:LINE:COLUMN", "path:LINE" or "path". */
struct location {
	size_t path_length;
	unsigned long long number[2]; /* line, column; 0 if absent */
};

/* Start of the digits in a trailing ":DIGITS" of the first @length bytes; 0 if there is none. */
static size_t location_digits(const char *text, size_t length)
{
	size_t start = length;

	while (start && text[start - 1] >= '0' && text[start - 1] <= '9')
		start--;
	return start < length && length - start < 19 && start > 1 && text[start - 1] == ':' ? start : 0;
}

static unsigned long long location_number(const char *text, size_t start, size_t end)
{
	unsigned long long value = 0;

	for (; start < end; start++)
		value = value * 10 + (unsigned)(text[start] - '0');
	return value;
}

static struct location location_parse(const char *text)
{
	struct location location = { strlen(text), { 0, 0 } };
	size_t last = location_digits(text, location.path_length);
	size_t first = last ? location_digits(text, last - 1) : 0;

	if (first) {
		location.number[0] = location_number(text, first, last - 1);
		location.number[1] = location_number(text, last, location.path_length);
		location.path_length = first - 1;
	} else if (last) {
		location.number[0] = location_number(text, last, location.path_length);
		location.path_length = last - 1;
	}
	return location;
}

static int location_order(const char *a, const char *b)
{
	struct location x = location_parse(a), y = location_parse(b);
	size_t shorter = x.path_length < y.path_length ? x.path_length : y.path_length;
	int order = memcmp(a, b, shorter);

	if (order)
		return order;
	if (x.path_length != y.path_length)
		return x.path_length < y.path_length ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (x.number[i] != y.number[i])
			return x.number[i] < y.number[i] ? -1 : 1;
	return strcmp(a, b);
}

int abi_order_warning(const void *a, const void *b)
{
	const struct abi_warning *x = a, *y = b;
	int order = location_order(x->place, y->place);

	return order ? order : strcmp(x->text, y->text);
}

const void *abi_search_named(const void *array, size_t count, size_t size, const char *name, size_t length)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const void *element = (const char *)array + middle * size;
		const char *candidate = name_of(element);
		int order = strncmp(candidate, name, length);

		if (!order && !candidate[length])
			return element;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
