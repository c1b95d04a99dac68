/*
 * report/against.c - decode --against: a diff of the ioctls that a trace or log used
 *
 * The verdict comes first, then what was not compared, the ioctls, and the diff of only these ioctls.
 */
#include "report/internal.h"

/*
 * Appends the verdict: "Of 14 ioctls that were used and are in 1.0, 3 have a different ABI in 2.0, 1 of them
 * removed." A second sentence counts the ioctls whose changes leave the workload's bytes valid.
 */
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

/* Appends what the verdict does not cover: a sentence for each kind of call or ioctl that is not compared. */
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
	sheet_words(&sheet);
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
			JSON_CLASSES("classes", 0, decode_against_row, classes))),
		JSON_ARRAY("changes", JSON_LIST, decode_against, diff.changes, diff.change_count,
			   JSON_LINE(diff_change,
			JSON_KIND(diff_change, kind),
			JSON_FIELD("name", JSON_TEXT, diff_change, name),
			JSON_FIELD("base_name", JSON_TEXT | JSON_OR_NULL, diff_change, base_name),
			JSON_CLASSES("classes", 0, diff_change, classes))),
	},
};

void report_against_json(struct strbuf *out, const struct decode_against *against)
{
	report_write_json(out, against, &report_against_fields, NULL);
}
