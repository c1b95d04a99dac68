/*
 * decode/rest.h - text that is still to be read
 *
 * Internal to decode/. The text of a line is not NUL-terminated and may hold
 * anything. What a function does not find leaves the text where it is, unless
 * it says otherwise.
 */
#ifndef DECODE_REST_H
#define DECODE_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rest {
	const char *at, *end;
};

static inline size_t rest_length(const struct rest *rest)
{
	return (size_t)(rest->end - rest->at);
}

/* rest_skip_past - moves behind the first @word. Return: false if there is none. */
bool rest_skip_past(struct rest *rest, const char *word);

/* rest_skip_word - moves behind @word, if the text begins with it. */
bool rest_skip_word(struct rest *rest, const char *word);

/* rest_skip_any - moves behind all characters that are in @chars. */
void rest_skip_any(struct rest *rest, const char *chars);

/* rest_digit - the value of a hexadecimal digit; 16 or more if it is none. */
int rest_digit(char ch);

/* rest_number - "42" or "0x2a". Return: false if it is none, or does not fit 64 bits; the text is anywhere then. */
bool rest_number(uint64_t *out, struct rest *rest);

/* rest_hex - "2a", without a prefix, in the same way. */
bool rest_hex(uint64_t *out, struct rest *rest);

/* rest_signed - rest_number() with a minus before it, that fits 64 bits. */
bool rest_signed(int64_t *out, struct rest *rest);

/* rest_number_after, rest_signed_after - the number behind the first @word. */
bool rest_number_after(uint64_t *out, struct rest rest, const char *word);
bool rest_signed_after(int64_t *out, struct rest rest, const char *word);

/* rest_result - moves behind what a call returned: the number behind ") = ", where strace and perf align the '='. */
bool rest_result(int64_t *out, struct rest *rest);

/* rest_find_call - moves behind the first "ioctl(" that is a word of its own. @name: set to where it stands; may be NULL. */
bool rest_find_call(struct rest *rest, const char **name);

#endif
