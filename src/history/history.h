/*
 * history/history.h - list the changes along a commit graph of versions: what changed, where, and since when
 *
 * Pure passes over many documents: they compare them, and neither print nor read files. They provide versions
 * and edges; the changes on each edge, joined into events; since when an item has a name or number; what a
 * word refers to; the entries that a proxy forwards at a version; blame of fields; timelines; and which
 * versions are one ABI for a proxy's table.
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
	int64_t time;          /* of the commit: seconds since 1970, UTC */
	long parent;           /* index of the nearest tagged ancestor; HISTORY_NO_PARENT if it has none */
	bool on_main;
	/* NULL if the version cannot be read; then its descendants are compared with its ancestor */
	const struct abi *abi;
};

/* A version, and the older version that it is compared with. */
struct history_edge {
	size_t version, parent;
	bool inside_release; /* both have the same first number ("570"), so a proxy expects no changes */
};

struct history_graph {
	const struct history_version *versions; /* in version order */
	size_t version_count;
	const struct history_edge *edges;       /* sorted by version */
	size_t edge_count;
};

/* history_graph_of - make the edges of @versions; they and their documents must outlive @out. */
void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count,
		      struct arena *arena);

/* history_graph_index - get the index of the version with that name; version_count if there is none. */
size_t history_graph_index(const struct history_graph *graph, const char *version);

/* --- the changes on edges, and events ------------------------------------------------------- */

/* Selects changes; { 0 } selects all. */
struct history_filter {
	/*
	 * A change is selected if one of the globs or numbers matches. A glob matches the old or new name of
	 * the changed item. A number matches the old or new number of an ioctl of any family, or of a
	 * command's macro. If an ioctl matches, changes of the records that it carries are selected as well.
	 */
	const char *const *names;
	size_t name_count;
	const uint64_t *numbers;
	size_t number_count;
	const struct table *table; /* selects only changes of items that its proxy forwards on either side */
	/*
	 * The criteria of select_changes(). history_compare() ignores them, because history_moves() needs all
	 * changes.
	 */
	const bool *versions;      /* indexed like the graph's versions; NULL selects all */
	size_t version_count;      /* number of @versions that are true */
	unsigned classes;          /* enum diff_class bits: a change must have one of these; 0 selects all */
};

/* The changes at one edge. */
struct history_changes {
	const struct diff_change *changes; /* the selected changes, in the order of the diff */
	/* for each change: how many ioctls of its reached_by, from the start, the filter selects */
	const size_t *carriers;
	size_t count;
	/* changes that match the filter's names and numbers, but that its table does not forward */
	size_t left_out;
	struct diff_count summary[ABI_KIND_COUNT]; /* counts of the selected changes, by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];
};

/**
 * history_compare - list the changes of an edge
 * @out: lives in @arena, and does not point into the comparison
 *
 * Two threads may compare two edges at once, if each has its own arena. Documents with equal content are
 * compared quickly.
 * Return: 0; an error of diff_documents().
 */
int history_compare(struct history_changes *out, const struct history_graph *graph,
		    const struct history_edge *edge, const struct history_filter *filter, struct arena *arena,
		    struct err *err);

/* A change, and all edges on which the same change happened. */
struct history_event {
	const struct diff_change *change; /* from the first edge */
	/* for a record: how many ioctls of change->reached_by, from the start, the filter selects */
	size_t carrier_count;
	const size_t *edges;              /* indices, ascending */
	size_t edge_count;
	bool inside_release;              /* one of the edges is inside a release */
	bool renumbered, reused;          /* counted as such in struct history_count */
};

struct history_count {
	/*
	 * Ioctls whose number changed, under the same or a new name. This includes macros of commands that no
	 * table lists.
	 */
	size_t renumbered;
	size_t reused; /* numbers that now belong to a different ioctl, or a different command's macro */
};

struct history {
	const struct history_graph *graph;
	const struct history_filter *filter;
	const struct history_changes *changes; /* indexed like the graph's edges */
	const struct history_event *events; /* by first edge, then in the order of its diff */
	size_t event_count;
	size_t change_count;                /* on all edges together */
	size_t changed_edges;               /* edges with at least one change */
	struct history_count numbers;       /* counts events, not edges */
};

/**
 * history_join - join equal changes of different edges into events
 * @changes: indexed like the edges of @graph
 *
 * Two changes are equal if they have the same names, the same old state and the same new state. Their
 * declarations and carriers may differ.
 */
void history_join(struct history *out, const struct history_graph *graph, const struct history_filter *filter,
		  const struct history_changes *changes, struct arena *arena);

/* --- the requested versions ----------------------------------------------------------------- */

/**
 * select_is_versions - does @word name versions, not an item of the ABI?
 *
 * A word with a dot names versions, because identifiers and numbers have no dot. A glob is a name.
 */
bool select_is_versions(const char *word);

/**
 * select_add - add the versions that @word names
 * @wanted: indexed like the versions of @graph
 *
 * @word is "550.54.14", the unique beginning of a version, or a range "A..B" in which either end may be left
 * out. If A and B are versions, the range has B and its ancestors, without A and its ancestors. If one of
 * them is only the beginning of versions ("580..590"), the range has, in version order, all from the first
 * version that begins with A to the last that begins with B.
 * Return: 0; ERR_NOT_FOUND, with similar names; ERR_USAGE for "A...B".
 */
int select_add(bool *wanted, const struct history_graph *graph, const char *word, struct err *err);

/**
 * select_clip - restrict @wanted to the versions from @since to @until, in version order
 * @since, @until: a version, or the beginning of versions; NULL for an open end
 *
 * Return: 0; ERR_NOT_FOUND, with similar names.
 */
int select_clip(bool *wanted, const struct history_graph *graph, const char *since, const char *until,
		struct err *err);

/*
 * select_changes - remove changes of versions and classes that @filter does not select from @changes, which
 * is indexed like the edges of @graph. A change belongs to the version that its edge leads to; the version
 * that it is compared with need not be selected.
 */
void select_changes(struct history_changes *changes, const struct history_graph *graph,
		    const struct history_filter *filter, struct arena *arena);

/* select_edge - does @edge of @graph lead to a version that @filter selects? */
bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge);

/* --- the entries that a proxy forwards at a version ----------------------------------------- */

enum forwarded_use {
	FORWARDED_NONE,   /* the proxy does not forward it */
	FORWARDED_UNREAD, /* the proxy passes its parameters through unread, or it has none */
	FORWARDED_READ,   /* the proxy has a type for its parameters */
};

struct forwarded {
	const struct table *table;
	/* the node used for the version; NULL if there is none, for example because all nodes are newer */
	const struct table_node *node;
	enum forwarded_use use;
	const struct table_entry *entry; /* with the family and number; NULL if there is none */
	const struct table_node *since;  /* the node that has the entry: @node or one of its ancestors */
	const char *passed_as;           /* the name under which it is forwarded without an entry, as
					    FORWARDED_UNREAD; NULL otherwise */
};

/* forwarded_use_name - get "read", "unread" or "none", as in "drvabi-diff/1". */
const char *forwarded_use_name(enum forwarded_use use);

/*
 * forwarded_node_outside - find the node of @table whose number is nearest to @version, if @graph does not
 * have that node: a repository with only some releases, such as Debian's two, does not show what @version
 * follows.
 * Return: NULL if @graph has the node, or if there is none.
 */
const struct table_node *forwarded_node_outside(const struct table *table, const struct history_graph *graph,
						const char *version);

/* forwarded_along - find the nearest of @version and its ancestors that has a node; HISTORY_NO_PARENT if
 * none */
long forwarded_along(const struct table *table, const struct history_graph *graph, long version);

/**
 * forwarded_node - find the node of @table that is used for a version
 * @version: its index in @graph; version_count if it is not in the graph
 *
 * This is forwarded_node_outside() if that is not NULL, or else the node of the nearest ancestor in the graph
 * that has one. For a version that is not in the graph, it is table_nearest_node(). Return: NULL if there is
 * no such node: all nodes are newer, or the version's name cannot be compared.
 */
const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph,
					size_t version, const char *name);

/*
 * forwarded_find - find how the proxy forwards, at @node, the ioctl with @family and @number. @node may be
 * NULL.
 *
 * gVisor's nvproxy passes some control commands through by their numbers, without entries in its table. Those
 * count as forwarded.
 */
void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node,
		    const char *family, uint64_t number);

/* --- what a name or a number refers to ------------------------------------------------------ */

/* The documents to search. */
struct lookup_scope {
	const struct abi *abi;             /* of the requested version */
	const struct history_graph *graph; /* other versions; may have none, and needs no documents */
	const struct abi_index *index;     /* of the graph's versions */
	size_t version;                    /* index of @abi in @graph; version_count if not in the graph */
};

/* The name or number to look for. */
struct lookup_word {
	const char *text;
	bool is_number; /* if false, @text is a name or a glob */
	uint64_t number;
};

/* The item on the other side of the edge at which a span begins or ends. Set by history_moves(). */
struct history_move {
	enum abi_kind kind; /* ABI_CONSTANT if only a macro has its number on that side */
	const char *name;   /* its name on that side; NULL if it does not exist there */
	uint64_t number;    /* for an ioctl or a command's macro; otherwise 0 */
	size_t parent;      /* the parent version of the edge */
};

/* The versions that have an item. */
struct history_span {
	enum abi_kind kind;
	const char *family;   /* of an ioctl; otherwise NULL */
	const char *name;
	/* if true, the span has only the versions in which the item has @number */
	bool has_number;
	uint64_t number;
	const size_t *since;  /* versions that have it, but whose parent does not, or is unknown */
	size_t since_count;
	const size_t *until;  /* versions that do not have it, but whose parent does */
	size_t until_count;
	size_t version_count; /* number of versions that have it */
	/*
	 * Set by lookup_find() if only some of the versions with the item have the number in question (the
	 * one that is looked up, or the item's number in the scope's version): how many have that number, and
	 * in which versions the item got and lost it.
	 */
	size_t number_count;
	const size_t *number_since, *number_until;
	size_t number_since_count, number_until_count;
	const struct history_move *was; /* indexed like @since: the item that the parent has instead */
	const struct history_move *now; /* indexed like @until: the item that replaced it */
};

/* An item that the word refers to. */
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
	/* a constant is a command's number, although no table of the driver lists the command */
	bool is_command;
	/* since when and until when it has that name or number; NULL if unknown */
	const struct history_span *span;
};

struct lookup {
	/* records, enums, aliases, ioctls, constants; as in the document */
	const struct lookup_item *items;
	size_t item_count;
	/*
	 * The nearest version that has items, if there are none here, or only constants with a number;
	 * otherwise version_count.
	 */
	size_t nearest;
	const struct history_span *nearest_span; /* the span of one of those items */
	/* all items that the word names in any version; @items and @others point to these */
	const struct history_span *spans;
	size_t span_count;
	/* ioctls and commands that have the number in other versions */
	const struct history_span *const *others;
	size_t other_count;
};

/**
 * lookup_find - find all items of the scope's version that the word names
 * @out: lives in @arena; the scope's document and index must outlive it
 *
 * The nearest version is the nearest ancestor that has an item, or else the next newer version, or else the
 * newest version. For a number, only ioctls and commands count if any version has one, because every small
 * number is the value of some constant.
 *
 * A number matches ioctls of any family, and constants with that value. A macro with the name of an ioctl is
 * not listed separately, nor is an alias with the name of an enum. Items that a glob matches have no spans.
 */
void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word,
		 struct arena *arena);

/* lookup_named - does the item of the index have that name or number? */
bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word);

/* lookup_record - get the parameters of @ioctl; NULL if it has none, or if @abi does not have the record. */
const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl);

/* One bit field of a number, and the driver's name for its value. */
struct lookup_bits {
	const struct profile_bits *bits;
	uint64_t value;
	const char *name; /* "NV20_SUBDEVICE_0", "FB"; NULL if the driver has no name for it */
};

/* A number split into its bit fields. */
struct lookup_parse {
	const char *family;             /* the family whose numbers have these fields */
	/* empty if the number is too large or too small for any family */
	const struct lookup_bits *bits;
	size_t bits_count;
};

/**
 * lookup_parse - split a number into the bit fields that the profile defines for a family
 *
 * Names are those of the scope's version, or else of the newest version that has one. If several macros of a
 * version have the value, there is no name.
 */
void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope,
		  uint64_t number, struct arena *arena);

/* A number's neighbour: an ioctl, or the macro of a command. */
struct lookup_neighbour {
	const char *name; /* NULL if there is none */
	uint64_t number;
};

/*
 * lookup_neighbours - find the ioctls or macros of @abi with the next lower and the next higher number that
 * differ from @number only in the last bit field of @parse.
 */
void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi,
		       const struct lookup_parse *parse, uint64_t number);

/* --- which versions are one ABI for a proxy ------------------------------------------------- */

#define RANGES_FORMAT "drvabi-ranges/1"

enum ranges_criterion {
	/*
	 * The facts that the proxy uses. These are numbers; for structs that it translates, the offset and
	 * kind of each scalar; for structs that it passes through unread, the size, and pointers and fds that
	 * should have been translated.
	 */
	RANGES_TABLE,
	/* Every scalar of every struct that the table names, with its name and type. */
	RANGES_STRICT,
};

/* Can a version use the node that it follows? */
enum ranges_fit {
	RANGES_FITS,  /* yes: verify finds nothing that it does not find at the node's own version */
	RANGES_OTHER, /* no, but it can use a different node: @safe */
	RANGES_NEEDS, /* no, nor any other node: the table needs a new one */
	/* it follows no node, and cannot use the nearest one: the table does not go back that far */
	RANGES_OLDER,
};

struct ranges_version {
	/* of the version itself, or of its nearest ancestor that has one; see follows_none */
	const struct table_node *node;
	/* no ancestor has a node: @node is the newest one that is not newer, or else the table's first */
	bool follows_none;
	enum ranges_fit fit;
	const struct table_node *safe; /* the node that it can use; NULL if there is none */
	/* findings with @node that its own version does not have; @unseen is not set in them */
	const struct verify_finding *fresh;
	size_t fresh_count;
	/* hexadecimal hash of what the table reads in this version, with @node; see ranges_reading() */
	char reading[33];
	char proof[33];                /* the same hash, with @safe; "" if that is NULL */
	size_t set;                    /* index in the sets of struct ranges */
	/* RANGES_NEEDS: the version whose new node it can use; itself if it is the first */
	long served_by;
};

/* Versions in which the table reads the same facts. */
struct ranges_set {
	const size_t *versions; /* indices in the graph, ascending */
	size_t count;
};

/* Can a node be removed? */
enum ranges_verdict {
	/* no: it differs from its parent, and the versions that follow the parent cannot use it */
	RANGES_KEEP,
	RANGES_EMPTY,   /* it forwards exactly what its parent forwards */
	/* each version that follows its parent can use it: the two can be merged, with its entries */
	RANGES_MERGE,
	RANGES_UNKNOWN, /* its version, or that of its parent, has no document */
};

struct ranges_node {
	const struct table_node *node;
	long version;                     /* index in the graph; -1 if it has no document in the graph */
	/* the node of its nearest ancestor in the driver's graph; NULL if none, or if unknown */
	const struct table_node *follows;
	bool is_misplaced;                /* @follows is not its parent in the table */
	enum ranges_verdict verdict;
	const struct verify_finding *known; /* findings at its own version */
	size_t known_count;
	bool is_empty, fits_parent;       /* the facts that the verdict is based on */
};

struct ranges {
	const struct history_graph *graph;
	const struct table *table;
	enum ranges_criterion criterion;
	/* indexed like those of the graph; without a document, only @set is set, to SIZE_MAX */
	struct ranges_version *versions;
	struct ranges_node *nodes;       /* indexed like those of the table */
	/* indexed like @nodes; not set if no version follows the node and its version has no document */
	const struct table_view *views;
	const struct ranges_set *sets;   /* sorted by first version */
	size_t set_count;
	size_t fitting, other, needing, older; /* numbers of versions */
	size_t new_nodes;                /* number of versions that need a node of their own */
};

void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table,
		 enum ranges_criterion criterion, struct arena *arena);
/* Return of both: 0; an error of verify_view() or flatten_record(). */
int ranges_baseline(struct ranges *ranges, size_t node, struct arena *arena, struct err *err);
int ranges_assign(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/*
 * ranges_fit_version - do only the part of ranges_assign() that finds the safe node, for a caller that needs
 * one version. Return: 0; an error of verify_view().
 */
int ranges_fit_version(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/* Return: 0; an error of flatten_record(). */
int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err);

struct ranges_proof {
	/* with the first version of its set; false if it is that version, or has the same document */
	bool compared;
	size_t unread;      /* changes of forwarded items that the table does not read */
	const char *const *against; /* changes that the table does read, as "record NAME"; normally empty */
	size_t against_count;
};

int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena,
		 struct err *err);

/* Which node of a table a version can use. */
struct ranges_choice {
	const char *version;
	bool is_known;                   /* false if no commit graph has it; then only @why is set */
	const char *why; /* why it is not known, "main is not a tag of the repository"; NULL if it is known */
	enum ranges_fit fit;
	bool is_own;                     /* @node is the version's own node */
	bool follows_none;               /* no ancestor of the version has a node */
	const struct table_node *node;   /* the node that it can use; NULL if there is none */
	const struct table_node *follows; /* its own node or that of its nearest ancestor; with follows_none,
					     the newest that is not newer, or else the table's first */
	const struct verify_finding *fresh; /* as in struct ranges_version: the findings with @follows */
	size_t fresh_count;
};

/**
 * ranges_choose - find the node of @table that a version can use
 * @version: in @graph, with a document
 *
 * A node can be chosen only if its own version has a document in @graph, or if verify finds nothing with it.
 * Return: 0; an error of verify_view().
 */
int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table,
		  size_t version, struct arena *arena, struct err *err);

/* ranges_followed - get the node that ranges_choose() tries first; this needs no document. */
const struct table_node *ranges_followed(const struct history_graph *graph, const struct table *table,
					 size_t version);

/* ranges_criterion_name - get "table" or "strict". */
const char *ranges_criterion_name(enum ranges_criterion criterion);

/* --- since when an item has a name or a number ---------------------------------------------- */

struct history_spans {
	/* spans of names, by kind, family, name; then spans of numbers, by number and first version */
	const struct history_span *spans;
	size_t count;
};

/**
 * history_since - make the spans of the items that @filter names
 * @out: lives in @arena
 *
 * A number gives a span for each ioctl, and each macro of a command that no table lists, that had the number
 * in some version. A name that is not a glob gives a span for each item with the name. If a macro has the
 * number of an ioctl with the same name, only the ioctl counts.
 */
void history_since(struct history_spans *out, const struct history_graph *graph,
		   const struct history_filter *filter, struct arena *arena);

/**
 * history_moves - set the former and later states of the items of @spans
 * @history: made with the same filter as @spans
 *
 * A state is an item with the same name and a different number, a macro that became an ioctl or the reverse,
 * or the other name in a rename that the differ found. With a table, only forwarded items count.
 */
void history_moves(struct history_spans *spans, const struct history *history, struct arena *arena);

/* history_is_glob - does @name have a wildcard? */
bool history_is_glob(const char *name);

/* --- timelines ------------------------------------------------------------------------------ */

/* An item as it is in one document; the kind of its timeline says which member is set. */
union history_state {
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	const void *any; /* NULL if the version does not have it */
};

/* The item's state at @version differs from that at its nearest readable ancestor. */
struct history_step {
	size_t version;
	union history_state state;
};

struct history_timeline {
	enum abi_kind kind;
	const char *family; /* of an ioctl; otherwise NULL */
	const char *name;
	const struct history_step *steps; /* sorted by version */
	size_t step_count;
};

struct history_timelines {
	const struct history_timeline *timelines; /* sorted by kind, family, name */
	size_t count;
};

/**
 * history_timelines - make the timelines of the items that @history selects
 * @out: lives in @arena; the documents must outlive it
 *
 * Without a filter, these are all items of all versions. With a filter, these are the types that changed or
 * that the filter names, the ioctls that carry them, and all types that any of these use.
 */
void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena);

/* --- blame ---------------------------------------------------------------------------------- */

/* Versions on other branches, neither ancestors nor descendants, with the same result; ascending. */
struct blame_also {
	const size_t *versions;
	size_t count;
};

struct blame_line {
	const struct abi_leaf *leaf;   /* as it is in the requested version */
	size_t version;                /* that last changed it: the requested version or an ancestor */
	struct blame_also also;
	/* it was the same in the first version, so its earlier state is unknown */
	bool is_boundary;
	enum diff_op op;               /* the change at that version; added if is_boundary */
	const struct abi_leaf *before; /* its former state; NULL if it did not exist */
};

/* A name that the record had before @version. */
struct blame_name {
	const char *name;
	size_t version;
};

struct blame {
	const char *name;
	const struct blame_name *former; /* newest first */
	size_t former_count;
	size_t version;                /* the requested version */
	const struct abi_layout *layout;
	const struct blame_line *lines; /* one for each scalar of the layout */
	size_t line_count;
	size_t size_version;           /* the version that last changed the record's size */
	struct blame_also size_also;
	bool size_is_boundary;
	uint64_t size_before;          /* 0 if the record did not exist */
};

/**
 * history_blame - find the version that last changed each scalar of a record
 * @version: index in @graph; must have a document
 * @name:    a record of that version, or an ioctl, which stands for its parameters
 *
 * Walks from version to parent, and follows the record if it was renamed. To find other branches, it reads
 * every document of @graph. A scalar counts as changed if its offset, size, type or role, or the number of
 * array elements around it, changed.
 * Return: 0; ERR_NOT_FOUND if the version does not have the record; an error of flatten_record() or
 * diff_documents().
 */
int history_blame(struct blame *out, const struct history_graph *graph, size_t version, const char *name,
		  struct arena *arena, struct err *err);

#endif
