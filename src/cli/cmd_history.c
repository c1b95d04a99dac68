#include "cli/commands.h"
#include "cli/load.h"
#include "cli/nearby.h"
#include "cli/output.h"
#include "cli/trace.h"

#include "report/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A number among the words, or that of --number: "0x20801358" or decimal. */
static bool parse_number(uint64_t *out, const char *word)
{
	char *end;

	errno = 0;
	*out = strtoull(word, &end, 0);
	return *word >= '0' && *word <= '9' && !*end && !errno;
}

static int history_wanted(struct history_filter *filter, const struct cli_args *args, struct err *err)
{
	const char *number = args->number;
	size_t count = args->word_count;
	uint64_t ignored;

	if (count == 1 && !number && parse_number(&ignored, args->words[0])) {
		number = args->words[0];
		count = 0;
	}
	if (number && !parse_number(&filter->number, number))
		return err_set(err, ERR_USAGE, "--number takes an ioctl's number, such as 0x20801358, not '%s'%s", number,
			       number[strspn(number, "0123456789abcdefABCDEF")] ? "" : "; in hexadecimal it begins with 0x");
	filter->has_number = number;
	filter->names = args->words;
	filter->name_count = count;
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

/* A name, a glob or a number that no version ever had is most likely a slip. */
static int check_known(const struct history_spans *spans, const struct history_filter *filter, const struct trace *trace,
		       struct err *err)
{
	if (filter->has_number && !spans->count)
		return err_set(err, ERR_NOT_FOUND, "no ioctl or command of the %zu versions has the number 0x%llx",
			       trace->graph.version_count, (unsigned long long)filter->number);
	for (size_t n = 0; !filter->has_number && n < filter->name_count; n++)
		if (!is_known(filter->names[n], spans, &trace->graph))
			return unknown_name(filter->names[n], &trace->graph, err);
	return 0;
}

static void history_page(struct strbuf *out, const struct history_report *report)
{
	struct history_lives lives;
	struct arena arena = { 0 };

	history_lives(&lives, report->history, &arena);
	report_history_page(out, report, &lives);
	arena_release(&arena);
}

static void history_render(struct strbuf *out, const struct history_report *report, const struct cli_args *args)
{
	const char *format = output_format(args, cli_find_command("history"));
	struct report_style style = output_style(args);

	if (!strcmp(format, "json"))
		report_history_json(out, report);
	else if (!strcmp(format, "markdown"))
		report_history_markdown(out, report);
	else if (!strcmp(format, "csv"))
		report_history_csv(out, report);
	else if (!strcmp(format, "html"))
		history_page(out, report);
	else
		report_history_text(out, report, &style);
}

int cmd_history(const struct cli_args *args, struct err *err)
{
	struct history_filter filter = { 0 };
	struct history_report report = { .target = args->target };
	struct history_spans spans;
	struct history history;
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	struct trace trace = { 0 };
	struct table table;
	int rc;

	if ((rc = history_wanted(&filter, args, err)) ||
	    (rc = trace_load(&trace, NULL, args, err)) ||
	    (args->table && (rc = trace_table(&table, &trace, err))))
		goto out;
	filter.table = args->table ? &table : NULL;
	history_since(&spans, &trace.graph, &filter, &arena);
	if ((rc = check_known(&spans, &filter, &trace, err)) ||
	    (rc = trace_compare(&trace, &filter, err)))
		goto out;
	history_join(&history, &trace.graph, &filter, trace.changes, &arena);
	report.driver = trace.driver;
	report.main = trace.loaded.graph.main;
	report.history = &history;
	report.spans = &spans;
	history_render(&out, &report, args);
	if (!(rc = output_write(&out, args, err)))
		rc = args->exit_code && history.event_count ? CLI_SOMETHING : CLI_NOTHING;
out:
	strbuf_release(&out);
	arena_release(&arena);
	trace_release(&trace);
	return rc;
}
