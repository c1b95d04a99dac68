#include "report/surface_internal.h"
#include "report/verify_internal.h"
#include "report/wrap.h"

#include <stdio.h>
#include <string.h>

/* The columns of versions. A suppressed finding has one only if there is a file of suppressions. */
static void text_head(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	report_ink(out, style, INK_HEAD, "%-11s %-12s %7s %7s %7s %8s%s", "status", "version", "entries", "structs", "fields", "findings",
		   report->suppressions ? " suppressed" : "");
	strbuf_addch(out, '\n');
}

/* "6"; "2 of 6" if not all of them count. */
static void text_finding_count(struct strbuf *out, const struct verify_version *version)
{
	char text[48];

	if (version->failing == version->result.finding_count)
		snprintf(text, sizeof(text), "%zu", version->failing);
	else
		snprintf(text, sizeof(text), "%zu of %zu", version->failing, version->result.finding_count);
	strbuf_addf(out, " %8s", text);
}

static void text_unavailable(struct strbuf *out, const struct verify_version *version, const struct report_style *style)
{
	const struct suppression *by = verify_accepted(version);
	struct strbuf text = { 0 };
	struct wrap wrap;

	strbuf_adds(&text, version->reason);
	if (version->failing)
		strbuf_adds(&text, "; fails the run");
	else if (by)
		strbuf_addf(&text, "; accepted until %s: %s", by->expires_text, by->reason);
	wrap_begin(&wrap, out, style, 0, 25);
	wrap_word(&wrap, version->failing ? INK_ALARM : INK_CHANGED, 0, "%s", verify_status_name(version->status));
	wrap_word(&wrap, INK_NAME, 1, "%s", version->version);
	wrap_pad(&wrap, 24);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
	strbuf_release(&text);
	wrap_end(&wrap);
}

static void text_version(struct strbuf *out, const struct verify_report *report, size_t index, const struct report_style *style)
{
	const struct verify_version *version = &report->versions[index];
	const struct verify_result *result = &version->result;
	enum report_ink ink = version->status == VERIFY_PASS ? INK_ADDED : INK_ALARM;

	if (version->status == VERIFY_UNAVAILABLE) {
		text_unavailable(out, version, style);
		return;
	}
	report_ink(out, style, ink, "%-11s", verify_status_name(version->status));
	report_ink(out, style, INK_NAME, " %-12s", version->version);
	strbuf_addf(out, " %7zu %7zu %7zu", result->entry_count, result->struct_count, result->leaf_count);
	text_finding_count(out, version);
	if (report->suppressions)
		strbuf_addf(out, " %10zu", version->suppressed_count);
	if (strcmp(result->view->node->version, version->version))
		report_textf(out, "\n%-25sby node %s", "", result->view->node->version);
	else if (!version->supported)
		strbuf_adds(out, "  between");
	strbuf_addch(out, '\n');
}

static void text_versions(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	bool between = false;
	struct wrap wrap;

	if (verify_count(report, VERIFY_UNAVAILABLE) < report->version_count)
		text_head(out, report, style);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		text_version(out, report, i, style);
		between |= version->status != VERIFY_UNAVAILABLE && !version->supported && !strcmp(version->result.view->node->version, version->version);
	}
	if (between)
		report_ink(out, style, INK_DIM, "between: a node that is no supported version\n");
	if (!verify_to_do(report))
		return;
	wrap_begin(&wrap, out, style, 0, 13);
	wrap_word(&wrap, INK_DIM, 0, "unavailable:");
	wrap_text(&wrap, INK_DIM, 1, verify_to_do(report));
	wrap_end(&wrap);
}

/* "    in 570.86.15..590.48.01 (13 versions)", unless the line before said so. */
static void text_line_versions(struct strbuf *out, const struct verify_groups *groups, const struct finding_line *line,
			       const struct finding_line *before, const struct report_style *style)
{
	struct strbuf versions = { 0 };
	struct wrap wrap;

	strbuf_adds(&versions, "in ");
	if ((!before || !finding_same_versions(line, before)) && verify_line_versions(&versions, groups, line)) {
		wrap_begin(&wrap, out, style, 4, 7);
		wrap_text(&wrap, INK_NONE, 1, strbuf_text(&versions));
		wrap_end(&wrap);
	}
	strbuf_release(&versions);
}

static void text_line(struct strbuf *out, const struct verify_report *report, const struct finding_line *line, const struct report_style *style)
{
	const struct verify_finding *first = line->first;
	bool counts = first->unseen || report->fails[first->rule];
	struct strbuf text = { 0 };
	struct wrap wrap;

	strbuf_adds(&text, line->message);
	if (line->finding_count > 1)
		strbuf_addf(&text, " (%zu findings%s)", line->finding_count, counts ? "" : ", which do not count");
	else if (!counts)
		strbuf_adds(&text, " (does not count)");
	wrap_begin(&wrap, out, style, 4, 8);
	wrap_word(&wrap, first->unseen ? INK_NONE : counts ? INK_REMOVED : INK_CHANGED, 0, "%s", verify_rule_name(first->rule));
	wrap_pad(&wrap, 19);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
	wrap_end(&wrap);
	strbuf_release(&text);
}

/* "  control A, B" */
static void text_entries(struct strbuf *out, const struct finding_block *block, const struct report_style *style)
{
	struct strbuf names = { 0 };
	struct wrap wrap;

	strbuf_adds(&names, block->family);
	for (size_t i = 0; i < block->entry_count; i++)
		strbuf_addf(&names, "%s %s", i ? "," : "", block->entries[i]);
	wrap_begin(&wrap, out, style, 2, 4);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&names));
	wrap_end(&wrap);
	strbuf_release(&names);
}

static void text_blocks(struct strbuf *out, const struct verify_report *report, const struct verify_groups *groups, const char *heading,
			const struct finding_blocks *blocks, const struct report_style *style)
{
	if (!blocks->count)
		return;
	strbuf_addch(out, '\n');
	report_ink(out, style, INK_HEAD, "%s", heading);
	strbuf_adds(out, ": ");
	strbuf_plural(out, blocks->entry_count, "entry");
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < blocks->count; i++) {
		const struct finding_block *block = &blocks->block[i];

		text_entries(out, block, style);
		for (size_t n = 0; n < block->line_count; n++) {
			text_line_versions(out, groups, &block->lines[n], n ? &block->lines[n - 1] : NULL, style);
			text_line(out, report, &block->lines[n], style);
		}
	}
}

static void text_findings(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	struct verify_groups groups;
	struct arena arena = { 0 };

	verify_group(&groups, report, !style->verbose, false, &arena);
	text_blocks(out, report, &groups, "Findings", &groups.findings, style);
	text_blocks(out, report, &groups, "Not checked", &groups.unseen, style);
	if (groups.findings.count || groups.unseen.count)
		strbuf_addch(out, '\n');
	arena_release(&arena);
}

/* Lines of the suppression file that ask to be looked at again. */
void report_text_suppressions(struct strbuf *out, const struct suppressions *suppressions, const struct report_style *style)
{
	struct strbuf text = { 0 };
	struct wrap wrap;

	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		wrap_begin(&wrap, out, style, 0, 12);
		wrap_word(&wrap, item->expired ? INK_ALARM : INK_CHANGED, 0, "%s", verify_state(item));
		wrap_pad(&wrap, 11);
		strbuf_reset(&text);
		strbuf_addf(&text, "%s:%u: %s %s %s %s %s", suppressions->path, item->line, item->rule_text, item->entry, item->versions,
			    item->expires_text, item->reason);
		wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
		wrap_end(&wrap);
	}
	strbuf_release(&text);
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
	text_versions(out, report, style);
	text_findings(out, report, style);
	report_text_suppressions(out, report->suppressions, style);
	verify_totals(out, report);
	strbuf_addch(out, '\n');
	text_caps(out, report, style);
}
