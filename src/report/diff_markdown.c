/*
 * A diff for a pull request: what the proxy forwards in full, the rest
 * folded away below <details>.
 */
#include "report/diff_flags.h"
#include "report/style.h"

#include <inttypes.h>
#include <string.h>

enum { FOLD_FROM = 4, REACH_SHOWN = 6 };

static void markdown_side(struct strbuf *out, const char *sign, const struct diff_field_side *side, bool resized)
{
	char bits[32];

	report_textf(out, "%s %6s  %-36s %s", sign, report_bits(side->offset_bits, side->is_bitfield, bits), side->path, side->type);
	if (side->is_bitfield)
		strbuf_addf(out, " : %" PRIu64, side->size_bits);
	if (side->role != ABI_ROLE_NONE)
		strbuf_addf(out, "  %s", abi_role_name(side->role));
	if (resized && !side->is_bitfield)
		strbuf_addf(out, "  (%" PRIu64 " bytes)", side->size_bits / 8);
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
				     report_bits(field->after->offset_bits, field->after->is_bitfield, bits), run,
				     field->after->path, field[run - 1].after->path,
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

/* The heading of a record or an enum: a paragraph of its own. */
static void markdown_paragraph(struct strbuf *out, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	struct strbuf name = { 0 };

	strbuf_addf(&name, "%s %s", report_unit(change), change->name);
	escape_addf(out, escape_markdown_code, "\n#### %s", name.text);
	strbuf_release(&name);
	if (change->base_name)
		escape_addf(out, escape_markdown_code, " (was %s)", change->base_name);
	strbuf_adds(out, ": ");
	report_classes(out, change->classes);
	if (before && after && before->size_bytes != after->size_bytes)
		strbuf_addf(out, ", %" PRIu64 " → %" PRIu64 " bytes", before->size_bytes, after->size_bytes);
	strbuf_addch(out, '\n');
	if (before && after)
		markdown_fields(out, change);
	if (change->base_enum && change->next_enum)
		markdown_values(out, change);
	if (change->kind == ABI_RECORD)
		markdown_reach(out, change);
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
	struct strbuf words = { 0 };

	report_access_words(&words, change);
	if (words.length)
		escape_addf(out, escape_markdown, "; access: %s", words.text);
	strbuf_reset(&words);
	report_flags_words(&words, change);
	if (words.length)
		escape_addf(out, escape_markdown, "; flags: %s", words.text);
	strbuf_release(&words);
}

/* An ioctl, alias or constant: one row of a table. */
static void markdown_row(struct strbuf *out, const struct diff_change *change)
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
		markdown_before_after(out, before ? abi_ioctl_number(before->family, before->number, was) : NULL,
				      after ? abi_ioctl_number(after->family, after->number, is) : NULL);
		strbuf_addch(out, ' ');
		markdown_before_after(out, before ? before->params : NULL, after ? after->params : NULL);
		markdown_flags(out, change);
		if (change->number_was)
			escape_addf(out, escape_markdown_code, after ? ", the number was %s's" : ", the number is now %s's", change->number_was);
	} else if (change->kind == ABI_CONSTANT) {
		markdown_before_after(out, change->base_constant ? abi_constant_number(change->base_constant, was) : NULL,
				      change->next_constant ? abi_constant_number(change->next_constant, is) : NULL);
	} else {
		markdown_before_after(out, change->base_alias ? change->base_alias->type : NULL,
				      change->next_alias ? change->next_alias->type : NULL);
	}
	strbuf_adds(out, " |\n");
}

static bool is_row(const struct diff_change *change)
{
	return change->same_as || change->kind == ABI_IOCTL || change->kind == ABI_ALIAS || change->kind == ABI_CONSTANT;
}

static void markdown_changes(struct strbuf *out, const struct diff *diff, bool proxied)
{
	bool in_table = false;
	size_t folded = 0;

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];

		if (change->proxied != proxied)
			continue;
		if (report_only_flags(change)) {
			folded++;
			continue;
		}
		if (!is_row(change)) {
			markdown_paragraph(out, change);
			in_table = false;
			continue;
		}
		if (!in_table)
			strbuf_adds(out, "\n| what | change | now |\n|---|---|---|\n");
		in_table = true;
		markdown_row(out, change);
	}
	if (!folded)
		return;
	strbuf_addch(out, '\n');
	report_flags_fold(out, folded, "ioctl", ".");
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

void report_diff_markdown(struct strbuf *out, const struct diff *diff)
{
	size_t proxied = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		proxied += diff->changes[i].proxied;
	escape_addf(out, escape_markdown, "## %s %s → %s\n\n", diff->base->driver, diff->base->version, diff->next->version);
	escape_markdown_code(out, diff->base->target);
	if (diff->view)
		escape_addf(out, escape_markdown, ", seen from %s (node %s)", diff->view->table->proxy, diff->view->node->version);
	strbuf_adds(out, "\n");
	if (!diff->change_count) {
		strbuf_adds(out, "\nNo difference.\n");
		return;
	}
	markdown_summary(out, diff);
	if (diff->view) {
		escape_addf(out, escape_markdown, "\n### What %s forwards: ", diff->view->table->proxy);
		report_plural(out, proxied, "change");
		strbuf_addch(out, '\n');
		markdown_changes(out, diff, true);
		strbuf_adds(out, "\n<details><summary>What it does not forward: ");
		report_plural(out, diff->change_count - proxied, "change");
		strbuf_adds(out, "</summary>\n");
	}
	markdown_changes(out, diff, false);
	if (diff->view)
		strbuf_adds(out, "\n</details>\n");
}
