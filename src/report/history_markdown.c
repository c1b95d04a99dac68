/* A history as Markdown, for an issue. */
#include "report/diff_renamed.h"
#include "report/history_internal.h"
#include "report/style.h"

enum { CARRIERS_SHOWN = 4 };

static const char *kind_word(const struct diff_change *change)
{
	return change->family ? change->family : abi_kind_name(change->kind);
}

static void markdown_row(struct strbuf *out, const struct history *history, const struct history_event *event)
{
	struct strbuf text = { 0 };

	escape_addf(out, escape_markdown, "| %s | ", kind_word(event->change));
	escape_addf(out, escape_markdown_code, "%s | ", event->change->name);
	report_classes(out, event->change->classes);
	strbuf_adds(out, " | ");
	history_change_words(&text, event->change);
	for (size_t i = 0; event->change->base_name && i < history->event_count; i++)
		if (history_is_told_with(&history->events[i], event))
			report_renamed_with_words(&text, history->events[i].change, "; ");
	if (event->carrier_count)
		strbuf_adds(&text, "; in ");
	history_carrier_words(&text, event, CARRIERS_SHOWN);
	escape_addf(out, escape_markdown, "%s | ", strbuf_text(&text));
	strbuf_reset(&text);
	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(&text, i > 1 ? "; " : "");
		history_edge_words(&text, history, history_edge_of(history, event, i));
	}
	escape_addf(out, escape_markdown, "%s |\n", strbuf_text(&text));
	strbuf_release(&text);
}

static void markdown_spans(struct strbuf *out, const struct history_report *report)
{
	struct strbuf words = { 0 };
	char number[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < report->spans->count; i++) {
		const struct history_span *span = &report->spans->spans[i];

		strbuf_reset(&words);
		history_span_words(&words, report->history, span);
		escape_addf(out, escape_markdown, "- %s ", span->family ? span->family : abi_kind_name(span->kind));
		escape_addf(out, escape_markdown_code, "%s", span->name);
		if (span->has_number && history_shows_numbers(report->history))
			strbuf_addf(out, " %s", abi_ioctl_number(span->family, span->number, number));
		strbuf_adds(out, ": ");
		escape_addf(out, escape_markdown, "%s\n", words.text);
	}
	strbuf_release(&words);
	strbuf_adds(out, report->spans->count ? "\n" : "");
}

void report_history_markdown(struct strbuf *out, const struct history_report *report)
{
	const struct history *history = report->history;
	const struct history_edge *shown = NULL;
	struct strbuf words = { 0 };

	escape_addf(out, escape_markdown, "## %s: ", report->driver);
	strbuf_plural(out, history->event_count, "ABI change");
	strbuf_adds(out, " over ");
	strbuf_plural(out, history->graph->version_count, "version");
	strbuf_adds(out, "\n\n");
	markdown_spans(out, report);
	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_edge *edge = history_edge_of(history, &history->events[i], 0);

		if (history_is_told_elsewhere(history, &history->events[i]))
			continue;
		if (edge != shown) {
			strbuf_reset(&words);
			history_edge_words(&words, history, edge);
			escape_addf(out, escape_markdown, shown ? "\n### %s\n\n" : "### %s\n\n", words.text);
			strbuf_adds(out, "| kind | name | classes | what | the same at |\n|---|---|---|---|---|\n");
		}
		shown = edge;
		markdown_row(out, history, &history->events[i]);
	}
	strbuf_release(&words);
}
