/*
 * report/history.h - a history, in the words of many readers
 *
 * Part of the room's public face. Text for a person, Markdown for an issue,
 * JSON ("drvabi-history/1") for a program.
 */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "history/history.h"
#include "report/report.h"

struct history_report {
	const char *driver;
	const char *target;
	const char *main; /* the main branch; NULL if the repository has none */
	const struct history *history;
	const struct history_spans *spans;
};

/* Without a filter, text is a table of the edges, and the numbers that changed; style->verbose adds every change. */
void report_history_text(struct strbuf *out, const struct history_report *report, const struct report_style *style);
void report_history_markdown(struct strbuf *out, const struct history_report *report);
void report_history_json(struct strbuf *out, const struct history_report *report);
#endif
