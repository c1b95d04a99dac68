/*
 * history/history.h - what changed along a commit graph of versions, where, and since when
 *
 * Layer L4, pure passes over many documents: they compare, never print and
 * never read anything.
 *
 *   history.h  versions and edges; what changed on each edge; equal changes joined into events
 *   since.h    from which version to which an item has a name or a number
 *   lookup.h   what a name or a number is, in one version and in all
 *   forwarded.h  what a proxy does with an ioctl at a version
 *   select.h   changes of some versions and classes alone
 *   blame.h    field by field: the version that last changed it
 *   timeline.h every item of the ABI, and its state in each version
 *   ranges.h   which versions are one ABI, as far as a proxy's table reads it
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "diff/diff.h"

#define HISTORY_FORMAT "drvabi-history/1"

enum { HISTORY_NO_PARENT = -1 };

struct history_version {
	const char *version;
	const char *commit;
	int64_t time;          /* when that was committed: seconds since 1970, UTC */
	long parent;           /* its nearest tagged ancestor, by index; HISTORY_NO_PARENT if it has none */
	bool on_main;
	const struct abi *abi; /* NULL if it could not be read; its descendants are then compared with its ancestor */
};

/* A version and the version that it is compared with. */
struct history_edge {
	size_t version, parent;
	bool inside_release; /* both have the same first number ("570"): a proxy expects nothing new there */
};

struct history_graph {
	const struct history_version *versions; /* in version order */
	size_t version_count;
	const struct history_edge *edges;       /* by version */
	size_t edge_count;
};

/* history_graph_of - the edges of @versions; they and their documents must outlive @out. */
void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count, struct arena *arena);

/* Which changes are wanted; { 0 } is all. */
struct history_filter {
	/*
	 * A change is selected if one of the globs or numbers matches. A glob
	 * matches the name of what changed, old or new. A number matches an ioctl
	 * of any family, or a command's macro, before or after. Where an ioctl
	 * matches, changes of the records that it carries are selected as well.
	 */
	const char *const *names;
	size_t name_count;
	const uint64_t *numbers;
	size_t number_count;
	const struct table *table; /* and of that only what the proxy forwards, before or after */
	/* These are what select_changes() asks; history_compare() gives all, for history_moves() needs them. */
	const bool *versions;      /* by version of the graph; NULL: all */
	size_t version_count;      /* of @versions that are true */
	unsigned classes;          /* enum diff_class bits, one of which a change has; 0: any */
};

/* What one edge changed. */
struct history_changes {
	const struct diff_change *changes; /* in the order of the diff; those that are wanted */
	const size_t *carriers; /* by change: how many of its reached_by, the first ones, the filter asks for */
	size_t count;
	size_t left_out; /* changes that the filter's names and numbers ask for, and its table does not forward */
	struct diff_count summary[ABI_KIND_COUNT]; /* of these, by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];
};

/**
 * history_compare - what an edge changed
 * @out: lives in @arena, and points to nothing of the comparison itself
 *
 * Two edges may be compared by two threads, each with an arena of its own.
 * Documents of equal content cost next to nothing.
 * Return: 0; what diff_documents() returns.
 */
int history_compare(struct history_changes *out, const struct history_graph *graph, const struct history_edge *edge,
		    const struct history_filter *filter, struct arena *arena, struct err *err);

/* One change, on every edge on which it happened in the same way. */
struct history_event {
	const struct diff_change *change; /* as on the first edge */
	size_t carrier_count;             /* of a record: the first so many of change->reached_by are ioctls that the filter asks for */
	const size_t *edges;              /* indices, ascending */
	size_t edge_count;
	bool inside_release;              /* one of the edges is */
	bool renumbered, reused;          /* as in struct history_count */
};

struct history_count {
	/* Ioctls that got another number under the same or a new name; macros of commands that no table lists, too. */
	size_t renumbered;
	size_t reused; /* numbers that another ioctl, or another command's macro, has now */
};

struct history {
	const struct history_graph *graph;
	const struct history_filter *filter;
	const struct history_changes *changes; /* by edge */
	const struct history_event *events; /* by first edge, then in the order of its diff */
	size_t event_count;
	size_t change_count;                /* on all edges */
	size_t changed_edges;               /* edges that have any */
	struct history_count numbers;       /* events, not edges */
};

/**
 * history_join - joins equal changes of all edges into events
 * @changes: by edge of @graph
 *
 * Two changes are equal if their names, the state before and the state after
 * are. Declarations and carriers may differ.
 */
void history_join(struct history *out, const struct history_graph *graph, const struct history_filter *filter,
		  const struct history_changes *changes, struct arena *arena);

#include "history/blame.h"
#include "history/forwarded.h"
#include "history/timeline.h"
#include "history/lookup.h"
#include "history/ranges.h"
#include "history/select.h"
#include "history/since.h"

#endif
