/*
 * The frame of the page, and the table of versions in it.
 *
 * page.html, page.css and page*.js are in the program as they are. PAGE_DIR
 * comes from the Makefile. A line of page.html that is {{word}} alone is
 * replaced by what fill() has for the word.
 */
#include "report/history_internal.h"
#include "report/page_internal.h"
#include "report/style.h"

#include "history/forwarded.h"

#include <stdlib.h>
#include <string.h>

#ifndef PAGE_DIR
#error "PAGE_DIR is the directory of the page's files; the Makefile sets it"
#endif

EMBED(page_frame, PAGE_DIR "/page.html");
EMBED(page_style, PAGE_DIR "/page.css");
EMBED(page_script_model, PAGE_DIR "/page_model.js");
EMBED(page_script_graph, PAGE_DIR "/page_graph.js");
EMBED(page_script_layouts, PAGE_DIR "/page_layouts.js");
EMBED(page_script_compare, PAGE_DIR "/page_compare.js");
EMBED(page_script_page, PAGE_DIR "/page.js");

struct page {
	struct strbuf *out;
	const struct history_report *report;
	const struct history_timelines *timelines;
};

static void add_title(const struct page *page)
{
	const struct history_graph *graph = page->report->history->graph;

	escape_xml(page->out, page->report->driver);
	strbuf_adds(page->out, ": the ABI of ");
	strbuf_plural(page->out, graph->version_count, "version");
	if (graph->version_count) {
		strbuf_adds(page->out, ", ");
		escape_xml(page->out, graph->versions[0].version);
		strbuf_adds(page->out, " to ");
		escape_xml(page->out, graph->versions[graph->version_count - 1].version);
	}
	strbuf_addch(page->out, '\n');
}

static void add_filter(const struct page *page)
{
	const struct history_filter *filter = page->report->history->filter;
	struct strbuf *out = page->out;
	char number[ABI_NOTATION_BYTES];

	if (filter->name_count || filter->number_count || filter->table)
		strbuf_adds(out, ". Only ");
	for (size_t i = 0; i < filter->name_count; i++) {
		strbuf_adds(out, i ? ", <b>" : "<b>");
		escape_xml(out, filter->names[i]);
		strbuf_adds(out, "</b>");
	}
	for (size_t i = 0; i < filter->number_count; i++)
		strbuf_addf(out, "%sthe number <b>%s</b>", filter->name_count || i ? ", " : "", abi_ioctl_number(NULL, filter->numbers[i], number));
	if (filter->table) {
		strbuf_adds(out, filter->name_count || filter->number_count ? ", and of that what " : "what ");
		escape_xml(out, filter->table->proxy);
		strbuf_adds(out, " forwards");
	}
}

static void add_summary(const struct page *page)
{
	const struct history *history = page->report->history;

	strbuf_plural(page->out, history->event_count, "change");
	strbuf_addf(page->out, " (%zu if each release counts) in %zu of ", history->change_count, history->changed_edges);
	strbuf_plural(page->out, history->graph->edge_count, "release");
	strbuf_adds(page->out, "; ");
	escape_xml(page->out, page->report->target);
	add_filter(page);
	strbuf_adds(page->out, ".\n");
}

/* How dark a cell is: 1 to 4 by the order of magnitude. */
static int heat_of(size_t count)
{
	return count < 3 ? 1 : count < 10 ? 2 : count < 50 ? 3 : 4;
}

static void add_count(struct strbuf *out, const char *class, size_t count)
{
	if (count)
		strbuf_addf(out, "<td class=\"n %s h%d\">%zu", class, heat_of(count), count);
	else
		strbuf_adds(out, "<td>");
}

static void add_edge_cells(const struct page *page, const struct history_edge *edge)
{
	const struct history *history = page->report->history;
	const struct history_changes *changes = &history->changes[edge - history->graph->edges];

	escape_xml(page->out, history_version_name(history, edge->parent));
	strbuf_addf(page->out, "<td>%s", edge->inside_release ? "inside" : "");
	add_count(page->out, "all", changes->count);
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		add_count(page->out, diff_class_name((enum diff_class)(1 << i)), changes->class_total[i]);
}

static int compare_version(const void *key, const void *item)
{
	const size_t version = *(const size_t *)key;
	const struct history_edge *edge = item;

	return (version > edge->version) - (version < edge->version);
}

static const struct history_edge *edge_of(const struct history_graph *graph, size_t version)
{
	return graph->edge_count ? bsearch(&version, graph->edges, graph->edge_count, sizeof(*graph->edges), compare_version) : NULL;
}

/* The node of the table that stands for a version; bold where it is the version's own. */
static void add_node_cell(const struct page *page, size_t index)
{
	const struct history *history = page->report->history;
	const char *name = history_version_name(history, index);
	const struct table_node *node;

	if (!history->filter->table)
		return;
	strbuf_adds(page->out, "<td>");
	node = forwarded_node(history->filter->table, history->graph, index, name);
	if (!node)
		return;
	strbuf_adds(page->out, strcmp(node->version, name) ? "<span>" : "<b>");
	escape_xml(page->out, node->version);
	strbuf_adds(page->out, strcmp(node->version, name) ? "</span>" : "</b>");
}

static void add_version_row(const struct page *page, size_t index)
{
	const struct history_graph *graph = page->report->history->graph;
	const struct history_version *version = &graph->versions[index];
	const struct history_edge *edge = edge_of(graph, index);
	char day[32];

	strbuf_addf(page->out, "<tr data-v=\"%zu\"><th scope=\"row\">", index);
	escape_xml(page->out, version->version);
	strbuf_addf(page->out, "<td>%s", text_of_day(version->time, day));
	add_node_cell(page, index);
	strbuf_adds(page->out, "<td>");
	if (edge)
		add_edge_cells(page, edge);
	else
		strbuf_addf(page->out, "<td colspan=\"%d\">%s", DIFF_CLASS_COUNT + 2,
			    version->abi ? "not compared: no version before it" : "could not be read");
	strbuf_addch(page->out, '\n');
}

static bool is_unchanged(const struct page *page, size_t index)
{
	const struct history *history = page->report->history;
	const struct history_edge *edge = edge_of(history->graph, index);

	return edge && !history->changes[edge - history->graph->edges].count;
}

/* One row for the versions @last down to @first, none of which changed anything. */
static void add_folded_row(const struct page *page, size_t last, size_t first)
{
	const struct history *history = page->report->history;
	int columns = DIFF_CLASS_COUNT + 5 + (history->filter->table ? 1 : 0);

	strbuf_addf(page->out, "<tr class=\"fold\"><td colspan=\"%d\"><details><summary>", columns);
	strbuf_plural(page->out, last - first + 1, "version");
	strbuf_adds(page->out, " without a change, ");
	escape_xml(page->out, history_version_name(history, last));
	strbuf_adds(page->out, " to ");
	escape_xml(page->out, history_version_name(history, first));
	strbuf_adds(page->out, "</summary>");
	for (size_t i = last + 1; i-- > first;) {
		strbuf_addf(page->out, "%s<span data-v=\"%zu\">", i == last ? "" : ", ", i);
		escape_xml(page->out, history_version_name(history, i));
		strbuf_adds(page->out, "</span>");
	}
	strbuf_adds(page->out, "</details>\n");
}

/* The newest version first; of versions that changed nothing, one row for all that lie together. */
static void add_table(const struct page *page)
{
	const struct history *history = page->report->history;

	strbuf_addf(page->out, "<table id=\"versions\"><thead><tr><th scope=\"col\">version<th scope=\"col\">date%s<th scope=\"col\">after"
			       "<th scope=\"col\">release<th scope=\"col\">changes", history->filter->table ? "<th scope=\"col\">node" : "");
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		strbuf_addf(page->out, "<th scope=\"col\">%s", diff_class_name((enum diff_class)(1 << i)));
	strbuf_adds(page->out, "</thead><tbody>\n");
	for (size_t i = history->graph->version_count; i-- > 0;) {
		size_t first = i;

		while (first > 0 && is_unchanged(page, i) && is_unchanged(page, first - 1))
			first--;
		if (first < i)
			add_folded_row(page, i, first);
		else
			add_version_row(page, i);
		i = first;
	}
	strbuf_adds(page->out, "</tbody></table>\n");
}

static void add_data(const struct page *page)
{
	page_data(page->out, page->report, page->timelines);
}

/* What a line of the frame stands for: a text as it is, or what a function adds. */
static const struct slot {
	const char *word;
	const char *text;
	void (*add)(const struct page *page);
} slots[] = {
	{ "title", NULL, add_title },
	{ "style", page_style, NULL },
	{ "summary", NULL, add_summary },
	{ "table", NULL, add_table },
	{ "data", NULL, add_data },
	{ "model", page_script_model, NULL },
	{ "graph", page_script_graph, NULL },
	{ "layouts", page_script_layouts, NULL },
	{ "compare", page_script_compare, NULL },
	{ "page", page_script_page, NULL },
};

static void fill(const struct page *page, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		if (strlen(slots[i].word) != length || memcmp(slots[i].word, word, length))
			continue;
		if (slots[i].add)
			slots[i].add(page);
		else
			strbuf_adds(page->out, slots[i].text);
	}
}

void report_history_page(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines)
{
	const struct page page = { out, report, timelines };
	const char *line = page_frame, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end - line > 4 && !memcmp(line, "{{", 2) && !memcmp(end - 2, "}}", 2)) {
			fill(&page, line + 2, (size_t)(end - line) - 4);
			continue;
		}
		strbuf_add(out, line, (size_t)(end - line));
		strbuf_addch(out, '\n');
	}
}
