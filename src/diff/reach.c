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
#include "diff/internal.h"

#include <stdlib.h>
#include <string.h>

/*
 * which declarations contain or point to which
 *
 * A node is a declaration of one document: a
 * group of record names, an unnamed record, or a group of enum names. An edge
 * leads from a record to what one of its fields is, contains or points to.
 * Edges are walked backwards. Most of the graph is in the arena;
 * type_graph_release() frees the rest. Nothing here fails.
 */

#define TYPE_GRAPH_NOWHERE DIFF_NO_BIN
enum { TYPE_GRAPH_KNOWN_TYPES = 1024 };

struct type_edge {
	size_t from, to;    /* nodes */
	const char *name;   /* what the field calls @to */
};

/* A type that was looked up before. */
struct type_graph_known {
	const char *type;
	const char *name;
	size_t node;
};

/* Starts as { .side = S, .arena = A }. */
struct type_graph {
	struct diff_side *side;
	struct arena *arena;
	size_t node_count;
	struct type_edge *edges;   /* of one node in the order of its fields; malloc'd */
	size_t edge_count, edge_capacity;
	struct diff_bins edges_to; /* by node */
	bool *is_sorted;           /* by node: edges_to has its edges in the order of a walk */
	struct diff_bins carriers; /* by node: ioctls that have it as parameters */
	bool *alias_is_scalar;     /* by alias: it is known to lead to no record and no enum */
	/* A cache, by the address of the spelling: a document that was not read from JSON has most of them once. */
	struct type_graph_known known[TYPE_GRAPH_KNOWN_TYPES];
	bool is_built;
};

/*
 * which declarations contain or point to which
 *
 * 1. list_edges() collects all edges once: from each record, for each field,
 *    to the record or enum that node_of_type() finds behind dimensions,
 *    pointers, qualifiers and aliases. A scalar gives no edge.
 * 2. diff_bins_fill() groups them by the node that they lead to.
 * 3. list_carriers() groups the ioctls by the node of their parameters.
 * 4. type_graph_sort_edges() sorts the edges of one node when a walk reaches
 *    it: most nodes are never reached.
 */

enum { ALIAS_DEPTH_MAX = 64 };

/* type_graph_record, type_graph_enum - the node of a record or enum, by its index in the document. */
static size_t type_graph_record(const struct type_graph *graph, size_t index)
{
	size_t group = graph->side->records.of[index];

	return group != SIZE_MAX ? group : graph->side->records.group_count + index;
}

static size_t type_graph_enum(const struct type_graph *graph, size_t index)
{
	return graph->side->records.group_count + graph->side->abi->record_count + graph->side->enums.of[index];
}

/* type_graph_is_unnamed - is @node an unnamed record? */
static bool type_graph_is_unnamed(const struct type_graph *graph, size_t node)
{
	size_t groups = graph->side->records.group_count;

	return node >= groups && node < groups + graph->side->abi->record_count;
}

struct span {
	const char *text;
	size_t length;
};

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
	if (!memchr(span.text, ' ', span.length)) /* most are one word */
		return span;
	while (drop_word(&span, "const ") || drop_word(&span, "volatile ") || drop_word(&span, "struct ") ||
	       drop_word(&span, "union ") || drop_word(&span, "enum "))
		;
	while (span.length && span.text[span.length - 1] == ' ')
		span.length--;
	return span;
}

static size_t node_of_name(const struct type_graph *graph, const char **name, struct span span)
{
	const struct abi *abi = graph->side->abi;
	const struct abi_record *record = diff_side_record_named(graph->side, span.text, span.length);
	const struct abi_enum *one = record ? NULL : diff_side_enum_named(graph->side, span.text, span.length);

	if (record)
		*name = record->name;
	else if (one)
		*name = one->name;
	if (record)
		return type_graph_record(graph, (size_t)(record - abi->records));
	return one ? type_graph_enum(graph, (size_t)(one - abi->enums)) : TYPE_GRAPH_NOWHERE;
}

/*
 * Most fields are scalars, and few aliases stand for all of them: what such
 * an alias leads to is looked up once. An enum may have an alias of its own name.
 */
static size_t node_of_type(struct type_graph *graph, const char **name, const char *type, int depth)
{
	const struct abi *abi = graph->side->abi;
	struct span span = pointed_to(type);
	const struct abi_alias *alias;
	size_t node;

	if (!span.length || depth == ALIAS_DEPTH_MAX)
		return TYPE_GRAPH_NOWHERE;
	alias = diff_side_alias_named(graph->side, span.text, span.length);
	if (!alias)
		return node_of_name(graph, name, span);
	if (graph->alias_is_scalar[alias - abi->aliases])
		return TYPE_GRAPH_NOWHERE;
	node = strcmp(alias->type, alias->name) ? node_of_type(graph, name, alias->type, depth + 1) :
						  node_of_name(graph, name, span);
	graph->alias_is_scalar[alias - abi->aliases] = node == TYPE_GRAPH_NOWHERE;
	return node;
}

static const struct type_graph_known *know_type(struct type_graph *graph, const char *type)
{
	struct type_graph_known *known = &graph->known[(uintptr_t)type % TYPE_GRAPH_KNOWN_TYPES];

	if (known->type != type) {
		known->type = type;
		known->node = node_of_type(graph, &known->name, type, 0);
	}
	return known;
}

static void add_edges(struct type_graph *graph, const struct abi_record *record, size_t from)
{
	for (size_t i = 0; i < record->field_count; i++) {
		const struct type_graph_known *to = know_type(graph, record->fields[i].type);

		if (to->node == TYPE_GRAPH_NOWHERE || to->node == from)
			continue;
		ARRAY_GROW(graph->edges, graph->edge_count, graph->edge_capacity);
		graph->edges[graph->edge_count++] = (struct type_edge){ from, to->node, to->name };
	}
}

/* For edges that lead to one node: from groups by declaration, then from unnamed records. */
static int compare_edges(const void *a, const void *b, void *context)
{
	const struct type_graph *graph = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	size_t p = graph->edges[x].from, q = graph->edges[y].from;

	if (p == q)
		return x < y ? -1 : x > y;
	if (type_graph_is_unnamed(graph, p) || type_graph_is_unnamed(graph, q))
		return p < q ? -1 : 1;
	return diff_group_order(&graph->side->records, p, q);
}

/* type_graph_sort_edges - those that lead to @node, by the declaration that they come from. */
static void type_graph_sort_edges(struct type_graph *graph, size_t node)
{
	size_t first = graph->edges_to.first[node], count = graph->edges_to.first[node + 1] - first;

	if (count > 1 && !graph->is_sorted[node])
		qsort_r(graph->edges_to.item + first, count, sizeof(size_t), compare_edges, graph);
	graph->is_sorted[node] = true;
}

static void list_edges(struct type_graph *graph)
{
	const struct abi *abi = graph->side->abi;
	size_t *to;

	for (size_t i = 0; i < abi->record_count; i++) {
		size_t node = type_graph_record(graph, i);

		/* The names of one declaration have one and the same list of fields. */
		if (type_graph_is_unnamed(graph, node) || graph->side->records.group[node].index[0] == i)
			add_edges(graph, &abi->records[i], node);
	}
	to = arena_array(graph->arena, graph->edge_count + 1, sizeof(*to));
	for (size_t e = 0; e < graph->edge_count; e++)
		to[e] = graph->edges[e].to;
	diff_bins_fill(&graph->edges_to, graph->node_count, to, graph->edge_count, graph->arena);
}

static void list_carriers(struct type_graph *graph)
{
	const struct abi *abi = graph->side->abi;
	size_t *node = arena_array(graph->arena, abi->ioctl_count + 1, sizeof(*node));

	for (size_t i = 0; i < abi->ioctl_count; i++)
		node[i] = abi->ioctls[i].params ? know_type(graph, abi->ioctls[i].params)->node : TYPE_GRAPH_NOWHERE;
	diff_bins_fill(&graph->carriers, graph->node_count, node, abi->ioctl_count, graph->arena);
}

/* type_graph_build - once; a later call does nothing. */
static void type_graph_build(struct type_graph *graph)
{
	struct diff_side *side = graph->side;

	if (graph->is_built)
		return;
	graph->is_built = true;
	graph->node_count = side->records.group_count + side->abi->record_count + side->enums.group_count;
	graph->is_sorted = arena_array(graph->arena, graph->node_count + 1, sizeof(*graph->is_sorted));
	graph->alias_is_scalar = arena_array(graph->arena, side->abi->alias_count + 1, sizeof(*graph->alias_is_scalar));
	list_edges(graph);
	list_carriers(graph);
}

static void type_graph_release(struct type_graph *graph)
{
	free(graph->edges);
	graph->edges = NULL;
	graph->is_built = false;
}

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

void diff_reach(struct diff_pass *pass);

static int compare_reaches(const void *a, const void *b)
{
	const struct diff_reach *x = a, *y = b;
	int order = strcmp(x->ioctl->family, y->ioctl->family);

	if (!order)
		order = strcmp(x->ioctl->name, y->ioctl->name);
	return order ? order : x->ioctl < y->ioctl ? -1 : x->ioctl > y->ioctl;
}

/* If only a name of the thing came or went, what uses another name of it is not concerned. */
static bool concerns(const struct diff_change *change, const char *name)
{
	return !change->same_as || !strcmp(change->name, name) || diff_has_also(change, name);
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

static void add_chain(struct diff_reach *reach, const struct walk *walk, size_t node, const char *name);

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
