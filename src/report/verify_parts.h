/*
 * report/verify_parts.h - one renderer for each format of report_verify()
 *
 * Inside the room.
 */
#ifndef REPORT_VERIFY_PARTS_H
#define REPORT_VERIFY_PARTS_H

#include "report/style.h"
#include "report/verify.h"

void report_verify_text(struct strbuf *out, const struct verify_report *report, const struct report_style *style);
void report_verify_markdown(struct strbuf *out, const struct verify_report *report);
void report_verify_json(struct strbuf *out, const struct verify_report *report);
void report_verify_tap(struct strbuf *out, const struct verify_report *report);
void report_verify_junit(struct strbuf *out, const struct verify_report *report);
void report_verify_sarif(struct strbuf *out, const struct verify_report *report);

/* verify_count - how many versions have @status. */
size_t verify_count(const struct verify_report *report, enum verify_status status);

#endif
