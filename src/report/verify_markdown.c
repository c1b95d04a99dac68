#include "report/verify_internal.h"

static void markdown_versions(struct strbuf *out, const struct verify_report *report)
{
	strbuf_adds(out, "| version | status | findings | suppressed | not checked | fields compared |\n|---|---|---:|---:|---:|---:|\n");
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
				escape_addf(out, escape_markdown, "; accepted until %s: %s", by->expires_text, by->reason);
			strbuf_adds(out, " | | | | |\n");
		} else {
			strbuf_addf(out, " | %s | %zu | %zu | %zu | %zu |\n", verify_status_name(version->status), version->result.finding_count,
				    version->suppressed_count, version->result.unseen_count, version->result.leaf_count);
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

static void markdown_line(struct strbuf *out, const struct verify_report *report, const struct verify_groups *groups,
			  const struct finding_line *line)
{
	bool counts = line->first->unseen || report->fails[line->first->rule];
	struct strbuf versions = { 0 };

	strbuf_addf(out, "%s | ", verify_rule_name(line->first->rule));
	escape_markdown(out, line->message);
	if (line->finding_count > 1)
		strbuf_addf(out, " (%zu findings%s)", line->finding_count, counts ? "" : ", which do not count");
	else if (!counts)
		strbuf_adds(out, " (does not count)");
	strbuf_adds(out, " | ");
	verify_line_versions(&versions, groups, line);
	escape_markdown(out, groups->version_count > 1 ? strbuf_text(&versions) : groups->names[0]);
	strbuf_adds(out, " |\n");
	strbuf_release(&versions);
}

static void markdown_blocks(struct strbuf *out, const struct verify_report *report, const struct verify_groups *groups, const char *heading,
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
static size_t markdown_suppression_rows(struct strbuf *out, const struct suppressions *suppressions, size_t room)
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
		strbuf_adds(out, "\n### Suppressions to look at\n");
	if (rows.length)
		strbuf_addf(out, "\n| line | state | rule | entry | versions | expires | reason |\n|---:|---|---|---|---|---|---|\n%s", rows.text);
	if (left_out) {
		strbuf_adds(out, "\n");
		strbuf_plural(out, left_out, rows.length ? "more line" : "line");
		strbuf_adds(out, left_out == 1 ? " is not listed here.\n" : " are not listed here.\n");
	}
	strbuf_release(&rows);
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
	report_markdown_suppressions(out, report->suppressions, SIZE_MAX);
}
