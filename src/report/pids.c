#include "report/report.h"
#include "report/internal.h"

#include "base/base.h"
#include "abi/abi.h"

#include <inttypes.h>
#include <string.h>

/* --- words -------------------------------------------------------------------------- */

static const char *direction_word(const struct pids_field *field)
{
	const char *direction = pids_direction(field);

	return direction ? direction : "?";
}

/* "535.43.24 until 535.54.03, since 535.113.01" */
static void spans_words(struct strbuf *out, const struct pid_rule *rule)
{
	for (size_t i = 0; i < rule->convert_count; i++) {
		strbuf_adds(out, i ? ", " : "");
		if (rule->converts[i].until)
			strbuf_addf(out, "%s until %s", rule->converts[i].since, rule->converts[i].until);
		else
			strbuf_addf(out, "since %s", rule->converts[i].since);
	}
}

/* Whose pid it is, and who converts it: what a proxy has to do about it. */
static void converts_words(struct strbuf *out, const struct pids_field *field)
{
	if (pids_of_guest(field)) {
		strbuf_adds(out, "of a guest");
	} else if (field->rule && !field->rule->convert_count) {
		strbuf_adds(out, "never converted");
	} else if (field->rule) {
		strbuf_adds(out, field->converts == PIDS_NO ? "not converted: only " : "converted ");
		spans_words(out, field->rule);
	}
}

static void caps_words(struct strbuf *out, const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->cap_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", entry->caps[i]);
}

/* Has the proxy a type of its own for the parameters? */
static bool is_read(const struct table_entry *entry, const char *record)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy && !strcmp(entry->structs[i].driver, record))
			return true;
	return false;
}

static const char *use_word(const struct pids_row *row)
{
	const struct surface_row *ioctl = row->ioctl;

	return !ioctl->entry ? "none" : is_read(ioctl->entry, ioctl->ioctl->params) ? "read" : "unread";
}

static const char *number_of(const struct pids_row *row, char buffer[ABI_NOTATION_BYTES])
{
	return abi_ioctl_number(row->ioctl->ioctl->family, row->ioctl->ioctl->number, buffer);
}

/* --- text --------------------------------------------------------------------------- */

static void text_title(struct strbuf *out, const struct pids *pids, const struct report_style *style)
{
	const struct table_view *view = pids->surface->view;
	struct strbuf words = { 0 };
	struct wrap wrap;

	strbuf_plural(&words, pids->row_count, "ioctl");
	strbuf_adds(&words, pids->row_count == 1 ? " carries process ids" : " carry process ids");
	if (view)
		strbuf_addf(&words, ", %zu of them forwarded (*) by %s (node %s)", pids->forwarded,
			    view->table->proxy, view->node->version);
	report_ink(out, style, INK_NAME, "%s %s", pids->surface->abi->driver, pids->surface->abi->version);
	strbuf_adds(out, ": ");
	wrap_continue(&wrap, out, style, 2);
	wrap_text(&wrap, INK_NONE, 0, words.text);
	wrap_end(&wrap);
	strbuf_addch(out, '\n');
	strbuf_release(&words);
}

static void text_use(struct strbuf *out, const struct pids_row *row, const struct report_style *style)
{
	struct strbuf words = { 0 };
	struct wrap wrap;

	if (!row->ioctl->entry)
		return;
	strbuf_addf(&words, "%s, by ",
		    !strcmp(use_word(row), "read") ? "read by the proxy" : "passed through unread");
	caps_words(&words, row->ioctl->entry);
	wrap_begin(&wrap, out, style, 24, 24);
	wrap_text(&wrap, INK_DIM, 0, words.text);
	wrap_end(&wrap);
	strbuf_release(&words);
}

/* Behind a single pid, below a row of them. */
static void text_converts(struct wrap *wrap, struct strbuf *out, const struct pids_field *field,
			  const struct report_style *style)
{
	struct strbuf words = { 0 };

	converts_words(&words, field);
	if (words.length && field->stride) {
		wrap_end(wrap);
		wrap_begin(wrap, out, style, 26, 26);
	}
	if (words.length)
		wrap_text(wrap, INK_DIM, 2, words.text);
	strbuf_release(&words);
}

/* "       12  out    pidTbl[]  x950 every 4, counted by pidTblCount" */
static void text_field(struct strbuf *out, const struct pids_field *field, const struct report_style *style)
{
	struct wrap wrap;

	report_textf(out, "    %9" PRIu64 "  ", field->offset);
	report_ink(out, style, INK_CHANGED, "%-5s", direction_word(field));
	wrap_continue(&wrap, out, style, 24);
	wrap_word(&wrap, INK_NAME, 2, "%s", field->path);
	if (field->pointer)
		wrap_word(&wrap, INK_NONE, 2, "at the pointer at %" PRIu64 ", every %" PRIu64 "%s",
			  field->pointer->offset_bits / 8, field->stride, field->count ? "," : "");
	else if (field->stride)
		wrap_word(&wrap, INK_NONE, 2, "x%" PRIu64 " every %" PRIu64 "%s", field->max, field->stride,
			  field->count ? "," : "");
	if (field->count)
		wrap_word(&wrap, INK_NONE, 1, "counted by %s", field->count->path);
	if (field->union_path)
		wrap_word(&wrap, INK_ALARM, 2, "in union %s", field->union_path);
	text_converts(&wrap, out, field, style);
	wrap_end(&wrap);
}

static void text_row(struct strbuf *out, const struct pids *pids, const struct pids_row *row,
		     const struct report_style *style)
{
	const struct abi_ioctl *ioctl = row->ioctl->ioctl;
	char number[ABI_NOTATION_BYTES];
	struct wrap wrap;

	if (pids->surface->view)
		report_ink(out, style, INK_ADDED, row->ioctl->entry ? "* " : "  ");
	report_textf(out, "%-9s %-11s", ioctl->family, number_of(row, number));
	wrap_continue(&wrap, out, style, 24);
	wrap_word(&wrap, INK_NAME, 1, "%s", ioctl->name);
	wrap_word(&wrap, INK_NONE, 2, "%s %" PRIu64, ioctl->params, row->ioctl->params_bytes);
	wrap_end(&wrap);
	text_use(out, row, style);
	for (size_t i = 0; i < row->field_count; i++)
		text_field(out, &row->fields[i], style);
}

static const char not_carried[] =
	"Records with process ids that no ioctl carries, so that no shim at the ioctl sees them: memory that the driver "
	"shares with programs, or nothing that reaches them. The headers do not say which.";

static void text_records(struct strbuf *out, const struct pids *pids, const struct report_style *style)
{
	struct wrap wrap;

	if (!pids->record_count)
		return;
	strbuf_addch(out, '\n');
	wrap_begin(&wrap, out, style, 0, 0);
	wrap_text(&wrap, INK_NONE, 0, not_carried);
	wrap_end(&wrap);
	for (size_t i = 0; i < pids->record_count; i++) {
		const struct pids_row *row = &pids->records[i];

		report_ink(out, style, INK_NAME, "%s", row->record);
		report_textf(out, "  %" PRIu64 "\n", row->size_bytes);
		for (size_t f = 0; f < row->field_count; f++)
			text_field(out, &row->fields[f], style);
	}
}

void report_pids_text(struct strbuf *out, const struct pids *pids, const struct report_style *style)
{
	text_title(out, pids, style);
	for (size_t i = 0; i < pids->row_count; i++)
		text_row(out, pids, &pids->rows[i], style);
	text_records(out, pids, style);
}

/* --- markdown ------------------------------------------------------------------------ */

static void markdown_field(struct strbuf *out, const struct pids *pids, const struct pids_row *row,
			   const struct pids_field *field)
{
	const struct abi_ioctl *ioctl = row->ioctl->ioctl;
	char number[ABI_NOTATION_BYTES];
	struct strbuf words = { 0 };

	strbuf_adds(out, "| ");
	escape_markdown(out, ioctl->family);
	strbuf_addf(out, " %s | ", number_of(row, number));
	escape_markdown_code(out, ioctl->name);
	strbuf_addf(out, " | %" PRIu64 " | ", row->ioctl->params_bytes);
	escape_markdown_code(out, field->path);
	strbuf_addf(out, " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | ", field->offset, field->stride,
		    field->max);
	if (field->count)
		escape_markdown_code(out, field->count->path);
	strbuf_addf(out, " | %s | ", direction_word(field));
	converts_words(&words, field);
	escape_markdown(out, strbuf_text(&words));
	if (pids->surface->view)
		strbuf_addf(out, " | %s", use_word(row));
	strbuf_adds(out, " |\n");
	strbuf_release(&words);
}

void report_pids_markdown(struct strbuf *out, const struct pids *pids)
{
	const struct table_view *view = pids->surface->view;

	strbuf_adds(out, "## Process ids in the ioctls of ");
	escape_markdown(out, pids->surface->abi->driver);
	strbuf_addch(out, ' ');
	escape_markdown(out, pids->surface->abi->version);
	strbuf_adds(out, "\n\n");
	if (view) {
		strbuf_addf(out, "%zu of %zu ioctls are forwarded by ", pids->forwarded, pids->row_count);
		escape_markdown(out, view->table->proxy);
		strbuf_adds(out, ".\n\n");
	}
	strbuf_addf(out,
		    "| number | ioctl | bytes | path | offset | stride | max | count | direction | by the driver |%s\n",
		    view ? " proxy |" : "");
	strbuf_addf(out, "|---|---|---|---|---|---|---|---|---|---|%s\n", view ? "---|" : "");
	for (size_t i = 0; i < pids->row_count; i++)
		for (size_t f = 0; f < pids->rows[i].field_count; f++)
			markdown_field(out, pids, &pids->rows[i], &pids->rows[i].fields[f]);
	if (!pids->record_count)
		return;
	strbuf_addf(out,
		    "\n%s\n\n| record | bytes | path | offset | stride | max |\n|---|---|---|---|---|---|\n",
		    not_carried);
	for (size_t i = 0; i < pids->record_count; i++)
		for (size_t f = 0; f < pids->records[i].field_count; f++) {
			const struct pids_field *field = &pids->records[i].fields[f];

			strbuf_adds(out, "| ");
			escape_markdown_code(out, pids->records[i].record);
			strbuf_addf(out, " | %" PRIu64 " | ", pids->records[i].size_bytes);
			escape_markdown_code(out, field->path);
			strbuf_addf(out, " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " |\n", field->offset,
				    field->stride, field->max);
		}
}

/* --- json ----------------------------------------------------------------------------- */

static void json_versions(struct json_writer *writer, const char *key, const struct pid_rule *rule, bool until)
{
	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; rule && i < rule->convert_count; i++)
		if (!until || rule->converts[i].until)
			json_string(writer, until ? rule->converts[i].until : rule->converts[i].since);
	json_close_array(writer);
}

static void json_converts(struct json_writer *writer, const struct pids_field *field)
{
	json_key(writer, "driver_converts");
	switch (field->converts) {
	case PIDS_UNKNOWN:
		json_null(writer);
		break;
	case PIDS_NO:
	case PIDS_YES:
		json_bool(writer, field->converts == PIDS_YES);
		break;
	}
	json_versions(writer, "driver_converts_since", field->rule, false);
	json_versions(writer, "driver_converts_until", field->rule, true);
}

static void json_field(struct json_writer *writer, const struct pids_field *field)
{
	json_open_inline_object(writer);
	json_key_string(writer, "path", field->path);
	json_key_unsigned(writer, "offset", field->offset);
	json_key_unsigned(writer, "width", field->width);
	json_key_unsigned(writer, "stride", field->stride);
	json_key_unsigned(writer, "max", field->max);
	json_key_string(writer, "count", field->count ? field->count->path : NULL);
	json_key_string(writer, "direction", pids_direction(field));
	json_key_string(writer, "of", pids_of_guest(field) ? "guest" : "host");
	if (field->pointer)
		json_key_unsigned(writer, "pointer_offset", field->pointer->offset_bits / 8);
	if (field->union_path)
		json_key_string(writer, "union", field->union_path);
	json_converts(writer, field);
	json_key_string(writer, "evidence", field->rule ? field->rule->evidence : NULL);
	json_close_object(writer);
}

static void json_fields(struct json_writer *writer, const struct pids_row *row)
{
	json_key(writer, "pids");
	json_open_array(writer);
	for (size_t i = 0; i < row->field_count; i++)
		json_field(writer, &row->fields[i]);
	json_close_array(writer);
}

static void json_row(struct json_writer *writer, const struct pids *pids, const struct pids_row *row)
{
	const struct abi_ioctl *ioctl = row->ioctl->ioctl;

	json_open_object(writer);
	json_key_string(writer, "family", ioctl->family);
	json_key_string(writer, "name", ioctl->name);
	json_key_unsigned(writer, "number", ioctl->number);
	json_key_string(writer, "record", ioctl->params);
	json_key_unsigned(writer, "size", row->ioctl->params_bytes);
	if (pids->surface->view)
		json_key_string(writer, "use", use_word(row));
	if (row->ioctl->entry)
		json_key_strings(writer, "caps", row->ioctl->entry->caps, row->ioctl->entry->cap_count);
	json_fields(writer, row);
	json_close_object(writer);
}

void report_pids_json(struct strbuf *out, const struct pids *pids)
{
	const struct abi *abi = pids->surface->abi;
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", "drvabi-pids/1");
	json_key_string(&writer, "driver", abi->driver);
	json_key_string(&writer, "version", abi->version);
	json_key_string(&writer, "commit", abi->commit);
	json_key_string(&writer, "target", abi->target);
	if (pids->surface->view) {
		json_key_string(&writer, "proxy", pids->surface->view->table->proxy);
		json_key_string(&writer, "node", pids->surface->view->node->version);
	}
	json_key(&writer, "ioctls");
	json_open_array(&writer);
	for (size_t i = 0; i < pids->row_count; i++)
		json_row(&writer, pids, &pids->rows[i]);
	json_close_array(&writer);
	json_key(&writer, "records");
	json_open_array(&writer);
	for (size_t i = 0; i < pids->record_count; i++) {
		json_open_object(&writer);
		json_key_string(&writer, "record", pids->records[i].record);
		json_key_unsigned(&writer, "size", pids->records[i].size_bytes);
		json_fields(&writer, &pids->records[i]);
		json_close_object(&writer);
	}
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
}
