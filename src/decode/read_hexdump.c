/*
 * A line is an offset and groups of 2, 4, 8 or 16 digits, all of one width: bytes, or words, whose bytes are in the order of
 * the machine that printed them (x86: the lowest first). Text beside them, between bars or angles, is not looked at.
 */
#include "decode/dump_lines.h"
#include "decode/hexdump.h"

#include <string.h>

enum { OFFSET_DIGITS_MIN = 6, HEXDUMP_DIGITS = 7, GROUP_MAX = 16 };

static size_t digits_at(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && rest_digit(at[count]) < 16)
		count++;
	return count;
}

/* "0000000 0001": hexdump's, whose seven digits are no bytes. "00000000  01 ... |": of -C. */
bool decode_is_hexdump(const char *text)
{
	const char *begin = text + strspn(text, " \t\r\n"), *end = begin + strcspn(begin, "\n");
	const size_t digits = digits_at(begin, end);

	if (digits < HEXDUMP_DIGITS || (begin[digits] != ' ' && begin[digits] != '\t'))
		return false;
	return digits == HEXDUMP_DIGITS || memchr(begin, '|', (size_t)(end - begin));
}

/* The bytes of one group of @digits, the lowest first. */
static void add_group(uint8_t *bytes, const char *at, size_t digits)
{
	for (size_t i = 0; i < digits; i += 2)
		bytes[digits / 2 - 1 - i / 2] = (uint8_t)(rest_digit(at[i]) << 4 | rest_digit(at[i + 1]));
}

static bool is_width(size_t digits)
{
	return digits == 2 || digits == 4 || digits == 8 || digits == GROUP_MAX;
}

/* The groups behind an offset. @width: of a group in digits; 0: there was none before */
static int read_groups(struct dump_lines *lines, size_t *width, struct rest *line, struct err *err)
{
	uint8_t bytes[DUMP_LINE_MAX];
	size_t count = 0;

	for (rest_skip_any(line, " \t"); rest_length(line) && *line->at != '|' && *line->at != '>'; rest_skip_any(line, " \t")) {
		const size_t digits = digits_at(line->at, line->end);

		if (!is_width(digits) || (*width && digits != *width) || (line->at + digits < line->end && !strchr(" \t", line->at[digits])))
			return dump_lines_wrong(lines, "has groups that are no bytes or words in hexadecimal, as hexdump, hexdump -x and hexdump -C print them",
						err);
		if (count + digits / 2 > DUMP_LINE_MAX)
			return dump_lines_wrong(lines, "is longer than any that hexdump prints", err);
		*width = digits;
		add_group(bytes + count, line->at, digits);
		count += digits / 2;
		line->at += digits;
	}
	return dump_lines_add(lines, bytes, count, err);
}

static int read_line(struct dump_lines *lines, size_t *width, struct rest line, struct err *err)
{
	const size_t digits = digits_at(line.at, line.end);
	uint64_t offset;
	int rc;

	if (*line.at == '*' && rest_length(&line) == 1)
		return dump_lines_repeat(lines, err);
	if (digits < OFFSET_DIGITS_MIN || !rest_hex(&offset, &line) || (rest_length(&line) && !strchr(" \t", *line.at)))
		return dump_lines_wrong(lines, "does not begin with an offset, as hexdump's do", err);
	rest_skip_any(&line, " \t");
	if (!rest_length(&line))
		return dump_lines_end(lines, offset, *width ? *width / 2 - 1 : 0, err);
	if ((rc = dump_lines_at(lines, offset, err)))
		return rc;
	return read_groups(lines, width, &line, err);
}

int decode_hexdump(struct strbuf *out, const char *text, struct err *err)
{
	struct dump_lines lines = { .text = text, .out = out, .before = out->length };
	struct rest line;
	size_t width = 0;
	int rc = 0;

	while (!rc && dump_lines_next(&line, &lines))
		rc = read_line(&lines, &width, line, err);
	if (!rc)
		rc = dump_lines_finish(&lines, err);
	if (rc)
		out->length = lines.before;
	return rc;
}
