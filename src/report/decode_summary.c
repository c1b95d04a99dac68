/*
 * report/decode_summary.c - the distinct ioctls of a log or trace, their counts, and a diff with a version
 */
#include "report/internal.h"

/* Appends "3 NV_OK, 1 NV_ERR_NOT_SUPPORTED". */
static void status_words(struct strbuf *words, const struct decode_total *total)
{
	for (size_t i = 0; i < total->status_count; i++) {
		const struct decode_status_count *status = &total->statuses[i];

		strbuf_addf(words, "%s%zu ", i ? ", " : "", status->count);
		if (status->name)
			strbuf_adds(words, status->name);
		else
			strbuf_addf(words, "0x%llx", (unsigned long long)status->status);
	}
	if (total->other_statuses)
		strbuf_addf(words, ", %zu others", total->other_statuses);
	if (total->failed)
		strbuf_addf(words, "%s%zu failed", words->length ? ", " : "", total->failed);
}

/* Appends how many calls of an ioctl had pointers that drvabi cannot follow, or a doubtful status. */
static void add_unfollowed_note(struct strbuf *words, const struct decode_total *total)
{
	if (total->unfollowed) {
		strbuf_plural(words, total->unfollowed, "call");
		strbuf_adds(words, " had pointers without a rule: the memory that they point to is unknown");
	}
	if (!total->doubtful)
		return;
	strbuf_adds(words, total->unfollowed ? "; " : "");
	strbuf_plural(words, total->doubtful, "call");
	strbuf_adds(words, " had the status in a place that depends on the version; name it with --version");
}

/* Appends "since 570.86.15; removed in 575.51.02" for each name, whatever its number was. */
static void lifetime_words(struct strbuf *words, const struct decode_ioctl *ioctl)
{
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		if (*name->lifetime && ioctl->name_count > 1)
			strbuf_addf(words, "%s%s: ", words->length ? "; " : "", name->name);
		if (*name->lifetime)
			strbuf_addf(words, "since %s", name->lifetime);
	}
}

static const char *version_of_total(const struct decode_total *total)
{
	return total->call->ioctls[total->call->count - 1].is_asked ? total->call->version : NULL;
}

/* Returns true if the calls were made with several versions of the driver. */
static bool has_several_versions(const struct decode_summary *summary)
{
	const char *first = NULL;

	for (size_t i = 0; i < summary->count; i++) {
		const char *version = version_of_total(&summary->totals[i]);

		if (first && version && version != first)
			return true;
		first = version ? version : first;
	}
	return false;
}

/* @version: the driver version of the calls; NULL: do not report it */
static void text_total(struct decode_text *text, const struct decode_total *total, const char *version)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];

	decode_text_title(text, last, false);
	line_add(&text->line, " x%zu", total->count);
	line_end(&text->line);
	if (version)
		decode_text_label(text, "driver", INK_NONE, version);
	status_words(decode_text_begin(text), total);
	decode_text_end(text, "status", INK_NONE);
	decode_text_label(text, "called by", INK_NONE, strbuf_text(&total->callers));
	if (last->has_size)
		decode_text_parameters(text, last);
	decode_text_versions(text, last);
	lifetime_words(decode_text_begin(text), last);
	decode_text_end(text, "in driver", INK_NONE);
	for (size_t i = 0; i < last->note_count; i++)
		decode_text_label(text, "note", INK_CHANGED, last->notes[i]);
	add_unfollowed_note(decode_text_begin(text), total);
	decode_text_end(text, "note", INK_CHANGED);
	if (total->call->has_table)
		decode_text_proxy(text, total->call);
}

void report_decode_summary(struct strbuf *out, const struct decode_summary *summary,
			   const struct report_style *style)
{
	struct decode_text text = { .out = out, .style = style };
	const bool has_versions = has_several_versions(summary);

	if (!summary->count)
		strbuf_adds(out, "no ioctl of the driver\n");
	for (size_t i = 0; i < summary->count; i++)
		text_total(&text, &summary->totals[i],
			   has_versions ? version_of_total(&summary->totals[i]) : NULL);
	if (summary->left_out) {
		strbuf_plural(out, summary->left_out, "call");
		strbuf_addf(out, " of ioctls beyond the first %d distinct ones\n", (int)DECODE_SUMMARY_MAX);
	}
}

/* --- markdown ----------------------------------------------------------------------------------- */

/* Writes an ioctl, with the statuses of its calls, as a row. @version: NULL if the row does not name it */
static void markdown_total(struct sheet *sheet, const struct decode_total *total, const char *version,
			   bool has_table)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];
	struct strbuf *row = sheet_begin_row(sheet), *words = &sheet->plain;

	report_textf(row, "%s 0x%llx %s", last->family, (unsigned long long)last->number,
		     last->name_count ? "" : "?");
	for (size_t i = 0; i < last->name_count; i++)
		report_textf(row, "%s" NAME, i ? " or " : "", last->names[i].name);
	report_textf(row, "\t%zu", total->count);
	status_words(words, total);
	sheet_add_cell(sheet);
	strbuf_addch(row, '\t');
	if (last->has_size)
		report_textf(row, "%llu", (unsigned long long)last->size_bytes);
	lifetime_words(words, last);
	if (!last->name_count)
		strbuf_addf(words, "not in %s", last->searched);
	if (version)
		strbuf_addf(words, "%sdriver %s", words->length ? "; " : "", version);
	for (size_t i = 0; i < last->note_count; i++)
		strbuf_addf(words, "%s%s", words->length ? "; " : "", last->notes[i]);
	strbuf_adds(words, words->length && (total->unfollowed || total->doubtful) ? "; " : "");
	add_unfollowed_note(words, total);
	sheet_add_cell(sheet);
	if (has_table && total->call->has_table)
		report_decode_proxy_words(words, &total->call->forwarded);
	for (size_t i = 0; has_table && total->call->adds && i < last->name_count; i++)
		if (total->call->adds[i])
			strbuf_addf(words, "%s%s", i ? "; or " : ": ", total->call->adds[i]);
	if (has_table)
		sheet_add_cell(sheet);
	sheet_end_row(sheet);
}

void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary)
{
	const bool has_versions = has_several_versions(summary);
	const struct report_style style = { .markdown = true };
	struct sheet_column columns[] = {
		{ .title = "ioctl" }, { .title = "calls", .is_number = true }, { .title = "status" },
		{ .title = "bytes", .is_number = true }, { .title = "in driver" }, { .title = "proxy" }, { 0 }
	};
	struct sheet sheet;
	bool has_table = false;

	for (size_t i = 0; i < summary->count; i++)
		has_table |= summary->totals[i].call->has_table;
	if (!has_table)
		columns[5].title = NULL;
	sheet_init(&sheet, out, &style);
	if (summary->count)
		sheet_table(&sheet, columns);
	else
		sheet_paragraph(&sheet, SHEET_PLAIN, "No ioctl of the driver.");
	for (size_t i = 0; i < summary->count; i++)
		markdown_total(&sheet, &summary->totals[i],
			       has_versions ? version_of_total(&summary->totals[i]) : NULL, has_table);
	if (summary->left_out)
		sheet_paragraph(&sheet, SHEET_PLAIN, "%zu calls of ioctls beyond the first %d distinct ones.",
				summary->left_out, (int)DECODE_SUMMARY_MAX);
	sheet_release(&sheet);
}

/*
 * The ioctls of a trace or log that have a different ABI in a different version: the verdict, a diff of only
 * these ioctls, and the facts that were not compared.
 */

/* Appends "Of 14 ioctls that were used and are in 1.0, 3 have a different ABI in 2.0, 1 of them removed." */
static void verdict_words(struct strbuf *out, const struct decode_against *against)
{
	const size_t changed = against->by_fate[DECODE_CHANGED], gone = against->by_fate[DECODE_GONE];
	const size_t compared = against->count - against->by_fate[DECODE_UNKNOWN];

	strbuf_adds(out, "Of ");
	strbuf_plural(out, compared, "ioctl");
	strbuf_addf(out, " that %s in %s, ", compared == 1 ? "was used and is" : "were used and are",
		    against->diff.base->version);
	if (!changed && !gone)
		strbuf_addf(out, "none has a different ABI in %s", against->diff.next->version);
	else
		strbuf_addf(out, "%zu %s a different ABI in %s", changed + gone,
			    changed + gone == 1 ? "has" : "have", against->diff.next->version);
	if (gone)
		strbuf_addf(out, ", %zu of them removed", gone);
	strbuf_adds(out, ".");
	if (against->by_fate[DECODE_ALIKE])
		strbuf_addf(out, " %zu changed only in names, flags or values.",
			    against->by_fate[DECODE_ALIKE]);
}

/* Appends a sentence for each kind of call or ioctl that was not compared. */
static void gap_words(struct strbuf *out, const struct decode_against *against)
{
	if (against->opaque_count) {
		strbuf_plural(out, against->opaque_count, "call");
		strbuf_adds(out,
			    " carried a nested ioctl that was not recorded and so is not compared. ");
	}
	if (against->unfollowed_count) {
		strbuf_plural(out, against->unfollowed_count, "call");
		strbuf_adds(
			out,
			" had pointers without a rule: what the driver reads or writes there is not compared. ");
	}
	if (against->by_fate[DECODE_UNKNOWN]) {
		strbuf_plural(out, against->by_fate[DECODE_UNKNOWN], "ioctl");
		strbuf_addf(out, " %s not in %s, so there is nothing to compare. ",
			    against->by_fate[DECODE_UNKNOWN] == 1 ? "is" : "are",
			    against->diff.base->version);
	}
	if (against->left_out) {
		strbuf_plural(out, against->left_out, "call");
		strbuf_addf(out, " of ioctls beyond the first %d distinct ones %s not compared. ",
			    (int)DECODE_SEEN_MAX, against->left_out == 1 ? "is" : "are");
	}
}

void report_against(struct strbuf *out, const struct decode_against *against,
		    const struct report_style *style)
{
	static const struct sheet_column columns[] = {
		{ .title = "family", .width = 8 }, { .title = "number", .width = 10 }, { .title = "ioctl" },
		{ .title = "calls" }, { .title = "result" }, { 0 }
	};
	static const char *const results[] = {
		[DECODE_SAME] = "same", [DECODE_CHANGED] = "changed", [DECODE_GONE] = "removed",
		[DECODE_ALIKE] = "names, flags or values only", [DECODE_UNKNOWN] = "not compared",
	};
	static const enum decode_fate order[] = { DECODE_CHANGED, DECODE_GONE, DECODE_ALIKE, DECODE_UNKNOWN,
						  DECODE_SAME };
	const struct diff_report report = { .diff = &against->diff };
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	verdict_words(&sheet.plain, against);
	sheet_paragraph(&sheet, SHEET_STRONG, "%s", sheet.plain.text);
	gap_words(&sheet.plain, against);
	if (sheet.plain.length)
		sheet_paragraph(&sheet, SHEET_PLAIN, "%s", sheet.plain.text);
	sheet_table(&sheet, columns);
	for (size_t fate = 0; fate < sizeof(order) / sizeof(*order); fate++)
		for (size_t i = 0; i < against->count; i++) {
			const struct decode_against_row *row = &against->rows[i];

			if (row->fate == order[fate] && !(row->fate == DECODE_SAME && sheet_is_brief(&sheet)))
				sheet_row(&sheet, "%s\t0x%llx\t" NAME "\tx%zu\t%s", row->seen->family,
					  (unsigned long long)row->seen->number,
					  row->base ? row->base->name : "?", row->seen->count,
					  results[row->fate]);
		}
	sheet_release(&sheet);
	if (!against->diff.change_count)
		return;
	strbuf_adds(out, "\n");
	report_diff(out, &report, style);
}

/* --- JSON ----------------------------------------------------------------------------------------- */

JSON_GET_TEXT(row_name, decode_against_row, it->base ? it->base->name : NULL)
JSON_GET_TEXT(against_base, decode_against, it->diff.base->version)
JSON_GET_TEXT(against_next, decode_against, it->diff.next->version)
JSON_GET_NUMBER(against_changed, decode_against, it->by_fate[DECODE_CHANGED] + it->by_fate[DECODE_GONE])

const struct json_struct report_against_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = "drvabi-against/1" },
		{ .key = "base", .kind = JSON_TEXT, .get_text = against_base },
		{ .key = "next", .kind = JSON_TEXT, .get_text = against_next },
		{ .key = "changed", .kind = JSON_U64, .get_number = against_changed },
		JSON_FIELD("opaque_calls", JSON_SIZE, decode_against, opaque_count),
		JSON_FIELD("unfollowed_calls", JSON_SIZE, decode_against, unfollowed_count),
		JSON_FIELD("left_out", JSON_SIZE, decode_against, left_out),
		JSON_ARRAY("ioctls", JSON_LIST, decode_against, rows, count, JSON_LINE(decode_against_row,
			JSON_INTO_BY_POINTER(decode_against_row, seen, JSON_STRUCT(decode_seen_ioctl,
				JSON_FIELD("family", JSON_TEXT, decode_seen_ioctl, family),
				JSON_FIELD("number", JSON_U64, decode_seen_ioctl, number))),
			{ .key = "name", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = row_name },
			JSON_FIELD("next_name", JSON_TEXT | JSON_OR_NULL, decode_against_row, next_name),
			JSON_INTO_BY_POINTER(decode_against_row, seen, JSON_STRUCT(decode_seen_ioctl,
				JSON_FIELD("calls", JSON_SIZE, decode_seen_ioctl, count),
				JSON_FIELD("opaque", JSON_SIZE, decode_seen_ioctl, opaque_count))),
			JSON_FIELD("fate", JSON_NAMED, decode_against_row, fate, .name_of = decode_fate_name,
				   .max = DECODE_UNKNOWN + 1),
			JSON_FIELD("classes", JSON_TEXTS, decode_against_row, classes,
				   .write = report_write_classes))),
		JSON_ARRAY("changes", JSON_LIST, decode_against, diff.changes, diff.change_count,
			   JSON_LINE(diff_change,
			JSON_FIELD("kind", JSON_NAMED, diff_change, kind, .name_of = abi_kind_name,
				   .max = ABI_KIND_COUNT),
			JSON_FIELD("name", JSON_TEXT, diff_change, name),
			JSON_FIELD("base_name", JSON_TEXT | JSON_OR_NULL, diff_change, base_name),
			JSON_FIELD("classes", JSON_TEXTS, diff_change, classes,
				   .write = report_write_classes))),
	},
};

void report_against_json(struct strbuf *out, const struct decode_against *against)
{
	report_write_json(out, against, &report_against_fields, NULL);
}
