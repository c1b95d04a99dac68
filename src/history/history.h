/*
 * history/history.h - list the changes along a commit graph of versions: what changed, where, and since when
 *
 * These functions compare documents. They neither print nor read files. They provide versions and edges; the
 * changes on each edge, joined into events; since when an item has a name or number; the items that a word
 * refers to; the entries that a proxy forwards at a version; blame of fields; timelines; and the versions
 * that have the same ABI for a proxy's table.
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
	int64_t time;          /* time of the commit, in seconds since 1970 UTC */
	long parent;           /* index of the nearest tagged ancestor, or HISTORY_NO_PARENT */
	bool on_main;
	/* NULL if the version cannot be read; its descendants are then compared with its ancestor */
	const struct abi *abi;
};

/* A version, and the older version that it is compared with. */
struct history_edge {
	size_t version, parent;
	bool inside_release; /* both versions have the same first number ("570"), so a proxy expects no
				changes */
};

struct history_graph {
	const struct history_version *versions; /* in version order */
	size_t version_count;
	const struct history_edge *edges;       /* sorted by version */
	size_t edge_count;
};

/*
 * history_graph_of - make an edge from each version with a document to its nearest ancestor with a document
 * @versions: must outlive @out, as must their documents
 */
void history_graph_of(struct history_graph *out, const struct history_version *versions, size_t count,
		      struct arena *arena);

/* history_graph_index - get the index of the version with that name; version_count if there is none. */
size_t history_graph_index(const struct history_graph *graph, const char *version);

/* history_same_release - do two versions belong to one release, as "570.86.15" and "570.133.20" do? */
bool history_same_release(const char *a, const char *b);

/* --- the changes on edges, and events ------------------------------------------------------- */

/* Selects changes; { 0 } selects all. */
struct history_filter {
	/*
	 * A change is selected if one of the globs or numbers matches. A glob matches the old or new name of
	 * the changed item. A number matches the old or new number of an ioctl of any family, or of a
	 * command's macro. If an ioctl matches, changes of the records that it carries are selected as well.
	 * If a record matches, those of the records inside it are selected.
	 */
	const char *const *names;
	size_t name_count;
	const uint64_t *numbers;
	size_t number_count;
	const struct table *table; /* selects only changes of items that its proxy forwards in base or next */
	/*
	 * The criteria of select_changes(). history_compare() ignores them, because history_moves() needs all
	 * changes.
	 */
	const bool *versions;      /* indexed like the graph's versions; NULL selects all */
	size_t version_count;      /* number of @versions that are true */
	unsigned classes;          /* enum diff_class bits: a change must have one of them; 0 selects all */
};

/* The changes on one edge. */
struct history_changes {
	const struct diff_change *changes; /* the selected changes, in the order of the diff */
	/* for each change: how many ioctls the filter selects; they are first in its reached_by */
	const size_t *carriers;
	size_t count;
	/*
	 * the number of changes that match the filter's names or numbers, but are left out because the
	 * filter's table does not forward their items
	 */
	size_t left_out;
	struct diff_count summary[ABI_KIND_COUNT]; /* the selected changes, counted by enum abi_kind */
	size_t class_total[DIFF_CLASS_COUNT];
};

/**
 * history_compare - list the changes on an edge that the filter's names, numbers and table select
 * @out: lives in @arena, and does not point into the comparison
 *
 * Two threads can compare two edges at once if each has its own arena. Documents with equal content are
 * compared quickly. Return: 0; an error of diff_documents().
 */
int history_compare(struct history_changes *out, const struct history_graph *graph,
		    const struct history_edge *edge, const struct history_filter *filter, struct arena *arena,
		    struct err *err);

/* A change, and all edges on which the same change happened. */
struct history_event {
	const struct diff_change *change; /* from the first edge */
	/* for a record: how many ioctls the filter selects; they are first in change->reached_by */
	size_t carrier_count;
	const size_t *edges;              /* indices, ascending */
	size_t edge_count;
	bool inside_release;              /* one of the edges is inside a release */
	bool renumbered, reused;          /* see struct history_count */
};

struct history_count {
	/*
	 * Ioctls whose number changed, whether or not the name changed too. Macros of commands that no table
	 * lists count, too.
	 */
	size_t renumbered;
	size_t reused; /* numbers that now belong to a different ioctl, or to the macro of a different
			  command */
};

struct history {
	const struct history_graph *graph;
	const struct history_filter *filter;
	const struct history_changes *changes; /* indexed like the graph's edges */
	const struct history_event *events; /* sorted by first edge, then in the order of its diff */
	size_t event_count;
	size_t change_count;                /* on all edges */
	size_t changed_edges;               /* edges with at least one change */
	struct history_count numbers;       /* counts events, not edges */
};

/**
 * history_join - join equal changes on different edges into events, and count them
 * @changes: indexed like the edges of @graph
 *
 * Two changes are equal if they have the same names, the same old state and the same new state. Their
 * declarations, and the ioctls that carry the item, can differ.
 */
void history_join(struct history *out, const struct history_graph *graph, const struct history_filter *filter,
		  const struct history_changes *changes, struct arena *arena);

/* --- the requested versions ----------------------------------------------------------------- */

/**
 * select_is_versions - does @word name versions rather than an item of the ABI?
 *
 * A word with a dot names versions, because identifiers and numbers have no dot. A glob names items.
 */
bool select_is_versions(const char *word);

/**
 * select_add - add the versions that @word names
 * @wanted: indexed like the versions of @graph
 *
 * @word is "550.54.14", the unique beginning of a version, or a range "A..B", of which one end can be
 * omitted. If A and B are versions, the range has B and its ancestors, without A and its ancestors. If A or B
 * is only the beginning of versions ("580..590"), the range has, in version order, all versions from the
 * first that begins with A to the last that begins with B.
 * Return: 0; ERR_NOT_FOUND if no version, or more than one, can be meant; ERR_USAGE for "A...B" and "..".
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
 * select_changes - remove from @changes the changes of versions and classes that @filter does not select
 * @changes: indexed like the edges of @graph
 *
 * A change belongs to the newer version of its edge. The older version need not be selected.
 */
void select_changes(struct history_changes *changes, const struct history_graph *graph,
		    const struct history_filter *filter, struct arena *arena);

/* select_edge - does @filter select the newer version of @edge? */
bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge);

/* --- the entries that a proxy forwards at a version ----------------------------------------- */

enum forwarded_use {
	FORWARDED_NONE,   /* the proxy does not forward it */
	FORWARDED_UNREAD, /* the proxy passes its parameters on unread, or it has no parameters */
	FORWARDED_READ,   /* the proxy has a type for its parameters */
};

struct forwarded {
	const struct table *table;
	/* the node used for the version; NULL if there is none, for example because all nodes are newer */
	const struct table_node *node;
	enum forwarded_use use;
	const struct table_entry *entry; /* the entry with the family and number; NULL if there is none */
	const struct table_node *since;  /* the node that has the entry: @node or one of its ancestors */
	const char *passed_as;           /* the name of an ioctl that is forwarded without an entry, as
					    FORWARDED_UNREAD; otherwise NULL */
};

/* forwarded_use_name - get "read", "unread" or "none", as in "drvabi-diff/1". */
const char *forwarded_use_name(enum forwarded_use use);

/*
 * forwarded_node_outside - find the node of @table whose version is nearest to @version by number, if @graph
 * does not have the node's version. A repository with only some releases, such as Debian's, does not show
 * which node @version follows.
 * Return: NULL if @graph has the node's version, or if there is no such node.
 */
const struct table_node *forwarded_node_outside(const struct table *table, const struct history_graph *graph,
						const char *version);

/*
 * forwarded_along - find @version or its nearest ancestor with a node. Return: its index; HISTORY_NO_PARENT
 * if none
 */
long forwarded_along(const struct table *table, const struct history_graph *graph, long version);

/**
 * forwarded_node - find the node of @table that is used for a version
 * @version: its index in @graph; version_count if it is not in the graph
 * @name:    the version's name; only used if it is not in the graph
 *
 * If @version is in the graph, the node is that of forwarded_node_outside(), or else that of @version or its
 * nearest ancestor with a node. Otherwise, it is table_nearest_node().
 * Return: the node; NULL if all nodes are newer, or the version's name cannot be compared.
 */
const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph,
					size_t version, const char *name);

/*
 * forwarded_find - find how the proxy forwards, at @node, the ioctl with @family and @number
 * @node: can be NULL
 *
 * gVisor's nvproxy passes some control commands on by their numbers, without entries in its table. These
 * commands count as forwarded.
 */
void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node,
		    const char *family, uint64_t number);

/* --- what a name or a number refers to ------------------------------------------------------ */

/* The documents to search. */
struct lookup_scope {
	const struct abi *abi;             /* of the requested version */
	const struct history_graph *graph; /* other versions; can be empty, and needs no documents */
	const struct abi_index *index;     /* of the graph's versions */
	size_t version;                    /* index of @abi in @graph; version_count if not in the graph */
};

/* The name or number to look for. */
struct lookup_word {
	const char *text;
	bool is_number; /* if false, @text is a name or a glob */
	uint64_t number;
};

/* The item in the other version of an edge at which a span begins or ends. history_moves() sets it. */
struct history_move {
	enum abi_kind kind; /* ABI_CONSTANT if only a macro has its number in that version */
	const char *name;   /* its name in that version; NULL if it does not exist there */
	uint64_t number;    /* for an ioctl or a command's macro; otherwise 0 */
	size_t version, parent; /* the versions of the edge */
};

/* The versions that have an item. */
struct history_span {
	enum abi_kind kind;
	const char *family;   /* of an ioctl; otherwise NULL */
	const char *name;
	/* true if the span has only the versions in which the item has @number */
	bool has_number;
	uint64_t number;
	const size_t *since;  /* versions that have the item, and whose parent does not, or is unknown */
	size_t since_count;
	const size_t *until;  /* versions that do not have the item, but whose parent has it */
	size_t until_count;
	size_t version_count; /* number of versions that have the item */
	/*
	 * Set by lookup_find(): how many versions have the item with the requested number, or for a name,
	 * with its number in the scope's version. If this is not @version_count, also the versions in which
	 * it got and lost that number.
	 */
	size_t number_count;
	const size_t *number_since, *number_until;
	size_t number_since_count, number_until_count;
	const struct history_move *was; /* indexed like @since: the item that it was in the parent */
	const struct history_move *now; /* indexed like @until: the item that it became */
};

/* An item that the word refers to. */
struct lookup_item {
	enum abi_kind kind;
	union { /* @kind says which */
		const struct abi_record *record;
		const struct abi_alias *alias;
		const struct abi_enum *one;
		const struct abi_constant *constant;
		const struct abi_ioctl *ioctl;
		const void *any;
	};
	/* true if a constant is the number of a command that no table of the driver lists */
	bool is_command;
	/* the versions that have it with that name or number; NULL if unknown */
	const struct history_span *span;
};

struct lookup {
	/* records, enums, aliases, ioctls, then constants, each in the order of the document */
	const struct lookup_item *items;
	size_t item_count;
	/*
	 * The nearest version with items, if the scope's version has none, or has only constants with the
	 * number; otherwise version_count.
	 */
	size_t nearest;
	const struct history_span *nearest_span; /* the span of one of those items */
	/* one for each item that the word names in any version; @items and @others point to them */
	const struct history_span *spans;
	size_t span_count;
	/* only in other versions: ioctls and commands with the number, or ioctls with the name of an item */
	const struct history_span *const *others;
	size_t other_count;
};

/**
 * lookup_find - find all items of the scope's version that the word names
 * @out: lives in @arena; the scope's document and index must outlive it
 *
 * The nearest version is the nearest ancestor with an item, or else the next newer version with an item, or
 * else the newest version with an item. For a number, only ioctls and commands count if any version has one,
 * because every small number is the value of some constant.
 *
 * A number matches ioctls of any family, and constants with that value. A macro with the name of an ioctl is
 * not listed separately, nor is an alias with the name of an enum. The span of a macro that is an item has
 * all versions with the macro, even those where it is an ioctl. Items that a glob matches have no spans.
 */
void lookup_find(struct lookup *out, const struct lookup_scope *scope, const struct lookup_word *word,
		 struct arena *arena);

/* lookup_named - does the item of the index have the name or number of @word? */
bool lookup_named(const struct abi_index_item *item, const struct lookup_word *word);

/* lookup_record - get the parameters of @ioctl; NULL if it has none, or if @abi does not have the record. */
const struct abi_record *lookup_record(const struct abi *abi, const struct abi_ioctl *ioctl);

/* One bit field of a number, with the driver's name for its value. */
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
 * A bit field's name is that in the scope's version, or else that in the newest version with the value; NULL
 * if that version has several. @out is empty if the number is too large or too small for any family.
 */
void lookup_parse(struct lookup_parse *out, const struct profile *profile, const struct lookup_scope *scope,
		  uint64_t number, struct arena *arena);

/* An ioctl, or the macro of a command, with a number near the requested one. */
struct lookup_neighbour {
	const char *name; /* NULL if there is none */
	uint64_t number;
};

/*
 * lookup_neighbours - find the ioctls or macros of @abi with the next lower and the next higher number, among
 * those that differ from @number only in the last bit field of @parse. A number with only this field has none
 */
void lookup_neighbours(struct lookup_neighbour out[2], const struct abi *abi,
		       const struct lookup_parse *parse, uint64_t number);

/* --- versions with the same ABI for a proxy -------------------------------------------------- */

#define RANGES_FORMAT "drvabi-ranges/1"

enum ranges_criterion {
	/*
	 * The facts that the proxy uses: numbers; for structs that it translates, the offset and kind of each
	 * scalar; for structs that it passes on unread, the size, and the pointers and fds that it should
	 * translate.
	 */
	RANGES_TABLE,
	/* Every scalar of every struct that the table names, with its name and type. */
	RANGES_STRICT,
};

/* Can a version use the node that it follows? */
enum ranges_fit {
	RANGES_FITS,  /* yes: verify finds no fault that it does not also find at the node's own version */
	RANGES_OTHER, /* no, but it can use a different node: @safe */
	RANGES_NEEDS, /* no, and it can use no other node either: the table needs a new one */
	/* it follows no node, and cannot use the nearest one: it is older than the table */
	RANGES_OLDER,
};

struct ranges_version {
	/* the version's own node, or that of its nearest ancestor with a node; see @follows_none */
	const struct table_node *node;
	/* no ancestor has a node: @node is the newest older node, or else the table's first */
	bool follows_none;
	enum ranges_fit fit;
	const struct table_node *safe; /* the node that it can use; NULL if there is none */
	/*
	 * the findings of verify for this version with @node, without those that it also has for the
	 * node's own version, and without those that are @unseen
	 */
	const struct verify_finding *fresh;
	size_t fresh_count;
	/* hexadecimal hash of the facts that the table reads with @node; see ranges_write_facts() */
	char facts_hash[33];
	char proof[33];                /* the same hash, but with @safe; "" if @safe is NULL */
	size_t set;                    /* index in the sets of struct ranges */
	/* for RANGES_NEEDS: the version whose new node it can use; can be the version itself */
	long served_by;
	/*
	 * Ioctls without an entry at @node, whose number changed after @passed_since, the nearest ancestor
	 * with a document, so that the table passes only one of the two numbers through. verify cannot find
	 * them, because it checks entries. Set by ranges_passed().
	 */
	const struct diff_change *passed;
	size_t passed_count;
	long passed_since;
};

/* Versions in which the table reads the same facts. */
struct ranges_set {
	const size_t *versions; /* indices in the graph, ascending */
	size_t count;
};

/* Can a node be removed? */
enum ranges_verdict {
	/* no: a version that follows its parent cannot use it */
	RANGES_KEEP,
	RANGES_EMPTY,   /* yes: it forwards exactly what its parent forwards */
	/* yes: each version that follows its parent can use it, so both can be merged, with its entries */
	RANGES_MERGE,
	RANGES_UNKNOWN, /* unknown: its version, or that of its parent, has no document */
};

struct ranges_node {
	const struct table_node *node;
	long version;                     /* index in the graph; -1 if it has no document in the graph */
	/* the node of the nearest ancestor of its version; NULL if there is none, or if unknown */
	const struct table_node *follows;
	bool is_misplaced;                /* @follows is not its parent in the table */
	enum ranges_verdict verdict;
	const struct verify_finding *known; /* findings at its own version */
	size_t known_count;
	bool is_empty, fits_parent;       /* the reasons for @verdict */
};

struct ranges {
	const struct history_graph *graph;
	const struct table *table;
	enum ranges_criterion criterion;
	/* indexed like the versions of the graph; without a document, only @set is set, to SIZE_MAX */
	struct ranges_version *versions;
	struct ranges_node *nodes;       /* indexed like the nodes of the table */
	/* indexed like @nodes; unset if the node's version has no document and no version follows the node */
	const struct table_view *views;
	const struct ranges_set *sets;   /* sorted by first version */
	size_t set_count;
	size_t fitting, other, needing, older; /* numbers of versions with each result */
	size_t new_nodes;                /* number of new nodes that the table needs */
};

/*
 * ranges_plan - find the node that each version follows, list the entries that the table forwards at these
 * nodes, and find empty and misplaced nodes
 * @out: lives in @arena; the graph, its documents and the table must outlive it. To complete it, call
 *       ranges_baseline() for each node, ranges_assign() for each version, then ranges_finish()
 */
void ranges_plan(struct ranges *out, const struct history_graph *graph, const struct table *table,
		 enum ranges_criterion criterion, struct arena *arena);

/*
 * ranges_baseline - run verify at the version of a node: its findings are the node's known findings. Also
 * sets fits_parent. Does nothing if the node's version has no document. Return: 0; an error of verify_view().
 */
int ranges_baseline(struct ranges *ranges, size_t node, struct arena *arena, struct err *err);

/*
 * ranges_assign - find the node that a version can use: set fit, safe, fresh, facts_hash and proof. Does
 * nothing if the version has no document, or ranges_finish() will copy the results of an earlier version.
 * Return: 0; an error of verify_view() or flatten_record().
 */
int ranges_assign(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/*
 * ranges_fit_version - set only fit, safe and fresh, for a caller that needs a single version;
 * ranges_assign() does this for all versions. Return: 0; an error of verify_view().
 */
int ranges_fit_version(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);
/*
 * ranges_finish - after ranges_assign() for all versions, copy the results to versions with equal documents,
 * make the sets, count the results, find which versions can share a new node, and give each node its verdict
 * Return: 0; an error of flatten_record().
 */
int ranges_finish(struct ranges *ranges, struct arena *arena, struct err *err);
/*
 * ranges_passed - after ranges_finish(), set passed and passed_since of a version: the ioctls that the table
 * passes through by only one of their old and new numbers. Return: 0; an error of diff_documents().
 */
int ranges_passed(struct ranges *ranges, size_t version, struct arena *arena, struct err *err);

struct ranges_proof {
	/* false if the version is the first of its set, or has the same document as the first */
	bool compared;
	size_t unread;      /* changes of forwarded items that the table does not read */
	const char *const *against; /* changes that the table reads, as "record NAME"; normally empty */
	size_t against_count;
};

/*
 * ranges_prove - after ranges_finish(), check with the differ that the table reads no change between the
 * first version of @version's set and @version
 * Return: 0, even if the table reads changes, which out->against lists; an error of diff_documents().
 */
int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena,
		 struct err *err);

/* The node of a table that a version can use. */
struct ranges_choice {
	const char *version;
	bool is_known;                   /* false if no commit graph has the version; then only @why is set */
	const char *why; /* why the version is unknown, "main is not a tag of the repository"; NULL if it
			    is known */
	enum ranges_fit fit;
	bool is_own;                     /* @follows is the version's own node */
	bool follows_none;               /* no ancestor of the version has a node */
	const struct table_node *node;   /* the node that it can use; NULL if there is none */
	const struct table_node *follows; /* its own node, or that of its nearest ancestor with a node.
					     With @follows_none, the newest older node, or else the table's
					     first */
	const struct verify_finding *fresh; /* the findings with @follows, as in struct ranges_version */
	size_t fresh_count;
};

/**
 * ranges_choose - find the node of @table that a version can use
 * @version: in @graph, with a document
 *
 * A node can be chosen only if its own version has a document in @graph, or if verify finds nothing with the
 * node.
 * Return: 0; an error of verify_view().
 */
int ranges_choose(struct ranges_choice *out, const struct history_graph *graph, const struct table *table,
		  size_t version, struct arena *arena, struct err *err);

/*
 * ranges_followed - get the node that a version follows: that of forwarded_node(), or else the newest older
 * node, or else the table's first. Needs no document. Never NULL.
 */
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
 * A number gives a span for each ioctl that had the number in some version, and for each macro of a command
 * that no table lists. A name that is not a glob gives a span for each item with the name. If a macro has the
 * name and the number of an ioctl, only the ioctl counts.
 */
void history_since(struct history_spans *out, const struct history_graph *graph,
		   const struct history_filter *filter, struct arena *arena);

/**
 * history_moves - set the items that the items of @spans were before and became later
 * @history: made with the same filter as @spans
 *
 * Such an item has the same name and a different number, or is the macro of an ioctl or the reverse, or has a
 * different name because it was renamed, according to the differ. With a table, only forwarded items count.
 */
void history_moves(struct history_spans *spans, const struct history *history, struct arena *arena);

/* history_is_glob - does @name contain a wildcard? */
bool history_is_glob(const char *name);

/* --- timelines ------------------------------------------------------------------------------ */

/* An item of one document. The kind of its timeline says which member is set. */
union history_state {
	const struct abi_record *record;
	const struct abi_alias *alias;
	const struct abi_enum *one;
	const struct abi_constant *constant;
	const struct abi_ioctl *ioctl;
	const void *any; /* NULL if the version does not have it */
};

/* The item at @version differs from that of the nearest readable ancestor. */
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
 * Without a filter, all items of all versions are selected. With a filter, these are the types that changed
 * or that the filter names, the ioctls that carry them, and all types that any of these use.
 */
void history_timelines(struct history_timelines *out, const struct history *history, struct arena *arena);

/* --- blame ---------------------------------------------------------------------------------- */

/* Versions with the same result on other branches, so neither ancestors nor descendants; ascending. */
struct blame_also {
	const size_t *versions;
	size_t count;
};

struct blame_line {
	const struct abi_scalar *scalar;   /* the scalar in the requested version */
	size_t version;                /* the version that last changed the scalar */
	struct blame_also also;
	/* true if the first version already had it, so its earlier state is unknown */
	bool is_boundary;
	enum diff_op op;               /* the change at @version; added if @is_boundary */
	const struct abi_scalar *before; /* the scalar before that change; NULL if it did not exist */
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
 * @name:    a record of that version, or an ioctl that has the record as its parameters
 *
 * Walks from version to parent, and follows the record if it was renamed. To find other branches, it reads
 * every document of @graph. A scalar counts as changed if its offset, size, type or role changed, or the
 * number of array elements around it.
 * Return: 0; ERR_NOT_FOUND if the version does not have the record; an error of flatten_record() or
 * diff_documents().
 */
int history_blame(struct blame *out, const struct history_graph *graph, size_t version, const char *name,
		  struct arena *arena, struct err *err);

#endif
