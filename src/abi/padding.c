#include "abi/padding.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The last component of a path, without the underscores in front. */
static const char *last_name(const char *path)
{
	const char *dot = strrchr(path, '.');
	const char *name = dot ? dot + 1 : path;

	return name + strspn(name, "_");
}

static bool is_number(const char *text)
{
	return !text[strspn(text, "0123456789_")];
}

bool padding_in_diff(const char *path)
{
	static const char *const words[] = { "pad", "padding", "reserved", "rsvd", "unused", "dummy" };
	const char *name = last_name(path);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i]);

		if (!strncasecmp(name, words[i], length) && !isalpha((unsigned char)name[length]))
			return true;
	}
	return false;
}

bool padding_of_driver(const char *path)
{
	static const char *const words[] = { "padding", "pad", "reserved", "rsvd", "unused" };
	const char *name = last_name(path);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i]);

		if (!strncasecmp(name, words[i], length))
			return is_number(name + length);
	}
	return false;
}

bool padding_of_proxy(const char *name)
{
	name += strspn(name, "_");
	if (!*name)
		return true;
	if (strncasecmp(name, "pad", 3))
		return false;
	name += 3;
	if (!strncasecmp(name, "ding", 4))
		name += 4;
	return is_number(name);
}
