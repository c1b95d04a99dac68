/* report/text.c - text for a terminal: colours, and words wrapped at its width */
#include "report/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80, COLUMNS_MIN = 40, INDENT_MIN = 4 };

size_t wrap_columns(const struct report_style *style)
{
	if (!style->columns)
		return COLUMNS;
	return style->columns > COLUMNS_MIN ? style->columns : COLUMNS_MIN;
}

/* Counts UTF-8 characters. The text has no colours, and unprintable characters are escaped already. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++) {
		if (*text == '\033')
			text += strcspn(text, "m");
		else if (!strchr(MARKS, *text))
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

void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first,
		size_t indent)
{
	*wrap = (struct wrap){ .out = out, .style = style, .indent = indent, .start = out->length };
	add_spaces(wrap, first);
}

void wrap_continue(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t indent)
{
	const char *end = out->length ? memrchr(out->text, '\n', out->length) : NULL;
	const char *line = end ? end + 1 : strbuf_text(out);

	*wrap = (struct wrap){ .out = out,
			       .style = style,
			       .indent = indent,
			       .start = out->length,
			       .column = width_of(line),
			       .is_open = line[strspn(line, " ")] };
}

static void break_line(struct wrap *wrap, size_t indent)
{
	while (wrap->out->length && wrap->out->text[wrap->out->length - 1] == ' ')
		wrap->out->text[--wrap->out->length] = '\0';
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	add_spaces(wrap, indent);
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

/* @word: escaped; may contain the beginning or end of a NAME or ALERT */
static void add_wrapped_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *word)
{
	const size_t width = width_of(word), columns = wrap_columns(wrap->style);

	if (wrap->is_open && wrap->column + spaces + width > columns) /* a long word gets less indent */
		break_line(wrap, wrap->indent + width <= columns  ? wrap->indent
				 : INDENT_MIN + width <= columns ? INDENT_MIN
								  : 0);
	else if (wrap->is_open)
		add_spaces(wrap, spaces);
	while (*word) {
		size_t length = strcspn(word, MARKS);
		enum report_ink marked = wrap->mark == *MARK_NAME ? INK_NAME : wrap->mark ? INK_ALARM : ink;

		if (length) /* report_ink() escapes again, without effect */
			report_ink(wrap->out, wrap->style, marked, "%.*s", (int)length, word);
		if (word[length])
			wrap->mark = word[length] == *MARK_END ? '\0' : word[length];
		word += length + (word[length] != '\0');
	}
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
	add_wrapped_word(wrap, ink, spaces, strbuf_text(&word));
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

/* Appends wrap->words in pieces that end with ", ". */
static void add_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, bool stay_together)
{
	struct strbuf escaped = { 0 };
	size_t width;

	escape_terminal(&escaped, strbuf_text(&wrap->words));
	strbuf_reset(&wrap->words);
	width = width_of(strbuf_text(&escaped));
	if (stay_together && wrap->indent + width <= wrap_columns(wrap->style))
		wrap_need(wrap, spaces + width);
	for (char *clause = escaped.text, *comma; clause; clause = comma, spaces = 1) {
		comma = strstr(clause, ", ");
		if (comma) {
			comma[1] = '\0';
			comma += 2;
		}
		add_wrapped_word(wrap, ink, spaces, clause);
	}
	strbuf_release(&escaped);
}

void wrap_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces)
{
	add_phrases(wrap, ink, spaces, false);
}

void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces)
{
	add_phrases(wrap, ink, spaces, true);
}

void wrap_pad(struct wrap *wrap, size_t column)
{
	if (wrap->column < column)
		add_spaces(wrap, column - wrap->column);
}

/* Modifies @words. */
static void add_wrapped_words(struct wrap *wrap, enum report_ink ink, size_t spaces, char *words)
{
	for (char *word = words, *end; word && *word; word = end) {
		word += strspn(word, " ");
		end = word + strcspn(word, " ");
		if (end == word)
			break;
		if (*end)
			*end++ = '\0';
		add_wrapped_word(wrap, ink, spaces, word);
		spaces = 1;
	}
}

void wrap_words(struct wrap *wrap, enum report_ink ink, size_t spaces)
{
	struct strbuf escaped = { 0 };

	escape_terminal(&escaped, strbuf_text(&wrap->words));
	strbuf_reset(&wrap->words);
	add_wrapped_words(wrap, ink, spaces, escaped.text);
	strbuf_release(&escaped);
}

void wrap_text(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text)
{
	strbuf_adds(&wrap->words, text);
	wrap_words(wrap, ink, spaces);
}

void wrap_marked(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *words)
{
	struct strbuf copy = { 0 };

	strbuf_adds(&copy, words);
	add_wrapped_words(wrap, ink, spaces, copy.text);
	strbuf_release(&copy);
}

void wrap_end(struct wrap *wrap)
{
	strbuf_addch(wrap->out, '\n');
	wrap->column = 0;
	wrap->is_open = false;
	strbuf_release(&wrap->words);
}

void wrap_end_words(struct wrap *wrap, enum report_ink ink)
{
	if (wrap->words.length || wrap->is_open) {
		wrap_words(wrap, ink, 0);
		wrap_end(wrap);
		return;
	}
	if (wrap->out->length > wrap->start)
		wrap->out->text[wrap->out->length = wrap->start] = '\0';
	strbuf_release(&wrap->words);
}

void wrap_paragraph(struct strbuf *out, const struct report_style *style, size_t first, size_t indent,
		    enum report_ink ink, const char *text)
{
	struct wrap wrap;

	wrap_begin(&wrap, out, style, first, indent);
	strbuf_adds(&wrap.words, text);
	wrap_end_words(&wrap, ink);
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

void report_classes(struct strbuf *out, unsigned classes)
{
	const char *separator = "";

	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++) {
		if (!(classes & 1u << bit))
			continue;
		strbuf_addf(out, "%s%s", separator, diff_class_name((enum diff_class)(1u << bit)));
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
