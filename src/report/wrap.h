/*
 * report/wrap.h - lines of words for a terminal, broken where it reads well
 *
 * Private to report/. A word is what must not be broken: a name, a type, a
 * number with its unit: a terminal that breaks it leaves nothing to copy. One that
 * does not fit starts the next line, indented; one that is too long to be behind
 * the indent starts further left, and one longer than a line is alone in it.
 */
#ifndef REPORT_WRAP_H
#define REPORT_WRAP_H

#include "report/style.h"

struct wrap {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent;  /* of every line but the first */
	size_t column;  /* characters in this line */
	bool is_open;   /* something but spaces is in it, so that the next word may start another line */
};

/* wrap_begin - @first spaces; lines that follow get @indent. */
void wrap_begin(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t first, size_t indent);

/* wrap_continue - the first word follows what the last line of @out has. */
void wrap_continue(struct wrap *wrap, struct strbuf *out, const struct report_style *style, size_t indent);

/* wrap_word - one word, after @spaces spaces unless a line begins with it; the text of every %s is escaped. */
void wrap_word(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* wrap_label - before the first word, which stays in its line; @label: the program's own text. */
void wrap_label(struct wrap *wrap, enum report_ink ink, const char *label);

/* wrap_need - break here, unless @width characters have room; for words that belong together. */
void wrap_need(struct wrap *wrap, size_t width);

/* wrap_to - how many spaces lead to @column; two at least. */
size_t wrap_to(const struct wrap *wrap, size_t column);

/* wrap_phrases - as wrap_text(), broken only behind ", ": "4 translation, 64 layout". */
void wrap_phrases(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_clauses - as wrap_phrases(), and not broken at all if it fits into the next line. */
void wrap_clauses(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_pad - spaces up to @column, for what stands in columns; none if it is behind it. */
void wrap_pad(struct wrap *wrap, size_t column);

/* wrap_text - the words of a sentence, the first one after @spaces spaces; @text is not escaped yet. */
void wrap_text(struct wrap *wrap, enum report_ink ink, size_t spaces, const char *text);

/* wrap_end - the line's end. */
void wrap_end(struct wrap *wrap);

/* wrap_columns - how wide a line may be. */
size_t wrap_columns(const struct report_style *style);

#endif
