/* report/surface.c - the ioctls of a version, and those that each capability of a proxy exposes */
#include "report/internal.h"

/* The entries of a larger set are only counted, unless the style is verbose. */
enum { LISTED_MAX = 12 };

static void text_entries(struct strbuf *out, const char *mark, const struct table_entry *const *entries,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		report_textf(out, "%s%-8s %s\n", mark, entries[i]->family, entries[i]->name);
}

/* Writes the sets of two or more capabilities that share entries; with -v, or if few, the entries. */
static void text_sets(struct strbuf *out, const struct caps *caps, const struct report_style *style)
{
	size_t listed = 0;

	for (size_t s = 0; s < caps->set_count; s++) {
		const struct caps_set *set = &caps->sets[s];

		if (set->cap_count < 2)
			continue;
		if (!listed++)
			strbuf_adds(out, "\nshared entries, and the capabilities that share them\n");
		report_textf(out, "  %4zu  ", set->entry_count);
		for (size_t c = 0; c < set->cap_count; c++)
			report_textf(out, "%s%s", c ? ", " : "", set->caps[c]);
		strbuf_addch(out, '\n');
		if (set->entry_count <= LISTED_MAX || style->verbose)
			text_entries(out, "          ", set->entries, set->entry_count);
	}
	if (!listed)
		strbuf_adds(out, "\nno entry is shared by two capabilities\n");
}

void report_caps_text(struct strbuf *out, const struct caps *caps, const struct caps_since *since,
		      const struct report_style *style)
{
	const struct table_view *view = caps->view;
	size_t used = 0;

	for (size_t i = 0; i < caps->cap_count; i++)
		used += caps->caps[i].entries > 0;
	report_ink(out, style, INK_NAME, "%s", view->table->proxy);
	report_textf(out, " at node %s: %zu entries, %zu of them exposed by %zu of %zu capabilities\n\n",
		     view->node->version, view->entry_count, caps->reached, used, caps->cap_count);
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
		strbuf_adds(out, one->is_known ? "\n" : "  not a driver capability\n");
	}
	text_sets(out, caps, style);
	if (caps->unreached_count) {
		strbuf_adds(out, "\nreached by no capability\n");
		text_entries(out, "  ", caps->unreached, caps->unreached_count);
	} else {
		strbuf_adds(out, "\nevery entry of the node is reached by some capability\n");
	}
	if (!since)
		return;
	report_textf(out, "\nfrom node %s, %zu entries, to %s, %zu entries\n", since->base->node->version,
		     since->base->entry_count, view->node->version, view->entry_count);
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

/* A row is an ioctl, or an entry of the table that no ioctl of the version has. */
JSON_GET_TEXT(row_family, surface_row, it->ioctl ? it->ioctl->family : it->entry->family)
JSON_GET_TEXT(row_name, surface_row, it->ioctl ? it->ioctl->name : it->entry->name)
JSON_GET_NUMBER(row_number, surface_row, it->ioctl ? it->ioctl->number : it->entry->number)

/* Writes the offset, role, path and type of a field: "      296  pid      ProcessID  NvU32". */
static void text_field(struct strbuf *out, const struct abi_scalar *field, const struct report_style *style)
{
	struct line line;
	char at[32];

	line_begin(&line, out, style, 25);
	line_add(&line, "    %9s  " CHANGED("%-8s") "  " NAME "  " DIM("%s"),
		 report_bits(field->offset_bits, field->is_bitfield, at), abi_role_name(field->role),
		 field->path, field->type);
	for (size_t i = 0; i < field->repeat_count; i++)
		line_add(&line, " " PLAIN("x%" PRIu64 " every %" PRIu64), field->repeat[i].count,
			 field->repeat[i].stride_bits / 8);
	line_end(&line);
}

/* Appends the type and size of the parameters, or what is known, and if different, the number's size. */
static void text_params(struct line *line, const struct surface_row *row)
{
	const struct abi_ioctl *ioctl = row->ioctl;
	const unsigned encoded = ioctl && !abi_ioctl_is_plain(ioctl)
					 ? abi_ioc_get(ioctl->number, ABI_IOC_SIZE)
					 : 0;

	if (!ioctl)
		line_add(line, "  " CHANGED("not in the driver's tables"));
	else if (row->params && !ioctl->params && ioctl->varies & 1u << ABI_IOC_SIZE)
		line_add(line, "  " PLAIN("%s, any size"), row->params);
	else if (row->params && ioctl->argument && strchr(ioctl->argument, '[') && encoded)
		line_add(line, "  %s," NBSP "%u" NBSP "bytes", ioctl->argument, encoded);
	else if (row->params && encoded && encoded != row->params_bytes)
		line_add(line, "  " PLAIN("%s, %" PRIu64 " bytes, but %u in the number"), row->params,
			 row->params_bytes, encoded);
	else if (row->params)
		line_add(line, "  %s," NBSP "%" PRIu64 NBSP "bytes", row->params, row->params_bytes);
	else if (call_array_element(ioctl))
		line_add(line, "  " PLAIN("%s[], any size"), call_array_element(ioctl));
	else
		line_add(line, "  " PLAIN("%s"), report_params(ioctl));
}

/*
 * Writes an ioctl, and its fields with the requested roles; -v adds its flags and access rule. With a table,
 * the line begins with "*" if forwarded, and with "+" if passed through by number. @width: of the families
 */
static void text_row(struct strbuf *out, const struct surface *surface, const struct surface_row *row,
		     int width, const struct report_style *style)
{
	size_t indent = (size_t)width + 13 + (surface->view ? 2 : 0);
	const struct abi_ioctl *ioctl = row->ioctl;
	char number[ABI_NOTATION_BYTES];
	struct line line;

	line_begin(&line, out, style, indent);
	if (surface->view)
		line_add(&line, "%c%c" MARK_END " ", text_mark(INK_ADDED), row->entry ? '*' : row->passed_as ? '+' : ' ');
	line_add(&line, "%-*s %-11s " NAME, width, row_family(row),
		 abi_ioctl_number(row_family(row), row_number(row), number), row_name(row));
	text_params(&line, row);
	if (abi_ioctl_has_flag(ioctl, ABI_FLAG_RETURNS_FD))
		line_add(&line, "  " PLAIN("returns an fd"));
	line_end(&line);
	if (style->verbose && ioctl) { /* few readers need the flags and the access rule */
		line_begin(&line, out, style, indent);
		line.ink = INK_DIM;
		for (size_t i = 0; i < ioctl->flag_count; i++)
			strbuf_addf(&line.plain, "%s%s", i ? " " : "", ioctl->flags[i]);
		if (ioctl->access)
			strbuf_addf(&line.plain, "%saccess %s", ioctl->flag_count ? " " : "", ioctl->access);
		if (line.plain.length)
			line_add(&line, "%*s%s", (int)indent, "", line.plain.text);
		line_end(&line);
	}
	for (size_t i = 0; i < row->field_count; i++)
		text_field(out, &row->fields[i], style);
}

void report_surface_text(struct strbuf *out, const struct surface *surface, const struct report_style *style)
{
	const struct table_view *view = surface->view;
	size_t width = 9; /* of the column of families */
	char ioctls[PLURAL_BYTES];
	struct line line;

	line_begin(&line, out, style, 2);
	line_add(&line, NAMED("%s %s") ": %s", surface->abi->driver, surface->abi->version,
		 report_plural(surface->row_count - surface->unknown, "ioctl", ioctls));
	if (view && surface->not_forwarded)
		line_add(&line, " not forwarded by %s (node %s)", view->table->proxy, view->node->version);
	else if (view)
		line_add(&line, ", %zu forwarded (*) by %s (node %s)", surface->forwarded,
			 view->table->proxy, view->node->version);
	if (surface->unknown)
		line_add(&line, ", which forwards %zu more that the driver's tables do not have",
			 surface->unknown);
	if (surface->passed)
		line_add(&line, "; %zu more passed through by number, without an entry (+)",
			 surface->passed);
	line_end(&line);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < surface->row_count; i++)
		if (strlen(row_family(&surface->rows[i])) > width)
			width = strlen(row_family(&surface->rows[i]));
	for (size_t i = 0; i < surface->row_count; i++)
		text_row(out, surface, &surface->rows[i], width < 32 ? (int)width : 32, style);
}

/* --- JSON ----------------------------------------------------------------------- */

/* A surface, and its capabilities if they were requested. */
struct surface_report {
	const struct surface *surface;
	const struct caps *caps;
	const struct caps_since *since;
};

/* Writes an entry as text: "control/NV2080_CTRL_CMD_GPU_GET_INFO". */
static void write_entry_name(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct table_entry *entry = object;
	struct strbuf name = { 0 };

	(void)field;
	strbuf_addf(&name, "%s/%s", entry->family, entry->name);
	json_string(writer, strbuf_text(&name));
	strbuf_release(&name);
}

static const struct json_struct entry_name_fields = {
	.field = { { .key = "", .kind = JSON_TEXT, .write = write_entry_name } },
};

#define ENTRIES(key_, type, list, counter) \
	JSON_ARRAY(key_, JSON_LIST | JSON_BY_POINTER | JSON_ON_ONE_LINE, type, list, counter, \
		   &entry_name_fields)

JSON_GET_NUMBER(shared_entries, caps_one, it->entries - it->own)

/* Writes for each family how many of its entries the capability exposes. The context is the caps. */
static void write_families(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct caps *caps = writer->context;

	json_key_open(writer, field->key, json_open_inline_object);
	for (size_t f = 0; f < caps->family_count; f++)
		json_key_unsigned(writer, caps->families[f], ((const struct caps_one *)object)->by_family[f]);
	json_close_object(writer);
}

static const struct json_struct caps_fields = {
	.field = {
		JSON_ARRAY("caps", JSON_LIST | JSON_OPTIONAL, caps, caps, cap_count, JSON_LINE(caps_one,
			JSON_FIELD("name", JSON_TEXT, caps_one, name),
			JSON_FIELD("known", JSON_BOOL, caps_one, is_known),
			JSON_FIELD("entries", JSON_SIZE, caps_one, entries),
			JSON_FIELD("adds", JSON_SIZE, caps_one, adds),
			JSON_FIELD("own", JSON_SIZE, caps_one, own),
			{ .key = "shared", .kind = JSON_U64, .get_number = shared_entries },
			{ .key = "families", .kind = JSON_WANT_OBJECT, .write = write_families })),
		JSON_ARRAY("sets", JSON_LIST | JSON_OPTIONAL, caps, sets, set_count, JSON_LINE(caps_set,
			JSON_ARRAY("caps", JSON_TEXTS, caps_set, caps, cap_count, NULL),
			ENTRIES("entries", caps_set, entries, entry_count))),
		ENTRIES("unreached", caps, unreached, unreached_count),
	},
};

JSON_GET_TEXT(since_node, caps_since, it->base->node->version)

static const struct json_struct since_fields = {
	.field = {
		{ .key = "node", .kind = JSON_TEXT, .get_text = since_node },
		JSON_INTO_BY_POINTER(caps_since, base, JSON_STRUCT(table_view,
			JSON_FIELD("entries", JSON_SIZE, table_view, entry_count))),
		JSON_ARRAY("changes", JSON_LIST, caps_since, changes, change_count, JSON_LINE(caps_change,
			JSON_FIELD("name", JSON_TEXT, caps_change, name),
			ENTRIES("gained", caps_change, gained, gained_count),
			ENTRIES("lost", caps_change, lost, lost_count))),
	},
};

JSON_IS(has_no_params, surface_row, !it->params)
JSON_IS(is_no_record, surface_row, !it->params || !it->ioctl->params)
JSON_IS(is_no_argument, surface_row, !it->params || it->ioctl->params)
JSON_IS(is_not_in_driver, surface_row, !it->ioctl)
JSON_IS(has_no_entry, surface_row, !it->entry)

JSON_GET_NUMBER(is_in_driver, surface_row, it->ioctl != NULL)

JSON_GET_NUMBER(is_forwarded, surface_row, it->entry != NULL)
JSON_IS(is_without_table, surface_report, !it->surface->view)
JSON_IS(is_without_roles, surface_report, !it->surface->roles)

const struct json_struct report_entry_caps_fields = {
	.field = { JSON_ARRAY("caps", JSON_TEXTS | JSON_OPTIONAL | JSON_ON_ONE_LINE, table_entry, caps,
			      cap_count, NULL) },
};

static const struct json_struct row_fields = {
	.size = sizeof(struct surface_row),
	.is_inline = true,
	.field = {
		{ .key = "family", .kind = JSON_TEXT, .get_text = row_family },
		{ .key = "number", .kind = JSON_U64, .get_number = row_number },
		{ .key = "name", .kind = JSON_TEXT, .get_text = row_name },
		{ .key = "in_driver", .kind = JSON_BOOL, .get_number = is_in_driver },
		JSON_FIELD("params", JSON_TEXT | JSON_OPTIONAL, surface_row, params,
			   .is_left_out = is_no_record),
		JSON_FIELD("argument", JSON_TEXT | JSON_OPTIONAL, surface_row, params,
			   .is_left_out = is_no_argument),
		JSON_FIELD("params_size", JSON_U64 | JSON_OPTIONAL, surface_row, params_bytes,
			   .is_left_out = has_no_params),
		JSON_INTO_BY_POINTER(surface_row, ioctl, JSON_STRUCT(abi_ioctl,
			JSON_ARRAY("flags", JSON_TEXTS | JSON_ON_ONE_LINE | JSON_OPTIONAL, abi_ioctl, flags,
				   flag_count, NULL),
			JSON_FIELD("access", JSON_TEXT | JSON_SPARSE, abi_ioctl, access)),
				     .is_left_out = is_not_in_driver),
		{ .key = "forwarded", .kind = JSON_BOOL | JSON_OPTIONAL, .get_number = is_forwarded,
		  .context_omits = is_without_table },
		JSON_FIELD("passed_as", JSON_TEXT | JSON_SPARSE, surface_row, passed_as),
		JSON_INTO_BY_POINTER(surface_row, entry, &report_entry_caps_fields,
				     .is_left_out = has_no_entry),
		JSON_ARRAY("fields", JSON_LIST | JSON_OPTIONAL | JSON_ON_ONE_LINE, surface_row, fields,
			   field_count, &abi_scalar_fields, .context_omits = is_without_roles),
	},
};

JSON_GET_TEXT(view_proxy, table_view, it->table->proxy)
JSON_GET_TEXT(view_node, table_view, it->node->version)

const struct json_struct report_view_fields = {
	.field = { { .key = "proxy", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = view_proxy },
		   { .key = "node", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = view_node } },
};

JSON_IS(has_no_view, surface, !it->view)

/* Writes the members of report->caps, with the caps as the writer's context; nothing without caps. */
static void write_caps(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct surface_report *report = object;
	struct json_writer of_caps = *writer;

	if (!report->caps)
		return;
	of_caps.context = (void *)report->caps;
	json_write_members(&of_caps, report->caps, field->of);
	of_caps.context = writer->context;
	*writer = of_caps;
}

const struct json_struct report_surface_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = "drvabi-surface/1" },
		JSON_INTO_BY_POINTER(surface_report, surface, JSON_STRUCT(surface,
			JSON_INTO_BY_POINTER(surface, abi, JSON_STRUCT(abi,
				JSON_FIELD("driver", JSON_TEXT, abi, driver),
				JSON_FIELD("version", JSON_TEXT, abi, version),
				JSON_FIELD("commit", JSON_TEXT, abi, commit))),
			JSON_INTO_BY_POINTER(surface, view, &report_view_fields, .is_left_out = has_no_view),
			JSON_ARRAY("ioctls", JSON_LIST, surface, rows, row_count, &row_fields))),
		{ .key = "*", .kind = JSON_MEMBERS | JSON_OPTIONAL, .of = &caps_fields, .write = write_caps },
		JSON_FIELD("changed_from", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, surface_report, since,
			   .of = &since_fields),
	},
};

void report_surface_json(struct strbuf *out, const struct surface *surface, const struct caps *caps,
			 const struct caps_since *since)
{
	const struct surface_report report = { surface, caps, caps ? since : NULL };

	report_write_json(out, &report, &report_surface_fields, &report);
}
