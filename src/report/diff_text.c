/*
 * A diff for a person at a terminal. Every change is one paragraph: what it
 * is, what that means, what happened to each field, and who carries it.
 */
#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REACH_SHOWN = 4, FOLD_FROM = 4 };

struct text {
	struct strbuf *out;
	const struct diff *diff;
	const struct report_style *style;
};

static enum report_ink class_ink(unsigned classes)
{
	if (classes & (DIFF_TRANSLATION | DIFF_NUMBER))
		return INK_ALARM;
	if (classes & DIFF_LAYOUT)
		return INK_LAYOUT;
	if (classes & DIFF_REMOVED)
		return INK_REMOVED;
	if (classes & (DIFF_ADDED | DIFF_GROWTH))
		return INK_ADDED;
	return INK_CHANGED;
}

static void text_side(struct text *text, char sign, enum report_ink ink, const struct diff_field_side *side, const char *note)
{
	const char *role = abi_role_name(side->role);
	char bits[32];

	report_ink(text->out, text->style, ink, "    %c %6s  %-36s %s", sign, report_bits(side->offset_bits, side->is_bitfield, bits),
		   side->path, side->type);
	if (side->is_bitfield)
		report_ink(text->out, text->style, ink, " : %" PRIu64, side->size_bits);
	if (*role)
		report_ink(text->out, text->style, INK_CHANGED, "  %s", role);
	if (*note)
		report_ink(text->out, text->style, INK_DIM, "  (%s)", note);
	strbuf_addch(text->out, '\n');
}

static void text_run(struct text *text, const struct diff_field *field, size_t count)
{
	const struct diff_field *last = field + count - 1;
	int64_t distance = (int64_t)(field->after->offset_bits - field->before->offset_bits) / 8;
	char bits[32];

	report_ink(text->out, text->style, INK_CHANGED, "    ~ %6s  %zu fields, %s to %s",
		   report_bits(field->after->offset_bits, field->after->is_bitfield, bits), count, field->after->path,
		   last->after->path);
	report_ink(text->out, text->style, INK_DIM, "  (moved by %+" PRId64 ")\n", distance);
}

static void text_field(struct text *text, const struct diff_field *field)
{
	struct strbuf note = { 0 };

	if (!field->before) {
		text_side(text, '+', INK_ADDED, field->after, "");
	} else if (!field->after) {
		text_side(text, '-', INK_REMOVED, field->before, "");
	} else {
		report_field_note(&note, field);
		text_side(text, '~', INK_CHANGED, field->after, strbuf_text(&note));
	}
	strbuf_release(&note);
}

static void text_fields(struct text *text, const struct diff_change *change)
{
	for (size_t i = 0; i < change->field_count;) {
		size_t run = report_field_run(&change->fields[i], change->field_count - i);

		if (run >= FOLD_FROM && !text->style->verbose) {
			text_run(text, &change->fields[i], run);
			i += run;
		} else {
			text_field(text, &change->fields[i++]);
		}
	}
}

static void text_values(struct text *text, const struct diff_change *change)
{
	char before[24], after[24];

	for (size_t i = 0; i < change->value_count; i++) {
		const struct diff_value *value = &change->values[i];

		if (!value->before)
			report_ink(text->out, text->style, INK_ADDED, "    + %s = %s\n", value->name,
				   abi_number_text(*value->after, after));
		else if (!value->after)
			report_ink(text->out, text->style, INK_REMOVED, "    - %s = %s\n", value->name,
				   abi_number_text(*value->before, before));
		else
			report_ink(text->out, text->style, INK_CHANGED, "    ~ %s = %s  (was %s)\n", value->name,
				   abi_number_text(*value->after, after),
				   value->base_name ? value->base_name : abi_number_text(*value->before, before));
	}
}

static void text_reach(struct text *text, const struct diff_change *change)
{
	size_t shown = text->style->verbose || change->reach_count <= REACH_SHOWN + 1 ? change->reach_count : REACH_SHOWN;

	if (change->kind != ABI_RECORD || !change->reach_count)
		return;
	for (size_t i = 0; i < shown; i++) {
		const struct diff_reach *reach = &change->reached_by[i];

		report_ink(text->out, text->style, INK_DIM, "    %s %s %s", i ? "     " : "in   ", reach->ioctl->family,
			   reach->ioctl->name);
		for (size_t step = 0; step + 1 < reach->through_count; step++)
			report_ink(text->out, text->style, INK_DIM, "%s%s", step ? " > " : " through ", reach->through[step]);
		strbuf_addch(text->out, '\n');
	}
	if (shown < change->reach_count)
		report_ink(text->out, text->style, INK_DIM, "          and %zu more (-v lists them)\n", change->reach_count - shown);
}

/* What stands behind the name on a record's first line. */
static void text_record_size(struct text *text, const struct diff_change *change)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;

	if (before && after && before->size_bytes != after->size_bytes)
		report_textf(text->out, "  %" PRIu64 " -> %" PRIu64 " bytes", before->size_bytes, after->size_bytes);
	else
		report_textf(text->out, "  %" PRIu64 " bytes", (after ? after : before)->size_bytes);
	if (before && after && before->is_union != after->is_union)
		report_textf(text->out, ", was a %s", before->is_union ? "union" : "struct");
}

static void text_ioctl(struct text *text, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const struct abi_ioctl *one = after ? after : before;
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	report_textf(text->out, "  %s", abi_ioctl_number(one->family, one->number, is));
	if (before && after && before->number != after->number)
		report_ink(text->out, text->style, INK_ALARM, "  (was %s)", abi_ioctl_number(before->family, before->number, was));
	report_textf(text->out, "  %s", one->params ? one->params : "no parameters");
	if (before && after && strcmp(before->params ? before->params : "", after->params ? after->params : ""))
		report_ink(text->out, text->style, INK_CHANGED, "  (was %s)", before->params ? before->params : "none");
	strbuf_addch(text->out, '\n');
	if (change->number_was)
		report_ink(text->out, text->style, INK_ALARM, after ? "    the number was %s's\n" : "    the number is now %s's\n", change->number_was);
	report_flags_text(text->out, change);
}

static void text_plain(struct text *text, const struct diff_change *change)
{
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	if (change->kind == ABI_CONSTANT) {
		if (change->next_constant)
			report_textf(text->out, " = %s", abi_constant_number(change->next_constant, is));
		if (change->base_constant)
			report_ink(text->out, text->style, INK_DIM, "  (was %s)", abi_constant_number(change->base_constant, was));
	}
	if (change->kind == ABI_ALIAS) {
		if (change->next_alias)
			report_textf(text->out, " = %s", change->next_alias->type);
		if (change->base_alias)
			report_ink(text->out, text->style, INK_DIM, "  (was %s)", change->base_alias->type);
	}
	strbuf_addch(text->out, '\n');
}

static const char *change_source(const struct diff_change *change)
{
	if (change->next_record || change->base_record)
		return (change->next_record ? change->next_record : change->base_record)->source;
	if (change->next_enum || change->base_enum)
		return (change->next_enum ? change->next_enum : change->base_enum)->source;
	return "";
}

static void text_heading(struct text *text, const struct diff_change *change)
{
	struct strbuf classes = { 0 };

	report_classes(&classes, change->classes);
	report_ink(text->out, text->style, class_ink(change->classes), "  [%s] ", strbuf_text(&classes));
	report_textf(text->out, "%s ", change->family ? change->family : report_unit(change));
	report_ink(text->out, text->style, INK_NAME, "%s", change->name);
	if (change->base_name)
		report_textf(text->out, " (was %s)", change->base_name);
	strbuf_release(&classes);
}

static void text_change(struct text *text, const struct diff_change *change)
{
	text_heading(text, change);
	if (change->same_as) {
		report_textf(text->out, "  another name of %s\n", change->same_as);
		return;
	}
	switch (change->kind) {
	case ABI_RECORD:
		text_record_size(text, change);
		strbuf_addch(text->out, '\n');
		break;
	case ABI_IOCTL:
		text_ioctl(text, change);
		return;
	case ABI_ENUM:
		strbuf_addch(text->out, '\n');
		break;
	case ABI_ALIAS:
	case ABI_CONSTANT:
		text_plain(text, change);
		return;
	}
	report_ink(text->out, text->style, INK_DIM, "    %s\n", change_source(change));
	if (change->base_record && change->next_record)
		text_fields(text, change);
	if (change->base_enum && change->next_enum)
		text_values(text, change);
	text_reach(text, change);
	strbuf_addch(text->out, '\n');
}

void report_change_text(struct strbuf *out, const struct diff_change *change, const struct report_style *style)
{
	struct text text = { .out = out, .style = style };

	text_change(&text, change);
}

static void text_summary(struct text *text)
{
	const struct diff *diff = text->diff;
	static const enum abi_kind order[] = { ABI_RECORD, ABI_IOCTL, ABI_ENUM, ABI_ALIAS, ABI_CONSTANT };

	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		const struct diff_count *count = &diff->summary[order[i]];

		if (!count->changed && !count->added && !count->removed)
			continue;
		report_textf(text->out, "  %-9s %5zu changed %5zu added %5zu removed\n", abi_kind_name(order[i]), count->changed,
			     count->added, count->removed);
	}
	strbuf_addch(text->out, '\n');
}

/* Changes that stand below one heading: what a proxy is built from, then what that is spelled with. */
static const char *section_name(enum abi_kind kind)
{
	switch (kind) {
	case ABI_RECORD:
	case ABI_IOCTL: return "ioctls and records";
	case ABI_ENUM: return "enums";
	case ABI_ALIAS: return "typedefs";
	case ABI_CONSTANT: return "constants";
	}
	return "";
}

/* A paragraph ends with an empty line, a change of one line does not. */
static bool is_one_line(const struct diff_change *change)
{
	return change->same_as || change->kind == ABI_IOCTL || change->kind == ABI_CONSTANT || change->kind == ABI_ALIAS;
}

static bool same_section(const struct diff_change *a, const struct diff_change *b)
{
	return a->proxied == b->proxied && section_name(a->kind) == section_name(b->kind);
}

static void text_section(struct text *text, const struct diff_change *before, const struct diff_change *change)
{
	const struct table_view *view = text->diff->view;

	if (before && is_one_line(before) && (!same_section(before, change) || !is_one_line(change)))
		strbuf_addch(text->out, '\n');
	if (before && same_section(before, change))
		return;
	if (!view)
		report_ink(text->out, text->style, INK_HEAD, "Changed %s", section_name(change->kind));
	else
		report_ink(text->out, text->style, INK_HEAD, "What %s %s: %s", view->table->proxy,
			   change->proxied ? "forwards" : "does not forward", section_name(change->kind));
	strbuf_addch(text->out, '\n');
}

static bool is_covered(const struct table_view *view, const char *family)
{
	for (size_t i = 0; i < view->entry_count; i++)
		if (!strcmp(view->entries[i]->family, family))
			return true;
	return false;
}

/* Does it concern only ioctls of families of which the table has no entry: other devices than those that the proxy has? */
static bool is_elsewhere(const struct text *text, const struct diff_change *change)
{
	const struct table_view *view = text->diff->view;

	if (!view)
		return false;
	if (change->family)
		return !is_covered(view, change->family);
	for (size_t i = 0; i < change->reach_count; i++)
		if (is_covered(view, change->reached_by[i].ioctl->family))
			return false;
	return change->reach_count > 0;
}

/* Why a change has no line of its own. */
enum fold { FOLD_NONE, FOLD_FLAGS, FOLD_PROXIED_FLAGS, FOLD_ELSEWHERE };
enum { FOLD_COUNT = FOLD_ELSEWHERE + 1 };

/* Lock flags come and go with every branch: a line each only if asked for. */
static enum fold fold_of(const struct text *text, const struct diff_change *change)
{
	if (text->style->verbose)
		return FOLD_NONE;
	if (!change->proxied && is_elsewhere(text, change))
		return FOLD_ELSEWHERE;
	if (!report_only_flags(change))
		return FOLD_NONE;
	return change->proxied ? FOLD_PROXIED_FLAGS : FOLD_FLAGS;
}

static void text_folded(struct text *text, const size_t folded[FOLD_COUNT])
{
	report_flags_fold(text->out, folded[FOLD_PROXIED_FLAGS], "forwarded ioctl", " (-v lists them)");
	report_flags_fold(text->out, folded[FOLD_FLAGS], text->diff->view ? "other ioctl" : "ioctl", " (-v lists them)");
	if (folded[FOLD_ELSEWHERE]) {
		report_plural(text->out, folded[FOLD_ELSEWHERE], "other change");
		report_textf(text->out, " only in ioctls of families that %s has no entry of (-v lists them)\n", text->diff->view->table->proxy);
	}
}

static void text_changes(struct text *text)
{
	const struct diff_change *before = NULL;
	size_t folded[FOLD_COUNT] = { 0 };

	for (size_t i = 0; i < text->diff->change_count; i++) {
		const struct diff_change *change = &text->diff->changes[i];
		enum fold fold = fold_of(text, change);

		folded[fold]++;
		if (fold != FOLD_NONE)
			continue;
		text_section(text, before, change);
		text_change(text, change);
		before = change;
	}
	if (folded[FOLD_NONE] == text->diff->change_count)
		return;
	strbuf_adds(text->out, before && is_one_line(before) ? "\n" : "");
	text_folded(text, folded);
}

void report_diff_text(struct strbuf *out, const struct diff *diff, const struct report_style *style)
{
	struct text text = { .out = out, .diff = diff, .style = style };

	report_ink(out, style, INK_NAME, "%s %s -> %s", diff->base->driver, diff->base->version, diff->next->version);
	report_textf(out, "  (%s)\n", diff->base->target);
	if (diff->view)
		report_textf(out, "  %s as of its node %s: %zu entries\n", diff->view->table->proxy, diff->view->node->version,
			     diff->view->entry_count);
	if (!diff->change_count) {
		strbuf_adds(out, "  no difference\n");
		return;
	}
	text_summary(&text);
	text_changes(&text);
}
