/*
 * report/fill.h - words on lines of 80 columns, none of them broken
 *
 * Private to report/. A name of C has no space, and a terminal breaks it
 * wherever the line ends: nobody can copy it from there. So a line ends before
 * the word that does not fit, and what follows is indented.
 */
#ifndef REPORT_FILL_H
#define REPORT_FILL_H

#include "report/style.h"

enum { FILL_COLUMNS = 80, FILL_LEAST_INDENT = 4 /* but for words that are longer than the rest */ };

struct fill {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent; /* of the lines after the first; a word that is longer than what is right of it stands further left */
	size_t column; /* where the next word would begin */
	size_t gap;    /* spaces before the next word, if it stands on the same line */
};

/* fill_begin - the next word follows what is on the last line of @out. */
void fill_begin(struct fill *fill, struct strbuf *out, const struct report_style *style, size_t indent);

/* fill_word - one word, or several that must stay together; text of every %s is escaped, as report_ink() does. */
void fill_word(struct fill *fill, enum report_ink ink, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* fill_words - each word of @text, which may come from outside, parted by single spaces. */
void fill_words(struct fill *fill, enum report_ink ink, const char *text);

/* fill_phrases - the same of what commas part: "4 translation, 64 layout". */
void fill_phrases(struct fill *fill, enum report_ink ink, const char *text);

/* fill_gap - so many spaces before the next word, not one; 0: it is joined to the last one, if both fit on the line. */
void fill_gap(struct fill *fill, size_t gap);

/* fill_end - the line's end */
void fill_end(struct fill *fill);

#endif
