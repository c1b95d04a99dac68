/*
 * history/moves.c - what an item became where its span ends, and what it was before its span begins
 *
 * The item on the other side of the edge is the first of these that exists:
 *
 * 1. of an ioctl: one of its family and name with another number;
 * 2. an item of its name: a command may come into the driver's tables, or
 *    leave them, while its macro stays;
 * 3. the item that it was renamed to, or from, according to the differ.
 */
#include "history/history.h"
#include "history/command.h"

#include <string.h>

/* One end of a span, and the version across the edge that does not have the thing. */
struct end {
	const struct history_span *span;
	const struct abi *there;
	const struct history_changes *changes; /* of the edge */
	bool is_last; /* @there is what the edge leads to */
};

static bool by_ioctl(struct history_move *out, const struct abi_ioctl *ioctl)
{
	if (ioctl)
		*out = (struct history_move){ .kind = ABI_IOCTL, .name = ioctl->name, .number = ioctl->number };
	return ioctl;
}

static bool by_macro(struct history_move *out, const struct abi *abi, const struct abi_constant *constant)
{
	const struct command_form form = command_form_of(abi);

	if (!constant || !command_is_macro(&form, constant))
		return false;
	*out = (struct history_move){ .kind = ABI_CONSTANT, .name = constant->name, .number = constant->value.magnitude };
	return true;
}

static bool by_name(struct history_move *out, const struct end *end)
{
	const struct history_span *span = end->span;

	if (span->kind == ABI_IOCTL)
		return by_ioctl(out, abi_find_ioctl(end->there, span->family, span->name)) ||
		       by_macro(out, end->there, abi_find_constant(end->there, span->name));
	if (span->kind != ABI_CONSTANT)
		return false;
	return by_ioctl(out, abi_find_ioctl(end->there, NULL, span->name)) ||
	       by_macro(out, end->there, abi_find_constant(end->there, span->name));
}

/* Is this side of a change the thing that the span is of? */
static bool is_span(const struct history_span *span, const char *name, const struct abi_ioctl *ioctl)
{
	if (strcmp(name, span->name))
		return false;
	if (span->kind != ABI_IOCTL)
		return true;
	return ioctl && !strcmp(ioctl->family, span->family) && (!span->has_number || ioctl->number == span->number);
}

static bool by_rename(struct history_move *out, const struct end *end)
{
	for (size_t i = 0; i < end->changes->count; i++) {
		const struct diff_change *change = &end->changes->changes[i];
		const struct abi_ioctl *here = end->is_last ? change->base_ioctl : change->next_ioctl;
		const struct abi_ioctl *there = end->is_last ? change->next_ioctl : change->base_ioctl;

		if (change->kind != end->span->kind || !change->base_name ||
		    !is_span(end->span, end->is_last ? change->base_name : change->name, here))
			continue;
		*out = (struct history_move){
			.kind = change->kind,
			.name = end->is_last ? change->name : change->base_name,
			.number = there ? there->number : 0,
		};
		return true;
	}
	return false;
}

static struct history_move move_of(const struct history *history, const struct history_span *span, size_t edge, bool is_last)
{
	const struct history_graph *graph = history->graph;
	size_t there = is_last ? graph->edges[edge].version : graph->edges[edge].parent;
	const struct end end = { span, graph->versions[there].abi, &history->changes[edge], is_last };
	struct history_move move = { .name = NULL };

	if (!by_name(&move, &end))
		by_rename(&move, &end);
	move.parent = graph->edges[edge].parent;
	return move;
}

/* By @versions, at each of which the span begins or ends. */
static const struct history_move *moves_at(const struct history *history, const struct history_span *span,
					   const size_t *versions, size_t count, bool is_last, struct arena *arena)
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
	struct history_span *told = arena_memdup(arena, spans->spans, spans->count * sizeof(*told));

	for (size_t i = 0; i < spans->count; i++) {
		told[i].was = moves_at(history, &told[i], told[i].since, told[i].since_count, false, arena);
		told[i].now = moves_at(history, &told[i], told[i].until, told[i].until_count, true, arena);
	}
	spans->spans = told;
}
