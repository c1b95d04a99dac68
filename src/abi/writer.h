/*
 * abi/writer.h - writing JSON as a stream
 *
 * Layer L2; report/ and gen/ use it too. The writer knows about commas,
 * indentation and escapes, and nothing else. It appends to the caller's strbuf
 * and owns nothing; nothing here fails.
 * Invalid UTF-8 is written as U+FFFD. Indented by one space a level, a
 * newline at the end. A writer starts as { .out = &buffer }.
 */
#ifndef ABI_WRITER_H
#define ABI_WRITER_H

#include "abi/document.h"

struct json_writer {
	struct strbuf *out; /* the caller's */
	bool compact;       /* all on one line */
	unsigned depth;
	bool comma;         /* the next item needs one before it */
	bool after_key;
	unsigned inline_depth; /* depth of the object that is written on one line; 0: none */
};

void json_open_object(struct json_writer *writer);
/* json_open_inline - an object or array that stays on one line, with all in it. */
void json_open_inline_object(struct json_writer *writer);
void json_close_object(struct json_writer *writer);
void json_open_array(struct json_writer *writer);
void json_open_inline_array(struct json_writer *writer);
void json_close_array(struct json_writer *writer);
void json_key(struct json_writer *writer, const char *key);
void json_string(struct json_writer *writer, const char *text); /* NULL: null */
void json_unsigned(struct json_writer *writer, uint64_t value); /* above 2^53: "0x…" */
void json_number(struct json_writer *writer, struct abi_number value);
void json_bool(struct json_writer *writer, bool value);
void json_null(struct json_writer *writer);
/* json_end - the newline after the outermost value. */
void json_end(struct json_writer *writer);

/* Key and value in one: the common case. */
void json_key_string(struct json_writer *writer, const char *key, const char *text);
void json_key_unsigned(struct json_writer *writer, const char *key, uint64_t value);
void json_key_bool(struct json_writer *writer, const char *key, bool value);
void json_key_strings(struct json_writer *writer, const char *key, const char *const *texts, size_t count); /* on one line */

#endif
