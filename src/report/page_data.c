/*
 * The data of the page: "drvabi-page/1", as compact as JSON gets.
 *
 * An object of arrays. A text or state that occurs often is in a pool once, and
 * used by its index; -1 is none. "words" is the pool of names and
 * types; "records", "aliases", "enums", "constants" and "ioctls" are pools of
 * states: each distinct layout stands once, whatever it is called.
 *
 *   versions   [name, commit, seconds, parent, on main, readable]
 *   edges      [version, parent, inside release]
 *   events     [[edge, …], kind, family, name, old name, classes, flags, text]  flags: 1 only access, 2 proxied
 *   lives      [kind, family, name, [version, state, …]]             -1: gone
 *   records    [size, align, union, [name, type, offset, size, role, …]]  bytes; bits if role has 16 in it
 *   aliases    [type, size]
 *   enums      [type, size, [name, value, …]]
 *   constants  value
 *   ioctls     [number, params, [flag, …], access]
 *
 * With a table, "proxy" is its name, "nodes" are [version, parent's index, supported], and "node_of" has for each version the
 * index of the node that stands for it.
 *
 * "counted" has the numbers that are decimal, [family, first, last]
 * (abi/notation.h): the page writes numbers as all other reports do.
 */
#include "report/diff_flags.h"
#include "report/history_internal.h"
#include "report/page_internal.h"
#include "report/style.h"

#include "history/forwarded.h"
#include "abi/abi.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { ROLE_IN_BITS = 16, EVENT_ONLY_FLAGS = 1, EVENT_PROXIED = 2 };
_Static_assert((int)ABI_ROLE_LAST < (int)ROLE_IN_BITS, "a role fits below the flag");

/* Texts, each once; its index is when it came. */
struct pooled {
	size_t index, length;
	UT_hash_handle hh;
	char text[];
};

struct pool {
	struct pooled *texts; /* in the order of their indices */
};

struct data {
	struct json_writer *writer;
	const struct history *history;
	struct arena *arena;
	struct pool words, states[ABI_KIND_COUNT];
};

static size_t pool_index(struct pool *pool, const char *text, size_t length, struct arena *arena)
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

static void put_index(struct json_writer *writer, size_t index)
{
	json_unsigned(writer, index);
}

static void put_none(struct json_writer *writer)
{
	json_number(writer, abi_number_signed(-1));
}

/* As the page's other names are: what is no printable text, or turns its direction, is spelled out. */
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

static void put_word(struct json_writer *writer, struct data *data, const char *word)
{
	if (word)
		put_index(writer, pool_index(&data->words, word, strlen(word), data->arena));
	else
		put_none(writer);
}

static void put_record(struct json_writer *writer, struct data *data, const struct abi_record *record)
{
	json_unsigned(writer, record->size_bytes);
	json_unsigned(writer, record->align_bytes);
	json_unsigned(writer, record->is_union);
	json_open_array(writer);
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];
		bool in_bits = field->is_bitfield || field->offset_bits % 8 || field->size_bits % 8;

		put_word(writer, data, field->name);
		put_word(writer, data, field->type);
		json_unsigned(writer, in_bits ? field->offset_bits : field->offset_bits / 8);
		json_unsigned(writer, in_bits ? field->size_bits : field->size_bits / 8);
		json_unsigned(writer, (unsigned)field->role + (in_bits ? ROLE_IN_BITS : 0));
	}
	json_close_array(writer);
}

static void put_enum(struct json_writer *writer, struct data *data, const struct abi_enum *one)
{
	put_word(writer, data, one->type);
	json_unsigned(writer, one->size_bytes);
	json_open_array(writer);
	for (size_t i = 0; i < one->value_count; i++) {
		put_word(writer, data, one->values[i].name);
		json_number(writer, one->values[i].value);
	}
	json_close_array(writer);
}

static void put_ioctl(struct json_writer *writer, struct data *data, const struct abi_ioctl *ioctl)
{
	json_unsigned(writer, ioctl->number);
	put_word(writer, data, ioctl->params);
	json_open_array(writer);
	for (size_t i = 0; i < ioctl->flag_count; i++)
		put_word(writer, data, ioctl->flags[i]);
	json_close_array(writer);
	put_word(writer, data, ioctl->access);
}

static void put_state(struct json_writer *writer, struct data *data, enum abi_kind kind, const union history_state *state)
{
	if (kind == ABI_CONSTANT) {
		json_number(writer, state->constant->value);
		return;
	}
	json_open_array(writer);
	switch (kind) {
	case ABI_RECORD: put_record(writer, data, state->record); break;
	case ABI_ALIAS:
		put_word(writer, data, state->alias->type);
		json_unsigned(writer, state->alias->size_bytes);
		break;
	case ABI_ENUM: put_enum(writer, data, state->one); break;
	case ABI_IOCTL: put_ioctl(writer, data, state->ioctl); break;
	case ABI_CONSTANT: break;
	}
	json_close_array(writer);
}

/* A state is the same as another if it is written the same. */
static size_t state_index(struct data *data, enum abi_kind kind, const union history_state *state)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text, .compact = true };
	size_t index;

	put_state(&writer, data, kind, state);
	index = pool_index(&data->states[kind], text.text, text.length, data->arena);
	strbuf_release(&text);
	return index;
}

static void put_timelines(struct data *data, const struct history_timelines *timelines)
{
	json_key(data->writer, "lives");
	json_open_array(data->writer);
	for (size_t i = 0; i < timelines->count; i++) {
		const struct history_timeline *timeline = &timelines->timelines[i];

		json_open_inline_array(data->writer);
		json_unsigned(data->writer, timeline->kind);
		put_word(data->writer, data, timeline->family);
		put_word(data->writer, data, timeline->name);
		json_open_array(data->writer);
		for (size_t s = 0; s < timeline->step_count; s++) {
			put_index(data->writer, timeline->steps[s].version);
			if (timeline->steps[s].state.any)
				put_index(data->writer, state_index(data, timeline->kind, &timeline->steps[s].state));
			else
				put_none(data->writer);
		}
		json_close_array(data->writer);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
}

static void put_versions(struct data *data)
{
	const struct history_graph *graph = data->history->graph;

	json_key(data->writer, "versions");
	json_open_array(data->writer);
	for (size_t i = 0; i < graph->version_count; i++) {
		const struct history_version *version = &graph->versions[i];

		json_open_inline_array(data->writer);
		put_text(data->writer, version->version);
		put_text(data->writer, version->commit);
		json_number(data->writer, abi_number_signed(version->time));
		json_number(data->writer, abi_number_signed(version->parent));
		json_unsigned(data->writer, version->on_main);
		json_unsigned(data->writer, version->abi ? 1 : 0);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
}

static void put_edges(struct data *data)
{
	const struct history_graph *graph = data->history->graph;

	json_key(data->writer, "edges");
	json_open_array(data->writer);
	for (size_t i = 0; i < graph->edge_count; i++) {
		json_open_inline_array(data->writer);
		put_index(data->writer, graph->edges[i].version);
		put_index(data->writer, graph->edges[i].parent);
		json_unsigned(data->writer, graph->edges[i].inside_release);
		json_close_array(data->writer);
	}
	json_close_array(data->writer);
}

static void put_event(struct data *data, const struct history_event *event)
{
	const struct diff_change *change = event->change;
	struct strbuf words = { 0 };

	json_open_inline_array(data->writer);
	json_open_array(data->writer);
	for (size_t i = 0; i < event->edge_count; i++)
		put_index(data->writer, event->edges[i]);
	json_close_array(data->writer);
	json_unsigned(data->writer, change->kind);
	put_word(data->writer, data, change->family);
	put_word(data->writer, data, change->name);
	put_word(data->writer, data, change->base_name);
	json_unsigned(data->writer, change->classes);
	json_unsigned(data->writer, (report_only_flags(change) ? EVENT_ONLY_FLAGS : 0) | (change->proxied ? EVENT_PROXIED : 0));
	history_change_words(&words, change);
	put_text(data->writer, strbuf_text(&words));
	json_close_array(data->writer);
	strbuf_release(&words);
}

static void put_events(struct data *data)
{
	json_key(data->writer, "events");
	json_open_array(data->writer);
	for (size_t i = 0; i < data->history->event_count; i++)
		put_event(data, &data->history->events[i]);
	json_close_array(data->writer);
}

static size_t node_index(const struct table *table, const struct table_node *node)
{
	return (size_t)(node - table->nodes);
}

static void put_node(struct json_writer *writer, const struct table *table, const struct table_node *node)
{
	json_open_inline_array(writer);
	put_text(writer, node->version);
	if (node->parent)
		put_index(writer, node_index(table, node->parent));
	else
		put_none(writer);
	json_unsigned(writer, node->supported);
	json_close_array(writer);
}

static void put_nodes(struct data *data, const struct table *table)
{
	const struct history_graph *graph = data->history->graph;

	put_key_text(data->writer, "proxy", table->proxy);
	json_key(data->writer, "nodes");
	json_open_array(data->writer);
	for (size_t i = 0; i < table->node_count; i++)
		put_node(data->writer, table, &table->nodes[i]);
	json_close_array(data->writer);
	json_key(data->writer, "node_of");
	json_open_inline_array(data->writer);
	for (size_t i = 0; i < graph->version_count; i++) {
		const struct table_node *node = forwarded_node(table, graph, i, graph->versions[i].version);

		if (node)
			put_index(data->writer, node_index(table, node));
		else
			put_none(data->writer);
	}
	json_close_array(data->writer);
}

/* The states are JSON already; the writer puts commas between items that it writes itself, so they go around it. */
static void put_states(struct data *data)
{
	static const char *const keys[ABI_KIND_COUNT] = {
		[ABI_RECORD] = "records", [ABI_ALIAS] = "aliases", [ABI_ENUM] = "enums",
		[ABI_CONSTANT] = "constants", [ABI_IOCTL] = "ioctls",
	};

	for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++) {
		json_key(data->writer, keys[kind]);
		json_open_array(data->writer);
		for (struct pooled *one = data->states[kind].texts; one; one = one->hh.next) {
			strbuf_addch(data->writer->out, '\n');
			strbuf_add(data->writer->out, one->text, one->length);
			if (one->hh.next)
				strbuf_addch(data->writer->out, ',');
		}
		json_close_array(data->writer);
		HASH_CLEAR(hh, data->states[kind].texts);
	}
}

static void put_words(struct data *data)
{
	json_key(data->writer, "words");
	json_open_array(data->writer);
	for (struct pooled *one = data->words.texts; one; one = one->hh.next)
		put_text(data->writer, one->text);
	json_close_array(data->writer);
	HASH_CLEAR(hh, data->words.texts);
}

static void put_classes(struct json_writer *writer)
{
	json_key(writer, "classes");
	json_open_inline_array(writer);
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		json_string(writer, diff_class_name((enum diff_class)(1 << i)));
	json_close_array(writer);
	json_key(writer, "kinds");
	json_open_inline_array(writer);
	for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++)
		json_string(writer, abi_kind_name((enum abi_kind)kind));
	json_close_array(writer);
	json_key(writer, "roles");
	json_open_inline_array(writer);
	for (enum abi_role role = ABI_ROLE_NONE; role <= ABI_ROLE_LAST; role++)
		json_string(writer, abi_role_name(role));
	json_close_array(writer);
}

static void put_notation(struct json_writer *writer)
{
	json_key(writer, "counted");
	json_open_inline_array(writer);
	for (const struct abi_counted *counted = abi_counted_numbers; counted->family; counted++) {
		json_open_inline_array(writer);
		json_string(writer, counted->family);
		json_unsigned(writer, counted->first);
		json_unsigned(writer, counted->last);
		json_close_array(writer);
	}
	json_close_array(writer);
}

/* Blanks between items go, '<' in a string becomes an escape (there is none elsewhere). */
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

void page_data(struct strbuf *out, const struct history_report *report, const struct history_timelines *timelines)
{
	struct strbuf json = { 0 };
	struct json_writer writer = { .out = &json };
	struct arena arena = { 0 };
	struct data data = { .writer = &writer, .history = report->history, .arena = &arena };

	json_open_object(&writer);
	json_key_string(&writer, "format", PAGE_FORMAT);
	put_key_text(&writer, "driver", report->driver);
	put_key_text(&writer, "target", report->target);
	put_key_text(&writer, "main", report->main);
	put_classes(&writer);
	put_notation(&writer);
	put_versions(&data);
	put_edges(&data);
	put_events(&data);
	if (report->history->filter->table)
		put_nodes(&data, report->history->filter->table);
	put_timelines(&data, timelines);
	put_states(&data);
	put_words(&data);
	json_close_object(&writer);
	json_end(&writer);
	add_embedded(out, &json);
	strbuf_release(&json);
	arena_release(&arena);
}
