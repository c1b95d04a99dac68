#include "decode/below.h"

#include "decode/hexdump.h"

#include <string.h>

enum {
	OFFSET_DIGITS_MIN = 7,
	SIZE_MAX_BYTES = 1024 * 1024,     /* RMAPI_PARAM_COPY_MAX_PARAMS_SIZE of the driver */
	TEXT_MAX_BYTES = 16 * 1024 * 1024, /* as xxd -c 1 prints so many */
};

bool below_hold(struct below *below, const struct decode_line *call)
{
	if (!call->has_size || !call->size_bytes || call->size_bytes > SIZE_MAX_BYTES || call->before || call->after || call->block_count)
		return false;
	below->is_held = true;
	below->is_open = false;
	below->call = *call;
	strbuf_reset(&below->text);
	strbuf_reset(&below->bytes);
	return true;
}

/* "0000010", and what ends it: ':' of xxd, a blank, or nothing behind the last line of hexdump. */
static bool read_offset(uint64_t *offset, bool *is_xxd, struct rest line)
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

bool below_is_mine(const struct below *below, struct rest line)
{
	uint64_t offset;
	bool is_xxd;

	if (!below->is_held || rest_length(&line) > TEXT_MAX_BYTES - below->text.length || memchr(line.at, '\0', rest_length(&line)))
		return false;
	if (below->is_open && is_repeat(line))
		return true;
	if (!read_offset(&offset, &is_xxd, line))
		return false;
	return below->is_open ? is_xxd == below->is_xxd && offset : !offset;
}

void below_add(struct below *below, struct rest line)
{
	uint64_t offset;

	if (!below->is_open)
		read_offset(&offset, &below->is_xxd, line);
	below->is_open = true;
	strbuf_add(&below->text, line.at, rest_length(&line));
	strbuf_addch(&below->text, '\n');
}

bool below_end(struct decode_line *out, struct below *below)
{
	struct err err = { "" };
	int rc;

	if (!below->is_held)
		return false;
	below->is_held = false;
	*out = below->call;
	if (!below->is_open)
		return true;
	rc = below->is_xxd ? decode_xxd(&below->bytes, strbuf_text(&below->text), &err) : decode_hexdump(&below->bytes, strbuf_text(&below->text), &err);
	if (!rc && below->bytes.length == out->size_bytes)
		out->before = (const uint8_t *)strbuf_text(&below->bytes);
	return true;
}

void below_release(struct below *below)
{
	strbuf_release(&below->text);
	strbuf_release(&below->bytes);
}
