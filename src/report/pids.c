/* report/pids.c - the process ids in the parameters of a version's ioctls */
#include "report/internal.h"

/* --- words -------------------------------------------------------------------------- */

static const char *direction_word(const struct pids_field *field)
{
	const char *direction = pids_direction(field);

	return direction ? direction : "?";
}

/*
 * Appends "of a guest", "never converted", or the versions of the driver that convert the pid to the caller's
 * pid namespace; nothing if unknown.
 */
static void driver_converts_words(struct strbuf *out, const struct pids_field *field)
{
	const struct pid_rule *rule = field->rule;

	if (pids_of_guest(field)) {
		strbuf_adds(out, "of a guest");
	} else if (rule && !rule->convert_count) {
		strbuf_adds(out, "never converted");
	} else if (rule) {
		strbuf_adds(out, field->converts == PIDS_NO ? "not converted: only " : "converted ");
		for (size_t i = 0; i < rule->convert_count; i++)
			if (rule->converts[i].until)
				strbuf_addf(out, "%s%s until %s", i ? ", " : "", rule->converts[i].since,
					    rule->converts[i].until);
			else
				strbuf_addf(out, "%ssince %s", i ? ", " : "", rule->converts[i].since);
		if (rule->direction == USE_INOUT)
			strbuf_adds(out, " (the pid that the driver reads, not the one that it returns)");
	}
}

/* Returns "read" if the proxy has a type for the parameters, "unread" if not, "none" without an entry. */
static const char *use_word(const struct pids_row *row)
{
	const struct table_entry *entry = row->ioctl->entry;

	for (size_t i = 0; entry && i < entry->struct_count; i++)
		if (entry->structs[i].proxy &&
		    !strcmp(entry->structs[i].driver, row->ioctl->ioctl->params))
			return "read";
	return entry ? "unread" : "none";
}

static const char *number_of_row(const struct pids_row *row, char buffer[ABI_NOTATION_BYTES])
{
	return abi_ioctl_number(row->ioctl->ioctl->family, row->ioctl->ioctl->number, buffer);
}

/* --- text --------------------------------------------------------------------------- */

/* Writes "       12  out    pidTbl[]  x950 every 4, counted by pidTblCount". */
static void text_field(struct strbuf *out, const struct pids_field *field, const struct report_style *style)
{
	struct line line;

	line_begin(&line, out, style, 24);
	line.ink = INK_DIM;
	line_add(&line, "    " PLAIN("%9" PRIu64) "  " CHANGED("%-5s") "  " NAME, field->offset,
		 direction_word(field), field->path);
	if (field->pointer)
		line_add(&line, "  " PLAIN("in memory at the pointer at offset %" PRIu64 ", every %" PRIu64 " bytes%s"),
			 field->pointer->offset_bits / 8, field->stride, field->count ? "," : "");
	else if (field->stride)
		line_add(&line, "  " PLAIN("x%" PRIu64 " every %" PRIu64 "%s"), field->max, field->stride,
			 field->count ? "," : "");
	if (field->count)
		line_add(&line, " " PLAIN("counted by %s"), field->count->path);
	if (field->union_path)
		line_add(&line, "  " ALARM("in union %s"), field->union_path);
	if (field->stride) { /* the conversion of an array of pids is on a line of its own */
		line_end(&line);
		line_begin(&line, out, style, 26);
	}
	driver_converts_words(&line.plain, field);
	line_end_with(&line, INK_DIM, field->stride ? "                          " : "  ");
}

/* Writes an ioctl, what the proxy does with it, and its fields with process ids. */
static void text_row(struct strbuf *out, const struct pids *pids, const struct pids_row *row,
		     const struct report_style *style)
{
	const struct table_entry *entry = row->ioctl->entry;
	const struct abi_ioctl *ioctl = row->ioctl->ioctl;
	char number[ABI_NOTATION_BYTES];
	struct line line;

	line_begin(&line, out, style, 24);
	if (pids->surface->view)
		line_add(&line, ADDED("%s") " ", entry ? "*" : " ");
	line_add(&line, "%-9s %-11s " NAME "  " "%s" NBSP "%" PRIu64, ioctl->family,
		 number_of_row(row, number), ioctl->name, ioctl->params, row->ioctl->params_bytes);
	line_end(&line);
	line_begin(&line, out, style, 24);
	for (size_t i = 0; entry && i < entry->cap_count; i++)
		strbuf_addf(&line.plain, "%s%s", i ? ", " : "", entry->caps[i]);
	if (entry)
		line_add(&line, "%*s" DIM("%s, by %s"), 24, "",
			 !strcmp(use_word(row), "read") ? "read by the proxy" : "passed through unread",
			 strbuf_text(&line.plain));
	line_end(&line);
	for (size_t i = 0; i < row->field_count; i++)
		text_field(out, &row->fields[i], style);
}

static const char not_carried[] =
	"Records that contain process ids, but that no ioctl carries, so a shim for ioctls does not see the ids. Either the "
	"driver shares the records' memory with programs, or the records never reach programs. The headers do not say which.";

/* Writes the ioctls that carry process ids, and then the records with process ids that no ioctl carries. */
static void text_pids(struct strbuf *out, const struct pids *pids, const struct report_style *style)
{
	const struct table_view *view = pids->surface->view;
	char ioctls[PLURAL_BYTES];
	struct line line;

	line_begin(&line, out, style, 2);
	line_add(&line, NAMED("%s %s") ": %s carr%s process ids", pids->surface->abi->driver,
		 pids->surface->abi->version, report_plural(pids->row_count, "ioctl", ioctls),
		 pids->row_count == 1 ? "ies" : "y");
	if (view)
		line_add(&line, ", %zu of them forwarded (*) by %s (node %s)", pids->forwarded,
			 view->table->proxy, view->node->version);
	line_end(&line);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < pids->row_count; i++)
		text_row(out, pids, &pids->rows[i], style);
	if (!pids->record_count)
		return;
	strbuf_addch(out, '\n');
	text_line(out, style, 0, "%s", not_carried);
	for (size_t i = 0; i < pids->record_count; i++) {
		const struct pids_row *row = &pids->records[i];

		text_line(out, style, 2, NAME "  %" PRIu64, row->record, row->size_bytes);
		for (size_t f = 0; f < row->field_count; f++)
			text_field(out, &row->fields[f], style);
	}
}

/* --- Markdown ------------------------------------------------------------------------ */

/* Writes a table of the process ids in ioctls, and one of those in records that no ioctl carries. */
static void markdown_pids(struct sheet *sheet, const struct pids *pids)
{
	const struct table_view *view = pids->surface->view;
	const struct sheet_column columns[] = {
		{ .title = "number" },	  { .title = "ioctl" },	 { .title = "bytes" },
		{ .title = "path" },	  { .title = "offset" }, { .title = "stride" },
		{ .title = "max" },	  { .title = "count" },	 { .title = "direction" },
		{ .title = "by the driver" }, { .title = view ? "proxy" : NULL }, { 0 }
	};
	static const struct sheet_column record_columns[] = {
		{ .title = "record" }, { .title = "bytes" }, { .title = "path" }, { .title = "offset" },
		{ .title = "stride" }, { .title = "max" },   { 0 }
	};
	struct strbuf words = { 0 };

	sheet_heading(sheet, SHEET_TITLE, "Process ids in the ioctls of %s %s", pids->surface->abi->driver,
		      pids->surface->abi->version);
	if (view)
		sheet_paragraph(sheet, SHEET_PLAIN, "%zu of %zu ioctls are forwarded by %s.", pids->forwarded,
				pids->row_count, view->table->proxy);
	sheet_table(sheet, columns);
	for (size_t i = 0; i < pids->row_count; i++)
		for (size_t f = 0; f < pids->rows[i].field_count; f++) {
			const struct pids_row *row = &pids->rows[i];
			const struct pids_field *field = &row->fields[f];
			char number[ABI_NOTATION_BYTES];

			strbuf_reset(&words);
			driver_converts_words(&words, field);
			sheet_row(sheet,
				  view ? "%s %s\t" NAME "\t%" PRIu64 "\t" NAME "\t%" PRIu64 "\t%" PRIu64
					 "\t%" PRIu64 "\t" NAME "\t%s\t%s\t%s"
				       : "%s %s\t" NAME "\t%" PRIu64 "\t" NAME "\t%" PRIu64 "\t%" PRIu64
					 "\t%" PRIu64 "\t" NAME "\t%s\t%s",
				  row->ioctl->ioctl->family, number_of_row(row, number),
				  row->ioctl->ioctl->name,
				  row->ioctl->params_bytes, field->path, field->offset, field->stride,
				  field->max, field->count ? field->count->path : "", direction_word(field),
				  strbuf_text(&words), use_word(row));
		}
	strbuf_release(&words);
	if (!pids->record_count)
		return;
	sheet_paragraph(sheet, SHEET_PLAIN, "%s", not_carried);
	sheet_table(sheet, record_columns);
	for (size_t i = 0; i < pids->record_count; i++)
		for (size_t f = 0; f < pids->records[i].field_count; f++) {
			const struct pids_row *row = &pids->records[i];
			const struct pids_field *field = &row->fields[f];

			sheet_row(sheet, NAME "\t%" PRIu64 "\t" NAME "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
				  row->record, row->size_bytes, field->path, field->offset, field->stride,
				  field->max);
		}
}

void report_pids(struct strbuf *out, const struct pids *pids, const struct report_style *style)
{
	struct sheet sheet;

	if (style->markdown) {
		sheet_init(&sheet, out, style);
		markdown_pids(&sheet, pids);
		sheet_release(&sheet);
	} else {
		text_pids(out, pids, style);
	}
}

/* --- JSON ----------------------------------------------------------------------- */

/* Writes the versions since which the driver converts the field, or until which, depending on the key. */
static void write_converted(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct pid_rule *rule = ((const struct pids_field *)object)->rule;
	const bool until = strstr(field->key, "until");

	json_key_open(writer, field->key, json_open_inline_array);
	for (size_t i = 0; rule && i < rule->convert_count; i++)
		if (!until || rule->converts[i].until)
			json_string(writer, until ? rule->converts[i].until : rule->converts[i].since);
	json_close_array(writer);
}

JSON_GET_NUMBER(is_converted, pids_field, it->converts == PIDS_YES)
JSON_IS(may_be_converted, pids_field, it->converts == PIDS_UNKNOWN)
JSON_GET_TEXT(count_path, pids_field, it->count ? it->count->path : NULL)
JSON_GET_TEXT(field_direction, pids_field, pids_direction(it))
JSON_GET_TEXT(field_of, pids_field, pids_of_guest(it) ? "guest" : "host")
JSON_GET_NUMBER(pointer_offset, pids_field, it->pointer->offset_bits / 8)
JSON_IS(is_at_no_pointer, pids_field, !it->pointer)
JSON_GET_TEXT(field_evidence, pids_field, it->rule ? it->rule->evidence : NULL)

static const struct json_struct pid_fields = {
	.size = sizeof(struct pids_field),
	.is_inline = true,
	.field = {
		JSON_FIELD("path", JSON_TEXT, pids_field, path),
		JSON_FIELD("offset", JSON_U64, pids_field, offset),
		JSON_FIELD("width", JSON_U64, pids_field, width),
		JSON_FIELD("stride", JSON_U64, pids_field, stride),
		JSON_FIELD("max", JSON_U64, pids_field, max),
		{ .key = "count", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = count_path },
		{ .key = "direction", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = field_direction },
		{ .key = "of", .kind = JSON_TEXT, .get_text = field_of },
		{ .key = "pointer_offset", .kind = JSON_U64 | JSON_OPTIONAL, .get_number = pointer_offset,
		  .is_left_out = is_at_no_pointer },
		JSON_FIELD("union", JSON_TEXT | JSON_SPARSE, pids_field, union_path),
		{ .key = "driver_converts", .kind = JSON_BOOL | JSON_OR_NULL, .get_number = is_converted,
		  .is_null = may_be_converted },
		{ .key = "driver_converts_since", .kind = JSON_TEXTS, .write = write_converted },
		{ .key = "driver_converts_until", .kind = JSON_TEXTS, .write = write_converted },
		{ .key = "evidence", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = field_evidence },
	},
};

JSON_GET_TEXT(row_use, pids_row, use_word(it))
JSON_IS(is_without_table, pids, !it->surface->view)
JSON_IS(has_no_view, surface, !it->view)
JSON_IS(has_no_entry, surface_row, !it->entry)

const struct json_struct report_pids_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = "drvabi-pids/1" },
		JSON_INTO_BY_POINTER(pids, surface, JSON_STRUCT(surface,
			JSON_INTO_BY_POINTER(surface, abi, &report_document_fields),
			JSON_INTO_BY_POINTER(surface, view, &report_view_fields,
					     .is_left_out = has_no_view))),
		JSON_ARRAY("ioctls", JSON_LIST, pids, rows, row_count, JSON_STRUCT(pids_row,
			JSON_INTO_BY_POINTER(pids_row, ioctl, JSON_STRUCT(surface_row,
				JSON_INTO_BY_POINTER(surface_row, ioctl, JSON_STRUCT(abi_ioctl,
					JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
					JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
					JSON_FIELD("number", JSON_U64, abi_ioctl, number),
					JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, abi_ioctl, params))),
				JSON_FIELD("size", JSON_U64, surface_row, params_bytes))),
			{ .key = "use", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = row_use,
			  .context_omits = is_without_table },
			JSON_INTO_BY_POINTER(pids_row, ioctl, JSON_STRUCT(surface_row,
				JSON_INTO_BY_POINTER(surface_row, entry, &report_entry_caps_fields,
						     .is_left_out = has_no_entry))),
			JSON_ARRAY("pids", JSON_LIST, pids_row, fields, field_count, &pid_fields))),
		JSON_ARRAY("records", JSON_LIST, pids, records, record_count, JSON_STRUCT(pids_row,
			JSON_FIELD("record", JSON_TEXT, pids_row, record),
			JSON_FIELD("size", JSON_U64, pids_row, size_bytes),
			JSON_ARRAY("pids", JSON_LIST, pids_row, fields, field_count, &pid_fields))),
	},
};

void report_pids_json(struct strbuf *out, const struct pids *pids)
{
	report_write_json(out, pids, &report_pids_fields, pids);
}
