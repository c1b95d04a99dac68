#include "abi/abi.h"
#include "report/wrap.h"
#include "report/surface_internal.h"

#include <inttypes.h>
#include <string.h>

static const char *row_family(const struct surface_row *row)
{
	return row->ioctl ? row->ioctl->family : row->entry->family;
}

static const char *row_name(const struct surface_row *row)
{
	return row->ioctl ? row->ioctl->name : row->entry->name;
}

static uint64_t row_number(const struct surface_row *row)
{
	return row->ioctl ? row->ioctl->number : row->entry->number;
}

/* Of the column of families. */
static int family_width(const struct surface *surface)
{
	size_t width = 9;

	for (size_t i = 0; i < surface->row_count; i++)
		if (strlen(row_family(&surface->rows[i])) > width)
			width = strlen(row_family(&surface->rows[i]));
	return width < 32 ? (int)width : 32;
}

/* "      296  pid      ProcessID  NvU32": where a proxy finds the field. */
static void text_field(struct strbuf *out, const struct abi_leaf *field, const struct report_style *style)
{
	struct wrap wrap;
	char at[32];

	report_textf(out, "    %9s  ", report_bits(field->offset_bits, field->is_bitfield, at));
	report_ink(out, style, INK_CHANGED, "%-8s", abi_role_name(field->role));
	wrap_continue(&wrap, out, style, 25);
	wrap_word(&wrap, INK_NAME, 2, "%s", field->path);
	wrap_text(&wrap, INK_DIM, 2, field->type);
	for (size_t i = 0; i < field->repeat_count; i++)
		wrap_word(&wrap, INK_NONE, 1, "x%" PRIu64 " every %" PRIu64, field->repeat[i].count, field->repeat[i].stride_bits / 8);
	wrap_end(&wrap);
}

/* Most of what there is to say of a flag is of no interest to most: only by -v. */
static void text_flags(struct strbuf *out, const struct abi_ioctl *ioctl, size_t indent, const struct report_style *style)
{
	struct wrap wrap;

	if (!ioctl->flag_count && !ioctl->access)
		return;
	wrap_begin(&wrap, out, style, indent, indent);
	for (size_t i = 0; i < ioctl->flag_count; i++)
		wrap_word(&wrap, INK_DIM, 1, "%s", ioctl->flags[i]);
	if (ioctl->access)
		wrap_word(&wrap, INK_DIM, 1, "access");
	if (ioctl->access)
		wrap_text(&wrap, INK_DIM, 1, ioctl->access);
	wrap_end(&wrap);
}

static void text_params(struct wrap *wrap, const struct surface_row *row)
{
	if (!row->ioctl)
		wrap_word(wrap, INK_CHANGED, 2, "not in the driver's tables");
	else if (row->params && !row->ioctl->params && row->ioctl->varies & 1u << ABI_IOC_SIZE)
		wrap_word(wrap, INK_NONE, 2, "%s, any size", row->params);
	else if (row->params)
		wrap_word(wrap, INK_NONE, 2, "%s %" PRIu64, row->params, row->params_bytes);
	else
		wrap_word(wrap, INK_NONE, 2, "-");
}

/* With a table, a star stands before what the proxy forwards. */
static void text_row(struct strbuf *out, const struct surface *surface, const struct surface_row *row, int width,
		     const struct report_style *style)
{
	size_t indent = (size_t)width + 13 + (surface->view ? 2 : 0);
	char number[ABI_NOTATION_BYTES];
	struct wrap wrap;

	if (surface->view)
		report_ink(out, style, INK_ADDED, row->entry ? "* " : "  ");
	report_textf(out, "%-*s %-11s", width, row_family(row), abi_ioctl_number(row_family(row), row_number(row), number));
	wrap_continue(&wrap, out, style, indent);
	wrap_word(&wrap, INK_NAME, 1, "%s", row_name(row));
	text_params(&wrap, row);
	wrap_end(&wrap);
	if (style->verbose && row->ioctl)
		text_flags(out, row->ioctl, indent, style);
	for (size_t i = 0; i < row->field_count; i++)
		text_field(out, &row->fields[i], style);
}

static void text_title(struct strbuf *out, const struct surface *surface, const struct report_style *style)
{
	const struct table_view *view = surface->view;
	struct strbuf words = { 0 };
	struct wrap wrap;

	strbuf_plural(&words, surface->row_count - surface->unknown, "ioctl");
	if (view)
		strbuf_addf(&words, ", %zu forwarded (*) by %s (node %s)", surface->forwarded, view->table->proxy, view->node->version);
	if (surface->unknown)
		strbuf_addf(&words, ", which forwards %zu more that the driver's tables do not have", surface->unknown);
	report_ink(out, style, INK_NAME, "%s %s", surface->abi->driver, surface->abi->version);
	strbuf_adds(out, ": ");
	wrap_continue(&wrap, out, style, 2);
	wrap_text(&wrap, INK_NONE, 0, words.text);
	wrap_end(&wrap);
	strbuf_release(&words);
}

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style)
{
	int width = family_width(surface);

	text_title(out, surface, style);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < surface->row_count; i++)
		text_row(out, surface, &surface->rows[i], width, style);
}

static void json_fields(struct json_writer *writer, const struct surface_row *row)
{
	json_key(writer, "fields");
	json_open_inline_array(writer);
	for (size_t i = 0; i < row->field_count; i++) {
		json_open_inline_object(writer);
		json_write_leaf(writer, &row->fields[i]);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_row(struct json_writer *writer, const struct surface *surface, const struct surface_row *row)
{
	json_open_inline_object(writer);
	json_key_string(writer, "family", row_family(row));
	json_key_unsigned(writer, "number", row_number(row));
	json_key_string(writer, "name", row_name(row));
	json_key_bool(writer, "in_driver", row->ioctl != NULL);
	if (row->params) {
		json_key_string(writer, row->ioctl->params ? "params" : "argument", row->params);
		json_key_unsigned(writer, "params_size", row->params_bytes);
	}
	if (row->ioctl)
		json_key_strings(writer, "flags", row->ioctl->flags, row->ioctl->flag_count);
	if (row->ioctl && row->ioctl->access)
		json_key_string(writer, "access", row->ioctl->access);
	if (surface->view)
		json_key_bool(writer, "forwarded", row->entry != NULL);
	if (row->entry)
		json_key_strings(writer, "caps", row->entry->caps, row->entry->cap_count);
	if (surface->roles)
		json_fields(writer, row);
	json_close_object(writer);
}

void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps, const struct caps_since *since)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", "drvabi-surface/1");
	json_key_string(&writer, "driver", surface->abi->driver);
	json_key_string(&writer, "version", surface->abi->version);
	json_key_string(&writer, "commit", surface->abi->commit);
	if (surface->view) {
		json_key_string(&writer, "proxy", surface->view->table->proxy);
		json_key_string(&writer, "node", surface->view->node->version);
	}
	json_key(&writer, "ioctls");
	json_open_array(&writer);
	for (size_t i = 0; i < surface->row_count; i++)
		json_row(&writer, surface, &surface->rows[i]);
	json_close_array(&writer);
	if (caps)
		report_caps_json(&writer, caps, since);
	json_close_object(&writer);
	json_end(&writer);
}
