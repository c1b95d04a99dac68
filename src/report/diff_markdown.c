/* One change of a diff for a pull request: a paragraph, or a row of a table. diff_markdown_report.c puts them together. */
#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/diff_renamed.h"
#include "report/style.h"

#include <inttypes.h>
#include <string.h>

enum { FOLD_FROM = 4, REACH_SHOWN = 6, UNDER_SHOWN = 8 };

static void markdown_side(struct strbuf *out, const char *sign, const struct diff_field_side *side, bool resized)
{
	char bits[32];

	report_textf(out, "%s %6s  %-36s %s", sign, report_bits(side->offset_bits, side->is_bitfield, bits), side->path, side->type);
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

/* What calls for a handler. */
static void markdown_came(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf came = { 0 };

	if (!change->came_count)
		return;
	report_came(&came, change);
	escape_addf(out, escape_markdown_code, "\nNew: %s.\n", came.text);
	strbuf_release(&came);
}

/* The records that follow from this one, or that came or went with it. */
static void markdown_under(struct strbuf *out, const struct diff_change *root, bool inside)
{
	struct strbuf sizes = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < root->told_count; i++) {
		const struct diff_change *change = root->told[i];

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

/* The heading of a record or an enum: a paragraph of its own. */
void report_markdown_paragraph(struct strbuf *out, const struct diff_change *change)
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

	for (size_t i = 0; ioctl->base_name && i < ioctl->told_count; i++)
		report_renamed_with_words(&words, ioctl->told[i], "; ");
	escape_addf(out, escape_markdown, "%s", strbuf_text(&words));
	strbuf_release(&words);
}

static void markdown_short_came(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf came = { 0 };

	report_came(&came, change);
	escape_addf(out, escape_markdown, "; new: %s", came.text);
	strbuf_release(&came);
}

/* What a row says of a record or an enum: its fields have no room there. */
static void markdown_short(struct strbuf *out, const struct diff_change *change)
{
	struct strbuf text = { 0 };

	if (change->kind == ABI_RECORD)
		report_sizes(&text, change, "→");
	escape_markdown(out, strbuf_text(&text));
	if (change->came_count)
		markdown_short_came(out, change);
	strbuf_release(&text);
}

void report_markdown_row(struct strbuf *out, const struct diff_change *change)
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
		if (change->came_count)
			markdown_short_came(out, change);
		markdown_former_owner(out, change);
		markdown_renamed_with(out, change);
	} else if (change->kind == ABI_CONSTANT) {
		markdown_before_after(out, change->base_constant ? abi_constant_number(change->base_constant, was) : NULL,
				      change->next_constant ? abi_constant_number(change->next_constant, is) : NULL);
	} else if (change->kind != ABI_ALIAS) {
		markdown_short(out, change);
	} else {
		markdown_before_after(out, change->base_alias ? change->base_alias->type : NULL,
				      change->next_alias ? change->next_alias->type : NULL);
	}
	strbuf_adds(out, " |\n");
}
