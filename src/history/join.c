/*
 * history/join.c - the changes of all edges, joined into events
 *
 * 1. Every change of every edge gets a signature (change_signature.c): bytes
 *    that are equal for two changes only if they are the same change.
 * 2. A hash table looks the signature up, all of it and not only its hash. The
 *    first change with a signature begins an event; each later one adds its
 *    edge. uthash iterates in the order of insertion, so the events are in the
 *    order of their first edges, and within an edge in that of its diff.
 * 3. Each event is marked if one of its edges is inside a release, and if it
 *    gave an ioctl another number or a number to another ioctl.
 */
#include "history/history.h"
#include "history/change_internal.h"
#include "history/command.h"

#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <xxhash.h>
#include <uthash.h>

struct joined {
	struct strbuf signature; /* of the first change; the key */
	const struct diff_change *change;
	size_t carrier_count;    /* of @change */
	size_t *edges;           /* malloc'd */
	size_t edge_count, edge_capacity;
	UT_hash_handle hh;       /* in the order of first edges */
};

static void join_change(struct joined **all, const struct history_changes *changes, size_t index, size_t edge)
{
	const struct diff_change *change = &changes->changes[index];
	struct strbuf signature = { 0 };
	struct joined *found;

	history_signature(&signature, change);
	HASH_FIND(hh, *all, signature.text, signature.length, found);
	if (found) {
		strbuf_release(&signature);
	} else {
		found = xmalloc(sizeof(*found));
		*found = (struct joined){ .signature = signature, .change = change, .carrier_count = changes->carriers[index] };
		HASH_ADD_KEYPTR(hh, *all, found->signature.text, found->signature.length, found);
	}
	if (found->edge_count && found->edges[found->edge_count - 1] == edge)
		return;
	ARRAY_GROW(found->edges, found->edge_count, found->edge_capacity);
	found->edges[found->edge_count++] = edge;
}

static void free_joined(struct joined *all)
{
	struct joined *one, *next;

	HASH_ITER(hh, all, one, next) {
		HASH_DEL(all, one);
		strbuf_release(&one->signature);
		free(one->edges);
		free(one);
	}
}

static bool any_inside_release(const struct history_graph *graph, const struct joined *joined)
{
	for (size_t i = 0; i < joined->edge_count; i++)
		if (graph->edges[joined->edges[i]].inside_release)
			return true;
	return false;
}

static bool is_renumbered(const struct history_graph *graph, const struct joined *joined)
{
	return command_renumbered(joined->change, graph->versions[graph->edges[joined->edges[0]].version].abi);
}

static struct history_event event_of(const struct joined *one, const struct history_graph *graph, struct arena *arena)
{
	return (struct history_event){
		.change = one->change,
		.carrier_count = one->carrier_count,
		.edges = arena_memdup(arena, one->edges, one->edge_count * sizeof(*one->edges)),
		.edge_count = one->edge_count,
		.inside_release = any_inside_release(graph, one),
		.renumbered = is_renumbered(graph, one),
		.reused = command_reused(one->change),
	};
}

void history_join(struct history *out, const struct history_graph *graph, const struct history_filter *filter,
		  const struct history_changes *changes, struct arena *arena)
{
	struct history history = { .graph = graph, .filter = filter, .changes = changes };
	struct joined *all = NULL;
	struct history_event *events;

	for (size_t edge = 0; edge < graph->edge_count; edge++) {
		history.change_count += changes[edge].count;
		history.changed_edges += changes[edge].count > 0;
		for (size_t i = 0; i < changes[edge].count; i++)
			join_change(&all, &changes[edge], i, edge);
	}
	events = arena_array(arena, HASH_COUNT(all) + 1, sizeof(*events));
	for (const struct joined *one = all; one; one = one->hh.next) {
		struct history_event *event = &events[history.event_count++];

		*event = event_of(one, graph, arena);
		history.numbers.renumbered += event->renumbered;
		history.numbers.reused += event->reused;
	}
	history.events = events;
	free_joined(all);
	*out = history;
}
