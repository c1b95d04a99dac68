/*
 * A diff for a pull request: the verdict, what there is to do, and folded away
 * below <details> all that nothing need be done about.
 *
 * GitHub refuses what has more than REPORT_DIFF_MARKDOWN_LIMIT characters:
 *
 * 1. The whole report is rendered. If it fits, that is it.
 * 2. If not, each change gets a form, in the order of the report: in full, if
 *    the rows of those behind it fit as well; or a row of a table; or nothing.
 *    What the proxy does not forward is left out first.
 * 3. The report is rendered again by these forms, and says what it lacks. Of
 *    the suppressions to look at, it then lists the first ones.
 * 4. Names of versions or of the proxy that are too long by themselves leave one sentence.
 */
#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/verify_internal.h"

#include <stdlib.h>
#include <string.h>

enum form { FORM_FULL, FORM_ROW, FORM_NONE, FORM_UNDER, FORM_FOLDED };

struct markdown {
	struct strbuf *out;
	const struct diff_report *report;
	const struct diff *diff; /* of @report */
	enum form *form;         /* by change; malloc'd */
	size_t suppression_room; /* bytes for the lines of the suppression file */
	bool in_table;
	size_t rows, left_out;   /* paragraphs that became rows, and changes that there was no room for */
};

enum { NOTE_BYTES = 400, SUPPRESSION_BYTES = 8192 }; /* what the sentence on what is left out needs, and more; lines of suppressions then */

static const char table_head[] = "\n| what | change | now |\n|---|---|---|\n";

static bool is_row(const struct diff_change *change)
{
	return change->same_as || change->kind == ABI_IOCTL || change->kind == ABI_ALIAS || change->kind == ABI_CONSTANT;
}

static void markdown_change(struct markdown *markdown, const struct diff_change *change, enum form form)
{
	if (form == FORM_FULL && !is_row(change)) {
		report_markdown_paragraph(markdown->out, change);
		markdown->in_table = false;
		return;
	}
	if (!markdown->in_table)
		strbuf_adds(markdown->out, table_head);
	markdown->in_table = true;
	report_markdown_row(markdown->out, change);
}

/* Changes of one section, or of all without a table. */
static void markdown_changes(struct markdown *markdown, enum diff_section section)
{
	size_t folded = 0;

	markdown->in_table = false;
	for (size_t i = 0; i < markdown->diff->change_count; i++) {
		const struct diff_change *change = &markdown->diff->changes[i];

		if (change->section != section)
			continue;
		if (markdown->form[i] == FORM_FULL || markdown->form[i] == FORM_ROW)
			markdown_change(markdown, change, markdown->form[i]);
		folded += markdown->form[i] == FORM_FOLDED;
	}
	strbuf_adds(markdown->out, folded ? "\n" : "");
	report_flags_fold(markdown->out, folded, "ioctl", ".");
}

static void markdown_summary(struct strbuf *out, const struct diff *diff)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_IOCTL, ABI_ENUM, ABI_ALIAS, ABI_CONSTANT };

	strbuf_adds(out, "\n| | changed | added | removed |\n|---|---:|---:|---:|\n");
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		const struct diff_count *count = &diff->summary[order[i]];

		strbuf_addf(out, "| %s | %zu | %zu | %zu |\n", abi_kind_name(order[i]), count->changed, count->added, count->removed);
	}
}

static bool has_section(const struct diff *diff, enum diff_section section)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (diff->changes[i].section == section)
			return true;
	return false;
}

/* What there is to do stands open; the rest is folded away. */
static void markdown_section(struct markdown *markdown, enum diff_section section)
{
	bool is_folded = section == DIFF_SECTION_UNREAD || section == DIFF_SECTION_NONE;
	struct strbuf title = { 0 };

	if (!has_section(markdown->diff, section))
		return;
	report_section_title(&title, markdown->diff, section, is_folded ? "it" : markdown->diff->view->table->proxy);
	if (is_folded)
		strbuf_addf(markdown->out, "\n<details><summary>%s</summary>\n", title.text); /* HTML: no name from outside */
	else
		escape_addf(markdown->out, escape_markdown, "\n### %s\n", title.text);
	strbuf_release(&title);
	markdown_changes(markdown, section);
	strbuf_adds(markdown->out, is_folded ? "\n</details>\n" : "");
}

static void markdown_verdict(struct strbuf *out, const struct diff_report *report)
{
	struct strbuf sentence = { 0 };

	report_verdict(&sentence, report);
	escape_addf(out, escape_markdown, "**%s**\n\n", sentence.text);
	strbuf_reset(&sentence);
	report_verdict_proof(&sentence, report);
	if (sentence.length)
		escape_addf(out, escape_markdown, "%s.\n\n", sentence.text);
	strbuf_release(&sentence);
}

static void markdown_head(struct strbuf *out, const struct diff_report *report)
{
	const struct diff *diff = report->diff;

	if (diff->view)
		markdown_verdict(out, report);
	escape_addf(out, escape_markdown, "## %s %s → %s\n\n", diff->base->driver, diff->base->version, diff->next->version);
	escape_markdown_code(out, diff->base->target);
	if (diff->view)
		escape_addf(out, escape_markdown, ", seen from %s (node %s)", diff->view->table->proxy, diff->view->node->version);
	if (report->suppressed_count) {
		strbuf_adds(out, "; ");
		strbuf_plural(out, report->suppressed_count, "change");
		strbuf_adds(out, " suppressed");
	}
	strbuf_adds(out, "\n");
}

/* What there was no room for, and how to see it. */
static void markdown_left_out(struct markdown *markdown)
{
	const struct diff *diff = markdown->diff;
	struct strbuf command = { 0 };

	if (!markdown->rows && !markdown->left_out)
		return;
	strbuf_addf(&command, "run_differ %s %s%s", diff->base->version, diff->next->version, diff->view ? " --table TABLE -v" : " -v");
	strbuf_addf(markdown->out, "\nTo fit into %d characters, this leaves out the fields of ", REPORT_DIFF_MARKDOWN_LIMIT);
	strbuf_plural(markdown->out, markdown->rows, "change");
	if (markdown->left_out)
		strbuf_addf(markdown->out, ", and the whole of %zu", markdown->left_out);
	escape_addf(markdown->out, escape_markdown_code, ". %s shows all.\n", command.text);
	strbuf_release(&command);
}

static void markdown_report(struct markdown *markdown)
{
	static const enum diff_section order[] = { DIFF_SECTION_READ, DIFF_SECTION_HANDLER, DIFF_SECTION_UNREAD, DIFF_SECTION_NONE };
	const struct diff *diff = markdown->diff;

	markdown_head(markdown->out, markdown->report);
	if (!diff->change_count)
		strbuf_adds(markdown->out, markdown->report->suppressed_count ? "\nNo other difference.\n" : "\nNo difference.\n");
	for (size_t i = 0; diff->view && i < sizeof(order) / sizeof(*order); i++)
		markdown_section(markdown, order[i]);
	if (diff->change_count)
		markdown_summary(markdown->out, diff);
	if (!diff->view)
		markdown_changes(markdown, DIFF_SECTION_NONE);
	markdown_left_out(markdown);
	report_markdown_suppressions(markdown->out, markdown->report->suppressions, markdown->suppression_room);
}

/* Bytes of one change by itself, without the head of a table; there are no more characters than bytes. */
static size_t size_of(const struct markdown *markdown, const struct diff_change *change, enum form form)
{
	struct strbuf out = { 0 };
	struct markdown one = { .out = &out, .diff = markdown->diff, .in_table = true };
	size_t size;

	markdown_change(&one, change, form);
	size = out.length;
	strbuf_release(&out);
	return size;
}

static size_t size_of_rows(const struct markdown *markdown, bool proxied)
{
	size_t size = 0;

	for (size_t i = 0; i < markdown->diff->change_count; i++)
		if (markdown->diff->changes[i].proxied == proxied && markdown->form[i] == FORM_FULL)
			size += size_of(markdown, &markdown->diff->changes[i], FORM_ROW);
	return size;
}

/* The forms of what the proxy forwards, or of the rest, in @room bytes. Return: what is left of these. */
static size_t choose_forms(struct markdown *markdown, bool proxied, size_t room)
{
	const struct diff *diff = markdown->diff;
	size_t rows = size_of_rows(markdown, proxied); /* of all that are still to come */

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];
		size_t row, full;

		if (change->proxied != proxied || markdown->form[i] != FORM_FULL)
			continue;
		row = size_of(markdown, change, FORM_ROW);
		full = size_of(markdown, change, FORM_FULL);
		rows -= row;
		if (full + rows > room)
			markdown->form[i] = row <= room ? FORM_ROW : FORM_NONE;
		room -= markdown->form[i] == FORM_FULL ? full : markdown->form[i] == FORM_ROW ? row : 0;
		markdown->rows += markdown->form[i] == FORM_ROW && !is_row(change);
		markdown->left_out += markdown->form[i] == FORM_NONE;
	}
	return room;
}

/* The first forms: everything that is told by itself in full. */
static void set_forms(struct markdown *markdown)
{
	for (size_t i = 0; i < markdown->diff->change_count; i++) {
		const struct diff_change *change = &markdown->diff->changes[i];

		markdown->form[i] = report_only_flags(change) ? FORM_FOLDED : change->under ? FORM_UNDER : FORM_FULL;
	}
}

/* Renders everything but the changes. Return: its bytes. */
static size_t frame_size(const struct markdown *markdown)
{
	struct strbuf out = { 0 };
	struct markdown frame = { .out = &out, .report = markdown->report, .diff = markdown->diff, .suppression_room = SUPPRESSION_BYTES };
	size_t size;

	frame.form = xmalloc((markdown->diff->change_count + 1) * sizeof(*frame.form));
	for (size_t i = 0; i < markdown->diff->change_count; i++)
		frame.form[i] = markdown->form[i] == FORM_FOLDED ? FORM_FOLDED : FORM_NONE;
	markdown_report(&frame);
	size = out.length + NOTE_BYTES;
	free(frame.form);
	strbuf_release(&out);
	return size;
}

/* Renders again by forms that fit into @room bytes, but for the heads of tables. */
static void shorten(struct markdown *markdown, size_t room)
{
	strbuf_reset(markdown->out);
	markdown->suppression_room = SUPPRESSION_BYTES;
	markdown->rows = markdown->left_out = 0;
	set_forms(markdown);
	choose_forms(markdown, false, choose_forms(markdown, true, room));
	markdown_report(markdown);
}

void report_diff_markdown(struct strbuf *out, const struct diff_report *report)
{
	struct strbuf text = { 0 };
	struct markdown markdown = { .out = &text, .report = report, .diff = report->diff, .suppression_room = SIZE_MAX };
	size_t room = REPORT_DIFF_MARKDOWN_LIMIT, frame;

	markdown.form = xmalloc((report->diff->change_count + 1) * sizeof(*markdown.form));
	set_forms(&markdown);
	markdown_report(&markdown);
	for (frame = frame_size(&markdown); text.length > REPORT_DIFF_MARKDOWN_LIMIT && room; shorten(&markdown, room)) {
		size_t excess = room == REPORT_DIFF_MARKDOWN_LIMIT ? frame : text.length - REPORT_DIFF_MARKDOWN_LIMIT;

		room = room > excess ? room - excess : 0;
	}
	if (text.length <= REPORT_DIFF_MARKDOWN_LIMIT)
		strbuf_add(out, strbuf_text(&text), text.length);
	else
		strbuf_addf(out, "This report does not fit into %d characters. `run_differ` without `--format markdown` shows it.\n",
			    REPORT_DIFF_MARKDOWN_LIMIT);
	free(markdown.form);
	strbuf_release(&text);
}
