/* abi/writer.c - writes JSON: indentation, commas and escapes */
#include "abi/abi.h"

#include <assert.h>

/*
 * The length of the longest UTF-8 sequence. No more than the text is read, because the NUL at its end is not
 * a continuation byte.
 */
enum { UTF8_MAX = 4 };

static void new_line(struct json_writer *writer)
{
	static const char spaces[] = "                                ";
	unsigned left = writer->depth;

	strbuf_addch(writer->out, '\n');
	for (; left > sizeof(spaces) - 1; left -= sizeof(spaces) - 1)
		strbuf_add(writer->out, spaces, sizeof(spaces) - 1);
	strbuf_add(writer->out, spaces, left);
}

static bool on_one_line(const struct json_writer *writer)
{
	return writer->compact || writer->inline_depth;
}

/* Writes the comma and the line break or blank before a key or an item; nothing before the value of a key. */
static void begin_item(struct json_writer *writer)
{
	if (writer->after_key) {
		writer->after_key = false;
		return;
	}
	if (writer->comma)
		strbuf_addch(writer->out, ',');
	if (on_one_line(writer)) {
		if (writer->comma)
			strbuf_addch(writer->out, ' ');
	} else if (writer->depth) {
		new_line(writer);
	}
}

static void open_with(struct json_writer *writer, char bracket, bool is_inline)
{
	begin_item(writer);
	strbuf_addch(writer->out, bracket);
	writer->depth++;
	writer->comma = false;
	if (is_inline && !writer->inline_depth)
		writer->inline_depth = writer->depth;
}

/* Closes the innermost object or array. Without items, its brackets are on one line. */
static void close_with(struct json_writer *writer, char bracket)
{
	bool has_items = writer->comma;
	bool one_line = on_one_line(writer);

	assert(writer->depth && !writer->after_key);
	if (writer->inline_depth == writer->depth)
		writer->inline_depth = 0;
	writer->depth--;
	if (has_items && !one_line)
		new_line(writer);
	strbuf_addch(writer->out, bracket);
	writer->comma = true;
}

void json_open_object(struct json_writer *writer)
{
	open_with(writer, '{', false);
}

void json_open_inline_object(struct json_writer *writer)
{
	open_with(writer, '{', true);
}

void json_close_object(struct json_writer *writer)
{
	close_with(writer, '}');
}

void json_open_array(struct json_writer *writer)
{
	open_with(writer, '[', false);
}

void json_open_inline_array(struct json_writer *writer)
{
	open_with(writer, '[', true);
}

void json_close_array(struct json_writer *writer)
{
	close_with(writer, ']');
}

static bool is_plain(unsigned char ch)
{
	return ch >= ' ' && ch < 0x7f && ch != '"' && ch != '\\';
}

/* Writes a character that must be escaped in a string. */
static void add_escape(struct json_writer *writer, uint32_t ch)
{
	static const char special[] = "\"\\\n\t\r", letter[] = "\"\\ntr";
	const char *at = ch < 0x80 ? strchr(special, (char)ch) : NULL;

	if (at)
		strbuf_addf(writer->out, "\\%c", letter[at - special]);
	else
		strbuf_addf(writer->out, "\\u%04x", (unsigned)ch);
}

/*
 * Writes the first character of @text, which is not ASCII. Characters that control a terminal are escaped,
 * because the output can be printed to a terminal. Return: the number of bytes of @text that were used.
 */
static size_t add_wide(struct json_writer *writer, const char *text)
{
	const size_t length = utf8_length(text, UTF8_MAX);
	const uint32_t code = length ? utf8_code(text, length) : 0;

	if (!length) {
		strbuf_adds(writer->out, "\xef\xbf\xbd"); /* U+FFFD */
		return 1;
	}
	if (code <= 0xffff && !escape_is_printable(code))
		add_escape(writer, code);
	else
		strbuf_add(writer->out, text, length);
	return length;
}

/* Adds a JSON string to the output. Bytes that are not UTF-8 are replaced. */
static void add_quoted(struct json_writer *writer, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	const unsigned char *end;

	strbuf_addch(writer->out, '"');
	while (*at) {
		for (end = at; is_plain(*end); end++)
			;
		strbuf_add(writer->out, at, (size_t)(end - at));
		at = end;
		if (*at >= 0x80)
			at += add_wide(writer, (const char *)at);
		else if (*at)
			add_escape(writer, *at++);
	}
	strbuf_addch(writer->out, '"');
}

void json_key(struct json_writer *writer, const char *key)
{
	assert(!writer->after_key);
	begin_item(writer);
	add_quoted(writer, key);
	strbuf_adds(writer->out, ": ");
	writer->after_key = true;
	writer->comma = true;
}

void json_string(struct json_writer *writer, const char *text)
{
	if (!text) {
		json_null(writer);
		return;
	}
	begin_item(writer);
	add_quoted(writer, text);
	writer->comma = true;
}

/* Adds a number, true, false or null to the output. */
static void add_word(struct json_writer *writer, const char *word)
{
	begin_item(writer);
	strbuf_adds(writer->out, word);
	writer->comma = true;
}

void json_number(struct json_writer *writer, struct abi_number value)
{
	char text[24];

	if (value.magnitude > ABI_DOUBLE_EXACT_MAX)
		json_string(writer, abi_number_text(value, text));
	else
		add_word(writer, abi_number_text(value, text));
}

void json_unsigned(struct json_writer *writer, uint64_t value)
{
	json_number(writer, (struct abi_number){ .magnitude = value });
}

void json_bool(struct json_writer *writer, bool value)
{
	add_word(writer, value ? "true" : "false");
}

void json_null(struct json_writer *writer)
{
	add_word(writer, "null");
}

void json_end(struct json_writer *writer)
{
	assert(!writer->depth && !writer->after_key);
	strbuf_addch(writer->out, '\n');
	writer->comma = false; /* JSON Lines: the caller can write more values */
}

void json_key_open(struct json_writer *writer, const char *key, void (*open)(struct json_writer *))
{
	if (*key)
		json_key(writer, key);
	open(writer);
}

void json_key_string(struct json_writer *writer, const char *key, const char *text)
{
	json_key(writer, key);
	json_string(writer, text);
}

void json_key_unsigned(struct json_writer *writer, const char *key, uint64_t value)
{
	json_key(writer, key);
	json_unsigned(writer, value);
}

void json_key_bool(struct json_writer *writer, const char *key, bool value)
{
	json_key(writer, key);
	json_bool(writer, value);
}

void json_key_strings(struct json_writer *writer, const char *key, const char *const *texts, size_t count)
{
	json_key_open(writer, key, json_open_inline_array);
	for (size_t i = 0; i < count; i++)
		json_string(writer, texts[i]);
	json_close_array(writer);
}
