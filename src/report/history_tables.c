/* A history as tables: Markdown for an issue, CSV for a spreadsheet. */
#include "report/history_parts.h"
#include "report/style.h"

#include <string.h>

static const char *kind_word(const struct diff_change *change)
{
	return change->family ? change->family : abi_kind_name(change->kind);
}

/* In a cell of Markdown, a bar ends the cell and an underline may begin a slant. */
static void markdown_cell(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|*_<`", *text))
			strbuf_addch(out, '\\');
		strbuf_addch(out, *text);
	}
}

static void markdown_row(struct strbuf *out, const struct history *history, const struct history_event *event)
{
	struct strbuf text = { 0 };

	strbuf_addf(out, "| %s | `%s` | ", kind_word(event->change), event->change->name);
	report_classes(out, event->change->classes);
	strbuf_adds(out, " | ");
	history_change_words(&text, event->change);
	markdown_cell(out, strbuf_text(&text));
	strbuf_adds(out, " | ");
	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(out, i > 1 ? "; " : "");
		history_edge_words(out, history, history_edge_of(history, event, i));
	}
	strbuf_adds(out, " |\n");
	strbuf_release(&text);
}

static void markdown_spans(struct strbuf *out, const struct history_report *report)
{
	for (size_t i = 0; i < report->spans->count; i++) {
		const struct history_span *span = &report->spans->spans[i];

		strbuf_addf(out, "- %s `%s`: ", span->family ? span->family : abi_kind_name(span->kind), span->name);
		history_span_words(out, report->history, span);
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, report->spans->count ? "\n" : "");
}

void report_history_markdown(struct strbuf *out, const struct history_report *report)
{
	const struct history *history = report->history;
	const struct history_edge *shown = NULL;

	strbuf_addf(out, "## %s: ", report->driver);
	report_plural(out, history->event_count, "ABI change");
	strbuf_adds(out, " over ");
	report_plural(out, history->graph->version_count, "version");
	strbuf_adds(out, "\n\n");
	markdown_spans(out, report);
	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_edge *edge = history_edge_of(history, &history->events[i], 0);

		if (edge != shown) {
			strbuf_adds(out, shown ? "\n### " : "### ");
			history_edge_words(out, history, edge);
			strbuf_adds(out, "\n\n| kind | name | classes | what | the same at |\n|---|---|---|---|---|\n");
		}
		shown = edge;
		markdown_row(out, history, &history->events[i]);
	}
}

static void csv_cell(struct strbuf *out, const char *text, char end)
{
	bool quoted = strpbrk(text, ",\"\r\n");

	if (quoted)
		strbuf_addch(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			strbuf_addch(out, '"');
		strbuf_addch(out, *text);
	}
	if (quoted)
		strbuf_addch(out, '"');
	strbuf_addch(out, end);
}

static void csv_row(struct strbuf *out, const struct history *history, const struct history_event *event, size_t index)
{
	const struct history_edge *edge = history_edge_of(history, event, index);
	const struct diff_change *change = event->change;
	struct strbuf classes = { 0 }, words = { 0 };

	report_classes(&classes, change->classes);
	history_change_words(&words, change);
	csv_cell(out, history_version_name(history, edge->version), ',');
	csv_cell(out, history_version_name(history, edge->parent), ',');
	csv_cell(out, history->graph->versions[edge->version].on_main ? "yes" : "no", ',');
	csv_cell(out, edge->inside_release ? "yes" : "no", ',');
	csv_cell(out, history_version_name(history, history_edge_of(history, event, 0)->version), ',');
	csv_cell(out, abi_kind_name(change->kind), ',');
	csv_cell(out, change->family ? change->family : "", ',');
	csv_cell(out, change->name, ',');
	csv_cell(out, strbuf_text(&classes), ',');
	csv_cell(out, strbuf_text(&words), '\n');
	strbuf_release(&classes);
	strbuf_release(&words);
}

void report_history_csv(struct strbuf *out, const struct history_report *report)
{
	strbuf_adds(out, "version,parent,on_main,inside_release,first_version,kind,family,name,classes,change\n");
	for (size_t i = 0; i < report->history->event_count; i++)
		for (size_t edge = 0; edge < report->history->events[i].edge_count; edge++)
			csv_row(out, report->history, &report->history->events[i], edge);
}
