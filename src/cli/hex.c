#include "cli/hex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int digit(char ch)
{
	return isdigit((unsigned char)ch) ? ch - '0' : tolower((unsigned char)ch) - 'a' + 10;
}

static bool is_separator(char ch)
{
	return ch && strchr(" \t\n\r:,", ch);
}

int hex_read(struct strbuf *out, const char *text, struct err *err)
{
	const size_t before = out->length;

	for (const char *at = text; *at;) {
		if (is_separator(*at)) {
			at++;
		} else if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
			at += 2;
		} else if (isxdigit((unsigned char)at[0]) && isxdigit((unsigned char)at[1])) {
			strbuf_addch(out, (char)(digit(at[0]) << 4 | digit(at[1])));
			at += 2;
		} else {
			out->length = before;
			return err_set(err, ERR_USAGE, "'%.16s' is not hexadecimal: two digits a byte, in the order of memory", at);
		}
	}
	return 0;
}

bool hex_number(uint64_t *out, const char *text)
{
	const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	unsigned long long value;
	char *end;

	if (!isxdigit((unsigned char)*digits) || (!is_hex && !isdigit((unsigned char)*digits)))
		return false;
	errno = 0;
	value = strtoull(digits, &end, is_hex ? 16 : 10);
	if (errno || *end)
		return false;
	*out = value;
	return true;
}
