/*
 * report/verify.h - what verify found, in the words of many readers
 *
 * Part of the room's public face. Text for a person, Markdown for a pull
 * request, JSON ("drvabi-verify/1"), TAP, JUnit XML and SARIF 2.1.0 for CI.
 */
#ifndef REPORT_VERIFY_H
#define REPORT_VERIFY_H

#include "report/report.h"
#include "verify/suppress.h"

enum verify_status { VERIFY_PASS, VERIFY_FAIL, VERIFY_UNAVAILABLE };

struct verify_version {
	const char *version;
	bool supported;              /* the table says that the proxy supports it; else a node between */
	enum verify_status status;
	const char *reason;          /* why it is unavailable */
	struct verify_result result; /* what is left after suppression; unset if unavailable */
	size_t suppressed;
};

struct verify_report {
	const struct table *table;
	const struct verify_version *versions;
	size_t version_count;
	const struct suppressions *suppressions; /* NULL without a file */
};

enum verify_format { VERIFY_TEXT, VERIFY_JSON, VERIFY_MARKDOWN, VERIFY_TAP, VERIFY_JUNIT, VERIFY_SARIF };

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style);

/* verify_status_name - "pass", "fail", "unavailable". */
const char *verify_status_name(enum verify_status status);

#endif
