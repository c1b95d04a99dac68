/*
 * report/diff_internal.h - one change, as the reports of a diff and of a history show it
 *
 * Private to report/.
 */
#ifndef REPORT_DIFF_INTERNAL_H
#define REPORT_DIFF_INTERNAL_H

#include "abi/abi.h"
#include "report/report.h"

/* report_change_text - a line, or a paragraph that ends with an empty line. */
void report_change_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style);

/* report_verdict - with a table: "595.45.04 may use node 590.48.01: …", one sentence without a full stop, not escaped. */
void report_verdict(struct strbuf *out, const struct diff_report *report);
/* report_verdict_proof - what stands against the node that next follows, as a sentence; nothing if nothing does. */
void report_verdict_proof(struct strbuf *out, const struct diff_report *report);
/* report_verdict_text - both, for a terminal, and an empty line. */
void report_verdict_text(struct strbuf *out, const struct diff_report *report, const struct report_style *style);

/* report_section_title - with a table: "What @proxy reads, …: 4 changes"; not escaped. */
void report_section_title(struct strbuf *out, const struct diff *diff, enum diff_section section, const char *proxy);
/* report_came - the pointers, fds and pids that came: "pointer data.p, fd f"; not escaped. */
void report_came(struct strbuf *out, const struct diff_change *change);
/* report_came_text - the same as a line, if there are any. */
void report_came_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style);
/* report_aligned - of a record that has another alignment: ", align 4 -> 8". */
void report_aligned(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_enum_type - of an enum that is stored as another type: "unsigned int -> int"; not escaped. */
void report_enum_type(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_sizes - of a record: "56 -> 64 bytes", "8 bytes, align 4 -> 8", "8 bytes, added". */
void report_sizes(struct strbuf *out, const struct diff_change *change, const char *arrow);
/* report_under_text - a line for each record that is told under @change. */
void report_under_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style);

/* report_markdown_paragraph - of a record or an enum: with its fields, and what is told under it. */
void report_markdown_paragraph(struct strbuf *out, const struct diff_change *change);
/* report_markdown_row - of any change: a row of a table with three columns. */
void report_markdown_row(struct strbuf *out, const struct diff_change *change);

/* report_json_verdict - the key and its value. */
void report_json_verdict(struct json_writer *writer, const struct diff_report *report);

/* report_renamed_with_text - the lines below a renamed ioctl for one of the changes that are told under it. */
void report_renamed_with_text(struct strbuf *out, const struct diff_change *one, const struct report_style *style);

/* The key and its value: "classes": […], "fields": […], "values": […]. */
void report_json_classes(struct json_writer *writer, unsigned classes);
void report_json_fields(struct json_writer *writer, const struct diff_change *change);
void report_json_values(struct json_writer *writer, const struct diff_change *change);

#endif
