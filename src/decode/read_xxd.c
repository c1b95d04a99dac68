/*
 * xxd prints "OFFSET: GROUPS  TEXT". Where the groups end, the text tells: it has a character for each byte, a dot for one that
 * is not printable. It tells, too, whether the bytes of a group are in the order of memory, or turned around (-e):
 *
 * 1. A line's groups are read as far as they are digits; of these, as many are bytes as the text agrees with.
 * 2. A first pass over all lines looks for one that only the turned order agrees with.
 * 3. A second one adds the bytes.
 *
 * A line without text has as many bytes as digits.
 */
#include "decode/dump_lines.h"
#include "decode/hexdump.h"

#include <string.h>

enum { OFFSET_DIGITS = 8, GAP = 2 };

/* The bytes of a line, in both orders. */
struct row {
	uint8_t bytes[DUMP_LINE_MAX], turned[DUMP_LINE_MAX];
	size_t count;
	bool has_gap;           /* more than a blank between two groups: the last ones may be text */
	bool fits, fits_turned; /* the text */
};

/* Where a group ends, and how many bytes there are up to there. */
struct group_end {
	const char *at;
	size_t count;
};

static const char *array_of(const char *text)
{
	const char *brace = strchr(text, '{');

	return brace && strstr(brace, "0x") ? brace + 1 : NULL;
}

static bool is_row(const char *text)
{
	const char *at = text + strspn(text, " \t\r\n");
	size_t digits = 0;

	while (rest_digit(at[digits]) < 16)
		digits++;
	return digits >= OFFSET_DIGITS && at[digits] == ':' && strchr(" \t", at[digits + 1]);
}

bool decode_is_xxd(const char *text)
{
	return is_row(text) || array_of(text);
}

/* Return: false if there is no further group. */
static bool read_group(struct row *row, struct rest *line)
{
	struct rest at = *line;
	size_t digits = 0;

	rest_skip_any(&at, " \t");
	row->has_gap |= row->count && at.at - line->at >= GAP;
	while (at.at + digits < at.end && rest_digit(at.at[digits]) < 16)
		digits++;
	if (!digits || digits % 2 || row->count + digits / 2 > DUMP_LINE_MAX || (at.at + digits < at.end && !strchr(" \t", at.at[digits])))
		return false;
	for (size_t i = 0; i < digits; i += 2) {
		const uint8_t byte = (uint8_t)(rest_digit(at.at[i]) << 4 | rest_digit(at.at[i + 1]));

		row->bytes[row->count + i / 2] = byte;
		row->turned[row->count + digits / 2 - 1 - i / 2] = byte;
	}
	row->count += digits / 2;
	line->at = at.at + digits;
	return true;
}

static bool is_blank(const char *at, const char *end)
{
	while (at < end && strchr(" \t", *at))
		at++;
	return at == end;
}

static char shown(uint8_t byte)
{
	return byte >= ' ' && byte < 0x7f ? (char)byte : '.';
}

/* Is what stands between @at and @end the text of @bytes, with a gap before it? Blanks at its end may be missing. */
static bool is_text_of(const uint8_t *bytes, size_t count, const char *at, const char *end)
{
	const char *text;

	while (end > at && end[-1] == ' ')
		end--;
	while (count && shown(bytes[count - 1]) == ' ')
		count--;
	if ((size_t)(end - at) < count + (count ? GAP : 0))
		return false;
	text = end - count;
	for (size_t i = 0; i < count; i++)
		if (text[i] != shown(bytes[i]))
			return false;
	return is_blank(at, text);
}

/* Return: false if the line's text is that of no bytes before it. */
static bool read_row(struct row *row, struct rest line)
{
	struct group_end ends[DUMP_LINE_MAX];
	size_t groups = 0;

	*row = (struct row){ .count = 0 };
	while (read_group(row, &line))
		ends[groups++] = (struct group_end){ line.at, row->count };
	for (size_t i = groups; i-- > 0 && !row->fits && !row->fits_turned;) {
		row->count = ends[i].count;
		row->fits = is_text_of(row->bytes, row->count, ends[i].at, line.end);
		row->fits_turned = is_text_of(row->turned, row->count, ends[i].at, line.end);
	}
	if (!row->fits && !row->fits_turned && groups && !row->has_gap && is_blank(line.at, line.end)) {
		row->count = ends[groups - 1].count;
		row->fits = row->fits_turned = true; /* there is no text */
	}
	return row->fits || row->fits_turned;
}

/* The offset before a line's groups. Return: false if it is no line of xxd. */
static bool read_offset(uint64_t *out, struct rest *line)
{
	return rest_hex(out, line) && rest_skip_word(line, ":");
}

/* Is there a line whose text only the turned order agrees with? */
static bool is_turned(const char *text)
{
	struct dump_lines lines = { .text = text };
	struct rest line;
	struct row row;
	uint64_t offset;

	while (dump_lines_next(&line, &lines))
		if (read_offset(&offset, &line) && read_row(&row, line) && !row.fits)
			return true;
	return false;
}

static int read_line(struct dump_lines *lines, struct rest line, bool turned, struct err *err)
{
	struct row row;
	uint64_t offset;
	int rc;

	if (*line.at == '*' && rest_length(&line) == 1)
		return dump_lines_repeat(lines, err);
	if (!read_offset(&offset, &line))
		return dump_lines_wrong(lines, "does not begin with an offset and a colon, as xxd's do", err);
	if (!read_row(&row, line) || !(turned ? row.fits_turned : row.fits))
		return dump_lines_wrong(lines, "has bytes that are not those of the text beside them; give lines of xxd, xxd -e, xxd -p or xxd -i", err);
	if ((rc = dump_lines_at(lines, offset, err)))
		return rc;
	return dump_lines_add(lines, turned ? row.turned : row.bytes, row.count, err);
}

static int read_rows(struct strbuf *out, const char *text, struct err *err)
{
	struct dump_lines lines = { .text = text, .out = out, .before = out->length };
	const bool turned = is_turned(text);
	struct rest line;
	int rc = 0;

	while (!rc && dump_lines_next(&line, &lines))
		rc = read_line(&lines, line, turned, err);
	return rc ? rc : dump_lines_finish(&lines, err);
}

/* "unsigned char NAME[] = { 0x01, ... }; unsigned int NAME_len = 32;" */
static int read_array(struct strbuf *out, const char *array, struct err *err)
{
	struct rest rest = { array, array + strlen(array) };
	const size_t before = out->length;
	uint64_t value;

	for (rest_skip_any(&rest, " \t\r\n"); rest_skip_word(&rest, "0x"); rest_skip_any(&rest, ", \t\r\n")) {
		if (!rest_hex(&value, &rest) || value > UINT8_MAX)
			return err_set(err, ERR_FORMAT, "element %zu of the array is no byte", out->length - before);
		if (out->length - before == DECODE_HEXDUMP_MAX)
			return err_set(err, ERR_LIMIT, "the array has more than %d bytes", (int)DECODE_HEXDUMP_MAX);
		strbuf_addch(out, (char)value);
	}
	if (!rest_skip_word(&rest, "}"))
		return err_set(err, ERR_FORMAT, "element %zu of the array is none of xxd -i", out->length - before);
	if (rest_number_after(&value, rest, "_len = ") && value != out->length - before)
		return err_set(err, ERR_FORMAT, "the array has %zu bytes, and its length is said to be %llu", out->length - before,
			       (unsigned long long)value);
	return 0;
}

int decode_xxd(struct strbuf *out, const char *text, struct err *err)
{
	const size_t before = out->length;
	const int rc = is_row(text) || !array_of(text) ? read_rows(out, text, err) : read_array(out, array_of(text), err);

	if (rc)
		out->length = before;
	return rc;
}
