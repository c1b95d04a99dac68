/*
 * A history for a program: "drvabi-history/1". An event is written once, with its first edge in "version"
 * and "parent", and all of them in "edges".
 */
#include "report/internal.h"

#include "abi/abi.h"

static void json_graph(struct json_writer *writer, const struct history_graph *graph)
{
	json_key(writer, "versions");
	json_open_array(writer);
	for (size_t i = 0; i < graph->version_count; i++) {
		const struct history_version *version = &graph->versions[i];

		json_open_inline_object(writer);
		json_key_string(writer, "version", version->version);
		json_key_string(writer, "commit", version->commit);
		json_key_string(writer, "parent",
				version->parent == HISTORY_NO_PARENT
					? NULL
					: graph->versions[version->parent].version);
		json_key_bool(writer, "on_main", version->on_main);
		if (!version->abi)
			json_key_bool(writer, "unreadable", true);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_record(struct json_writer *writer, const struct abi_record *record)
{
	json_open_inline_object(writer);
	json_key_unsigned(writer, "size", record->size_bytes);
	json_key_unsigned(writer, "align", record->align_bytes);
	json_key_bool(writer, "is_union", record->is_union);
	json_close_object(writer);
}

static void json_typed(struct json_writer *writer, const char *type, uint64_t size)
{
	json_open_inline_object(writer);
	json_key_string(writer, "type", type);
	json_key_unsigned(writer, "size", size);
	json_close_object(writer);
}

/* One side of a change: an ioctl and a constant are their number. */
static void json_side(struct json_writer *writer, const char *key, const struct abi_record *record,
		      const struct abi_alias *alias, const struct abi_enum *one,
		      const struct abi_constant *constant, const struct abi_ioctl *ioctl)
{
	if (!record && !alias && !one && !constant && !ioctl)
		return;
	json_key(writer, key);
	if (record)
		json_record(writer, record);
	else if (alias)
		json_typed(writer, alias->type, alias->size_bytes);
	else if (one)
		json_typed(writer, one->type, one->size_bytes);
	else if (constant)
		json_number(writer, constant->value);
	else
		json_unsigned(writer, ioctl->number);
}

static void json_ioctl_details(struct json_writer *writer, const char *key, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "name", ioctl->name);
	json_key_string(writer, "params", ioctl->params);
	json_key_strings(writer, "flags", ioctl->flags, ioctl->flag_count);
	if (ioctl->access)
		json_key_string(writer, "access", ioctl->access);
	json_write_ioc(writer, ioctl);
	json_close_object(writer);
}

static void json_edges(struct json_writer *writer, const struct history *history,
		       const struct history_event *event)
{
	json_key(writer, "edges");
	json_open_array(writer);
	for (size_t i = 0; i < event->edge_count; i++) {
		const struct history_edge *edge = history_edge_of(history, event, i);

		json_open_inline_object(writer);
		json_key_string(writer, "version", history_version_name(history, edge->version));
		json_key_string(writer, "parent", history_version_name(history, edge->parent));
		json_key_bool(writer, "inside_release", edge->inside_release);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_also(struct json_writer *writer, const struct diff_change *change)
{
	if (!change->also_count)
		return;
	json_key_strings(writer, "also", change->also, change->also_count);
}

static void json_change(struct json_writer *writer, const struct diff_change *change)
{
	json_key_string(writer, "kind", abi_kind_name(change->kind));
	if (change->family)
		json_key_string(writer, "family", change->family);
	json_key_string(writer, "name", change->name);
	if (change->base_name)
		json_key_string(writer, "base_name", change->base_name);
	json_also(writer, change);
	if (change->same_as)
		json_key_string(writer, "same_as", change->same_as);
	report_json_classes(writer, change->classes);
	json_side(writer, "before", change->base_record, change->base_alias, change->base_enum,
		  change->base_constant, change->base_ioctl);
	json_side(writer, "after", change->next_record, change->next_alias, change->next_enum,
		  change->next_constant, change->next_ioctl);
	if (change->number_was)
		json_key_string(writer, "number_was", change->number_was);
	if (change->number_was && (change->next_ioctl || change->next_constant) && !change->number_was_is_gone)
		json_key_unsigned(writer, "number_was_now", change->number_was_now);
	if (change->with)
		json_key_string(writer, "with", change->with);
	json_ioctl_details(writer, "ioctl_before", change->base_ioctl);
	json_ioctl_details(writer, "ioctl_after", change->next_ioctl);
	report_json_flags(writer, change);
	if (change->kind == ABI_RECORD)
		report_json_fields(writer, change);
	if (change->kind == ABI_ENUM)
		report_json_values(writer, change);
}

/*
 * The ioctls that were requested by name or number, and the records through which they carry the one that
 * changed.
 */
static void json_carriers(struct json_writer *writer, const struct history_event *event)
{
	if (!event->carrier_count)
		return;
	json_key(writer, "carried_by");
	json_open_array(writer);
	for (size_t i = 0; i < event->carrier_count; i++) {
		const struct diff_reach *reach = &event->change->reached_by[i];

		json_open_inline_object(writer);
		json_key_string(writer, "family", reach->ioctl->family);
		json_key_string(writer, "name", reach->ioctl->name);
		json_key_unsigned(writer, "number", reach->ioctl->number);
		json_key_strings(writer, "through", reach->through, reach->through_count);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_event(struct json_writer *writer, const struct history *history,
		       const struct history_event *event)
{
	const struct history_edge *edge = history_edge_of(history, event, 0);

	json_open_object(writer);
	json_key_string(writer, "version", history_version_name(history, edge->version));
	json_key_string(writer, "parent", history_version_name(history, edge->parent));
	json_key_bool(writer, "inside_release", event->inside_release);
	json_edges(writer, history, event);
	json_change(writer, event->change);
	json_carriers(writer, event);
	if (history->filter->table)
		json_key_bool(writer, "proxied", event->change->proxied);
	json_close_object(writer);
}

static void json_indices(struct json_writer *writer, const char *key, const struct history *history,
			 const size_t *index, size_t count)
{
	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; i < count; i++)
		json_string(writer, history_version_name(history, index[i]));
	json_close_array(writer);
}

/* Nothing where the thing is not there across the edge. */
static void json_moves(struct json_writer *writer, const char *key, const struct history *history,
		       const size_t *version, const struct history_move *moves, size_t count)
{
	json_key(writer, key);
	json_open_inline_array(writer);
	for (size_t i = 0; i < count; i++) {
		if (!moves[i].name)
			continue;
		json_open_inline_object(writer);
		json_key_string(writer, "version", history_version_name(history, version[i]));
		json_key_string(writer, "parent", history_version_name(history, moves[i].parent));
		json_key_string(writer, "kind", abi_kind_name(moves[i].kind));
		json_key_string(writer, "name", moves[i].name);
		if (moves[i].kind == ABI_IOCTL || moves[i].kind == ABI_CONSTANT)
			json_key_unsigned(writer, "number", moves[i].number);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_spans(struct json_writer *writer, const struct history_report *report)
{
	json_key(writer, "spans");
	json_open_array(writer);
	for (size_t i = 0; i < report->spans->count; i++) {
		const struct history_span *span = &report->spans->spans[i];

		json_open_inline_object(writer);
		json_key_string(writer, "kind", abi_kind_name(span->kind));
		if (span->family)
			json_key_string(writer, "family", span->family);
		json_key_string(writer, "name", span->name);
		if (span->has_number)
			json_key_unsigned(writer, "number", span->number);
		json_indices(writer, span->has_number ? "number_since" : "since", report->history,
			     span->since, span->since_count);
		json_indices(writer, span->has_number ? "number_until" : "until", report->history,
			     span->until, span->until_count);
		json_moves(writer, "was", report->history, span->since, span->was, span->since_count);
		json_moves(writer, "now", report->history, span->until, span->now, span->until_count);
		json_key_unsigned(writer, "versions", span->version_count);
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* The requested versions and classes, if not all. */
static void json_selection(struct json_writer *writer, const struct history *history)
{
	const struct history_filter *filter = history->filter;

	if (filter->versions) {
		json_key(writer, "selected_versions");
		json_open_inline_array(writer);
		for (size_t i = 0; i < history->graph->version_count; i++)
			if (filter->versions[i])
				json_string(writer, history_version_name(history, i));
		json_close_array(writer);
	}
	if (!filter->classes)
		return;
	json_key(writer, "selected_classes");
	json_open_inline_array(writer);
	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++)
		if (filter->classes & 1u << bit)
			json_string(writer, diff_class_name((enum diff_class)(1u << bit)));
	json_close_array(writer);
}

static void json_summary(struct json_writer *writer, const struct history *history)
{
	json_key(writer, "summary");
	json_open_inline_object(writer);
	json_key_unsigned(writer, "events", history->event_count);
	json_key_unsigned(writer, "changes", history->change_count);
	json_key_unsigned(writer, "edges", history_step_count(history));
	json_key_unsigned(writer, "changed_edges", history->changed_edges);
	json_key_unsigned(writer, "renumbered", history->numbers.renumbered);
	json_key_unsigned(writer, "reused_numbers", history->numbers.reused);
	json_close_object(writer);
}

void report_history_json(struct strbuf *out, const struct history_report *report)
{
	struct json_writer writer = { .out = out };
	const struct history *history = report->history;

	json_open_object(&writer);
	json_key_string(&writer, "format", HISTORY_FORMAT);
	json_key_string(&writer, "driver", report->driver);
	json_key_string(&writer, "target", report->target);
	json_key_string(&writer, "main", report->main);
	if (history->filter->table)
		json_key_string(&writer, "table", history->filter->table->proxy);
	json_selection(&writer, history);
	json_graph(&writer, history->graph);
	if (report->spans->count)
		json_spans(&writer, report);
	json_key(&writer, "events");
	json_open_array(&writer);
	for (size_t i = 0; i < history->event_count; i++)
		json_event(&writer, history, &history->events[i]);
	json_close_array(&writer);
	json_summary(&writer, history);
	json_close_object(&writer);
	json_end(&writer);
}
