#include "cli/commands.h"
#include "cli/load_table.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/trace.h"

#include "report/history.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "0x20801358" or decimal; not octal, which nobody means. */
static bool parse_number(uint64_t *out, const char *word)
{
	bool is_hex = !strncasecmp(word, "0x", 2);
	const char *digits = is_hex ? word + 2 : word;
	char *end;

	if (!*digits || digits[strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return false;
	errno = 0;
	*out = strtoull(digits, &end, is_hex ? 16 : 10);
	return !errno;
}

/* Words that are numbers, and --number, are numbers; all others are names. */
static int history_wanted(struct history_filter *filter, const struct cli_args *args, struct arena *arena, struct err *err)
{
	uint64_t *numbers = arena_array(arena, args->word_count + 1, sizeof(*numbers));
	const char **names = arena_array(arena, args->word_count + 1, sizeof(*names));

	if (args->number && !parse_number(&numbers[filter->number_count++], args->number))
		return err_set(err, ERR_USAGE, "--number takes an ioctl's number, such as 0x20801358, not '%s'%s", args->number,
			       args->number[strspn(args->number, "0123456789abcdefABCDEF")] ? "" : "; in hexadecimal it begins with 0x");
	for (size_t i = 0; i < args->word_count; i++)
		if (parse_number(&numbers[filter->number_count], args->words[i]))
			filter->number_count++;
		else
			names[filter->name_count++] = args->words[i];
	filter->numbers = numbers;
	filter->names = names;
	return 0;
}

/* Is there a version that has @name, or with a glob something that it matches? */
static bool is_known(const char *name, const struct history_spans *spans, const struct history_graph *graph)
{
	for (size_t i = 0; i < spans->count; i++)
		if (!strcmp(spans->spans[i].name, name))
			return true;
	for (size_t i = graph->version_count; i-- && history_is_glob(name);)
		if (graph->versions[i].abi && nearby_matches(graph->versions[i].abi, name))
			return true;
	return false;
}

static int unknown_name(const char *name, const struct history_graph *graph, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	bool is_number = false;
	int rc;

	for (size_t i = graph->version_count; i--;)
		if (graph->versions[i].abi) {
			is_number = is_number || nearby_number(graph->versions[i].abi, name);
			nearby_names(&nearest, graph->versions[i].abi, name);
		}
	if (is_number)
		strbuf_addf(&near, " (did you mean 0x%s?)", name);
	else
		abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "none of the %zu versions has anything called '%s'%s", graph->version_count, name,
		     strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* A number that is all decimal digits may be meant in hexadecimal. */
static int unknown_number(uint64_t number, const struct history_graph *graph, struct err *err)
{
	char decimal[24];
	bool is_hex = false;

	snprintf(decimal, sizeof(decimal), "%" PRIu64, number);
	for (size_t i = graph->version_count; i-- && !is_hex;)
		is_hex = graph->versions[i].abi && nearby_number(graph->versions[i].abi, decimal);
	return err_set(err, ERR_NOT_FOUND, "no ioctl or command of the %zu versions has the number 0x%" PRIx64 "%s%s%s",
		       graph->version_count, number, is_hex ? " (did you mean 0x" : "", is_hex ? decimal : "", is_hex ? "?)" : "");
}

static bool is_known_number(uint64_t number, const struct history_spans *spans)
{
	for (size_t i = 0; i < spans->count; i++)
		if (spans->spans[i].has_number && spans->spans[i].number == number)
			return true;
	return false;
}

/* A name, a glob or a number that no version ever had is most likely a slip. */
static int check_known(const struct history_spans *spans, const struct history_filter *filter, const struct trace *trace,
		       struct err *err)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (!is_known_number(filter->numbers[i], spans))
			return unknown_number(filter->numbers[i], &trace->graph, err);
	for (size_t i = 0; i < filter->name_count; i++)
		if (!is_known(filter->names[i], spans, &trace->graph))
			return unknown_name(filter->names[i], &trace->graph, err);
	return 0;
}

/* @timelines: set if the format is html */
static void history_render(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines,
			   const struct cli_args *args)
{
	const char *format = args->format;
	struct report_style style = output_style(args);

	if (!strcmp(format, "json"))
		report_history_json(out, report);
	else if (!strcmp(format, "markdown"))
		report_history_markdown(out, report);
	else if (!strcmp(format, "csv"))
		report_history_csv(out, report);
	else if (!strcmp(format, "html"))
		report_history_page(out, report, timelines);
	else
		report_history_text(out, report, &style);
}

/* An answer without a change says so where its format does not, and whether that is the table's doing. */
static void note_nothing(const struct history *history, const struct cli_args *args)
{
	const struct history_graph *graph = history->graph;
	size_t steps = 0;

	if (history->event_count)
		return;
	for (size_t i = 0; i < graph->edge_count; i++)
		steps += history->changes[i].left_out > 0;
	if (steps)
		output_note(args, "%s forwards nothing of what changed on %zu of %zu steps; without --table it is told",
			    history->filter->table->proxy, steps, graph->edge_count);
	else if (!strcmp(args->format, "csv"))
		output_note(args, "nothing of what is asked for changed in %zu versions", graph->version_count);
}

/* The table's first node is what it would forward before that. */
static void note_older(const struct history_graph *graph, const struct table *table, const struct cli_args *args)
{
	size_t older = 0;

	for (size_t i = 0; i < graph->version_count; i++)
		older += !table_nearest_node(table, graph->versions[i].version);
	if (older)
		output_note(args, "%zu of %zu versions are older than all nodes of %s; its first, %s, stands for them", older,
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
	struct trace trace = { 0 };
	struct table table;
	int rc;

	if ((rc = history_wanted(&filter, args, &arena, err)) ||
	    (rc = trace_load(&trace, NULL, args, err)) ||
	    (args->table && (rc = load_table_for(&table, trace.driver, args, &trace.arena, err))))
		goto out;
	filter.table = args->table ? &table : NULL;
	history_since(&spans, &trace.graph, &filter, &arena);
	if ((rc = check_known(&spans, &filter, &trace, err)) ||
	    (rc = trace_compare(&trace, &filter, err)))
		goto out;
	if (args->table)
		note_older(&trace.graph, &table, args);
	history_join(&history, &trace.graph, &filter, trace.changes, &arena);
	history_moves(&spans, &history, &arena);
	report.driver = trace.driver;
	report.main = trace.loaded.graph.main;
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
	trace_release(&trace);
	return rc;
}
