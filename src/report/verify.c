/* report/verify.c - the result of verify, a table compared with the driver, as text and Markdown */
#include "report/internal.h"

/*
 * The suppression file of verify --write-suppress. Comments above each line list the findings that it covers.
 */

void report_acceptances(struct strbuf *out, const struct table *table, const struct acceptances *accepted)
{
	strbuf_adds(out,
		    "# Findings of drvabi verify that are accepted: RULE ENTRY[:FIELD,...] VERSIONS EXPIRES REASON\n");
	report_textf(out, "# Found in %s (%s).\n", table->proxy, table->revision);
	strbuf_adds(out,
		    "# To write this file again, with its reasons: the same command, with --suppress FILE "
		    "--write-suppress FILE\n");
	for (size_t i = 0; i < accepted->count; i++) {
		const struct acceptance *one = &accepted->item[i];

		strbuf_addch(out, '\n');
		for (size_t f = 0; f < one->finding_count; f++) {
			const struct verify_finding *of = one->findings[f];

			report_textf(out, "# %s%s %s: %s\n", of->unseen ? "not checked: " : "", of->family,
				     of->entry, of->message);
		}
		/* Words of a line are printable ASCII (verify.h). Escaping would change what they match. */
		strbuf_addf(out, "%s  %s  %s  %s  ", one->rule, one->entry, one->versions, one->expires);
		escape_terminal(out, one->reason);
		strbuf_addch(out, '\n');
	}
}

/* Counts and comparisons that several renderers of verify print. */

const char *verify_status_name(enum verify_status status)
{
	static const char *const names[] = { "pass", "fail", "unavailable" };

	return names[status];
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

void verify_sort_versions(struct verify_versions *out, const struct verify_report *report, bool unavailable,
			  struct arena *arena)
{
	struct verify_version *versions = arena_array(arena, report->version_count + 1, sizeof(*versions));
	const char **names = arena_array(arena, report->version_count + 1, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *one = &report->versions[i];

		if (one->status != VERIFY_UNAVAILABLE ||
		    (unavailable && (one->failing || one->suppressed_count)))
			versions[count++] = *one;
	}
	sort_items(versions, count, sizeof(*versions), abi_order_versions);
	for (size_t i = 0; i < count; i++)
		names[i] = versions[i].version;
	*out = (struct verify_versions){ versions, names, count };
}

/*
 * Groups the findings of all versions with findings_group(), or, if @unseen, those about what could not be
 * checked. @out points into @versions and @arena.
 */
static void group_findings(struct finding_blocks *out, const struct verify_versions *versions, bool unseen,
			   bool fold, struct arena *arena)
{
	struct finding_at *items = NULL;
	size_t count = 0;

	for (size_t i = 0; i < versions->count; i++) {
		const struct verify_result *result = &versions->versions[i].result;
		const struct verify_finding *findings = unseen ? result->unseen : result->findings;

		for (size_t f = 0; f < (unseen ? result->unseen_count : result->finding_count); f++) {
			items = arena_room(arena, items, count, sizeof(*items));
			items[count++] = (struct finding_at){ &findings[f], i };
		}
	}
	findings_group(out, items, count, fold, arena);
}

/* Appends "1.0, 2.0..2.4 (4 versions)" or "all 5 versions compared"; nothing if only one was compared. */
static void verify_line_versions(struct strbuf *out, const struct verify_versions *versions,
				 const struct finding_line *line)
{
	if (line->version_count == versions->count) {
		if (versions->count > 1)
			strbuf_addf(out, "all %zu versions compared", versions->count);
		return;
	}
	findings_runs(out, versions->names, line->versions, line->version_count);
	if (line->version_count > 2)
		strbuf_addf(out, " (%zu versions)", line->version_count);
}

size_t verify_unseen_entries(const struct verify_report *report)
{
	struct verify_versions versions;
	struct finding_blocks unseen;
	struct arena arena = { 0 };

	verify_sort_versions(&versions, report, false, &arena);
	group_findings(&unseen, &versions, true, false, &arena);
	arena_release(&arena);
	return unseen.entry_count;
}

/* Returns the suppression that accepts an unavailable version; NULL if none does. */
static const struct suppression *verify_accepted(const struct verify_version *version)
{
	return version->status == VERIFY_UNAVAILABLE && version->suppressed_count ? version->suppressed[0].by
										  : NULL;
}

/*
 * verify_to_do - return, as an imperative clause, how to make the unavailable versions available; NULL if all
 * versions are available
 */
static const char *verify_to_do(const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++)
		if (report->versions[i].status == VERIFY_UNAVAILABLE)
			return report->versions[i].to_do;
	return NULL;
}

/* Counts the unavailable versions that fail the run. */
static size_t verify_failing_unavailable(const struct verify_report *report)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		count += report->versions[i].status == VERIFY_UNAVAILABLE && report->versions[i].failing;
	return count;
}

/*
 * verify_totals - append "2 of 3 versions checked: 2 pass, 0 fail, 1 unavailable", and the number of entries
 * that were not entirely checked, if any
 */
static void verify_totals(struct strbuf *out, const struct verify_report *report)
{
	size_t unseen = verify_unseen_entries(report), unavailable = verify_count(report, VERIFY_UNAVAILABLE),
	       failing = verify_failing_unavailable(report), accepted = 0;

	for (size_t i = 0; i < report->version_count; i++)
		accepted += verify_accepted(&report->versions[i]) != NULL;
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
	strbuf_adds(out, "; ");
	strbuf_plural(out, unseen, "entry");
	strbuf_adds(out, " not entirely checked");
}

/* --- text and Markdown --------------------------------------------------------------- */

/* Writes the versions that could not be read, why, and how to check or to accept them. */
static void write_unavailable(struct sheet *sheet, const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct suppression *by = verify_accepted(version);

		if (version->status != VERIFY_UNAVAILABLE)
			continue;
		if (version->failing)
			sheet_item(sheet, SHEET_ITEM, "%s is unavailable: %s; " ALARM("%s"), version->version,
				   version->reason, "fails the run");
		else if (by)
			sheet_item(sheet, SHEET_ITEM, "%s is unavailable: %s; accepted until %s: %s",
				   version->version, version->reason, by->expires_text, by->reason);
		else
			sheet_item(sheet, SHEET_ITEM, "%s is unavailable: %s", version->version,
				   version->reason);
	}
	if (!verify_to_do(report))
		return;
	sheet_paragraph(sheet, SHEET_PLAIN, "To check the unavailable versions, %s.", verify_to_do(report));
	if (!verify_failing_unavailable(report))
		return;
	sheet_paragraph(sheet, SHEET_PLAIN,
			"To accept them temporarily, give --suppress a file with these lines, each with an "
			"expiry date and a reason:");
	sheet_code(sheet, "text");
	for (size_t i = 0; i < report->version_count; i++)
		if (report->versions[i].status == VERIFY_UNAVAILABLE && report->versions[i].failing)
			sheet_code_line(sheet, INK_NONE, "unavailable * %s YYYY-MM-DD REASON",
					report->versions[i].version);
	sheet_code_end(sheet);
}

/*
 * Writes the status and counts of each version that was compared; nothing if all are unavailable. The column
 * "node" names the node if it is not the version's own, or says that the own node is not supported.
 */
static void write_version_table(struct sheet *sheet, const struct verify_report *report)
{
	static const struct sheet_column all[] = {
		{ .title = "status", .width = 6 },
		{ .title = "version", .width = 10 },
		{ .title = "entries", .width = 7, .is_number = true },
		{ .title = "structs", .width = 7, .is_number = true },
		{ .title = "fields", .width = 6, .is_number = true },
		{ .title = "findings", .width = 8, .is_number = true },
		{ .title = "accepted", .width = 8, .is_number = true },
		{ .title = "unchecked", .width = 9, .is_number = true },
		{ .title = "node" },
	};
	struct sheet_column columns[SHEET_COLUMNS + 1] = { 0 };
	bool has_between = false;
	struct strbuf *row;
	size_t count = 0;

	if (verify_count(report, VERIFY_UNAVAILABLE) == report->version_count)
		return;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (report->suppressions || strcmp(all[i].title, "accepted"))
			columns[count++] = all[i];
	sheet_table(sheet, columns);
	for (size_t i = 0; i < report->version_count; i++) {
		const struct verify_version *version = &report->versions[i];
		const struct verify_result *result = &version->result;
		const char *node;

		if (version->status == VERIFY_UNAVAILABLE)
			continue;
		node = result->view->node->version;
		if (!strcmp(node, version->version))
			node = version->supported ? "" : "between";
		has_between |= !strcmp(node, "between");
		row = sheet_begin_row(sheet);
		report_textf(row, version->status == VERIFY_PASS ? "%s\t%s" : ALARM("%s") "\t%s",
			     verify_status_name(version->status), version->version);
		report_textf(row, "\t%zu\t%zu\t%zu\t", result->entry_count, result->struct_count,
			     result->scalar_count);
		if (version->failing != result->finding_count) /* some findings do not count */
			report_textf(row, "%zu of ", version->failing);
		report_textf(row, "%zu", result->finding_count);
		if (report->suppressions)
			report_textf(row, "\t%zu", version->suppressed_count);
		report_textf(row, "\t%zu\t%s", result->unseen_count, node);
		sheet_end_row(sheet);
	}
	if (has_between)
		sheet_paragraph(sheet, SHEET_PLAIN, "between: a node that is not a supported version");
}

/* Writes similar findings of all versions as one row; nothing if none. @unseen: as in group_findings() */
static void write_findings(struct sheet *sheet, const struct verify_report *report, bool unseen)
{
	static const struct sheet_column columns[] = {
		{ .title = "rule", .width = 18 }, { .title = "entry" }, { .title = "what", .is_below = true },
		{ .title = "versions", .is_below = true, .before = "in " }, { 0 }
	};
	struct verify_versions versions;
	struct finding_blocks blocks;
	char entries[PLURAL_BYTES];
	struct arena arena = { 0 };

	verify_sort_versions(&versions, report, false, &arena);
	group_findings(&blocks, &versions, unseen, !sheet->style->verbose, &arena);
	if (blocks.count) {
		sheet_heading(sheet, SHEET_SECTION, "%s: %s", unseen ? "Not checked" : "Findings",
			      report_plural(blocks.entry_count, "entry", entries));
		sheet_table(sheet, columns);
	}
	for (size_t i = 0; i < blocks.count; i++)
		for (size_t n = 0; n < blocks.block[i].line_count; n++) {
			const struct finding_block *block = &blocks.block[i];
			const struct finding_line *line = &block->lines[n];
			bool counts = line->first->unseen || report->fails[line->first->rule];
			struct strbuf *row = sheet_begin_row(sheet);

			report_textf(row, "%s\t%s", verify_rule_name(line->first->rule), block->family);
			for (size_t e = 0; e < block->entry_count; e++)
				report_textf(row, "%s" NAME, e ? ", " : " ", block->entries[e]);
			report_textf(row, "\t%s", line->message);
			if (line->finding_count > 1)
				report_textf(row, " (%zu findings%s)", line->finding_count,
					     counts ? "" : ", which do not fail the run");
			else if (!counts)
				strbuf_adds(row, " (does not fail the run)");
			verify_line_versions(&sheet->plain, &versions, line);
			sheet_add_cell(sheet);
			sheet_end_row(sheet);
		}
	arena_release(&arena);
}

void report_suppressions(struct strbuf *out, const struct suppressions *suppressions,
			 const struct report_style *style, size_t room)
{
	static const struct sheet_column columns[] = {
		{ .title = "state", .width = 11 }, { .title = "line" }, { .title = "rule" },
		{ .title = "entry" }, { .title = "versions" }, { .title = "expires" },
		{ .title = "reason" }, { 0 }
	};
	size_t listed = 0, left_out = 0;
	char lines[PLURAL_BYTES];
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	for (size_t i = 0; suppressions && i < suppressions->count; i++) {
		const struct suppression *item = &suppressions->item[i];

		if (verify_is_settled(item))
			continue;
		if (!listed && !left_out) {
			sheet.start = SIZE_MAX; /* not the first block, so an empty line precedes it */
			sheet_heading(&sheet, SHEET_SECTION, "Suppressions to review");
			sheet_table(&sheet, columns);
			sheet.limit_bytes = room < SIZE_MAX - out->length ? out->length + room : SIZE_MAX;
		}
		if (left_out ||
		    !sheet_row(&sheet, "%s\t" NAMED("%s:%u") "\t%s\t" NAME "\t%s\t%s\t%s",
			       verify_state(item), suppressions->path, item->line, item->rule_text,
			       item->entry, item->versions, item->expires_text, item->reason))
			left_out++;
		else
			listed++;
	}
	if (left_out)
		sheet_paragraph(&sheet, SHEET_PLAIN, "%s %s not listed here.",
				report_plural(left_out, listed ? "more line" : "line", lines),
				left_out == 1 ? "is" : "are");
	sheet_release(&sheet);
}

void report_warned(struct strbuf *out, const struct abi *abi)
{
	char warnings[PLURAL_BYTES];
	struct sheet sheet;

	if (!abi->warning_count)
		return;
	sheet_init(&sheet, out, &(struct report_style){ .markdown = true });
	sheet.start = SIZE_MAX; /* not the first block, so an empty line precedes it */
	sheet_paragraph(
		&sheet, SHEET_PLAIN,
		"Extraction of %s gave %s: the items concerned may be wrong or missing here. -v lists them.",
		abi->version, report_plural(abi->warning_count, "warning", warnings));
	sheet_release(&sheet);
}

/*
 * Writes the whole report as text or Markdown: totals, versions, findings, unchecked entries, and the lines
 * of the suppression file that need a review; in Markdown also the number of extraction's warnings.
 */
static void write_report(struct strbuf *out, const struct verify_report *report,
			 const struct report_style *style)
{
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	sheet_heading(&sheet, SHEET_TITLE,
		      *report->table->revision ? "%s (%s) against the driver" : "%s against the driver",
		      report->table->proxy, report->table->revision);
	verify_totals(&sheet.plain, report);
	sheet_paragraph(&sheet, SHEET_STRONG, "%s", sheet.plain.text);
	write_version_table(&sheet, report);
	write_unavailable(&sheet, report);
	write_findings(&sheet, report, false);
	write_findings(&sheet, report, true);
	sheet_release(&sheet);
	for (size_t i = 0; style->markdown && i < report->version_count; i++)
		if (report->versions[i].status != VERIFY_UNAVAILABLE)
			report_warned(out, report->versions[i].result.abi);
	report_suppressions(out, report->suppressions, style, SIZE_MAX);
}

void report_verify(struct strbuf *out, const struct verify_report *report, enum verify_format format,
		   const struct report_style *style)
{
	switch (format) {
	case VERIFY_TEXT: write_report(out, report, style); return;
	case VERIFY_JSON: report_verify_json(out, report); return;
	case VERIFY_MARKDOWN: write_report(out, report, &(struct report_style){ .markdown = true }); return;
	case VERIFY_JUNIT: report_verify_junit(out, report); return;
	case VERIFY_SARIF: report_verify_sarif(out, report); return;
	case VERIFY_GITHUB: report_verify_github(out, report); return;
	}
}
