/*
 * diff/reach.c - how ioctls reach the records and enums that changed
 *
 * 1. Every declaration of a document is a node, every unnamed record too. A
 *    field, by value or through a pointer, is an edge from the record that
 *    has it to the record or enum that it leads to. All edges are collected
 *    once and sorted by where they lead to.
 * 2. From each changed thing the edges are walked backwards, breadth first, so that
 *    a record is found first by a shortest way. Each node remembers the step that
 *    leads back to the changed one.
 * 3. A node that is some ioctl's parameters ends a chain, though not the
 *    walk: who contains it may be another's parameters.
 *
 * What is gone in next is looked for in base; so is what no ioctl of next
 * carries any more.
 */
#include "diff/pass.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE SIZE_MAX
enum { ALIAS_DEPTH_MAX = 64 };

struct edge {
	size_t from, to;    /* nodes */
	const char *name;   /* what the field calls @to */
};

/* An ioctl and the node of its parameters. */
struct carrier {
	size_t node;
	const struct abi_ioctl *ioctl;
};

struct graph {
	const struct diff_side *side;
	struct arena *arena;
	size_t node_count;
	struct edge *edges;       /* by to, then from; malloc'd */
	size_t edge_count, edge_capacity;
	size_t *first_edge;       /* by node: into edges; one more than there are nodes */
	struct carrier *carriers; /* by node */
	size_t carrier_count;
	size_t *first_carrier;    /* by node, likewise */
	bool *alias_is_scalar;    /* by alias: it is known to lead to no record and no enum */
	/* Of the walk. */
	size_t *seen;             /* by node: the number of the walk that saw it */
	const struct edge **step; /* by node: the edge towards the changed thing */
	size_t *queue;
	size_t walk;
	bool is_built;
};

/* A node is a group of record names, then an unnamed record, then a group of enum names. */
static size_t record_node(const struct graph *graph, size_t index)
{
	size_t group = graph->side->records.of[index];

	return group != SIZE_MAX ? group : graph->side->records.group_count + index;
}

static size_t enum_node(const struct graph *graph, size_t index)
{
	return graph->side->records.group_count + graph->side->abi->record_count + graph->side->enums.of[index];
}

static bool is_part_node(const struct graph *graph, size_t node)
{
	size_t groups = graph->side->records.group_count;

	return node >= groups && node < groups + graph->side->abi->record_count;
}

struct span {
	const char *text;
	size_t length;
};

/* Binary search among elements that begin with their name. Return: the index or SIZE_MAX. */
static size_t find_named(const void *array, size_t count, size_t size, struct span name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *here = *(const char *const *)((const char *)array + middle * size);
		int order = strncmp(here, name.text, name.length);

		if (!order && !here[name.length])
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return SIZE_MAX;
}

static bool drop_word(struct span *span, const char *word)
{
	size_t length = strlen(word);

	if (span->length <= length || strncmp(span->text, word, length))
		return false;
	span->text += length;
	span->length -= length;
	return true;
}

/* What is left of a type without dimensions, stars, qualifiers and tags; empty for a function. */
static struct span pointed_to(const char *type)
{
	struct span span = { type, strcspn(type, "(*[") };

	if (type[span.length] == '(')
		return (struct span){ type, 0 };
	while (drop_word(&span, "const ") || drop_word(&span, "volatile ") || drop_word(&span, "struct ") ||
	       drop_word(&span, "union ") || drop_word(&span, "enum "))
		;
	while (span.length && span.text[span.length - 1] == ' ')
		span.length--;
	return span;
}

static size_t node_of_name(const struct graph *graph, const char **name, struct span span)
{
	const struct abi *abi = graph->side->abi;
	size_t i = find_named(abi->records, abi->record_count, sizeof(*abi->records), span);

	if (i != SIZE_MAX) {
		*name = abi->records[i].name;
		return record_node(graph, i);
	}
	i = find_named(abi->enums, abi->enum_count, sizeof(*abi->enums), span);
	if (i == SIZE_MAX)
		return NOWHERE;
	*name = abi->enums[i].name;
	return enum_node(graph, i);
}

/*
 * Most fields are scalars, and few aliases stand for all of them: what such
 * an alias leads to is looked up once. An enum may have an alias of its own name.
 */
static size_t node_of_type(struct graph *graph, const char **name, const char *type, int depth)
{
	const struct abi *abi = graph->side->abi;
	struct span span = pointed_to(type);
	const struct abi_alias *alias;
	size_t i, node = NOWHERE;

	if (!span.length || depth == ALIAS_DEPTH_MAX)
		return NOWHERE;
	i = find_named(abi->aliases, abi->alias_count, sizeof(*abi->aliases), span);
	if (i == SIZE_MAX)
		return node_of_name(graph, name, span);
	if (graph->alias_is_scalar[i])
		return NOWHERE;
	alias = &abi->aliases[i];
	node = strcmp(alias->type, alias->name) ? node_of_type(graph, name, alias->type, depth + 1) :
						  node_of_name(graph, name, span);
	graph->alias_is_scalar[i] = node == NOWHERE;
	return node;
}

static void add_edges(struct graph *graph, const struct abi_record *record, size_t from)
{
	for (size_t i = 0; i < record->field_count; i++) {
		const char *name = NULL;
		size_t to = node_of_type(graph, &name, record->fields[i].type, 0);

		if (to == NOWHERE || to == from)
			continue;
		ARRAY_GROW(graph->edges, graph->edge_count, graph->edge_capacity);
		graph->edges[graph->edge_count++] = (struct edge){ from, to, name };
	}
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int compare_carriers(const void *a, const void *b)
{
	const struct carrier *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->ioctl < y->ioctl ? -1 : x->ioctl > y->ioctl;
}

static void list_edges(struct graph *graph)
{
	const struct abi *abi = graph->side->abi;

	for (size_t i = 0; i < abi->record_count; i++) {
		size_t node = record_node(graph, i);

		/* The names of one declaration have one and the same list of fields. */
		if (is_part_node(graph, node) || graph->side->records.group[node].index[0] == i)
			add_edges(graph, &abi->records[i], node);
	}
	if (graph->edge_count > 1)
		qsort(graph->edges, graph->edge_count, sizeof(*graph->edges), compare_edges);
	graph->first_edge = arena_array(graph->arena, graph->node_count + 1, sizeof(*graph->first_edge));
	for (size_t e = 0; e < graph->edge_count; e++)
		graph->first_edge[graph->edges[e].to + 1]++;
	for (size_t n = 0; n < graph->node_count; n++)
		graph->first_edge[n + 1] += graph->first_edge[n];
}

static void list_carriers(struct graph *graph)
{
	const struct abi *abi = graph->side->abi;

	graph->carriers = arena_array(graph->arena, abi->ioctl_count + 1, sizeof(*graph->carriers));
	graph->first_carrier = arena_array(graph->arena, graph->node_count + 1, sizeof(*graph->first_carrier));
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const char *name = NULL;
		size_t node = abi->ioctls[i].params ? node_of_type(graph, &name, abi->ioctls[i].params, 0) : NOWHERE;

		if (node == NOWHERE)
			continue;
		graph->carriers[graph->carrier_count++] = (struct carrier){ node, &abi->ioctls[i] };
		graph->first_carrier[node + 1]++;
	}
	if (graph->carrier_count > 1)
		qsort(graph->carriers, graph->carrier_count, sizeof(*graph->carriers), compare_carriers);
	for (size_t n = 0; n < graph->node_count; n++)
		graph->first_carrier[n + 1] += graph->first_carrier[n];
}

static void build(struct graph *graph)
{
	const struct diff_side *side = graph->side;

	if (graph->is_built)
		return;
	graph->is_built = true;
	graph->node_count = side->records.group_count + side->abi->record_count + side->enums.group_count;
	graph->alias_is_scalar = arena_array(graph->arena, side->abi->alias_count + 1, sizeof(*graph->alias_is_scalar));
	graph->seen = arena_array(graph->arena, graph->node_count + 1, sizeof(*graph->seen));
	graph->step = arena_array(graph->arena, graph->node_count + 1, sizeof(const struct edge *));
	graph->queue = arena_array(graph->arena, graph->node_count + 1, sizeof(*graph->queue));
	list_edges(graph);
	list_carriers(graph);
}

/* From the ioctl's parameters, @node, down to the changed thing, @name. */
static void add_chain(struct diff_reach *reach, const struct graph *graph, size_t node, const char *name)
{
	const struct edge *step;
	size_t count = 1, i = 0;
	const char **through;

	for (step = graph->step[node]; step; step = graph->step[step->to])
		count += !is_part_node(graph, step->to);
	through = arena_array(graph->arena, count, sizeof(*through));
	through[i++] = reach->ioctl->params;
	for (step = graph->step[node]; step; step = graph->step[step->to])
		if (!is_part_node(graph, step->to))
			through[i++] = graph->step[step->to] ? step->name : name;
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
static size_t walk_back(struct graph *graph, size_t start, const struct diff_change *change)
{
	size_t head = 0, tail = 0;

	graph->walk++;
	graph->seen[start] = graph->walk;
	graph->step[start] = NULL;
	graph->queue[tail++] = start;
	while (head < tail) {
		size_t node = graph->queue[head++];

		for (size_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
			size_t from = graph->edges[e].from;

			if (graph->seen[from] == graph->walk || (node == start && !concerns(change, graph->edges[e].name)))
				continue;
			graph->seen[from] = graph->walk;
			graph->step[from] = &graph->edges[e];
			graph->queue[tail++] = from;
		}
	}
	return tail;
}

static void reach_from(struct diff_change *change, struct graph *graph, size_t start, const char *name)
{
	size_t nodes = walk_back(graph, start, change), count = 0;
	struct diff_reach *list;

	for (size_t i = 0; i < nodes; i++)
		count += graph->first_carrier[graph->queue[i] + 1] - graph->first_carrier[graph->queue[i]];
	list = arena_array(graph->arena, count, sizeof(*list));
	count = 0;
	for (size_t i = 0; i < nodes; i++) {
		size_t node = graph->queue[i];

		for (size_t c = graph->first_carrier[node]; c < graph->first_carrier[node + 1]; c++) {
			if (node == start && !concerns(change, graph->carriers[c].ioctl->params))
				continue;
			list[count].ioctl = graph->carriers[c].ioctl;
			add_chain(&list[count++], graph, node, name);
		}
	}
	if (count > 1)
		qsort(list, count, sizeof(*list), compare_reaches);
	change->reached_by = list;
	change->reach_count = count;
}

static void reach_record(struct diff_change *change, struct graph *graph, const struct abi_record *record)
{
	if (!record || change->reach_count)
		return;
	build(graph);
	reach_from(change, graph, record_node(graph, (size_t)(record - graph->side->abi->records)), record->name);
}

static void reach_enum(struct diff_change *change, struct graph *graph, const struct abi_enum *one)
{
	if (!one || change->reach_count)
		return;
	build(graph);
	reach_from(change, graph, enum_node(graph, (size_t)(one - graph->side->abi->enums)), one->name);
}

/* The ioctl whose number the constant is. */
static void reach_constant(struct diff_change *change, const struct diff_pass *pass)
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
	struct graph base = { .side = &pass->base, .arena = pass->arena };
	struct graph next = { .side = &pass->next, .arena = pass->arena };

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
	free(base.edges);
	free(next.edges);
}

int diff_users(const struct diff_reach **users, size_t *count, const struct abi *abi, const struct abi_record *record,
	       struct arena *arena, struct err *err)
{
	struct diff_change change = { .kind = ABI_RECORD };
	struct graph graph = { .arena = arena };
	struct diff_side side;
	int rc;

	if ((rc = diff_side_init(&side, abi, arena, err)))
		return rc;
	graph.side = &side;
	reach_record(&change, &graph, record);
	free(graph.edges);
	*users = change.reached_by;
	*count = change.reach_count;
	return 0;
}
