#include "report/wrap.h"

#include <stdarg.h>
#include <string.h>

enum { COLUMNS = 80, COLUMNS_MIN = 40 };

size_t wrap_columns(const struct report_style *style)
{
	if (!style->columns)
		return COLUMNS;
	return style->columns > COLUMNS_MIN ? style->columns : COLUMNS_MIN;
}

/* Characters of UTF-8; what is not printable is escaped by now. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static void add_spaces(struct wrap *wrap, size_t count)
{
	wrap->column += count;
	while (count--)
		strbuf_addch(wrap->out, ' ');
}

void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first, size_t indent)
{
	*wrap = (struct wrap){ .out = out, .style = style, .indent = indent };
	add_spaces(wrap, first);
}

static void break_line(struct wrap *wrap)
{
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	add_spaces(wrap, wrap->indent);
}

/* @word: escaped */
static void add_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *word)
{
	size_t width = width_of(word);

	if (wrap->is_open && wrap->column + spaces + width > wrap_columns(wrap->style))
		break_line(wrap);
	else if (wrap->is_open)
		add_spaces(wrap, spaces);
	report_ink(wrap->out, wrap->style, ink, "%s", word); /* to escape twice is to escape once */
	wrap->column += width;
	wrap->is_open = true;
}

void wrap_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *format, ...)
{
	struct strbuf word = { 0 };
	va_list args;

	va_start(args, format);
	escape_vaddf(&word, escape_terminal, format, args);
	va_end(args);
	add_word(wrap, ink, spaces, strbuf_text(&word));
	strbuf_release(&word);
}

void wrap_label(struct wrap *wrap, enum report_ink ink, const char *label)
{
	report_ink(wrap->out, wrap->style, ink, "%s", label);
	wrap->column += width_of(label);
}

void wrap_need(struct wrap *wrap, size_t width)
{
	if (wrap->is_open && wrap->column + width > wrap_columns(wrap->style)) {
		break_line(wrap);
		wrap->is_open = false;
	}
}

size_t wrap_to(const struct wrap *wrap, size_t column)
{
	return wrap->column + 2 < column ? column - wrap->column : 2;
}

void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text)
{
	struct strbuf escaped = { 0 };
	char *clause, *comma;

	escape_terminal(&escaped, text);
	if (wrap->indent + width_of(strbuf_text(&escaped)) <= wrap_columns(wrap->style))
		wrap_need(wrap, spaces + width_of(strbuf_text(&escaped)));
	for (clause = escaped.text; clause; clause = comma) {
		comma = strstr(clause, ", ");
		if (comma) {
			comma[1] = '\0';
			comma += 2;
		}
		add_word(wrap, ink, spaces, clause);
		spaces = 1;
	}
	strbuf_release(&escaped);
}

void wrap_pad(struct wrap *wrap, size_t column)
{
	if (wrap->column < column)
		add_spaces(wrap, column - wrap->column);
}

void wrap_text(struct wrap *wrap, enum report_ink ink, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	for (char *word = escaped.text, *end; word && *word; word = end) {
		word += strspn(word, " ");
		end = word + strcspn(word, " ");
		if (end == word)
			break;
		if (*end)
			*end++ = '\0';
		add_word(wrap, ink, 1, word);
	}
	strbuf_release(&escaped);
}

void wrap_end(struct wrap *wrap)
{
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	wrap->is_open = false;
}
