#include "cli/commands.h"
#include "cli/history_options.h"
#include "cli/load_table.h"
#include "cli/output.h"
#include "cli/lineage.h"

#include "report/report.h"

#include <string.h>

/* @timelines: set if the format is html */
static void history_render(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines,
			   const struct cli_args *args)
{
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "json"))
		report_history_json(out, report);
	else if (!strcmp(args->format, "markdown"))
		report_history_markdown(out, report);
	else if (!strcmp(args->format, "html"))
		report_history_page(out, report, timelines);
	else
		report_history_text(out, report, &style);
}

/* A note if the table excludes everything that changed. */
static void note_nothing(const struct history *history, const struct cli_args *args)
{
	const struct history_graph *graph = history->graph;
	size_t steps = 0;

	if (history->event_count)
		return;
	for (size_t i = 0; i < graph->edge_count; i++)
		steps += history->changes[i].left_out > 0;
	if (steps)
		output_note(args, "%s forwards nothing of what changed in %zu of %zu releases; see it without --table",
			    history->filter->table->proxy, steps, graph->edge_count);
}

/* For versions before the first node, that node is used. */
static void note_older(const struct history_graph *graph, const struct table *table, const struct cli_args *args)
{
	size_t older = 0;

	for (size_t i = 0; i < graph->version_count; i++)
		older += !table_nearest_node(table, graph->versions[i].version);
	if (older)
		output_note(args, "%zu of %zu versions are older than all nodes of %s; its first, %s, is used for them", older,
			    graph->version_count, table->path, table->nodes[0].version);
}

int cmd_history(const struct cli_args *args, struct err *err)
{
	struct history_filter filter = { 0 };
	struct history_report report = { .target = args->target };
	struct history_timelines timelines = { 0 };
	struct history_spans spans;
	struct history history;
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	struct lineage lineage = { 0 };
	struct table table;
	int rc;

	if ((rc = history_options_read(&filter, args, &arena, err)) ||
	    (rc = lineage_load(&lineage, NULL, args, err)) ||
	    (args->table && (rc = load_table_for(&table, lineage.driver, args, &lineage.arena, err))))
		goto out;
	filter.table = args->table ? &table : NULL;
	history_since(&spans, &lineage.graph, &filter, &arena);
	if ((rc = history_options_check(&filter, &spans, &lineage.graph, err)) ||
	    (rc = history_options_select(&filter, args, &lineage.graph, &arena, err)) ||
	    (rc = lineage_compare(&lineage, &filter, err)))
		goto out;
	if (args->table)
		note_older(&lineage.graph, &table, args);
	history_join(&history, &lineage.graph, &filter, lineage.changes, &arena);
	history_moves(&spans, &history, &arena);
	if (filter.versions || filter.classes) {
		select_changes(lineage.changes, &lineage.graph, &filter, &arena);
		history_join(&history, &lineage.graph, &filter, lineage.changes, &arena);
	}
	report.driver = lineage.driver;
	report.main = lineage.loaded.graph.main;
	report.history = &history;
	report.spans = &spans;
	note_nothing(&history, args);
	if (!strcmp(args->format, "html"))
		history_timelines(&timelines, &history, &arena);
	history_render(&out, &report, &timelines, args);
	if (!(rc = output_write(&out, args, err)))
		rc = args->exit_code && history.event_count ? CLI_SOMETHING : CLI_NOTHING;
out:
	strbuf_release(&out);
	arena_release(&arena);
	lineage_release(&lineage);
	return rc;
}
