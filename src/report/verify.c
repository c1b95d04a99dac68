/*
 * report/verify.c - a table against the driver, as text and Markdown
 */
#include "report/internal.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * The suppression file of verify --write-suppress: above each line, the
 * findings that it covers, as comments.
 */

static void write_accepted_finding(struct strbuf *out, const struct verify_finding *finding)
{
	report_textf(out, "# %s%s %s: %s\n", finding->unseen ? "not checked: " : "", finding->family,
		     finding->entry, finding->message);
}

/* The words of a line are printable ASCII (accept.h). Escaping would change what they match. */
static void write_acceptance(struct strbuf *out, const struct acceptance *accepted)
{
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < accepted->finding_count; i++)
		write_accepted_finding(out, accepted->findings[i]);
	strbuf_addf(out, "%s  %s  %s  %s  ", accepted->rule, accepted->entry, accepted->versions,
		    accepted->expires);
	escape_terminal(out, accepted->reason);
	strbuf_addch(out, '\n');
}

void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted)
{
	strbuf_adds(out,
		    "# Findings of drvabi verify that are accepted: RULE ENTRY VERSIONS EXPIRES REASON\n");
	report_textf(out, "# Found in %s (%s). To write this file again, with its reasons:\n", table->proxy,
		     table->revision);
	strbuf_adds(out, "# drvabi verify --table TABLE --all-nodes --suppress FILE --write-suppress FILE\n");
	for (size_t i = 0; i < accepted->count; i++)
		write_acceptance(out, &accepted->item[i]);
}

/* counts and comparisons that several renderers of verify print; below all of them */

const char *verify_status_name(enum verify_status status)
{
	switch (status) {
	case VERIFY_PASS: return "pass";
	case VERIFY_FAIL: return "fail";
	case VERIFY_UNAVAILABLE: return "unavailable";
	}
	return "";
}

const char *verify_state(const struct suppression *line)
{
	return line->expired       ? "expired"
	       : line->untried     ? "untried"
	       : !line->used       ? "unused"
	       : line->unexplained ? "unexplained"
				   : "used";
}

bool verify_is_settled(const struct suppression *line)
{
	return line->untried || (line->used && !line->expired && !line->unexplained);
}

size_t verify_count(const struct verify_report *report, enum verify_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		count += report->versions[i].status == status;
	return count;
}

/*
 * The versions that were compared, and with @unavailable those too that could not be and count or were
 * accepted, oldest first, as their numbers in the report. Return: how many.
 */
static size_t compared_versions(size_t *out, const struct verify_report *report, bool unavailable)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		size_t at = count;

		if (report->versions[i].status == VERIFY_UNAVAILABLE &&
		    !(unavailable && (report->versions[i].failing || report->versions[i].suppressed_count)))
			continue;
		for (; at && abi_version_compare(report->versions[out[at - 1]].version,
						 report->versions[i].version) > 0;
		     at--)
			out[at] = out[at - 1];
		out[at] = i;
		count++;
	}
	return count;
}

static void group_findings(struct finding_blocks *out, const struct verify_report *report,
		  const struct verify_groups *groups, bool unseen, bool fold, struct arena *arena)
{
	struct finding_at *items;
	size_t total = 0, count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		total += unseen ? report->versions[i].result.unseen_count
				: report->versions[i].result.finding_count;
	items = arena_array(arena, total + 1, sizeof(*items));
	for (size_t rank = 0; rank < groups->version_count; rank++) {
		const struct verify_result *result = &report->versions[groups->versions[rank]].result;
		const struct verify_finding *findings = unseen ? result->unseen : result->findings;

		for (size_t f = 0; f < (unseen ? result->unseen_count : result->finding_count); f++)
			items[count++] = (struct finding_at){ &findings[f], rank };
	}
	findings_group(out, items, count, fold, arena);
}

void verify_group(struct verify_groups *out, const struct verify_report *report, bool fold, bool unavailable,
		  struct arena *arena)
{
	size_t *versions = arena_array(arena, report->version_count + 1, sizeof(*versions));
	const char **names = arena_array(arena, report->version_count + 1, sizeof(*names));
	struct verify_groups groups = { .versions = versions, .names = names };

	groups.version_count = compared_versions(versions, report, unavailable);
	for (size_t rank = 0; rank < groups.version_count; rank++)
		names[rank] = report->versions[versions[rank]].version;
	group_findings(&groups.findings, report, &groups, false, fold, arena);
	group_findings(&groups.unseen, report, &groups, true, fold, arena);
	*out = groups;
}

/*
 * verify_line_versions - "1.0, 2.0..2.4 (4 versions)", "all 5 versions compared". Return: is it worth saying,
 * or was there only one version?
 */
static bool verify_line_versions(struct strbuf *out, const struct verify_groups *groups,
				 const struct finding_line *line)
{
	if (line->version_count == groups->version_count) {
		strbuf_addf(out, "all %zu versions compared", groups->version_count);
		return groups->version_count > 1;
	}
	findings_runs(out, groups->names, line->versions, line->version_count);
	if (line->version_count > 2)
		strbuf_addf(out, " (%zu versions)", line->version_count);
	return true;
}

size_t verify_unseen_entries(const struct verify_report *report)
{
	struct verify_groups groups;
	struct arena arena = { 0 };

	verify_group(&groups, report, false, false, &arena);
	arena_release(&arena);
	return groups.unseen.entry_count;
}

/*
 * verify_accepted - the line of the suppression file that accepts an unavailable version; NULL if none does.
 */
static const struct suppression *verify_accepted(const struct verify_version *version)
{
	return version->status == VERIFY_UNAVAILABLE && version->suppressed_count ? version->suppressed[0].by
										  : NULL;
}

void verify_why_unavailable(struct strbuf *out, const struct verify_version *version)
{
	strbuf_addf(out, "%s; to check it, %s", version->reason, version->to_do);
}

/*
 * verify_to_do - what makes the unavailable versions of @report available, as a clause; NULL if there are
 * none.
 */
static const char *verify_to_do(const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++)
		if (report->versions[i].status == VERIFY_UNAVAILABLE)
			return report->versions[i].to_do;
	return NULL;
}

/*
 * verify_totals - "2 of 3 versions checked: 2 pass, 0 fail, 1 unavailable", and how many entries were not
 * wholly checked, if any.
 */
static void verify_totals(struct strbuf *out, const struct verify_report *report)
{
	size_t unseen = verify_unseen_entries(report), unavailable = verify_count(report, VERIFY_UNAVAILABLE),
	       failing = 0, accepted = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		failing += report->versions[i].status == VERIFY_UNAVAILABLE && report->versions[i].failing;
		accepted += verify_accepted(&report->versions[i]) != NULL;
	}
	strbuf_addf(out, "%zu of ", report->version_count - unavailable);
	strbuf_plural(out, report->version_count, "version");
	strbuf_addf(out, " checked: %zu pass, %zu fail, %zu unavailable", verify_count(report, VERIFY_PASS),
		    verify_count(report, VERIFY_FAIL), unavailable);
	if (failing)
		strbuf_addf(out, ", of which %zu fail%s the run", failing, failing == 1 ? "s" : "");
	if (accepted)
		strbuf_addf(out, "%s %zu %s accepted", failing ? " and" : ", of which", accepted,
			    accepted == 1 ? "is" : "are");
	if (!unseen)
		return;
	strbuf_adds(out, "; not everything of ");
	strbuf_plural(out, unseen, "entry");
	strbuf_adds(out, " could be checked");
}

/* The columns of versions. A suppressed finding has one only if there is a file of suppressions. */
static void text_head(struct strbuf *out, const struct verify_report *report, const struct report_style *style)
{
	report_ink(out, style, INK_HEAD, "%-11s %-12s %7s %7s %7s %8s%s", "status", "version", "entries",
		   "structs", "fields", "findings", report->suppressions ? " suppressed" : "");
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

static void text_unavailable(struct strbuf *out, const struct verify_version *version,
			     const struct report_style *style)
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
	wrap_word(&wrap, version->failing ? INK_ALARM : INK_CHANGED, 0, "%s",
		  verify_status_name(version->status));
	wrap_word(&wrap, INK_NAME, 1, "%s", version->version);
	wrap_pad(&wrap, 24);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
	strbuf_release(&text);
	wrap_end(&wrap);
}

static void text_version(struct strbuf *out, const struct verify_report *report, size_t index,
			 const struct report_style *style)
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

static void text_versions(struct strbuf *out, const struct verify_report *report,
			  const struct report_style *style)
{
	bool between = false;
	struct wrap wrap;

	if (verify_count(report, VERIFY_UNAVAILABLE) < report->version_count)
		text_head(out, report, style);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];

		text_version(out, report, i, style);
		between |= version->status != VERIFY_UNAVAILABLE && !version->supported &&
			   !strcmp(version->result.view->node->version, version->version);
	}
	if (between)
		report_ink(out, style, INK_DIM, "between: a node that is not a supported version\n");
	if (!verify_to_do(report))
		return;
	wrap_begin(&wrap, out, style, 0, 13);
	wrap_word(&wrap, INK_DIM, 0, "unavailable:");
	wrap_text(&wrap, INK_DIM, 1, verify_to_do(report));
	wrap_end(&wrap);
}

/* "    in 570.86.15..590.48.01 (13 versions)", unless the line before said so. */
static void text_line_versions(struct strbuf *out, const struct verify_groups *groups,
			       const struct finding_line *line, const struct finding_line *before,
			       const struct report_style *style)
{
	struct strbuf versions = { 0 };
	struct wrap wrap;

	strbuf_adds(&versions, "in ");
	if ((!before || !finding_same_versions(line, before)) &&
	    verify_line_versions(&versions, groups, line)) {
		wrap_begin(&wrap, out, style, 4, 7);
		wrap_text(&wrap, INK_NONE, 1, strbuf_text(&versions));
		wrap_end(&wrap);
	}
	strbuf_release(&versions);
}

static void text_line(struct strbuf *out, const struct verify_report *report, const struct finding_line *line,
		      const struct report_style *style)
{
	const struct verify_finding *first = line->first;
	bool counts = first->unseen || report->fails[first->rule];
	struct strbuf text = { 0 };
	struct wrap wrap;

	strbuf_adds(&text, line->message);
	if (line->finding_count > 1)
		strbuf_addf(&text, " (%zu findings%s)", line->finding_count,
			    counts ? "" : ", which do not fail the run");
	else if (!counts)
		strbuf_adds(&text, " (does not fail the run)");
	wrap_begin(&wrap, out, style, 4, 8);
	wrap_word(&wrap,
		  first->unseen ? INK_NONE
		  : counts      ? INK_REMOVED
				: INK_CHANGED,
		  0, "%s", verify_rule_name(first->rule));
	wrap_pad(&wrap, 19);
	wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
	wrap_end(&wrap);
	strbuf_release(&text);
}

/* "  control A, B" */
static void text_entries(struct strbuf *out, const struct finding_block *block,
			 const struct report_style *style)
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

static void text_blocks(struct strbuf *out, const struct verify_report *report,
			const struct verify_groups *groups, const char *heading,
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
			text_line_versions(out, groups, &block->lines[n], n ? &block->lines[n - 1] : NULL,
					   style);
			text_line(out, report, &block->lines[n], style);
		}
	}
}

static void text_findings(struct strbuf *out, const struct verify_report *report,
			  const struct report_style *style)
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
void report_text_suppressions(struct strbuf *out, const struct suppressions *suppressions,
			      const struct report_style *style)
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
		strbuf_addf(&text, "%s:%u: %s %s %s %s %s", suppressions->path, item->line, item->rule_text,
			    item->entry, item->versions, item->expires_text, item->reason);
		wrap_text(&wrap, INK_NONE, 1, strbuf_text(&text));
		wrap_end(&wrap);
	}
	strbuf_release(&text);
}

static void report_verify_text(struct strbuf *out, const struct verify_report *report,
			       const struct report_style *style)
{
	report_textf(out, "%s (%s)\n", report->table->proxy, report->table->revision);
	text_versions(out, report, style);
	text_findings(out, report, style);
	report_text_suppressions(out, report->suppressions, style);
	verify_totals(out, report);
	strbuf_addch(out, '\n');
}

static void markdown_versions(struct strbuf *out, const struct verify_report *report)
{
	strbuf_adds(out,
		    "| version | status | findings | suppressed | not checked | fields compared |\n|---|---|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct suppression *by = verify_accepted(version);

		strbuf_adds(out, "| ");
		escape_markdown(out, version->version);
		if (version->status == VERIFY_UNAVAILABLE) {
			strbuf_adds(out, " | unavailable: ");
			escape_markdown(out, version->reason);
			if (version->failing)
				strbuf_adds(out, "; **fails the run**");
			else if (by)
				escape_addf(out, escape_markdown, "; accepted until %s: %s", by->expires_text,
					    by->reason);
			strbuf_adds(out, " | | | | |\n");
		} else {
			strbuf_addf(out, " | %s | %zu | %zu | %zu | %zu |\n",
				    verify_status_name(version->status), version->result.finding_count,
				    version->suppressed_count, version->result.unseen_count,
				    version->result.leaf_count);
		}
	}
	if (verify_to_do(report)) {
		strbuf_adds(out, "\nUnavailable: ");
		escape_markdown(out, verify_to_do(report));
		strbuf_adds(out, ".\n");
	}
}

static void markdown_entries(struct strbuf *out, const struct finding_block *block)
{
	strbuf_adds(out, "| ");
	escape_markdown(out, block->family);
	for (size_t i = 0; i < block->entry_count; i++) {
		strbuf_adds(out, i ? ", " : " ");
		escape_markdown_code(out, block->entries[i]);
	}
	strbuf_adds(out, " | ");
}

static void markdown_line(struct strbuf *out, const struct verify_report *report,
			  const struct verify_groups *groups, const struct finding_line *line)
{
	bool counts = line->first->unseen || report->fails[line->first->rule];
	struct strbuf versions = { 0 };

	strbuf_addf(out, "%s | ", verify_rule_name(line->first->rule));
	escape_markdown(out, line->message);
	if (line->finding_count > 1)
		strbuf_addf(out, " (%zu findings%s)", line->finding_count,
			    counts ? "" : ", which do not fail the run");
	else if (!counts)
		strbuf_adds(out, " (does not fail the run)");
	strbuf_adds(out, " | ");
	verify_line_versions(&versions, groups, line);
	escape_markdown(out, groups->version_count > 1 ? strbuf_text(&versions) : groups->names[0]);
	strbuf_adds(out, " |\n");
	strbuf_release(&versions);
}

static void markdown_blocks(struct strbuf *out, const struct verify_report *report,
			    const struct verify_groups *groups, const char *heading,
			    const struct finding_blocks *blocks)
{
	if (!blocks->count)
		return;
	strbuf_addf(out, "\n### %s: ", heading);
	strbuf_plural(out, blocks->entry_count, "entry");
	strbuf_adds(out, "\n\n| entry | rule | what | versions |\n|---|---|---|---|\n");
	for (size_t i = 0; i < blocks->count; i++)
		for (size_t n = 0; n < blocks->block[i].line_count; n++) {
			if (n)
				strbuf_adds(out, "| | ");
			else
				markdown_entries(out, &blocks->block[i]);
			markdown_line(out, report, groups, &blocks->block[i].lines[n]);
		}
}

static void markdown_findings(struct strbuf *out, const struct verify_report *report)
{
	struct verify_groups groups;
	struct arena arena = { 0 };

	verify_group(&groups, report, true, false, &arena);
	markdown_blocks(out, report, &groups, "Findings", &groups.findings);
	markdown_blocks(out, report, &groups, "Not checked", &groups.unseen);
	arena_release(&arena);
}

static void markdown_suppression(struct strbuf *out, const struct suppression *item)
{
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

/* The rows that fit into @room bytes. Return: how many do not. */
static size_t markdown_suppression_rows(struct strbuf *out, const struct suppressions *suppressions,
					size_t room)
{
	struct strbuf row = { 0 };
	size_t left_out = 0;

	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		if (verify_is_settled(&suppressions->item[i]))
			continue;
		strbuf_reset(&row);
		markdown_suppression(&row, &suppressions->item[i]);
		if (left_out || row.length > room - out->length)
			left_out++;
		else
			strbuf_add(out, row.text, row.length);
	}
	strbuf_release(&row);
	return left_out;
}

void report_markdown_suppressions(struct strbuf *out, const struct suppressions *suppressions, size_t room)
{
	struct strbuf rows = { 0 };
	size_t left_out = markdown_suppression_rows(&rows, suppressions, room);

	if (rows.length || left_out)
		strbuf_adds(out, "\n### Suppressions to review\n");
	if (rows.length)
		strbuf_addf(out,
			    "\n| line | state | rule | entry | versions | expires | reason |\n|---:|---|---|---|---|---|---|\n%s",
			    rows.text);
	if (left_out) {
		strbuf_adds(out, "\n");
		strbuf_plural(out, left_out, rows.length ? "more line" : "line");
		strbuf_adds(out, left_out == 1 ? " is not listed here.\n" : " are not listed here.\n");
	}
	strbuf_release(&rows);
}

static void report_verify_markdown(struct strbuf *out, const struct verify_report *report)
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
	report_markdown_suppressions(out, report->suppressions, SIZE_MAX);
}

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style)
{
	switch (format) {
	case VERIFY_TEXT: report_verify_text(out, report, style); return;
	case VERIFY_JSON: report_verify_json(out, report); return;
	case VERIFY_MARKDOWN: report_verify_markdown(out, report); return;
	case VERIFY_JUNIT: report_verify_junit(out, report); return;
	case VERIFY_SARIF: report_verify_sarif(out, report); return;
	case VERIFY_GITHUB: report_verify_github(out, report); return;
	}
}
