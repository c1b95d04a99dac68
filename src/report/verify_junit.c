/*
 * report/verify_junit.c - the result of verify as JUnit XML, for GitLab, GitHub's reporters and Jenkins
 *
 * Each version is a suite. Each entry that fails the run is a case with one failure, which lists all findings
 * that count, because programs that read JUnit show only the first failure of a case. Each remaining entry
 * that could not be fully checked is a skipped case. All other entries share one case. An unavailable version
 * has one skipped case, and a failing case if it fails the run. Findings that do not fail the run, suppressed
 * findings and unchecked entries are listed in the suite's system-out.
 */
#include "report/internal.h"

/* The start of a case, up to its last attribute. The class name is PROXY.VERSION; @name is a format. */
#define CASE(name) "    <testcase classname=\"%s.%s\" name=\"" name "\" file=\"%s\" time=\"0\""
#define COUNTS " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n"
#define SKIPPED(message) ">\n      <skipped message=\"" message "\"/>\n    </testcase>\n"

static bool fails_run(const struct verify_report *report, const struct verify_finding *finding)
{
	return report->fails[finding->rule];
}

static bool same_entry_of_findings(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry);
}

/* Counts the findings that have the same entry as the first one. @findings are sorted by entry. */
static size_t run_of_entry(const struct verify_finding *findings, size_t count)
{
	size_t length = 1;

	while (length < count && same_entry_of_findings(&findings[0], &findings[length]))
		length++;
	return length;
}

static const struct verify_finding *first_failing_finding(const struct verify_report *report,
							  const struct verify_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fails_run(report, &findings[i]))
			return &findings[i];
	return NULL;
}

/* Returns true if @unseen's entry gets a skipped case. An entry that fails already has a case. */
static bool is_skipped_case(const struct verify_report *report, const struct verify_result *result,
			    const struct verify_finding *unseen)
{
	for (size_t i = 0; i < result->finding_count; i++)
		if (fails_run(report, &result->findings[i]) &&
		    same_entry_of_findings(&result->findings[i], unseen))
			return false;
	return true;
}

/*
 * Writes a failing case if any of @findings fails the run. They are all findings of one entry. Return: true
 * if a case was written.
 */
static bool junit_failure(struct strbuf *out, const struct verify_report *report,
			  const struct verify_version *version, const struct verify_finding *findings,
			  size_t count)
{
	const struct verify_finding *first = first_failing_finding(report, findings, count);

	if (!first)
		return false;
	escape_addf(out, escape_xml, CASE("%s %s") ">\n      <failure type=\"%s\" message=\"%s\">",
		    report->table->proxy, version->version, first->family, first->entry, report->table->path,
		    verify_rule_name(first->rule), first->message);
	for (size_t i = 0; i < count; i++)
		if (fails_run(report, &findings[i]))
			escape_addf(out, escape_xml, "%s: %s\n", verify_rule_name(findings[i].rule),
				    findings[i].message);
	strbuf_adds(out, "</failure>\n    </testcase>\n");
	return true;
}

static void note_finding(struct strbuf *out, const char *state, const struct verify_finding *finding)
{
	escape_addf(out, escape_xml, "%s: %s %s %s: %s\n", state, verify_rule_name(finding->rule),
		    finding->family, finding->entry, finding->message);
}

/* The suites that were written, and the sums of their numbers. */
struct suites {
	struct strbuf out;
	size_t tests, failures, skipped;
};

/* Adds a suite with @cases, which this function releases, and adds its numbers to the sums. */
static void add_suite(struct suites *suites, const char *name, size_t tests, size_t failures, size_t skipped,
		      struct strbuf *cases)
{
	escape_addf(&suites->out, escape_xml, "  <testsuite name=\"%s\"" COUNTS, name, tests, failures,
		    skipped);
	strbuf_addf(&suites->out, "%s  </testsuite>\n", strbuf_text(cases));
	suites->tests += tests;
	suites->failures += failures;
	suites->skipped += skipped;
	strbuf_release(cases);
}

/*
 * Adds the suite of a version: a failing case for each entry whose findings fail the run, a skipped case for
 * each other unchecked entry, and one case for all other entries, or a skipped case if the version is
 * unavailable. Notes in system-out list the other and the suppressed findings, and the unchecked entries.
 */
static void junit_version(struct suites *suites, const struct verify_report *report,
			  const struct verify_version *version)
{
	const struct verify_result *result = &version->result;
	bool unavailable = version->status == VERIFY_UNAVAILABLE;
	size_t failing = 0, skipped = 0, length;
	struct strbuf cases = { 0 }, notes = { 0 };

	for (size_t i = 0; i < result->finding_count; i += length) {
		length = run_of_entry(&result->findings[i], result->finding_count - i);
		failing += junit_failure(&cases, report, version, &result->findings[i], length);
	}
	for (size_t i = 0; i < result->unseen_count; i += length) {
		const struct verify_finding *unseen = &result->unseen[i];

		length = run_of_entry(unseen, result->unseen_count - i);
		if (!is_skipped_case(report, result, unseen))
			continue;
		escape_addf(&cases, escape_xml, CASE("%s %s") SKIPPED("not checked: %s"),
			    report->table->proxy, version->version, unseen->family, unseen->entry,
			    report->table->path, unseen->message);
		skipped++;
	}
	if (unavailable) {
		escape_addf(&cases, escape_xml, CASE("all entries") SKIPPED("%s; to check it, %s"),
			    report->table->proxy, version->version, report->table->path, version->reason,
			    version->to_do);
	} else {
		escape_addf(&cases, escape_xml, CASE("%zu entries") "/>\n", report->table->proxy,
			    version->version, result->entry_count - failing - skipped,
			    report->table->path);
	}
	for (size_t i = 0; i < result->finding_count; i++)
		if (!fails_run(report, &result->findings[i]))
			note_finding(&notes, "does not count", &result->findings[i]);
	for (size_t i = 0; i < version->suppressed_count; i++)
		note_finding(&notes, "suppressed", version->suppressed[i].finding);
	for (size_t i = 0; i < result->unseen_count; i++)
		note_finding(&notes, "not checked", &result->unseen[i]);
	if (notes.length)
		strbuf_addf(&cases, "    <system-out>%s</system-out>\n", notes.text);
	add_suite(suites, version->version, failing + skipped + 1, failing, skipped + unavailable, &cases);
	strbuf_release(&notes);
}

/* Writes the suite of the suppression file, in which each line is a case; an expired line fails. */
static void junit_suppressions(struct suites *suites, const struct suppressions *lines)
{
	struct strbuf cases = { 0 };
	size_t expired = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const struct suppression *item = &lines->item[i];

		expired += item->expired;
		escape_addf(&cases, escape_xml,
			    "    <testcase classname=\"%s\" name=\"line %u: %s %s %s\" time=\"0\"", lines->path,
			    item->line, item->rule_text, item->entry, item->versions);
		if (item->expired)
			escape_addf(&cases, escape_xml,
				    ">\n      <failure type=\"expired\" message=\"expired on %s: %s\""
				    "/>\n    </testcase>\n", item->expires_text, item->reason);
		else if (!verify_is_settled(item))
			strbuf_addf(&cases, ">\n      <system-out>%s: %s</system-out>\n    </testcase>\n",
				    verify_state(item),
				    item->used ? "its reason is missing" : "it no longer suppresses anything");
		else
			strbuf_adds(&cases, "/>\n");
	}
	add_suite(suites, lines->path, lines->count, expired, 0, &cases);
}

void report_verify_junit(struct strbuf *out, const struct verify_report *report)
{
	struct suites suites = { .out = { 0 } };

	for (size_t i = 0; i < report->version_count; i++)
		junit_version(&suites, report, &report->versions[i]);
	if (report->suppressions)
		junit_suppressions(&suites, report->suppressions);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	strbuf_addf(out, "<testsuites name=\"drvabi verify\"" COUNTS "%s</testsuites>\n", suites.tests,
		    suites.failures, suites.skipped, strbuf_text(&suites.out));
	strbuf_release(&suites.out);
}
