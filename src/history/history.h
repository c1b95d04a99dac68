/*
 * history/history.h - the changes along a commit graph of versions, where, and since when
 *
 * Pure passes over many documents: they compare, never print and never read anything. Versions and edges,
 * and the changes on each edge; equal changes joined into events; since when an item has a name or a
 * number; the kind of a word; the entries that a proxy forwards at a version; blame of fields; timelines;
 * and which versions are one ABI as far as a proxy's table reads it.
 */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "abi/abi.h"
#include "diff/diff.h"
#include "verify/verify.h"

#define HISTORY_FORMAT "drvabi-history/1"

/* --- versions, and the edges between them --------------------------------------------------- */

enum { HISTORY_NO_PARENT = -1 };

struct history_version {
	const char *version;
	const char *commit;
	int64_t time;          /* when that was committed: seconds since 1970, UTC */
	long parent;           /* its nearest tagged ancestor, by index; HISTORY_NO_PARENT if it has none */
	bool on_main;
	/* NULL if it could not be read; its descendants are then compared with its ancestor */
	const struct abi *abi;
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
void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count,
		      struct arena *arena);

/* history_graph_index - of the version of that name; the version_count if there is none. */
size_t history_graph_index(const struct history_graph *graph, const char *version);

/* --- the changes on edges, and events ------------------------------------------------------- */

/* Which changes are wanted; { 0 } is all. */
struct history_filter {
	/*
	 * A change is selected if one of the globs or numbers matches. A glob matches the name of a changed
	 * item, old or new. A number matches an ioctl of any family, or a command's macro, before or after.
	 * Where an ioctl matches, changes of the records that it carries are selected as well.
	 */
	const char *const *names;
	size_t name_count;
	const uint64_t *numbers;
	size_t number_count;
	const struct table *table; /* and only the changes that the proxy forwards, before or after */
	/*
	 * These are the criteria of select_changes(); history_compare() gives all, for history_moves()
	 * needs them.
	 */
	const bool *versions;      /* by version of the graph; NULL: all */
	size_t version_count;      /* of @versions that are true */
	unsigned classes;          /* enum diff_class bits, one of which a change has; 0: any */
};

/* The changes at one edge. */
struct history_changes {
	const struct diff_change *changes; /* in the order of the diff; those that are wanted */
	/* by change: the number of its reached_by, the first ones, that the filter requests */
	const size_t *carriers;
	size_t count;
	/* changes that the filter's names and numbers ask for, and its table does not forward */
	size_t left_out;
	struct diff_count summary[ABI_KIND_COUNT]; /* of these, by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];
};

/**
 * history_compare - the changes of an edge
 * @out: lives in @arena, and points to nothing of the comparison itself
 *
 * Two edges may be compared by two threads, each with an arena of its own.
 * Documents of equal content cost next to nothing.
 * Return: 0; what diff_documents() returns.
 */
int history_compare(struct history_changes *out, const struct history_graph *graph,
		    const struct history_edge *edge, const struct history_filter *filter, struct arena *arena,
		    struct err *err);

/* One change, on every edge on which it happened in the same way. */
struct history_event {
	const struct diff_change *change; /* as on the first edge */
	/* for a record: the first so many of change->reached_by are ioctls that the filter requests */
	size_t carrier_count;
	const size_t *edges;              /* indices, ascending */
	size_t edge_count;
	bool inside_release;              /* one of the edges is */
	bool renumbered, reused;          /* as in struct history_count */
};

struct history_count {
	/*
	 * Ioctls that got another number under the same or a new name; macros of commands that no table
	 * lists, too.
	 */
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

/* --- the requested versions ----------------------------------------------------------------- */

/**
 * select_is_versions - does @word name versions rather than something of the ABI?
 *
 * No name in C and no number has a dot; a glob is a name.
 */
bool select_is_versions(const char *word);

/**
 * select_add - add the versions that @word names
 * @wanted: by version of @graph
 *
 * "550.54.14", or the beginning of it, if only one version begins so. "A..B", where either may be missing:
 * if A and B are versions, the ancestors of B that are not ancestors of A: B and its ancestors, but not A
 * and those of A. If one of them is only the beginning of versions ("580..590"), all from the first that
 * begins with A to the last that begins with B, in the order of versions.
 * Return: 0; ERR_NOT_FOUND, with similar names; ERR_USAGE for "A...B".
 */
int select_add(bool *wanted, const struct history_graph *graph, const char *word, struct err *err);

/**
 * select_clip - reduces @wanted to the versions from @since to @until, in the order of versions
 * @since, @until: a version, or the beginning of some; NULL: no end
 *
 * Return: 0; ERR_NOT_FOUND, with similar names.
 */
int select_clip(bool *wanted, const struct history_graph *graph, const char *since, const char *until,
		struct err *err);

/*
 * select_changes - drops from @changes, by edge of @graph, the changes of other versions and classes than
 * those of @filter. A change belongs to the version that its edge leads to; the version that it is compared
 * with may be outside.
 */
void select_changes(struct history_changes *changes, const struct history_graph *graph,
		    const struct history_filter *filter, struct arena *arena);

/* select_edge - does @edge of @graph lead to a version that @filter selects? */
bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge);

/* --- the entries that a proxy forwards at a version ----------------------------------------- */

enum forwarded_use {
	FORWARDED_NONE,   /* the proxy does not forward it */
	FORWARDED_UNREAD, /* it passes its parameters through unread, or there are none */
	FORWARDED_READ,   /* it has a type of its own for them */
};

struct forwarded {
	const struct table *table;
	/* the node used for the version; NULL: none does, as for a version that is older than all nodes */
	const struct table_node *node;
	enum forwarded_use use;
	const struct table_entry *entry; /* by family and number; NULL if there is none */
	const struct table_node *since;  /* the node that has the entry: @node or one that it descends from */
	const char *passed_as;           /* why it is forwarded without an entry, "…": FORWARDED_UNREAD;
					    NULL: it has an entry */
};

/* forwarded_use_name - "read", "unread", "none": as in "drvabi-diff/1". */
const char *forwarded_use_name(enum forwarded_use use);

/*
 * forwarded_node_outside - the node of @table that is nearest to @version by number, if @graph does not have
 * it: a repository of only some releases, such as Debian's two, does not show whether the version follows it.
 * Return: NULL if the graph has it, or there is none.
 */
const struct table_node *forwarded_node_outside(const struct table *table, const struct history_graph *graph,
						const char *version);

/* forwarded_along - the nearest of @version and its ancestors that has a node; HISTORY_NO_PARENT if none has
 */
long forwarded_along(const struct table *table, const struct history_graph *graph, long version);

/**
 * forwarded_node - the node of @table that is used for a version
 * @version: its index in @graph; the graph's count if it is not in the graph
 *
 * forwarded_node_outside(), if there is one; else the node of the nearest ancestor that has one, along the
 * graph. For a version outside the graph, table_nearest_node(). Return: NULL if none does: the version is
 * older than all nodes, or has no name that can be compared.
 */
const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph,
					size_t version, const char *name);

/*
 * forwarded_find - sets what the proxy does at @node with the ioctl of @family that has @number. @node may be
 * NULL.
 *
 * gVisor's nvproxy passes some control commands through by their numbers, whatever its table has: those are
 * forwarded.
 */
void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node,
		    const char *family, uint64_t number);

/* --- what a name or a number is ------------------------------------------------------------- */

/* Where to look. */
struct lookup_scope {
	const struct abi *abi;             /* of the requested version */
	const struct history_graph *graph; /* the versions beside it; may have none, and needs no documents */
	const struct abi_index *index;     /* of the graph's versions */
	size_t version;                    /* @abi's in @graph; the graph's count if it is not in the graph */
};

/* The name or number to look for. */
struct lookup_word {
	const char *text;
	bool is_number; /* else @text is a name or a glob */
	uint64_t number;
};

/* The item on the other side of the edge where a span begins or ends. Set by history_moves(). */
struct history_move {
	enum abi_kind kind; /* ABI_CONSTANT: only a macro has its number there */
	const char *name;   /* its name there; NULL: it is not there */
	uint64_t number;    /* of an ioctl or a command's macro; else 0 */
	size_t parent;      /* of the edge */
};

/* An item of the ABI over all versions. */
struct history_span {
	enum abi_kind kind;
	const char *family;   /* of an ioctl; else NULL */
	const char *name;
	/* the span is that of @number: it has the versions in which the item has that number */
	bool has_number;
	uint64_t number;
	const size_t *since;  /* versions that have it, and whose parent has not or is not known */
	size_t since_count;
	const size_t *until;  /* versions that do not have it any more, though their parent has */
	size_t until_count;
	size_t version_count; /* that have it */
	/*
	 * By lookup_find(), if the item has the number in question (the one that is looked up, or that of the
	 * scope's version) only in some of the versions that have it: in how many, and where it got and lost
	 * the number while it existed.
	 */
	size_t number_count;
	const size_t *number_since, *number_until;
	size_t number_since_count, number_until_count;
	const struct history_move *was; /* by @since: the item that the parent has instead */
	const struct history_move *now; /* by @until: the item that it became */
};

/* One thing that the word is. */
struct lookup_item {
	enum abi_kind kind;
	union { /* the one of @kind */
		const struct abi_record *record;
		const struct abi_alias *alias;
		const struct abi_enum *one;
		const struct abi_constant *constant;
		const struct abi_ioctl *ioctl;
		const void *any;
	};
	/* a constant that is a command's number, though no table of the driver lists the command */
	bool is_command;
	/* since when, until when it is so called, or has the number; NULL: unknown */
	const struct history_span *span;
};

struct lookup {
	/* records, enums, aliases, ioctls, constants; as they are in the document */
	const struct lookup_item *items;
	size_t item_count;
	/*
	 * If there are no items, or only constants of a number: the nearest version that has others; the
	 * graph's count if none.
	 */
	size_t nearest;
	const struct history_span *nearest_span; /* of one of those that it has */
	/* of all that the word names in all versions; @items and @others point to these */
	const struct history_span *spans;
	size_t span_count;
	/* ioctls and commands that the number is in other versions */
	const struct history_span *const *others;
	size_t other_count;
};

/**
 * lookup_find - everything of the scope's version that the word names
 * @out: lives in @arena; the scope's document and index must outlive it
 *
 * The nearest version is the nearest ancestor that has something; else the next newer version; else the
 * newest of all. For a number, an item is an ioctl or a command, if any version has one: every small number
 * is the value of some constant.
 *
 * A number matches ioctls of any family, and constants of that value. A macro that an ioctl is named after is
 * not listed beside it, nor an alias beside its enum. Items that a glob matches have no spans.
 */
void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word,
		 struct arena *arena);

/* lookup_named - does the index have something of that name or number? */
bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word);

/* lookup_record - the parameters of @ioctl; NULL if it has none that @abi knows. */
const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl);

/* One bit field of a number, and the driver's name for its value. */
struct lookup_bits {
	const struct profile_bits *bits;
	uint64_t value;
	const char *name; /* "NV20_SUBDEVICE_0", "FB"; NULL: the driver has no name */
};

/* A number split into its bit fields. */
struct lookup_parse {
	const char *family;             /* whose numbers have these fields */
	/* none if the number is too large, or too small, to be of such a family */
	const struct lookup_bits *bits;
	size_t bits_count;
};

/**
 * lookup_parse - split a number as the profile says of its families
 *
 * Names are those of the scope's version, or else of the newest version that
 * has one. If several macros of one version have the value, there is no name.
 */
void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope,
		  uint64_t number, struct arena *arena);

/* A number's neighbour: an ioctl, or the macro of a command. */
struct lookup_neighbour {
	const char *name; /* NULL if there is none */
	uint64_t number;
};

/*
 * lookup_neighbours - of @abi, the ones below and above a number that differ from it in no bits but the last
 * of @parse.
 */
void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi,
		       const struct lookup_parse *parse, uint64_t number);

/* --- which versions are one ABI to a proxy -------------------------------------------------- */

#define RANGES_FORMAT "drvabi-ranges/1"

enum ranges_criterion {
	/*
	 * The facts that the proxy uses: numbers; of structs that it translates, the offset and kind of
	 * each scalar; of structs that it passes through unread, the size, and the pointers and fds that it
	 * would miss.
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
	/* it follows no node, and the nearest is not safe: the table does not reach back so far */
	RANGES_OLDER,
};

struct ranges_version {
	/* the version's own, or that of its nearest ancestor that has one; see follows_none */
	const struct table_node *node;
	/* no ancestor has a node: @node is the first one not newer, or the table's first */
	bool follows_none;
	enum ranges_fit fit;
	const struct table_node *safe; /* the node that it may use; NULL if there is none */
	/* findings with @node that its own version does not have; unset: unseen */
	const struct verify_finding *fresh;
	size_t fresh_count;
	/* a hash, in hexadecimal, of what the table reads of it with @node; see ranges_reading() */
	char reading[33];
	char proof[33];                /* the same with @safe; "" if that is NULL */
	size_t set;                    /* of struct ranges */
	/* RANGES_NEEDS: the version whose new node it could use; itself if it is the first */
	long served_by;
};

/* Versions of which the table reads the same. */
struct ranges_set {
	const size_t *versions; /* indices in the graph, ascending */
	size_t count;
};

/* May a node go? */
enum ranges_verdict {
	/* needed: it differs from its parent, and does not fit the versions that follow the parent */
	RANGES_KEEP,
	RANGES_EMPTY,   /* it forwards just what its parent does */
	/* it fits every version that follows its parent: the two could be one, with its entries */
	RANGES_MERGE,
	RANGES_UNKNOWN, /* its version, or its parent's, is not at hand to judge by */
};

struct ranges_node {
	const struct table_node *node;
	long version;                     /* index in the graph; -1: the repository has no such version */
	/* the node of its nearest ancestor in the driver's graph; NULL: none, or not known */
	const struct table_node *follows;
	bool is_misplaced;                /* and that is not its parent in the table */
	enum ranges_verdict verdict;
	const struct verify_finding *known; /* at its own version */
	size_t known_count;
	bool is_empty, fits_parent;       /* the facts that the verdict is based on */
};

struct ranges {
	const struct history_graph *graph;
	const struct table *table;
	enum ranges_criterion criterion;
	/* by the graph's; those without a document have only set; SIZE_MAX */
	struct ranges_version *versions;
	struct ranges_node *nodes;       /* by the table's */
	/* by the table's nodes; unset for one that no version follows and whose version has no document */
	const struct table_view *views;
	const struct ranges_set *sets;   /* by first version */
	size_t set_count;
	size_t fitting, other, needing, older; /* versions */
	size_t new_nodes;                /* versions that need a node of their own */
};

void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table,
		 enum ranges_criterion criterion, struct arena *arena);
/* Return of these two: 0; the errors of verify_view() and flatten_record(). */
int ranges_baseline(struct ranges *ranges, size_t node, struct arena *arena, struct err *err);
int ranges_assign(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/*
 * ranges_fit_version - the part of ranges_assign() that says which node is safe; for a caller that requires
 * one version. Return: the error of verify_view().
 */
int ranges_fit_version(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/* Return: 0; what flatten_record() returns. */
int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err);

struct ranges_proof {
	/* with the first version of its set; false: it is that, or has the same document */
	bool compared;
	size_t unread;      /* changes of forwarded items that the table does not read */
	const char *const *against; /* changes that the table does read, as "record NAME": there should be
				       none */
	size_t against_count;
};

int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena,
		 struct err *err);

/* Which node of a table one version may use. */
struct ranges_choice {
	const char *version;
	bool is_known;                   /* else no commit graph has the version, and only @why is set */
	const char *why; /* NULL if it is known; else why not: "main is not a tag of the repository" */
	enum ranges_fit fit;
	bool is_own;                     /* the version has a node: @node */
	bool follows_none;               /* no ancestor of it has one */
	const struct table_node *node;   /* the node that it may use; NULL: none */
	const struct table_node *follows; /* its own, or the nearest ancestor's; with follows_none the first
					     one that is not newer, or the table's first */
	const struct verify_finding *fresh; /* as in struct ranges_version: the findings with @follows */
	size_t fresh_count;
};

/**
 * ranges_choose - which node of @table a version may use
 * @version: in @graph, with a document
 *
 * A node can be chosen only if its own version has a document in @graph, or if nothing at all is found with
 * it.
 * Return: 0; what verify_view() returns.
 */
int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table,
		  size_t version, struct arena *arena, struct err *err);

/* ranges_followed - the node that ranges_choose() would ask first; it needs no document. */
const struct table_node *ranges_followed(const struct history_graph *graph, const struct table *table,
					 size_t version);

/* "table", "strict" */
const char *ranges_criterion_name(enum ranges_criterion criterion);

/* --- since when an item has a name or a number ---------------------------------------------- */

struct history_spans {
	/* by kind, family, name; then those of numbers, by number and first version */
	const struct history_span *spans;
	size_t count;
};

/**
 * history_since - the spans of the items that @filter names
 * @out: lives in @arena
 *
 * For a number: every ioctl, and every macro of a command that no table lists, that ever had it, while it
 * had it. For a name that is not a glob: every item of that name. A macro that is the number of an ioctl of
 * that name is the ioctl.
 */
void history_since(struct history_spans *out, const struct history_graph *graph,
		   const struct history_filter *filter, struct arena *arena);

/**
 * history_moves - sets the former and the later state of the items of @spans
 * @history: of the filter that @spans are of
 *
 * An item of the same name that has another number, a macro that became an ioctl or the reverse, and
 * renames that the differ found: with a table, only forwarded items.
 */
void history_moves(struct history_spans *spans, const struct history *history, struct arena *arena);

/* history_is_glob - does @name have a wildcard? */
bool history_is_glob(const char *name);

/* --- timelines ------------------------------------------------------------------------------ */

/* An item as one document has it; the kind of its timeline says which member is set. */
union history_state {
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	const void *any; /* NULL: the version does not have it */
};

/* At @version the state differs from that of the version's nearest ancestor that could be read. */
struct history_step {
	size_t version;
	union history_state state;
};

struct history_timeline {
	enum abi_kind kind;
	const char *family; /* of an ioctl; else NULL */
	const char *name;
	const struct history_step *steps; /* by version */
	size_t step_count;
};

struct history_timelines {
	const struct history_timeline *timelines; /* by kind, family, name */
	size_t count;
};

/**
 * history_timelines - the timelines of all that @history is about
 * @out: lives in @arena; the documents must outlive it
 *
 * Without a filter, those of every item of any version. With one, the types that changed, that the filter
 * names, of the ioctls that carry either, and every type that these use.
 */
void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena);

/* --- blame ---------------------------------------------------------------------------------- */

/* Versions of other branches, neither ancestors nor descendants, that made it the same: ascending. */
struct blame_also {
	const size_t *versions;
	size_t count;
};

struct blame_line {
	const struct abi_leaf *leaf;   /* as it is in the requested version */
	size_t version;                /* the one of its ancestors, or itself, that last changed it */
	struct blame_also also;
	/* it was so in the first version already; the state before is unknown */
	bool is_boundary;
	enum diff_op op;               /* the change at that version; added if is_boundary */
	const struct abi_leaf *before; /* what it was; NULL if it was not there */
};

/* A name that the record had before @version. */
struct blame_name {
	const char *name;
	size_t version;
};

struct blame {
	const char *name;
	const struct blame_name *former; /* the newest first */
	size_t former_count;
	size_t version;                /* that was requested */
	const struct abi_layout *layout;
	const struct blame_line *lines; /* one for each leaf of the layout */
	size_t line_count;
	size_t size_version;           /* that made the record as large as it is */
	struct blame_also size_also;
	bool size_is_boundary;
	uint64_t size_before;          /* 0 if the record was not there */
};

/**
 * history_blame - the version that last changed each leaf of a record
 * @version: index in @graph; its document is known
 * @name:    of a record there, or of an ioctl: its parameters are meant
 *
 * Goes from version to parent, and follows the record where it was renamed. For the other branches, every
 * document of @graph is read. A leaf is changed by another offset, size, type or role, or another number of
 * elements around it.
 * Return: 0; ERR_NOT_FOUND if that version has no such record; the errors of flatten_record() and
 * diff_documents().
 */
int history_blame(struct blame *out, const struct history_graph *graph, size_t version, const char *name,
		  struct arena *arena, struct err *err);

#endif
