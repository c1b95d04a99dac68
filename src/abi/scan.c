/*
 * abi/scan.c - checks that a text is strict JSON and not nested too deeply
 *
 * cJSON 1.7.15 accepts control characters in strings, NUL bytes between tokens, "01", text after the end
 * and invalid UTF-8, and it changes integers that a double cannot represent. json_scan() rejects all of these
 * in one pass before cJSON parses the text.
 */
#include "abi/internal.h"

struct scan {
	const char *at, *end, *name;
	const char *line_start;   /* of the line of @at */
	unsigned line;            /* its number, from 1 */
	struct json_lines *lines; /* NULL if the caller does not need them */
	struct err *err;
};

/* Sets the error, with the line and the column of @at, which is in the current line. Columns count bytes. */
static int fail_at(const struct scan *scan, int code, const char *at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int fail_at(const struct scan *scan, int code, const char *at, const char *format, ...)
{
	char what[256];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return err_set(scan->err, code, "%s:%u:%zu: %s", scan->name, scan->line,
		       (size_t)(at - scan->line_start) + 1, what);
}

/* Sets the error "expected @what, found '}'", which describes the next character. */
static int fail_expected(const struct scan *scan, const char *what)
{
	unsigned char ch;

	if (scan->at == scan->end)
		return fail_at(scan, ERR_FORMAT, scan->at, "expected %s, found the end of the text", what);
	ch = (unsigned char)*scan->at;
	return fail_at(scan, ERR_FORMAT, scan->at,
		       ch > ' ' && ch < 0x7f ? "expected %s, found '%c'" : "expected %s, found byte 0x%02x",
		       what, ch);
}

static void skip_space(struct scan *scan)
{
	while (scan->at < scan->end &&
	       (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r'))
		if (*scan->at++ == '\n') {
			scan->line++;
			scan->line_start = scan->at;
		}
}

static bool next_is(const struct scan *scan, char ch)
{
	return scan->at < scan->end && *scan->at == ch;
}

/* Skips the next character if it is @ch. Return: false if it is not. */
static bool take(struct scan *scan, char ch)
{
	const bool is = next_is(scan, ch);

	scan->at += is;
	return is;
}

/* Returns the value of the four digits of \uXXXX; -1 if they are not hexadecimal digits. */
static long hex4(const struct scan *scan, const char *at)
{
	char digits[5] = "";

	if (scan->end - at >= 4)
		memcpy(digits, at, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

/* Checks and skips \uXXXX, or the two escapes of a surrogate pair. scan->at is at the first 'u'. */
static int scan_unicode_escape(struct scan *scan)
{
	long unit = hex4(scan, scan->at + 1);
	long low;

	if (unit < 0)
		return fail_at(scan, ERR_FORMAT, scan->at - 1,
			       "\\u must be followed by four hexadecimal digits");
	if (unit == 0)
		return fail_at(scan, ERR_FORMAT, scan->at - 1, "a string must not contain U+0000");
	if (unit >= 0xdc00 && unit <= 0xdfff)
		return fail_at(scan, ERR_FORMAT, scan->at - 1,
			       "half of a surrogate pair, without the other half");
	scan->at += 5;
	if (unit < 0xd800 || unit > 0xdbff)
		return 0;
	low = scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
		      ? hex4(scan, scan->at + 2)
		      : -1;
	if (low < 0xdc00 || low > 0xdfff)
		return fail_at(scan, ERR_FORMAT, scan->at - 6,
			       "half of a surrogate pair, without the other half");
	scan->at += 6;
	return 0;
}

/* Checks the escapes, control bytes and UTF-8 of the string at scan->at, and skips the string. */
static int scan_string(struct scan *scan)
{
	const char *start = scan->at++;
	size_t length;
	int rc;

	while (scan->at < scan->end && *scan->at != '"') {
		if ((unsigned char)*scan->at < ' ')
			return fail_at(scan, ERR_FORMAT, scan->at,
				       "a string contains the control byte 0x%02x; escape it",
				       (unsigned char)*scan->at);
		if (*scan->at == '\\') {
			scan->at++;
			if (next_is(scan, 'u')) {
				if ((rc = scan_unicode_escape(scan)))
					return rc;
				continue;
			}
			if (scan->at == scan->end || !*scan->at || !strchr("\"\\/bfnrt", *scan->at))
				return fail_at(scan, ERR_FORMAT, scan->at - 1, "unknown escape in a string");
			scan->at++;
			continue;
		}
		length = utf8_length(scan->at, (size_t)(scan->end - scan->at));
		if (!length)
			return fail_at(scan, ERR_FORMAT, scan->at, "byte 0x%02x is not valid UTF-8",
				       (unsigned char)*scan->at);
		scan->at += length;
	}
	if (scan->at == scan->end)
		return fail_at(scan, ERR_FORMAT, start, "the string that starts here does not end");
	scan->at++;
	return 0;
}

static bool is_digit(const struct scan *scan)
{
	return scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9';
}

/* Checks that the number at scan->at is an integer of at most 2^53, and skips it. */
static int scan_number(struct scan *scan)
{
	static const char limit[] = "9007199254740992"; /* 2^53 */
	const char *start = scan->at;
	const char *digits;
	size_t length;

	take(scan, '-');
	digits = scan->at;
	if (!is_digit(scan))
		return fail_expected(scan, "a digit");
	while (is_digit(scan))
		scan->at++;
	length = (size_t)(scan->at - digits);
	if (length > 1 && *digits == '0')
		return fail_at(scan, ERR_FORMAT, start, "a number must not start with 0");
	if (next_is(scan, '.') || next_is(scan, 'e') || next_is(scan, 'E'))
		return fail_at(scan, ERR_FORMAT, start,
			       "expected an integer, found a number with a fraction or an exponent");
	if (length > sizeof(limit) - 1 || (length == sizeof(limit) - 1 && memcmp(digits, limit, length) > 0))
		return fail_at(
			scan, ERR_FORMAT, start,
			"%.*s%s exceeds 2^53, above which JSON readers may round numbers; write it as a string, \"0x...\"",
			length > 40 ? 40 : (int)(scan->at - start), start, length > 40 ? "..." : "");
	return 0;
}

static int scan_value(struct scan *scan, int depth, unsigned line);

/*
 * Scans an object or an array from its bracket, and adds the line of each object to scan->lines.
 * @depth: the number of containers around the container
 * @line: the line to add for the container if it is an object
 */
static int scan_container(struct scan *scan, int depth, unsigned line)
{
	const bool is_array = *scan->at == '[';
	struct json_lines *lines = scan->lines;
	int rc;

	if (depth == JSON_DEPTH_MAX)
		return fail_at(scan, ERR_LIMIT, scan->at, "nested more than %d levels deep", JSON_DEPTH_MAX);
	if (!is_array && lines) {
		ARRAY_GROW(lines->line, lines->count, lines->capacity);
		lines->line[lines->count++] = line;
	}
	scan->at++;
	skip_space(scan);
	if (take(scan, is_array ? ']' : '}'))
		return 0;
	do {
		skip_space(scan);
		line = scan->line;
		if (!is_array) {
			if (!next_is(scan, '"'))
				return fail_expected(scan, "a key in quotes");
			if ((rc = scan_string(scan)))
				return rc;
			skip_space(scan);
			if (!take(scan, ':'))
				return fail_expected(scan, "':'");
			skip_space(scan);
		}
		if ((rc = scan_value(scan, depth + 1, line)))
			return rc;
		skip_space(scan);
	} while (take(scan, ','));
	return take(scan, is_array ? ']' : '}') ? 0
						: fail_expected(scan, is_array ? "',' or ']'" : "',' or '}'");
}

/* Checks and skips a value of any kind. @line: the line of its key, or of the value if it has no key */
static int scan_value(struct scan *scan, int depth, unsigned line)
{
	static const char *const words[] = { "true", "false", "null" };

	if (next_is(scan, '{') || next_is(scan, '['))
		return scan_container(scan, depth, line);
	if (next_is(scan, '"'))
		return scan_string(scan);
	if (next_is(scan, '-') || is_digit(scan))
		return scan_number(scan);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t length = strlen(words[i]);

		if ((size_t)(scan->end - scan->at) >= length && !memcmp(scan->at, words[i], length)) {
			scan->at += length;
			return 0;
		}
	}
	return fail_expected(scan, "a value");
}

int json_scan(const char *text, size_t size, const char *name, struct json_lines *lines, struct err *err)
{
	struct scan scan = { .at = text, .end = text + size, .name = name,
			     .line_start = text, .line = 1, .lines = lines, .err = err };
	int rc;

	skip_space(&scan);
	if ((rc = scan_value(&scan, 0, scan.line)))
		return rc;
	skip_space(&scan);
	return scan.at == scan.end ? 0 : fail_expected(&scan, "the end of the text");
}
