/*
 * A diff as text for a terminal. Every change is one paragraph: the class, the item, the change of each
 * field, and the ioctls that carry the item.
 */
#include "report/internal.h"

enum {
	REACH_SHOWN = 4,
	UNDER_SHOWN = 8,
	FOLD_FROM = 4,
	FIELD_COLUMN = 14,   /* the column of a field's path */
	PATH_MIN = 12,       /* the minimum and the maximum width of the paths' column */
	PATH_MAX_SHOWN = 30,
};

struct diff_text_writer {
	struct strbuf *out;
	const struct diff *diff; /* NULL to print a single change */
	const struct report_style *style;
	bool is_filtered;        /* @diff has only changes selected by name or class */
	size_t path_width;       /* width of the path column of the current change */
};

/* Returns the colour for the classes of a change. The classes that can break a proxy decide first. */
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

/* Writes one line for @count fields that moved by the same distance. @field: the first of them */
static void text_run(struct diff_text_writer *text, const struct diff_field *field, size_t count)
{
	int64_t distance = (int64_t)(field->after->offset_bits - field->before->offset_bits) / 8;
	struct line line;
	char bits[32];

	line_begin(&line, text->out, text->style, FIELD_COLUMN + 2);
	line.ink = INK_CHANGED;
	line_add(&line, "    ~ %6s  %zu" NBSP "fields, %s to" NBSP "%s  " DIM("(moved by %+" PRId64 ")"),
		 report_bits(field->after->offset_bits, field->after->is_bitfield, bits), count,
		 field->after->path, field[count - 1].after->path, distance);
	line_end(&line);
}

/* Writes the line of a changed field: "+", "-" or "~", offset, path, type, role, and "(moved from 8)". */
static void text_field(struct diff_text_writer *text, const struct diff_field *field)
{
	const struct diff_field_side *side = field->after ? field->after : field->before;
	const bool is_in_both = field->before && field->after;
	struct line line;
	char bits[32];

	line_begin(&line, text->out, text->style, FIELD_COLUMN + 2);
	line.ink = is_in_both ? INK_CHANGED : field->after ? INK_ADDED : INK_REMOVED;
	line_add(&line, "    %c %6s  %-*s  %s", is_in_both ? '~' : field->after ? '+' : '-',
		 report_bits(side->offset_bits, side->is_bitfield, bits), (int)text->path_width, side->path,
		 side->type);
	if (side->is_bitfield)
		line_add(&line, NBSP ":" NBSP "%" PRIu64, side->size_bits);
	if (side->role != ABI_ROLE_NONE)
		line_add(&line, "  " CHANGED("%s"), abi_role_name(side->role));
	if (is_in_both)
		report_field_note(&line.plain, field);
	if (line.plain.length)
		line_add(&line, "  " DIM("(%s)"), line.plain.text);
	line_end(&line);
}

/* Returns the width of the path column: of the longest path up to PATH_MAX_SHOWN, but at least PATH_MIN. */
static size_t path_width(const struct diff_change *change)
{
	size_t width = PATH_MIN;

	for (size_t i = 0; i < change->field_count; i++) {
		size_t length = strlen(
			(change->fields[i].after ? change->fields[i].after : change->fields[i].before)->path);

		if (length > width && length <= PATH_MAX_SHOWN)
			width = length;
	}
	return width;
}

/* Writes the changed fields. Without -v, FOLD_FROM or more that moved by one distance share a line. */
static void text_fields(struct diff_text_writer *text, const struct diff_change *change)
{
	text->path_width = path_width(change);
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

/* Writes the line of a changed enumerator, with its value, and its former value or name. */
static void text_value(struct diff_text_writer *text, const struct diff_value *value)
{
	const struct abi_number *number = value->after ? value->after : value->before;
	char is[24], was[24];
	struct line line;

	line_begin(&line, text->out, text->style, 8);
	line.ink = !value->before ? INK_ADDED : !value->after ? INK_REMOVED : INK_CHANGED;
	line_add(&line, "    %c %s =" NBSP "%s", !value->before ? '+' : !value->after ? '-' : '~',
		 value->name, abi_number_text(*number, is));
	if (value->before && value->after)
		line_add(&line, "  (was" NBSP "%s)",
			 value->base_name ? value->base_name : abi_number_text(*value->before, was));
	line_end(&line);
}

/*
 * Writes the ioctls that carry a changed record, and the records through which they do; without -v, the first
 * REACH_SHOWN if there are many. Writes nothing for items of other kinds.
 */
static void text_reach(struct diff_text_writer *text, const struct diff_change *change)
{
	size_t shown = text->style->verbose || change->reach_count <= REACH_SHOWN + 1 ? change->reach_count
										      : REACH_SHOWN;
	struct line line;

	if (change->kind != ABI_RECORD || !change->reach_count)
		return;
	for (size_t i = 0; i < shown; i++) {
		const struct diff_reach *reach = &change->reached_by[i];

		line_begin(&line, text->out, text->style, 12);
		line_add(&line, "    " DIM("%s") DIM("%s") " " DIM("%s"), i ? "      " : "in    ",
			 reach->ioctl->family, reach->ioctl->name);
		for (size_t step = 0; step + 1 < reach->through_count; step++)
			line_add(&line, " " DIM("%s" NBSP "%s"), step ? ">" : "through",
				 reach->through[step]);
		line_end(&line);
	}
	if (shown < change->reach_count)
		text_line(text->out, text->style, 0, "          " DIM("and %zu more (-v lists them)"),
			  change->reach_count - shown);
}

void report_renamed_with_text(struct strbuf *out, const struct diff_change *one,
			      const struct report_style *style)
{
	struct diff_text_writer text = { .out = out, .style = style };
	char number[ABI_NOTATION_BYTES];

	if (one->kind == ABI_CONSTANT) {
		report_textf(out, "    constant %s = %s\n", one->name,
			     abi_constant_number(one->next_constant, number));
		text_line(out, style, 6, "      " DIM("was %s"), one->base_name);
	} else if (one->with) {
		text_fields(&text, one);
	} else {
		report_textf(out, "    %s %s %s\n", report_unit(one), one->name,
			     one->next_record ? "added" : "removed");
	}
}

/*
 * Adds the number and parameters of an ioctl to the line of its change, and ends the line. Then writes lines
 * about the former owner of its number, its flags, and the changes that are reported with its new name.
 */
static void text_ioctl(struct diff_text_writer *text, struct line *line, const struct diff_change *change)
{
	const struct abi_ioctl *before = change->base_ioctl, *after = change->next_ioctl;
	const struct abi_ioctl *one = after ? after : before;
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES], former[16];

	line_add(line, "  %s", abi_ioctl_number(one->family, one->number, is));
	if (before && after && before->number != after->number)
		line_add(line, "  " ALARM("(was %s)"), abi_ioctl_number(before->family, before->number, was));
	line_add(line, "  " PLAIN("%s"), report_params(one));
	if (before && after && strcmp(report_params(before), report_params(after)))
		line_add(line, "  " CHANGED("(was %s)"), report_params(before));
	line_end(line);
	line_begin(line, text->out, text->style, 6);
	report_passed_words(&line->plain, change);
	line_end_with(line, INK_ALARM, "    ");
	if (change->number_was && after) {
		line_begin(line, text->out, text->style, 6);
		line->ink = INK_ALARM;
		report_former_owner(&line->plain, change);
		line_add(line, "    %s was %s's " ALARM("%s"), report_former_number(change, former),
			 change->number_was, line->plain.text);
		line_end(line);
	}
	report_flags_text(text->out, change, text->style);
	for (size_t i = 0; change->base_name && i < change->reported_count; i++)
		report_renamed_with_text(text->out, change->reported[i], text->style);
}

/* Writes "    new   pointer data.p": what a handler must now translate; nothing if there is nothing new. */
static void text_new_roles(struct strbuf *out, const struct diff_change *change,
			   const struct report_style *style)
{
	struct line line;

	line_begin(&line, out, style, 10);
	report_new_roles(&line.plain, change);
	if (change->new_role_count)
		line_add(&line, "    " ALARM("new") "   " ALARM("%s"), line.plain.text);
	line_end(&line);
}

/*
 * Writes a line for each change that is reported with @root. Without -v, lines after UNDER_SHOWN are only
 * counted, except those of forwarded items that may need work.
 * @inside: write records that were added or removed inside @root, after "with"; otherwise the changes that
 * @root causes, after "hence".
 */
static void text_under(struct strbuf *out, const struct diff_change *root, bool inside,
		       const struct report_style *style)
{
	const char *label = inside ? "with  " : "hence ";
	size_t count = 0, folded = 0;
	struct line line;

	for (size_t i = 0; i < root->reported_count; i++) {
		const struct diff_change *change = root->reported[i];

		if (!change->inside == inside)
			continue;
		if (count >= UNDER_SHOWN && !style->verbose &&
		    !(change->proxied && change->section <= DIFF_SECTION_HANDLER)) {
			folded++;
			continue;
		}
		line_begin(&line, out, style, 12);
		report_sizes(&line.plain, change, "->");
		line_add(&line, "    " DIM("%s") "%s %s  " PLAIN("%s"), count++ ? "      " : label,
			 report_unit(change), change->name, line.plain.text);
		if (root->proxied && !change->proxied)
			line_add(&line, "  " DIM("(not forwarded)"));
		line_end(&line);
	}
	if (folded)
		text_line(out, style, 0, "          " DIM("and %zu more (-v lists them)"), folded);
}

void report_change_lines(struct strbuf *out, const struct diff_change *change,
			 const struct report_style *style)
{
	const struct abi_record *record = change->next_record ? change->next_record : change->base_record;
	const struct abi_enum *one = change->next_enum ? change->next_enum : change->base_enum;
	struct diff_text_writer text = { .out = out, .style = style };

	text_line(out, style, 0, "    " DIM("%s"), record ? record->source : one ? one->source : "");
	if (change->base_record && change->next_record)
		text_fields(&text, change);
	if (change->base_enum && change->next_enum)
		for (size_t i = 0; i < change->value_count; i++)
			text_value(&text, &change->values[i]);
	text_new_roles(out, change, style);
	text_reach(&text, change);
	text_under(out, change, false, style);
	text_under(out, change, true, style);
}

bool report_is_one_line(const struct diff_change *change)
{
	return change->same_as || change->kind == ABI_IOCTL || change->kind == ABI_CONSTANT ||
	       change->kind == ABI_ALIAS;
}

void report_change_text(struct strbuf *out, const struct diff_change *change,
			const struct report_style *style)
{
	const struct abi_record *before = change->base_record, *after = change->next_record;
	const char *unit = change->family ? change->family : report_unit(change);
	struct diff_text_writer text = { .out = out, .style = style };
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];
	struct line line;

	line_begin(&line, out, style, 6);
	report_classes(&line.plain, change->classes);
	line_add(&line, "  %c[%s]" MARK_END " %c%s " NAME, text_mark(class_ink(change->classes)),
		 strbuf_text(&line.plain), text_mark(INK_NONE), unit, change->name);
	if (change->base_name)
		line_add(&line, " " PLAIN("(was %s)"), change->base_name);
	if (change->same_as) {
		line_add(&line, "  another name of %s", change->same_as);
		line_end(&line);
		return;
	}
	switch (change->kind) {
	case ABI_RECORD:
		report_size(&line.plain, change, "->");
		line_add(&line, "  " PLAIN("%s"), line.plain.text);
		if (before && after && before->is_union != after->is_union)
			line_add(&line, "  " PLAIN("was a %s"), before->is_union ? "union" : "struct");
		break;
	case ABI_IOCTL:
		text_ioctl(&text, &line, change);
		text_new_roles(out, change, style);
		return;
	case ABI_ENUM:
		report_enum_type(&line.plain, change, "->");
		if (line.plain.length)
			line_add(&line, "  " PLAIN("%s"), line.plain.text);
		break;
	case ABI_ALIAS:
		if (change->next_alias)
			line_add(&line, " " PLAIN("= %s"), change->next_alias->type);
		if (change->base_alias)
			line_add(&line, "  " DIM("(was %s)"), change->base_alias->type);
		break;
	case ABI_CONSTANT:
		if (change->next_constant)
			line_add(&line, " " PLAIN("= %s"), abi_constant_number(change->next_constant, is));
		if (change->base_constant && !change->base_name)
			line_add(&line, "  " DIM("(was %s)"),
				 abi_constant_number(change->base_constant, was));
		break;
	}
	line_end(&line);
	if (!report_is_one_line(change))
		report_change_lines(out, change, style);
}

void report_change_gap(struct strbuf *out, const struct diff_change *before, const struct diff_change *change)
{
	if (before && (!report_is_one_line(before) || !report_is_one_line(change)))
		strbuf_addch(out, '\n');
}

static void text_summary(struct diff_text_writer *text)
{
	const struct diff *diff = text->diff;
	static const enum abi_kind order[] = { ABI_RECORD, ABI_IOCTL, ABI_ENUM, ABI_ALIAS, ABI_CONSTANT };

	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		const struct diff_count *count = &diff->summary[order[i]];

		if (!count->changed && !count->added && !count->removed)
			continue;
		report_textf(text->out, "  %-9s %5zu changed %5zu added %5zu removed\n",
			     abi_kind_name(order[i]), count->changed, count->added, count->removed);
	}
}

/* Returns the heading for a kind of change. Kinds in the same section have the same pointer. */
static const char *section_name(enum abi_kind kind)
{
	switch (kind) {
	case ABI_RECORD:
	case ABI_IOCTL: return "ioctls and records";
	case ABI_ENUM: return "enums";
	case ABI_ALIAS: return "aliases";
	case ABI_CONSTANT: return "constants";
	}
	return "";
}

static bool same_section(const struct diff_change *a, const struct diff_change *b)
{
	if (a->proxied != b->proxied)
		return false;
	return a->proxied ? a->section == b->section : section_name(a->kind) == section_name(b->kind);
}

/* Writes the heading of a section of forwarded items, which only a diff with a table has. */
static void text_title(struct diff_text_writer *text, enum diff_section section)
{
	struct line line;

	line_begin(&line, text->out, text->style, 2);
	report_section_title(&line.plain, text->diff, section, text->diff->view->table->proxy);
	line_end_with(&line, INK_HEAD, "");
}

/* Writes the empty line and the heading, if any, between @before, which can be NULL, and @change. */
static void text_section(struct diff_text_writer *text, const struct diff_change *before,
			 const struct diff_change *change)
{
	const struct table_view *view = text->diff->view;

	if (before && same_section(before, change)) {
		report_change_gap(text->out, before, change);
		return;
	}
	strbuf_adds(text->out, before ? "\n" : "");
	if (change->proxied) {
		text_title(text, change->section);
		return;
	}
	if (!view)
		text_line(text->out, text->style, 2, HEAD("Changed %s"), section_name(change->kind));
	else
		text_line(text->out, text->style, 2, HEAD("What %s does not forward: %s"),
			  view->table->proxy, section_name(change->kind));
}

/*
 * Returns true if @change affects only ioctls in families without an entry in the table. Such families belong
 * to devices that the proxy does not support. Return: false without a table, or if no ioctl carries the item.
 */
static bool is_elsewhere(const struct diff_text_writer *text, const struct diff_change *change)
{
	const struct table_view *view = text->diff->view;

	if (!view)
		return false;
	if (change->family)
		return !table_view_has_family(view, change->family);
	for (size_t i = 0; i < change->reach_count; i++)
		if (table_view_has_family(view, change->reached_by[i].ioctl->family))
			return false;
	return change->reach_count > 0;
}

/* The reason why a change has no line of its own. */
enum fold { FOLD_NONE, FOLD_FLAGS, FOLD_PROXIED_FLAGS, FOLD_ELSEWHERE, FOLD_NOT_FORWARDED };
enum { FOLD_COUNT = FOLD_NOT_FORWARDED + 1 };

/*
 * Returns the reason why a change has no line without -v: the proxy does not forward it, or only its flags
 * changed. Lock flags change in every branch. FOLD_NONE: it has a line
 */
static enum fold fold_of(const struct diff_text_writer *text, const struct diff_change *change)
{
	if (text->style->verbose)
		return FOLD_NONE;
	if (!change->proxied && is_elsewhere(text, change))
		return FOLD_ELSEWHERE;
	if (!change->proxied && text->diff->view && !text->is_filtered)
		return FOLD_NOT_FORWARDED;
	if (!report_only_flags(change))
		return FOLD_NONE;
	return change->proxied ? FOLD_PROXIED_FLAGS : FOLD_FLAGS;
}

/* Writes "What X does not forward: 161 changes of ioctls and records, 21 of enums (-v lists them)". */
static void text_not_forwarded(struct diff_text_writer *text)
{
	const struct diff *diff = text->diff;
	size_t parts = 0;
	struct line line;

	line_begin(&line, text->out, text->style, 2);
	strbuf_addf(&line.plain, "What %s does not forward: ", diff->view->table->proxy);
	for (int kind = ABI_RECORD; kind <= ABI_CONSTANT; kind++) { /* ioctls are in the section of records */
		size_t count = 0;

		for (size_t i = 0; i < diff->change_count; i++)
			count += fold_of(text, &diff->changes[i]) == FOLD_NOT_FORWARDED &&
				 section_name(diff->changes[i].kind) == section_name((enum abi_kind)kind);
		if (!count)
			continue;
		if (parts++)
			strbuf_addf(&line.plain, ", %zu", count);
		else
			strbuf_plural(&line.plain, count, "change");
		strbuf_addf(&line.plain, " of %s", section_name((enum abi_kind)kind));
	}
	strbuf_adds(&line.plain, " (-v lists them)");
	line_end_with(&line, INK_NONE, "");
}

/* Writes the changes by section, without those reported with others, and then how many are folded. */
static void text_changes(struct diff_text_writer *text)
{
	const struct diff_change *before = NULL;
	size_t folded[FOLD_COUNT] = { 0 };

	for (size_t i = 0; i < text->diff->change_count; i++) {
		const struct diff_change *change = &text->diff->changes[i];
		enum fold fold = fold_of(text, change);

		folded[fold]++;
		if (fold != FOLD_NONE || change->under)
			continue;
		text_section(text, before, change);
		report_change_text(text->out, change, text->style);
		before = change;
	}
	if (folded[FOLD_NONE] == text->diff->change_count)
		return;
	strbuf_adds(text->out, before ? "\n" : "");
	if (folded[FOLD_NOT_FORWARDED])
		text_not_forwarded(text);
	report_flags_fold(text->out, folded[FOLD_PROXIED_FLAGS], "forwarded ioctl", " (-v lists them)");
	report_flags_fold(text->out, folded[FOLD_FLAGS], text->diff->view ? "other ioctl" : "ioctl",
			  " (-v lists them)");
	if (folded[FOLD_ELSEWHERE]) {
		strbuf_plural(text->out, folded[FOLD_ELSEWHERE], "other change");
		strbuf_adds(text->out, " only in families without an entry in the table (-v lists them)\n");
	}
}

void report_diff_head(struct sheet *sheet, const struct diff_report *report)
{
	const struct diff *diff = report->diff;
	const bool is_filtered = report->record || report->classes;
	char count[PLURAL_BYTES];

	if (diff->view) {
		report_verdict(&sheet->plain, report);
		sheet_paragraph(sheet, SHEET_STRONG, "%s", sheet->plain.text);
		report_verdict_proof(&sheet->plain, report);
		if (sheet->plain.length)
			sheet_paragraph(sheet, SHEET_PLAIN, "%s.", sheet->plain.text);
	}
	sheet_heading(sheet, SHEET_TITLE, "%s %s %s %s  (%s)", diff->base->driver, diff->base->version,
		      sheet->style->markdown ? "→" : "->", diff->next->version, diff->base->target);
	if (diff->view)
		sheet_paragraph(sheet, SHEET_PLAIN, "%s as of its node %s: %s", diff->view->table->proxy,
				diff->view->node->version,
				report_plural(diff->view->entry_count, "entry", count));
	if (is_filtered)
		report_selection(&sheet->plain, report->classes, report->record);
	sheet_words(sheet);
	if (report->suppressed_count)
		sheet_paragraph(sheet, SHEET_PLAIN, "%s suppressed by %s",
				report_plural(report->suppressed_count, "change", count),
				report->suppressions->path);
	if (!diff->change_count)
		sheet_paragraph(sheet, SHEET_PLAIN, "no %s%sdifference",
				report->suppressed_count ? "other " : "", is_filtered ? "such " : "");
}

void report_diff(struct strbuf *out, const struct diff_report *report, const struct report_style *style)
{
	const struct diff *diff = report->diff;
	struct diff_text_writer text = { .out = out, .diff = diff, .style = style,
					 .is_filtered = report->record || report->classes };
	struct sheet sheet;

	if (style->markdown) {
		report_diff_markdown(out, report);
		return;
	}
	sheet_init(&sheet, out, style);
	report_diff_head(&sheet, report);
	sheet_release(&sheet);
	if (diff->change_count && report->only_counts) {
		for (int section = DIFF_SECTION_READ; diff->view && section <= DIFF_SECTION_UNREAD; section++)
			text_title(&text, (enum diff_section)section);
		text_summary(&text);
	} else if (diff->change_count && !diff->view) {
		text_summary(&text);
		strbuf_addch(out, '\n');
		text_changes(&text);
	} else if (diff->change_count) { /* the work to do comes first, the number of all changes last */
		strbuf_addch(out, '\n');
		text_changes(&text);
		strbuf_addch(out, '\n');
		text_summary(&text);
	}
	report_suppressions(out, report->suppressions, style, SIZE_MAX);
}
