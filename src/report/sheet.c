/*
 * report/sheet.c - one set of functions to write a report as text for a terminal or as Markdown
 *
 * A report is a sequence of blocks: headings, paragraphs, items of a list, tables and code. In Markdown, an
 * empty line separates blocks of different kinds. In text, an empty line comes only before a heading.
 *
 * Each %s is escaped when a sentence is formatted. So marks, and the tabs between cells, come only from
 * formats in the program, never from data.
 */
#include "report/internal.h"

enum { TEXT_INDENT = 2, ITEM_INDENT = 4, BELOW_INDENT = 6 };

void sheet_init(struct sheet *sheet, struct strbuf *out, const struct report_style *style)
{
	*sheet = (struct sheet){ .out = out, .style = style, .start = out->length };
}

void sheet_release(struct sheet *sheet)
{
	strbuf_release(&sheet->words);
	strbuf_release(&sheet->plain);
}

bool sheet_is_brief(const struct sheet *sheet)
{
	return !sheet->style->markdown && !sheet->style->verbose;
}

/*
 * Begins a block, after an empty line unless it is the first of the report: in Markdown, unless it continues
 * a list or table; in text, only if it is a heading. Sets sheet->block, and the indent after a heading.
 */
static void begin_block(struct sheet *sheet, enum sheet_block block)
{
	bool joins = block == sheet->block && (block == SHEET_ITEMS || block == SHEET_TABLE);
	bool is_first = sheet->out->length == sheet->start;

	if (!is_first && (sheet->style->markdown ? !joins : block == SHEET_HEADING))
		strbuf_addch(sheet->out, '\n');
	if (block == SHEET_HEADING)
		sheet->indent = TEXT_INDENT;
	sheet->block = block;
}

/* Formats a sentence into sheet->words, escaped for a terminal. Empties sheet->plain. Return: the text. */
static const char *format_words(struct sheet *sheet, const char *format, va_list args)
{
	strbuf_reset(&sheet->words);
	escape_vaddf(&sheet->words, escape_terminal, format, args);
	strbuf_reset(&sheet->plain);
	return strbuf_text(&sheet->words);
}

/* Appends @words as Markdown. @words: escaped for a terminal; may contain NAME and ALARM. */
static void add_markdown(struct strbuf *out, const char *words)
{
	static const char marks[] = NAMED("") ALARM("");
	char mark = '\0';

	for (size_t length; *words; words += length + (words[length] != '\0')) {
		const char *alarm = mark == text_mark(INK_ALARM) ? "**" : "";
		struct strbuf piece = { 0 };

		length = strcspn(words, marks);
		strbuf_add(&piece, words, length);
		if (mark == text_mark(INK_NAME) && length)
			escape_markdown_code(out, piece.text);
		else if (length) {
			strbuf_adds(out, alarm);
			escape_markdown(out, piece.text);
			strbuf_adds(out, alarm);
		}
		mark = words[length];
		strbuf_release(&piece);
	}
}

static void write_text(struct sheet *sheet, enum report_ink ink, const char *first, size_t indent)
{
	text_write(sheet->out, sheet->style, ink, first, indent, strbuf_text(&sheet->words));
}

void sheet_heading(struct sheet *sheet, enum sheet_level level, const char *format, ...)
{
	static const char *const before[] = { "## ", "### ", "#### ", "<details><summary>" },
				 *const after[] = { "\n", "\n", "\n", "</summary>\n" };
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_HEADING);
	if (!sheet->style->markdown) {
		write_text(sheet, level == SHEET_TITLE ? INK_NAME : INK_HEAD, "", TEXT_INDENT);
		return;
	}
	strbuf_adds(sheet->out, before[level]);
	add_markdown(sheet->out, sheet->words.text);
	strbuf_adds(sheet->out, after[level]);
}

void sheet_paragraph(struct sheet *sheet, enum sheet_weight weight, const char *format, ...)
{
	const size_t indent = weight == SHEET_STRONG ? sheet->indent : TEXT_INDENT;
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	begin_block(sheet, SHEET_PARAGRAPH);
	if (!sheet->style->markdown) {
		write_text(sheet, weight == SHEET_STRONG ? INK_NAME : INK_NONE, indent ? "  " : "", indent);
		return;
	}
	strbuf_adds(sheet->out, weight == SHEET_STRONG ? "**" : "");
	add_markdown(sheet->out, sheet->words.text);
	strbuf_adds(sheet->out, weight == SHEET_STRONG ? "**\n" : "\n");
}

void sheet_words(struct sheet *sheet)
{
	if (sheet->plain.length)
		sheet_paragraph(sheet, SHEET_PLAIN, "%s", sheet->plain.text);
}

void sheet_item(struct sheet *sheet, enum sheet_item kind, const char *format, ...)
{
	static const char
		*const bullets[] = { [SHEET_ITEM] = "- ", [SHEET_TASK] = "- [ ] ", [SHEET_SUBITEM] = "  - " };
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
		write_text(sheet, INK_NONE, "      ", BELOW_INDENT);
	} else {
		write_text(sheet, INK_NONE, "  - ", ITEM_INDENT);
	}
}

/* Writes the cells, one for each column, side by side, then those with is_below as one paragraph. */
static void add_text_row(struct sheet *sheet, enum report_ink ink, const char *const cells[])
{
	struct strbuf line = { 0 }, below = { 0 };
	size_t column = 0;

	for (size_t i = 0; sheet->columns[i].title; i++) {
		const struct sheet_column *one = &sheet->columns[i];
		const size_t length = strlen(cells[i]), gap = !i ? 0 : one->is_number ? 1 : 2;
		const size_t before = one->is_number && length < one->width ? one->width - length : 0;

		if (one->is_below && *cells[i]) {
			strbuf_addf(&below, "%s%s%s%s", below.length ? "; " : "",
				    one->before ? one->before : "", cells[i], one->after ? one->after : "");
		} else if (*cells[i]) {
			while (text_width(strbuf_text(&line), line.length) < column + before)
				strbuf_addch(&line, ' ');
			strbuf_addf(&line, "%*s%s", (int)gap, "", cells[i]);
		}
		column += one->is_below ? 0 : gap + one->width;
	}
	text_write(sheet->out, sheet->style, ink, "  ", BELOW_INDENT, strbuf_text(&line));
	if (below.length)
		text_write(sheet->out, sheet->style, INK_NONE, "      ", BELOW_INDENT, below.text);
	strbuf_release(&line);
	strbuf_release(&below);
}

void sheet_table(struct sheet *sheet, const struct sheet_column *columns)
{
	const char *titles[SHEET_COLUMNS];
	bool has_head = false;

	begin_block(sheet, SHEET_TABLE);
	sheet->columns = columns;
	for (size_t i = 0; columns[i].title; i++) {
		titles[i] = columns[i].is_below ? "" : columns[i].title;
		has_head |= columns[i].is_number && !columns[i].is_below;
	}
	if (!sheet->style->markdown) {
		if (has_head)
			add_text_row(sheet, INK_HEAD, titles);
		return;
	}
	for (const struct sheet_column *column = columns; column->title; column++)
		strbuf_addf(sheet->out, "| %s ", column->title);
	strbuf_adds(sheet->out, "|\n");
	for (const struct sheet_column *column = columns; column->title; column++)
		strbuf_adds(sheet->out, column->is_number ? "|---:" : "|---");
	strbuf_adds(sheet->out, "|\n");
}

struct strbuf *sheet_begin_row(struct sheet *sheet)
{
	strbuf_reset(&sheet->words);
	return &sheet->words;
}

void sheet_add_cell(struct sheet *sheet)
{
	strbuf_addch(&sheet->words, '\t');
	escape_terminal(&sheet->words, strbuf_text(&sheet->plain));
	strbuf_reset(&sheet->plain);
}

bool sheet_end_row(struct sheet *sheet)
{
	const char *cells[SHEET_COLUMNS] = { 0 };
	struct strbuf line = { 0 };
	size_t count = 0;
	bool fits;

	strbuf_reset(&sheet->plain);
	for (char *at = sheet->words.text; at && count < SHEET_COLUMNS;)
		cells[count++] = strsep(&at, "\t");
	if (!sheet->style->markdown) {
		add_text_row(sheet, INK_NONE, cells);
		return true;
	}
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(&line, "| ");
		add_markdown(&line, cells[i]);
		strbuf_addch(&line, ' ');
	}
	strbuf_adds(&line, "|\n");
	fits = !sheet->limit_bytes || sheet->out->length + line.length <= sheet->limit_bytes;
	if (fits)
		strbuf_add(sheet->out, line.text, line.length);
	strbuf_release(&line);
	return fits;
}

bool sheet_row(struct sheet *sheet, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	return sheet_end_row(sheet);
}

void sheet_code(struct sheet *sheet, const char *language)
{
	begin_block(sheet, SHEET_CODE);
	if (sheet->style->markdown)
		strbuf_addf(sheet->out, "```%s\n", language);
}

void sheet_code_line(struct sheet *sheet, enum report_ink ink, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_words(sheet, format, args);
	va_end(args);
	if (sheet->style->markdown) { /* only a line that begins with backticks can end the code block */
		for (size_t i = strspn(strbuf_text(&sheet->words), " ");
		     i < sheet->words.length && sheet->words.text[i] == '`'; i++)
			sheet->words.text[i] = '\'';
		strbuf_addf(sheet->out, "%s\n", strbuf_text(&sheet->words));
	} else { /* not wrapped, so that it can be copied */
		strbuf_adds(sheet->out, "    ");
		report_ink(sheet->out, sheet->style, ink, "%s\n", strbuf_text(&sheet->words));
	}
}

void sheet_code_end(struct sheet *sheet)
{
	strbuf_adds(sheet->out, sheet->style->markdown ? "```\n" : "");
}

void sheet_details_end(struct sheet *sheet)
{
	strbuf_adds(sheet->out, sheet->style->markdown ? "\n</details>\n" : "");
}
