/*
 * report/page_internal.h - the data of the page, and how text gets into it
 *
 * Private to report/.
 */
#ifndef REPORT_PAGE_INTERNAL_H
#define REPORT_PAGE_INTERNAL_H

#include "report/history.h"
#include "report/page.h"

/*
 * page_data - what page.js draws, as JSON ("drvabi-page/1")
 *
 * Nothing in it can end the <script> that it stands in: every '<' is written
 * as an escape.
 */
void page_data(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines);

#endif
