/*
 * report/diff_markdown.c - a diff for a pull request, in at most 65,536 characters
 *
 * A record or an enum is a heading and a code block, which has the same lines as the text format. Any other
 * change is a row of a table.
 */
#include "report/internal.h"

static const struct report_style markdown_style = { .markdown = true };

/*
 * Writes the lines of text after the heading of a change, as a "diff" code block: GitHub colours its lines by
 * their first character. GitHub has no colour for "~", so "!" replaces it.
 */
static void markdown_lines(struct sheet *sheet, const struct diff_change *change)
{
	static const struct report_style style = { .columns = SIZE_MAX };
	struct strbuf lines = { 0 }, *out = sheet->out;
	const char *at;

	report_change_lines(&lines, change, &style);
	sheet_code(sheet, "diff");
	for (at = strbuf_text(&lines); *at; at += strcspn(at, "\n") + 1) {
		at += strspn(at, " ") < 4 ? strspn(at, " ") : 4;
		if (*at == '~')
			strbuf_addch(out, '!');
		else if (*at == '`') /* only a line that begins with a fence ends the block */
			strbuf_addch(out, '\'');
		else if (*at != '\n')
			strbuf_addch(out, *at);
		if (*at != '\n')
			strbuf_add(out, at + 1, strcspn(at, "\n") - 1);
		strbuf_addch(out, '\n');
	}
	sheet_code_end(sheet);
	strbuf_release(&lines);
}

/* Returns the family of an ioctl, and the kind of any other item. */
static const char *unit_or_family(const struct diff_change *change)
{
	return change->family ? change->family : report_unit(change);
}

/* Writes a change as a heading, followed by its lines in a code block. */
static void markdown_paragraph(struct sheet *sheet, const struct diff_change *change)
{
	const char *was = change->base_name;
	struct strbuf words = { 0 };

	if (change->kind == ABI_RECORD)
		report_sizes(&words, change, "→");
	else
		report_enum_type(&words, change, "→");
	report_classes(&sheet->plain, change->classes);
	sheet_heading(sheet, SHEET_SUBSECTION, "%s " NAME "%s" NAME "%s: %s%s%s", unit_or_family(change),
		      change->name, was ? " (was " : "", was ? was : "", was ? ")" : "",
		      strbuf_text(&sheet->plain), words.length ? ", " : "", strbuf_text(&words));
	markdown_lines(sheet, change);
	strbuf_release(&words);
}

/* Writes a change and those reported under it as a row, without fields. Begins a table if necessary. */
static void markdown_row(struct sheet *sheet, const struct diff_change *change)
{
	static const struct sheet_column columns[] = {
		{ .title = "what" }, { .title = "change" }, { .title = "now" }, { 0 }
	};
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const char *params = !after ? before ? before->params : NULL : after->params;
	struct strbuf *words = &sheet->plain, *row;

	if (sheet->block != SHEET_TABLE)
		sheet_table(sheet, columns);
	row = sheet_begin_row(sheet);
	report_textf(row, "%s " NAME "\t", unit_or_family(change), change->name);
	report_classes(row, change->classes);
	report_change_words(words, change);
	if (params && !(before && after && before->params && strcmp(before->params, params)))
		strbuf_addf(words, "; parameters: %s", params);
	if (change->new_role_count)
		strbuf_adds(words, "; new: ");
	report_new_roles(words, change);
	for (size_t i = 0; change->base_name && i < change->reported_count; i++)
		report_renamed_with_words(words, change->reported[i], "; ");
	sheet_add_cell(sheet);
	sheet_end_row(sheet);
}

/*
 * A diff for a pull request: the verdict, the work to do, and all other changes inside <details>.
 *
 * GitHub refuses a text of more than REPORT_DIFF_MARKDOWN_LIMIT characters:
 *
 * 1. The whole report is rendered. If it fits, it is the result.
 * 2. Otherwise, changes become rows of a table, or are left out, in the order of set_forms(). A note says so,
 *    and only the first suppressions to review are listed. A binary search finds how many steps are enough.
 * 3. If the names of the versions or of the proxy are so long that this report does not fit either, one
 *    sentence replaces it.
 */

enum form { FORM_FULL, FORM_ROW, FORM_NONE, FORM_UNDER, FORM_FOLDED };

struct markdown {
	struct sheet sheet;
	const struct diff_report *report;
	const struct diff *diff; /* the same as report->diff */
	enum form *form;         /* indexed by change; malloc'd */
	bool *is_large;          /* the same; set if the whole report does not fit */
	size_t suppression_room; /* bytes for the lines of the suppression file */
	size_t rows, left_out;   /* number of paragraphs that became rows, and of changes left out */
};

enum { SUPPRESSION_BYTES = 8192 }; /* room for the lines of the suppression file */

/* Writes a section's changes, each in its form. Without a table, all are in DIFF_SECTION_NONE. */
static void markdown_changes(struct markdown *markdown, enum diff_section section)
{
	size_t folded = 0;

	markdown->sheet.block = SHEET_NONE; /* the rows are not of a table before these changes */
	for (size_t i = 0; i < markdown->diff->change_count; i++) {
		const struct diff_change *change = &markdown->diff->changes[i];

		if (change->section != section)
			continue;
		if (markdown->form[i] == FORM_FULL && !report_is_one_line(change))
			markdown_paragraph(&markdown->sheet, change);
		else if (markdown->form[i] == FORM_FULL || markdown->form[i] == FORM_ROW)
			markdown_row(&markdown->sheet, change);
		folded += markdown->form[i] == FORM_FOLDED;
	}
	strbuf_adds(markdown->sheet.out, folded ? "\n" : "");
	report_flags_fold(markdown->sheet.out, folded, "ioctl", ".");
}

static void markdown_summary(struct strbuf *out, const struct diff *diff)
{
	static const enum abi_kind order[] = { ABI_RECORD, ABI_IOCTL, ABI_ENUM, ABI_ALIAS, ABI_CONSTANT };

	strbuf_adds(out, "\n| | changed | added | removed |\n|---|---:|---:|---:|\n");
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		const struct diff_count *count = &diff->summary[order[i]];

		strbuf_addf(out, "| %s | %zu | %zu | %zu |\n", abi_kind_name(order[i]), count->changed,
			    count->added, count->removed);
	}
}

static bool has_section(const struct diff *diff, enum diff_section section)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (diff->changes[i].section == section)
			return true;
	return false;
}

/* Writes a section, collapsed unless it has work to do; nothing if no change is in the section. */
static void markdown_section(struct markdown *markdown, enum diff_section section)
{
	bool is_folded = section == DIFF_SECTION_UNREAD || section == DIFF_SECTION_NONE;
	struct sheet *sheet = &markdown->sheet;

	if (!has_section(markdown->diff, section))
		return;
	report_section_title(&sheet->plain, markdown->diff, section,
			     is_folded ? "it" : markdown->diff->view->table->proxy);
	sheet_heading(sheet, is_folded ? SHEET_DETAILS : SHEET_SECTION, "%s", sheet->plain.text);
	markdown_changes(markdown, section);
	if (is_folded)
		sheet_details_end(sheet);
}

/* Writes how many changes did not fit, and the command that shows them; nothing if all fit. */
static void markdown_left_out(struct markdown *markdown)
{
	const struct diff *diff = markdown->diff;
	struct strbuf command = { 0 }, *out = markdown->sheet.out;

	if (!markdown->rows && !markdown->left_out)
		return;
	strbuf_addf(&command, "run_differ %s %s", diff->base->version, diff->next->version);
	for (unsigned bit = 0, named = 0; bit < DIFF_CLASS_COUNT; bit++)
		if (markdown->report->classes & 1u << bit)
			strbuf_addf(&command, "%s%s", named++ ? "," : " --class ",
				    report_class_name(bit));
	if (markdown->report->record)
		strbuf_addf(&command, " --record '%s'", markdown->report->record);
	strbuf_adds(&command, diff->view ? " --table TABLE -v" : " -v");
	strbuf_addf(out, "\nTo fit into %d characters, this report leaves out ",
		    REPORT_DIFF_MARKDOWN_LIMIT);
	if (markdown->rows) {
		strbuf_adds(out, "the fields of ");
		strbuf_plural(out, markdown->rows, "change");
	}
	strbuf_adds(out, markdown->rows && markdown->left_out ? ", and all of " : "");
	if (markdown->left_out)
		strbuf_plural(out, markdown->left_out, "change");
	escape_addf(out, escape_markdown_code, ". %s shows all.\n", command.text);
	strbuf_release(&command);
}

/* Renders the report, with each change in the form that markdown->form has for it. */
static void markdown_report(struct markdown *markdown)
{
	static const enum diff_section order[] = { DIFF_SECTION_READ, DIFF_SECTION_HANDLER,
						   DIFF_SECTION_UNREAD, DIFF_SECTION_NONE };
	const struct diff *diff = markdown->diff;
	struct strbuf *out = markdown->sheet.out;

	report_diff_head(&markdown->sheet, markdown->report);
	for (size_t i = 0; diff->view && i < sizeof(order) / sizeof(*order); i++)
		markdown_section(markdown, order[i]);
	if (diff->change_count)
		markdown_summary(out, diff);
	if (!diff->view)
		markdown_changes(markdown, DIFF_SECTION_NONE);
	markdown_left_out(markdown);
	report_warned(out, diff->base);
	report_warned(out, diff->next);
	report_suppressions(out, markdown->report->suppressions, &markdown_style, markdown->suppression_room);
}

/* Returns true if a change's paragraph fills a quarter of GitHub's limit, so that it is shortened first. */
static bool is_large(const struct diff_change *change)
{
	struct strbuf paragraph = { 0 };
	struct sheet sheet;
	bool is_large;

	if (report_is_one_line(change))
		return false;
	sheet_init(&sheet, &paragraph, &markdown_style);
	markdown_paragraph(&sheet, change);
	is_large = paragraph.length > REPORT_DIFF_MARKDOWN_LIMIT / 4;
	sheet_release(&sheet);
	strbuf_release(&paragraph);
	return is_large;
}

/*
 * Sets the form of every change, and counts those that became rows or are left out. @steps: how many times a
 * change is shortened. First the large paragraphs become rows, from the last one on. Then the changes of
 * items that the proxy does not forward become rows, and then they are left out. Forwarded items are next.
 */
static void set_forms(struct markdown *markdown, size_t steps)
{
	const struct diff *diff = markdown->diff;

	markdown->rows = markdown->left_out = 0;
	for (size_t i = 0; i < diff->change_count; i++)
		markdown->form[i] = report_only_flags(&diff->changes[i]) ? FORM_FOLDED
				    : diff->changes[i].under             ? FORM_UNDER
									 : FORM_FULL;
	/* pass -1: large paragraphs; 0 and 1: items that are not forwarded; 2 and 3: forwarded items */
	for (int pass = -1; pass < 4; pass++)
		for (size_t i = diff->change_count; i-- > 0 && steps;) {
			const struct diff_change *change = &diff->changes[i];
			const enum form form = pass == 1 || pass == 3 ? FORM_NONE : FORM_ROW;

			if ((pass < 0 ? !markdown->is_large[i] : change->proxied != pass / 2) ||
			    markdown->form[i] == FORM_FOLDED || markdown->form[i] == FORM_UNDER ||
			    markdown->form[i] == form)
				continue;
			steps--;
			if (!report_is_one_line(change))
				markdown->rows += form == FORM_ROW ? 1 : -1;
			markdown->left_out += form == FORM_NONE;
			markdown->form[i] = form;
		}
}

static void render(struct markdown *markdown, size_t steps)
{
	set_forms(markdown, steps);
	strbuf_reset(markdown->sheet.out);
	markdown_report(markdown);
}

void report_diff_markdown(struct strbuf *out, const struct diff_report *report)
{
	const size_t count = report->diff->change_count, limit = REPORT_DIFF_MARKDOWN_LIMIT;
	struct strbuf text = { 0 };
	struct markdown markdown = { .report = report, .diff = report->diff, .suppression_room = SIZE_MAX };
	size_t low = 0, high = 2 * count; /* the fewest steps (set_forms()) that are enough are between */

	markdown.form = xmalloc((count + 1) * sizeof(*markdown.form));
	markdown.is_large = xmalloc((count + 1) * sizeof(*markdown.is_large));
	sheet_init(&markdown.sheet, &text, &markdown_style);
	render(&markdown, 0);
	if (text.length > limit) {
		for (size_t i = 0; i < count; i++)
			markdown.is_large[i] = is_large(&report->diff->changes[i]);
		markdown.suppression_room = SUPPRESSION_BYTES;
		while (low < high) {
			render(&markdown, (low + high) / 2);
			if (text.length > limit)
				low = (low + high) / 2 + 1;
			else
				high = (low + high) / 2;
		}
		render(&markdown, high);
	}
	if (text.length <= limit)
		strbuf_add(out, strbuf_text(&text), text.length);
	else
		strbuf_addf(
			out,
			"This report does not fit into %d characters. `run_differ` without `--format markdown` shows it.\n",
			REPORT_DIFF_MARKDOWN_LIMIT);
	sheet_release(&markdown.sheet);
	free(markdown.is_large);
	free(markdown.form);
	strbuf_release(&text);
}
