/*
 * extract/cxstring.h - out of a CXString and into our own memory
 *
 * Layer L2, inside extract/.
 */
#ifndef EXTRACT_CXSTRING_H
#define EXTRACT_CXSTRING_H

#include "base/base.h"

#include <clang-c/CXString.h>
#include <stdbool.h>
#include <string.h>

/* cxstring_dup - a copy in @arena; "" for an empty one. Disposes of @string. */
static inline const char *cxstring_dup(CXString string, struct arena *arena)
{
	const char *text = clang_getCString(string);
	const char *copy = text && *text ? arena_strdup(arena, text) : "";

	clang_disposeString(string);
	return copy;
}

/* cxstring_copy - a copy in @buffer. Disposes of @string. Return: false, @buffer untouched, if it does not fit. */
static inline bool cxstring_copy(char *buffer, size_t size, CXString string)
{
	const char *text = clang_getCString(string);
	size_t length = text ? strlen(text) : 0;
	bool fits = length < size;

	if (fits) {
		memcpy(buffer, text ? text : "", length);
		buffer[length] = '\0';
	}
	clang_disposeString(string);
	return fits;
}

#endif
