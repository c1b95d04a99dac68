/*
 * history/changes.c - copy the changes on each edge of the commit graph, and join equal changes into events
 */
#include "history/internal.h"

#include <fnmatch.h>
#include <xxhash.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <uthash.h>

/* --- are two documents equal? --------------------------------------------------------------- */

bool history_same(const struct abi *a, const struct abi *b)
{
	if (!same_text(a->driver, b->driver) || !same_text(a->target, b->target))
		return false;
	/*
	 * Versions with equal trees share one document. Empty arrays can have equal addresses, so counts are
	 * compared as well.
	 */
	if (a->records == b->records && a->aliases == b->aliases && a->enums == b->enums &&
	    a->constants == b->constants && a->ioctls == b->ioctls && a->record_count == b->record_count &&
	    a->ioctl_count == b->ioctl_count)
		return true;
	for (int kind = ABI_KIND_COUNT; kind-- > 0;) { /* records come last, because they take longest */
		struct abi_items x = abi_items(a, (enum abi_kind)kind), y = abi_items(b, (enum abi_kind)kind);

		if (x.count != y.count)
			return false;
		for (size_t at = 0; at < x.count * x.size_bytes; at += x.size_bytes)
			if (strcmp(abi_item_name((enum abi_kind)kind, x.first + at),
				   abi_item_name((enum abi_kind)kind, y.first + at)) ||
			    !abi_same_item((enum abi_kind)kind, x.first + at, y.first + at))
				return false;
	}
	return true;
}

/* --- changes that outlive their comparison -------------------------------------------------- */

static const char *copy_text(const char *text, struct arena *arena)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static const char *const *copy_texts(const char *const *texts, size_t count, struct arena *arena)
{
	const char **copy = arena_array(arena, count + 1, sizeof(char *));

	for (size_t i = 0; i < count; i++)
		copy[i] = arena_strdup(arena, texts[i]);
	return copy;
}

static const struct diff_field_side *copy_side(const struct diff_field_side *side, struct arena *arena)
{
	struct diff_field_side *copy;

	if (!side)
		return NULL;
	copy = arena_memdup(arena, side, sizeof(*side));
	copy->path = arena_strdup(arena, side->path);
	copy->type = arena_strdup(arena, side->type);
	return copy;
}

void history_copy_change(struct diff_change *out, const struct diff_change *change, struct arena *arena)
{
	struct diff_field *fields =
		arena_memdup(arena, change->fields, change->field_count * sizeof(*fields));
	struct diff_value *values =
		arena_memdup(arena, change->values, change->value_count * sizeof(*values));
	struct diff_reach *reach =
		arena_memdup(arena, change->reached_by, change->reach_count * sizeof(*reach));
	struct diff_flag *flags = arena_memdup(arena, change->flags, change->flag_count * sizeof(*flags));
	struct diff_change copy = *change;

	copy.name = copy_text(change->name, arena);
	copy.base_name = copy_text(change->base_name, arena);
	copy.family = copy_text(change->family, arena);
	copy.same_as = copy_text(change->same_as, arena);
	copy.number_was = copy_text(change->number_was, arena);
	copy.also = copy_texts(change->also, change->also_count, arena);
	copy.because = copy_texts(change->because, change->because_count, arena);
	copy.inside = copy_text(change->inside, arena);
	copy.with = copy_text(change->with, arena);
	copy.under = NULL; /* the change @under can be one that is not copied */
	copy.reported = NULL;
	copy.reported_count = 0;
	copy.new_roles = NULL;
	copy.new_role_count = 0;
	copy.entries = arena_memdup(arena, change->entries,
				    change->entry_count * sizeof(const struct table_entry *));
	for (size_t i = 0; i < change->field_count; i++) {
		fields[i].before = copy_side(fields[i].before, arena);
		fields[i].after = copy_side(fields[i].after, arena);
	}
	for (size_t i = 0; i < change->value_count; i++) {
		struct diff_value *value = &values[i];

		value->name = copy_text(value->name, arena);
		value->base_name = copy_text(value->base_name, arena);
		value->before =
			value->before ? arena_memdup(arena, value->before, sizeof(*value->before)) : NULL;
		value->after = value->after ? arena_memdup(arena, value->after, sizeof(*value->after)) : NULL;
	}
	for (size_t i = 0; i < change->reach_count; i++)
		reach[i].through = copy_texts(reach[i].through, reach[i].through_count, arena);
	for (size_t i = 0; i < change->flag_count; i++)
		flags[i].word = arena_strdup(arena, flags[i].word);
	copy.fields = fields;
	copy.values = values;
	copy.reached_by = reach;
	copy.flags = flags;
	*out = copy;
}

/* --- are changes of two edges equal? --------------------------------------------------------------- */

static bool same_side_item(const struct diff_change *a, const struct diff_change *b, bool of_next)
{
	const void *x = diff_item(a, of_next), *y = diff_item(b, of_next);

	return x && y ? abi_same_item(a->kind, x, y) : !x && !y;
}

static bool same_field_side(const struct diff_field_side *a, const struct diff_field_side *b)
{
	if (!a || !b)
		return !a && !b;
	return a->offset_bits == b->offset_bits && a->size_bits == b->size_bits &&
	       a->is_bitfield == b->is_bitfield && a->role == b->role && !strcmp(a->path, b->path) &&
	       !strcmp(a->type, b->type);
}

/*
 * Is it the same change on two edges? Compares name, kind, family, classes, old and new state, but not where
 * the item is declared, and which ioctls carry it. With equal fields, only inner records can differ.
 */
static bool same_change(const struct diff_change *a, const struct diff_change *b)
{
	if (a->kind != b->kind || a->classes != b->classes || a->field_count != b->field_count ||
	    !same_text(a->name, b->name) || !same_text(a->base_name, b->base_name) ||
	    !same_text(a->family, b->family) || !same_text(a->same_as, b->same_as) ||
	    !same_text(a->number_was, b->number_was) || !same_text(a->with, b->with) ||
	    a->number_was_is_gone != b->number_was_is_gone || a->number_was_now != b->number_was_now ||
	    !same_side_item(a, b, false) || !same_side_item(a, b, true))
		return false;
	for (size_t i = 0; i < a->field_count; i++)
		if (a->fields[i].op != b->fields[i].op ||
		    !same_field_side(a->fields[i].before, b->fields[i].before) ||
		    !same_field_side(a->fields[i].after, b->fields[i].after))
			return false;
	return true;
}

/* --- the changes of all edges, joined into events ------------------------------------------- */

/*
 * 1. A hash table has the changes by kind, family, name and ioctl numbers. The first of several equal changes
 *    begins an event, and each later change adds its edge. Events are sorted by their first edges, and within
 *    an edge by the order of its diff.
 * 2. Each event gets flags: one of its edges is inside a release; it changed the number of an ioctl; it gave
 *    a number to a different ioctl.
 */

struct joined {
	const struct diff_change *change; /* on the first edge */
	size_t carrier_count;             /* of @change */
	size_t *edges;                    /* malloc'd */
	size_t edge_count, edge_capacity;
	struct joined *older;             /* an earlier, different change with the same key */
	struct joined *next;              /* in the order of first edges */
};

struct joined_key {
	const char *text;
	struct joined *newest;
	UT_hash_handle hh;
};

struct joining {
	struct arena arena;
	struct joined_key *by_key;
	struct strbuf text;               /* of the current key */
	struct joined *first, **end;
	size_t count;
};

/* Adds @edge to the event of an equal change, or to a new one, so that a fix in two branches is one event. */
static void join_change(struct joining *joining, const struct history_changes *changes, size_t index,
			size_t edge)
{
	const struct diff_change *change = &changes->changes[index];
	const struct abi_ioctl *was = change->base_ioctl, *is = change->next_ioctl;
	struct strbuf *text = &joining->text;
	struct joined_key *key; /* of changes to the same item from the same number to the same number */
	struct joined *found;

	strbuf_reset(text);
	strbuf_addf(text, "%d %s %s %llx %llx", (int)change->kind, change->name,
		    change->family ? change->family : "", was ? (unsigned long long)was->number : 0,
		    is ? (unsigned long long)is->number : 0);
	HASH_FIND(hh, joining->by_key, text->text, text->length, key);
	if (!key) {
		key = arena_alloc(&joining->arena, sizeof(*key));
		key->text = arena_strdup(&joining->arena, text->text);
		HASH_ADD_KEYPTR(hh, joining->by_key, key->text, text->length, key);
	}
	found = key->newest;
	while (found && !same_change(found->change, change))
		found = found->older;
	if (!found) {
		found = arena_alloc(&joining->arena, sizeof(*found));
		*found = (struct joined){ .change = change, .carrier_count = changes->carriers[index],
					  .older = key->newest };
		key->newest = *joining->end = found;
		joining->end = &found->next;
		joining->count++;
	}
	if (found->edge_count && found->edges[found->edge_count - 1] == edge)
		return;
	ARRAY_GROW(found->edges, found->edge_count, found->edge_capacity);
	found->edges[found->edge_count++] = edge;
}

void history_join(struct history *out, const struct history_graph *graph, const struct history_filter *filter,
		  const struct history_changes *changes, struct arena *arena)
{
	struct history history = { .graph = graph, .filter = filter, .changes = changes };
	struct joining joining = { .end = &joining.first };
	struct history_event *events;

	for (size_t edge = 0; edge < graph->edge_count; edge++) {
		history.change_count += changes[edge].count;
		history.changed_edges += changes[edge].count > 0;
		for (size_t i = 0; i < changes[edge].count; i++)
			join_change(&joining, &changes[edge], i, edge);
	}
	history.events = events = arena_array(arena, joining.count + 1, sizeof(*events));
	for (const struct joined *one = joining.first; one; one = one->next) {
		struct history_event *event = &events[history.event_count++];
		const struct abi *next = graph->versions[graph->edges[one->edges[0]].version].abi;

		*event = (struct history_event){
			.change = one->change,
			.carrier_count = one->carrier_count,
			.edges = arena_memdup(arena, one->edges, one->edge_count * sizeof(*one->edges)),
			.edge_count = one->edge_count,
			.renumbered = command_renumbered(one->change, next),
			.reused = one->change->number_was &&
				  (one->change->next_ioctl || one->change->next_constant),
		};
		for (size_t i = 0; i < one->edge_count; i++)
			event->inside_release |= graph->edges[one->edges[i]].inside_release;
		history.numbers.renumbered += event->renumbered;
		history.numbers.reused += event->reused;
		free(one->edges);
	}
	HASH_CLEAR(hh, joining.by_key);
	strbuf_release(&joining.text);
	arena_release(&joining.arena);
	*out = history;
}

/* --- from versions with parents to edges ---------------------------------------------------- */

long history_known_parent(const struct history_version *versions, long version)
{
	do
		version = versions[version].parent;
	while (version != HISTORY_NO_PARENT && !versions[version].abi);
	return version;
}

bool history_same_release(const char *a, const char *b)
{
	size_t length = strcspn(a, ".");

	return length && length == strcspn(b, ".") && !memcmp(a, b, length);
}

void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count,
		      struct arena *arena)
{
	struct history_edge *edges = arena_array(arena, count + 1, sizeof(*edges));
	struct history_graph graph = { .versions = versions, .version_count = count, .edges = edges };

	for (size_t i = 0; i < count; i++) {
		long parent = history_known_parent(versions, (long)i);

		if (!versions[i].abi || parent == HISTORY_NO_PARENT)
			continue;
		edges[graph.edge_count++] = (struct history_edge){
			.version = i,
			.parent = (size_t)parent,
			.inside_release =
				history_same_release(versions[i].version, versions[parent].version),
		};
	}
	*out = graph;
}

size_t history_graph_index(const struct history_graph *graph, const char *version)
{
	size_t i = 0;

	while (i < graph->version_count && strcmp(graph->versions[i].version, version))
		i++;
	return i;
}

/* --- the requested changes of an edge ------------------------------------------------------- */

/*
 * 1. The ioctls of both versions that have one of the names or numbers are marked.
 * 2. If a change has a marked ioctl in one version, the ioctl of the other version is marked as well, because
 *    it is the same ioctl with a different name or number.
 * 3. A record is selected if a filter has its name or the name of a record around it, or if a marked ioctl
 *    carries it.
 */

bool asked_name(const struct history_filter *filter, const char *name)
{
	for (size_t i = 0; name && i < filter->name_count; i++)
		if (!fnmatch(filter->names[i], name, 0))
			return true;
	return false;
}

bool asked_number(const struct history_filter *filter, uint64_t number)
{
	for (size_t i = 0; i < filter->number_count; i++)
		if (filter->numbers[i] == number)
			return true;
	return false;
}

/* Returns the mark of @ioctl; NULL if it is not an ioctl of @abi. */
static bool *mark_of(bool *marked, const struct abi *abi, const struct abi_ioctl *ioctl)
{
	if (!ioctl || !abi->ioctl_count || ioctl < abi->ioctls || ioctl >= abi->ioctls + abi->ioctl_count)
		return NULL;
	return &marked[ioctl - abi->ioctls];
}

void asked_of(struct asked *out, const struct history_filter *filter, const struct diff *diff,
	      struct arena *arena)
{
	const struct abi *abis[] = { diff->base, diff->next };
	bool *marks[2], *inside[2];

	for (int side = 0; side < 2; side++) {
		const struct abi *abi = abis[side];

		marks[side] = arena_array(arena, abi->ioctl_count + 1, sizeof(bool));
		for (size_t i = 0; i < abi->ioctl_count; i++)
			marks[side][i] = asked_number(filter, abi->ioctls[i].number) ||
					 asked_name(filter, abi->ioctls[i].name);
		inside[side] = arena_array(arena, abi->record_count + 1, sizeof(bool));
		for (size_t i = 0; i < filter->name_count; i++)
			diff_around_mark(inside[side], abi, filter->names[i]);
	}
	for (size_t i = 0; i < diff->change_count; i++) {
		bool *was = mark_of(marks[0], diff->base, diff->changes[i].base_ioctl);
		bool *is = mark_of(marks[1], diff->next, diff->changes[i].next_ioctl);

		if (was && is)
			*was = *is = *was || *is;
	}
	*out = (struct asked){
		.filter = filter,
		.diff = diff,
		.base_form = command_form_of(diff->base),
		.next_form = command_form_of(diff->next),
		.base = marks[0],
		.next = marks[1],
		.in_base = inside[0],
		.in_next = inside[1],
	};
}

static bool is_marked(const struct asked *asked, const struct abi_ioctl *ioctl)
{
	const bool *was = mark_of((bool *)asked->base, asked->diff->base, ioctl);
	const bool *is = mark_of((bool *)asked->next, asked->diff->next, ioctl);

	return (was && *was) || (is && *is);
}

/*
 * Does the filter have a name of the changed item? If two records become two names of one record, the diff
 * has one change, which also lists the second name. That name does not count if its record did not change.
 */
static bool is_asked_change(const struct asked *asked, const struct diff_change *change)
{
	if (asked_name(asked->filter, change->name) || asked_name(asked->filter, change->base_name))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (asked_name(asked->filter, change->also[i]) &&
		    !history_same_record(asked->diff->base, asked->diff->next, change->also[i]))
			return true;
	return false;
}

static bool is_asked_number(const struct asked *asked, const struct command_form *form,
			    const struct abi_constant *constant)
{
	return constant && asked_number(asked->filter, constant->value.magnitude) &&
	       macro_is_command(form, constant);
}

bool asked_is(const struct asked *asked, const struct diff_change *change)
{
	if ((!asked->filter->name_count && !asked->filter->number_count) || is_asked_change(asked, change))
		return true;
	switch (change->kind) {
	case ABI_RECORD:
		for (size_t i = 0; i < change->reach_count; i++)
			if (is_marked(asked, change->reached_by[i].ioctl))
				return true;
		return diff_around_has(asked->in_base, asked->in_next, asked->diff->base, asked->diff->next,
				       change);
	case ABI_IOCTL: return is_marked(asked, change->base_ioctl) || is_marked(asked, change->next_ioctl);
	case ABI_CONSTANT:
		return is_asked_number(asked, &asked->base_form, change->base_constant) ||
		       is_asked_number(asked, &asked->next_form, change->next_constant);
	case ABI_ALIAS:
	case ABI_ENUM: return false;
	}
	return false;
}

size_t asked_carriers(struct diff_change *change, const struct asked *asked, struct arena *arena)
{
	struct diff_reach *reach;
	size_t count = 0, rest;

	if (change->kind != ABI_RECORD)
		return 0;
	for (size_t i = 0; i < change->reach_count; i++)
		count += is_marked(asked, change->reached_by[i].ioctl);
	if (!count)
		return 0;
	reach = arena_array(arena, change->reach_count, sizeof(*reach));
	rest = count;
	count = 0;
	for (size_t i = 0; i < change->reach_count; i++)
		reach[is_marked(asked, change->reached_by[i].ioctl) ? count++ : rest++] =
			change->reached_by[i];
	change->reached_by = reach;
	return count;
}
