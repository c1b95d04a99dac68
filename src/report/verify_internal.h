/*
 * report/verify_internal.h - one renderer for each format of report_verify(), and the summaries that they share
 *
 * Private to report/. verify.c calls the renderers (verify_*.c), and they call
 * verify_summary.c.
 */
#ifndef REPORT_VERIFY_INTERNAL_H
#define REPORT_VERIFY_INTERNAL_H

#include "report/findings.h"
#include "report/style.h"
#include "report/verify.h"

void report_verify_text(struct strbuf *out, const struct verify_report *report, const struct report_style *style);
void report_verify_markdown(struct strbuf *out, const struct verify_report *report);
void report_verify_json(struct strbuf *out, const struct verify_report *report);
void report_verify_junit(struct strbuf *out, const struct verify_report *report);
void report_verify_sarif(struct strbuf *out, const struct verify_report *report);

/* Lines of a suppression file: in JSON all, else those that ask to be looked at again. @suppressions may be NULL but for JSON. */
struct json_writer;
void report_text_suppressions(struct strbuf *out, const struct suppressions *suppressions, const struct report_style *style);
void report_markdown_suppressions(struct strbuf *out, const struct suppressions *suppressions, size_t room); /* @room: bytes of its rows */
void report_json_suppressions(struct json_writer *writer, const struct suppressions *suppressions);

/* The rest is in verify_summary.c. */

/* verify_count - how many versions have @status. */
size_t verify_count(const struct verify_report *report, enum verify_status status);

/* All that was found, by entry. */
struct verify_groups {
	const size_t *versions;     /* that were compared, oldest first: numbers in the report. Lines name versions by their numbers here */
	const char *const *names;   /* of these */
	size_t version_count;
	struct finding_blocks findings;
	struct finding_blocks unseen; /* what could not be checked */
};

/* verify_group - what is left after suppression; @fold: see findings_group(); @unavailable: also of versions that could not be compared */
void verify_group(struct verify_groups *out, const struct verify_report *report, bool fold, bool unavailable, struct arena *arena);

/* verify_line_versions - "1.0, 2.0..2.4 (4 versions)", "all 5 versions compared". Return: is it worth saying, or was there only one version? */
bool verify_line_versions(struct strbuf *out, const struct verify_groups *groups, const struct finding_line *line);

/* verify_unseen_entries - how many entries have something unseen, in whatever version. */
size_t verify_unseen_entries(const struct verify_report *report);

/* verify_accepted - the line of the suppression file that accepts an unavailable version; NULL if none does. */
const struct suppression *verify_accepted(const struct verify_version *version);

/* verify_why_unavailable - "not in the repository; to check it, fetch …" */
void verify_why_unavailable(struct strbuf *out, const struct verify_version *version);

/* verify_to_do - what makes the unavailable versions of @report available, as a clause; NULL if there are none. */
const char *verify_to_do(const struct verify_report *report);

/* verify_totals - "2 of 3 versions checked: 2 pass, 0 fail, 1 unavailable", and how many entries were not wholly checked, if any. */
void verify_totals(struct strbuf *out, const struct verify_report *report);

/* verify_state - "expired", "untried", "unused", "unexplained" or "used". */
const char *verify_state(const struct suppression *line);

/* verify_is_settled - was the line used or untried, with a reason, and not expired? Reports list only the other lines. */
bool verify_is_settled(const struct suppression *line);

#endif
