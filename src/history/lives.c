/*
 * history/lives.c - the state of everything, from version to version
 *
 * 1. The documents on both ends of every edge are walked side by side, kind
 *    by kind, both sorted by family and name: what differs is a step. A
 *    version without an edge has steps for all that is in it.
 * 2. With a filter, the names that are wanted are spread over the types they
 *    are made of until nothing is added; the other lives are dropped.
 */
#include "history/asked.h"
#include "history/numbers.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The things of one kind in one document, by family and name. */
struct things {
	const void **item; /* malloc'd */
	size_t count;
};

struct life {
	struct history_life public;
	struct history_step *steps; /* malloc'd until the end */
	size_t capacity;
	UT_hash_handle hh; /* by key */
	char key[];
};

struct name {
	const char *text;
	UT_hash_handle hh;
};

struct lives {
	const struct history *history;
	struct arena *arena;
	struct life *by_key;
	struct name *wanted; /* NULL without a filter */
};

static const char *family_of(enum abi_kind kind, const void *item)
{
	return kind == ABI_IOCTL ? ((const struct abi_ioctl *)item)->family : NULL;
}

static const char *name_of(enum abi_kind kind, const void *item)
{
	switch (kind) {
	case ABI_RECORD: return ((const struct abi_record *)item)->name;
	case ABI_ALIAS: return ((const struct abi_alias *)item)->name;
	case ABI_ENUM: return ((const struct abi_enum *)item)->name;
	case ABI_CONSTANT: return ((const struct abi_constant *)item)->name;
	case ABI_IOCTL: return ((const struct abi_ioctl *)item)->name;
	}
	return "";
}

static int compare_ioctls(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a, *y = *(const struct abi_ioctl *const *)b;
	int order = strcmp(x->family, y->family);

	if (!order)
		order = strcmp(x->name, y->name);
	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

/* The array of a kind in a document: first element, how many, how far apart. */
static const char *array_of(const struct abi *abi, enum abi_kind kind, size_t *count, size_t *stride)
{
	switch (kind) {
	case ABI_RECORD: *count = abi->record_count; *stride = sizeof(*abi->records); return (const char *)abi->records;
	case ABI_ALIAS: *count = abi->alias_count; *stride = sizeof(*abi->aliases); return (const char *)abi->aliases;
	case ABI_ENUM: *count = abi->enum_count; *stride = sizeof(*abi->enums); return (const char *)abi->enums;
	case ABI_CONSTANT: *count = abi->constant_count; *stride = sizeof(*abi->constants); return (const char *)abi->constants;
	case ABI_IOCTL: *count = abi->ioctl_count; *stride = sizeof(*abi->ioctls); return (const char *)abi->ioctls;
	}
	*count = *stride = 0;
	return NULL;
}

/* An ioctl that a family lists under one name and several numbers is the one of the lowest number. */
static void things_of(struct things *out, const struct abi *abi, enum abi_kind kind)
{
	size_t count, stride, kept = 0;
	const char *array = array_of(abi, kind, &count, &stride);

	out->item = xmalloc((count + 1) * sizeof(*out->item));
	for (size_t i = 0; i < count; i++)
		out->item[i] = array + i * stride;
	if (kind == ABI_IOCTL && count) {
		qsort(out->item, count, sizeof(*out->item), compare_ioctls);
		for (size_t i = 0; i < count; i++)
			if (!kept || strcmp(name_of(kind, out->item[kept - 1]), name_of(kind, out->item[i])) ||
			    strcmp(family_of(kind, out->item[kept - 1]), family_of(kind, out->item[i])))
				out->item[kept++] = out->item[i];
		count = kept;
	}
	out->count = count;
}

static bool same_word(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_enum(const struct abi_enum *a, const struct abi_enum *b)
{
	if (a->size_bytes != b->size_bytes || a->value_count != b->value_count || !same_word(a->type, b->type))
		return false;
	for (size_t i = 0; i < a->value_count; i++)
		if (strcmp(a->values[i].name, b->values[i].name) || !abi_number_equal(a->values[i].value, b->values[i].value))
			return false;
	return true;
}

static bool same_ioctl(const struct abi_ioctl *a, const struct abi_ioctl *b)
{
	if (a->number != b->number || a->flag_count != b->flag_count || !same_word(a->params, b->params) ||
	    !same_word(a->access, b->access))
		return false;
	for (size_t i = 0; i < a->flag_count; i++)
		if (strcmp(a->flags[i], b->flags[i]))
			return false;
	return true;
}

static bool same_state(enum abi_kind kind, const void *a, const void *b)
{
	const struct abi_alias *alias = a, *other_alias = b;
	const struct abi_constant *constant = a, *other_constant = b;

	switch (kind) {
	case ABI_RECORD: return abi_same_record(a, b);
	case ABI_ALIAS: return alias->size_bytes == other_alias->size_bytes && same_word(alias->type, other_alias->type);
	case ABI_ENUM: return same_enum(a, b);
	case ABI_CONSTANT: return abi_number_equal(constant->value, other_constant->value);
	case ABI_IOCTL: return same_ioctl(a, b);
	}
	return false;
}

static struct life *find_life(struct lives *lives, enum abi_kind kind, const void *item)
{
	const char *family = family_of(kind, item), *name = name_of(kind, item);
	struct strbuf key = { 0 };
	struct life *life;

	strbuf_addf(&key, "%d\n%s\n%s", (int)kind, family ? family : "", name);
	HASH_FIND(hh, lives->by_key, key.text, key.length, life);
	if (!life) {
		life = arena_alloc(lives->arena, sizeof(*life) + key.length + 1);
		memcpy(life->key, key.text, key.length + 1);
		life->public = (struct history_life){ .kind = kind, .family = family, .name = name };
		HASH_ADD(hh, lives->by_key, key, key.length, life);
	}
	strbuf_release(&key);
	return life;
}

/* @state: NULL for what is gone, which @item names. */
static void add_step(struct lives *lives, enum abi_kind kind, const void *item, size_t version, const void *state)
{
	struct life *life = find_life(lives, kind, item);

	ARRAY_GROW(life->steps, life->public.step_count, life->capacity);
	life->steps[life->public.step_count++] = (struct history_step){ version, { .any = state } };
}

static int compare_things(enum abi_kind kind, const void *a, const void *b)
{
	int order = kind == ABI_IOCTL ? strcmp(family_of(kind, a), family_of(kind, b)) : 0;

	return order ? order : strcmp(name_of(kind, a), name_of(kind, b));
}

/* @base: NULL for a version that is compared with nothing. */
static void walk_kind(struct lives *lives, enum abi_kind kind, const struct abi *base, const struct abi *next, size_t version)
{
	struct things was = { 0 }, is;
	size_t b = 0, n = 0;

	if (base)
		things_of(&was, base, kind);
	things_of(&is, next, kind);
	while (b < was.count || n < is.count) {
		int order = b == was.count ? 1 : n == is.count ? -1 : compare_things(kind, was.item[b], is.item[n]);

		if (order < 0)
			add_step(lives, kind, was.item[b], version, NULL);
		else if (order > 0 || !same_state(kind, was.item[b], is.item[n]))
			add_step(lives, kind, is.item[n], version, is.item[n]);
		b += order <= 0;
		n += order >= 0;
	}
	free(was.item);
	free(is.item);
}

static void walk_all(struct lives *lives)
{
	const struct history_graph *graph = lives->history->graph;
	size_t edge = 0;

	for (size_t v = 0; v < graph->version_count; v++) {
		const struct abi *next = graph->versions[v].abi, *base = NULL;

		if (!next)
			continue;
		while (edge < graph->edge_count && graph->edges[edge].version < v)
			edge++;
		if (edge < graph->edge_count && graph->edges[edge].version == v)
			base = graph->versions[graph->edges[edge].parent].abi;
		for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++)
			walk_kind(lives, (enum abi_kind)kind, base, next, v);
	}
}

static bool is_wanted(const struct lives *lives, const char *text)
{
	struct name *name;

	HASH_FIND_STR(lives->wanted, text, name);
	return name;
}

/* Return: whether it was not wanted before. */
static bool want(struct lives *lives, const char *text)
{
	struct name *name;

	if (!text || is_wanted(lives, text))
		return false;
	name = arena_alloc(lives->arena, sizeof(*name));
	name->text = text;
	HASH_ADD_KEYPTR(hh, lives->wanted, name->text, strlen(name->text), name);
	return true;
}

/* A type without its dimensions. */
static bool want_type(struct lives *lives, const char *type)
{
	struct abi_spelling spelling;
	struct err ignored;

	if (!type || abi_spelling_parse(&spelling, type, &ignored))
		return false;
	return want(lives, arena_strndup(lives->arena, spelling.base, spelling.base_length));
}

static bool want_parts(struct lives *lives, enum abi_kind kind, const union history_state *state)
{
	bool added = false;

	if (!state->any)
		return false;
	switch (kind) {
	case ABI_RECORD:
		for (size_t i = 0; i < state->record->field_count; i++)
			added |= want_type(lives, state->record->fields[i].type);
		return added;
	case ABI_ALIAS: return want_type(lives, state->alias->type);
	case ABI_IOCTL: return want_type(lives, state->ioctl->params);
	case ABI_ENUM:
	case ABI_CONSTANT: return false;
	}
	return false;
}

/* A version in which the thing is an ioctl or a command's macro of one of the numbers. */
static bool is_numbered(const struct lives *lives, enum abi_kind kind, const struct history_step *step)
{
	struct numbers_form form;

	if (!step->state.any)
		return false;
	if (kind == ABI_IOCTL)
		return asked_number(lives->history->filter, step->state.ioctl->number);
	if (kind != ABI_CONSTANT || !asked_number(lives->history->filter, step->state.constant->value.magnitude))
		return false;
	form = numbers_form_of(lives->history->graph->versions[step->version].abi);
	return numbers_is_command(&form, step->state.constant);
}

static bool is_named(const struct lives *lives, const struct life *life)
{
	const struct history_filter *filter = lives->history->filter;

	if (asked_name(filter, life->public.name))
		return true;
	for (size_t i = 0; filter->number_count && i < life->public.step_count; i++)
		if (is_numbered(lives, life->public.kind, &life->steps[i]))
			return true;
	return false;
}

static void want_change(struct lives *lives, const struct diff_change *change)
{
	want(lives, change->name);
	want(lives, change->base_name);
	for (size_t i = 0; i < change->also_count; i++)
		want(lives, change->also[i]);
	for (size_t i = 0; i < change->reach_count; i++)
		want(lives, change->reached_by[i].ioctl->name);
}

/* What the filter asks for, and all that it is made of. */
static void want_all(struct lives *lives)
{
	const struct history *history = lives->history;
	bool added = true;

	for (size_t i = 0; i < history->event_count; i++)
		want_change(lives, history->events[i].change);
	for (struct life *life = lives->by_key; life; life = life->hh.next)
		if (is_named(lives, life))
			want(lives, life->public.name);
	while (added) {
		added = false;
		for (struct life *life = lives->by_key; life; life = life->hh.next)
			for (size_t i = 0; i < life->public.step_count && is_wanted(lives, life->public.name); i++)
				added |= want_parts(lives, life->public.kind, &life->steps[i].state);
	}
}

static int compare_lives(const struct life *a, const struct life *b)
{
	int order = (int)a->public.kind - (int)b->public.kind;

	if (!order && a->public.family)
		order = strcmp(a->public.family, b->public.family);
	return order ? order : strcmp(a->public.name, b->public.name);
}

void history_lives(struct history_lives *out, const struct history *history, struct arena *arena)
{
	const struct history_filter *filter = history->filter;
	const bool whole = !filter->name_count && !filter->number_count && !filter->table;
	struct lives lives = { .history = history, .arena = arena };
	struct history_life *kept;
	struct life *life, *following;
	size_t count = 0;

	walk_all(&lives);
	if (!whole)
		want_all(&lives);
	HASH_SORT(lives.by_key, compare_lives);
	kept = arena_array(arena, HASH_COUNT(lives.by_key) + 1, sizeof(*kept));
	for (life = lives.by_key; life; life = following) {
		following = life->hh.next;
		if (whole || is_wanted(&lives, life->public.name)) {
			kept[count] = life->public;
			kept[count++].steps = arena_memdup(arena, life->steps, life->public.step_count * sizeof(*life->steps));
		}
		free(life->steps);
	}
	HASH_CLEAR(hh, lives.by_key);
	HASH_CLEAR(hh, lives.wanted);
	*out = (struct history_lives){ .lives = kept, .count = count };
}
