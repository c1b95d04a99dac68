/*
 * decode/dumps.c - reads bytes as users paste them: hexadecimal digits, and the output of hexdump, od and
 * xxd, alone or after a call in a log; and the dumps of libcudest
 */
#include "decode/internal.h"

/*
 * How the output of hexdump, od and xxd is read:
 *
 * 1. Every offset is compared with the number of bytes before it, so a dump with a missing or misplaced line
 *    is rejected. "*" repeats the line before it up to the next offset.
 * 2. A line has groups of digits. The bytes are stored in two orders: those of each group in the order of the
 *    digits, and reversed.
 * 3. A group of hexdump or od has 2, 4, 8 or 16 digits, all with the same width. It is a byte, or a word in
 *    the byte order of x86 (little-endian). The text column, between bars or angle brackets, is ignored.
 * 4. For xxd, the text column shows which order is right.
 */

/* The order of the bytes of a group: that of the digits, or the reverse. */
enum { IN_ORDER, REVERSED, ORDERS };

enum { DUMP_LINE_MAX = 256 }; /* the bytes in a line; xxd -c allows no more */

/* The end of a group of digits, and the number of bytes in the line up to it. */
struct group_end {
	const char *at;
	size_t count, digits;
	bool is_padded; /* true if blanks before the group replace some of its digits */
};

/* The bytes of a line. */
struct row {
	uint8_t bytes[ORDERS][DUMP_LINE_MAX];
	struct group_end end;         /* of the last group */
	size_t width;                 /* the digits in the first group, with blanks in place of digits */
	bool has_gap;                 /* true if several blanks are between groups: the second can be text */
	bool fits[ORDERS];            /* true if the text column shows the bytes in this order */
};

struct dump {
	const char *text;   /* the text that was not read yet */
	unsigned number;    /* the number of the current line; the first line is 1 */
	struct strbuf bytes[ORDERS]; /* so far */
	bool fits[ORDERS];  /* false after a line that shows that the bytes are not in this order */
	unsigned ambiguous; /* the first line that could be in either order, with different bytes; or 0 */
	struct row last;    /* the previous line; it has no bytes if there was none */
	bool is_repeated;   /* true if a "*" was just read */
	bool is_ended;      /* true if a line with only an offset was read */
	size_t width;       /* the number of digits in a group of hexdump; 0 before the first group */
};

static const char blanks[] = " \t\r";

/* dump_line - get the next line that is not empty, without the blanks around it. Return: false at the end. */
static bool dump_line(struct rest *line, struct dump *dump)
{
	while (*dump->text) {
		const char *begin = dump->text, *end = strchrnul(begin, '\n');

		dump->text = *end ? end + 1 : end;
		dump->number++;
		*line = (struct rest){ begin, end };
		rest_skip_any(line, blanks);
		if (rest_length(line) && line->end[-1] == '\r')
			line->end--;
		if (rest_length(line))
			return true;
	}
	return false;
}

/* dump_wrong - set @err to "line 3 of the dump WHAT". Return: ERR_FORMAT. */
static int dump_wrong(const struct dump *dump, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "line %u of the dump %s", dump->number, what);
}

static uint64_t dump_length(const struct dump *dump)
{
	return dump->bytes[IN_ORDER].length;
}

/**
 * dump_at - check the offset of the current line, and add the bytes that a "*" before it repeats
 *
 * Return: 0; ERR_FORMAT if the bytes before the line do not end at @offset; ERR_LIMIT.
 */
static int dump_at(struct dump *dump, uint64_t offset, struct err *err)
{
	const uint64_t have = dump_length(dump);
	const size_t last_bytes = dump->last.end.count;

	if (dump->is_ended)
		return dump_wrong(dump, "comes after a line with only an offset, which ends a dump", err);
	if (!dump->is_repeated && offset != have)
		return err_set(
			err, ERR_FORMAT,
			"line %u of the dump is at offset 0x%llx, but the lines before it have 0x%llx bytes; give all lines, starting at offset 0",
			dump->number, (unsigned long long)offset, (unsigned long long)have);
	if (!dump->is_repeated)
		return 0;
	if (offset < have || (offset - have) % last_bytes)
		return err_set(
			err, ERR_FORMAT,
			"line %u of the dump is at offset 0x%llx, but the %zu bytes that \"*\" repeats from offset 0x%llx do not end there",
			dump->number, (unsigned long long)offset, last_bytes, (unsigned long long)have);
	if (offset > HEX_BYTES_MAX)
		return err_set(err, ERR_LIMIT,
			       "line %u of the dump is at offset 0x%llx; a dump can have at most %d bytes",
			       dump->number, (unsigned long long)offset, (int)HEX_BYTES_MAX);
	for (int order = 0; order < ORDERS; order++)
		while (dump->bytes[order].length < offset)
			strbuf_add(&dump->bytes[order], dump->last.bytes[order], last_bytes);
	dump->is_repeated = false;
	return 0;
}

/* dump_add - add the bytes of the current line, in both orders. Return: as dump_at() */
static int dump_add(struct dump *dump, const struct row *row, uint64_t offset, struct err *err)
{
	int rc;

	if ((rc = dump_at(dump, offset, err)))
		return rc;
	if (dump_length(dump) + row->end.count > HEX_BYTES_MAX)
		return err_set(err, ERR_LIMIT, "the dump has more than %d bytes up to line %u",
			       (int)HEX_BYTES_MAX, dump->number);
	for (int order = 0; order < ORDERS; order++)
		strbuf_add(&dump->bytes[order], row->bytes[order], row->end.count);
	dump->last = *row;
	return 0;
}

/*
 * dump_read - append the bytes of a dump. @read adds the bytes of a line to the struct dump. hexdump's last
 * line, with only an offset, can be missing. Return: 0; ERR_FORMAT or ERR_LIMIT, with @out unchanged.
 */
static int dump_read(struct strbuf *out, const char *text,
		     int (*read)(struct dump *dump, struct rest line, struct err *err), struct err *err)
{
	struct dump dump = { .text = text, .fits = { true, true } };
	const struct strbuf *bytes;
	struct rest line;
	int rc = 0;

	while (!rc && dump_line(&line, &dump)) {
		if (*line.at != '*' || rest_length(&line) > 1)
			rc = read(&dump, line, err);
		else if (!dump.last.end.count || dump.is_repeated || dump.is_ended)
			rc = dump_wrong(&dump, "is \"*\", but no line before it can be repeated", err);
		else
			dump.is_repeated = true;
	}
	if (!rc && dump.is_repeated)
		rc = dump_wrong(&dump,
				"is \"*\", but no offset after it shows how often the line is repeated", err);
	else if (!rc && !dump.last.end.count)
		rc = err_set(err, ERR_FORMAT, "the dump has no bytes");
	else if (!rc && dump.ambiguous && dump.fits[IN_ORDER] && dump.fits[REVERSED])
		rc = err_set(
			err, ERR_FORMAT,
			"line %u of the dump has groups of more than 2 bytes, and no text column shows whether their bytes are reversed, as by xxd -e; give lines of xxd -g 1",
			dump.ambiguous);
	bytes = &dump.bytes[dump.fits[IN_ORDER] ? IN_ORDER : REVERSED];
	if (!rc)
		strbuf_add(out, bytes->text, bytes->length);
	strbuf_release(&dump.bytes[IN_ORDER]);
	strbuf_release(&dump.bytes[REVERSED]);
	return rc;
}

static size_t digits_at(const char *at, const char *end)
{
	size_t count = 0;

	while (at + count < end && rest_digit(at[count]) < 16)
		count++;
	return count;
}

static bool is_width(size_t digits)
{
	return digits == 2 || digits == 4 || digits == 8 || digits == 16;
}

/*
 * Reads the group at the start of @line into @row, and moves past it. A group has an even number of digits,
 * and a blank or the end of the line after them. If xxd -e prints a short last group, it has blanks before
 * the group in place of the missing digits. Return: false if @line does not begin with a group; @line is
 * unchanged then.
 */
static bool read_group(struct row *row, struct rest *line)
{
	const size_t before = row->end.count; /* the number of bytes in the groups before */
	struct rest at = *line;
	size_t digits, blank_count, padding;

	rest_skip_any(&at, " \t");
	blank_count = (size_t)(at.at - line->at);
	padding = blank_count ? blank_count - 1 : 0; /* one blank separates groups */
	digits = digits_at(at.at, at.end);
	row->has_gap |= before && padding;
	if (!digits || digits % 2 || before + digits / 2 > DUMP_LINE_MAX ||
	    (at.at + digits < at.end && !strchr(" \t", at.at[digits])))
		return false;
	for (size_t i = 0; i < digits / 2; i++) {
		const int byte = rest_digit(at.at[2 * i]) << 4 | rest_digit(at.at[2 * i + 1]);

		row->bytes[IN_ORDER][before + i] = (uint8_t)byte;
		row->bytes[REVERSED][before + digits / 2 - 1 - i] = (uint8_t)byte;
	}
	line->at = at.at + digits;
	if (!before)
		row->width = is_width(digits + padding) ? digits + padding : digits;
	row->end = (struct group_end){ line->at, before + digits / 2, digits,
				       padding && digits + padding == row->width };
	return true;
}

/* --- hexdump and od -------------------------------------------------------------------------- */

enum { OFFSET_DIGITS_MIN = 6, HEXDUMP_DIGITS = 7 };

/*
 * Do the lines begin with offsets? Then the first line is at offset 0, and the second line at the offset
 * where the bytes of the first line end. The last word can have fewer bytes than its digits show.
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
 * Is @text the output of hexdump or od, and not only digits of bytes? hexdump prints "0000000 0001", with an
 * offset of seven digits, which cannot be bytes. hexdump -C prints "00000000  01 ... |". od -A x prints six
 * digits, which could also be bytes: they are an offset if the second line has the expected offset.
 */
static bool is_hexdump(const char *text)
{
	const char *begin = text + strspn(text, " \t\r\n"), *end = begin + strcspn(begin, "\n");
	const size_t digits = digits_at(begin, end);

	if (digits < OFFSET_DIGITS_MIN || (begin[digits] != ' ' && begin[digits] != '\t'))
		return false;
	return digits == HEXDUMP_DIGITS ||
	       (digits > HEXDUMP_DIGITS && memchr(begin, '|', (size_t)(end - begin))) ||
	       has_offsets((struct rest){ begin, begin + strlen(begin) });
}

/*
 * Reads a line with only an offset, which is the length of the dump and ends it. hexdump prints whole
 * words, so the last word can have bytes after that length, which are removed.
 */
static int end_hexdump(struct dump *dump, uint64_t offset, struct err *err)
{
	const uint64_t have = dump_length(dump);
	int rc;

	if (!dump->is_repeated && !dump->is_ended && offset < have && have - offset < dump->width / 2)
		dump->bytes[IN_ORDER].length = dump->bytes[REVERSED].length = (size_t)offset;
	else if ((rc = dump_at(dump, offset, err)))
		return rc;
	dump->is_ended = true;
	return 0;
}

/* Reads a line of hexdump or od, and adds its bytes to @dump. Return: 0; ERR_FORMAT or ERR_LIMIT. */
static int read_hexdump_line(struct dump *dump, struct rest line, struct err *err)
{
	const size_t offset_digits = digits_at(line.at, line.end);
	struct row row = { .has_gap = false };
	bool is_uniform = true;
	uint64_t offset;

	if (offset_digits < OFFSET_DIGITS_MIN || !rest_hex(&offset, &line) ||
	    (rest_length(&line) && !strchr(" \t", *line.at)))
		return dump_wrong(dump, "does not begin with an offset, as hexdump's lines do", err);
	for (; read_group(&row, &line); dump->width = row.end.digits)
		is_uniform &= dump->width ? row.end.digits == dump->width : is_width(row.end.digits);
	rest_skip_any(&line, " \t");
	if (!row.end.count && !rest_length(&line))
		return end_hexdump(dump, offset, err);
	if (!is_uniform || (rest_length(&line) && *line.at != '|' && *line.at != '>'))
		return dump_wrong(
			dump,
			"has groups that are not hexadecimal bytes or words; give lines of hexdump, hexdump -x or hexdump -C",
			err);
	dump->fits[IN_ORDER] = false; /* words are little-endian */
	return dump_add(dump, &row, offset, err);
}

/* --- xxd -------------------------------------------------------------------------------------- */

/*
 * xxd prints "OFFSET: GROUPS  TEXT". The text has one character for each byte, and a dot for an unprintable
 * byte. It shows where the groups end, and whether the bytes of a group are in memory order or reversed (-e):
 *
 * 1. The groups of a line are read as long as they are digits. Because the text can be digits, too, groups
 *    are then removed from the end until the rest of the line is the text of the remaining groups.
 * 2. A line whose text matches in only one of the two orders shows the order of all lines. If the last group
 *    is shorter than the others, it has blanks before it in reversed order, and after it in memory order.
 *
 * In a line without text, all digits are bytes. If no line shows the order, groups of two bytes, xxd's
 * default, are in memory order. The order of larger groups is then unknown, because -e and -g print the same.
 */

enum { OFFSET_DIGITS = 8, GAP = 2, XXD_DIGITS = 4 };

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

static bool is_blank(const char *at, const char *end)
{
	struct rest rest = { at, end };

	rest_skip_any(&rest, " \t");
	return !rest_length(&rest);
}

/* Returns the character that xxd prints for a byte, to recognize the text of a line. */
static char shown_char(uint8_t byte)
{
	return byte >= ' ' && byte < 0x7f ? (char)byte : '.';
}

/* Are the characters from @at to @end a gap and xxd's text of @bytes? Trailing blanks can be missing. */
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

/*
 * Reads the offset, the groups and the text of a line of xxd. row->fits shows in which orders the bytes match
 * the text, or could match it if the line has no text; both are false if the line is malformed. Return: false
 * if it has no offset and colon.
 */
static bool read_row(struct row *row, uint64_t *offset, struct rest line)
{
	struct group_end ends[DUMP_LINE_MAX];
	size_t groups = 0;
	bool has_text;

	*row = (struct row){ .has_gap = false };
	if (!rest_hex(offset, &line) || !rest_skip_word(&line, ":"))
		return false;
	while (read_group(row, &line))
		ends[groups++] = row->end;
	for (size_t i = groups; i-- > 0 && !row->fits[IN_ORDER] && !row->fits[REVERSED];) {
		row->end = ends[i];
		for (int order = 0; order < ORDERS; order++)
			row->fits[order] = is_text_of(row->bytes[order], row->end.count, row->end.at,
						      line.end);
	}
	has_text = row->fits[IN_ORDER] || row->fits[REVERSED];
	if (!has_text && groups && !row->has_gap && is_blank(line.at, line.end)) {
		row->end = ends[groups - 1];
		row->fits[IN_ORDER] = row->fits[REVERSED] = true;
	}
	/* Blanks can have been removed with the text column, so without it, missing blanks prove nothing. */
	if (row->fits[IN_ORDER] && row->fits[REVERSED] && row->end.digits < row->width &&
	    (has_text || row->end.is_padded))
		row->fits[row->end.is_padded ? IN_ORDER : REVERSED] = false;
	return true;
}

/*
 * Reads a line of xxd, adds its bytes to @dump, and excludes the order of bytes that the line's text
 * disproves. Return: 0; ERR_FORMAT or ERR_LIMIT.
 */
static int read_xxd_line(struct dump *dump, struct rest line, struct err *err)
{
	struct row row;
	uint64_t offset;

	if (!read_row(&row, &offset, line))
		return dump_wrong(dump, "does not begin with an offset and a colon, as xxd's lines do", err);
	if (!dump->ambiguous && row.fits[IN_ORDER] && row.fits[REVERSED] && row.width > XXD_DIGITS &&
	    memcmp(row.bytes[IN_ORDER], row.bytes[REVERSED], row.end.count))
		dump->ambiguous = dump->number;
	dump->fits[IN_ORDER] &= row.fits[IN_ORDER];
	dump->fits[REVERSED] &= row.fits[REVERSED];
	if (!dump->fits[IN_ORDER] && !dump->fits[REVERSED])
		return dump_wrong(
			dump,
			"has bytes that do not match the text next to them; give lines of xxd, xxd -e, xxd -p or xxd -i",
			err);
	return dump_add(dump, &row, offset, err);
}

/*
 * Appends the bytes of "unsigned char NAME[] = { 0x01, ... }; unsigned int NAME_len = 32;", of which @array
 * begins after the brace. Return: 0; ERR_FORMAT or ERR_LIMIT, and some bytes can be in @out.
 */
static int read_array(struct strbuf *out, const char *array, struct err *err)
{
	struct rest rest = { array, array + strlen(array) };
	const size_t before = out->length;
	uint64_t value;

	for (rest_skip_any(&rest, " \t\r\n"); rest_skip_word(&rest, "0x"); rest_skip_any(&rest, ", \t\r\n")) {
		if (!rest_hex(&value, &rest) || value > UINT8_MAX)
			return err_set(err, ERR_FORMAT, "element %zu of the array is not a byte",
				       out->length - before);
		if (out->length - before == HEX_BYTES_MAX)
			return err_set(err, ERR_LIMIT, "the array has more than %d bytes",
				       (int)HEX_BYTES_MAX);
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

/* --- every format of bytes ----------------------------------------------------------------------- */

/* Appends bytes of two digits each (hex_read()). Return: 0; ERR_USAGE, and some bytes can be in @out. */
static int read_hex_bytes(struct strbuf *out, const char *text, struct err *err)
{
	for (const char *at = text; *at;) {
		if (strchr(" \t\n\r:,", *at)) {
			at++;
		} else if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
			at += 2;
		} else if (rest_digit(at[0]) < 16 && rest_digit(at[1]) < 16) {
			strbuf_addch(out, (char)(rest_digit(at[0]) << 4 | rest_digit(at[1])));
			at += 2;
		} else {
			return err_set(err, ERR_USAGE,
				       "'%.16s' is not hexadecimal: give two digits per byte, in memory order",
				       at);
		}
	}
	return 0;
}

bool hex_has_format(const char *name)
{
	return !strcmp(name, "hex") || !strcmp(name, "hexdump") || !strcmp(name, "xxd");
}

int hex_read(struct strbuf *out, const char *text, const char *format, struct err *err)
{
	const bool may_be_xxd = !format || !strcmp(format, "xxd"); /* xxd -p prints only digits */
	const char *array = array_of(text);
	const size_t before = out->length;
	int rc;

	if (may_be_xxd && is_row(text))
		rc = dump_read(out, text, read_xxd_line, err);
	else if (may_be_xxd && array)
		rc = read_array(out, array, err);
	else if (format ? !strcmp(format, "hexdump") : is_hexdump(text))
		rc = dump_read(out, text, read_hexdump_line, err);
	else
		rc = read_hex_bytes(out, text, err);
	if (rc)
		out->length = before;
	return rc;
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

/* --- dumps after the line of a call ---------------------------------------------------------------- */

enum {
	PARAMS_BYTES_MAX = 1024 * 1024,    /* the driver's RMAPI_PARAM_COPY_MAX_PARAMS_SIZE */
	TEXT_BYTES_MAX = 16 * 1024 * 1024, /* the size of xxd -c 1's output for PARAMS_BYTES_MAX */
};

/*
 * Reads the offset at the start of a dump's line, "0000010", and sets @is_xxd if xxd's ':' is after it.
 * Return: false if @line does not begin with an offset, so it is not part of a dump.
 */
static bool read_dump_offset(uint64_t *offset, bool *is_xxd, struct rest line)
{
	const char *first;

	rest_skip_any(&line, " \t");
	first = line.at;
	if (!rest_hex(offset, &line) || line.at - first < OFFSET_DIGITS_MIN)
		return false;
	*is_xxd = rest_skip_word(&line, ":");
	return !rest_length(&line) ? !*is_xxd : strchr(blanks, *line.at) != NULL;
}

static bool is_repeat(struct rest line)
{
	rest_skip_any(&line, " \t");
	return rest_skip_word(&line, "*") && (rest_skip_any(&line, blanks), !rest_length(&line));
}

bool pasted_dump_can_follow(const struct decode_input *call)
{
	return call->has_size && call->size_bytes && call->size_bytes <= PARAMS_BYTES_MAX && !call->before &&
	       !call->bytes && !call->memory_count;
}

bool pasted_dump_is_mine(const struct pasted_dump *pasted, const struct decode_input *call, struct rest line)
{
	uint64_t offset;
	bool is_xxd;

	if (!pasted_dump_can_follow(call) || rest_length(&line) > TEXT_BYTES_MAX - pasted->text.length ||
	    memchr(line.at, '\0', rest_length(&line)))
		return false;
	if (pasted->text.length && is_repeat(line))
		return true;
	if (!read_dump_offset(&offset, &is_xxd, line))
		return false;
	return pasted->text.length ? is_xxd == pasted->is_xxd && offset : !offset;
}

void pasted_dump_add(struct pasted_dump *pasted, struct rest line)
{
	uint64_t offset;

	if (!pasted->text.length)
		read_dump_offset(&offset, &pasted->is_xxd, line);
	strbuf_add(&pasted->text, line.at, rest_length(&line));
	strbuf_addch(&pasted->text, '\n');
}

void pasted_dump_end(struct decode_input *call, struct pasted_dump *pasted)
{
	strbuf_reset(&pasted->bytes);
	if (!dump_read(&pasted->bytes, strbuf_text(&pasted->text),
		       pasted->is_xxd ? read_xxd_line : read_hexdump_line, NULL) &&
	    pasted->bytes.length == call->size_bytes)
		call->before = (const uint8_t *)strbuf_text(&pasted->bytes);
	strbuf_reset(&pasted->text);
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
	return *out <= PARAMS_BYTES_MAX;
}

/* Appends words to the current dump, up to other text. A dump that gets too long is marked as broken. */
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
		dump->is_broken |= dump->bytes.length >= PARAMS_BYTES_MAX;
		for (size_t i = 0; i < WORD && !dump->is_broken; i++)
			strbuf_addch(&dump->bytes, (char)(word >> 8 * i));
	}
}

/*
 * Reads the first words of the current dump, or later words after their offset, "0x0010". A wrong offset
 * marks the dump as broken. Return: false if the text is neither.
 */
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

/*
 * Reads the text before a dump, which selects the current dump and can be the call's result, or the text that
 * replaces the rest of a dump. Return: false if the text is none of these.
 */
static bool read_remark(struct cudest *cudest, struct rest *rest)
{
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
	if (rest_skip_word(rest, "…") || rest_skip_word(rest, "...")) /* in place of the last words */
		return true;
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

/* Were the result and all bytes read that the shim prints for this call? */
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
		cudest->dumps[i].is_broken = false;
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
	/* a foreign line after the result means that the rest of the call is missing */
	return cudest->has_result || ++cudest->foreign > FOREIGN_MAX ? CUDEST_LOST : CUDEST_FOREIGN;
}

/* Returns the bytes of a dump; NULL if it has fewer than @size_bytes. */
static const uint8_t *dump_bytes(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	return has_bytes(cudest, dump, size_bytes) ? (const uint8_t *)strbuf_text(&cudest->dumps[dump].bytes)
						  : NULL;
}

/* Returns the first bytes of the @size_bytes bytes at the pointer, as far as a dump has them. */
static struct trace_bytes target_dump(const struct cudest *cudest, size_t dump, uint64_t size_bytes)
{
	const struct strbuf *bytes = &cudest->dumps[dump].bytes;

	if (cudest->dumps[dump].is_broken || !bytes->length)
		return (struct trace_bytes){ NULL, 0 };
	return (struct trace_bytes){ (const uint8_t *)bytes->text,
				     bytes->length < size_bytes ? bytes->length : size_bytes };
}

bool cudest_end(struct decode_input *out, struct cudest *cudest)
{
	const bool is_uvm = cudest->size_bytes == UVM_BYTES;
	struct decode_input found = {
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
		found.bytes = dump_bytes(cudest, PARAMS_AFTER, cudest->size_bytes);
	if (target_bytes(&target, cudest) && target) {
		const struct trace_bytes before = target_dump(cudest, TARGET, target),
					 after = target_dump(cudest, TARGET_AFTER, target);

		cudest->memory = (struct trace_memory){ dumped_number(cudest, POINTER_AT), target, before,
							{ NULL, 0 } };
		if (found.bytes && after.size_bytes >= before.size_bytes)
			cudest->memory.after = after;
		found.memory = &cudest->memory;
		found.memory_count = 1;
	}
	*out = found;
	return true;
}

void cudest_release(struct cudest *cudest)
{
	for (size_t i = 0; i < CUDEST_DUMPS; i++)
		strbuf_release(&cudest->dumps[i].bytes);
}
