/*
 * report/page.h - a history as a picture: one page for a browser
 *
 * Part of the room's public face. The page is a whole: it loads nothing, and
 * says so to the browser (Content-Security-Policy). Its frame, style and
 * scripts are page.html, page.css and page*.js beside this file. Without
 * scripts it is the table of the versions.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "history/history.h"

#define PAGE_FORMAT "drvabi-page/1"

struct history_report;

/* report_history_page - HTML. @timelines: of the same history. */
void report_history_page(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines);

#endif
