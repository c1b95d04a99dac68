/*
 * diff/reach.c - find the ioctls that reach changed records and enums
 *
 * 1. The declarations of a document are the nodes of a graph. A node is a group of record names, an unnamed
 *    record, or a group of enum names. An edge leads from a record to the type of a field, or to the type
 *    that a field points to. All edges are listed once, and grouped by the node to which they lead. The
 *    ioctls are grouped by the node of their parameters.
 * 2. From each changed node, the edges are followed backwards, breadth first, so that each node is found by a
 *    shortest path. Each node remembers the edge towards the changed node.
 * 3. A chain ends at a node that is an ioctl's parameters. The walk continues from there, because a record
 *    that contains this node can be the parameters of a different ioctl.
 *
 * If next does not have an item, or no ioctl of next reaches it any more, the ioctls of base are used.
 */
#include "diff/internal.h"

enum { ALIAS_DEPTH_MAX = 64, KNOWN_TYPES = 1024 };

struct type_edge {
	size_t from, to;    /* nodes */
	const char *name;   /* the name of @to that the field uses */
};

/* Must be initialized as { .side = S, .arena = A }. The edges are malloc'd. */
struct type_graph {
	struct diff_side *side;
	struct arena *arena;
	size_t node_count;         /* 0 until the graph is built */
	struct type_edge *edges;   /* edges from one node are in the order of its fields */
	size_t edge_count, edge_capacity;
	struct diff_bins edges_to; /* indexed by node */
	/*
	 * Indexed by node: true if its part of edges_to is sorted. A part is sorted when a walk first reaches
	 * the node, because most nodes are never reached.
	 */
	bool *is_sorted;
	struct diff_bins carriers; /* indexed by node: the ioctls that have it as parameters */
	size_t walks;                  /* number of walks so far */
	size_t *seen;                  /* indexed by node: the number of the last walk that reached it */
	const struct type_edge **step; /* indexed by node: the edge towards the changed node */
	size_t *queue;
	/*
	 * A cache of lookups. The key is the address of the spelling: most fields have one of a few types,
	 * and an archive has each spelling once.
	 */
	struct {
		const char *type, *name;
		size_t node;
	} known[KNOWN_TYPES];
};

/* --- nodes ----------------------------------------------------------------------------------- */

static size_t record_node(const struct type_graph *graph, const struct abi_record *record)
{
	size_t index = (size_t)(record - graph->side->abi->records), group = graph->side->records.of[index];

	return group != SIZE_MAX ? group : graph->side->records.group_count + index;
}

static size_t enum_node(const struct type_graph *graph, const struct abi_enum *one)
{
	const struct diff_side *side = graph->side;

	return side->records.group_count + side->abi->record_count + side->enums.of[one - side->abi->enums];
}

static bool is_unnamed(const struct type_graph *graph, size_t node)
{
	size_t groups = graph->side->records.group_count;

	return node >= groups && node < groups + graph->side->abi->record_count;
}

/* --- edges ----------------------------------------------------------------------------------- */

/*
 * Sets @text to the name in a type, without dimensions, stars, qualifiers and tags. Return: the length of the
 * name; 0 for a function.
 */
static size_t bare_type_name(const char **text, const char *type)
{
	static const char *const dropped[] = { "const ", "volatile ", "struct ", "union ", "enum " };
	size_t length = strcspn(type, "(*[");

	*text = type;
	if (type[length] == '(')
		return 0;
	if (!memchr(type, ' ', length)) /* most types are a single word */
		return length;
	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++) {
		size_t word = strlen(dropped[i]);

		if (length <= word || strncmp(*text, dropped[i], word))
			continue;
		*text += word;
		length -= word;
		i = (size_t)-1; /* start again from the first word */
	}
	while (length && (*text)[length - 1] == ' ')
		length--;
	return length;
}

/*
 * Returns the node of the record or enum that remains of @type without dimensions, pointers, qualifiers and
 * aliases, and sets @name to its name; DIFF_NO_BIN and NULL for any other type. An alias can have the same
 * name as its enum. @depth: the number of aliases followed so far
 */
static size_t node_of_type(const struct type_graph *graph, const char **name, const char *type, int depth)
{
	struct diff_side *side = graph->side;
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const char *text;
	size_t length = bare_type_name(&text, type);

	*name = NULL;
	if (!length || depth == ALIAS_DEPTH_MAX)
		return DIFF_NO_BIN;
	alias = diff_side_find(side, ABI_ALIAS, text, length);
	if (alias && strcmp(alias->type, alias->name))
		return node_of_type(graph, name, alias->type, depth + 1);
	if ((record = diff_side_find(side, ABI_RECORD, text, length))) {
		*name = record->name;
		return record_node(graph, record);
	}
	one = diff_side_find(side, ABI_ENUM, text, length);
	if (!one)
		return DIFF_NO_BIN;
	*name = one->name;
	return enum_node(graph, one);
}

/* Returns the node of a type like node_of_type(), from the cache if the spelling was looked up before. */
static size_t node_of_known(struct type_graph *graph, const char **name, const char *type)
{
	size_t i = (uintptr_t)type % KNOWN_TYPES;

	if (graph->known[i].type != type) {
		graph->known[i].type = type;
		graph->known[i].node = node_of_type(graph, &graph->known[i].name, type, 0);
	}
	*name = graph->known[i].name;
	return graph->known[i].node;
}

/* At the first call, lists the edges from records to the types of their fields, and each node's ioctls. */
static void build_graph(struct type_graph *graph)
{
	const struct diff_side *side = graph->side;
	const struct abi *abi = side->abi;
	size_t count = side->records.group_count + abi->record_count + side->enums.group_count, *to, *node;
	const char *name;

	if (graph->node_count)
		return;
	graph->node_count = count;
	graph->is_sorted = arena_array(graph->arena, count + 1, sizeof(*graph->is_sorted));
	graph->seen = arena_array(graph->arena, count + 1, sizeof(*graph->seen));
	graph->step = arena_array(graph->arena, count + 1, sizeof(const struct type_edge *));
	graph->queue = arena_array(graph->arena, count + 1, sizeof(*graph->queue));
	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];
		struct type_edge edge = { .from = record_node(graph, record) };

		/* All names of a declaration have the same fields. */
		if (!is_unnamed(graph, edge.from) && side->records.group[edge.from].index[0] != i)
			continue;
		for (size_t k = 0; k < record->field_count; k++) {
			edge.to = node_of_known(graph, &edge.name, record->fields[k].type);
			if (edge.to == DIFF_NO_BIN || edge.to == edge.from)
				continue;
			ARRAY_GROW(graph->edges, graph->edge_count, graph->edge_capacity);
			graph->edges[graph->edge_count++] = edge;
		}
	}
	to = arena_array(graph->arena, graph->edge_count + 1, sizeof(*to));
	for (size_t e = 0; e < graph->edge_count; e++)
		to[e] = graph->edges[e].to;
	diff_bins_fill(&graph->edges_to, count, to, graph->edge_count, graph->arena);
	node = arena_array(graph->arena, abi->ioctl_count + 1, sizeof(*node));
	for (size_t i = 0; i < abi->ioctl_count; i++)
		node[i] = abi->ioctls[i].params ? node_of_known(graph, &name, abi->ioctls[i].params)
						: DIFF_NO_BIN;
	diff_bins_fill(&graph->carriers, count, node, abi->ioctl_count, graph->arena);
}

/*
 * Orders edges to one node, so that the chain that is reported does not depend on names: first those from
 * groups, by source and content, then those from unnamed records, whose nodes have higher numbers.
 */
static int compare_edges(const void *a, const void *b, void *context)
{
	const struct type_graph *graph = context;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	size_t p = graph->edges[x].from, q = graph->edges[y].from;

	if (p == q)
		return compare_numbers(x, y);
	if (is_unnamed(graph, p) || is_unnamed(graph, q))
		return compare_numbers(p, q);
	return diff_group_order(&graph->side->records, p, q);
}

/* --- walks ----------------------------------------------------------------------------------- */

/*
 * Does the change affect a user of @name? If only a name was added or removed, users of the item's other
 * names are not affected.
 */
static bool concerns_name(const struct diff_change *change, const char *name)
{
	return !change->same_as || !strcmp(change->name, name) || diff_has_also(change, name);
}

/*
 * Fills the queue with @start and all nodes that reach it, the nearest first, and sets the step of each
 * towards @start. An edge to @start by a name that the change does not concern is ignored. Return: the number
 * of nodes.
 */
static size_t walk_back(struct type_graph *graph, size_t start, const struct diff_change *change)
{
	size_t head = 0, tail = 0;

	graph->walks++;
	graph->seen[start] = graph->walks;
	graph->step[start] = NULL;
	graph->queue[tail++] = start;
	while (head < tail) {
		size_t node = graph->queue[head++], first = graph->edges_to.first[node],
		       end = graph->edges_to.first[node + 1];

		if (end - first > 1 && !graph->is_sorted[node])
			qsort_r(graph->edges_to.item + first, end - first, sizeof(size_t), compare_edges,
				graph);
		graph->is_sorted[node] = true;
		for (size_t i = first; i < end; i++) {
			const struct type_edge *edge = &graph->edges[graph->edges_to.item[i]];

			if (graph->seen[edge->from] == graph->walks ||
			    (node == start && !concerns_name(change, edge->name)))
				continue;
			graph->seen[edge->from] = graph->walks;
			graph->step[edge->from] = edge;
			graph->queue[tail++] = edge->from;
		}
	}
	return tail;
}

/* Sets the chain of names from the ioctl's parameters, @node, to the changed item, @name, for a report. */
static void set_chain(struct diff_reach *reach, const struct type_graph *graph, size_t node, const char *name)
{
	const struct type_edge *step;
	size_t count = 1, i = 0;
	const char **through;

	for (step = graph->step[node]; step; step = graph->step[step->to])
		count += !is_unnamed(graph, step->to);
	through = arena_array(graph->arena, count, sizeof(*through));
	through[i++] = reach->ioctl->params;
	for (step = graph->step[node]; step; step = graph->step[step->to])
		if (!is_unnamed(graph, step->to))
			through[i++] = graph->step[step->to] ? step->name : name;
	reach->through = through;
	reach->through_count = count;
}

/* The order of a report. For an ioctl that is listed twice under one name, the document's order decides. */
static int compare_reaches(const void *a, const void *b)
{
	const struct diff_reach *x = a, *y = b;

	return strcmp(x->ioctl->family, y->ioctl->family) ?: strcmp(x->ioctl->name, y->ioctl->name)
		?: compare_numbers((uintptr_t)x->ioctl, (uintptr_t)y->ioctl);
}

/*
 * Sets reached_by of the change of a record or enum to the ioctls of one version that carry the item, sorted.
 * Does nothing for other kinds, if the version does not have the item, or if reached_by is not empty.
 */
static void set_reach(struct diff_change *change, struct type_graph *graph, bool of_next)
{
	const void *item = diff_item(change, of_next);
	size_t start, nodes, count = 0;
	struct diff_reach *list;

	if (!item || (change->kind != ABI_RECORD && change->kind != ABI_ENUM) || change->reach_count)
		return;
	build_graph(graph);
	start = change->kind == ABI_RECORD ? record_node(graph, item) : enum_node(graph, item);
	nodes = walk_back(graph, start, change);
	for (size_t i = 0; i < nodes; i++)
		count += graph->carriers.first[graph->queue[i] + 1] - graph->carriers.first[graph->queue[i]];
	list = arena_array(graph->arena, count, sizeof(*list));
	count = 0;
	for (size_t i = 0; i < nodes; i++) {
		size_t node = graph->queue[i];

		for (size_t c = graph->carriers.first[node]; c < graph->carriers.first[node + 1]; c++) {
			const struct abi_ioctl *ioctl = &graph->side->abi->ioctls[graph->carriers.item[c]];

			if (node == start && !concerns_name(change, ioctl->params))
				continue;
			list[count].ioctl = ioctl;
			set_chain(&list[count++], graph, node, abi_item_name(change->kind, item));
		}
	}
	sort_items(list, count, sizeof(*list), compare_reaches);
	change->reached_by = list;
	change->reach_count = count;
}

void diff_reach(struct diff_pass *pass)
{
	struct type_graph base = { .side = &pass->base, .arena = pass->arena },
			  next = { .side = &pass->next, .arena = pass->arena };

	for (size_t i = 0; i < pass->change_count; i++) {
		struct diff_change *change = &pass->changes[i];
		const struct abi_ioctl *ioctl;
		size_t length = strlen(change->name);

		set_reach(change, &next, true);
		set_reach(change, &base, false);
		if (change->kind != ABI_CONSTANT)
			continue;
		if (!(ioctl = diff_side_find(&pass->next, ABI_IOCTL, change->name, length)))
			ioctl = diff_side_find(&pass->base, ABI_IOCTL, change->name, length);
		if (ioctl) { /* the constant is the number of this ioctl */
			change->reached_by = arena_memdup(pass->arena, &(struct diff_reach){ .ioctl = ioctl },
							  sizeof(*change->reached_by));
			change->reach_count = 1;
		}
	}
	free(base.edges);
	free(next.edges);
}

int diff_users(const struct diff_reach **users, size_t *count, const struct abi *abi,
	       const struct abi_record *record, struct arena *arena, struct err *err)
{
	struct diff_change change = { .kind = ABI_RECORD, .next_record = record };
	struct diff_side side;
	struct type_graph graph = { .side = &side, .arena = arena };
	int rc;

	if (!(rc = diff_side_init(&side, abi, arena, err))) {
		set_reach(&change, &graph, true);
		*users = change.reached_by;
		*count = change.reach_count;
	}
	free(graph.edges);
	return rc;
}
