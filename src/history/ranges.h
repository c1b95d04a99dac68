/*
 * history/ranges.h - which versions are one ABI, as far as a proxy's table reads it
 *
 * Part of history/, and of its public face. In this order:
 *
 *   ranges_plan      which node of the table each version follows
 *   ranges_baseline  for each node: what verify finds at the node's own version; a fault of the table, not of a version
 *   ranges_assign    for each version: what the table reads of it, and whether the node that it follows is safe for it
 *   ranges_finish    sets of versions, versions that need a new node, nodes that could go
 *   ranges_prove     for each version: that nothing differs from its set's first one, by the differ instead
 *
 * Several threads may work on different nodes or versions, each with an arena
 * of its own.
 */
#ifndef HISTORY_RANGES_H
#define HISTORY_RANGES_H

#include "diff/diff.h"
#include "verify/verify.h"

struct history_graph;

#define RANGES_FORMAT "drvabi-ranges/1"

enum ranges_notion {
	/*
	 * What the proxy acts by: numbers; of structs that it translates, where
	 * each scalar is and what it is; of structs that it passes through
	 * unread, the size, and the pointers and fds that it would miss.
	 */
	RANGES_TABLE,
	/* Every scalar of every struct that the table names, with its name and type. */
	RANGES_STRICT,
};

/* Is the node that a version follows safe for it? */
enum ranges_fit {
	RANGES_FITS,  /* verify finds nothing that it does not find at the node's own version, too */
	RANGES_OTHER, /* not that one, but another one is: @safe */
	RANGES_NEEDS, /* none is: the table needs a new node */
	RANGES_OLDER, /* it follows no node, and the nearest is not safe: the table does not reach back so far */
};

struct ranges_version {
	const struct table_node *node; /* the version's own, or that of its nearest ancestor that has one; see follows_none */
	bool follows_none;             /* no ancestor has a node: @node is the first one not newer, or the table's first */
	enum ranges_fit fit;
	const struct table_node *safe; /* the node that it may use; NULL if there is none */
	const struct verify_finding *fresh; /* findings with @node that its own version does not have; unset: unseen */
	size_t fresh_count;
	char reading[33];              /* a hash, in hexadecimal, of what the table reads of it with @node; see reading.c */
	size_t set;                    /* of struct ranges */
	long served_by;                /* RANGES_NEEDS: the version whose new node it could use; itself if it is the first */
};

/* Versions of which the table reads the same. */
struct ranges_set {
	const size_t *versions; /* indices in the graph, ascending */
	size_t count;
};

/* May a node go? */
enum ranges_verdict {
	RANGES_KEEP,    /* needed: it differs from its parent, and does not fit the versions that follow the parent */
	RANGES_EMPTY,   /* it forwards just what its parent does */
	RANGES_MERGE,   /* it fits every version that follows its parent: the two could be one, with its entries */
	RANGES_UNKNOWN, /* its version, or its parent's, is not at hand to judge by */
};

struct ranges_node {
	const struct table_node *node;
	long version;                     /* index in the graph; -1: the repository has no such version */
	const struct table_node *follows; /* the node of its nearest ancestor in the driver's graph; NULL: none, or not known */
	bool is_misplaced;                /* and that is not its parent in the table */
	enum ranges_verdict verdict;
	const struct verify_finding *known; /* at its own version */
	size_t known_count;
	bool is_empty, fits_parent;       /* what the verdict is made of */
};

struct ranges {
	const struct history_graph *graph;
	const struct table *table;
	enum ranges_notion notion;
	struct ranges_version *versions; /* by the graph's; those without a document are unset but for set: SIZE_MAX */
	struct ranges_node *nodes;       /* by the table's */
	const struct table_view *views;  /* by the table's nodes; unset for one that no version follows and whose version has no document */
	const struct ranges_set *sets;   /* by first version */
	size_t set_count;
	size_t fitting, other, needing, older; /* versions */
	size_t new_nodes;                /* versions that need a node of their own */
};

void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table, enum ranges_notion notion,
		 struct arena *arena);
/* Return of these two: 0; what verify_view() and flatten_record() return. */
int ranges_baseline(struct ranges *ranges, size_t node, struct arena *arena, struct err *err);
int ranges_assign(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/* ranges_fit_version - of ranges_assign(), what says which node is safe; for a caller that asks for one version. Return: what verify_view() returns. */
int ranges_fit_version(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/* Return: 0; what flatten_record() returns. */
int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err);

struct ranges_proof {
	bool compared;      /* with the first version of its set; false: it is that, or has the same document */
	size_t unread;      /* changes that touch what the proxy forwards, but not what the table reads */
	const char *const *against; /* changes that the table does read, as "record NAME": there should be none */
	size_t against_count;
};

int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena, struct err *err);

/* Which node of a table one version may use. */
struct ranges_choice {
	const char *version;
	bool is_known;                   /* else no commit graph has the version, and only @why is set */
	const char *why;                 /* NULL if it is known; else why not, as a clause: "main is no tag of the repository" */
	enum ranges_fit fit;
	bool is_own;                     /* the version has a node: @node */
	bool follows_none;               /* no ancestor of it has one */
	const struct table_node *node;   /* the node that it may use; NULL: none */
	const struct table_node *follows; /* its own, or the nearest ancestor's; with follows_none the first one that is not newer, or the table's first */
	const struct verify_finding *fresh; /* as in struct ranges_version: what stands against @follows */
	size_t fresh_count;
};

/**
 * ranges_choose - which node of @table a version may use
 * @version: in @graph, with a document
 *
 * A node can be chosen only if its own version has a document in @graph, or if nothing at all is found with it.
 * Return: 0; what verify_view() returns.
 */
int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table, size_t version,
		  struct arena *arena, struct err *err);

/* ranges_followed - the node that ranges_choose() would ask first; it needs no document. */
const struct table_node *ranges_followed(const struct history_graph *graph, const struct table *table, size_t version);

/* "table", "strict" */
const char *ranges_notion_name(enum ranges_notion notion);

#endif
