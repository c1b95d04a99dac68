/*
 * diff/reach.c - how ioctls reach the records and enums that changed
 *
 * 1. type_graph.c has the declarations of a document as nodes, and fields as
 *    edges between them.
 * 2. From each changed thing the edges are walked backwards, breadth first, so
 *    that a record is found first by a shortest path. Each node remembers the
 *    step that leads back to the changed one.
 * 3. A node that is some ioctl's parameters ends a chain, though not the
 *    walk: a record that contains it may be another's parameters.
 *
 * What is gone in next is looked for in base; so is what no ioctl of next
 * carries any more.
 */
#include "diff/pass.h"
#include "diff/type_graph.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	struct type_graph graph;
	size_t number;
	size_t *seen;                  /* by node: the number of the walk that saw it */
	const struct type_edge **step; /* by node: the edge towards the changed thing */
	size_t *queue;
};

/* Before the first walk. */
static void begin(struct walk *walk)
{
	struct type_graph *graph = &walk->graph;

	if (graph->is_built)
		return;
	type_graph_build(graph);
	walk->seen = arena_array(graph->arena, graph->node_count + 1, sizeof(*walk->seen));
	walk->step = arena_array(graph->arena, graph->node_count + 1, sizeof(const struct type_edge *));
	walk->queue = arena_array(graph->arena, graph->node_count + 1, sizeof(*walk->queue));
}

/* From the ioctl's parameters, @node, down to the changed thing, @name. */
static void add_chain(struct diff_reach *reach, const struct walk *walk, size_t node, const char *name)
{
	const struct type_edge *step;
	size_t count = 1, i = 0;
	const char **through;

	for (step = walk->step[node]; step; step = walk->step[step->to])
		count += !type_graph_is_unnamed(&walk->graph, step->to);
	through = arena_array(walk->graph.arena, count, sizeof(*through));
	through[i++] = reach->ioctl->params;
	for (step = walk->step[node]; step; step = walk->step[step->to])
		if (!type_graph_is_unnamed(&walk->graph, step->to))
			through[i++] = walk->step[step->to] ? step->name : name;
	reach->through = through;
	reach->through_count = count;
}

static int compare_reaches(const void *a, const void *b)
{
	const struct diff_reach *x = a, *y = b;
	int order = strcmp(x->ioctl->family, y->ioctl->family);

	if (!order)
		order = strcmp(x->ioctl->name, y->ioctl->name);
	return order ? order : x->ioctl < y->ioctl ? -1 : x->ioctl > y->ioctl;
}

/* Only a name of the thing came or went: what uses another name of it is not concerned. */
static bool concerns(const struct diff_change *change, const char *name)
{
	if (!change->same_as || !strcmp(change->name, name))
		return true;
	for (size_t i = 0; i < change->also_count; i++)
		if (!strcmp(change->also[i], name))
			return true;
	return false;
}

/* Fills the queue with all nodes that reach @start, nearest first. Return: how many. */
static size_t walk_back(struct walk *walk, size_t start, const struct diff_change *change)
{
	size_t head = 0, tail = 0;

	walk->number++;
	walk->seen[start] = walk->number;
	walk->step[start] = NULL;
	walk->queue[tail++] = start;
	while (head < tail) {
		size_t node = walk->queue[head++];

		type_graph_sort_edges(&walk->graph, node);
		for (size_t i = walk->graph.edges_to.first[node]; i < walk->graph.edges_to.first[node + 1]; i++) {
			const struct type_edge *edge = &walk->graph.edges[walk->graph.edges_to.item[i]];

			if (walk->seen[edge->from] == walk->number || (node == start && !concerns(change, edge->name)))
				continue;
			walk->seen[edge->from] = walk->number;
			walk->step[edge->from] = edge;
			walk->queue[tail++] = edge->from;
		}
	}
	return tail;
}

static void reach_from(struct diff_change *change, struct walk *walk, size_t start, const char *name)
{
	size_t nodes = walk_back(walk, start, change), count = 0;
	struct diff_reach *list;

	for (size_t i = 0; i < nodes; i++)
		count += walk->graph.carriers.first[walk->queue[i] + 1] - walk->graph.carriers.first[walk->queue[i]];
	list = arena_array(walk->graph.arena, count, sizeof(*list));
	count = 0;
	for (size_t i = 0; i < nodes; i++) {
		size_t node = walk->queue[i];

		for (size_t c = walk->graph.carriers.first[node]; c < walk->graph.carriers.first[node + 1]; c++) {
			const struct abi_ioctl *ioctl = &walk->graph.side->abi->ioctls[walk->graph.carriers.item[c]];

			if (node == start && !concerns(change, ioctl->params))
				continue;
			list[count].ioctl = ioctl;
			add_chain(&list[count++], walk, node, name);
		}
	}
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_reaches);
	change->reached_by = list;
	change->reach_count = count;
}

static void reach_record(struct diff_change *change, struct walk *walk, const struct abi_record *record)
{
	if (!record || change->reach_count)
		return;
	begin(walk);
	reach_from(change, walk, type_graph_record(&walk->graph, (size_t)(record - walk->graph.side->abi->records)), record->name);
}

static void reach_enum(struct diff_change *change, struct walk *walk, const struct abi_enum *one)
{
	if (!one || change->reach_count)
		return;
	begin(walk);
	reach_from(change, walk, type_graph_enum(&walk->graph, (size_t)(one - walk->graph.side->abi->enums)), one->name);
}

/* The ioctl whose number the constant is. */
static void reach_constant(struct diff_change *change, struct diff_pass *pass)
{
	const struct abi_ioctl *ioctl = diff_side_ioctl(&pass->next, change->name);
	struct diff_reach *reach;

	if (!ioctl)
		ioctl = diff_side_ioctl(&pass->base, change->name);
	if (!ioctl)
		return;
	reach = arena_alloc(pass->arena, sizeof(*reach));
	reach->ioctl = ioctl;
	change->reached_by = reach;
	change->reach_count = 1;
}

void diff_reach(struct diff_pass *pass)
{
	struct walk base = { .graph = { .side = &pass->base, .arena = pass->arena } };
	struct walk next = { .graph = { .side = &pass->next, .arena = pass->arena } };

	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];

		switch (change->kind) {
		case ABI_RECORD:
			reach_record(change, &next, change->next_record);
			reach_record(change, &base, change->base_record);
			break;
		case ABI_ENUM:
			reach_enum(change, &next, change->next_enum);
			reach_enum(change, &base, change->base_enum);
			break;
		case ABI_CONSTANT:
			reach_constant(change, pass);
			break;
		case ABI_ALIAS:
		case ABI_IOCTL:
			break;
		}
	}
	type_graph_release(&base.graph);
	type_graph_release(&next.graph);
}

int diff_users(const struct diff_reach **users, size_t *count, const struct abi *abi, const struct abi_record *record,
	       struct arena *arena, struct err *err)
{
	struct diff_change change = { .kind = ABI_RECORD };
	struct diff_side side;
	struct walk walk = { .graph = { .side = &side, .arena = arena } };
	int rc;

	if ((rc = diff_side_init(&side, abi, arena, err)))
		goto out;
	reach_record(&change, &walk, record);
	type_graph_release(&walk.graph);
	*users = change.reached_by;
	*count = change.reach_count;
out:
	diff_side_release(&side);
	return rc;
}
