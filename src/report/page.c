/*
 * report/page.c - a history as one HTML page, with its data as JSON inside
 *
 * page.html, page.css and page*.js are embedded in the program unchanged. The Makefile sets PAGE_DIR. A line
 * of page.html that is only {{word}} is replaced with the text of fill_slot() for the word.
 */
#include "report/internal.h"

#include <uthash.h>

/*
 * The data of the page: "drvabi-page/1", in compact JSON.
 *
 * The data is an object of arrays. Texts and states are written once, in a pool, and referred to by their
 * index; -1: none. "words" is the pool of names and types. "records", "aliases", "enums", "constants"
 * and "ioctls" are pools of states: each distinct layout is written once, for all names that have it.
 *
 *   versions   [name, commit, seconds, parent, on main, readable]
 *   edges      [version, parent, inside release]
 *   events     [[edge, …], kind, family, name, old name, classes, flags, text]
 *              flags: 1 only access, 2 proxied
 *   lives      [kind, family, name, [version, state, …]]; state -1: does not exist
 *   records    [size, align, union, [name, type, offset, size, role, …]]
 *              offset and size are in bytes, or in bits if role has the flag 16
 *   aliases    [type, size]
 *   enums      [type, size, [name, value, …]]
 *   constants  value
 *   ioctls     [number, params, [flag, …], access]
 *
 * With a table, "proxy" is the proxy's name, "nodes" has [version, parent's index, supported], and "node_of"
 * has the index of the node of each version.
 *
 * "counted" lists ranges of ioctl numbers that are written in decimal, [family, first, last] (abi/abi.h), so
 * that the page writes numbers like all other reports.
 */

enum { ROLE_IN_BITS = 16, EVENT_ONLY_FLAGS = 1, EVENT_PROXIED = 2 };
_Static_assert((int)ABI_ROLE_LAST < (int)ROLE_IN_BITS, "ROLE_IN_BITS must be greater than all roles");

/* A text of a pool. */
struct pooled {
	size_t index, length;
	UT_hash_handle hh;
	char text[];
};

struct text_pool {
	struct pooled *texts; /* hash table, in the order of the indices */
};

struct data {
	struct json_writer *writer;
	const struct history *history;
	struct arena *arena;
	struct text_pool words, states[ABI_KIND_COUNT];
};

/* Returns the index of @text in the pool, to which it is added if it is new. */
static size_t pool_index(struct text_pool *pool, const char *text, size_t length, struct arena *arena)
{
	struct pooled *found;

	HASH_FIND(hh, pool->texts, text, length, found);
	if (!found) {
		found = arena_alloc(arena, sizeof(*found) + length + 1);
		memcpy(found->text, text, length);
		found->length = length;
		found->index = HASH_COUNT(pool->texts);
		HASH_ADD(hh, pool->texts, text, length, found);
	}
	return found->index;
}

/* Writes an index into a pool or list; -1: no item. */
static void put_index(struct json_writer *writer, int64_t index)
{
	json_number(writer, abi_number_signed(index));
}

/*
 * Writes a name. As everywhere in the page, characters that are not printable or that change the direction of
 * text are escaped.
 */
static void put_text(struct json_writer *writer, const char *text)
{
	struct strbuf shown = { 0 };

	if (text)
		escape_terminal(&shown, text);
	json_string(writer, text ? strbuf_text(&shown) : NULL);
	strbuf_release(&shown);
}

static void put_key_text(struct json_writer *writer, const char *key, const char *text)
{
	json_key(writer, key);
	put_text(writer, text);
}

/* Writes the index of @word in the pool of words; -1 for NULL. */
static void put_word(struct json_writer *writer, struct data *data, const char *word)
{
	put_index(writer, word ? (int64_t)pool_index(&data->words, word, strlen(word), data->arena) : -1);
}

/* Writes an item as it is in some versions: an array that page_model.js reads by position, or a value. */
static void put_state(struct json_writer *writer, struct data *data, enum abi_kind kind,
		      const union history_state *state)
{
	if (kind == ABI_CONSTANT) {
		json_number(writer, state->constant->value);
		return;
	}
	json_open_array(writer);
	switch (kind) {
	case ABI_RECORD:
		json_unsigned(writer, state->record->size_bytes);
		json_unsigned(writer, state->record->align_bytes);
		json_unsigned(writer, state->record->is_union);
		json_open_array(writer);
		for (size_t i = 0; i < state->record->field_count; i++) {
			const struct abi_field *field = &state->record->fields[i];
			bool in_bits = field->is_bitfield || field->offset_bits % 8 || field->size_bits % 8;

			put_word(writer, data, field->name);
			put_word(writer, data, field->type);
			json_unsigned(writer, in_bits ? field->offset_bits : field->offset_bits / 8);
			json_unsigned(writer, in_bits ? field->size_bits : field->size_bits / 8);
			json_unsigned(writer, (unsigned)field->role + (in_bits ? ROLE_IN_BITS : 0));
		}
		json_close_array(writer);
		break;
	case ABI_ALIAS:
		put_word(writer, data, state->alias->type);
		json_unsigned(writer, state->alias->size_bytes);
		break;
	case ABI_ENUM:
		put_word(writer, data, state->one->type);
		json_unsigned(writer, state->one->size_bytes);
		json_open_array(writer);
		for (size_t i = 0; i < state->one->value_count; i++) {
			put_word(writer, data, state->one->values[i].name);
			json_number(writer, state->one->values[i].value);
		}
		json_close_array(writer);
		break;
	case ABI_IOCTL:
		json_unsigned(writer, state->ioctl->number);
		put_word(writer, data, state->ioctl->params);
		json_open_array(writer);
		for (size_t i = 0; i < state->ioctl->flag_count; i++)
			put_word(writer, data, state->ioctl->flags[i]);
		json_close_array(writer);
		put_word(writer, data, state->ioctl->access);
		break;
	case ABI_CONSTANT: break;
	}
	json_close_array(writer);
}

/* Returns the index of a state in its pool. States with the same JSON have the same index. */
static int64_t state_index(struct data *data, enum abi_kind kind, const union history_state *state)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text, .compact = true };
	int64_t index;

	put_state(&writer, data, kind, state);
	index = (int64_t)pool_index(&data->states[kind], text.text, text.length, data->arena);
	strbuf_release(&text);
	return index;
}

/* Writes each item with the versions at which its state changed, and the index of the new state; -1: none. */
static void put_timelines(struct data *data, const struct history_timelines *timelines)
{
	json_key_open(data->writer, "lives", json_open_array);
	for (size_t i = 0; i < timelines->count; i++) {
		const struct history_timeline *timeline = &timelines->timelines[i];

		json_open_inline_array(data->writer);
		json_unsigned(data->writer, timeline->kind);
		put_word(data->writer, data, timeline->family);
		put_word(data->writer, data, timeline->name);
		json_open_array(data->writer);
		for (size_t s = 0; s < timeline->step_count; s++) {
			const struct history_step *step = &timeline->steps[s];

			json_unsigned(data->writer, step->version);
			put_index(data->writer, step->state.any ? state_index(data, timeline->kind,
									      &step->state) : -1);
		}
		json_close_array(data->writer);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
}

/* Writes the versions, and the edges between versions that are compared. */
static void put_graph(struct data *data)
{
	const struct history_graph *graph = data->history->graph;

	json_key_open(data->writer, "versions", json_open_array);
	for (size_t i = 0; i < graph->version_count; i++) {
		const struct history_version *version = &graph->versions[i];

		json_open_inline_array(data->writer);
		put_text(data->writer, version->version);
		put_text(data->writer, version->commit);
		json_number(data->writer, abi_number_signed(version->time));
		put_index(data->writer, version->parent);
		json_unsigned(data->writer, version->on_main);
		json_unsigned(data->writer, version->abi ? 1 : 0);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
	json_key_open(data->writer, "edges", json_open_array);
	for (size_t i = 0; i < graph->edge_count; i++) {
		json_open_inline_array(data->writer);
		json_unsigned(data->writer, graph->edges[i].version);
		json_unsigned(data->writer, graph->edges[i].parent);
		json_unsigned(data->writer, graph->edges[i].inside_release);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
}

/* Writes a change: its edges, item, classes and flags, and the words that show what changed. */
static void put_event(struct data *data, const struct history_event *event)
{
	const struct diff_change *change = event->change;
	struct strbuf words = { 0 };

	json_open_inline_array(data->writer);
	json_open_array(data->writer);
	for (size_t i = 0; i < event->edge_count; i++)
		json_unsigned(data->writer, event->edges[i]);
	json_close_array(data->writer);
	json_unsigned(data->writer, change->kind);
	put_word(data->writer, data, change->family);
	put_word(data->writer, data, change->name);
	put_word(data->writer, data, change->base_name);
	json_unsigned(data->writer, change->classes);
	json_unsigned(data->writer, (report_only_flags(change) ? EVENT_ONLY_FLAGS : 0) |
					    (change->proxied ? EVENT_PROXIED : 0));
	report_change_words(&words, change);
	put_text(data->writer, strbuf_text(&words));
	json_close_array(data->writer);
	strbuf_release(&words);
}

static int64_t node_index(const struct table *table, const struct table_node *node)
{
	return node ? node - table->nodes : -1;
}

/* Writes the proxy, the nodes of its table, and for each version the node that is used for it; -1: none. */
static void put_nodes(struct data *data, const struct table *table)
{
	const struct history_graph *graph = data->history->graph;

	put_key_text(data->writer, "proxy", table->proxy);
	json_key_open(data->writer, "nodes", json_open_array);
	for (size_t i = 0; i < table->node_count; i++) {
		json_open_inline_array(data->writer);
		put_text(data->writer, table->nodes[i].version);
		put_index(data->writer, node_index(table, table->nodes[i].parent));
		json_unsigned(data->writer, table->nodes[i].supported);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
	json_key_open(data->writer, "node_of", json_open_inline_array);
	for (size_t i = 0; i < graph->version_count; i++)
		put_index(data->writer, node_index(table, forwarded_node(table, graph, i,
									 graph->versions[i].version)));
	json_close_array(data->writer);
}

/*
 * Writes the pools of states and words, and frees their hash tables. States are JSON already, and json_writer
 * adds commas only between items that it writes itself, so this function appends to the writer's output
 * directly. It must be called last, because everything else adds words.
 */
static void put_pools(struct data *data)
{
	static const char *const keys[ABI_KIND_COUNT] = {
		[ABI_RECORD] = "records", [ABI_ALIAS] = "aliases", [ABI_ENUM] = "enums",
		[ABI_CONSTANT] = "constants", [ABI_IOCTL] = "ioctls",
	};

	for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++) {
		json_key_open(data->writer, keys[kind], json_open_array);
		for (struct pooled *one = data->states[kind].texts; one; one = one->hh.next) {
			strbuf_addch(data->writer->out, '\n');
			strbuf_add(data->writer->out, one->text, one->length);
			if (one->hh.next)
				strbuf_addch(data->writer->out, ',');
		}
		json_close_array(data->writer);
		HASH_CLEAR(hh, data->states[kind].texts);
	}
	json_key_open(data->writer, "words", json_open_array);
	for (struct pooled *one = data->words.texts; one; one = one->hh.next)
		put_text(data->writer, one->text);
	json_close_array(data->writer);
	HASH_CLEAR(hh, data->words.texts);
}

/* Writes the names of classes, kinds and roles, and which ioctl numbers the page must write in decimal. */
static void put_notation(struct json_writer *writer)
{
	json_key_open(writer, "classes", json_open_inline_array);
	for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
		json_string(writer, report_class_name(i));
	json_close_array(writer);
	json_key_open(writer, "kinds", json_open_inline_array);
	for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++)
		json_string(writer, abi_kind_name((enum abi_kind)kind));
	json_close_array(writer);
	json_key_open(writer, "roles", json_open_inline_array);
	for (enum abi_role role = ABI_ROLE_NONE; role <= ABI_ROLE_LAST; role++)
		json_string(writer, abi_role_name(role));
	json_close_array(writer);
	json_key_open(writer, "counted", json_open_inline_array);
	for (const struct abi_counted *counted = abi_counted_numbers; counted->family; counted++) {
		json_open_inline_array(writer);
		json_string(writer, counted->family);
		json_unsigned(writer, counted->first);
		json_unsigned(writer, counted->last);
		json_close_array(writer);
	}
	json_close_array(writer);
}

struct html_page {
	struct strbuf *out;
	const struct history_report *report;
	const struct history_timelines *timelines;
};

/*
 * Appends @json for a <script> element: without blanks between items, to make the page smaller, and with an
 * escape for '<', which occurs only in strings, so that no name can end the element.
 */
static void add_embedded(struct strbuf *out, const struct strbuf *json)
{
	bool in_string = false;

	strbuf_reserve(out, json->length);
	for (size_t i = 0; i < json->length; i++) {
		char ch = json->text[i];

		if (ch == '<') {
			strbuf_adds(out, "\\u003c");
		} else if (in_string && ch == '\\') {
			strbuf_add(out, json->text + i++, 2);
		} else if (in_string || ch != ' ') {
			strbuf_addch(out, ch);
			in_string ^= ch == '"';
		}
	}
}

/* add_data - append the data that page.js draws, as JSON ("drvabi-page/1") */
static void add_data(const struct html_page *page)
{
	const struct history_report *report = page->report;
	struct strbuf json = { 0 };
	struct json_writer writer = { .out = &json };
	struct arena arena = { 0 };
	struct data data = { .writer = &writer, .history = report->history, .arena = &arena };

	json_open_object(&writer);
	json_key_string(&writer, "format", PAGE_FORMAT);
	put_key_text(&writer, "driver", report->driver);
	put_key_text(&writer, "target", report->target);
	put_key_text(&writer, "main", report->main);
	put_notation(&writer);
	put_graph(&data);
	json_key_open(&writer, "events", json_open_array);
	for (size_t i = 0; i < report->history->event_count; i++)
		put_event(&data, &report->history->events[i]);
	json_close_array(&writer);
	if (report->history->filter->table)
		put_nodes(&data, report->history->filter->table);
	put_timelines(&data, page->timelines);
	put_pools(&data);
	json_close_object(&writer);
	json_end(&writer);
	add_embedded(page->out, &json);
	strbuf_release(&json);
	arena_release(&arena);
}

#ifndef PAGE_DIR
#error "PAGE_DIR is not defined; the Makefile sets it to the directory of page.html"
#endif

EMBED(page_frame, PAGE_DIR "/page.html");
EMBED(page_style, PAGE_DIR "/page.css");
EMBED(page_script_model, PAGE_DIR "/page_model.js");
EMBED(page_script_graph, PAGE_DIR "/page_graph.js");
EMBED(page_script_layouts, PAGE_DIR "/page_layouts.js");
EMBED(page_script_compare, PAGE_DIR "/page_compare.js");
EMBED(page_script_page, PAGE_DIR "/page.js");

/* Appends the title of the page: "nvidia: the ABI of 193 versions, 515.43.04 to 595.45.04". */
static void add_title(const struct html_page *page)
{
	const struct history_graph *graph = page->report->history->graph;

	escape_addf(page->out, escape_xml, "%s: the ABI of ", page->report->driver);
	strbuf_plural(page->out, graph->version_count, "version");
	if (graph->version_count)
		escape_addf(page->out, escape_xml, ", %s to %s", graph->versions[0].version,
			    graph->versions[graph->version_count - 1].version);
	strbuf_addch(page->out, '\n');
}

/* Appends how many changes the page has, in how many releases, and which names and table select them. */
static void add_summary(const struct html_page *page)
{
	const struct history *history = page->report->history;
	const struct history_filter *filter = history->filter;
	const bool has_names = filter->name_count || filter->number_count;
	struct strbuf *out = page->out;
	char number[ABI_NOTATION_BYTES];

	strbuf_plural(out, history->event_count, "change");
	strbuf_addf(out, " (%zu if counted in each release) in %zu of ", history->change_count,
		    history->changed_edges);
	strbuf_plural(out, history->graph->edge_count, "release");
	escape_addf(out, escape_xml, "; %s", page->report->target);
	strbuf_adds(out, has_names || filter->table ? ". Only " : "");
	for (size_t i = 0; i < filter->name_count; i++)
		escape_addf(out, escape_xml, i ? ", <b>%s</b>" : "<b>%s</b>", filter->names[i]);
	for (size_t i = 0; i < filter->number_count; i++)
		strbuf_addf(out, "%sthe number <b>%s</b>", filter->name_count || i ? ", " : "",
			    abi_ioctl_number(NULL, filter->numbers[i], number));
	if (filter->table)
		escape_addf(out, escape_xml, "%swhat %s forwards", has_names ? ", and of that " : "",
			    filter->table->proxy);
	strbuf_adds(out, ".\n");
}

/* Appends a cell of the table of versions: @count, on a darker ground if it is higher, or nothing for 0. */
static void add_count(struct strbuf *out, const char *class, size_t count)
{
	const int heat = count < 3 ? 1 : count < 10 ? 2 : count < 50 ? 3 : 4; /* how dark the cell is */

	if (count)
		strbuf_addf(out, "<td class=\"n %s h%d\">%zu", class, heat, count);
	else
		strbuf_adds(out, "<td>");
}

/* Finds an edge that leads to the version. Return: NULL if there is none. */
static const struct history_edge *edge_of(const struct history_graph *graph, size_t version)
{
	for (size_t i = 0; i < graph->edge_count; i++)
		if (graph->edges[i].version == version)
			return &graph->edges[i];
	return NULL;
}

/* Writes a version's row: date, node, parent, changes of each class, or why it was not compared. */
static void add_version_row(const struct html_page *page, size_t index)
{
	const struct history *history = page->report->history;
	const struct history_version *version = &history->graph->versions[index];
	const struct history_edge *edge = edge_of(history->graph, index);
	const struct table_node *node = NULL;
	const char *name = version->version;
	struct strbuf *out = page->out;
	char day[32];

	escape_addf(out, escape_xml, "<tr data-v=\"%zu\"><th scope=\"row\">%s<td>%s", index, name,
		    text_of_day(version->time, day));
	if (history->filter->table) {
		strbuf_adds(out, "<td>");
		node = forwarded_node(history->filter->table, history->graph, index, name);
	}
	if (node) /* in bold if it is the version's own */
		escape_addf(out, escape_xml, strcmp(node->version, name) ? "<span>%s</span>" : "<b>%s</b>",
			    node->version);
	if (edge) {
		const struct history_changes *changes = &history->changes[edge - history->graph->edges];

		escape_addf(out, escape_xml, "<td>%s<td>%s", history_version_name(history, edge->parent),
			    edge->inside_release ? "inside" : "");
		add_count(out, "all", changes->count);
		for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
			add_count(out, report_class_name(i), changes->class_total[i]);
	} else {
		strbuf_addf(out, "<td><td colspan=\"%d\">%s", DIFF_CLASS_COUNT + 2,
			    version->abi ? "not compared: no version before it" : "could not be read");
	}
	strbuf_addch(out, '\n');
}

static bool is_unchanged_version(const struct html_page *page, size_t index)
{
	const struct history *history = page->report->history;
	const struct history_edge *edge = edge_of(history->graph, index);

	return edge && !history->changes[edge - history->graph->edges].count;
}

/* Writes one row for the versions from @last down to @first, which have no changes. */
static void add_folded_row(const struct html_page *page, size_t last, size_t first)
{
	const struct history *history = page->report->history;
	int columns = DIFF_CLASS_COUNT + 5 + (history->filter->table ? 1 : 0);

	strbuf_addf(page->out, "<tr class=\"fold\"><td colspan=\"%d\"><details><summary>", columns);
	strbuf_plural(page->out, last - first + 1, "version");
	escape_addf(page->out, escape_xml, " without a change, %s to %s</summary>",
		    history_version_name(history, last), history_version_name(history, first));
	for (size_t i = last + 1; i-- > first;)
		escape_addf(page->out, escape_xml, "%s<span data-v=\"%zu\">%s</span>", i == last ? "" : ", ",
			    i, history_version_name(history, i));
	strbuf_adds(page->out, "</details>\n");
}

/* Writes the table, newest version first. Adjacent versions without a change share a row. */
static void add_table(const struct html_page *page)
{
	const struct history *history = page->report->history;

	strbuf_addf(
		page->out,
		"<table id=\"versions\"><thead><tr><th scope=\"col\">version<th scope=\"col\">date%s<th scope=\"col\">after"
		"<th scope=\"col\">release<th scope=\"col\">changes",
		history->filter->table ? "<th scope=\"col\">node" : "");
	for (unsigned i = 0; i < DIFF_CLASS_COUNT; i++)
		strbuf_addf(page->out, "<th scope=\"col\">%s", report_class_name(i));
	strbuf_adds(page->out, "</thead><tbody>\n");
	for (size_t i = history->graph->version_count; i-- > 0;) {
		size_t first = i;

		while (first > 0 && is_unchanged_version(page, i) && is_unchanged_version(page, first - 1))
			first--;
		if (first < i)
			add_folded_row(page, i, first);
		else
			add_version_row(page, i);
		i = first;
	}
	strbuf_adds(page->out, "</tbody></table>\n");
}

/* The replacement of a {{word}} line: a text, or the output of a function. */
static const struct slot {
	const char *word;
	const char *text;
	void (*add)(const struct html_page *page);
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

/* Writes what replaces a word of page.html; nothing if the word is unknown. */
static void fill_slot(const struct html_page *page, const char *word, size_t length)
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

void report_history_page(struct strbuf *out, const struct history_report *report,
			 const struct history_timelines *timelines)
{
	const struct html_page page = { out, report, timelines };
	const char *line = page_frame, *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end - line > 4 && !memcmp(line, "{{", 2) && !memcmp(end - 2, "}}", 2)) {
			fill_slot(&page, line + 2, (size_t)(end - line) - 4);
			continue;
		}
		strbuf_add(out, line, (size_t)(end - line));
		strbuf_addch(out, '\n');
	}
}
