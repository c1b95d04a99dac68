#include "report/paragraph.h"

#include <string.h>

/* A paragraph, and the column that its text has come to. */
struct paragraph {
	struct strbuf *out;
	size_t indent, column;
};

/* Characters, not bytes: a byte that continues a character of UTF-8 has no column. */
static size_t columns(const char *text, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

/* Of the line that @out ends in. A colour has no column. */
static size_t last_column(const struct strbuf *out)
{
	const char *text = strbuf_text(out), *end = text + out->length;
	const char *line = memrchr(text, '\n', out->length);
	size_t count = 0;

	for (line = line ? line + 1 : text; line < end; line++) {
		if (*line == '\033')
			line += strcspn(line, "m");
		else
			count += columns(line, 1);
	}
	return count;
}

static void begin_line(struct paragraph *paragraph)
{
	strbuf_addf(paragraph->out, "\n%*s", (int)paragraph->indent, "");
	paragraph->column = paragraph->indent;
}

static void add(struct paragraph *paragraph, const char *text, size_t length)
{
	strbuf_add(paragraph->out, text, length);
	paragraph->column += columns(text, length);
}

/* Behind its commas, a word may be broken if no line holds it. */
static void add_broken(struct paragraph *paragraph, const char *word, size_t length)
{
	while (length) {
		size_t cut = strcspn(word, ",") + 1;

		if (cut > length)
			cut = length;
		if (paragraph->column + columns(word, cut) > PARAGRAPH_COLUMNS && paragraph->column > paragraph->indent)
			begin_line(paragraph);
		add(paragraph, word, cut);
		word += cut;
		length -= cut;
	}
}

static void add_word(struct paragraph *paragraph, const char *word, size_t length, bool is_first)
{
	size_t blank = !is_first, wide = columns(word, length);
	bool is_long = paragraph->indent + wide > PARAGRAPH_COLUMNS && memchr(word, ',', length);

	if (!is_long && paragraph->column > paragraph->indent && paragraph->column + blank + wide > PARAGRAPH_COLUMNS)
		begin_line(paragraph);
	else if (blank)
		add(paragraph, " ", 1);
	if (is_long)
		add_broken(paragraph, word, length);
	else
		add(paragraph, word, length);
}

void report_paragraph(struct strbuf *out, size_t indent, const char *text)
{
	struct paragraph paragraph = { out, indent, last_column(out) };
	struct strbuf escaped = { 0 };
	bool is_first = true;

	escape_terminal(&escaped, text);
	for (const char *word = strbuf_text(&escaped); *word; is_first = false) {
		size_t length = strcspn(word, " ");

		add_word(&paragraph, word, length, is_first);
		word += length;
		word += strspn(word, " ");
	}
	strbuf_release(&escaped);
}
