#include "report/fill.h"

#include <stdarg.h>
#include <string.h>

/* Columns of @text: characters, without the bytes that continue one of UTF-8, and without colours. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else
			width += ((unsigned char)*text & 0xc0) != 0x80;
	}
	return width;
}

static const char *last_line(const struct strbuf *out)
{
	const char *end = out->length ? memrchr(out->text, '\n', out->length) : NULL;

	return end ? end + 1 : strbuf_text(out);
}

void fill_begin(struct fill *fill, struct strbuf *out, const struct report_style *style, size_t indent)
{
	*fill = (struct fill){ .out = out, .style = style, .indent = indent, .column = width_of(last_line(out)) };
}

/* A word that does not fit behind the indent stands further left. */
static void next_line(struct fill *fill, size_t width)
{
	size_t indent = fill->indent + width <= FILL_COLUMNS ? fill->indent : FILL_LEAST_INDENT + width <= FILL_COLUMNS ? FILL_LEAST_INDENT : 0;

	while (fill->out->length && fill->out->text[fill->out->length - 1] == ' ')
		fill->out->text[--fill->out->length] = '\0';
	strbuf_addf(fill->out, "\n%*s", (int)indent, "");
	fill->column = indent;
}

/* @text is escaped. */
static void add(struct fill *fill, enum report_ink ink, const char *text)
{
	size_t width = width_of(text);
	bool is_first = !*last_line(fill->out);

	if (!is_first && fill->column + fill->gap + width > FILL_COLUMNS)
		next_line(fill, width);
	else
		strbuf_addf(fill->out, "%*s", (int)fill->gap, "");
	fill->column = 0;
	report_ink(fill->out, fill->style, ink, "%s", text);
	fill->column = width_of(last_line(fill->out));
	fill->gap = 1;
}

void fill_word(struct fill *fill, enum report_ink ink, const char *format, ...)
{
	struct strbuf text = { 0 };
	va_list args;

	va_start(args, format);
	escape_vaddf(&text, escape_terminal, format, args);
	va_end(args);
	add(fill, ink, strbuf_text(&text));
	strbuf_release(&text);
}

/* The words of @text, each of which ends where @length_of() says. */
static void add_each(struct fill *fill, enum report_ink ink, const char *text, size_t (*length_of)(const char *text))
{
	while (*(text += strspn(text, " "))) {
		size_t length = length_of(text);

		fill_word(fill, ink, "%.*s", (int)length, text);
		text += length;
	}
}

static size_t word_length(const char *text)
{
	return strcspn(text, " ");
}

static size_t phrase_length(const char *text)
{
	size_t length = strcspn(text, ",");

	return length + (text[length] == ',');
}

void fill_words(struct fill *fill, enum report_ink ink, const char *text)
{
	add_each(fill, ink, text, word_length);
}

void fill_phrases(struct fill *fill, enum report_ink ink, const char *text)
{
	add_each(fill, ink, text, phrase_length);
}

void fill_gap(struct fill *fill, size_t gap)
{
	fill->gap = gap;
}

void fill_end(struct fill *fill)
{
	strbuf_addch(fill->out, '\n');
}
