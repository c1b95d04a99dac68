#include "report/verify_internal.h"

#include <stdlib.h>

static void markdown_versions(struct strbuf *out, const struct verify_report *report)
{
	strbuf_adds(out, "| version | status | findings | suppressed | not checked | fields compared |\n|---|---|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		strbuf_adds(out, "| ");
		escape_markdown(out, version->version);
		if (version->status == VERIFY_UNAVAILABLE) {
			strbuf_adds(out, " | unavailable: ");
			escape_markdown(out, version->reason);
			strbuf_adds(out, " | | | | |\n");
		} else {
			strbuf_addf(out, " | %s | %zu | %zu | %zu | %zu |\n", verify_status_name(version->status), version->result.finding_count,
				    version->suppressed_count, version->result.unseen_count, version->result.leaf_count);
		}
	}
}

static void markdown_heading(struct strbuf *out, const struct verify_report *report, size_t index)
{
	strbuf_adds(out, "\n### ");
	escape_markdown(out, report->versions[index].version);
	for (size_t i = index + 1; i < report->version_count; i++) {
		if (!report->versions[i].result.finding_count || !verify_same_findings(&report->versions[index], &report->versions[i]))
			continue;
		strbuf_adds(out, ", ");
		escape_markdown(out, report->versions[i].version);
	}
	strbuf_adds(out, "\n\n| rule | entry | what |\n|---|---|---|\n");
}

static void markdown_findings(struct strbuf *out, const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_result *result = &report->versions[i].result;

		if (!result->finding_count || verify_same_as(report, i))
			continue;
		markdown_heading(out, report, i);
		for (size_t f = 0; f < result->finding_count; f++) {
			const struct verify_finding *finding = &result->findings[f];

			strbuf_addf(out, "| %s | ", verify_rule_name(finding->rule));
			escape_markdown_code(out, finding->entry);
			strbuf_adds(out, " | ");
			escape_markdown(out, finding->message);
			strbuf_adds(out, report->fails[finding->rule] ? "" : " (does not count)");
			strbuf_adds(out, " |\n");
		}
	}
}

static void markdown_unseen(struct strbuf *out, const struct verify_report *report)
{
	struct verify_unseen_sum *sums;
	size_t count = verify_unseen_sums(&sums, report);

	if (count)
		strbuf_adds(out, "\n### Not checked\n\n| entry | why | versions |\n|---|---|---:|\n");
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(out, "| ");
		escape_markdown_code(out, sums[i].unseen.entry);
		strbuf_adds(out, " | ");
		escape_markdown(out, sums[i].unseen.message);
		strbuf_addf(out, " | %zu |\n", sums[i].versions);
	}
	free(sums);
}

void report_markdown_suppressions(struct strbuf *out, const struct suppressions *suppressions)
{
	bool any = false;

	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		if (!any)
			strbuf_adds(out, "\n### Suppressions to look at\n\n| line | state | rule | entry | versions | expires | reason |\n"
					 "|---:|---|---|---|---|---|---|\n");
		any = true;
		strbuf_addf(out, "| %u | %s | ", item->line, verify_state(item));
		escape_markdown(out, item->rule_text);
		strbuf_adds(out, " | ");
		escape_markdown_code(out, item->entry);
		strbuf_adds(out, " | ");
		escape_markdown(out, item->versions);
		escape_addf(out, escape_markdown, " | %s | ", item->expires_text);
		escape_markdown(out, item->reason);
		strbuf_adds(out, " |\n");
	}
}

void report_verify_markdown(struct strbuf *out, const struct verify_report *report)
{
	strbuf_adds(out, "## ");
	escape_markdown(out, report->table->proxy);
	strbuf_adds(out, " against the driver\n\n");
	if (*report->table->revision) {
		escape_markdown_code(out, report->table->revision);
		strbuf_adds(out, ": ");
	}
	verify_totals(out, report);
	strbuf_adds(out, "\n\n");
	markdown_versions(out, report);
	markdown_findings(out, report);
	markdown_unseen(out, report);
	report_markdown_suppressions(out, report->suppressions);
}
