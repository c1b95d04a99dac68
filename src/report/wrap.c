#include "report/wrap.h"

#include <stdarg.h>
#include <string.h>

enum { COLUMNS = 80, COLUMNS_MIN = 40, INDENT_MIN = 4 };

size_t wrap_columns(const struct report_style *style)
{
	if (!style->columns)
		return COLUMNS;
	return style->columns > COLUMNS_MIN ? style->columns : COLUMNS_MIN;
}

/* Characters of UTF-8, without colors; what is not printable is escaped by now. */
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

static const char *last_line(const struct strbuf *out)
{
	const char *end = out->length ? memrchr(out->text, '\n', out->length) : NULL;

	return end ? end + 1 : strbuf_text(out);
}

void wrap_continue(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t indent)
{
	const char *line = last_line(out);

	*wrap = (struct wrap){ .out = out, .style = style, .indent = indent, .column = width_of(line), .is_open = line[strspn(line, " ")] };
}

/* The indent of a line whose first word has @width: smaller if that lets the word fit. */
static size_t indent_for(const struct wrap *wrap, size_t width)
{
	size_t columns = wrap_columns(wrap->style);

	if (wrap->indent + width <= columns)
		return wrap->indent;
	return INDENT_MIN + width <= columns ? INDENT_MIN : 0;
}

static void break_line(struct wrap *wrap, size_t indent)
{
	while (wrap->out->length && wrap->out->text[wrap->out->length - 1] == ' ')
		wrap->out->text[--wrap->out->length] = '\0';
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	add_spaces(wrap, indent);
}

/* @word: escaped */
static void add_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *word)
{
	size_t width = width_of(word);

	if (wrap->is_open && wrap->column + spaces + width > wrap_columns(wrap->style))
		break_line(wrap, indent_for(wrap, width));
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
		break_line(wrap, wrap->indent);
		wrap->is_open = false;
	}
}

size_t wrap_to(const struct wrap *wrap, size_t column)
{
	return wrap->column + 2 < column ? column - wrap->column : 2;
}

/* @escaped is cut. */
static void add_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, char *escaped)
{
	char *clause, *comma;

	for (clause = escaped; clause; clause = comma) {
		comma = strstr(clause, ", ");
		if (comma) {
			comma[1] = '\0';
			comma += 2;
		}
		add_word(wrap, ink, spaces, clause);
		spaces = 1;
	}
}

void wrap_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	add_phrases(wrap, ink, spaces, escaped.text);
	strbuf_release(&escaped);
}

void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text)
{
	struct strbuf escaped = { 0 };
	size_t width;

	escape_terminal(&escaped, text);
	width = width_of(strbuf_text(&escaped));
	if (wrap->indent + width <= wrap_columns(wrap->style))
		wrap_need(wrap, spaces + width);
	add_phrases(wrap, ink, spaces, escaped.text);
	strbuf_release(&escaped);
}

void wrap_pad(struct wrap *wrap, size_t column)
{
	if (wrap->column < column)
		add_spaces(wrap, column - wrap->column);
}

void wrap_text(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text)
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
		add_word(wrap, ink, spaces, word);
		spaces = 1;
	}
	strbuf_release(&escaped);
}

void wrap_end(struct wrap *wrap)
{
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	wrap->is_open = false;
}
