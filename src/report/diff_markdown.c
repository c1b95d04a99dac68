/*
 * report/diff_markdown.c - a diff for a pull request, in at most 65,536 characters
 */
/*
 * One change of a diff for a pull request: a paragraph, or a row of a table. diff_markdown_report.c puts them
 * together.
 */
#include "report/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FOLD_FROM = 4, REACH_SHOWN = 6, UNDER_SHOWN = 8 };

static void markdown_side(struct strbuf *out, const char *sign, const struct diff_field_side *side,
			  bool resized)
{
	char bits[32];

	report_textf(out, "%s %6s  %-36s %s", sign, report_bits(side->offset_bits, side->is_bitfield, bits),
		     side->path, side->type);
	if (side->is_bitfield)
		strbuf_addf(out, " : %" PRIu64, side->size_bits);
	if (side->role != ABI_ROLE_NONE)
		strbuf_addf(out, "  %s", abi_role_name(side->role));
	if (resized && !side->is_bitfield) {
		strbuf_adds(out, "  (");
		strbuf_plural(out, side->size_bits / 8, "byte");
		strbuf_adds(out, ")");
	}
	strbuf_addch(out, '\n');
}

static void markdown_fields(struct strbuf *out, const struct diff_change *change)
{
	if (!change->field_count)
		return;
	strbuf_adds(out, "\n```diff\n");
	for (size_t i = 0; i < change->field_count;) {
		const struct diff_field *field = &change->fields[i];
		size_t run = report_field_run(field, change->field_count - i);
		char bits[32];

		if (run >= FOLD_FROM) {
			report_textf(out, "! %6s  %zu fields, %s to %s, move by %+" PRId64 "\n",
				     report_bits(field->after->offset_bits, field->after->is_bitfield, bits),
				     run, field->after->path, field[run - 1].after->path,
				     (int64_t)(field->after->offset_bits - field->before->offset_bits) / 8);
			i += run;
			continue;
		}
		if (field->before)
			markdown_side(out, "-", field->before, field->resized);
		if (field->after)
			markdown_side(out, "+", field->after, field->resized);
		i++;
	}
	strbuf_adds(out, "```\n");
}

static void markdown_values(struct strbuf *out, const struct diff_change *change)
{
	char text[24];

	strbuf_adds(out, "\n```diff\n");
	for (size_t i = 0; i < change->value_count; i++) {
		const struct diff_value *value = &change->values[i];

		if (value->before)
			report_textf(out, "- %s = %s\n", value->base_name ? value->base_name : value->name,
				     abi_number_text(*value->before, text));
		if (value->after)
			report_textf(out, "+ %s = %s\n", value->name, abi_number_text(*value->after, text));
	}
	strbuf_adds(out, "```\n");
}

static void markdown_reach(struct strbuf *out, const struct diff_change *change)
{
	size_t shown = change->reach_count <= REACH_SHOWN ? change->reach_count : REACH_SHOWN;

	if (!change->reach_count)
		return;
	strbuf_adds(out, "\nCarried by ");
	for (size_t i = 0; i < shown; i++)
		escape_addf(out, escape_markdown_code, i ? ", %s" : "%s", change->reached_by[i].ioctl->name);
	if (shown < change->reach_count)
		strbuf_addf(out, " and %zu more", change->reach_count - shown);
	strbuf_adds(out, ".\n");
}

/* The reasons for a handler. */
static void markdown_came(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf roles = { 0 };

	if (!change->new_role_count)
		return;
	report_new_roles(&roles, change);
	escape_addf(out, escape_markdown_code, "\nNew: %s.\n", roles.text);
	strbuf_release(&roles);
}

/* The records that follow from this one, or that were added or removed with it. */
static void markdown_under(struct strbuf *out, const struct diff_change *root, bool inside)
{
	struct strbuf sizes = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < root->reported_count; i++) {
		const struct diff_change *change = root->reported[i];

		if (!change->inside == inside || count++ >= UNDER_SHOWN)
			continue;
		strbuf_reset(&sizes);
		report_sizes(&sizes, change, "→");
		strbuf_adds(out, count > 1 ? ", " : inside ? "\nWith it: " : "\nSo changed: ");
		escape_markdown_code(out, change->name);
		strbuf_addf(out, " (%s)", sizes.text);
	}
	if (count > UNDER_SHOWN)
		strbuf_addf(out, " and %zu more", count - UNDER_SHOWN);
	strbuf_adds(out, count ? ".\n" : "");
	strbuf_release(&sizes);
}

/*
 * report_markdown_paragraph - of a record or an enum: with its fields, and the changes below it.
 *
 * The heading of a record or an enum: a paragraph of its own.
 */
static void report_markdown_paragraph(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	struct strbuf name = { 0 }, type = { 0 };

	strbuf_addf(&name, "%s %s", report_unit(change), change->name);
	escape_addf(out, escape_markdown_code, "\n#### %s", name.text);
	strbuf_release(&name);
	if (change->base_name)
		escape_addf(out, escape_markdown_code, " (was %s)", change->base_name);
	strbuf_adds(out, ": ");
	report_classes(out, change->classes);
	if (before && after && before->size_bytes != after->size_bytes) {
		strbuf_adds(out, ", ");
		report_resized(out, before->size_bytes, after->size_bytes, "→", "byte");
	}
	report_aligned(out, change, "→");
	report_enum_type(&type, change, "→");
	if (type.length)
		escape_addf(out, escape_markdown_code, ", %s", type.text);
	strbuf_release(&type);
	strbuf_addch(out, '\n');
	if (before && after)
		markdown_fields(out, change);
	if (change->base_enum && change->next_enum)
		markdown_values(out, change);
	markdown_came(out, change);
	if (change->kind == ABI_RECORD)
		markdown_reach(out, change);
	markdown_under(out, change, false);
	markdown_under(out, change, true);
}

static void markdown_before_after(struct strbuf *out, const char *before, const char *after)
{
	if (before && *before && after && *after && strcmp(before, after))
		escape_addf(out, escape_markdown_code, "%s → %s", before, after);
	else if (after && *after)
		escape_addf(out, escape_markdown_code, "%s", after);
	else if (before && *before)
		escape_addf(out, escape_markdown_code, "%s", before);
}

/* "; access: privileged → non-privileged; flags: …" */
static void markdown_flags(struct strbuf *out, const struct diff_change *change)
{
	static const struct {
		const char *label;
		void (*words_of)(struct strbuf *out, const struct diff_change *change);
	} rows[] = {
		{ "argument", report_argument_words }, { "known by", report_match_words },
		{ "access", report_access_words }, { "flags", report_flags_words },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf words = { 0 };

		rows[i].words_of(&words, change);
		if (words.length)
			escape_addf(out, escape_markdown, "; %s: ", rows[i].label);
		if (words.length)
			escape_addf(out, escape_markdown, "%s", words.text);
		strbuf_release(&words);
	}
}

static void markdown_former_owner(struct strbuf *out, const struct diff_change *change)
{
	char number[16];

	if (!change->number_was || !change->next_ioctl)
		return;
	strbuf_addf(out, "; %s was ", report_former_number(change, number));
	escape_addf(out, escape_markdown_code, "%s's ", change->number_was);
	report_former_owner(out, change);
}

static void markdown_renamed_with(struct strbuf *out, const struct diff_change *ioctl)
{
	struct strbuf words = { 0 };

	for (size_t i = 0; ioctl->base_name && i < ioctl->reported_count; i++)
		report_renamed_with_words(&words, ioctl->reported[i], "; ");
	escape_addf(out, escape_markdown, "%s", strbuf_text(&words));
	strbuf_release(&words);
}

static void markdown_short_came(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf roles = { 0 };

	report_new_roles(&roles, change);
	escape_addf(out, escape_markdown, "; new: %s", roles.text);
	strbuf_release(&roles);
}

/* The text of a row for a record or an enum, which has no room for the fields. */
static void markdown_short(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf text = { 0 };

	if (change->kind == ABI_RECORD)
		report_sizes(&text, change, "→");
	escape_markdown(out, strbuf_text(&text));
	if (change->new_role_count)
		markdown_short_came(out, change);
	strbuf_release(&text);
}

/* report_markdown_row - of any change: a row of a table with three columns. */
static void report_markdown_row(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	escape_addf(out, escape_markdown, "| %s ", change->family ? change->family : report_unit(change));
	escape_markdown_code(out, change->name);
	if (change->base_name)
		escape_addf(out, escape_markdown_code, " (was %s)", change->base_name);
	strbuf_adds(out, " | ");
	report_classes(out, change->classes);
	strbuf_adds(out, " | ");
	if (change->same_as) {
		escape_addf(out, escape_markdown_code, "another name of %s", change->same_as);
	} else if (change->kind == ABI_IOCTL) {
		markdown_before_after(out,
				      before ? abi_ioctl_number(before->family, before->number, was) : NULL,
				      after ? abi_ioctl_number(after->family, after->number, is) : NULL);
		strbuf_addch(out, ' ');
		markdown_before_after(out, before ? before->params : NULL, after ? after->params : NULL);
		markdown_flags(out, change);
		if (change->new_role_count)
			markdown_short_came(out, change);
		markdown_former_owner(out, change);
		markdown_renamed_with(out, change);
	} else if (change->kind == ABI_CONSTANT) {
		markdown_before_after(out,
				      change->base_constant ? abi_constant_number(change->base_constant, was)
							    : NULL,
				      change->next_constant ? abi_constant_number(change->next_constant, is)
							    : NULL);
	} else if (change->kind != ABI_ALIAS) {
		markdown_short(out, change);
	} else {
		markdown_before_after(out, change->base_alias ? change->base_alias->type : NULL,
				      change->next_alias ? change->next_alias->type : NULL);
	}
	strbuf_adds(out, " |\n");
}

/*
 * A diff for a pull request: the verdict, the work to do, and all other changes folded away below <details>.
 *
 * GitHub refuses a text of more than REPORT_DIFF_MARKDOWN_LIMIT characters:
 *
 * 1. The whole report is rendered. If it fits, that is it.
 * 2. If not, each change gets a form, in the order of the report: in full, if the rows of the later ones
 *    fit as well; or a row of a table; or nothing.
 *    Items that the proxy does not forward are left out first.
 * 3. The report is rendered again in these forms, and says what it leaves out. It then lists the first of
 *    the suppressions to review.
 * 4. Names of versions or of the proxy that are too long by themselves leave one sentence.
 */

enum form { FORM_FULL, FORM_ROW, FORM_NONE, FORM_UNDER, FORM_FOLDED };

struct markdown {
	struct strbuf *out;
	const struct diff_report *report;
	const struct diff *diff; /* of @report */
	enum form *form;         /* by change; malloc'd */
	size_t suppression_room; /* bytes for the lines of the suppression file */
	bool in_table;
	size_t rows, left_out;   /* paragraphs that became rows, and changes that were left out */
};

enum {
	NOTE_BYTES = 400,
	SUPPRESSION_BYTES = 8192
}; /* the room for the sentence on what is left out, and more; lines of suppressions then */

static const char table_head[] = "\n| what | change | now |\n|---|---|---|\n";

static bool is_row(const struct diff_change *change)
{
	return change->same_as || change->kind == ABI_IOCTL || change->kind == ABI_ALIAS ||
	       change->kind == ABI_CONSTANT;
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

/* The work to do is shown open; the rest is folded away. */
static void markdown_section(struct markdown *markdown, enum diff_section section)
{
	bool is_folded = section == DIFF_SECTION_UNREAD || section == DIFF_SECTION_NONE;
	struct strbuf title = { 0 };

	if (!has_section(markdown->diff, section))
		return;
	report_section_title(&title, markdown->diff, section,
			     is_folded ? "it" : markdown->diff->view->table->proxy);
	if (is_folded)
		strbuf_addf(markdown->out, "\n<details><summary>%s</summary>\n",
			    title.text); /* HTML: no name from outside */
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
	escape_addf(out, escape_markdown, "## %s %s → %s\n\n", diff->base->driver, diff->base->version,
		    diff->next->version);
	escape_markdown_code(out, diff->base->target);
	if (diff->view)
		escape_addf(out, escape_markdown, ", seen from %s (node %s)", diff->view->table->proxy,
			    diff->view->node->version);
	if (report->suppressed_count) {
		strbuf_adds(out, "; ");
		strbuf_plural(out, report->suppressed_count, "change");
		strbuf_adds(out, " suppressed");
	}
	strbuf_adds(out, "\n");
}

/* The changes that did not fit, and how to see them. */
static void markdown_left_out(struct markdown *markdown)
{
	const struct diff *diff = markdown->diff;
	struct strbuf command = { 0 };

	if (!markdown->rows && !markdown->left_out)
		return;
	strbuf_addf(&command, "run_differ %s %s%s", diff->base->version, diff->next->version,
		    diff->view ? " --table TABLE -v" : " -v");
	strbuf_addf(markdown->out, "\nTo fit into %d characters, this leaves out the fields of ",
		    REPORT_DIFF_MARKDOWN_LIMIT);
	strbuf_plural(markdown->out, markdown->rows, "change");
	if (markdown->left_out)
		strbuf_addf(markdown->out, ", and the whole of %zu", markdown->left_out);
	escape_addf(markdown->out, escape_markdown_code, ". %s shows all.\n", command.text);
	strbuf_release(&command);
}

static void markdown_report(struct markdown *markdown)
{
	static const enum diff_section order[] = { DIFF_SECTION_READ, DIFF_SECTION_HANDLER,
						   DIFF_SECTION_UNREAD, DIFF_SECTION_NONE };
	const struct diff *diff = markdown->diff;

	markdown_head(markdown->out, markdown->report);
	if (!diff->change_count)
		strbuf_adds(markdown->out, markdown->report->suppressed_count ? "\nNo other difference.\n"
									      : "\nNo difference.\n");
	for (size_t i = 0; diff->view && i < sizeof(order) / sizeof(*order); i++)
		markdown_section(markdown, order[i]);
	if (diff->change_count)
		markdown_summary(markdown->out, diff);
	if (!diff->view)
		markdown_changes(markdown, DIFF_SECTION_NONE);
	markdown_left_out(markdown);
	report_markdown_suppressions(markdown->out, markdown->report->suppressions,
				     markdown->suppression_room);
}

/*
 * Bytes of one change by itself, without the head of a table; the number of characters is not larger than
 * that of bytes.
 */
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

/* The forms of the forwarded items, or of the others, in @room bytes. Return: the remaining bytes. */
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

/* The first forms: every change that is reported by itself in full. */
static void set_forms(struct markdown *markdown)
{
	for (size_t i = 0; i < markdown->diff->change_count; i++) {
		const struct diff_change *change = &markdown->diff->changes[i];

		markdown->form[i] = report_only_flags(change) ? FORM_FOLDED
				    : change->under           ? FORM_UNDER
							      : FORM_FULL;
	}
}

/* Renders everything but the changes. Return: its bytes. */
static size_t frame_size(const struct markdown *markdown)
{
	struct strbuf out = { 0 };
	struct markdown frame = { .out = &out,
				  .report = markdown->report,
				  .diff = markdown->diff,
				  .suppression_room = SUPPRESSION_BYTES };
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

/* Renders again in forms that fit into @room bytes, without counting the heads of tables. */
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
	struct markdown markdown = {
		.out = &text, .report = report, .diff = report->diff, .suppression_room = SIZE_MAX
	};
	size_t room = REPORT_DIFF_MARKDOWN_LIMIT, frame;

	markdown.form = xmalloc((report->diff->change_count + 1) * sizeof(*markdown.form));
	set_forms(&markdown);
	markdown_report(&markdown);
	for (frame = frame_size(&markdown); text.length > REPORT_DIFF_MARKDOWN_LIMIT && room;
	     shorten(&markdown, room)) {
		size_t excess =
			room == REPORT_DIFF_MARKDOWN_LIMIT ? frame : text.length - REPORT_DIFF_MARKDOWN_LIMIT;

		room = room > excess ? room - excess : 0;
	}
	if (text.length <= REPORT_DIFF_MARKDOWN_LIMIT)
		strbuf_add(out, strbuf_text(&text), text.length);
	else
		strbuf_addf(out,
			    "This report does not fit into %d characters. `run_differ` without `--format markdown` shows it.\n",
			    REPORT_DIFF_MARKDOWN_LIMIT);
	free(markdown.form);
	strbuf_release(&text);
}
