#include "base/utf8.h"

#include <string.h>

size_t utf8_length(const char *text, size_t size)
{
	unsigned char low = 0x80, high = 0xbf;
	unsigned char first = (unsigned char)text[0];
	size_t length, i;

	if (first < 0x80)
		return 1;
	length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
	if (!length || length > size)
		return 0;
	if (first == 0xe0)
		low = 0xa0; /* shorter forms exist */
	else if (first == 0xed)
		high = 0x9f; /* surrogates */
	else if (first == 0xf0)
		low = 0x90;
	else if (first == 0xf4)
		high = 0x8f; /* above U+10FFFF */
	for (i = 1; i < length; i++) {
		if ((unsigned char)text[i] < low || (unsigned char)text[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

uint32_t utf8_code(const char *text, size_t length)
{
	static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	uint32_t code = (unsigned char)text[0] & mask[length];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

bool utf8_is_valid(const char *text)
{
	size_t left = strlen(text), length;

	for (; left; left -= length, text += length)
		if (!(length = utf8_length(text, left)))
			return false;
	return true;
}
