/*
 * report/bootstrap.h - what supporting a version takes: for a terminal, for a pull request, for a program
 *
 * Part of the room's public face.
 */
#ifndef REPORT_BOOTSTRAP_H
#define REPORT_BOOTSTRAP_H

#include "bootstrap/bootstrap.h"
#include "report/report.h"

void report_bootstrap_text(struct strbuf *out, const struct bootstrap *bootstrap, const struct report_style *style);
void report_bootstrap_markdown(struct strbuf *out, const struct bootstrap *bootstrap);
/* report_bootstrap_json - "drvabi-bootstrap/1" */
void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap);

#endif
