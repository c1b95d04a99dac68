/*
 * JUnit XML, as GitLab, GitHub's reporters and Jenkins read it.
 *
 * A suite for each version. In it, a case for each entry with a finding, with
 * one failure that holds all that was found (readers show only the first of
 * several), and one case for all entries without. A version without source is
 * one skipped case. What is no failure (suppressed, not counting, not
 * checked) is in the suite's system-out.
 */
#include "report/verify_parts.h"

#include <string.h>

/* Length of the character of UTF-8 at @text, if XML may hold it; 0 if not. */
static size_t xml_length(const unsigned char *text)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : *text >= 0xc2 ? 2 : 0;
	unsigned long code = length > 1 ? (unsigned long)*text - lead[length] : *text;

	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10ffff)) || (code >= 0xd800 && code < 0xe000) ||
	    code == 0xfffe || code == 0xffff || (length == 1 && code < ' ' && code != '\n' && code != '\t'))
		return 0;
	return length;
}

static void xml_text(struct strbuf *out, const char *text)
{
	while (*text) {
		size_t length = xml_length((const unsigned char *)text);

		switch (*text) {
		case '&': strbuf_adds(out, "&amp;"); break;
		case '<': strbuf_adds(out, "&lt;"); break;
		case '>': strbuf_adds(out, "&gt;"); break;
		case '"': strbuf_adds(out, "&quot;"); break;
		case '\n': strbuf_adds(out, "&#10;"); break;
		case '\t': strbuf_adds(out, "&#9;"); break;
		default:
			if (length)
				strbuf_add(out, text, length);
			else
				strbuf_adds(out, "\xef\xbf\xbd");
		}
		text += length ? length : 1;
	}
}

static void xml_attribute(struct strbuf *out, const char *name, const char *value)
{
	strbuf_addf(out, " %s=\"", name);
	xml_text(out, value);
	strbuf_addch(out, '"');
}

static bool counts(const struct verify_report *report, const struct verify_finding *finding)
{
	return report->fails[finding->rule];
}

/* The findings from @at on are of one entry: they are sorted. */
static size_t run_of_entry(const struct verify_result *result, size_t at)
{
	size_t end = at + 1;

	while (end < result->finding_count && !strcmp(result->findings[end].family, result->findings[at].family) &&
	       !strcmp(result->findings[end].entry, result->findings[at].entry))
		end++;
	return end - at;
}

static const struct verify_finding *first_counting(const struct verify_report *report, const struct verify_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (counts(report, &findings[i]))
			return &findings[i];
	return NULL;
}

static size_t failing_entries(const struct verify_report *report, const struct verify_result *result)
{
	size_t failing = 0, length;

	for (size_t i = 0; i < result->finding_count; i += length) {
		length = run_of_entry(result, i);
		failing += first_counting(report, &result->findings[i], length) != NULL;
	}
	return failing;
}

static void junit_case(struct strbuf *out, const struct verify_report *report, const struct verify_version *version, const char *name)
{
	struct strbuf class = { 0 };

	strbuf_addf(&class, "%s.%s", report->table->proxy, version->version);
	strbuf_adds(out, "    <testcase");
	xml_attribute(out, "classname", strbuf_text(&class));
	xml_attribute(out, "name", name);
	xml_attribute(out, "file", report->table->path);
	strbuf_adds(out, " time=\"0\"");
	strbuf_release(&class);
}

static void junit_failure(struct strbuf *out, const struct verify_report *report, const struct verify_version *version,
			  const struct verify_finding *findings, size_t count)
{
	const struct verify_finding *first = first_counting(report, findings, count);
	struct strbuf name = { 0 };

	if (!first)
		return;
	strbuf_addf(&name, "%s %s", first->family, first->entry);
	junit_case(out, report, version, strbuf_text(&name));
	strbuf_adds(out, ">\n      <failure");
	xml_attribute(out, "type", verify_rule_name(first->rule));
	xml_attribute(out, "message", first->message);
	strbuf_adds(out, ">");
	for (size_t i = 0; i < count; i++) {
		if (!counts(report, &findings[i]))
			continue;
		strbuf_addf(out, "%s: ", verify_rule_name(findings[i].rule));
		xml_text(out, findings[i].message);
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, "</failure>\n    </testcase>\n");
	strbuf_release(&name);
}

static void note_finding(struct strbuf *out, const char *state, const struct verify_finding *finding)
{
	strbuf_addf(out, "%s: %s %s ", state, verify_rule_name(finding->rule), finding->family);
	xml_text(out, finding->entry);
	strbuf_adds(out, ": ");
	xml_text(out, finding->message);
	strbuf_addch(out, '\n');
}

static void junit_notes(struct strbuf *out, const struct verify_report *report, const struct verify_version *version)
{
	const struct verify_result *result = &version->result;
	struct strbuf notes = { 0 };

	for (size_t i = 0; i < result->finding_count; i++)
		if (!counts(report, &result->findings[i]))
			note_finding(&notes, "does not count", &result->findings[i]);
	for (size_t i = 0; i < version->suppressed_count; i++)
		note_finding(&notes, "suppressed", version->suppressed[i].finding);
	for (size_t i = 0; i < result->unseen_count; i++) {
		strbuf_addf(&notes, "not checked: %s ", result->unseen[i].family);
		xml_text(&notes, result->unseen[i].entry);
		strbuf_adds(&notes, ": ");
		xml_text(&notes, result->unseen[i].reason);
		strbuf_addch(&notes, '\n');
	}
	if (notes.length)
		strbuf_addf(out, "    <system-out>%s</system-out>\n", notes.text);
	strbuf_release(&notes);
}

static void junit_suite(struct strbuf *out, const char *name, size_t tests, size_t failures, size_t skipped)
{
	strbuf_adds(out, "  <testsuite");
	xml_attribute(out, "name", name);
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", tests, failures, skipped);
}

static void junit_version(struct strbuf *out, const struct verify_report *report, const struct verify_version *version)
{
	bool unavailable = version->status == VERIFY_UNAVAILABLE;
	size_t failing = failing_entries(report, &version->result), length;
	struct strbuf name = { 0 };

	junit_suite(out, version->version, failing + 1, failing, unavailable);
	for (size_t i = 0; i < version->result.finding_count; i += length) {
		length = run_of_entry(&version->result, i);
		junit_failure(out, report, version, &version->result.findings[i], length);
	}
	if (unavailable)
		strbuf_adds(&name, "all entries");
	else
		strbuf_addf(&name, "%zu entries", version->result.entry_count - failing);
	junit_case(out, report, version, strbuf_text(&name));
	if (unavailable) {
		strbuf_adds(out, ">\n      <skipped");
		xml_attribute(out, "message", version->reason);
		strbuf_adds(out, "/>\n    </testcase>\n");
	} else {
		strbuf_adds(out, "/>\n");
	}
	junit_notes(out, report, version);
	strbuf_adds(out, "  </testsuite>\n");
	strbuf_release(&name);
}

static size_t expired_lines(const struct suppressions *suppressions)
{
	size_t expired = 0;

	for (size_t i = 0; suppressions && i < suppressions->count; i++)
		expired += suppressions->item[i].expired;
	return expired;
}

static void junit_line(struct strbuf *out, const struct suppressions *suppressions, const struct suppression *item)
{
	struct strbuf name = { 0 };

	strbuf_addf(&name, "line %u: %s %s %s", item->line, item->rule_text, item->entry, item->versions);
	strbuf_adds(out, "    <testcase");
	xml_attribute(out, "classname", suppressions->path);
	xml_attribute(out, "name", strbuf_text(&name));
	strbuf_adds(out, " time=\"0\"");
	if (item->expired) {
		strbuf_addf(out, ">\n      <failure type=\"expired\" message=\"expired on %s: ", item->expires_text);
		xml_text(out, item->reason);
		strbuf_adds(out, "\"/>\n    </testcase>\n");
	} else if (!item->used) {
		strbuf_adds(out, ">\n      <system-out>unused: it suppresses nothing any more</system-out>\n    </testcase>\n");
	} else {
		strbuf_adds(out, "/>\n");
	}
	strbuf_release(&name);
}

static void junit_suppressions(struct strbuf *out, const struct suppressions *suppressions)
{
	junit_suite(out, suppressions->path, suppressions->count, expired_lines(suppressions), 0);
	for (size_t i = 0; i < suppressions->count; i++)
		junit_line(out, suppressions, &suppressions->item[i]);
	strbuf_adds(out, "  </testsuite>\n");
}

void report_verify_junit(struct strbuf *out, const struct verify_report *report)
{
	size_t failures = expired_lines(report->suppressions);
	size_t tests = report->version_count + (report->suppressions ? report->suppressions->count : 0);

	for (size_t i = 0; i < report->version_count; i++) {
		failures += failing_entries(report, &report->versions[i].result);
		tests += failing_entries(report, &report->versions[i].result);
	}
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"drvabi verify\"");
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n", tests, failures,
		    verify_count(report, VERIFY_UNAVAILABLE));
	for (size_t i = 0; i < report->version_count; i++)
		junit_version(out, report, &report->versions[i]);
	if (report->suppressions)
		junit_suppressions(out, report->suppressions);
	strbuf_adds(out, "</testsuites>\n");
}
