#include "decode/rest.h"

#include <string.h>

bool rest_skip_past(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);
	const char *found = memmem(rest->at, rest_length(rest), word, length);

	if (!found)
		return false;
	rest->at = found + length;
	return true;
}

bool rest_skip_word(struct rest *rest, const char *word)
{
	const size_t length = strlen(word);

	if (rest_length(rest) < length || memcmp(rest->at, word, length))
		return false;
	rest->at += length;
	return true;
}

void rest_skip_any(struct rest *rest, const char *chars)
{
	while (rest->at < rest->end && *rest->at && strchr(chars, *rest->at))
		rest->at++;
}

int rest_digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return ch >= 'A' && ch <= 'F' ? ch - 'A' + 10 : 16;
}

static bool digits(uint64_t *out, struct rest *rest, int base)
{
	const char *first = rest->at;
	uint64_t value = 0;

	for (; rest->at < rest->end && rest_digit(*rest->at) < base; rest->at++)
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)rest_digit(*rest->at), &value))
			return false;
	*out = value;
	return rest->at > first;
}

bool rest_number(uint64_t *out, struct rest *rest)
{
	return digits(out, rest, rest_skip_word(rest, "0x") ? 16 : 10);
}

bool rest_hex(uint64_t *out, struct rest *rest)
{
	return digits(out, rest, 16);
}

bool rest_signed(int64_t *out, struct rest *rest)
{
	const bool negative = rest_skip_word(rest, "-");
	uint64_t value;

	if (!rest_number(&value, rest) || value > INT64_MAX)
		return false;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

bool rest_number_after(uint64_t *out, struct rest rest, const char *word)
{
	return rest_skip_past(&rest, word) && rest_number(out, &rest);
}

bool rest_signed_after(int64_t *out, struct rest rest, const char *word)
{
	return rest_skip_past(&rest, word) && rest_signed(out, &rest);
}

bool rest_result(int64_t *out, struct rest *rest)
{
	struct rest next = *rest;

	while (rest_skip_past(&next, ")")) {
		rest_skip_any(&next, " ");
		if (!rest_skip_word(&next, "= "))
			continue;
		if (!rest_signed(out, &next))
			return false;
		*rest = next;
		return true;
	}
	return false;
}

static bool is_word(char ch)
{
	return (ch >= '0' && ch <= '9') || (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_' || ch == '"';
}

bool rest_find_call(struct rest *rest, const char **name)
{
	static const char call[] = "ioctl(";
	const char *first = rest->at;
	struct rest next = *rest;

	while (rest_skip_past(&next, call)) {
		const char *at = next.at - strlen(call);

		if (at > first && is_word(at[-1]))
			continue;
		if (name)
			*name = at;
		*rest = next;
		return true;
	}
	return false;
}
