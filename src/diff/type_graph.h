/*
 * diff/type_graph.h - which declarations contain or point to which
 *
 * Layer L3, internal to diff/. A node is a declaration of one document: a
 * group of record names, an unnamed record, or a group of enum names. An edge
 * leads from a record to what one of its fields is, contains or points to.
 * Edges are walked backwards. Most of the graph is in the arena;
 * type_graph_release() frees the rest. Nothing here fails.
 */
#ifndef DIFF_TYPE_GRAPH_H
#define DIFF_TYPE_GRAPH_H

#include "diff/bins.h"
#include "diff/side.h"

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

/* type_graph_build - once; a later call does nothing. */
void type_graph_build(struct type_graph *graph);
void type_graph_release(struct type_graph *graph);

/* type_graph_record, type_graph_enum - the node of a record or enum, by its index in the document. */
size_t type_graph_record(const struct type_graph *graph, size_t index);
size_t type_graph_enum(const struct type_graph *graph, size_t index);

/* type_graph_is_unnamed - is @node an unnamed record? */
bool type_graph_is_unnamed(const struct type_graph *graph, size_t node);

/* type_graph_sort_edges - those that lead to @node, by the declaration that they come from. */
void type_graph_sort_edges(struct type_graph *graph, size_t node);

#endif
