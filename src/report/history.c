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
 * is_reported_with - return true if @event is a rename that is reported with the rename of @ioctl. Events are
 * reported under their first edge, so both must have the same first edge.
 */
static bool is_reported_with(const struct history_event *event, const struct history_event *ioctl)
{
	return event->change->with && ioctl->change->kind == ABI_IOCTL && ioctl->change->base_name &&
	       event->edges[0] == ioctl->edges[0] && !strcmp(event->change->with, ioctl->change->name);
}

/* Returns true if @event is reported with an ioctl's rename, so that it needs no line of its own. */
static bool is_reported_elsewhere(const struct history *history, const struct history_event *event)
{
	if (!event->change->with)
		return false;
	for (size_t i = 0; i < history->event_count; i++)
		if (is_reported_with(event, &history->events[i]))
			return true;
	return false;
}

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

enum { VERSIONS_SHOWN = 12 };

/* Finds a different version with the commit of version @index, which has a document; NULL if none. */
static const char *same_commit_as(const struct history_graph *graph, size_t index)
{
	const char *commit = graph->versions[index].abi->commit;

	for (size_t i = 0; i < graph->version_count && *commit; i++)
		if (i != index && graph->versions[i].abi && !strcmp(graph->versions[i].abi->commit, commit))
			return graph->versions[i].version;
	return NULL;
}

/* Appends the versions of the filter, which has some: all if they are few, else the first and last. */
static void requested_words(struct strbuf *out, const struct history *history)
{
	const struct history_filter *filter = history->filter;
	const struct history_graph *graph = history->graph;
	size_t first = graph->version_count, last = 0;
	const char *other;

	strbuf_adds(out, "only at ");
	for (size_t i = 0; i < graph->version_count; i++) {
		if (!filter->versions[i])
			continue;
		if (filter->version_count <= VERSIONS_SHOWN) {
			strbuf_addf(out, "%s%s", first < graph->version_count ? ", " : "",
				    graph->versions[i].version);
			if ((other = same_commit_as(graph, i))) /* the changes are listed there */
				strbuf_addf(out, " (the same commit as %s)", other);
		}
		first = first < graph->version_count ? first : i;
		last = i;
	}
	if (filter->version_count > VERSIONS_SHOWN)
		strbuf_addf(out, "%zu versions, %s to %s", filter->version_count,
			    graph->versions[first].version, graph->versions[last].version);
}

/* Appends "not read, and left out: 1.7"; nothing if all versions could be read. */
static void unread_words(struct strbuf *out, const struct history_graph *graph)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (!graph->versions[i].abi)
			strbuf_addf(out, "%s%s", out->length ? ", " : "not read, and left out: ",
				    graph->versions[i].version);
}

/* Writes what was compared and selected, and then the versions that have each requested name or number. */
static void write_head(struct sheet *sheet, const struct history_report *report)
{
	const struct history *history = report->history;
	const struct history_graph *graph = history->graph;
	const struct history_filter *filter = history->filter;
	char count[PLURAL_BYTES], steps[PLURAL_BYTES], number[ABI_NOTATION_BYTES];
	struct strbuf *words = &sheet->plain;

	strbuf_plural(words, graph->version_count, "version");
	if (graph->version_count)
		strbuf_addf(words, ", %s to %s", graph->versions[0].version,
			    graph->versions[graph->version_count - 1].version);
	sheet_heading(sheet, SHEET_TITLE, "%s: %s  (%s)", report->driver, words->text, report->target);
	unread_words(words, graph);
	if (words->length)
		sheet_paragraph(sheet, SHEET_PLAIN, ALARM("%s"), words->text);
	if (filter->table)
		sheet_paragraph(sheet, SHEET_PLAIN, "what %s forwards (%s)", filter->table->proxy,
				filter->table->path);
	if (filter->versions)
		requested_words(words, history);
	sheet_words(sheet);
	if (filter->classes)
		report_selection(words, filter->classes, NULL);
	sheet_words(sheet);
	sheet_paragraph(sheet, SHEET_PLAIN, "%s in %zu of %s",
			report_plural(history->event_count, "change", count), history->changed_edges,
			report_plural(history_step_count(history), "step", steps));
	for (size_t i = 0; i < report->spans->count; i++) {
		const struct history_span *span = &report->spans->spans[i];
		const bool has_number = span->has_number && history_shows_numbers(history);

		history_span_words(words, history, span);
		sheet_item(sheet, SHEET_ITEM, "%s " NAME "%s%s: %s",
			   span->family ? span->family : abi_kind_name(span->kind), span->name,
			   has_number ? " " : "",
			   has_number ? abi_ioctl_number(span->family, span->number, number) : "",
			   words->text);
	}
}

/* Writes the line of an edge with changes: "525.53 after 520.56.06: 714 changes, 4 translation, …". */
static void text_edge_row(struct sheet *sheet, const struct history *history, size_t index)
{
	const struct history_edge *edge = &history->graph->edges[index];
	const struct history_changes *changes = &history->changes[index];
	char count[PLURAL_BYTES];
	struct line line;

	if (!changes->count)
		return;
	line_begin(&line, sheet->out, sheet->style, 6);
	line_add(&line, "  " NAME " " PLAIN("after %s%s:") " " PLAIN("%s"),
		 history_version_name(history, edge->version), history_version_name(history, edge->parent),
		 edge->inside_release ? ", inside the release" : "",
		 report_plural(changes->count, "change", count));
	for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
		if (changes->class_total[i])
			line_add(&line, ", " PLAIN("%zu %s"), changes->class_total[i], report_class_name(i));
	line_end(&line);
}

/* Writes the line of a change: "  control NAME  WORDS". The line already has the words before the name. */
static void text_named(struct line *line, const struct diff_change *change, enum report_ink ink)
{
	line_add(line, NAME, change->name);
	report_change_words(&line->plain, change);
	line_end_with(line, ink, "  ");
}

/* Writes each ioctl whose number is new or was a different ioctl's, and the edges where this happened. */
static void text_numbers(struct sheet *sheet, const struct history *history)
{
	char ioctls[PLURAL_BYTES], numbers[PLURAL_BYTES];
	struct line line;

	strbuf_addch(sheet->out, '\n');
	text_line(sheet->out, sheet->style, 2,
		  HEAD("Numbers") ": %s %s a new number, %s passed to a different ioctl;",
		  report_plural(history->numbers.renumbered, "ioctl", ioctls),
		  history->numbers.renumbered == 1 ? "has" : "have",
		  report_plural(history->numbers.reused, "number", numbers));
	strbuf_adds(sheet->out, "  \"macro\" is a command that the driver's tables do not list\n");
	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_event *event = &history->events[i];

		if (!event->renumbered && !event->reused)
			continue;
		line_begin(&line, sheet->out, sheet->style, 6);
		line_add(&line, "  " PLAIN("%s") " ", event->change->family ? event->change->family : "macro");
		text_named(&line, event->change, INK_ALARM);
		for (size_t e = 0; e < event->edge_count; e++) {
			const struct history_edge *edge = history_edge_of(history, event, e);

			line_begin(&line, sheet->out, sheet->style, 8);
			history_edge_words(&line.plain, history, edge);
			line_end_with(&line, edge->inside_release ? INK_CHANGED : INK_DIM, "      at ");
		}
	}
}

/* Appends the edges of the event after its first one: "2.0 after 1.0; …". */
static void other_edges_words(struct strbuf *out, const struct history *history,
			      const struct history_event *event)
{
	for (size_t i = 1; i < event->edge_count; i++) {
		strbuf_adds(out, i > 1 ? "; " : "");
		history_edge_words(out, history, history_edge_of(history, event, i));
	}
}

/* Writes a change as text, then the renames that are reported with it, and its other edges. */
static void text_event(struct sheet *sheet, const struct history *history, const struct history_event *event)
{
	const struct diff_change *change = event->change;
	struct line line;

	if ((event->renumbered || change->number_was) && !change->family) {
		/* the macro of a command that no table of the driver lists; its value is a number */
		line_begin(&line, sheet->out, sheet->style, 6);
		report_classes(&line.plain, change->classes);
		line_add(&line, "  " CHANGED("[%s]") " macro ", line.plain.text);
		text_named(&line, change, INK_NONE);
	} else {
		report_change_text(sheet->out, change, sheet->style);
	}
	for (size_t i = 0; change->base_name && i < history->event_count; i++)
		if (is_reported_with(&history->events[i], event))
			report_renamed_with_text(sheet->out, history->events[i].change, sheet->style);
	line_begin(&line, sheet->out, sheet->style, 6);
	other_edges_words(&line.plain, history, event);
	line_end_with(&line, INK_DIM, "    the same at ");
}

enum { CARRIERS_SHOWN = 4 };

/* Writes a change as a row of its first edge's table in Markdown. The last column has its other edges. */
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
		if (is_reported_with(&history->events[i], event))
			report_renamed_with_words(&sheet->plain, history->events[i].change, "; ");
	for (size_t i = 0; i < event->carrier_count && i < CARRIERS_SHOWN; i++)
		strbuf_addf(&sheet->plain, "%s%s %s", i ? ", " : "; in ", change->reached_by[i].ioctl->family,
			    change->reached_by[i].ioctl->name);
	if (event->carrier_count > CARRIERS_SHOWN)
		strbuf_addf(&sheet->plain, " and %zu more", event->carrier_count - CARRIERS_SHOWN);
	sheet_add_cell(sheet);
	other_edges_words(&sheet->plain, history, event);
	sheet_add_cell(sheet);
	sheet_end_row(sheet);
}

/*
 * Returns true if ioctls that changed only in flags are counted, not listed. Lock flags change in every
 * branch, so only Markdown, -v, and filters of numbers or of names without globs list such ioctls.
 */
static bool folds_flags(const struct sheet *sheet, const struct history_filter *filter)
{
	for (size_t i = 0; i < filter->name_count; i++)
		if (history_is_glob(filter->names[i]))
			return sheet_is_brief(sheet);
	return !filter->name_count && !filter->number_count && sheet_is_brief(sheet);
}

/* Writes how many changes of the edge are not listed. @last: the last change that is listed; or NULL */
static void write_folded(struct sheet *sheet, size_t count, const struct diff_change *last)
{
	if (count)
		strbuf_adds(sheet->out, last && !report_is_one_line(last) ? "\n  " : "  ");
	report_flags_fold(sheet->out, count, "ioctl", " (-v lists them)");
}

/* Writes the changes under a heading for each edge. A change on several edges is listed under its first. */
static void write_events(struct sheet *sheet, const struct history *history)
{
	static const struct sheet_column columns[] = {
		{ .title = "kind" }, { .title = "name" }, { .title = "classes" }, { .title = "what" },
		{ .title = "the same at" }, { 0 }
	};
	const bool is_folding = folds_flags(sheet, history->filter);
	const struct history_edge *shown = NULL;
	const struct diff_change *before = NULL; /* on the edge that is shown */
	size_t folded = 0;

	for (size_t i = 0; i < history->event_count; i++) {
		const struct history_event *event = &history->events[i];
		const struct history_edge *edge = history_edge_of(history, event, 0);

		if (edge != shown) {
			write_folded(sheet, folded, before);
			history_edge_words(&sheet->plain, history, edge);
			sheet_heading(sheet, SHEET_SECTION, "%s", sheet->plain.text);
			if (sheet->style->markdown)
				sheet_table(sheet, columns);
			shown = edge;
			before = NULL;
			folded = 0;
		}
		if (is_folding && report_only_flags(event->change)) {
			folded++;
		} else if (is_reported_elsewhere(history, event)) {
			continue;
		} else if (sheet->style->markdown) {
			markdown_event(sheet, history, event);
		} else {
			report_change_gap(sheet->out, before, event->change);
			text_event(sheet, history, event);
			before = event->change;
		}
	}
	write_folded(sheet, folded, before);
}

void report_history(struct strbuf *out, const struct history_report *report, const struct report_style *style)
{
	const struct history *history = report->history;
	const bool has_table = history_is_whole(history) && !style->markdown;
	struct sheet sheet;

	sheet_init(&sheet, out, style);
	write_head(&sheet, report);
	if (has_table) {
		sheet_heading(&sheet, SHEET_SECTION, "Releases that changed something");
		for (size_t i = 0; i < history->graph->edge_count; i++)
			text_edge_row(&sheet, history, i);
		text_numbers(&sheet, history);
	}
	if (!has_table || style->verbose)
		write_events(&sheet, history);
	sheet_release(&sheet);
}
