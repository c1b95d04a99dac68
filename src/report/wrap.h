/*
 * report/wrap.h - lines of words for a terminal, broken where it reads well
 *
 * Private to report/. A word is what must not be broken: a name, a type, a
 * number with its unit. One that does not fit starts the next line, indented;
 * one that is longer than a line stands alone in it, whole.
 */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include "report/style.h"

struct wrap {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent;  /* of every line but the first */
	size_t column;  /* characters in this line */
	bool is_open;   /* something but the indent is in it */
};

/* wrap_begin - @first spaces; lines that follow get @indent. */
void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first, size_t indent);

/* wrap_word - one word, after @spaces spaces unless a line begins with it; the text of every %s is escaped. */
void wrap_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* wrap_label - before the first word, which stays in its line; @label: the program's own text. */
void wrap_label(struct wrap *wrap, enum report_ink ink, const char *label);

/* wrap_need - break here, unless @width characters have room; for words that belong together. */
void wrap_need(struct wrap *wrap, size_t width);

/* wrap_to - how many spaces lead to @column; two at least. */
size_t wrap_to(const struct wrap *wrap, size_t column);

/* wrap_clauses - as wrap_text(), broken only behind ", ", and not at all if it fits into the next line. */
void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_pad - spaces up to @column, for what stands in columns; none if it is behind it. */
void wrap_pad(struct wrap *wrap, size_t column);

/* wrap_text - the words of a sentence; @text is not escaped yet. */
void wrap_text(struct wrap *wrap, enum report_ink ink, const char *text);

/* wrap_end - the line's end. */
void wrap_end(struct wrap *wrap);

/* wrap_columns - how wide a line may be. */
size_t wrap_columns(const struct report_style *style);

#endif
