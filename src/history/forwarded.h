/*
 * history/forwarded.h - what a proxy does with one ioctl at one version
 *
 * Part of history/, and of its public face.
 */
#ifndef HISTORY_FORWARDED_H
#define HISTORY_FORWARDED_H

#include "abi/abi.h"

struct history_graph;

enum forwarded_use {
	FORWARDED_NONE,   /* the proxy does not forward it */
	FORWARDED_UNREAD, /* it passes its parameters through unread, or there are none */
	FORWARDED_READ,   /* it has a type of its own for them */
};

struct forwarded {
	const struct table *table;
	const struct table_node *node;   /* stands for the version; NULL: none does, as for a version that is older than all nodes */
	enum forwarded_use use;
	const struct table_entry *entry; /* by family and number; NULL if there is none */
	const struct table_node *since;  /* the node that has the entry: @node or one that it descends from */
	const char *passed_as;           /* what it passes through without an entry, "…": FORWARDED_UNREAD; NULL: it does so by an entry */
};

/* forwarded_use_name - "read", "unread", "none": as in "drvabi-diff/1". */
const char *forwarded_use_name(enum forwarded_use use);

/**
 * forwarded_node - the node of @table that stands for a version
 * @version: its index in @graph; the graph's count if it is none of them
 *
 * That of the nearest ancestor that has one, along the graph. Of a version outside the graph, table_nearest_node().
 * Return: NULL if none does: the version is older than all nodes, or has no name that can be compared.
 */
const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph, size_t version, const char *name);

/*
 * forwarded_find - sets what the proxy does at @node with the ioctl of @family that has @number. @node may be NULL.
 *
 * gVisor's nvproxy passes some control commands through by their numbers, whatever its table has: those are forwarded.
 */
void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node, const char *family, uint64_t number);

#endif
