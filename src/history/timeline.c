/*
 * history/timeline.c - find since when an item has a name or a number, and make the timeline of each item
 *
 * Timelines:
 *
 * 1. Every document is compared with that of the version's nearest ancestor, kind by kind. Both lists are
 *    sorted by family and name, so one walk over both finds the differences. Each difference becomes a step
 *    of the item's timeline. For a version without an ancestor, every item gets a step.
 * 2. With a filter, the requested names are collected: the names of the selected changes, of the ioctls that
 *    carry them, and of the filter itself.
 * 3. The types that these items use are added, then the types that those types use, until there are no new
 *    names. Timelines of other names are dropped.
 * 4. The timelines are sorted by kind, family and name.
 */
#include "history/internal.h"

#include <uthash.h>

/* --- the state of an item after its span ends, and before its span begins ------------------- */

/*
 * The item in the other version of the edge is the first of these that exists:
 *
 * 1. for an ioctl: an ioctl with the same family and name, and a different number;
 * 2. an item with the same name: a command can be added to or removed from the driver's tables, while its
 *    macro stays;
 * 3. the item that it was renamed to or from, according to the differ.
 */

/*
 * Does the span belong to an item with @name? @ioctl: the item if it is an ioctl, whose family and, for a
 * span of a number, number must be the same
 */
static bool span_has_name(const struct history_span *span, const char *name, const struct abi_ioctl *ioctl)
{
	if (strcmp(name, span->name))
		return false;
	return span->kind != ABI_IOCTL || (ioctl && !strcmp(ioctl->family, span->family) &&
					   (!span->has_number || ioctl->number == span->number));
}

/*
 * Finds the item that the span's item became, if the span ends at @edge (@is_last), or was, if it begins
 * there. Return: the item, in the newer or older version of @edge; its name is NULL if it does not exist.
 */
static struct history_move move_of(const struct history *history, const struct history_span *span,
				   size_t edge, bool is_last)
{
	const struct history_graph *graph = history->graph;
	const struct history_edge *at = &graph->edges[edge];
	const struct abi *there = graph->versions[is_last ? at->version : at->parent].abi;
	const struct history_changes *changes = &history->changes[edge];
	struct history_move move = { .kind = ABI_RECORD, .parent = at->parent };

	if (span->kind == ABI_IOCTL || span->kind == ABI_CONSTANT) { /* a macro has no family */
		const struct abi_ioctl *ioctl = abi_find_ioctl(there, span->family, span->name);
		const struct abi_constant *macro = abi_find_constant(there, span->name);
		const struct command_form form = command_form_of(there);

		if (ioctl)
			return (struct history_move){ ABI_IOCTL, ioctl->name, ioctl->number, at->version,
						      at->parent };
		if (macro && macro_is_command(&form, macro))
			return (struct history_move){ ABI_CONSTANT, macro->name, macro->value.magnitude,
						      at->version, at->parent };
	}
	for (size_t i = 0; i < changes->count; i++) {
		const struct diff_change *change = &changes->changes[i];
		const struct abi_ioctl *ioctl = is_last ? change->next_ioctl : change->base_ioctl;

		if (change->kind == span->kind && change->base_name &&
		    span_has_name(span, is_last ? change->base_name : change->name,
				  is_last ? change->base_ioctl : change->next_ioctl))
			return (struct history_move){ change->kind,
						      is_last ? change->name : change->base_name,
						      ioctl ? ioctl->number : 0, at->version, at->parent };
	}
	return move;
}

/* Returns a move for each of @versions, at which the span ends if @is_last, or else begins. */
static const struct history_move *moves_at(const struct history *history, const struct history_span *span,
					   const size_t *versions, size_t count, bool is_last,
					   struct arena *arena)
{
	struct history_move *moves = arena_array(arena, count + 1, sizeof(*moves));
	const struct history_graph *graph = history->graph;

	for (size_t i = 0; i < count; i++)
		for (size_t edge = 0; edge < graph->edge_count; edge++)
			if (graph->edges[edge].version == versions[i])
				moves[i] = move_of(history, span, edge, is_last);
	return moves;
}

void history_moves(struct history_spans *spans, const struct history *history, struct arena *arena)
{
	struct history_span *found = arena_memdup(arena, spans->spans, spans->count * sizeof(*found));

	for (size_t i = 0; i < spans->count; i++) {
		found[i].was =
			moves_at(history, &found[i], found[i].since, found[i].since_count, false, arena);
		found[i].now =
			moves_at(history, &found[i], found[i].until, found[i].until_count, true, arena);
	}
	spans->spans = found;
}

/* --- the versions that have a name or a number ----------------------------------------------- */

/*
 * 1. Each version's document is searched for the filter's names (not globs) and numbers. Every item that is
 *    found becomes a span: one for each kind, family, name and, for a number, that number.
 * 2. For each span, the versions that have the item are found.
 * 3. The span ends (until) at a version that does not have the item while its parent does. It begins (since)
 *    at a version that has the item while its parent does not, or that has no readable ancestor. With several
 *    branches, a span can begin and end several times.
 * 4. The spans are sorted: names first, then numbers.
 *
 * history_moves() adds the former and later items.
 */

/* The spans that were found so far. */
struct spans {
	const struct history_graph *graph;
	struct arena *arena;
	struct history_span *item; /* malloc'd */
	size_t count, capacity;
};

bool history_is_glob(const char *name)
{
	return strpbrk(name, "*?[\\");
}

/* Adds a span, unless it exists. @number: NULL for a span under any number */
static void add_span(struct spans *spans, enum abi_kind kind, const char *family, const char *name,
		     const uint64_t *number)
{
	struct history_span new = { .kind = kind, .family = family, .name = name, .has_number = number,
				    .number = number ? *number : 0 };

	for (size_t i = 0; i < spans->count; i++) {
		const struct history_span *span = &spans->item[i];

		if (span->has_number == new.has_number && span->number == new.number &&
		    span_is_of(span, kind, family, name))
			return;
	}
	ARRAY_GROW(spans->item, spans->count, spans->capacity);
	spans->item[spans->count++] = new;
}

/* Is @constant the macro, with that number, of a command that no table lists? */
static bool is_numbered_macro(const struct abi *abi, const struct abi_constant *constant, uint64_t number)
{
	struct command_form form;

	if (!constant || constant->value.magnitude != number)
		return false;
	form = command_form_of(abi);
	return macro_is_command(&form, constant) && !abi_find_ioctl(abi, NULL, constant->name);
}

/*
 * Adds a span for each kind of item that @abi has under @name. A macro with the name of an ioctl gets none.
 */
static void add_spans_named(struct spans *spans, const struct abi *abi, const char *name)
{
	bool is_ioctl = false;

	for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++)
		if (kind != ABI_CONSTANT && kind != ABI_IOCTL &&
		    abi_find_item(abi, (enum abi_kind)kind, name))
			add_span(spans, (enum abi_kind)kind, NULL, name, NULL);
	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, name)) {
			add_span(spans, ABI_IOCTL, abi->ioctls[i].family, name, NULL);
			is_ioctl = true;
		}
	if (!is_ioctl && abi_find_constant(abi, name))
		add_span(spans, ABI_CONSTANT, NULL, name, NULL);
}

/* Does @abi have the item of the span, with the span's number if it has one? */
static bool has_span_item(const struct abi *abi, const struct history_span *span)
{
	const struct abi_constant *constant;

	for (size_t i = 0; span->kind == ABI_IOCTL && i < abi->ioctl_count; i++)
		if (span_has_name(span, abi->ioctls[i].name, &abi->ioctls[i]))
			return true;
	if (span->kind == ABI_IOCTL)
		return false;
	if (span->kind != ABI_CONSTANT)
		return abi_find_item(abi, span->kind, span->name);
	constant = abi_find_constant(abi, span->name);
	if (span->has_number)
		return is_numbered_macro(abi, constant, span->number);
	return constant && !abi_find_ioctl(abi, NULL, span->name);
}

/*
 * Counts the versions that have the item of the span, and lists those at which the span begins and ends. An
 * unreadable version counts like its nearest readable ancestor, so a span never begins or ends there.
 */
static void finish_span(struct spans *spans, struct history_span *span)
{
	const struct history_version *versions = spans->graph->versions;
	size_t count = spans->graph->version_count;
	bool *present = arena_array(spans->arena, count + 1, sizeof(*present));
	bool *read = arena_array(spans->arena, count + 1, sizeof(*read));

	for (size_t i = 0; i < count; i++) {
		long from = versions[i].abi ? (long)i : history_known_parent(versions, (long)i);

		read[i] = versions[i].abi;
		present[i] = from != HISTORY_NO_PARENT && has_span_item(versions[from].abi, span);
		span->version_count += read[i] && present[i];
	}
	span->since_count = span_ends(&span->since, spans->graph, present, true, read, spans->arena);
	span->until_count = span_ends(&span->until, spans->graph, present, false, read, spans->arena);
	span->was = arena_array(spans->arena, span->since_count + 1, sizeof(*span->was));
	span->now = arena_array(spans->arena, span->until_count + 1, sizeof(*span->now));
}

/* The order of a report: spans of names, then spans by number. Spans of one number have the oldest first. */
static int compare_spans_by_number(const void *a, const void *b)
{
	const struct history_span *x = a, *y = b;

	return x->has_number - y->has_number ?: compare_numbers(x->number, y->number)
		?: (x->has_number ? compare_numbers(x->since[0], y->since[0]) : 0)
		?: compare_numbers(x->kind, y->kind) ?: compare_texts(x->family, y->family)
		?: strcmp(x->name, y->name);
}

void history_since(struct history_spans *out, const struct history_graph *graph,
		   const struct history_filter *filter, struct arena *arena)
{
	struct spans spans = { .graph = graph, .arena = arena };

	for (size_t i = 0; i < graph->version_count; i++) {
		const struct abi *abi = graph->versions[i].abi;

		for (size_t n = 0; abi && n < filter->number_count; n++) {
			const uint64_t *number = &filter->numbers[n];

			for (size_t k = 0; k < abi->ioctl_count; k++)
				if (abi->ioctls[k].number == *number)
					add_span(&spans, ABI_IOCTL, abi->ioctls[k].family,
						 abi->ioctls[k].name, number);
			for (size_t k = 0; k < abi->constant_count; k++)
				if (is_numbered_macro(abi, &abi->constants[k], *number))
					add_span(&spans, ABI_CONSTANT, NULL, abi->constants[k].name, number);
		}
		for (size_t n = 0; abi && n < filter->name_count; n++)
			if (!history_is_glob(filter->names[n]))
				add_spans_named(&spans, abi, filter->names[n]);
	}
	for (size_t i = 0; i < spans.count; i++)
		finish_span(&spans, &spans.item[i]);
	sort_items(spans.item, spans.count, sizeof(*spans.item), compare_spans_by_number);
	out->spans = arena_memdup(arena, spans.item, spans.count * sizeof(*spans.item));
	out->count = spans.count;
	free(spans.item);
}

/* --- the timeline of every item ------------------------------------------------------------- */

struct timeline {
	struct history_timeline public;
	struct history_step *steps; /* malloc'd; history_timelines() moves them into the arena */
	size_t capacity;
	UT_hash_handle hh; /* by key */
	char key[];
};

/* A requested name. */
struct name {
	const char *text;
	UT_hash_handle hh;
};

struct timeline_pass {
	const struct history *history;
	struct arena *arena;
	struct timeline *by_key;
	struct name *wanted; /* NULL without a filter */
};

static const char *item_family(enum abi_kind kind, const void *item)
{
	return kind == ABI_IOCTL ? ((const struct abi_ioctl *)item)->family : NULL;
}

/* Compares names. An ioctl is identified by family and name, so its family is compared first. */
static int compare_item_names(enum abi_kind kind, const void *a, const void *b)
{
	return (kind == ABI_IOCTL ? strcmp(item_family(kind, a), item_family(kind, b)) : 0)
		?: strcmp(abi_item_name(kind, a), abi_item_name(kind, b));
}

/* Orders ioctls by family and name, then by number: sorted_items() keeps the first ioctl of each name. */
static int order_ioctls(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a,
			       *y = *(const struct abi_ioctl *const *)b;

	return compare_item_names(ABI_IOCTL, x, y) ?: compare_numbers(x->number, y->number);
}

/*
 * Lists the items of one kind, sorted by family and name; the caller frees *@out. If a family lists several
 * numbers under one name, the lowest one counts. Return: the number of items; 0 if @abi is NULL.
 */
static size_t sorted_items(const void ***out, const struct abi *abi, enum abi_kind kind)
{
	struct abi_items items = abi ? abi_items(abi, kind) : (struct abi_items){ .count = 0 };
	const void **list = xmalloc((items.count + 1) * sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < items.count; i++)
		list[i] = items.first + i * items.size_bytes;
	*out = list;
	if (kind != ABI_IOCTL || !items.count)
		return items.count;
	sort_items(list, items.count, sizeof(*list), order_ioctls);
	for (size_t i = 0; i < items.count; i++)
		if (!count || compare_item_names(kind, list[count - 1], list[i]))
			list[count++] = list[i];
	return count;
}

/* Adds a step to the timeline of @item. @state: @item, or NULL if @version does not have the item */
static void add_step(struct timeline_pass *pass, enum abi_kind kind, const void *item, size_t version,
		     const void *state)
{
	const char *family = item_family(kind, item), *name = abi_item_name(kind, item);
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
	ARRAY_GROW(timeline->steps, timeline->public.step_count, timeline->capacity);
	timeline->steps[timeline->public.step_count++] = (struct history_step){ version, { .any = state } };
}

/*
 * Adds a step, at @version, for each item of @kind that differs between @base and @next. @base: NULL if the
 * version has no ancestor to compare it with; then each item gets a step
 */
static void walk_kind(struct timeline_pass *pass, enum abi_kind kind, const struct abi *base,
		      const struct abi *next, size_t version)
{
	const void **was, **is;
	size_t was_count = sorted_items(&was, base, kind), is_count = sorted_items(&is, next, kind);

	for (size_t b = 0, n = 0; b < was_count || n < is_count;) {
		int order = b == was_count ? 1 : n == is_count ? -1 : compare_item_names(kind, was[b], is[n]);

		if (order < 0)
			add_step(pass, kind, was[b], version, NULL);
		else if (order > 0 || !abi_same_item(kind, was[b], is[n]))
			add_step(pass, kind, is[n], version, is[n]);
		b += order <= 0;
		n += order >= 0;
	}
	free(was);
	free(is);
}

static bool is_wanted_name(const struct timeline_pass *pass, const char *text)
{
	struct name *name;

	HASH_FIND_STR(pass->wanted, text, name);
	return name;
}

/* Adds a requested name. Return: true if it is new. */
static bool want_name(struct timeline_pass *pass, const char *text)
{
	struct name *name;

	if (!text || is_wanted_name(pass, text))
		return false;
	name = arena_alloc(pass->arena, sizeof(*name));
	name->text = text;
	HASH_ADD_KEYPTR(hh, pass->wanted, name->text, strlen(name->text), name);
	return true;
}

/* Adds the name of a type, without its dimensions. Return: true if it is new. */
static bool want_type(struct timeline_pass *pass, const char *type)
{
	struct abi_spelling spelling;
	struct err ignored;

	if (!type || abi_spelling_parse(&spelling, type, &ignored))
		return false;
	return want_name(pass, arena_strndup(pass->arena, spelling.base, spelling.base_length));
}

/* Adds the types that an item uses: their changes are part of its history. Return: true if one is new. */
static bool want_types(struct timeline_pass *pass, enum abi_kind kind, const union history_state *state)
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

/* Is the item of this step an ioctl or a command's macro that has one of the filter's numbers? */
static bool is_asked_step(const struct timeline_pass *pass, enum abi_kind kind,
			  const struct history_step *step)
{
	struct command_form form;

	if (!step->state.any)
		return false;
	if (kind == ABI_IOCTL)
		return asked_number(pass->history->filter, step->state.ioctl->number);
	if (kind != ABI_CONSTANT ||
	    !asked_number(pass->history->filter, step->state.constant->value.magnitude))
		return false;
	form = command_form_of(pass->history->graph->versions[step->version].abi);
	return macro_is_command(&form, step->state.constant);
}

/* Does the filter have the name of the item, or one of the numbers that it had? */
static bool is_asked_timeline(const struct timeline_pass *pass, const struct timeline *timeline)
{
	const struct history_filter *filter = pass->history->filter;

	if (asked_name(filter, timeline->public.name))
		return true;
	for (size_t i = 0; filter->number_count && i < timeline->public.step_count; i++)
		if (is_asked_step(pass, timeline->public.kind, &timeline->steps[i]))
			return true;
	return false;
}

/*
 * Adds the names of all requested timelines to pass->wanted: those of the selected changes, of the ioctls
 * that carry the changed items, of the filter, and of the types that any of these use.
 */
static void add_wanted_names(struct timeline_pass *pass)
{
	const struct history *history = pass->history;
	bool added = true;

	for (size_t i = 0; i < history->event_count; i++) {
		const struct diff_change *change = history->events[i].change;

		want_name(pass, change->name);
		want_name(pass, change->base_name);
		for (size_t k = 0; k < change->also_count; k++)
			want_name(pass, change->also[k]);
		for (size_t k = 0; k < change->reach_count; k++)
			want_name(pass, change->reached_by[k].ioctl->name);
	}
	for (struct timeline *timeline = pass->by_key; timeline; timeline = timeline->hh.next)
		if (is_asked_timeline(pass, timeline))
			want_name(pass, timeline->public.name);
	while (added) {
		added = false;
		for (struct timeline *timeline = pass->by_key; timeline; timeline = timeline->hh.next)
			for (size_t i = 0; i < timeline->public.step_count &&
			     is_wanted_name(pass, timeline->public.name); i++)
				added |= want_types(pass, timeline->public.kind, &timeline->steps[i].state);
	}
}

/* The order of a report: by kind, then family, then name. */
static int compare_timelines(const struct timeline *a, const struct timeline *b)
{
	return compare_numbers(a->public.kind, b->public.kind)
		?: compare_texts(a->public.family, b->public.family)
		?: strcmp(a->public.name, b->public.name);
}

void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena)
{
	const struct history_filter *filter = history->filter;
	const bool all = !filter->name_count && !filter->number_count && !filter->table;
	const struct history_graph *graph = history->graph;
	struct timeline_pass pass = { .history = history, .arena = arena };
	struct history_timeline *timelines;
	size_t count = 0;

	for (size_t v = 0, edge = 0; v < graph->version_count; v++) {
		const struct abi *next = graph->versions[v].abi, *base = NULL;

		if (!next)
			continue;
		while (edge < graph->edge_count && graph->edges[edge].version < v)
			edge++;
		if (edge < graph->edge_count && graph->edges[edge].version == v)
			base = graph->versions[graph->edges[edge].parent].abi;
		for (int kind = ABI_RECORD; kind < ABI_KIND_COUNT; kind++)
			walk_kind(&pass, (enum abi_kind)kind, base, next, v);
	}
	if (!all)
		add_wanted_names(&pass);
	HASH_SORT(pass.by_key, compare_timelines);
	timelines = arena_array(arena, HASH_COUNT(pass.by_key) + 1, sizeof(*timelines));
	for (struct timeline *one = pass.by_key; one; one = one->hh.next) {
		if (all || is_wanted_name(&pass, one->public.name)) {
			timelines[count] = one->public;
			timelines[count++].steps = arena_memdup(arena, one->steps,
								one->public.step_count * sizeof(*one->steps));
		}
		free(one->steps);
	}
	HASH_CLEAR(hh, pass.by_key);
	HASH_CLEAR(hh, pass.wanted);
	*out = (struct history_timelines){ .timelines = timelines, .count = count };
}
