/* report/history.c - the changes of each version, as text and Markdown */
#include "report/internal.h"

const struct history_edge *history_edge_of(const struct history *history, const struct history_event *event,
					   size_t index)
{
	return &history->graph->edges[event->edges[index]];
}

const char *history_version_name(const struct history *history, size_t version)
{
	return history->graph->versions[version].version;
}

/* Returns true if all changes of more than one version are requested; then text has a table. */
static bool history_is_whole(const struct history *history)
{
	const struct history_filter *filter = history->filter;

	return !filter->name_count && !filter->number_count && !filter->table && !filter->classes &&
	       (!filter->versions || filter->version_count > 1);
}

/* Appends "575.51.02 after 570.133.20" or "570.144 after 570.133.20, inside release …". */
static void history_edge_words(struct strbuf *out, const struct history *history,
			       const struct history_edge *edge)
{
	const char *version = history_version_name(history, edge->version);

	strbuf_addf(out, "%s after %s", version, history_version_name(history, edge->parent));
	if (edge->inside_release)
		strbuf_addf(out, ", inside release %.*s", (int)strcspn(version, "."), version);
}

size_t history_step_count(const struct history *history)
{
	size_t count = 0;

	for (size_t i = 0; i < history->graph->edge_count; i++)
		count += select_edge(history->filter, history->graph, i);
	return count;
}

/*
 * history_is_told_with - return true if @event is a rename that is reported with the rename of @ioctl
 *
 * Both must have the same first edge. An event that happened on several edges may be reported on a different
 * edge than the ioctl.
 */
static bool history_is_told_with(const struct history_event *event, const struct history_event *ioctl)
{
	return event->change->with && ioctl->change->kind == ABI_IOCTL && ioctl->change->base_name &&
	       event->edges[0] == ioctl->edges[0] && !strcmp(event->change->with, ioctl->change->name);
}

/* history_is_told_elsewhere - return true if @event is reported with the rename of an ioctl */
static bool history_is_told_elsewhere(const struct history *history, const struct history_event *event)
{
	if (!event->change->with)
		return false;
	for (size_t i = 0; i < history->event_count; i++)
		if (history_is_told_with(event, &history->events[i]))
			return true;
	return false;
}

struct history_text {
	struct strbuf *out;
	const struct history *history;
	const struct report_style *style;
	size_t folded;  /* on the current edge, the number of ioctls that changed only in flags */
};

/*
 * Appends the name, number and kind of the item on the other side of the edge, without those that are equal
 * to the span's: "NEW_NAME, 0x20801357, only a macro". Appends nothing if the item does not exist there.
 */
static void move_words(struct strbuf *out, const struct history_span *span, const struct history_move *move)
{
	const char *separator = "";
	char number[ABI_NOTATION_BYTES];

	if (!move->name)
		return;
	if (strcmp(move->name, span->name)) {
		strbuf_adds(out, move->name);
		separator = ", ";
	}
	if (span->has_number && move->number != span->number) {
		strbuf_addf(out, "%s%s", separator, abi_ioctl_number(span->family, move->number, number));
		separator = ", ";
	}
	if (move->kind != span->kind)
		strbuf_addf(out, "%s%s", separator,
			    move->kind == ABI_IOCTL ? "in the driver's tables" : "only a macro");
}

/*
 * Appends "since 575.51.02", or, if the ioctl had a different number before, "number since 575.51.02 (was
 * 0x20801359 at 570.133.20)".
 */
static void since_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	bool is_number, was_number = false;

	for (size_t i = 0; i < span->since_count; i++) {
		const struct history_move *was = &span->was[i];

		is_number = span->has_number && was->name && was->number != span->number;
		if (i)
			strbuf_adds(out, is_number == was_number ? ", "
					 : is_number             ? "; number since "
								 : "; since ");
		else
			strbuf_adds(out, is_number ? "number since " : "since ");
		was_number = is_number;
		strbuf_adds(out, history_version_name(history, span->since[i]));
		if (!was->name)
			continue;
		strbuf_adds(out, " (was ");
		move_words(out, span, was);
		strbuf_addf(out, " at %s)", history_version_name(history, was->parent));
	}
}

/*
 * Appends "; removed in 565.57.01, 570.86.15; now 0x20801357, from 575.51.02". The words before a version are
 * left out if they are the same as for the previous version.
 */
static void until_words(struct strbuf *out, const struct history *history, const struct history_span *span)
{
	struct strbuf words = { 0 }, before = { 0 }, swap;

	for (size_t i = 0; i < span->until_count; i++) {
		move_words(&words, span, &span->now[i]);
		if (i && !strcmp(strbuf_text(&words), strbuf_text(&before)))
			strbuf_adds(out, ", ");
		else
			strbuf_addf(out, words.length ? "; now %s, from " : "; removed in ",
				    strbuf_text(&words));
		strbuf_adds(out, history_version_name(history, span->until[i]));
		swap = before;
		before = words;
		words = swap;
		strbuf_reset(&words);
	}
	strbuf_release(&words);
	strbuf_release(&before);
}

/*
 * history_span_words - append "since 570.86.15; now 0x20801357, from 575.51.02; in 25 of 193 releases"
 *
 * A version is followed by "(was 0x20801359 at 570.133.20)" if the item had a different name or number before
 * it. "removed in" replaces "now …, from" if the item does not exist any more.
 */
static void history_span_words(struct strbuf *out, const struct history *history,
			       const struct history_span *span)
{
	since_words(out, history, span);
	until_words(out, history, span);
	strbuf_addf(out, "; in %zu of ", span->version_count);
	strbuf_plural(out, history->graph->version_count, "release");
}

/* history_shows_numbers - return true if spans show their numbers: several names or numbers are requested */
static bool history_shows_numbers(const struct history *history)
{
	return history->filter->number_count + history->filter->name_count > 1;
}

/*
 * A history as text: the versions in which an item had the requested name or number, and then every edge that
 * has changes, with these changes.
 */

enum { VERSIONS_SHOWN = 12 };

/* Finds a version with the same commit as the version @index of the graph. Return: its name, or NULL. */
static const char *same_commit_as(const struct history_graph *graph, size_t index)
{
	const char *commit = graph->versions[index].abi->commit;

	for (size_t i = 0; i < graph->version_count && *commit; i++)
		if (i != index && graph->versions[i].abi && !strcmp(graph->versions[i].abi->commit, commit))
			return graph->versions[i].version;
	return NULL;
}

/* Writes the requested versions: all if they are few, otherwise the first and the last. */
static void text_versions(struct history_text *text)
{
	const struct history_filter *filter = text->history->filter;
	const struct history_graph *graph = text->history->graph;
	size_t first = graph->version_count, last = 0;
	const char *other;
	struct line line;

	line_begin(&line, text->out, text->style, 4);
	line_add(&line, "  only at ");
	for (size_t i = 0; i < graph->version_count; i++) {
		if (!filter->versions[i])
			continue;
		if (filter->version_count <= VERSIONS_SHOWN) {
			line_add(&line, "%s%s", first < graph->version_count ? ", " : "",
				 graph->versions[i].version);
			if ((other = same_commit_as(graph, i))) /* the changes are listed there */
				line_add(&line, " (the same commit as %s)", other);
		}
		first = first < graph->version_count ? first : i;
		last = i;
	}
	if (filter->version_count > VERSIONS_SHOWN)
		line_add(&line, "%zu versions, %s to %s", filter->version_count,
			 graph->versions[first].version, graph->versions[last].version);
	line_end(&line);
}

/* Appends "not read, and left out: 1.7"; nothing if all versions could be read. */
static void unread_words(struct strbuf *out, const struct history_graph *graph)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (!graph->versions[i].abi)
			strbuf_addf(out, "%s%s", out->length ? ", " : "not read, and left out: ",
				    graph->versions[i].version);
}

static void text_title(struct history_text *text, const struct history_report *report)
{
	const struct history_graph *graph = text->history->graph;
	const struct table *table = text->history->filter->table;
	char count[PLURAL_BYTES], steps[PLURAL_BYTES];
	struct line line;

	line_begin(&line, text->out, text->style, 2);
	line_add(&line, NAME ": %s", report->driver, report_plural(graph->version_count, "version", count));
	if (graph->version_count)
		line_add(&line, ", %s to %s", graph->versions[0].version,
			 graph->versions[graph->version_count - 1].version);
	line_add(&line, "  (%s)", report->target);
	line_end(&line);
	line_begin(&line, text->out, text->style, 4);
	unread_words(&line.plain, graph);
	line.ink = INK_ALARM;
	if (line.plain.length)
		line_add(&line, "  %s", line.plain.text);
	line_end(&line);
	if (table)
		text_line(text->out, text->style, 4, "  what %s forwards (%s)", table->proxy, table->path);
	if (text->history->filter->versions)
		text_versions(text);
	if (text->history->filter->classes) {
		line_begin(&line, text->out, text->style, 4);
		report_selection(&line.plain, text->history->filter->classes, NULL);
		line_add(&line, "  %s", line.plain.text);
		line_end(&line);
	}
	text_line(text->out, text->style, 4, "  %s in %zu of %s",
		  report_plural(text->history->event_count, "change", count), text->history->changed_edges,
		  report_plural(history_step_count(text->history), "step", steps));
	strbuf_addch(text->out, '\n');
}

/* Writes in which versions each requested name or number exists. */
static void text_spans(struct history_text *text, const struct history_spans *spans)
{
	char number[ABI_NOTATION_BYTES];
	struct line line;

	for (size_t i = 0; i < spans->count; i++) {
		const struct history_span *span = &spans->spans[i];

		line_begin(&line, text->out, text->style, 4);
		line_add(&line, "%s " NAME, span->family ? span->family : abi_kind_name(span->kind), span->name);
		if (span->has_number && history_shows_numbers(text->history))
			line_add(&line, "  %s", abi_ioctl_number(span->family, span->number, number));
		line_end(&line);
		line_begin(&line, text->out, text->style, 6);
		history_span_words(&line.plain, text->history, span);
		line_add(&line, "    %s", line.plain.text);
		line_end(&line);
	}
	if (spans->count)
		strbuf_addch(text->out, '\n');
}

/* Writes "525.53 after 520.56.06: 714 changes, 4 translation, 64 layout, …". */
static void text_edge_row(struct history_text *text, size_t index)
{
	const struct history_edge *edge = &text->history->graph->edges[index];
	const struct history_changes *changes = &text->history->changes[index];
	char count[PLURAL_BYTES];
	struct line line;

	if (!changes->count)
		return;
	line_begin(&line, text->out, text->style, 6);
	line_add(&line, "  " NAME " " PLAIN("after %s%s:") " " PLAIN("%s"),
		 history_version_name(text->history, edge->version),
		 history_version_name(text->history, edge->parent),
		 edge->inside_release ? ", inside the release" : "",
		 report_plural(changes->count, "change", count));
	for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
		if (changes->class_total[i])
			line_add(&line, ", " PLAIN("%zu %s"), changes->class_total[i],
				 diff_class_name((enum diff_class)(1u << i)));
	line_end(&line);
}

/* Writes the line of a change: "  control NAME  WORDS". The line already has the words before the name. */
static void text_named(struct line *line, const struct diff_change *change, enum report_ink ink)
{
	report_change_words(&line->plain, change);
	line_add(line, NAME "  %s", change->name, strbuf_text(&line->plain));
	line->ink = ink;
	line_end(line);
}

/* Writes each ioctl whose number is new or was a different ioctl's, and the edges where this happened. */
static void text_numbers(struct history_text *text)
{
	const struct history *history = text->history;
	char ioctls[PLURAL_BYTES], numbers[PLURAL_BYTES];
	struct line line;

	text_line(text->out, text->style, 2, HEAD("Numbers") ": %s %s a new number, %s passed to a different ioctl;",
		  report_plural(history->numbers.renumbered, "ioctl", ioctls),
		  history->numbers.renumbered == 1 ? "has" : "have",
		  report_plural(history->numbers.reused, "number", numbers));
	strbuf_adds(text->out, "  \"macro\" is a command that the driver's tables do not list\n");
	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_event *event = &history->events[i];

		if (!event->renumbered && !event->reused)
			continue;
		line_begin(&line, text->out, text->style, 6);
		line_add(&line, "  " PLAIN("%s") " ", event->change->family ? event->change->family : "macro");
		text_named(&line, event->change, INK_ALARM);
		for (size_t e = 0; e < event->edge_count; e++) {
			const struct history_edge *edge = history_edge_of(history, event, e);

			line_begin(&line, text->out, text->style, 8);
			history_edge_words(&line.plain, history, edge);
			line_add(&line, "      at %s", line.plain.text);
			line.ink = edge->inside_release ? INK_CHANGED : INK_DIM;
			line_end(&line);
		}
	}
	strbuf_addch(text->out, '\n');
}

/* Writes an event. Lines that are added to the paragraph of a change come before its final empty line. */
static void text_event(struct history_text *text, const struct history_event *event)
{
	const struct diff_change *change = event->change;
	struct line line;
	size_t end;
	bool paragraph;

	if ((event->renumbered || change->number_was) && !change->family) {
		/* the macro of a command that no table of the driver lists; its value is a number */
		line_begin(&line, text->out, text->style, 6);
		report_classes(&line.plain, change->classes);
		line_add(&line, "  " CHANGED("[%s]") " macro ", line.plain.text);
		text_named(&line, change, INK_NONE);
	} else {
		report_change_text(text->out, change, text->style);
	}
	for (size_t i = 0; change->base_name && i < text->history->event_count; i++)
		if (history_is_told_with(&text->history->events[i], event))
			report_renamed_with_text(text->out, text->history->events[i].change, text->style);
	end = text->out->length;
	paragraph = end > 1 && text->out->text[end - 1] == '\n' && text->out->text[end - 2] == '\n';
	if (paragraph)
		text->out->length--;
	line_begin(&line, text->out, text->style, 6);
	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(&line.plain, i > 1 ? "; " : "the same at ");
		history_edge_words(&line.plain, text->history, history_edge_of(text->history, event, i));
	}
	if (line.plain.length)
		line_add(&line, "    %s", line.plain.text);
	line.ink = INK_DIM;
	line_end(&line);
	if (paragraph)
		strbuf_addch(text->out, '\n');
}

/* Ends the changes of an edge: with a line that counts the folded ones, and exactly one empty line. */
static void text_end_edge(struct history_text *text)
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

/* Returns true if flags are folded. Lock flags change in every branch: only named ioctls list them. */
static bool folds_flags(const struct history_text *text)
{
	const struct history_filter *filter = text->history->filter;

	for (size_t i = 0; i < filter->name_count; i++)
		if (history_is_glob(filter->names[i]))
			return !text->style->verbose;
	return !filter->name_count && !filter->number_count && !text->style->verbose;
}

/* Writes the changes under a heading for each edge. A change on several edges is listed under its first. */
static void text_events(struct history_text *text)
{
	const struct history_edge *shown = NULL;
	struct strbuf words = { 0 };

	for (size_t i = 0; i < text->history->event_count; i++) {
		const struct history_event *event = &text->history->events[i];
		const struct history_edge *edge = history_edge_of(text->history, event, 0);

		if (edge != shown) {
			if (shown)
				text_end_edge(text);
			strbuf_reset(&words);
			history_edge_words(&words, text->history, edge);
			text_line(text->out, text->style, 2, HEAD("%s"), words.text);
			shown = edge;
		}
		if (report_only_flags(event->change) && folds_flags(text))
			text->folded++;
		else if (!history_is_told_elsewhere(text->history, event))
			text_event(text, event);
	}
	if (shown)
		text_end_edge(text);
	strbuf_release(&words);
}

static void report_history_text(struct strbuf *out, const struct history_report *report,
			 const struct report_style *style)
{
	struct history_text text = { .out = out, .history = report->history, .style = style };
	const bool is_whole = history_is_whole(report->history);

	text_title(&text, report);
	text_spans(&text, report->spans);
	if (is_whole) {
		text_line(out, style, 2, HEAD("Releases that changed something"));
		for (size_t i = 0; i < report->history->graph->edge_count; i++)
			text_edge_row(&text, i);
		strbuf_addch(out, '\n');
		text_numbers(&text);
	}
	if (!is_whole || style->verbose)
		text_events(&text);
	/* The output does not end with an empty line. */
	while (out->length > 1 && out->text[out->length - 1] == '\n' && out->text[out->length - 2] == '\n')
		out->length--;
}

/* A history as Markdown. */

enum { CARRIERS_SHOWN = 4 };

/* Writes a change as a row of its first edge's table. The last column has its other edges. */
static void markdown_event(struct sheet *sheet, const struct history *history,
			   const struct history_event *event)
{
	const struct diff_change *change = event->change;
	struct strbuf *row = sheet_begin_row(sheet);

	report_textf(row, "%s\t" NAME "\t", change->family ? change->family : abi_kind_name(change->kind),
		     change->name);
	report_classes(row, change->classes);
	report_change_words(&sheet->plain, change);
	for (size_t i = 0; change->base_name && i < history->event_count; i++)
		if (history_is_told_with(&history->events[i], event))
			report_renamed_with_words(&sheet->plain, history->events[i].change, "; ");
	for (size_t i = 0; i < event->carrier_count && i < CARRIERS_SHOWN; i++)
		strbuf_addf(&sheet->plain, "%s%s %s", i ? ", " : "; in ", change->reached_by[i].ioctl->family,
			    change->reached_by[i].ioctl->name);
	if (event->carrier_count > CARRIERS_SHOWN)
		strbuf_addf(&sheet->plain, " and %zu more", event->carrier_count - CARRIERS_SHOWN);
	sheet_add_cell(sheet);
	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(&sheet->plain, i > 1 ? "; " : "");
		history_edge_words(&sheet->plain, history, history_edge_of(history, event, i));
	}
	sheet_add_cell(sheet);
	sheet_end_row(sheet);
}

static void report_history_markdown(struct strbuf *out, const struct history_report *report,
				    const struct report_style *style)
{
	static const struct sheet_column columns[] = {
		{ .title = "kind" }, { .title = "name" }, { .title = "classes" }, { .title = "what" },
		{ .title = "the same at" }, { 0 }
	};
	const struct history *history = report->history;
	const struct history_edge *shown = NULL;
	char changes[PLURAL_BYTES], versions[PLURAL_BYTES], number[ABI_NOTATION_BYTES];
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	sheet_title(&sheet, "%s: %s over %s", report->driver,
		    report_plural(history->event_count, "ABI change", changes),
		    report_plural(history->graph->version_count, "version", versions));
	unread_words(&sheet.plain, history->graph);
	if (sheet.plain.length)
		sheet_paragraph(&sheet, SHEET_PLAIN, "%s", sheet.plain.text);
	for (size_t i = 0; i < report->spans->count; i++) {
		const struct history_span *span = &report->spans->spans[i];
		const bool has_number = span->has_number && history_shows_numbers(history);

		history_span_words(&sheet.plain, history, span);
		sheet_item(&sheet, SHEET_ITEM, "%s " NAME "%s%s: %s",
			   span->family ? span->family : abi_kind_name(span->kind), span->name,
			   has_number ? " " : "",
			   has_number ? abi_ioctl_number(span->family, span->number, number) : "",
			   sheet.plain.text);
	}
	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_edge *edge = history_edge_of(history, &history->events[i], 0);

		if (history_is_told_elsewhere(history, &history->events[i]))
			continue;
		if (edge != shown) {
			history_edge_words(&sheet.plain, history, edge);
			sheet_heading(&sheet, "%s", sheet.plain.text);
			sheet_table(&sheet, columns);
		}
		shown = edge;
		markdown_event(&sheet, history, &history->events[i]);
	}
	sheet_release(&sheet);
}

void report_history(struct strbuf *out, const struct history_report *report, const struct report_style *style)
{
	if (style->markdown)
		report_history_markdown(out, report, style);
	else
		report_history_text(out, report, style);
}
