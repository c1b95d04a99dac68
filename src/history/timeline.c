/*
 * history/timeline.c - the timeline of every item of the ABI
 *
 * 1. Every document is compared with that of the version's nearest ancestor,
 *    kind by kind. Both lists are sorted by family and name, so one walk over
 *    both finds what differs: each difference becomes a step of the item's
 *    timeline. A version without an ancestor gives a step for every item.
 * 2. With a filter, the names that it asks for are collected: those of the
 *    changes that it selected, of the ioctls that carry them, and of the
 *    filter itself.
 * 3. The types that these items use are added, and the types that those use,
 *    until no new name comes up. Timelines of other names are dropped.
 * 4. The timelines are sorted by kind, family and name.
 */
#include "history/asked.h"
#include "history/command.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The items of one kind in one document, by family and name. */
struct items {
	const void **item; /* malloc'd */
	size_t count;
};

struct timeline {
	struct history_timeline public;
	struct history_step *steps; /* malloc'd until the end */
	size_t capacity;
	UT_hash_handle hh; /* by key */
	char key[];
};

struct name {
	const char *text;
	UT_hash_handle hh;
};

struct pass {
	const struct history *history;
	struct arena *arena;
	struct timeline *by_key;
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

/* A family may list several numbers under one name; the ioctl of the lowest number counts. */
static void items_of(struct items *out, const struct abi *abi, enum abi_kind kind)
{
	size_t count, stride, unique = 0;
	const char *array = array_of(abi, kind, &count, &stride);

	out->item = xmalloc((count + 1) * sizeof(*out->item));
	for (size_t i = 0; i < count; i++)
		out->item[i] = array + i * stride;
	if (kind == ABI_IOCTL && count) {
		qsort(out->item, count, sizeof(*out->item), compare_ioctls);
		for (size_t i = 0; i < count; i++)
			if (!unique || strcmp(name_of(kind, out->item[unique - 1]), name_of(kind, out->item[i])) ||
			    strcmp(family_of(kind, out->item[unique - 1]), family_of(kind, out->item[i])))
				out->item[unique++] = out->item[i];
		count = unique;
	}
	out->count = count;
}

static bool same_state(enum abi_kind kind, const void *a, const void *b)
{
	const struct abi_constant *constant = a, *other_constant = b;

	switch (kind) {
	case ABI_RECORD: return abi_same_record(a, b);
	case ABI_ALIAS: return abi_same_alias(a, b);
	case ABI_ENUM: return abi_same_enum(a, b);
	case ABI_CONSTANT: return abi_number_equal(constant->value, other_constant->value);
	case ABI_IOCTL: return abi_same_ioctl(a, b);
	}
	return false;
}

static struct timeline *find_timeline(struct pass *pass, enum abi_kind kind, const void *item)
{
	const char *family = family_of(kind, item), *name = name_of(kind, item);
	struct strbuf key = { 0 };
	struct timeline *timeline;

	strbuf_addf(&key, "%d\n%s\n%s", (int)kind, family ? family : "", name);
	HASH_FIND(hh, pass->by_key, key.text, key.length, timeline);
	if (!timeline) {
		timeline = arena_alloc(pass->arena, sizeof(*timeline) + key.length + 1);
		memcpy(timeline->key, key.text, key.length + 1);
		timeline->public = (struct history_timeline){ .kind = kind, .family = family, .name = name };
		HASH_ADD(hh, pass->by_key, key, key.length, timeline);
	}
	strbuf_release(&key);
	return timeline;
}

/* @item: has the name. @state: @item, or NULL if @version lacks it. */
static void add_step(struct pass *pass, enum abi_kind kind, const void *item, size_t version, const void *state)
{
	struct timeline *timeline = find_timeline(pass, kind, item);

	ARRAY_GROW(timeline->steps, timeline->public.step_count, timeline->capacity);
	timeline->steps[timeline->public.step_count++] = (struct history_step){ version, { .any = state } };
}

static int compare_items(enum abi_kind kind, const void *a, const void *b)
{
	int order = kind == ABI_IOCTL ? strcmp(family_of(kind, a), family_of(kind, b)) : 0;

	return order ? order : strcmp(name_of(kind, a), name_of(kind, b));
}

/* @base: NULL for a version that is compared with nothing. */
static void walk_kind(struct pass *pass, enum abi_kind kind, const struct abi *base, const struct abi *next, size_t version)
{
	struct items was = { 0 }, is;
	size_t b = 0, n = 0;

	if (base)
		items_of(&was, base, kind);
	items_of(&is, next, kind);
	while (b < was.count || n < is.count) {
		int order = b == was.count ? 1 : n == is.count ? -1 : compare_items(kind, was.item[b], is.item[n]);

		if (order < 0)
			add_step(pass, kind, was.item[b], version, NULL);
		else if (order > 0 || !same_state(kind, was.item[b], is.item[n]))
			add_step(pass, kind, is.item[n], version, is.item[n]);
		b += order <= 0;
		n += order >= 0;
	}
	free(was.item);
	free(is.item);
}

/* Step 1. */
static void walk_all(struct pass *pass)
{
	const struct history_graph *graph = pass->history->graph;
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
			walk_kind(pass, (enum abi_kind)kind, base, next, v);
	}
}

static bool is_wanted(const struct pass *pass, const char *text)
{
	struct name *name;

	HASH_FIND_STR(pass->wanted, text, name);
	return name;
}

/* Return: whether it was not wanted before. */
static bool want(struct pass *pass, const char *text)
{
	struct name *name;

	if (!text || is_wanted(pass, text))
		return false;
	name = arena_alloc(pass->arena, sizeof(*name));
	name->text = text;
	HASH_ADD_KEYPTR(hh, pass->wanted, name->text, strlen(name->text), name);
	return true;
}

/* A type without its dimensions. */
static bool want_type(struct pass *pass, const char *type)
{
	struct abi_spelling spelling;
	struct err ignored;

	if (!type || abi_spelling_parse(&spelling, type, &ignored))
		return false;
	return want(pass, arena_strndup(pass->arena, spelling.base, spelling.base_length));
}

static bool want_types(struct pass *pass, enum abi_kind kind, const union history_state *state)
{
	bool added = false;

	if (!state->any)
		return false;
	switch (kind) {
	case ABI_RECORD:
		for (size_t i = 0; i < state->record->field_count; i++)
			added |= want_type(pass, state->record->fields[i].type);
		return added;
	case ABI_ALIAS: return want_type(pass, state->alias->type);
	case ABI_IOCTL: return want_type(pass, state->ioctl->params);
	case ABI_ENUM:
	case ABI_CONSTANT: return false;
	}
	return false;
}

/* Is the item, after this step, an ioctl or a command's macro that has one of the filter's numbers? */
static bool is_numbered(const struct pass *pass, enum abi_kind kind, const struct history_step *step)
{
	struct command_form form;

	if (!step->state.any)
		return false;
	if (kind == ABI_IOCTL)
		return asked_number(pass->history->filter, step->state.ioctl->number);
	if (kind != ABI_CONSTANT || !asked_number(pass->history->filter, step->state.constant->value.magnitude))
		return false;
	form = command_form_of(pass->history->graph->versions[step->version].abi);
	return command_is_macro(&form, step->state.constant);
}

static bool is_named(const struct pass *pass, const struct timeline *timeline)
{
	const struct history_filter *filter = pass->history->filter;

	if (asked_name(filter, timeline->public.name))
		return true;
	for (size_t i = 0; filter->number_count && i < timeline->public.step_count; i++)
		if (is_numbered(pass, timeline->public.kind, &timeline->steps[i]))
			return true;
	return false;
}

static void want_change(struct pass *pass, const struct diff_change *change)
{
	want(pass, change->name);
	want(pass, change->base_name);
	for (size_t i = 0; i < change->also_count; i++)
		want(pass, change->also[i]);
	for (size_t i = 0; i < change->reach_count; i++)
		want(pass, change->reached_by[i].ioctl->name);
}

/* Steps 2 and 3. */
static void want_all(struct pass *pass)
{
	const struct history *history = pass->history;
	bool added = true;

	for (size_t i = 0; i < history->event_count; i++)
		want_change(pass, history->events[i].change);
	for (struct timeline *timeline = pass->by_key; timeline; timeline = timeline->hh.next)
		if (is_named(pass, timeline))
			want(pass, timeline->public.name);
	while (added) {
		added = false;
		for (struct timeline *timeline = pass->by_key; timeline; timeline = timeline->hh.next)
			for (size_t i = 0; i < timeline->public.step_count && is_wanted(pass, timeline->public.name); i++)
				added |= want_types(pass, timeline->public.kind, &timeline->steps[i].state);
	}
}

static int compare_timelines(const struct timeline *a, const struct timeline *b)
{
	int order = (int)a->public.kind - (int)b->public.kind;

	if (!order && a->public.family)
		order = strcmp(a->public.family, b->public.family);
	return order ? order : strcmp(a->public.name, b->public.name);
}

/* Moves the steps into the arena and frees what was collected. Without @all, only what is wanted is returned. */
static void finish(struct history_timelines *out, struct pass *pass, bool all)
{
	struct history_timeline *timelines = arena_array(pass->arena, HASH_COUNT(pass->by_key) + 1, sizeof(*timelines));
	struct timeline *timeline, *following;
	size_t count = 0;

	for (timeline = pass->by_key; timeline; timeline = following) {
		following = timeline->hh.next;
		if (all || is_wanted(pass, timeline->public.name)) {
			timelines[count] = timeline->public;
			timelines[count++].steps = arena_memdup(pass->arena, timeline->steps, timeline->public.step_count * sizeof(*timeline->steps));
		}
		free(timeline->steps);
	}
	HASH_CLEAR(hh, pass->by_key);
	HASH_CLEAR(hh, pass->wanted);
	*out = (struct history_timelines){ .timelines = timelines, .count = count };
}

void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena)
{
	const struct history_filter *filter = history->filter;
	const bool all = !filter->name_count && !filter->number_count && !filter->table;
	struct pass pass = { .history = history, .arena = arena };

	walk_all(&pass);
	if (!all)
		want_all(&pass);
	HASH_SORT(pass.by_key, compare_timelines);
	finish(out, &pass, all);
}
