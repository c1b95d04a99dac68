#include "report/verify_parts.h"

#include <inttypes.h>
#include <string.h>

const char *verify_status_name(enum verify_status status)
{
	switch (status) {
	case VERIFY_PASS: return "pass";
	case VERIFY_FAIL: return "fail";
	case VERIFY_UNAVAILABLE: return "unavailable";
	}
	return "";
}

size_t verify_count(const struct verify_report *report, enum verify_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		count += report->versions[i].status == status;
	return count;
}

static void text_version(struct strbuf *out, const struct verify_version *version, const struct report_style *style)
{
	const struct verify_result *result = &version->result;
	enum report_ink ink = version->status == VERIFY_PASS ? INK_ADDED : version->status == VERIFY_FAIL ? INK_ALARM : INK_CHANGED;

	report_ink(out, style, ink, "%-11s", verify_status_name(version->status));
	report_ink(out, style, INK_NAME, " %-12s", version->version);
	if (version->status == VERIFY_UNAVAILABLE) {
		strbuf_addf(out, " %s\n", version->reason);
		return;
	}
	strbuf_addf(out, " %zu entries, %zu structs, %zu fields compared", result->entry_count, result->struct_count, result->leaf_count);
	if (version->suppressed)
		strbuf_addf(out, ", %zu suppressed", version->suppressed);
	if (!version->supported)
		strbuf_adds(out, "; a node between supported versions");
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct verify_finding *finding = &result->findings[i];

		report_ink(out, style, INK_REMOVED, "    %-15s", verify_rule_name(finding->rule));
		strbuf_addf(out, " %s %s: %s\n", finding->family, finding->entry, finding->message);
	}
}

/* Lines of the suppression file that ask to be looked at again. */
static void text_suppressions(struct strbuf *out, const struct suppressions *suppressions)
{
	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (item->expired)
			strbuf_addf(out, "expired     %s:%u: %s (%s)\n", suppressions->path, item->line, item->entry, item->reason);
		else if (!item->used)
			strbuf_addf(out, "unused      %s:%u: %s (%s)\n", suppressions->path, item->line, item->entry, item->reason);
	}
}

void report_verify_text(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	strbuf_addf(out, "%s (%s)\n", report->table->proxy, report->table->revision);
	for (size_t i = 0; i < report->version_count; i++)
		text_version(out, &report->versions[i], style);
	text_suppressions(out, report->suppressions);
	strbuf_addf(out, "%zu pass, %zu fail, %zu unavailable\n", verify_count(report, VERIFY_PASS), verify_count(report, VERIFY_FAIL),
		    verify_count(report, VERIFY_UNAVAILABLE));
}

static void markdown_cell(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *text);
	}
}

void report_verify_markdown(struct strbuf *out, const struct verify_report *report)
{
	strbuf_addf(out, "## %s against the driver\n\n%s\n\n| version | status | findings | fields compared |\n|---|---|---:|---:|\n",
		    report->table->proxy, report->table->revision);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		strbuf_addf(out, "| %s | %s | %zu | %zu |\n", version->version, verify_status_name(version->status),
			    version->result.finding_count, version->result.leaf_count);
	}
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		if (version->status != VERIFY_FAIL)
			continue;
		strbuf_addf(out, "\n### %s\n\n| rule | entry | what |\n|---|---|---|\n", version->version);
		for (size_t f = 0; f < version->result.finding_count; f++) {
			const struct verify_finding *finding = &version->result.findings[f];

			strbuf_addf(out, "| %s | `%s` | ", verify_rule_name(finding->rule), finding->entry);
			markdown_cell(out, finding->message);
			strbuf_adds(out, " |\n");
		}
	}
}

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style)
{
	switch (format) {
	case VERIFY_TEXT: report_verify_text(out, report, style); return;
	case VERIFY_JSON: report_verify_json(out, report); return;
	case VERIFY_MARKDOWN: report_verify_markdown(out, report); return;
	case VERIFY_TAP: report_verify_tap(out, report); return;
	case VERIFY_JUNIT: report_verify_junit(out, report); return;
	case VERIFY_SARIF: report_verify_sarif(out, report); return;
	}
}
