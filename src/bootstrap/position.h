/*
 * bootstrap/position.h - where a version stands in a table's tree
 *
 * Part of bootstrap/, and of its public face. By the driver's commit graph, never by the order of versions.
 */
#ifndef BOOTSTRAP_POSITION_H
#define BOOTSTRAP_POSITION_H

#include "history/history.h"

/* A node of the table that does not follow its nearest ancestor in the graph. */
struct bootstrap_misplaced {
	const char *version;
	const char *parent;    /* in the table */
	const char *should_be; /* by the graph; NULL: no ancestor of it has a node */
};

struct bootstrap_position {
	const struct table_node *base; /* the version's own node, or that of its nearest ancestor */
	bool exists;                   /* @base is the version's own */
	const size_t *path;            /* indices in the graph: the version of @base first, then all between, the version last */
	size_t path_count;             /* 1 if @exists */
	const struct bootstrap_misplaced *misplaced; /* in the order of the table */
	size_t misplaced_count;
	const struct table_node *const *below; /* nodes of the table that follow @base and descend from the version */
	size_t below_count;
};

/**
 * bootstrap_find - finds the node that a version follows
 * @graph: needs no documents
 *
 * Return: 0; ERR_NOT_FOUND if no ancestor of the version has a node.
 */
int bootstrap_find(struct bootstrap_position *out, const struct history_graph *graph, const struct table *table, size_t version,
		   struct arena *arena, struct err *err);

#endif
