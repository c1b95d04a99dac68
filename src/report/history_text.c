/*
 * A history for a person at a terminal: who had the name or number since
 * when, then every edge that changed something, with what it changed.
 */
#include "report/diff_flags.h"
#include "report/diff_internal.h"
#include "report/wrap.h"
#include "report/history_internal.h"
#include "report/style.h"

#include <string.h>

enum { VERSIONS_SHOWN = 12 };

struct text {
	struct strbuf *out;
	const struct history *history;
	const struct report_style *style;
	size_t folded;  /* ioctls that changed only in flags, on the edge being shown */
};

/* A line, or several, of words alone. */
static void text_words(struct text *text, enum report_ink ink, size_t indent, const char *words)
{
	struct wrap wrap;

	wrap_begin(&wrap, text->out, text->style, indent, indent + 2);
	wrap_text(&wrap, ink, 0, words);
	wrap_end(&wrap);
}

/* The versions that are asked for: all of a few, the ends of many. */
static void text_versions(struct text *text)
{
	const struct history_filter *filter = text->history->filter;
	const struct history_graph *graph = text->history->graph;
	struct strbuf words = { 0 };
	size_t first = graph->version_count, last = 0;

	strbuf_adds(&words, "only at ");
	for (size_t i = 0; i < graph->version_count; i++) {
		if (!filter->versions[i])
			continue;
		if (filter->version_count <= VERSIONS_SHOWN)
			strbuf_addf(&words, "%s%s", first < graph->version_count ? ", " : "", graph->versions[i].version);
		first = first < graph->version_count ? first : i;
		last = i;
	}
	if (filter->version_count > VERSIONS_SHOWN)
		strbuf_addf(&words, "%zu versions, %s to %s", filter->version_count, graph->versions[first].version, graph->versions[last].version);
	text_words(text, INK_NONE, 2, words.text);
	strbuf_release(&words);
}

static void text_classes(struct text *text)
{
	struct strbuf words = { 0 };

	strbuf_adds(&words, "only changes of class ");
	report_classes(&words, text->history->filter->classes);
	text_words(text, INK_NONE, 2, words.text);
	strbuf_release(&words);
}

static void text_title(struct text *text, const struct history_report *report)
{
	const struct history_graph *graph = text->history->graph;
	const struct table *table = text->history->filter->table;

	report_ink(text->out, text->style, INK_NAME, "%s", report->driver);
	strbuf_adds(text->out, ": ");
	strbuf_plural(text->out, graph->version_count, "version");
	if (graph->version_count)
		report_textf(text->out, ", %s to %s", graph->versions[0].version, graph->versions[graph->version_count - 1].version);
	report_textf(text->out, "  (%s)\n", report->target);
	if (table)
		report_textf(text->out, "  what %s forwards (%s)\n", table->proxy, table->path);
	if (text->history->filter->versions)
		text_versions(text);
	if (text->history->filter->classes)
		text_classes(text);
	strbuf_adds(text->out, "  ");
	strbuf_plural(text->out, text->history->event_count, "change");
	report_textf(text->out, " in %zu of ", text->history->changed_edges);
	strbuf_plural(text->out, history_step_count(text->history), "release");
	strbuf_adds(text->out, "\n\n");
}

static void text_spans(struct text *text, const struct history_spans *spans)
{
	struct strbuf words = { 0 };
	char number[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < spans->count; i++) {
		const struct history_span *span = &spans->spans[i];

		report_textf(text->out, "%s ", span->family ? span->family : abi_kind_name(span->kind));
		report_ink(text->out, text->style, INK_NAME, "%s", span->name);
		if (span->has_number && history_shows_numbers(text->history))
			report_textf(text->out, "  %s", abi_ioctl_number(span->family, span->number, number));
		strbuf_reset(&words);
		history_span_words(&words, text->history, span);
		strbuf_addch(text->out, '\n');
		text_words(text, INK_NONE, 4, words.text);
	}
	strbuf_release(&words);
	if (spans->count)
		strbuf_addch(text->out, '\n');
}

/* "525.53 after 520.56.06: 714 changes, 4 translation, 64 layout, …" */
static void text_edge_row(struct text *text, size_t index)
{
	const struct history_edge *edge = &text->history->graph->edges[index];
	const struct history_changes *changes = &text->history->changes[index];
	struct strbuf words = { 0 };
	struct wrap wrap;

	if (!changes->count)
		return;
	wrap_begin(&wrap, text->out, text->style, 2, 6);
	wrap_word(&wrap, INK_NAME, 0, "%s", history_version_name(text->history, edge->version));
	wrap_word(&wrap, INK_NONE, 1, "after %s%s:", history_version_name(text->history, edge->parent),
		  edge->inside_release ? ", inside the release" : "");
	strbuf_plural(&words, changes->count, "change");
	for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
		if (changes->class_total[i])
			strbuf_addf(&words, ", %zu %s", changes->class_total[i], diff_class_name((enum diff_class)(1u << i)));
	wrap_phrases(&wrap, INK_NONE, 1, words.text);
	wrap_end(&wrap);
	strbuf_release(&words);
}

static void text_edges(struct text *text)
{
	report_ink(text->out, text->style, INK_HEAD, "Releases that changed something");
	strbuf_addch(text->out, '\n');
	for (size_t i = 0; i < text->history->graph->edge_count; i++)
		text_edge_row(text, i);
	strbuf_addch(text->out, '\n');
}

/* "  control NAME  WORDS", where the words may stand on the next line. */
static void text_named(struct text *text, const char *kind, const char *name, enum report_ink ink, const char *words)
{
	struct wrap wrap;

	report_textf(text->out, "%s ", kind);
	wrap_continue(&wrap, text->out, text->style, 6);
	wrap_word(&wrap, INK_NAME, 0, "%s", name);
	wrap_text(&wrap, ink, 2, words);
	wrap_end(&wrap);
}

static void text_number(struct text *text, const struct history_event *event)
{
	struct strbuf words = { 0 };

	history_change_words(&words, event->change);
	strbuf_adds(text->out, "  ");
	text_named(text, event->change->family ? event->change->family : "macro", event->change->name, INK_ALARM, strbuf_text(&words));
	for (size_t i = 0; i < event->edge_count; i++) {
		const struct history_edge *edge = history_edge_of(text->history, event, i);

		strbuf_reset(&words);
		strbuf_adds(&words, "at ");
		history_edge_words(&words, text->history, edge);
		text_words(text, edge->inside_release ? INK_CHANGED : INK_DIM, 6, words.text);
	}
	strbuf_release(&words);
}

static void text_numbers(struct text *text)
{
	const struct history *history = text->history;

	report_ink(text->out, text->style, INK_HEAD, "Numbers");
	strbuf_adds(text->out, ": ");
	strbuf_plural(text->out, history->numbers.renumbered, "ioctl");
	strbuf_adds(text->out, text->history->numbers.renumbered == 1 ? " has a new one, " : " have a new one, ");
	strbuf_plural(text->out, history->numbers.reused, "number");
	strbuf_adds(text->out, " went to another ioctl;\n  \"macro\" is a command that the driver's tables do not list\n");
	for (size_t i = 0; i < history->event_count; i++)
		if (history->events[i].renumbered || history->events[i].reused)
			text_number(text, &history->events[i]);
	strbuf_addch(text->out, '\n');
}

static void text_also(struct text *text, const struct history_event *event)
{
	struct strbuf words = { 0 };

	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(&words, i > 1 ? "; " : "the same at ");
		history_edge_words(&words, text->history, history_edge_of(text->history, event, i));
	}
	if (words.length)
		text_words(text, INK_DIM, 4, words.text);
	strbuf_release(&words);
}

/* The macro of a command that no table lists: its value is a number, as that of an ioctl. */
static void text_macro(struct text *text, const struct diff_change *change)
{
	struct strbuf words = { 0 };

	report_classes(&words, change->classes);
	report_ink(text->out, text->style, INK_CHANGED, "  [%s] ", words.text);
	strbuf_reset(&words);
	history_change_words(&words, change);
	text_named(text, "macro", change->name, INK_NONE, words.text);
	strbuf_release(&words);
}

/* A paragraph's empty line belongs below what is added to it. */
static void text_event(struct text *text, const struct history_event *event)
{
	size_t end;
	bool paragraph;

	if ((event->renumbered || event->change->number_was) && !event->change->family)
		text_macro(text, event->change);
	else
		report_change_text(text->out, event->change, text->style);
	for (size_t i = 0; event->change->base_name && i < text->history->event_count; i++)
		if (history_is_told_with(&text->history->events[i], event))
			report_renamed_with_text(text->out, text->history->events[i].change, text->style);
	end = text->out->length;
	paragraph = end > 1 && text->out->text[end - 1] == '\n' && text->out->text[end - 2] == '\n';
	if (paragraph)
		text->out->length--;
	text_also(text, event);
	if (paragraph)
		strbuf_addch(text->out, '\n');
}

static void text_end_edge(struct text *text)
{
	if (text->folded) {
		strbuf_adds(text->out, "  ");
		report_flags_fold(text->out, text->folded, "ioctl", " (-v lists them)");
	}
	text->folded = 0;
	while (text->out->length > 1 && text->out->text[text->out->length - 2] == '\n')
		text->out->length--;
	strbuf_addch(text->out, '\n');
}

static void text_begin_edge(struct text *text, const struct history_edge *edge)
{
	struct strbuf words = { 0 };

	history_edge_words(&words, text->history, edge);
	report_ink(text->out, text->style, INK_HEAD, "%s\n", words.text);
	strbuf_release(&words);
}

/* Lock flags come and go with every branch: a line each only for the ioctls that were asked for one by one. */
static bool folds(const struct text *text)
{
	const struct history_filter *filter = text->history->filter;

	for (size_t i = 0; i < filter->name_count; i++)
		if (history_is_glob(filter->names[i]))
			return !text->style->verbose;
	return !filter->name_count && !filter->number_count && !text->style->verbose;
}

static void text_events(struct text *text)
{
	const struct history_edge *shown = NULL;

	for (size_t i = 0; i < text->history->event_count; i++) {
		const struct history_event *event = &text->history->events[i];
		const struct history_edge *edge = history_edge_of(text->history, event, 0);

		if (edge != shown) {
			if (shown)
				text_end_edge(text);
			text_begin_edge(text, edge);
			shown = edge;
		}
		if (report_only_flags(event->change) && folds(text))
			text->folded++;
		else if (!history_is_told_elsewhere(text->history, event))
			text_event(text, event);
	}
	if (shown)
		text_end_edge(text);
}

void report_history_text(struct strbuf *out, const struct history_report *report, const struct report_style *style)
{
	struct text text = { .out = out, .history = report->history, .style = style };

	text_title(&text, report);
	text_spans(&text, report->spans);
	if (history_is_whole(report->history)) {
		text_edges(&text);
		text_numbers(&text);
	}
	if (!history_is_whole(report->history) || style->verbose)
		text_events(&text);
	/* What ends the output is no empty line. */
	while (out->length > 1 && out->text[out->length - 1] == '\n' && out->text[out->length - 2] == '\n')
		out->length--;
}
