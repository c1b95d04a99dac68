#include "gen/comment.h"

#include <string.h>

enum { COLUMNS = 80 };

static void add_bytes(struct strbuf *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		strbuf_addch(out, (unsigned char)text[i] < 0x20 || (unsigned char)text[i] > 0x7e ? '?' : text[i]);
}

void comment_text(struct strbuf *out, const char *text)
{
	add_bytes(out, text, strlen(text));
}

void comment_add(struct strbuf *out, const char *mark, const char *text)
{
	size_t column = 0;

	for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		if (column && column + 1 + length > COLUMNS) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		if (!column) {
			strbuf_adds(out, mark);
			column = strlen(mark);
		}
		strbuf_addch(out, ' ');
		column++;
		add_bytes(out, word, length);
		column += length;
		word += length;
	}
	strbuf_addch(out, '\n');
}

void comment_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (; *text; text++)
		strbuf_addch(out, *text == '"' || *text == '\\' || (unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e ? '?' : *text);
	strbuf_addch(out, '"');
}
