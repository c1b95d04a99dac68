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

struct show_item;

/* An ioctl whose parameters the record is, said before it. @known: the versions that the item's span is of. */
struct blame_ioctl {
	const struct show_item *item;
	const struct history_graph *known;
};

/* report_blame_ioctl_json - report_blame_json() with "ioctl"; @ioctl may be NULL. */
void report_blame_ioctl_json(struct strbuf *out, const struct blame *blame, const struct history_graph *graph, const char *field,
			     const struct blame_ioctl *ioctl);

/* report_blame_has - has the record a leaf that belongs to @field? */
bool report_blame_has(const struct blame *blame, const char *field);

#endif
