/*
 * diff/type_graph.c - which declarations contain or point to which
 *
 * 1. list_edges() collects all edges once: from each record, for each field,
 *    to the record or enum that node_of_type() finds behind dimensions,
 *    pointers, qualifiers and aliases. A scalar gives no edge.
 * 2. diff_bins_fill() groups them by the node that they lead to.
 * 3. list_carriers() groups the ioctls by the node of their parameters.
 * 4. type_graph_sort_edges() sorts the edges of one node when a walk reaches
 *    it: most nodes are never reached.
 */
#include "diff/type_graph.h"

#include <stdlib.h>
#include <string.h>

enum { ALIAS_DEPTH_MAX = 64 };

size_t type_graph_record(const struct type_graph *graph, size_t index)
{
	size_t group = graph->side->records.of[index];

	return group != SIZE_MAX ? group : graph->side->records.group_count + index;
}

size_t type_graph_enum(const struct type_graph *graph, size_t index)
{
	return graph->side->records.group_count + graph->side->abi->record_count + graph->side->enums.of[index];
}

bool type_graph_is_unnamed(const struct type_graph *graph, size_t node)
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

void type_graph_sort_edges(struct type_graph *graph, size_t node)
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

void type_graph_build(struct type_graph *graph)
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

void type_graph_release(struct type_graph *graph)
{
	free(graph->edges);
	graph->edges = NULL;
	graph->is_built = false;
}
