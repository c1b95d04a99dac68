/*
 * report/pids.h - the ioctls that carry process ids
 *
 * Part of the room's public face.
 */
#ifndef REPORT_PIDS_H
#define REPORT_PIDS_H

#include "verify/verify.h"
#include "report/report.h"

void report_pids_text(struct strbuf *out, const struct pids *pids, const struct report_style *style);
void report_pids_markdown(struct strbuf *out, const struct pids *pids);
/* report_pids_json - "drvabi-pids/1" */
void report_pids_json(struct strbuf *out, const struct pids *pids);

#endif
