#include "report/style.h"
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

static void words(struct strbuf *out, const char *const *word, size_t count, const char *separator)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? separator : "", word[i]);
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

static void text_row(struct strbuf *out, const struct surface *surface, const struct surface_row *row, int width,
		     const struct report_style *style)
{
	char number[ABI_NOTATION_BYTES];

	report_textf(out, "%-*s %-11s ", width, row_family(row), abi_ioctl_number(row_family(row), row_number(row), number));
	if (surface->view)
		report_ink(out, style, row->entry ? INK_ADDED : INK_DIM, "%-10s ", row->entry ? "forwarded" : "-");
	report_textf(out, "%-64s ", row_name(row));
	if (!row->ioctl)
		report_ink(out, style, INK_CHANGED, "not in the driver's tables");
	else if (row->ioctl->params)
		report_textf(out, "%s %" PRIu64, row->ioctl->params, row->params_bytes);
	else
		strbuf_addch(out, '-');
	if (row->ioctl && row->ioctl->flag_count) {
		strbuf_adds(out, "  ");
		for (size_t i = 0; i < row->ioctl->flag_count; i++)
			report_textf(out, "%s%s", i ? " " : "", row->ioctl->flags[i]);
	}
	if (row->ioctl && row->ioctl->access)
		report_textf(out, "  access %s", row->ioctl->access);
	strbuf_addch(out, '\n');
}

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style)
{
	int width = family_width(surface);

	report_ink(out, style, INK_NAME, "%s %s", surface->abi->driver, surface->abi->version);
	strbuf_adds(out, ": ");
	report_plural(out, surface->row_count - surface->unknown, "ioctl");
	if (surface->view)
		report_textf(out, ", %zu forwarded by %s (node %s), which forwards %zu that the driver's tables do not name",
			     surface->forwarded, surface->view->table->proxy, surface->view->node->version, surface->unknown);
	strbuf_adds(out, "\n\n");
	for (size_t i = 0; i < surface->row_count; i++)
		text_row(out, surface, &surface->rows[i], width, style);
}

static void json_row(struct json_writer *writer, const struct surface *surface, const struct surface_row *row)
{
	json_open_inline_object(writer);
	json_key_string(writer, "family", row_family(row));
	json_key_unsigned(writer, "number", row_number(row));
	json_key_string(writer, "name", row_name(row));
	json_key_bool(writer, "in_driver", row->ioctl != NULL);
	if (row->ioctl && row->ioctl->params) {
		json_key_string(writer, "params", row->ioctl->params);
		json_key_unsigned(writer, "params_size", row->params_bytes);
	}
	if (row->ioctl)
		report_json_strings(writer, "flags", row->ioctl->flags, row->ioctl->flag_count);
	if (row->ioctl && row->ioctl->access)
		json_key_string(writer, "access", row->ioctl->access);
	if (surface->view)
		json_key_bool(writer, "forwarded", row->entry != NULL);
	if (row->entry)
		report_json_strings(writer, "caps", row->entry->caps, row->entry->cap_count);
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

void report_surface_csv(struct strbuf *out, const struct surface *surface)
{
	strbuf_adds(out, "family,number,name,params,params_size,flags,access,forwarded,caps\n");
	for (size_t i = 0; i < surface->row_count; i++) {
		const struct surface_row *row = &surface->rows[i];
		struct strbuf flags = { 0 }, caps = { 0 };
		char number[ABI_NOTATION_BYTES];

		if (row->ioctl)
			words(&flags, row->ioctl->flags, row->ioctl->flag_count, " ");
		if (row->entry)
			words(&caps, row->entry->caps, row->entry->cap_count, " ");
		escape_addf(out, escape_csv, "%s,%s,%s,%s,%" PRIu64 ",", row_family(row),
			    abi_ioctl_number(row_family(row), row_number(row), number), row_name(row),
			    row->ioctl && row->ioctl->params ? row->ioctl->params : "", row->params_bytes);
		escape_addf(out, escape_csv, "%s,%s,%s,%s\n", strbuf_text(&flags),
			    row->ioctl && row->ioctl->access ? row->ioctl->access : "",
			    surface->view ? row->entry ? "yes" : "no" : "", strbuf_text(&caps));
		strbuf_release(&flags);
		strbuf_release(&caps);
	}
}
