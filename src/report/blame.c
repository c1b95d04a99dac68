/* report/blame.c - the version that last changed each field, as text like that of git blame, or as JSON */
#include "report/internal.h"

enum { COMMIT_DIGITS = 12, NOTE_INDENT = 4 };

/* "data.x", "data[].y" and "data" itself belong to "data". */
static bool belongs_to_field(const char *path, const char *field)
{
	size_t length = field ? strlen(field) : 0;

	return !field || (!strncmp(path, field, length) &&
			  (!path[length] || path[length] == '.' || path[length] == '['));
}

bool report_blame_has(const struct abi_layout *layout, const char *field)
{
	for (size_t i = 0; i < layout->scalar_count; i++)
		if (belongs_to_field(layout->scalar[i].path, field))
			return true;
	return false;
}

/* Appends "; also at 535.43.08, 535.86.05". */
static void also_words(struct strbuf *out, const struct blame_also *also, const struct history_graph *graph)
{
	for (size_t i = 0; i < also->count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : out->length ? "; also at " : "also at ",
			    graph->versions[also->versions[i]].version);
}

/*
 * Adds the beginning of a line, as in git blame: "a1b2c3d4e5f6 (570.86.15 2025-01-23 ". The caller adds the
 * offset and the ")". A boundary has "^" before its commit. @width: of the column of versions
 */
static void add_commit(struct line *line, const struct history_graph *graph, size_t index, bool is_boundary,
		       int width)
{
	const struct history_version *version = &graph->versions[index];
	char date[32];

	line_add(line, "%c%s%.*s" MARK_END " (%-*s %s ", text_mark(is_boundary ? INK_DIM : INK_CHANGED),
		 is_boundary ? "^" : "", COMMIT_DIGITS - (is_boundary ? 1 : 0), version->commit, width,
		 version->version, text_of_day(version->time, date));
}

/* Ends a line with line->plain as a note, "(moved from 8)". */
static void end_with_note(struct line *line)
{
	if (line->plain.length)
		line_add(line, "  " DIM("(%s)"), line->plain.text);
	line_end(line);
}

/*
 * Writes the line of one field: the version that last changed it, the field, and as a note what changed, and
 * the versions on other branches with the same result. A boundary has no change. @width: as in add_commit()
 */
static void text_line_of_blame(struct strbuf *out, const struct blame_line *one,
			       const struct history_graph *graph, int width, const struct report_style *style)
{
	const struct abi_scalar *scalar = one->scalar, *before = one->is_boundary ? NULL : one->before;
	struct line line;
	char at[32];

	line_begin(&line, out, style, NOTE_INDENT);
	add_commit(&line, graph, one->version, one->is_boundary, width);
	line_add(&line, "%7s) %s " NAME, report_bits(scalar->offset_bits, scalar->is_bitfield, at),
		 scalar->type, scalar->path);
	if (scalar->is_bitfield)
		line_add(&line, " " PLAIN(": %" PRIu64), scalar->size_bits);
	for (size_t i = 0; i < scalar->repeat_count; i++)
		line_add(&line, " x%" PRIu64, scalar->repeat[i].count);
	if (!one->is_boundary)
		strbuf_adds(&line.plain, diff_op_name(one->op));
	if (before && one->op == DIFF_OP_RENAMED)
		strbuf_addf(&line.plain, ", was %s", before->path);
	if (before && before->offset_bits != scalar->offset_bits)
		strbuf_addf(&line.plain, " from %s",
			    report_bits(before->offset_bits, before->is_bitfield, at));
	if (before && strcmp(before->type, scalar->type))
		strbuf_addf(&line.plain, ", was %s", before->type);
	for (size_t i = 0; before && i < before->repeat_count; i++)
		if (scalar->repeat_count <= i || before->repeat[i].count != scalar->repeat[i].count)
			strbuf_addf(&line.plain, ", was x%" PRIu64, before->repeat[i].count);
	if (before && before->role != scalar->role)
		strbuf_addf(&line.plain, ", %s",
			    scalar->role == ABI_ROLE_NONE ? "no role now" : "different role");
	also_words(&line.plain, &one->also, graph);
	end_with_note(&line);
}

void report_blame_text(struct strbuf *out, const struct blame_report *report,
		       const struct report_style *style)
{
	const struct history_graph *graph = report->graph;
	const struct blame *blame = report->blame;
	const struct abi_layout *layout = blame->layout;
	size_t width = strlen(graph->versions[blame->size_version].version);
	char size[PLURAL_BYTES];
	struct line line;

	for (size_t i = 0; i < blame->line_count; i++) {
		size_t length = strlen(graph->versions[blame->lines[i].version].version);

		width = length > width ? length : width;
	}
	line_begin(&line, out, style, NOTE_INDENT);
	add_commit(&line, graph, blame->size_version, blame->size_is_boundary, (int)width);
	line_add(&line, "       ) %s " NAMED("%s,") " " PLAIN("%s"), layout->is_union ? "union" : "struct",
		 layout->record, report_plural(layout->size_bytes, "byte", size));
	if (!blame->size_is_boundary && blame->size_before)
		strbuf_addf(&line.plain, "was %" PRIu64, blame->size_before);
	also_words(&line.plain, &blame->size_also, graph);
	for (size_t i = 0; i < blame->former_count; i++)
		strbuf_addf(&line.plain, "%scalled %s before %s", line.plain.length ? "; " : "",
			    blame->former[i].name, graph->versions[blame->former[i].version].version);
	end_with_note(&line);
	for (size_t i = 0; i < blame->line_count; i++)
		if (belongs_to_field(blame->lines[i].scalar->path, report->field))
			text_line_of_blame(out, &blame->lines[i], graph, (int)width, style);
}

/* --- JSON; the context of the writer is the report ---------------------------------- */

JSON_IS(is_bitfield, abi_scalar, it->is_bitfield)
JSON_IS(is_no_bitfield, abi_scalar, !it->is_bitfield)

static const struct json_struct scalar_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("path", JSON_TEXT, abi_scalar, path),
		JSON_FIELD("offset", JSON_BITS, abi_scalar, offset_bits),
		JSON_FIELD("bit_offset", JSON_U64 | JSON_OPTIONAL, abi_scalar, offset_bits,
			   .is_left_out = is_no_bitfield),
		JSON_FIELD("bit_width", JSON_U64 | JSON_OPTIONAL, abi_scalar, size_bits,
			   .is_left_out = is_no_bitfield),
		JSON_FIELD("size", JSON_BITS | JSON_OPTIONAL, abi_scalar, size_bits,
			   .is_left_out = is_bitfield),
		JSON_FIELD("type", JSON_TEXT, abi_scalar, type),
		JSON_ROLE(JSON_SPARSE, abi_scalar, role),
	},
};

static void write_date(struct json_writer *writer, const struct json_field *field, const void *object)
{
	char date[32];

	json_key_string(writer, field->key,
			text_of_day(((const struct history_version *)object)->time, date));
}

static const struct json_struct version_fields = {
	.field = {
		JSON_FIELD("version", JSON_TEXT, history_version, version),
		JSON_FIELD("commit", JSON_TEXT | JSON_OR_NULL, history_version, commit),
	},
};

static const struct json_struct dated_fields = {
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &version_fields },
		{ .key = "date", .kind = JSON_TEXT | JSON_OR_NULL, .write = write_date },
	},
};

/* Writes the members of the version with the index in the field. */
static void write_version(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct blame_report *report = writer->context;
	const size_t index = *(const size_t *)((const char *)object + field->offset);

	json_write_members(writer, &report->graph->versions[index], field->of);
}

JSON_IS(line_is_boundary, blame_line, it->is_boundary)
JSON_IS(line_has_no_also, blame_line, !it->also.count)

static const struct json_struct line_fields = {
	.is_inline = true,
	.field = {
		JSON_INTO_BY_POINTER(blame_line, scalar, &scalar_fields),
		JSON_INTO(blame_line, version, &dated_fields, .write = write_version),
		JSON_FIELD("boundary", JSON_BOOL, blame_line, is_boundary),
		JSON_ARRAY("also", JSON_TEXTS | JSON_OPTIONAL, blame_line, also.versions, also.count, NULL,
			   .write = report_write_versions, .is_left_out = line_has_no_also),
		JSON_FIELD("op", JSON_NAMED | JSON_OPTIONAL, blame_line, op, .name_of = diff_op_name,
			   .max = DIFF_OP_RESIZED + 1, .is_left_out = line_is_boundary),
		JSON_FIELD("before", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, blame_line, before,
			   .of = &scalar_fields),
	},
};

JSON_IS(size_has_no_also, blame, !it->size_also.count)
JSON_GET_NUMBER(record_size, blame, it->layout->size_bytes)

static const struct json_struct size_fields = {
	.is_inline = true,
	.field = {
		{ .key = "size", .kind = JSON_U64, .get_number = record_size },
		JSON_INTO(blame, size_version, &dated_fields, .write = write_version),
		JSON_FIELD("boundary", JSON_BOOL, blame, size_is_boundary),
		JSON_ARRAY("also", JSON_TEXTS | JSON_OPTIONAL, blame, size_also.versions, size_also.count,
			   NULL, .write = report_write_versions, .is_left_out = size_has_no_also),
		JSON_FIELD("before", JSON_U64 | JSON_SPARSE, blame, size_before),
	},
};

JSON_IS(has_no_ioctl, blame_report, !it->ioctl)

/* Writes the ioctl. The hooks of its fields need report->known, the known versions, as their context. */
static void write_ioctl(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct blame_report *report = object;

	json_key(writer, field->key);
	writer->context = (void *)&report->known;
	json_write_struct(writer, report->ioctl, field->of);
	writer->context = (void *)report;
}

/* Writes the fields inside report->field, or all fields if it is NULL. */
static void write_lines(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct blame_report *report = object;

	json_key_open(writer, field->key, json_open_array);
	for (size_t i = 0; i < report->blame->line_count; i++)
		if (belongs_to_field(report->blame->lines[i].scalar->path, report->field))
			json_write_struct(writer, &report->blame->lines[i], field->of);
	json_close_array(writer);
}

const struct json_struct report_blame_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = BLAME_FORMAT },
		JSON_INTO_BY_POINTER(blame_report, blame, JSON_STRUCT(blame,
			JSON_FIELD("record", JSON_TEXT, blame, name),
			JSON_INTO(blame, version, &version_fields, .write = write_version))),
		{ .key = "ioctl", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &report_described_fields,
		  .write = write_ioctl, .is_left_out = has_no_ioctl },
		JSON_INTO_BY_POINTER(blame_report, blame, JSON_STRUCT(blame,
			JSON_ARRAY("former_names", JSON_LIST | JSON_SPARSE, blame, former, former_count,
				   JSON_LINE(blame_name,
				JSON_FIELD("name", JSON_TEXT, blame_name, name),
				JSON_FIELD("before", JSON_TEXT, blame_name, version,
					   .write = report_write_version))),
			{ .key = "size", .kind = JSON_OBJECT, .of = &size_fields })),
		{ .key = "lines", .kind = JSON_LIST, .of = &line_fields, .write = write_lines },
	},
};

void report_blame_json(struct strbuf *out, const struct blame_report *report)
{
	report_write_json(out, report, &report_blame_fields, report);
}
