/*
 * report/ranges.h - which versions are one ABI to a proxy, and which node of its table each may use
 *
 * Part of the room's public face.
 */
#ifndef REPORT_RANGES_H
#define REPORT_RANGES_H

#include "history/history.h"
#include "report/report.h"

struct ranges_report {
	const char *driver;
	const char *target;
	const struct ranges *ranges;
	const struct ranges_proof *proofs; /* by version of the graph; NULL: no proof was asked for */
};

void report_ranges_text(struct strbuf *out, const struct ranges_report *report, const struct report_style *style);
void report_ranges_markdown(struct strbuf *out, const struct ranges_report *report);
void report_ranges_json(struct strbuf *out, const struct ranges_report *report);

#endif
