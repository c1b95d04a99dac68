/*
 * A history as JSON: "drvabi-history/1". An event is written once. "version" and "parent" are its first edge,
 * and "edges" has all its edges. The context of the writer is the history.
 */
#include "report/internal.h"

/* --- events --------------------------------------------------------------------- */

static const struct json_struct ioctl_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
		JSON_FIELD("params", JSON_TEXT | JSON_OR_NULL, abi_ioctl, params),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_ioctl_call_fields },
	},
};

JSON_IS(has_no_former_owner, diff_change,
	!it->number_was || (!it->next_ioctl && !it->next_constant) || it->number_was_is_gone)

static const struct json_struct change_fields = {
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_name_fields },
		{ .key = "before", .kind = JSON_WANT_OBJECT | JSON_WANT_INTEGER | JSON_OPTIONAL,
		  .write = report_write_side },
		{ .key = "after", .kind = JSON_WANT_OBJECT | JSON_WANT_INTEGER | JSON_OPTIONAL,
		  .write = report_write_side },
		JSON_FIELD("number_was", JSON_TEXT | JSON_SPARSE, diff_change, number_was),
		JSON_FIELD("number_was_now", JSON_U64 | JSON_OPTIONAL, diff_change, number_was_now,
			   .is_left_out = has_no_former_owner),
		JSON_FIELD("with", JSON_TEXT | JSON_SPARSE, diff_change, with),
		JSON_FIELD("ioctl_before", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, diff_change,
			   base_ioctl, .of = &ioctl_fields),
		JSON_FIELD("ioctl_after", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, diff_change,
			   next_ioctl, .of = &ioctl_fields),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_flag_fields },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_list_fields },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_passed_fields },
	},
};

static const struct json_struct edge_name_fields = {
	.field = {
		JSON_FIELD("version", JSON_TEXT, history_edge, version, .write = report_write_version),
		JSON_FIELD("parent", JSON_TEXT, history_edge, parent, .write = report_write_version),
	},
};

static void write_first_edge(struct json_writer *writer, const struct json_field *field, const void *object)
{
	json_write_members(writer, history_edge_of(writer->context, object, 0), field->of);
}

static void write_edges(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct history_event *event = object;

	json_key_open(writer, field->key, json_open_array);
	for (size_t i = 0; i < event->edge_count; i++)
		json_write_struct(writer, history_edge_of(writer->context, event, i), field->of);
	json_close_array(writer);
}

/* The ioctls that were requested by name or number, with the records through which they carry the record. */
JSON_GET_LIST(event_carriers, history_event, it->change->reached_by, it->carrier_count)

JSON_IS(is_without_table, history, !it->filter->table)

static const struct json_struct event_fields = {
	.size = sizeof(struct history_event),
	.field = {
		{ .key = "version", .kind = JSON_MEMBERS, .of = &edge_name_fields,
		  .write = write_first_edge },
		JSON_FIELD("inside_release", JSON_BOOL, history_event, inside_release),
		{ .key = "edges", .kind = JSON_LIST, .write = write_edges, .of = JSON_LINE(history_edge,
			{ .key = "*", .kind = JSON_MEMBERS, .of = &edge_name_fields },
			JSON_FIELD("inside_release", JSON_BOOL, history_edge, inside_release)) },
		JSON_INTO_BY_POINTER(history_event, change, &change_fields),
		{ .key = "carried_by", .kind = JSON_LIST | JSON_SPARSE, .get_list = event_carriers,
		  .of = JSON_LINE(diff_reach,
			JSON_INTO_BY_POINTER(diff_reach, ioctl, JSON_STRUCT(abi_ioctl,
				JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
				JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
				JSON_FIELD("number", JSON_U64, abi_ioctl, number))),
			JSON_ARRAY("through", JSON_TEXTS, diff_reach, through, through_count, NULL)) },
		JSON_INTO_BY_POINTER(history_event, change, JSON_STRUCT(diff_change,
			JSON_FIELD("proxied", JSON_BOOL | JSON_OPTIONAL, diff_change, proxied,
				   .context_omits = is_without_table))),
	},
};

/* --- spans ---------------------------------------------------------------------- */

JSON_IS(has_no_number, history_move, it->kind != ABI_IOCTL && it->kind != ABI_CONSTANT)

static const struct json_struct move_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("version", JSON_TEXT, history_move, version, .write = report_write_version),
		JSON_FIELD("parent", JSON_TEXT, history_move, parent, .write = report_write_version),
		JSON_KIND(history_move, kind),
		JSON_FIELD("name", JSON_TEXT, history_move, name),
		JSON_FIELD("number", JSON_U64 | JSON_OPTIONAL, history_move, number,
			   .is_left_out = has_no_number),
	},
};

/* Writes what the item was, for the key "was", or else became, unless it does not exist there. */
static void write_moves(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct history_span *span = object;
	const bool is_was = !strcmp(field->key, "was");
	const struct history_move *moves = is_was ? span->was : span->now;

	json_key_open(writer, field->key, json_open_inline_array);
	for (size_t i = 0; i < (is_was ? span->since_count : span->until_count); i++)
		if (moves[i].name)
			json_write_struct(writer, &moves[i], field->of);
	json_close_array(writer);
}

JSON_IS(span_has_number, history_span, it->has_number)
JSON_IS(span_has_no_number, history_span, !it->has_number)

/* The keys for an item with a number begin with "number_". */
#define VERSIONS(key_, list, counter, left_out) \
	JSON_ARRAY(key_, JSON_TEXTS | JSON_OPTIONAL, history_span, list, counter, NULL, \
		   .write = report_write_versions, .is_left_out = (left_out))

static const struct json_struct span_fields = {
	.size = sizeof(struct history_span),
	.is_inline = true,
	.field = {
		JSON_KIND(history_span, kind),
		JSON_FIELD("family", JSON_TEXT | JSON_SPARSE, history_span, family),
		JSON_FIELD("name", JSON_TEXT, history_span, name),
		JSON_FIELD("number", JSON_U64 | JSON_OPTIONAL, history_span, number,
			   .is_left_out = span_has_no_number),
		VERSIONS("since", since, since_count, span_has_number),
		VERSIONS("number_since", since, since_count, span_has_no_number),
		VERSIONS("until", until, until_count, span_has_number),
		VERSIONS("number_until", until, until_count, span_has_no_number),
		{ .key = "was", .kind = JSON_LIST, .of = &move_fields, .write = write_moves },
		{ .key = "now", .kind = JSON_LIST, .of = &move_fields, .write = write_moves },
		JSON_FIELD("versions", JSON_SIZE, history_span, version_count),
	},
};

/* --- the document ------------------------------------------------------------------ */

JSON_GET_TEXT(filter_proxy, history, it->filter->table ? it->filter->table->proxy : NULL)
JSON_GET_NUMBER(is_unreadable, history_version, !it->abi)

/* Writes the requested versions; nothing if all were requested. */
static void write_versions(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct history *history = object;

	if (!history->filter->versions)
		return;
	json_key_open(writer, field->key, json_open_inline_array);
	for (size_t i = 0; i < history->graph->version_count; i++)
		if (history->filter->versions[i])
			json_string(writer, history_version_name(history, i));
	json_close_array(writer);
}

JSON_GET_NUMBER(edge_count, history, history_step_count(it))

const struct json_struct report_history_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = HISTORY_FORMAT },
		JSON_FIELD("driver", JSON_TEXT, history_report, driver),
		JSON_FIELD("target", JSON_TEXT, history_report, target),
		JSON_FIELD("main", JSON_TEXT | JSON_OR_NULL, history_report, main),
		JSON_INTO_BY_POINTER(history_report, history, JSON_STRUCT(history,
			{ .key = "table", .kind = JSON_TEXT | JSON_SPARSE, .get_text = filter_proxy },
			{ .key = "selected_versions", .kind = JSON_TEXTS | JSON_OPTIONAL,
			  .write = write_versions },
			JSON_INTO_BY_POINTER(history, filter, JSON_STRUCT(history_filter,
				JSON_CLASSES("selected_classes", JSON_SPARSE, history_filter, classes))),
			JSON_INTO_BY_POINTER(history, graph, JSON_STRUCT(history_graph,
				JSON_ARRAY("versions", JSON_LIST, history_graph, versions, version_count,
					   JSON_LINE(history_version,
					JSON_FIELD("version", JSON_TEXT, history_version, version),
					JSON_FIELD("commit", JSON_TEXT | JSON_OR_NULL, history_version,
						   commit),
					JSON_FIELD("parent", JSON_TEXT | JSON_OR_NULL, history_version, parent,
						   .write = report_write_version),
					JSON_FIELD("on_main", JSON_BOOL, history_version, on_main),
					{ .key = "unreadable", .kind = JSON_BOOL | JSON_SPARSE,
					  .get_number = is_unreadable })))))),
		JSON_INTO_BY_POINTER(history_report, spans, JSON_STRUCT(history_spans,
			JSON_ARRAY("spans", JSON_LIST | JSON_SPARSE, history_spans, spans, count,
				   &span_fields))),
		JSON_INTO_BY_POINTER(history_report, history, JSON_STRUCT(history,
			JSON_ARRAY("events", JSON_LIST, history, events, event_count, &event_fields),
			{ .key = "summary", .kind = JSON_OBJECT, .of = JSON_LINE(history,
				JSON_FIELD("events", JSON_SIZE, history, event_count),
				JSON_FIELD("changes", JSON_SIZE, history, change_count),
				{ .key = "edges", .kind = JSON_U64, .get_number = edge_count },
				JSON_FIELD("changed_edges", JSON_SIZE, history, changed_edges),
				JSON_FIELD("renumbered", JSON_SIZE, history, numbers.renumbered),
				JSON_FIELD("reused_numbers", JSON_SIZE, history, numbers.reused)) })),
	},
};

void report_history_json(struct strbuf *out, const struct history_report *report)
{
	report_write_json(out, report, &report_history_fields, report->history);
}
