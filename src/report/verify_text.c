#include "report/surface_internal.h"
#include "report/verify_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void text_finding(struct strbuf *out, const struct verify_report *report, const struct verify_finding *finding,
			 const struct report_style *style)
{
	report_ink(out, style, report->fails[finding->rule] ? INK_REMOVED : INK_CHANGED, "    %-15s", verify_rule_name(finding->rule));
	report_textf(out, " %s %s: %s\n", finding->family, finding->entry, finding->message);
}

static void text_findings(struct strbuf *out, const struct verify_report *report, size_t index, const struct report_style *style)
{
	const struct verify_result *result = &report->versions[index].result;
	const struct verify_version *same = style->verbose ? NULL : verify_same_as(report, index);

	if (same) {
		strbuf_adds(out, "    the same ");
		report_plural(out, result->finding_count, "finding");
		report_textf(out, " as %s\n", same->version);
		return;
	}
	for (size_t i = 0; i < result->finding_count; i++)
		text_finding(out, report, &result->findings[i], style);
}

static void text_version(struct strbuf *out, const struct verify_report *report, size_t index, const struct report_style *style)
{
	const struct verify_version *version = &report->versions[index];
	const struct verify_result *result = &version->result;
	enum report_ink ink = version->status == VERIFY_PASS ? INK_ADDED : version->status == VERIFY_FAIL ? INK_ALARM : INK_CHANGED;

	report_ink(out, style, ink, "%-11s", verify_status_name(version->status));
	report_ink(out, style, INK_NAME, " %-12s", version->version);
	if (version->status == VERIFY_UNAVAILABLE) {
		report_textf(out, " %s\n", version->reason);
		return;
	}
	report_textf(out, " %zu entries, %zu structs, %zu fields compared", result->entry_count, result->struct_count, result->leaf_count);
	if (result->finding_count != version->failing)
		report_textf(out, ", %zu of %zu findings count", version->failing, result->finding_count);
	if (version->suppressed_count)
		report_textf(out, ", %zu suppressed", version->suppressed_count);
	if (result->unseen_count)
		report_textf(out, ", %zu not checked", result->unseen_count);
	if (strcmp(result->view->node->version, version->version))
		report_textf(out, "; by node %s", result->view->node->version);
	else if (!version->supported)
		strbuf_adds(out, "; a node between supported versions");
	strbuf_addch(out, '\n');
	text_findings(out, report, index, style);
}

/* What could not be checked, each sentence once. */
static void text_unseen(struct strbuf *out, const struct verify_report *report)
{
	struct verify_unseen_sum *sums;
	size_t count = verify_unseen_sums(&sums, report);

	for (size_t i = 0; i < count; i++) {
		report_textf(out, "not checked %s %s: %s (", sums[i].unseen.family, sums[i].unseen.entry, sums[i].unseen.message);
		report_plural(out, sums[i].versions, "version");
		strbuf_adds(out, ")\n");
	}
	free(sums);
}

/* Lines of the suppression file that ask to be looked at again. */
void report_text_suppressions(struct strbuf *out, const struct suppressions *suppressions, const struct report_style *style)
{
	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		report_ink(out, style, item->expired ? INK_ALARM : INK_CHANGED, "%-11s", verify_state(item));
		report_textf(out, " %s:%u: %s %s %s %s %s\n", suppressions->path, item->line, item->rule_text, item->entry,
			     item->versions, item->expires_text, item->reason);
	}
}

/* Entries of each capability, a line for each version. */
static void text_caps_matrix(struct strbuf *out, const struct verify_report *report)
{
	const struct caps *first = report->versions[0].caps;

	report_textf(out, "\n%-12s %7s", "version", "entries");
	for (size_t c = 0; c < first->cap_count; c++)
		report_textf(out, "  %s", first->caps[c].name);
	strbuf_adds(out, "  (none)\n");
	for (size_t i = 0; i < report->version_count; i++) {
		const struct caps *caps = report->versions[i].caps;

		report_textf(out, "%-12s %7zu", report->versions[i].version, caps->view->entry_count);
		for (size_t c = 0; c < first->cap_count && c < caps->cap_count; c++)
			report_textf(out, "  %*zu", (int)strlen(first->caps[c].name), caps->caps[c].entries);
		report_textf(out, "  %6zu\n", caps->unreached_count);
	}
}

static bool any_change(const struct caps_since *since)
{
	for (size_t i = 0; since && i < since->change_count; i++)
		if (since->changes[i].gained_count || since->changes[i].lost_count)
			return true;
	return false;
}

static void text_caps(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	if (!report->version_count || !report->versions[0].caps)
		return;
	text_caps_matrix(out, report);
	for (size_t i = 0; i < report->version_count; i++)
		if (any_change(report->versions[i].since))
			report_caps_since_text(out, report->versions[i].caps, report->versions[i].since, style);
	strbuf_addch(out, '\n');
	report_caps_text(out, report->versions[report->version_count - 1].caps, NULL, style);
}

void report_verify_text(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	report_textf(out, "%s (%s)\n", report->table->proxy, report->table->revision);
	for (size_t i = 0; i < report->version_count; i++)
		text_version(out, report, i, style);
	text_unseen(out, report);
	report_text_suppressions(out, report->suppressions, style);
	verify_totals(out, report);
	strbuf_addch(out, '\n');
	text_caps(out, report, style);
}
