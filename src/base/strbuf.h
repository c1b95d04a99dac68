/*
 * base/strbuf.h - a string that grows
 *
 * Layer L0. { 0 } is an empty strbuf. Once anything has been added, text is
 * NUL-terminated at text[length]; strbuf_text() is never NULL. The owner
 * calls strbuf_release().
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stddef.h>
#include <stdint.h>

struct strbuf {
	char *text;
	size_t length;   /* bytes in use, without the NUL */
	size_t capacity; /* bytes allocated */
};

void strbuf_add(struct strbuf *buf, const void *data, size_t size);
void strbuf_adds(struct strbuf *buf, const char *text);
void strbuf_addch(struct strbuf *buf, char ch);
void strbuf_addf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* strbuf_plural - "1 record", "2 records"; @word is the singular: "entry", "entries", "alias", "aliases". */
void strbuf_plural(struct strbuf *buf, size_t count, const char *word);
/* text_of_day - "2025-01-27", the day in UTC of seconds since 1970; "?" if no calendar has it. Return: @buffer. */
const char *text_of_day(int64_t seconds, char buffer[32]);
/* strbuf_reserve - room for @size more bytes and the NUL. */
void strbuf_reserve(struct strbuf *buf, size_t size);
/* strbuf_reset - empty; the memory stays allocated. */
void strbuf_reset(struct strbuf *buf);
void strbuf_release(struct strbuf *buf);

static inline const char *strbuf_text(const struct strbuf *buf)
{
	return buf->text ? buf->text : "";
}

#endif
