#include "base/strbuf.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void strbuf_reserve(struct strbuf *buf, size_t size)
{
	size_t need = buf->length + size + 1;
	size_t capacity = buf->capacity ? buf->capacity : 64;

	if (need <= buf->capacity)
		return;
	while (capacity < need)
		capacity *= 2;
	buf->text = xrealloc(buf->text, capacity);
	buf->capacity = capacity;
}

void strbuf_add(struct strbuf *buf, const void *data, size_t size)
{
	strbuf_reserve(buf, size);
	if (size)
		memcpy(buf->text + buf->length, data, size);
	buf->length += size;
	buf->text[buf->length] = '\0';
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void strbuf_addch(struct strbuf *buf, char ch)
{
	strbuf_add(buf, &ch, 1);
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	strbuf_reserve(buf, (size_t)length);
	va_start(args, format);
	vsnprintf(buf->text + buf->length, (size_t)length + 1, format, args);
	va_end(args);
	buf->length += (size_t)length;
}

void strbuf_plural(struct strbuf *buf, size_t count, const char *word)
{
	size_t length = strlen(word);

	if (count == 1)
		strbuf_addf(buf, "1 %s", word);
	else if (length && word[length - 1] == 'y')
		strbuf_addf(buf, "%zu %.*sies", count, (int)length - 1, word);
	else if (length && word[length - 1] == 's')
		strbuf_addf(buf, "%zu %ses", count, word);
	else
		strbuf_addf(buf, "%zu %ss", count, word);
}

void strbuf_reset(struct strbuf *buf)
{
	buf->length = 0;
	if (buf->text)
		buf->text[0] = '\0';
}

void strbuf_release(struct strbuf *buf)
{
	free(buf->text);
	*buf = (struct strbuf){ 0 };
}

const char *text_of_day(int64_t seconds, char buffer[32])
{
	const time_t time = (time_t)seconds;
	struct tm day;

	if (!gmtime_r(&time, &day) || !strftime(buffer, 32, "%Y-%m-%d", &day))
		return "?";
	return buffer;
}
