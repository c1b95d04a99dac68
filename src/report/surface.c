/*
 * report/surface.c - the ioctls of a version, and those that each capability of a proxy exposes
 */
#include "report/internal.h"
#include "abi/abi.h"

#include <inttypes.h>
#include <string.h>

/* Sets with more entries than this are only counted, unless the style is verbose. */
enum { LISTED_MAX = 12 };

static size_t used_caps(const struct caps *caps)
{
	size_t used = 0;

	for (size_t i = 0; i < caps->cap_count; i++)
		used += caps->caps[i].entries > 0;
	return used;
}

static void text_entries(struct strbuf *out, const char *mark, const struct table_entry *const *entries,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		report_textf(out, "%s%-8s %s\n", mark, entries[i]->family, entries[i]->name);
}

static void text_counts(struct strbuf *out, const struct caps *caps, const struct report_style *style)
{
	strbuf_adds(out, "capability          entries    adds  only by it");
	for (size_t f = 0; f < caps->family_count; f++)
		report_textf(out, "  %9s", caps->families[f]);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < caps->cap_count; i++) {
		const struct caps_one *one = &caps->caps[i];

		report_ink(out, style, one->entries ? INK_NAME : INK_DIM, "%-18s", one->name);
		report_textf(out, " %8zu %7zu %11zu", one->entries, one->adds, one->own);
		for (size_t f = 0; f < caps->family_count; f++)
			report_textf(out, "  %9zu", one->by_family[f]);
		strbuf_adds(out, one->is_known ? "\n" : "  no driver capability\n");
	}
}

static void text_sets(struct strbuf *out, const struct caps *caps, const struct report_style *style)
{
	bool any = false;

	for (size_t s = 0; s < caps->set_count; s++) {
		const struct caps_set *set = &caps->sets[s];

		if (set->cap_count < 2)
			continue;
		if (!any)
			strbuf_adds(out, "\nshared, each by all of\n");
		any = true;
		report_textf(out, "  %4zu  ", set->entry_count);
		for (size_t c = 0; c < set->cap_count; c++)
			report_textf(out, "%s%s", c ? ", " : "", set->caps[c]);
		strbuf_addch(out, '\n');
		if (set->entry_count <= LISTED_MAX || style->verbose)
			text_entries(out, "          ", set->entries, set->entry_count);
	}
	if (!any)
		strbuf_adds(out, "\nno entry is shared by two capabilities\n");
}

static void text_caps_since(struct strbuf *out, const struct caps *caps, const struct caps_since *since,
			    const struct report_style *style)
{
	report_textf(out, "\nfrom node %s, %zu entries, to %s, %zu entries\n", since->base->node->version,
		     since->base->entry_count, caps->view->node->version, caps->view->entry_count);
	for (size_t i = 0; i < since->change_count; i++) {
		const struct caps_change *change = &since->changes[i];

		if (!change->gained_count && !change->lost_count && !style->verbose)
			continue;
		report_ink(out, style, INK_NAME, "  %s", change->name);
		report_textf(out, " +%zu -%zu\n", change->gained_count, change->lost_count);
		text_entries(out, "    + ", change->gained, change->gained_count);
		text_entries(out, "    - ", change->lost, change->lost_count);
	}
}

void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since,
		      const struct report_style *style)
{
	const struct table_view *view = caps->view;

	report_ink(out, style, INK_NAME, "%s", view->table->proxy);
	report_textf(out, " at node %s: %zu entries, %zu of them exposed by %zu of %zu capabilities\n\n",
		     view->node->version, view->entry_count, caps->reached, used_caps(caps), caps->cap_count);
	text_counts(out, caps, style);
	text_sets(out, caps, style);
	if (caps->unreached_count) {
		strbuf_adds(out, "\nreached by no capability\n");
		text_entries(out, "  ", caps->unreached, caps->unreached_count);
	} else {
		strbuf_adds(out, "\nevery entry of the node is reached by some capability\n");
	}
	if (since)
		text_caps_since(out, caps, since, style);
}

/* "control/NV2080_CTRL_CMD_GPU_GET_PIDS": family and name, which together are unique. */
static void json_entries(struct json_writer *writer, const char *key,
			 const struct table_entry *const *entries, size_t count)
{
	struct strbuf name = { 0 };

	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; i < count; i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s/%s", entries[i]->family, entries[i]->name);
		json_string(writer, strbuf_text(&name));
	}
	json_close_array(writer);
	strbuf_release(&name);
}

static void json_one(struct json_writer *writer, const struct caps *caps, const struct caps_one *one)
{
	json_open_inline_object(writer);
	json_key_string(writer, "name", one->name);
	json_key_bool(writer, "known", one->is_known);
	json_key_unsigned(writer, "entries", one->entries);
	json_key_unsigned(writer, "adds", one->adds);
	json_key_unsigned(writer, "own", one->own);
	json_key_unsigned(writer, "shared", one->entries - one->own);
	json_key(writer, "families");
	json_open_inline_object(writer);
	for (size_t f = 0; f < caps->family_count; f++)
		json_key_unsigned(writer, caps->families[f], one->by_family[f]);
	json_close_object(writer);
	json_close_object(writer);
}

static void json_since(struct json_writer *writer, const struct caps_since *since)
{
	json_key(writer, "changed_from");
	json_open_object(writer);
	json_key_string(writer, "node", since->base->node->version);
	json_key_unsigned(writer, "entries", since->base->entry_count);
	json_key(writer, "changes");
	json_open_array(writer);
	for (size_t i = 0; i < since->change_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "name", since->changes[i].name);
		json_entries(writer, "gained", since->changes[i].gained, since->changes[i].gained_count);
		json_entries(writer, "lost", since->changes[i].lost, since->changes[i].lost_count);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_close_object(writer);
}

static void json_caps(struct json_writer *writer, const struct caps *caps, const struct caps_since *since)
{
	json_key(writer, "caps");
	json_open_array(writer);
	for (size_t i = 0; i < caps->cap_count; i++)
		json_one(writer, caps, &caps->caps[i]);
	json_close_array(writer);
	json_key(writer, "sets");
	json_open_array(writer);
	for (size_t s = 0; s < caps->set_count; s++) {
		json_open_inline_object(writer);
		json_key_strings(writer, "caps", caps->sets[s].caps, caps->sets[s].cap_count);
		json_entries(writer, "entries", caps->sets[s].entries, caps->sets[s].entry_count);
		json_close_object(writer);
	}
	json_close_array(writer);
	json_entries(writer, "unreached", caps->unreached, caps->unreached_count);
	if (since)
		json_since(writer, since);
}

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

/* For the column of families. */
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
		wrap_word(&wrap, INK_NONE, 1, "x%" PRIu64 " every %" PRIu64, field->repeat[i].count,
			  field->repeat[i].stride_bits / 8);
	wrap_end(&wrap);
}

/* Most details of a flag interest few readers: they are shown only with -v. */
static void text_flags(struct strbuf *out, const struct abi_ioctl *ioctl, size_t indent,
		       const struct report_style *style)
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

/* With a table, a star marks forwarded ioctls, and a plus those that are passed through by number. */
static void text_row(struct strbuf *out, const struct surface *surface, const struct surface_row *row,
		     int width, const struct report_style *style)
{
	size_t indent = (size_t)width + 13 + (surface->view ? 2 : 0);
	char number[ABI_NOTATION_BYTES];
	struct wrap wrap;

	if (surface->view)
		report_ink(out, style, INK_ADDED, row->entry ? "* " : row->passed_as ? "+ " : "  ");
	report_textf(out, "%-*s %-11s", width, row_family(row),
		     abi_ioctl_number(row_family(row), row_number(row), number));
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
	if (view && surface->not_forwarded)
		strbuf_addf(&words, " not forwarded by %s (node %s)", view->table->proxy, view->node->version);
	else if (view)
		strbuf_addf(&words, ", %zu forwarded (*) by %s (node %s)", surface->forwarded,
			    view->table->proxy, view->node->version);
	if (surface->unknown)
		strbuf_addf(&words, ", which forwards %zu more that the driver's tables do not have",
			    surface->unknown);
	if (surface->passed)
		strbuf_addf(&words, "; %zu more passed through by number, without an entry (+)", surface->passed);
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
	if (row->passed_as)
		json_key_string(writer, "passed_as", row->passed_as);
	if (row->entry)
		json_key_strings(writer, "caps", row->entry->caps, row->entry->cap_count);
	if (surface->roles)
		json_fields(writer, row);
	json_close_object(writer);
}

void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps,
			 const struct caps_since *since)
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
		json_caps(&writer, caps, since);
	json_close_object(&writer);
	json_end(&writer);
}
