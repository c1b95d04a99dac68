/*
 * report/verify.h - what verify found, in the words of many readers
 *
 * Part of the room's public face. Text for a person, Markdown for a pull
 * request, JSON ("drvabi-verify/1"), JUnit XML and SARIF 2.1.0 for CI.
 * Each of them says which versions were unavailable, what could not be
 * checked, what was suppressed, and which lines of the suppression file are
 * unused or expired.
 */
#ifndef REPORT_VERIFY_H
#define REPORT_VERIFY_H

#include "report/report.h"
#include "verify/verify.h"

enum verify_status { VERIFY_PASS, VERIFY_FAIL, VERIFY_UNAVAILABLE };

struct verify_version {
	const char *version;
	bool supported;              /* the table says that the proxy supports it; else a node between */
	enum verify_status status;   /* fail: it was compared, and @failing is not 0 */
	const char *reason;          /* why it is unavailable: "not in the repository" */
	const char *to_do;           /* what makes it available, as an imperative clause */
	struct verify_result result; /* what is left after suppression; of an unavailable version that of verify_lacking(), if it counts */
	size_t failing;              /* findings of rules that count; they make the run fail, also if the version is unavailable */
	const struct suppressed *suppressed;
	size_t suppressed_count;
	const struct caps *caps;     /* NULL unless asked for; of the table alone, so there if unavailable too */
	const struct caps_since *since; /* against the version before it in the report; NULL for the first */
};

struct verify_report {
	const struct table *table;
	const struct verify_version *versions;
	size_t version_count;
	bool fails[VERIFY_RULE_COUNT];           /* rules whose findings count (--fail-on) */
	const struct suppressions *suppressions; /* NULL without a file */
};

enum verify_format { VERIFY_TEXT, VERIFY_JSON, VERIFY_MARKDOWN, VERIFY_JUNIT, VERIFY_SARIF };

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style);

/* report_acceptances - the text of a suppression file */
void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted);

/* verify_status_name - "pass", "fail", "unavailable". */
const char *verify_status_name(enum verify_status status);

#endif
