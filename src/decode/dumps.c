/*
 * decode/dumps.c - reads the output of hexdump, od and xxd, alone or after a call in a log, and the dumps of
 * libcudest
 */
#include "decode/decode.h"
#include "decode/internal.h"

#include <string.h>

enum { DUMP_LINE_MAX = 256 }; /* the bytes in a line; xxd -c allows no more */

struct dump_lines {
	const char *text;   /* the text that was not read yet */
	unsigned number;    /* the number of the current line; the first line is 1 */
	struct strbuf *out;
	size_t before;      /* the number of bytes that @out had before the dump */
	size_t last_bytes;  /* the number of bytes in the previous line; 0 if there was none */
	bool is_repeated;   /* true if a "*" was just read */
	bool is_ended;      /* true if a line with only an offset was read */
	size_t width;       /* the number of digits in a group of hexdump; 0 before the first group */
	bool is_reversed;     /* true if the bytes of groups are reversed, as xxd -e prints them */
};

static const char blanks[] = " \t\r";

/* dump_lines_next - get the next line that is not empty, without leading blanks. Return: false at the end. */
static bool dump_lines_next(struct rest *line, struct dump_lines *lines)
{
	while (*lines->text) {
		const char *begin = lines->text, *end = strchr(begin, '\n');

		lines->text = end ? end + 1 : begin + strlen(begin);
		lines->number++;
		*line = (struct rest){ begin, end ? end : lines->text };
		rest_skip_any(line, blanks);
		if (rest_length(line) && line->end[-1] == '\r')
			line->end--;
		if (rest_length(line))
			return true;
	}
	return false;
}

/* dump_lines_wrong - set @err to "line 3 of the dump WHAT". Return: ERR_FORMAT. */
static int dump_lines_wrong(const struct dump_lines *lines, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "line %u of the dump %s", lines->number, what);
}

static uint64_t bytes_so_far(const struct dump_lines *lines)
{
	return lines->out->length - lines->before;
}

/**
 * dump_lines_at - check the offset of the current line, and add the bytes that a "*" before it repeats
 *
 * Return: 0; ERR_FORMAT if the bytes before the line do not end at @offset; ERR_LIMIT.
 */
static int dump_lines_at(struct dump_lines *lines, uint64_t offset, struct err *err)
{
	const uint64_t have = bytes_so_far(lines);
	uint8_t last[DUMP_LINE_MAX];

	if (lines->is_ended)
		return dump_lines_wrong(lines, "comes after a line with only an offset, which ends a dump", err);
	if (!lines->is_repeated && offset != have)
		return err_set(
			err, ERR_FORMAT,
			"line %u of the dump is at offset 0x%llx, but the lines before it have 0x%llx bytes; give all lines, starting at offset 0",
			lines->number, (unsigned long long)offset, (unsigned long long)have);
	if (!lines->is_repeated)
		return 0;
	if (offset < have || (offset - have) % lines->last_bytes)
		return err_set(
			err, ERR_FORMAT,
			"line %u of the dump is at offset 0x%llx, but the %zu bytes that \"*\" repeats from offset 0x%llx do not end there",
			lines->number, (unsigned long long)offset, lines->last_bytes,
			(unsigned long long)have);
	if (offset > DECODE_HEXDUMP_MAX)
		return err_set(err, ERR_LIMIT,
			       "line %u of the dump is at offset 0x%llx; a dump can have at most %d bytes",
			       lines->number, (unsigned long long)offset, (int)DECODE_HEXDUMP_MAX);
	memcpy(last, lines->out->text + lines->out->length - lines->last_bytes, lines->last_bytes);
	while (bytes_so_far(lines) < offset)
		strbuf_add(lines->out, last, lines->last_bytes);
	lines->is_repeated = false;
	return 0;
}

/* dump_lines_add - add the bytes of the current line, at most DUMP_LINE_MAX */
static int dump_lines_add(struct dump_lines *lines, const uint8_t *bytes, size_t count, struct err *err)
{
	if (bytes_so_far(lines) + count > DECODE_HEXDUMP_MAX)
		return err_set(err, ERR_LIMIT, "the dump has more than %d bytes up to line %u",
			       (int)DECODE_HEXDUMP_MAX, lines->number);
	strbuf_add(lines->out, bytes, count);
	lines->last_bytes = count;
	return 0;
}

/* dump_lines_repeat - handle a line "*" */
static int dump_lines_repeat(struct dump_lines *lines, struct err *err)
{
	if (!lines->last_bytes || lines->is_repeated || lines->is_ended)
		return dump_lines_wrong(lines,
					"is \"*\", but no line before it can be repeated", err);
	lines->is_repeated = true;
	return 0;
}

/*
 * dump_lines_end - handle a line with only an offset, which is the length of the dump. Up to @slack bytes
 * after this length are removed, because hexdump prints whole words.
 */
static int dump_lines_end(struct dump_lines *lines, uint64_t offset, size_t slack, struct err *err)
{
	const uint64_t have = bytes_so_far(lines);
	int rc;

	if (!lines->is_repeated && !lines->is_ended && offset < have && have - offset <= slack)
		lines->out->length = lines->before + (size_t)offset;
	else if ((rc = dump_lines_at(lines, offset, err)))
		return rc;
	lines->is_ended = true;
	return 0;
}

/*
 * dump_lines_read - read all lines of a dump. @read reads the lines with an offset. hexdump's last line, with
 * only an offset, can be missing. Return: 0; ERR_FORMAT or ERR_LIMIT (@out is unchanged).
 */
static int dump_lines_read(struct dump_lines *lines,
			   int (*read)(struct dump_lines *lines, struct rest line, struct err *err),
			   struct err *err)
{
	struct rest line;
	int rc = 0;

	while (!rc && dump_lines_next(&line, lines))
		rc = *line.at == '*' && rest_length(&line) == 1 ? dump_lines_repeat(lines, err)
								: read(lines, line, err);
	if (!rc && lines->is_repeated)
		rc = dump_lines_wrong(lines,
				      "is \"*\", but no offset after it shows how often the line is repeated",
				      err);
	if (!rc && !lines->last_bytes)
		rc = err_set(err, ERR_FORMAT, "the dump has no bytes");
	if (rc)
		lines->out->length = lines->before;
	return rc;
}

/*
 * A line of hexdump has an offset and groups of 2, 4, 8 or 16 digits, all with the same width. A group is a
 * byte, or a word in the byte order of x86 (little-endian). The text column, between bars or angle brackets,
 * is ignored.
 */

enum { OFFSET_DIGITS_MIN = 6, HEXDUMP_DIGITS = 7, GROUP_MAX = 16 };

static size_t digits_at(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && rest_digit(at[count]) < 16)
		count++;
	return count;
}

/*
 * Is the first line at offset 0, and the second line at the offset where the bytes of the first line end? The
 * last word can have fewer bytes than its digits show.
 */
static bool has_offsets(struct rest text)
{
	uint64_t offset, bytes = 0;
	size_t digits, word_bytes = 0;

	if (!rest_hex(&offset, &text) || offset)
		return false;
	for (rest_skip_any(&text, blanks); (digits = digits_at(text.at, text.end));
	     rest_skip_any(&text, blanks)) {
		bytes += word_bytes = digits / 2;
		text.at += digits;
	}
	if (!bytes || !rest_find(&text, "\n"))
		return false;
	rest_skip_any(&text, " \t\r\n");
	return rest_skip_word(&text, "*") ||
	       (rest_hex(&offset, &text) && offset <= bytes && bytes - offset < word_bytes);
}

/*
 * hexdump prints "0000000 0001", with an offset of seven digits, which cannot be bytes. hexdump -C prints
 * "00000000  01 ... |". od -A x prints six digits, which could also be bytes: they are an offset if the
 * second line has the expected offset.
 */
bool decode_is_hexdump(const char *text)
{
	const char *begin = text + strspn(text, " \t\r\n"), *end = begin + strcspn(begin, "\n");
	const size_t digits = digits_at(begin, end);

	if (digits < OFFSET_DIGITS_MIN || (begin[digits] != ' ' && begin[digits] != '\t'))
		return false;
	return digits == HEXDUMP_DIGITS ||
	       (digits > HEXDUMP_DIGITS && memchr(begin, '|', (size_t)(end - begin))) ||
	       has_offsets((struct rest){ begin, begin + strlen(begin) });
}

/* Stores the bytes of a group of @digits, the lowest byte first. */
static void store_group_reversed(uint8_t *bytes, const char *at, size_t digits)
{
	for (size_t i = 0; i < digits; i += 2)
		bytes[digits / 2 - 1 - i / 2] = (uint8_t)(rest_digit(at[i]) << 4 | rest_digit(at[i + 1]));
}

static bool is_width(size_t digits)
{
	return digits == 2 || digits == 4 || digits == 8 || digits == GROUP_MAX;
}

static int read_hexdump_line(struct dump_lines *lines, struct rest line, struct err *err)
{
	size_t digits = digits_at(line.at, line.end), count = 0;
	uint8_t bytes[DUMP_LINE_MAX];
	uint64_t offset;
	int rc;

	if (digits < OFFSET_DIGITS_MIN || !rest_hex(&offset, &line) ||
	    (rest_length(&line) && !strchr(" \t", *line.at)))
		return dump_lines_wrong(lines, "does not begin with an offset, as hexdump's lines do", err);
	rest_skip_any(&line, " \t");
	if (!rest_length(&line))
		return dump_lines_end(lines, offset, lines->width ? lines->width / 2 - 1 : 0, err);
	if ((rc = dump_lines_at(lines, offset, err)))
		return rc;
	for (; rest_length(&line) && *line.at != '|' && *line.at != '>'; rest_skip_any(&line, " \t")) {
		digits = digits_at(line.at, line.end);
		if (!is_width(digits) || (lines->width && digits != lines->width) ||
		    (line.at + digits < line.end && !strchr(" \t", line.at[digits])))
			return dump_lines_wrong(
				lines,
				"has groups that are not hexadecimal bytes or words; give lines of hexdump, hexdump -x or hexdump -C",
				err);
		if (count + digits / 2 > DUMP_LINE_MAX)
			return dump_lines_wrong(lines, "is longer than any line that hexdump prints", err);
		lines->width = digits;
		store_group_reversed(bytes + count, line.at, digits);
		count += digits / 2;
		line.at += digits;
	}
	return dump_lines_add(lines, bytes, count, err);
}

int decode_hexdump(struct strbuf *out, const char *text, struct err *err)
{
	struct dump_lines lines = { .text = text, .out = out, .before = out->length };

	return dump_lines_read(&lines, read_hexdump_line, err);
}

/*
 * xxd prints "OFFSET: GROUPS  TEXT". The text has one character for each byte, and a dot for an unprintable
 * byte. It shows where the groups end, and whether the bytes of a group are in memory order or reversed (-e):
 *
 * 1. The groups of a line are read as long as they are digits. Because the text can be digits, too, groups
 *    are then removed from the end until the rest of the line is the text of the remaining groups.
 * 2. A first pass searches a line whose text matches in only one of the two orders. If the last group is
 *    shorter than the others, it has blanks before it in reversed order, and after it in memory order.
 * 3. A second pass adds the bytes.
 *
 * In a line without text, all digits are bytes. If no line shows the order, groups of two bytes, xxd's
 * default, are in memory order. The order of larger groups is then unknown, because -e and -g print the same.
 */

enum { OFFSET_DIGITS = 8, GAP = 2, XXD_DIGITS = 4 };

/* The bytes of a line, in memory order and reversed. */
struct row {
	uint8_t bytes[DUMP_LINE_MAX], reversed[DUMP_LINE_MAX];
	size_t count, last_digits;
	size_t width;           /* the number of digits in the first group, with blanks in place of digits */
	bool is_padded;         /* true if blanks replace digits of the last group */
	bool has_gap;           /* true if several blanks are between two groups: the second could be text */
	bool fits, fits_reversed; /* true if the text matches bytes, or reversed */
};

/* The end of a group, and the number of bytes up to it. */
struct group_end {
	const char *at;
	size_t count, digits;
	bool is_padded;
};

static const char *array_of(const char *text)
{
	const char *brace = strchr(text, '{');

	return brace && strstr(brace, "0x") ? brace + 1 : NULL;
}

static bool is_row(const char *text)
{
	const char *at = text + strspn(text, " \t\r\n");
	const size_t digits = digits_at(at, at + strlen(at));

	return digits >= OFFSET_DIGITS && at[digits] == ':' && strchr(" \t", at[digits + 1]);
}

bool decode_is_xxd(const char *text)
{
	return is_row(text) || array_of(text);
}

/*
 * Reads a group, and stores its bytes in both orders. If xxd -e prints a short last group, blanks stand for
 * the missing digits before it. Return: false if there are no more groups.
 */
static bool read_group(struct row *row, struct rest *line)
{
	struct rest at = *line;
	size_t digits, padding;

	rest_skip_any(&at, " \t");
	row->has_gap |= row->count && at.at - line->at >= GAP;
	padding = at.at > line->at ? (size_t)(at.at - line->at) - 1 : 0;
	digits = digits_at(at.at, at.end);
	if (!digits || digits % 2 || row->count + digits / 2 > DUMP_LINE_MAX ||
	    (at.at + digits < at.end && !strchr(" \t", at.at[digits])))
		return false;
	store_group_reversed(row->reversed + row->count, at.at, digits);
	for (size_t i = 0; i < digits / 2; i++)
		row->bytes[row->count + i] = row->reversed[row->count + digits / 2 - 1 - i];
	if (!row->count)
		row->width = is_width(digits + padding) ? digits + padding : digits;
	row->last_digits = digits;
	row->is_padded = padding && digits + padding == row->width;
	row->count += digits / 2;
	line->at = at.at + digits;
	return true;
}

static bool is_blank(const char *at, const char *end)
{
	struct rest rest = { at, end };

	rest_skip_any(&rest, " \t");
	return !rest_length(&rest);
}

static char shown_char(uint8_t byte)
{
	return byte >= ' ' && byte < 0x7f ? (char)byte : '.';
}

/* Are the characters from @at to @end a gap and the text of @bytes? Trailing blanks can be missing. */
static bool is_text_of(const uint8_t *bytes, size_t count, const char *at, const char *end)
{
	const char *text;

	while (end > at && end[-1] == ' ')
		end--;
	while (count && shown_char(bytes[count - 1]) == ' ')
		count--;
	if ((size_t)(end - at) < count + (count ? GAP : 0))
		return false;
	text = end - count;
	for (size_t i = 0; i < count; i++)
		if (text[i] != shown_char(bytes[i]))
			return false;
	return is_blank(at, text);
}

/* Reads the groups and the text of a line. Return: false if the text matches in neither order. */
static bool read_row(struct row *row, struct rest line)
{
	struct group_end ends[DUMP_LINE_MAX];
	size_t groups = 0;

	*row = (struct row){ .count = 0 };
	while (read_group(row, &line))
		ends[groups++] = (struct group_end){ line.at, row->count, row->last_digits, row->is_padded };
	for (size_t i = groups; i-- > 0 && !row->fits && !row->fits_reversed;) {
		row->count = ends[i].count;
		row->last_digits = ends[i].digits;
		row->is_padded = ends[i].is_padded;
		row->fits = is_text_of(row->bytes, row->count, ends[i].at, line.end);
		row->fits_reversed = is_text_of(row->reversed, row->count, ends[i].at, line.end);
	}
	if (!row->fits && !row->fits_reversed && groups && !row->has_gap && is_blank(line.at, line.end)) {
		row->count = ends[groups - 1].count;
		row->fits = row->fits_reversed = true; /* the line has no text column */
	}
	if (row->fits && row->fits_reversed && row->last_digits < row->width)
		*(row->is_padded ? &row->fits : &row->fits_reversed) = false;
	return row->fits || row->fits_reversed;
}

/* Reads the offset before a line's groups. Return: false if it is not a line of xxd. */
static bool read_xxd_offset(uint64_t *out, struct rest *line)
{
	return rest_hex(out, line) && rest_skip_word(line, ":");
}

/* Finds the order of bytes in groups. The first line whose text matches in only one order decides. */
static int find_order(bool *reversed, const char *text, struct err *err)
{
	struct dump_lines lines = { .text = text };
	unsigned unknown = 0;
	struct rest line;
	struct row row;
	uint64_t offset;

	*reversed = false;
	while (dump_lines_next(&line, &lines)) {
		if (!read_xxd_offset(&offset, &line) || !read_row(&row, line))
			continue;
		*reversed = !row.fits;
		if (row.fits != row.fits_reversed)
			return 0;
		if (!unknown && row.width > XXD_DIGITS && memcmp(row.bytes, row.reversed, row.count))
			unknown = lines.number;
	}
	return unknown ? err_set(err, ERR_FORMAT,
				 "line %u of the dump has groups of more than 2 bytes, and no text column shows whether their bytes are reversed, as by xxd -e; give lines of xxd -g 1",
				 unknown)
		       : 0;
}

static int read_xxd_line(struct dump_lines *lines, struct rest line, struct err *err)
{
	struct row row;
	uint64_t offset;
	int rc;

	if (!read_xxd_offset(&offset, &line))
		return dump_lines_wrong(lines, "does not begin with an offset and a colon, as xxd's lines do",
					err);
	if (!read_row(&row, line) || !(lines->is_reversed ? row.fits_reversed : row.fits))
		return dump_lines_wrong(
			lines,
			"has bytes that do not match the text next to them; give lines of xxd, xxd -e, xxd -p or xxd -i",
			err);
	if ((rc = dump_lines_at(lines, offset, err)))
		return rc;
	return dump_lines_add(lines, lines->is_reversed ? row.reversed : row.bytes, row.count, err);
}

/* Reads "unsigned char NAME[] = { 0x01, ... }; unsigned int NAME_len = 32;", starting after the brace. */
static int read_array(struct strbuf *out, const char *array, struct err *err)
{
	struct rest rest = { array, array + strlen(array) };
	const size_t before = out->length;
	uint64_t value;

	for (rest_skip_any(&rest, " \t\r\n"); rest_skip_word(&rest, "0x"); rest_skip_any(&rest, ", \t\r\n")) {
		if (!rest_hex(&value, &rest) || value > UINT8_MAX)
			return err_set(err, ERR_FORMAT, "element %zu of the array is not a byte",
				       out->length - before);
		if (out->length - before == DECODE_HEXDUMP_MAX)
			return err_set(err, ERR_LIMIT, "the array has more than %d bytes",
				       (int)DECODE_HEXDUMP_MAX);
		strbuf_addch(out, (char)value);
	}
	if (!rest_skip_word(&rest, "}"))
		return err_set(err, ERR_FORMAT, "element %zu of the array is not in the form of xxd -i",
			       out->length - before);
	if (rest_has(rest, "_len = %n", &value) && value != out->length - before)
		return err_set(err, ERR_FORMAT, "the array has %zu bytes, but its declared length is %llu",
			       out->length - before, (unsigned long long)value);
	return 0;
}

int decode_xxd(struct strbuf *out, const char *text, struct err *err)
{
	struct dump_lines lines = { .text = text, .out = out, .before = out->length };
	const char *array = is_row(text) ? NULL : array_of(text);
	int rc;

	if (array)
		rc = read_array(out, array, err);
	else if (!(rc = find_order(&lines.is_reversed, text, err)))
		rc = dump_lines_read(&lines, read_xxd_line, err);
	if (rc)
		out->length = lines.before;
	return rc;
}

enum {
	SIZE_MAX_BYTES = 1024 * 1024,     /* the driver's RMAPI_PARAM_COPY_MAX_PARAMS_SIZE */
	TEXT_MAX_BYTES = 16 * 1024 * 1024, /* the size of xxd -c 1's output for SIZE_MAX_BYTES */
};

bool pasted_dump_hold(struct pasted_dump *pasted, const struct decode_line *call)
{
	if (!call->has_size || !call->size_bytes || call->size_bytes > SIZE_MAX_BYTES || call->before ||
	    call->after || call->memory.size_bytes)
		return false;
	pasted->is_held = true;
	pasted->is_open = false;
	pasted->call = *call;
	strbuf_reset(&pasted->text);
	strbuf_reset(&pasted->bytes);
	return true;
}

/* Reads "0000010", and checks that ':' (of xxd), a blank, or the end of the line follows. */
static bool read_dump_offset(uint64_t *offset, bool *is_xxd, struct rest line)
{
	const char *first;

	rest_skip_any(&line, " \t");
	first = line.at;
	if (!rest_hex(offset, &line) || line.at - first < OFFSET_DIGITS_MIN)
		return false;
	*is_xxd = rest_skip_word(&line, ":");
	return !rest_length(&line) ? !*is_xxd : strchr(" \t\r", *line.at) != NULL;
}

static bool is_repeat(struct rest line)
{
	rest_skip_any(&line, " \t");
	return rest_skip_word(&line, "*") && (rest_skip_any(&line, " \t\r"), !rest_length(&line));
}

bool pasted_dump_is_mine(const struct pasted_dump *pasted, struct rest line)
{
	uint64_t offset;
	bool is_xxd;

	if (!pasted->is_held || rest_length(&line) > TEXT_MAX_BYTES - pasted->text.length ||
	    memchr(line.at, '\0', rest_length(&line)))
		return false;
	if (pasted->is_open && is_repeat(line))
		return true;
	if (!read_dump_offset(&offset, &is_xxd, line))
		return false;
	return pasted->is_open ? is_xxd == pasted->is_xxd && offset : !offset;
}

void pasted_dump_add(struct pasted_dump *pasted, struct rest line)
{
	uint64_t offset;

	if (!pasted->is_open)
		read_dump_offset(&offset, &pasted->is_xxd, line);
	pasted->is_open = true;
	strbuf_add(&pasted->text, line.at, rest_length(&line));
	strbuf_addch(&pasted->text, '\n');
}

bool pasted_dump_end(struct decode_line *out, struct pasted_dump *pasted)
{
	int rc;

	if (!pasted->is_held)
		return false;
	pasted->is_held = false;
	*out = pasted->call;
	if (!pasted->is_open)
		return true;
	rc = pasted->is_xxd ? decode_xxd(&pasted->bytes, strbuf_text(&pasted->text), NULL)
			   : decode_hexdump(&pasted->bytes, strbuf_text(&pasted->text), NULL);
	if (!rc && pasted->bytes.length == out->size_bytes)
		out->before = (const uint8_t *)strbuf_text(&pasted->bytes);
	return true;
}

void pasted_dump_release(struct pasted_dump *pasted)
{
	strbuf_release(&pasted->text);
	strbuf_release(&pasted->bytes);
}

/*
 * libcudest's dumps of calls
 *
 * The output of libcudest's shim (shim/shim.c at 98bc46f), with or without the escape sequences for colors:
 *
 *     ioctl 2a, 32-byte param, fd 3   0xc1d00001 0x5c000002 0x20800110 0x00000000
 *     0x0010                          0xbfe84040 0x000055a2 0x00000084 0x00000000
 *     GPU method 0x5c000002:20800110  0x00000000 ...     only for 0x2a with 32 bytes: the target of params
 *     RESULT: 0                       0xc1d00001 ...     the bytes after the call, unless it failed
 *     0x0010                          ...
 *     GPU method 0x5c000002:20800110  0x00000000 0x4449564e ...
 *
 * In the text form of libcudest's web pages, the first words of a dump are on a separate line, the call's
 * result can be the last line, and "**************MODIFICATION FROM CALL" is before memory that the call
 * changed. A page can have blanks instead of line ends, so a line can have several of these parts.
 *
 * A line has four words. The device is unknown. A call without parameters is not reported, because it could
 * be for a different driver. If lines are too long, at a wrong offset, or mixed with lines of a different
 * call, the call is reported without its bytes.
 */

enum { PARAMS, TARGET, PARAMS_AFTER, TARGET_AFTER };
enum {
	WORD = 4,
	CONTROL = 0x2a,
	CONTROL_BYTES = 32,
	POINTER_AT = 16,
	LENGTH_AT = 24, /* the offsets with which the shim finds the target of this call's pointer */
	UVM_BYTES = 0x3000, /* the bits of UVM_INITIALIZE that are the size in other requests */
	DUMP_BYTES_MAX = 1024 * 1024, /* the driver's RMAPI_PARAM_COPY_MAX_PARAMS_SIZE */
	FOREIGN_MAX = 16,
};

/* Skips blanks, tabs and escape sequences for colors. */
static void skip_blank(struct rest *rest)
{
	for (;;) {
		struct rest sequence;

		rest_skip_any(rest, " \t\r");
		sequence = *rest;
		if (!rest_skip_word(&sequence, "\033["))
			return;
		rest_skip_any(&sequence, "0123456789;");
		if (!rest_skip_word(&sequence, "m"))
			return;
		*rest = sequence;
	}
}

static bool is_control(const struct cudest *cudest)
{
	return cudest->number == CONTROL && cudest->size_bytes == CONTROL_BYTES;
}

/* Reads a little-endian number of 8 bytes of the dumped parameters. */
static uint64_t dumped_number(const struct cudest *cudest, size_t offset)
{
	uint64_t value = 0;

	for (size_t i = 8; i-- > 0;)
		value = value << 8 | (uint8_t)strbuf_text(&cudest->dumps[PARAMS].bytes)[offset + i];
	return value;
}

static bool has_bytes(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return !cudest->dumps[dump].is_broken && cudest->dumps[dump].bytes.length >= size_bytes;
}

/* Gets the size of the memory at the pointer. Return: false if there is no pointer or no valid size. */
static bool target_bytes(uint64_t *out, const struct cudest *cudest)
{
	if (!is_control(cudest) || !has_bytes(cudest, PARAMS, CONTROL_BYTES))
		return false;
	*out = dumped_number(cudest, LENGTH_AT);
	return *out <= DUMP_BYTES_MAX;
}

/* Reads words up to the first text that is not a word. */
static void read_cudest_words(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	uint64_t word;

	for (;;) {
		struct rest next;

		skip_blank(rest);
		next = *rest;
		if (!rest_scan(&next, "0x%x", &word) || next.at - rest->at != 2 + 2 * WORD)
			return;
		*rest = next;
		dump->is_broken |= dump->bytes.length >= DUMP_BYTES_MAX;
		for (size_t i = 0; i < WORD && !dump->is_broken; i++)
			strbuf_addch(&dump->bytes, (char)(word >> 8 * i));
	}
}

/* Reads the first words of a dump, or later words after their offset, "0x0010". */
static bool read_cudest_row(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	const char *first = rest->at;
	uint64_t offset;

	if (!dump->bytes.length)
		read_cudest_words(cudest, rest);
	if (rest->at > first && dump->bytes.length)
		return true;
	if (!rest_scan(rest, "0x%x", &offset))
		return false;
	dump->is_broken |= offset != dump->bytes.length;
	read_cudest_words(cudest, rest);
	return true;
}

/* Reads the text before a dump, or the text that replaces the rest of a dump. */
static bool read_remark(struct cudest *cudest, struct rest *rest)
{
	struct cudest_dump *dump = &cudest->dumps[cudest->current];
	uint64_t object, command, ret;
	struct rest at;

	if (rest_scan(rest, "GPU method 0x%x:%x", &object, &command)) {
		cudest->current = cudest->has_result ? TARGET_AFTER : TARGET;
		return true;
	}
	if (!cudest->has_result && rest_scan(rest, "RESULT: %d", &cudest->ret)) {
		cudest->has_result = true;
		cudest->current = PARAMS_AFTER;
		return true;
	}
	if (rest_skip_word(rest, "…") || rest_skip_word(rest, "..."))
		return dump->is_cut = true;
	if (rest_skip_word(rest, "LENGTH MODIFIED BY CALL!")) {
		at = *rest;
		skip_blank(&at);
		if (rest_scan(&at, "(ret: %n)", &ret))
			*rest = at;
		return true;
	}
	at = *rest;
	rest_skip_any(&at, "*");
	if (!cudest->has_result || at.at == rest->at || !rest_skip_word(&at, "MODIFICATION FROM CALL"))
		return false;
	*rest = at;
	cudest->current = TARGET_AFTER;
	return true;
}

/* Was all that the shim prints for this call read? */
static bool is_done(const struct cudest *cudest)
{
	uint64_t target;

	if (!cudest->has_result)
		return false;
	if (cudest->ret)
		return true;
	if (!has_bytes(cudest, PARAMS_AFTER, cudest->size_bytes))
		return false;
	if (!is_control(cudest))
		return true;
	return cudest->current == TARGET_AFTER && target_bytes(&target, cudest) &&
	       has_bytes(cudest, TARGET_AFTER, target);
}

bool cudest_begin(struct cudest *cudest, struct rest *line)
{
	uint64_t number, size_bytes, fd;
	bool begins;

	do
		begins = rest_find(line, "ioctl %x, %n-byte param, fd %n", &number, &size_bytes, &fd);
	while (begins && (number > 0xff || size_bytes > 0x3fff));
	if (!begins)
		return false;
	for (size_t i = 0; i < CUDEST_DUMPS; i++) {
		strbuf_reset(&cudest->dumps[i].bytes);
		cudest->dumps[i].is_broken = cudest->dumps[i].is_cut = false;
	}
	cudest->is_open = true;
	cudest->number = number;
	cudest->size_bytes = size_bytes;
	cudest->has_result = false;
	cudest->current = PARAMS;
	cudest->foreign = 0;
	return true;
}

enum cudest_line cudest_line(struct cudest *cudest, struct rest *line)
{
	bool is_mine = false;

	skip_blank(line);
	if (!rest_length(line) && cudest->has_result)
		return CUDEST_DONE; /* the empty line that ends a call */
	for (; rest_length(line) && (read_remark(cudest, line) || read_cudest_row(cudest, line));
	     skip_blank(line))
		is_mine = true;
	if (is_done(cudest))
		return CUDEST_DONE;
	if (is_mine) {
		cudest->foreign = 0;
		return CUDEST_MORE;
	}
	return cudest->has_result || ++cudest->foreign > FOREIGN_MAX ? CUDEST_LOST : CUDEST_FOREIGN;
}

/* Returns the bytes of a dump; NULL if it has fewer than @size_bytes. */
static const uint8_t *dump_bytes(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return has_bytes(cudest, dump, size_bytes) ? (const uint8_t *)strbuf_text(&cudest->dumps[dump].bytes)
						  : NULL;
}

/* Returns the number of bytes in a dump if it is complete, or if an ellipsis replaces the rest; else 0. */
static uint64_t known_bytes(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	const struct cudest_dump *from = &cudest->dumps[dump];

	if (has_bytes(cudest, dump, size_bytes))
		return size_bytes;
	return from->is_cut && !from->is_broken ? from->bytes.length : 0;
}

bool cudest_end(struct decode_line *out, struct cudest *cudest)
{
	const bool is_uvm = cudest->size_bytes == UVM_BYTES;
	struct decode_line found = {
		.family = is_uvm ? "uvm" : "frontend",
		.number = is_uvm ? (uint64_t)UVM_BYTES << 16 | cudest->number : cudest->number,
		.has_size = !is_uvm,
		.size_bytes = is_uvm ? 0 : cudest->size_bytes,
		.has_ret = cudest->has_result,
		.ret = cudest->ret,
	};
	uint64_t target;

	cudest->is_open = false;
	if (!cudest->size_bytes)
		return false;
	if (!is_uvm)
		found.before = dump_bytes(cudest, PARAMS, cudest->size_bytes);
	if (!is_uvm && cudest->has_result && !cudest->ret)
		found.after = dump_bytes(cudest, PARAMS_AFTER, cudest->size_bytes);
	if (target_bytes(&target, cudest) && target) {
		const uint64_t known = known_bytes(cudest, TARGET, target);
		const uint64_t known_after = found.after ? known_bytes(cudest, TARGET_AFTER, target) : 0;

		target = known_after ? known_after : known ? known : target;
		found.memory = (struct trace_memory){
			.address = dumped_number(cudest, POINTER_AT), .size_bytes = target,
			.before = { dump_bytes(cudest, TARGET, target), target },
			.after = { known_after ? dump_bytes(cudest, TARGET_AFTER, target) : NULL, target },
		};
	}
	*out = found;
	return true;
}

void cudest_release(struct cudest *cudest)
{
	for (size_t i = 0; i < CUDEST_DUMPS; i++)
		strbuf_release(&cudest->dumps[i].bytes);
}

/* --- hexadecimal digits without offsets ------------------------------------------------------ */

int hex_read(struct strbuf *out, const char *text, struct err *err)
{
	const size_t before = out->length;

	for (const char *at = text; *at;) {
		if (strchr(" \t\n\r:,", *at)) {
			at++;
		} else if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
			at += 2;
		} else if (rest_digit(at[0]) < 16 && rest_digit(at[1]) < 16) {
			strbuf_addch(out, (char)(rest_digit(at[0]) << 4 | rest_digit(at[1])));
			at += 2;
		} else {
			out->length = before;
			return err_set(err, ERR_USAGE,
				       "'%.16s' is not hexadecimal: give two digits per byte, in memory order",
				       at);
		}
	}
	return 0;
}

bool hex_number(uint64_t *out, const char *text)
{
	struct rest rest = { text, text + strlen(text) };
	uint64_t value;

	if (!(rest_skip_word(&rest, "0X") ? rest_hex(&value, &rest) : rest_scan(&rest, "%n", &value)) ||
	    rest_length(&rest))
		return false;
	*out = value;
	return true;
}
