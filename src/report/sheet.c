/*
 * report/sheet.c - a report, written once, as text for a terminal or as Markdown
 *
 * A report is a sequence of blocks: headings, paragraphs, items of a list, tables and code. In Markdown, an
 * empty line separates blocks of different kinds. In text, only a heading follows an empty line.
 *
 * A sentence is escaped when it is formatted. The two marks around a NAME and the tab between two cells
 * therefore come from the program's own format, never from data.
 */
#include "report/internal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_INDENT = 2, ITEM_INDENT = 4, BELOW_INDENT = 6 };

void sheet_init(struct sheet *sheet, struct strbuf *out, const struct report_style *style)
{
	*sheet = (struct sheet){ .out = out, .style = style, .start = out->length };
}

void sheet_release(struct sheet *sheet)
{
	strbuf_release(&sheet->words);
}

bool sheet_is_brief(const struct sheet *sheet)
{
	return !sheet->style->markdown && !sheet->style->verbose;
}

static void begin_block(struct sheet *sheet, enum sheet_block block)
{
	bool joins = block == sheet->block && (block == SHEET_ITEMS || block == SHEET_TABLE);
	bool is_first = sheet->out->length == sheet->start;

	if (!is_first && (sheet->style->markdown ? !joins : block == SHEET_HEADING))
		strbuf_addch(sheet->out, '\n');
	sheet->block = block;
}

/* Formats into sheet->words. */
static const char *format_words(struct sheet *sheet, const char *format, va_list args)
{
	strbuf_reset(&sheet->words);
	escape_vaddf(&sheet->words, escape_terminal, format, args);
	return strbuf_text(&sheet->words);
}

/* @words: escaped for a terminal, with the marks of NAME. */
static void add_markdown(struct strbuf *out, const char *words)
{
	bool is_name = false;

	for (size_t length; *words; words += length + (words[length] != '\0'), is_name = !is_name) {
		struct strbuf piece = { 0 };

		length = strcspn(words, NAME_BEGIN NAME_END);
		strbuf_add(&piece, words, length);
		if (is_name)
			escape_markdown_code(out, strbuf_text(&piece));
		else if (length)
			escape_markdown(out, piece.text);
		strbuf_release(&piece);
	}
}

static void add_text(struct sheet *sheet, const char *words, enum report_ink ink, size_t first, size_t indent)
{
	struct wrap wrap;

	wrap_begin(&wrap, sheet->out, sheet->style, first, indent);
	wrap_marked(&wrap, ink, 0, words);
	wrap_end(&wrap);
}

void sheet_title(struct sheet *sheet, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_HEADING);
	if (!sheet->style->markdown) {
		add_text(sheet, sheet->words.text, INK_NAME, 0, TEXT_INDENT);
		return;
	}
	strbuf_adds(sheet->out, "# ");
	add_markdown(sheet->out, sheet->words.text);
	strbuf_addch(sheet->out, '\n');
}

void sheet_heading(struct sheet *sheet, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_HEADING);
	if (!sheet->style->markdown) {
		add_text(sheet, sheet->words.text, INK_HEAD, 0, TEXT_INDENT);
		return;
	}
	strbuf_adds(sheet->out, "## ");
	add_markdown(sheet->out, sheet->words.text);
	strbuf_addch(sheet->out, '\n');
}

void sheet_paragraph(struct sheet *sheet, enum sheet_weight weight, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_PARAGRAPH);
	if (!sheet->style->markdown) {
		add_text(sheet, sheet->words.text, INK_NONE, TEXT_INDENT, TEXT_INDENT);
		return;
	}
	strbuf_adds(sheet->out, weight == SHEET_STRONG ? "**" : "");
	add_markdown(sheet->out, sheet->words.text);
	strbuf_adds(sheet->out, weight == SHEET_STRONG ? "**\n" : "\n");
}

void sheet_item(struct sheet *sheet, enum sheet_item kind, const char *format, ...)
{
	static const char *const bullets[] = { [SHEET_ITEM] = "- ", [SHEET_TASK] = "- [ ] ", [SHEET_SUBITEM] = "  - " };
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_ITEMS);
	if (sheet->style->markdown) {
		strbuf_adds(sheet->out, bullets[kind]);
		add_markdown(sheet->out, sheet->words.text);
		strbuf_addch(sheet->out, '\n');
	} else if (kind == SHEET_SUBITEM) {
		add_text(sheet, sheet->words.text, INK_NONE, BELOW_INDENT, BELOW_INDENT);
	} else {
		struct wrap wrap;

		strbuf_adds(sheet->out, "  - ");
		wrap_continue(&wrap, sheet->out, sheet->style, ITEM_INDENT);
		wrap_marked(&wrap, INK_NONE, 0, sheet->words.text);
		wrap_end(&wrap);
	}
}

void sheet_table(struct sheet *sheet, const struct sheet_column *columns)
{
	begin_block(sheet, SHEET_TABLE);
	sheet->columns = columns;
	if (!sheet->style->markdown)
		return;
	for (const struct sheet_column *column = columns; column->title; column++)
		strbuf_addf(sheet->out, "| %s ", column->title);
	strbuf_adds(sheet->out, "|\n");
	for (const struct sheet_column *column = columns; column->title; column++)
		strbuf_adds(sheet->out, column->is_number ? "|---:" : "|---");
	strbuf_adds(sheet->out, "|\n");
}

/* The cells beside each other, as wide as their columns; then those that belong below, as one paragraph. */
static void add_text_row(struct sheet *sheet, char *const cells[])
{
	struct strbuf below = { 0 };
	size_t column = TEXT_INDENT;
	struct wrap wrap;

	wrap_begin(&wrap, sheet->out, sheet->style, TEXT_INDENT, BELOW_INDENT);
	for (size_t i = 0; sheet->columns[i].title; i++) {
		const struct sheet_column *one = &sheet->columns[i];

		if (!one->is_below) {
			wrap_pad(&wrap, column);
			wrap_marked(&wrap, INK_NONE, i ? 2 : 0, cells[i]);
			column += (i ? 2 : 0) + one->width;
		} else if (*cells[i]) {
			strbuf_addf(&below, "%s%s%s%s", below.length ? "; " : "", one->before ? one->before : "",
				    cells[i], one->after ? one->after : "");
		}
	}
	wrap_end(&wrap);
	if (below.length)
		add_text(sheet, below.text, INK_NONE, BELOW_INDENT, BELOW_INDENT);
	strbuf_release(&below);
}

bool sheet_row(struct sheet *sheet, const char *format, ...)
{
	char *cells[SHEET_COLUMNS] = { 0 };
	struct strbuf row = { 0 };
	size_t count = 0;
	va_list args;
	bool fits;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	for (char *at = sheet->words.text; at && count < SHEET_COLUMNS;)
		cells[count++] = strsep(&at, "\t");
	if (!sheet->style->markdown) {
		add_text_row(sheet, cells);
		return true;
	}
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(&row, "| ");
		add_markdown(&row, cells[i]);
		strbuf_addch(&row, ' ');
	}
	strbuf_adds(&row, "|\n");
	fits = !sheet->limit_bytes || sheet->out->length + row.length <= sheet->limit_bytes;
	if (fits)
		strbuf_add(sheet->out, row.text, row.length);
	strbuf_release(&row);
	return fits;
}

void sheet_code(struct sheet *sheet, const char *language)
{
	begin_block(sheet, SHEET_CODE);
	if (sheet->style->markdown)
		strbuf_addf(sheet->out, "```%s\n", language);
}

void sheet_code_line(struct sheet *sheet, enum report_ink ink, const char *text)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, text);
	if (sheet->style->markdown) { /* nothing in a fence is markup but its end */
		for (char *at = escaped.text; at && *at; at++)
			*at = *at == '`' ? '\'' : *at;
		strbuf_addf(sheet->out, "%s\n", strbuf_text(&escaped));
	} else { /* not wrapped: it is to be copied */
		strbuf_adds(sheet->out, "    ");
		report_ink(sheet->out, sheet->style, ink, "%s\n", strbuf_text(&escaped));
	}
	strbuf_release(&escaped);
}

void sheet_code_end(struct sheet *sheet)
{
	strbuf_adds(sheet->out, sheet->style->markdown ? "```\n" : "");
}

void sheet_details(struct sheet *sheet, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_HEADING);
	if (!sheet->style->markdown) {
		add_text(sheet, sheet->words.text, INK_HEAD, 0, TEXT_INDENT);
		return;
	}
	strbuf_adds(sheet->out, "<details><summary>");
	escape_markdown(sheet->out, strbuf_text(&sheet->words));
	strbuf_adds(sheet->out, "</summary>\n");
}

void sheet_details_end(struct sheet *sheet)
{
	strbuf_adds(sheet->out, sheet->style->markdown ? "\n</details>\n" : "");
}
