#include "abi/scan.h"

#include "abi/abi.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_KEY_MAX = 100 }; /* maximum length in bytes of a key in a path */

struct scan_frame {
	bool is_array;
	const char *key; /* key of the current member, as between the quotes; NULL before the first member */
	size_t key_length;
	size_t index;    /* index of the current item */
	unsigned line;   /* line of the current key */
};

struct scan {
	const char *text, *at, *end;
	const char *name;
	struct scan_frame frame[JSON_DEPTH_MAX];
	size_t depth;
	unsigned line; /* line of @at, from 1 */
	struct json_lines *lines; /* NULL if the caller does not need them */
	struct err *err;
};

/* Does not cut a UTF-8 sequence when it shortens a key. */
void json_path_key(struct strbuf *path, const char *key, size_t length)
{
	size_t shown = length < PATH_KEY_MAX ? length : PATH_KEY_MAX;

	while (shown && shown < length && ((unsigned char)key[shown] & 0xc0) == 0x80)
		shown--;
	if (path->length)
		strbuf_addch(path, '.');
	strbuf_add(path, key, shown);
	if (shown < length)
		strbuf_adds(path, "...");
}

void json_path_index(struct strbuf *path, size_t index)
{
	strbuf_addf(path, "[%zu]", index);
}

/* Sets the error, with the line and the column of @at, which begin at 1. Columns count bytes. */
static int fail_at(const struct scan *scan, int code, const char *at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static int fail_at(const struct scan *scan, int code, const char *at, const char *format, ...)
{
	const struct scan_frame *frame;
	struct strbuf path = { 0 };
	const char *line = scan->text;
	const char *next;
	unsigned long number = 1;
	char what[256];
	va_list args;

	while ((next = memchr(line, '\n', (size_t)(at - line)))) {
		line = next + 1;
		number++;
	}
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	for (frame = scan->frame; frame < scan->frame + scan->depth; frame++) {
		if (frame->is_array)
			json_path_index(&path, frame->index);
		else if (frame->key)
			json_path_key(&path, frame->key, frame->key_length);
	}
	err_set(scan->err, code, "%s:%lu:%zu: %.600s%s%s", scan->name, number, (size_t)(at - line) + 1,
		strbuf_text(&path), path.length ? ": " : "", what);
	strbuf_release(&path);
	return code;
}

/* Describes the next character. */
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
		scan->line += *scan->at++ == '\n';
}

static bool next_is(const struct scan *scan, char ch)
{
	return scan->at < scan->end && *scan->at == ch;
}

/* Returns the value of the four digits of \uXXXX; -1 if they are not hexadecimal digits. */
static long hex4(const struct scan *scan, const char *at)
{
	long value = 0;
	int i;

	if (scan->end - at < 4)
		return -1;
	for (i = 0; i < 4; i++) {
		char ch = at[i];

		if (ch >= '0' && ch <= '9')
			value = value * 16 + ch - '0';
		else if (ch >= 'a' && ch <= 'f')
			value = value * 16 + ch - 'a' + 10;
		else if (ch >= 'A' && ch <= 'F')
			value = value * 16 + ch - 'A' + 10;
		else
			return -1;
	}
	return value;
}

/* Scans \uXXXX from the 'u'. */
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

/* Scans a string from the opening quote; sets @scan->at after the closing quote. */
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

static int scan_number(struct scan *scan)
{
	static const char limit[] = "9007199254740992"; /* 2^53 */
	const char *start = scan->at;
	const char *digits;
	size_t length;

	if (next_is(scan, '-'))
		scan->at++;
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

static int scan_word(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0)
		return fail_expected(scan, "a value");
	scan->at += length;
	return 0;
}

/* Scans a value that is not a container. */
static int scan_scalar(struct scan *scan)
{
	char ch = scan->at < scan->end ? *scan->at : '\0';

	switch (ch) {
	case '"':
		return scan_string(scan);
	case 't':
		return scan_word(scan, "true");
	case 'f':
		return scan_word(scan, "false");
	case 'n':
		return scan_word(scan, "null");
	default:
		if (ch != '-' && !is_digit(scan))
			return fail_expected(scan, "a value");
		return scan_number(scan);
	}
}

/* Scans a key; sets @scan->at to the start of its value. */
static int scan_key(struct scan *scan)
{
	struct scan_frame *frame = &scan->frame[scan->depth - 1];
	const char *start = scan->at;
	int rc;

	frame->key = NULL;
	if (!next_is(scan, '"'))
		return fail_expected(scan, "a key in quotes");
	if ((rc = scan_string(scan)))
		return rc;
	frame->key = start + 1;
	frame->key_length = (size_t)(scan->at - start) - 2;
	frame->line = scan->line;
	skip_space(scan);
	if (!next_is(scan, ':'))
		return fail_expected(scan, "':'");
	scan->at++;
	skip_space(scan);
	return 0;
}

/* Scans '{' or '['. If the container is not empty, sets @has_items, and @scan->at to the first value. */
static int scan_open(struct scan *scan, bool *has_items)
{
	const struct scan_frame *outer = scan->depth ? &scan->frame[scan->depth - 1] : NULL;
	struct json_lines *lines = scan->lines;
	struct scan_frame *frame;
	char close;

	if (scan->depth == JSON_DEPTH_MAX)
		return fail_at(scan, ERR_LIMIT, scan->at, "nested more than %d levels deep", JSON_DEPTH_MAX);
	if (*scan->at == '{' && lines) { /* skip_space() counts lines: no string contains a newline */
		ARRAY_GROW(lines->line, lines->count, lines->capacity);
		lines->line[lines->count++] = outer && !outer->is_array ? outer->line : scan->line;
	}
	frame = &scan->frame[scan->depth++];
	*frame = (struct scan_frame){ .is_array = *scan->at == '[' };
	close = frame->is_array ? ']' : '}';
	scan->at++;
	skip_space(scan);
	*has_items = !next_is(scan, close);
	if (!*has_items) {
		scan->at++;
		scan->depth--;
		return 0;
	}
	return frame->is_array ? 0 : scan_key(scan);
}

/*
 * Scans the text after a value: closes the containers that end there. If another value follows, sets @more,
 * and @scan->at to that value.
 */
static int scan_continue(struct scan *scan, bool *more)
{
	*more = false;
	while (scan->depth) {
		struct scan_frame *frame = &scan->frame[scan->depth - 1];

		skip_space(scan);
		if (next_is(scan, ',')) {
			scan->at++;
			skip_space(scan);
			frame->index++;
			*more = true;
			return frame->is_array ? 0 : scan_key(scan);
		}
		if (!next_is(scan, frame->is_array ? ']' : '}'))
			return fail_expected(scan, frame->is_array ? "',' or ']'" : "',' or '}'");
		scan->at++;
		scan->depth--;
	}
	return 0;
}

int json_scan(const char *text, size_t size, const char *name, struct json_lines *lines, struct err *err)
{
	struct scan scan = { .text = text, .at = text, .end = text + size,
			     .name = name, .line = 1, .lines = lines, .err = err };
	bool more = true;
	int rc;

	skip_space(&scan);
	while (more) {
		bool opened = false;

		if (next_is(&scan, '{') || next_is(&scan, '['))
			rc = scan_open(&scan, &opened);
		else
			rc = scan_scalar(&scan);
		if (!rc && !opened)
			rc = scan_continue(&scan, &more);
		if (rc)
			return rc;
	}
	skip_space(&scan);
	return scan.at == scan.end ? 0 : fail_expected(&scan, "the end of the text");
}
