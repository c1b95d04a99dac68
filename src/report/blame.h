/*
 * report/blame.h - who made each field what it is
 *
 * Part of the room's public face.
 */
#ifndef REPORT_BLAME_H
#define REPORT_BLAME_H

#include "history/history.h"
#include "report/report.h"

#define BLAME_FORMAT "drvabi-blame/1"

/* @field: only leaves of this member ("data.AllocSize"); NULL: all. They are appended to @out, and the record's head before them. */
void report_blame_text(struct strbuf *out, const struct blame *blame, const struct history_graph *graph, const char *field,
		       const struct report_style *style);
void report_blame_json(struct strbuf *out, const struct blame *blame, const struct history_graph *graph, const char *field);

/* report_blame_has - has the record a leaf that belongs to @field? */
bool report_blame_has(const struct blame *blame, const char *field);

#endif
