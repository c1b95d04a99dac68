/*
 * report/style.h - colours, and the few phrases that several renderers use
 */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "report/report.h"

enum report_ink { INK_NONE, INK_HEAD, INK_NAME, INK_ADDED, INK_REMOVED, INK_CHANGED, INK_DIM, INK_ALARM, INK_LAYOUT };

/* report_ink - "@format" in a colour, if the style has colours. */
void report_ink(struct strbuf *out, const struct report_style *style, enum report_ink ink, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* report_textf - text for a terminal: the text of every %s is escaped (base/escape.h), as report_ink() does it too. */
void report_textf(struct strbuf *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* report_resized - "72 -> 88 bytes", or "72 bytes" if both are the same; @arrow and @word: "->" and "byte" */
void report_resized(struct strbuf *out, uint64_t before, uint64_t after, const char *arrow, const char *word);

/* report_bits - an offset or size in bytes, "12" or "12:3" (byte and bit) when it is no whole byte. Owned by @buffer. */
const char *report_bits(uint64_t bits, bool is_bitfield, char buffer[32]);

/* report_classes - "translation, growth" */
void report_classes(struct strbuf *out, unsigned classes);

/* report_unit - the word for a kind in headings: "struct", "union", "alias", "enum", "constant", "ioctl". */
const char *report_unit(const struct diff_change *change);

/* report_field_note - what happened to a field that stands on both sides: "moved from 8, was NvU32". */
void report_field_note(struct strbuf *out, const struct diff_field *field);

/*
 * report_field_run - how many fields from @field on moved by the same distance and did nothing else
 *
 * Return: at least 1.
 */
size_t report_field_run(const struct diff_field *field, size_t count);

#endif
