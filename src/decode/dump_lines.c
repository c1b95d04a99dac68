#include "decode/dump_lines.h"

#include "decode/hexdump.h"

#include <string.h>

static const char blanks[] = " \t\r";

bool dump_lines_next(struct rest *line, struct dump_lines *lines)
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

int dump_lines_wrong(const struct dump_lines *lines, const char *what, struct err *err)
{
	return err_set(err, ERR_FORMAT, "line %u of the dump %s", lines->number, what);
}

static uint64_t bytes_so_far(const struct dump_lines *lines)
{
	return lines->out->length - lines->before;
}

/* The line before the "*", as often as it takes to get to @offset. */
static int add_repeated(struct dump_lines *lines, uint64_t offset, struct err *err)
{
	const uint64_t have = bytes_so_far(lines);
	uint8_t last[DUMP_LINE_MAX];

	if (offset < have || (offset - have) % lines->last_bytes)
		return err_set(err, ERR_FORMAT, "line %u of the dump is at offset 0x%llx, which no repetition of %zu bytes from 0x%llx on leads to",
			       lines->number, (unsigned long long)offset, lines->last_bytes, (unsigned long long)have);
	if (offset > DECODE_HEXDUMP_MAX)
		return err_set(err, ERR_LIMIT, "line %u of the dump is at offset 0x%llx; a payload may have %d bytes", lines->number,
			       (unsigned long long)offset, (int)DECODE_HEXDUMP_MAX);
	memcpy(last, lines->out->text + lines->out->length - lines->last_bytes, lines->last_bytes);
	while (bytes_so_far(lines) < offset)
		strbuf_add(lines->out, last, lines->last_bytes);
	lines->is_repeated = false;
	return 0;
}

int dump_lines_at(struct dump_lines *lines, uint64_t offset, struct err *err)
{
	if (lines->is_ended)
		return dump_lines_wrong(lines, "stands behind the last one, which is an offset alone", err);
	if (lines->is_repeated)
		return add_repeated(lines, offset, err);
	if (offset != bytes_so_far(lines))
		return err_set(err, ERR_FORMAT, "line %u of the dump is at offset 0x%llx, and there are 0x%llx bytes before it; give all lines, from offset 0 on",
			       lines->number, (unsigned long long)offset, (unsigned long long)bytes_so_far(lines));
	return 0;
}

int dump_lines_add(struct dump_lines *lines, const uint8_t *bytes, size_t count, struct err *err)
{
	if (bytes_so_far(lines) + count > DECODE_HEXDUMP_MAX)
		return err_set(err, ERR_LIMIT, "the dump has more than %d bytes by line %u", (int)DECODE_HEXDUMP_MAX, lines->number);
	strbuf_add(lines->out, bytes, count);
	lines->last_bytes = count;
	return 0;
}

int dump_lines_repeat(struct dump_lines *lines, struct err *err)
{
	if (!lines->last_bytes || lines->is_repeated || lines->is_ended)
		return dump_lines_wrong(lines, "is \"*\", and there is no line before it that it could repeat", err);
	lines->is_repeated = true;
	return 0;
}

int dump_lines_end(struct dump_lines *lines, uint64_t offset, size_t slack, struct err *err)
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

int dump_lines_finish(struct dump_lines *lines, struct err *err)
{
	if (lines->is_repeated)
		return dump_lines_wrong(lines, "is \"*\", and no offset behind it says how often", err);
	if (!lines->last_bytes)
		return err_set(err, ERR_FORMAT, "the dump has no bytes");
	return 0;
}
