/*
 * report/paragraph.h - paragraphs for a terminal of 80 columns
 *
 * Private to report/. A line is broken at a blank, never inside a word; a word
 * that is longer than a line may be broken behind a comma.
 */
#ifndef REPORT_PARAGRAPH_H
#define REPORT_PARAGRAPH_H

#include "base/base.h"

enum { PARAGRAPH_COLUMNS = 80 };

/**
 * report_paragraph - append @text, escaped for a terminal
 * @indent: blanks at the beginning of each further line; the end of @out is at that column or behind it, in a line of its own
 */
void report_paragraph(struct strbuf *out, size_t indent, const char *text);

#endif
