/* report/text.c - text for a terminal: colours, and words wrapped at its width */
#include "report/internal.h"

enum { COLUMNS = 80, COLUMNS_MIN = 40, INDENT_MIN = 4, LABEL_COLUMN = 14 };

static bool is_mark(char ch)
{
	return ch >= *MARK_END && ch < *NBSP;
}

char text_mark(enum report_ink ink)
{
	return (char)(*MARK_END + 1 + (int)ink);
}

/* Returns 1 for the first byte of a UTF-8 character. The text has marks, but no other control characters. */
static size_t byte_width(char ch)
{
	return ((unsigned char)ch & 0xc0) != 0x80 && !is_mark(ch);
}

size_t text_width(const char *text, size_t length)
{
	size_t width = 0;

	for (const char *end = text + length; text < end; text++)
		width += byte_width(*text);
	return width;
}

void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format,
		...)
{
	static const char *const codes[] = {
		[INK_HEAD] = "\033[1;4m",  [INK_NAME] = "\033[1m",     [INK_ADDED] = "\033[32m",
		[INK_REMOVED] = "\033[31m", [INK_CHANGED] = "\033[33m", [INK_DIM] = "\033[2m",
		[INK_ALARM] = "\033[1;31m", [INK_LAYOUT] = "\033[35m",
	};
	bool colored = style->color && ink != INK_NONE;
	va_list args;

	if (colored)
		strbuf_adds(out, codes[ink]);
	va_start(args, format);
	escape_vaddf(out, escape_terminal, format, args);
	va_end(args);
	if (colored)
		strbuf_adds(out, "\033[0m");
}

/* The words that stay together if they fit: those of a mark, those of a mark up to a comma, a single word */
enum join { JOIN_MARKED, JOIN_PHRASE, JOIN_NONE };

/*
 * Returns the number of bytes of the words that stay together. If they do not fit into @columns, it returns
 * those of a part that does not fit either: a mark can be long, and is measured again for each of its words.
 *
 * @is_marked: a mark is open at the start of the words
 */
static size_t joined_length(const char *words, bool is_marked, enum join join, size_t columns)
{
	size_t length = 0;

	for (size_t width = 0; words[length] && (width <= columns || join == JOIN_NONE); length++) {
		if (words[length] == ' ' && (!is_marked || join == JOIN_NONE ||
					     (join == JOIN_PHRASE && length && words[length - 1] == ',')))
			break;
		if (is_mark(words[length]))
			is_marked = words[length] != *MARK_END;
		width += byte_width(words[length]);
	}
	return length;
}

/*
 * Appends words with the colours of their marks. A NBSP becomes a space.
 * @mark: the mark that is open before the words; set to the mark that is open after them; 0: none
 */
static void add_words(struct strbuf *out, const struct report_style *style, enum report_ink ink, char *mark,
		      const char *words, size_t length)
{
	for (const char *end = words + length, *at; words < end; words = at) {
		for (at = words; at < end && !is_mark(*at) && *at != *NBSP;)
			at++;
		if (at > words) /* report_ink() escapes again, without effect */
			report_ink(out, style, *mark ? (enum report_ink)(*mark - *MARK_END - 1) : ink, "%.*s",
				   (int)(at - words), words);
		if (at < end && *at == *NBSP)
			strbuf_addch(out, ' ');
		else if (at < end)
			*mark = *at == *MARK_END ? '\0' : *at;
		at += at < end;
	}
}

void text_write(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *first,
		size_t indent, const char *words)
{
	const size_t columns = !style->columns ? COLUMNS
			       : style->columns > COLUMNS_MIN ? style->columns : COLUMNS_MIN;
	size_t column = strlen(first);
	bool is_open = false; /* the line has a word, so the next word can start a new line */
	char mark = '\0';

	strbuf_adds(out, first);
	for (size_t spaces, length, width; *words; words += length) {
		int join = mark ? JOIN_PHRASE : JOIN_MARKED;

		spaces = strspn(words, " ");
		words += spaces;
		do { /* find the most words that stay together and fit into a line */
			length = joined_length(words, mark, (enum join)join, columns);
			width = text_width(words, length);
		} while ((join == JOIN_PHRASE ? INDENT_MIN : indent) + width > columns && join++ < JOIN_NONE);
		if (is_open && width && column + spaces + width > columns) {
			while (out->text[out->length - 1] == ' ')
				out->length--;
			strbuf_addch(out, '\n');
			column = 0;
			spaces = indent + width <= columns	 ? indent /* a long word gets less indent */
				 : INDENT_MIN + width <= columns ? INDENT_MIN
								 : 0;
		}
		if (width) { /* no spaces before an empty mark */
			strbuf_addf(out, "%*s", (int)spaces, "");
			column += spaces + width;
			is_open = true;
		}
		add_words(out, style, ink, &mark, words, length);
	}
	strbuf_addch(out, '\n');
}

void line_begin(struct line *line, struct strbuf *out, const struct report_style *style, size_t indent)
{
	*line = (struct line){ .out = out, .style = style, .indent = indent };
}

void line_add(struct line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	escape_vaddf(&line->words, escape_terminal, format, args);
	va_end(args);
	strbuf_reset(&line->plain);
}

void line_end(struct line *line)
{
	if (line->words.length)
		text_write(line->out, line->style, line->ink, "", line->indent, line->words.text);
	strbuf_release(&line->words);
	strbuf_release(&line->plain);
}

void line_end_with(struct line *line, enum report_ink ink, const char *before)
{
	line->ink = ink;
	if (line->plain.length)
		line_add(line, "%s%s", before, line->plain.text);
	line_end(line);
}

struct strbuf *line_begin_labelled(struct line *line, struct strbuf *out, const struct report_style *style)
{
	line_begin(line, out, style, LABEL_COLUMN);
	return &line->plain;
}

void line_end_labelled(struct line *line, const char *label, enum report_ink ink)
{
	if (line->plain.length)
		line_add(line, "  " DIM("%-*s") " %s", LABEL_COLUMN - 3, label, line->plain.text);
	line->ink = ink;
	line_end(line);
}

void text_line(struct strbuf *out, const struct report_style *style, size_t indent, const char *format, ...)
{
	struct line line;
	va_list args;

	line_begin(&line, out, style, indent);
	va_start(args, format);
	escape_vaddf(&line.words, escape_terminal, format, args);
	va_end(args);
	line_end(&line);
}

void report_textf(struct strbuf *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	escape_vaddf(out, escape_terminal, format, args);
	va_end(args);
}

const char *report_plural(uint64_t count, const char *word, char buffer[PLURAL_BYTES])
{
	struct strbuf text = { 0 };

	strbuf_plural(&text, count, word);
	snprintf(buffer, PLURAL_BYTES, "%s", strbuf_text(&text));
	strbuf_release(&text);
	return buffer;
}

void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word)
{
	if (before != after)
		strbuf_addf(out, "%" PRIu64 " %s ", before, arrow);
	strbuf_plural(out, after, word);
}

const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32])
{
	if (is_bitfield || bits % 8)
		snprintf(buffer, 32, "%" PRIu64 ":%" PRIu64, bits / 8, bits % 8);
	else
		snprintf(buffer, 32, "%" PRIu64, bits / 8);
	return buffer;
}

const char *report_class_name(unsigned bit)
{
	return diff_class_name((enum diff_class)(1u << bit));
}

void report_classes(struct strbuf *out, unsigned classes)
{
	const char *separator = "";

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		if (!(classes & 1u << bit))
			continue;
		strbuf_addf(out, "%s%s", separator, report_class_name(bit));
		separator = ", ";
	}
}

void report_selection(struct strbuf *out, unsigned classes, const char *name)
{
	strbuf_adds(out, "only changes");
	if (classes) {
		strbuf_adds(out, " of class ");
		report_classes(out, classes);
	}
	if (name)
		strbuf_addf(out, " in %s", name);
}

const char *report_unit(const struct diff_change *change)
{
	const struct abi_record *record = change->next_record ? change->next_record : change->base_record;

	switch (change->kind) {
	case ABI_RECORD: return record->is_union ? "union" : "struct";
	case ABI_ALIAS: return "alias";
	case ABI_ENUM: return "enum";
	case ABI_CONSTANT: return "constant";
	case ABI_IOCTL: return "ioctl";
	}
	return "";
}

void report_field_note(struct strbuf *out, const struct diff_field *field)
{
	const struct diff_field_side *before = field->before, *after = field->after;
	const uint64_t unit = before->is_bitfield || after->is_bitfield ? 1 : 8;
	const char *separator = "";
	char bits[32];

	if (field->renamed) {
		strbuf_addf(out, "renamed from %s", before->path);
		separator = ", ";
	}
	if (field->moved) {
		strbuf_addf(out, "%smoved from %s", separator,
			    report_bits(before->offset_bits, before->is_bitfield, bits));
		separator = ", ";
	}
	if (strcmp(before->type, after->type)) {
		strbuf_addf(out, "%swas %s", separator, before->type);
		separator = ", ";
	}
	if (field->resized && before->size_bits != after->size_bits) {
		strbuf_adds(out, separator);
		report_resized(out, before->size_bits / unit, after->size_bits / unit, "->",
			       unit == 1 ? "bit" : "byte");
		separator = ", ";
	}
	if (before->role && after->role && before->role != after->role)
		strbuf_addf(out, "%swas a %s, now a %s", separator, abi_role_name(before->role),
			    abi_role_name(after->role));
	else if (before->role != after->role)
		strbuf_addf(out, "%s%s %s", separator, before->role ? "no longer a" : "now a",
			    abi_role_name(before->role ? before->role : after->role));
	else if (!*separator && field->retyped)
		strbuf_adds(out, before->is_bitfield == after->is_bitfield ? "different type, same name"
				 : before->is_bitfield                     ? "was a bit-field"
									   : "was not a bit-field");
}

static bool only_moved(const struct diff_field *field)
{
	return field->before && field->after && field->moved && !field->renamed && !field->retyped &&
	       !field->resized;
}

static int64_t moved_by(const struct diff_field *field)
{
	return (int64_t)(field->after->offset_bits - field->before->offset_bits);
}

size_t report_field_run(const struct diff_field *field, size_t count)
{
	size_t run = 1;

	if (!only_moved(field))
		return 1;
	while (run < count && only_moved(&field[run]) && moved_by(&field[run]) == moved_by(field))
		run++;
	return run;
}
