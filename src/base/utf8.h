/*
 * base/utf8.h - UTF-8: valid or not, and which character
 *
 * Layer L0. Nothing here allocates or fails.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* utf8_length - bytes of the UTF-8 sequence at @text, of which @size (at least 1) are left; 0 if it is none. */
size_t utf8_length(const char *text, size_t size);

/* utf8_code - the character of the @length bytes at @text, as utf8_length() counts them. */
uint32_t utf8_code(const char *text, size_t length);

/* utf8_is_valid - is all of @text UTF-8? */
bool utf8_is_valid(const char *text);

#endif
