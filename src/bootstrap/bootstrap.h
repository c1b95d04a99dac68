/*
 * bootstrap/bootstrap.h - the work of a proxy to support a version, or to forward one more ioctl
 *
 * Pure passes over a table, documents and the commit graph: they compare, and neither print nor read
 * anything. An unknown fact is a TODO with its reason, never a guess.
 */
#ifndef BOOTSTRAP_BOOTSTRAP_H
#define BOOTSTRAP_BOOTSTRAP_H

#include "abi/abi.h"
#include "gen/gen.h"
#include "history/history.h"
#include "verify/verify.h"

#define BOOTSTRAP_FORMAT "drvabi-bootstrap/1"
#define BOOTSTRAP_NO_PACKAGE "none" /* instead of a checksum: there is no package for the machine */
#define BOOTSTRAP_TODO "TODO(drvabi)"

enum bootstrap_verdict {
	BOOTSTRAP_NOTHING,   /* the table supports the version, and all fits */
	BOOTSTRAP_NODE_ONLY, /* a node, and nothing in it */
	BOOTSTRAP_UNVERIFIED, /* the same, but entries could not be compared */
	BOOTSTRAP_CHANGES,   /* nodes with entries */
};

/* "nothing", "node only", "unverified", "node with changes" */
const char *bootstrap_verdict_name(enum bootstrap_verdict verdict);

enum bootstrap_action {
	BOOTSTRAP_NONE,	    /* something changed, and nothing has to be written */
	BOOTSTRAP_REPLACE,  /* the proxy's type no longer meets the record, or an unread record has to be read
			     */
	BOOTSTRAP_REMOVE,   /* the version has no such ioctl */
	BOOTSTRAP_RENUMBER, /* the same ioctl, another number */
	BOOTSTRAP_RENAME, /* the driver has another name for the ioctl or its record; the rest is the same */
	BOOTSTRAP_ADD,	  /* an ioctl that the table does not have */
};

/* "none", "replace", "remove", "renumber", "rename", "add" */
const char *bootstrap_action_name(enum bootstrap_action action);

/* Where something of an entry has to be written in the proxy's source. */
enum bootstrap_site {
	BOOTSTRAP_HANDLER,
	BOOTSTRAP_INFO,
	BOOTSTRAP_STRUCT,
	BOOTSTRAP_CONSTANT,
	BOOTSTRAP_SECCOMP
};

enum { BOOTSTRAP_SITES = BOOTSTRAP_SECCOMP + 1 };
/* "handler", "info", "struct", "constant", "seccomp" */
const char *bootstrap_site_name(enum bootstrap_site site);

/* The text to write there. */
struct bootstrap_edit {
	enum bootstrap_site site;
	bool is_todo;       /* @text has BOOTSTRAP_TODO, for something in it is not known */
	const char *remove; /* a line that removes an entry under another name; NULL */
	const char *text;   /* one line; NULL if there is only something to remove */
};

/* Memory that the driver copies, at a pointer in an entry's parameters. */
struct bootstrap_pointer {
	const char *path;
	uint64_t offset_bytes;
	const char *count;        /* path of the number of elements; NULL: there is one */
	uint64_t count_offset_bytes, count_bytes;
	const char *element;      /* a type of the driver */
	uint64_t element_bytes;
	enum use_direction direction;
	uint64_t limit_bytes;     /* the driver refuses more; 0: not known, or it refuses nothing */
	bool empty_is_refused;    /* NULL with elements, or a pointer to none: no success in either case */
	const char *evidence;     /* where the driver's source says so */
};

/* A file descriptor in an entry's parameters, if a rule says what it must be of. */
struct bootstrap_fd {
	const struct fd_rule *rule;
	uint64_t offset_bytes, bytes;
};

enum bootstrap_open {
	BOOTSTRAP_OPEN_CONDITION, /* the pointer is followed only if a field has a value */
	BOOTSTRAP_OPEN_PRODUCT,   /* the number of elements is a product */
	BOOTSTRAP_OPEN_LIMIT,     /* the driver sets none */
	BOOTSTRAP_OPEN_FIELD,     /* something else in the parameters or at a pointer has to be translated */
	BOOTSTRAP_OPEN_OBJECTS,   /* objects are named that the proxy may have to know */
	BOOTSTRAP_OPEN_VERSION,   /* the rules were not compared with the version's source */
};
/* "condition", "product", "limit", "field", "objects", "version" */
const char *bootstrap_open_name(enum bootstrap_open what);

/* A fact that a handler needs and that is unknown. */
struct bootstrap_unknown {
	enum bootstrap_open what;
	const char *text;
};

/* An entry that changed between the parent and the version. */
struct bootstrap_entry {
	const char *node; /* the version at which it first is as it is now */
	enum bootstrap_action action;
	bool is_read;                   /* as the entry was; of a new one, as it has to be */
	const struct table_entry *was;  /* at the parent's node; NULL if the table has none */
	const struct table_entry *now;  /* from @node on; NULL if it is removed */
	size_t changed;                 /* of their structs, the one that changed; their count if none did */
	uint64_t request_bytes; /* the size in its request that a seccomp rule has to let through; 0: any */
	uint64_t size_was, size_now;    /* of its record in the driver; 0: there is none */
	const char *why;                /* one sentence */
	const char *new_role;           /* a pointer, fd or pid added to a record that is read; or NULL */
	const char *const *changes; /* field by field; of one that is added, since when the driver has it */
	size_t change_count;
	const struct bootstrap_pointer *pointers; /* with bootstrap_add(), of a command */
	size_t pointer_count;
	const struct bootstrap_fd *fds; /* the same; none if there are pointers, for a handler does one of
					   both */
	size_t fd_count;
	const struct bootstrap_unknown *unknown; /* what a handler has to know beside them */
	size_t unknown_count;
	const struct bootstrap_edit *edits; /* by site */
	size_t edit_count;
};

struct bootstrap_node {
	const char *version;
	const char *parent;
	const char *commit;
	bool supported;
	bool exists;  /* the table has it already */
	const char *was_parent; /* for one that now follows a new node: the node that it followed; NULL */
	const char *sha256_x86_64, *sha256_arm64; /* NULL: not known */
};

/* The capabilities under which a proxy exposes an ioctl: given, observed, or only likely (caps.c). */
struct bootstrap_caps {
	const char *const *caps;   /* sorted; given or observed. None: not known */
	size_t count;
	const char *const *likely; /* none if nothing is likely */
	size_t likely_count;
	const char *evidence;      /* "9 of 10 in 2080.12", "the word FABRIC", "observed in compute.trace" */
};

/* An ioctl, or a command or class of which there is only a macro, that is new since the parent. */
struct bootstrap_candidate {
	const char *family;
	const char *name;
	uint64_t number;
	const char *first; /* version after the parent that has it first; or the node that it is added to */
	const char *record;     /* its parameters; NULL if it has none, or the driver's tables do not say */
	uint64_t size_bytes;
	bool is_macro;          /* no table of the driver lists it */
	const struct abi_ioctl *ioctl; /* NULL if @is_macro */
	bool is_simple;         /* nothing in its parameters has to be translated */
	const char *objects;    /* objects that a handler may have to track; NULL: nothing */
	const char *why;        /* what makes it simple, or not */
	const char *supersedes; /* an entry of the table whose newer form it is; NULL */
	struct bootstrap_caps caps;
};

/* A fault of the table at the parent, which is not one of the version. */
struct bootstrap_fault {
	const char *version;
	const struct verify_finding *finding;
};

enum bootstrap_doubt {
	BOOTSTRAP_POINTER,
	BOOTSTRAP_FD,
	BOOTSTRAP_PID,
	BOOTSTRAP_MAYBE_POINTER,
	BOOTSTRAP_COUNT_TIMES_SIZE
};
/* "pointer", "fd", "pid", "maybe-pointer", "count-times-size" */
const char *bootstrap_doubt_name(enum bootstrap_doubt doubt);

/* A field of a record that the proxy passes through unread, which needs a review. */
struct bootstrap_audit {
	const char *family;
	const char *name;   /* of the entry or candidate */
	const char *record;
	const char *path;
	enum bootstrap_doubt what;
	const char *text;
};

/* A change that was made after the parent and reverted before the version. */
struct bootstrap_passed {
	const char *family, *name;
	const char *version; /* that brought it */
	const char *text;
};

struct bootstrap_todo {
	const char *what; /* "checksum", "handler", "caps", "finding", "supported", "parent" */
	const char *node;
	const char *name; /* of an entry; NULL */
	const char *why;
};

/* The compared items: text for a commit message. */
struct bootstrap_proof {
	size_t entries;   /* that the table forwards at the parent */
	size_t structs;   /* records of theirs, compared scalar by scalar */
	size_t scalars;
	size_t unchanged; /* entries */
	const char *const *text; /* sentences */
	size_t text_count;
};

/* A node of the table that does not follow its nearest ancestor in the driver's commit graph. */
struct bootstrap_misplaced {
	const char *version;
	const char *parent;    /* in the table */
	const char *should_be; /* by the graph; NULL: no ancestor of it has a node */
};

struct bootstrap {
	const struct table *table;
	const char *driver, *target;
	const char *version, *commit;
	const char *parent, *parent_commit; /* NULL with bootstrap_add() */
	const char *why;                    /* why that parent */
	enum bootstrap_verdict verdict;
	struct bootstrap_proof proof;
	const struct bootstrap_node *nodes; /* parents first */
	size_t node_count;
	const struct bootstrap_entry *entries; /* by family, name, node */
	size_t entry_count;
	const struct proxytype *const *types;  /* new ones, types before those that use them */
	size_t type_count;
	const struct bootstrap_candidate *candidates; /* by family, number, name */
	size_t candidate_count;
	const struct bootstrap_misplaced *misplaced;
	size_t misplaced_count;
	const struct bootstrap_fault *faults;
	size_t fault_count;
	const struct bootstrap_audit *audit;
	size_t audit_count;
	const struct bootstrap_passed *passed;
	size_t passed_count;
	const struct table_entry *const *not_compared; /* entries whose definitions are in a part of the tree
							  that is not there, in the order of the table */
	size_t not_compared_count;
	const char *const *not_checked;
	size_t not_checked_count;
	const struct bootstrap_todo *todo;
	size_t todo_count;
	struct table patch; /* its types and nodes are what table.patch.json holds */
};

/* An ioctl that a recorded workload made. */
struct bootstrap_use {
	const char *family;
	const char *name;    /* by the driver that it ran on; "": no table of that driver has the number */
	uint64_t number;     /* on that driver */
	const char *cap;     /* whose workload it is */
	const char *trace;   /* where it was seen */
	const char *callers; /* the libraries that made the calls, if the trace says (sniff --who); NULL */
};

struct bootstrap_observed {
	const struct bootstrap_use *uses; /* bootstrap_use_order() */
	size_t count;
	const char *const *given; /* the capabilities of every new ioctl, sorted; none: not given */
	size_t given_count;
};

/* Facts from elsewhere. */
struct bootstrap_options {
	const char *sha256_x86_64, *sha256_arm64; /* of the version's packages, 64 hexadecimal digits; NULL:
						     not known */
	const struct bootstrap_observed *observed; /* what workloads used; NULL: nothing is known. Outlives
						      the result */
	const struct use_rules *use; /* the memory that the driver copies; NULL: nothing is known */
	const char *const *add;	     /* ioctls that bootstrap_version() adds as well, words as bootstrap_add()
					takes */
	size_t add_count;
	const struct suppressions *accepted; /* findings that are not faults of the table; NULL: none */
	const char *origin;    /* "the tree in DIR": the source of the version's document; NULL: its commit */
	const char *by_number; /* the version that it follows in the graph by its number only; NULL: by its
				  commits */
};

/* The place of a version in a table's tree: by the driver's commit graph, never by the order of versions. */
struct bootstrap_position {
	const struct table_node *base; /* the version's own node, or that of its nearest ancestor */
	bool exists;                   /* @base is the version's own */
	const size_t *path;            /* indices in the graph: the version of @base first, then all between,
					  the version last */
	size_t path_count;             /* 1 if @exists */
	const struct bootstrap_misplaced *misplaced; /* in the order of the table */
	size_t misplaced_count;
};

/**
 * bootstrap_version - the work that the table needs for a version
 * @out:      lives in @arena; graph, documents and table must outlive it
 * @position: of the version, from bootstrap_find(); all versions of its path need their documents in @graph,
 *            but those that cannot be read
 * @types:    a set with the table's types, which gets the new ones; lives as long as @out
 *
 * Return: 0; what verify_view(), flatten_record() and proxytype_declare() return.
 */
int bootstrap_version(struct bootstrap *out, const struct bootstrap_position *position,
		      const struct history_graph *graph, const struct table *table,
		      struct proxytype_set *types, const struct bootstrap_options *options,
		      struct arena *arena, struct err *err);

/**
 * bootstrap_add - what forwarding more ioctls takes
 * @out:   lives in @arena; graph, documents and table must outlive it
 * @graph: with the documents of the table's nodes, as far as there are any, and of their ancestors, which
 *         say since when the driver has it
 * @words: names, or numbers as a log has them ("0x20801358")
 * @options: its checksums are of no use here
 *
 * Return: 0; ERR_NOT_FOUND if no node's version has one of them, or the table forwards it wherever it is;
 * ERR_USAGE for a number that several families have; what flatten_record() and proxytype_declare() return.
 */
int bootstrap_add(struct bootstrap *out, const struct history_graph *graph, const struct table *table,
		  struct proxytype_set *types, const char *const *words, size_t word_count,
		  const struct bootstrap_options *options, struct arena *arena, struct err *err);

/*
 * bootstrap_guess - sets caps and supersedes of a candidate, by its family, name, number and ioctl
 * @view:     the table at the version; an entry of the candidate's own family and name is left out
 * @observed: the recorded workloads; NULL: none
 */
void bootstrap_guess(struct bootstrap_candidate *one, const struct table_view *view,
		     const struct bootstrap_observed *observed, struct arena *arena);

/* bootstrap_use_order - by family, name, number, capability, trace: for qsort() */
int bootstrap_use_order(const void *a, const void *b);

/**
 * bootstrap_find - finds the node that a version follows
 * @graph: needs no documents
 *
 * Return: 0; ERR_NOT_FOUND if no ancestor of the version has a node.
 */
int bootstrap_find(struct bootstrap_position *out, const struct history_graph *graph,
		   const struct table *table, size_t version, struct arena *arena, struct err *err);

/*
 * bootstrap_assume_parent - the likely parent of a version that is not in the graph: the newest one before it
 * with the same first number, or else on the main branch. Return: its index; HISTORY_NO_PARENT if there is
 * none.
 *
 * Of the 193 releases from 515.43.04 to 595.45.04 it is the nearest ancestor of 167, and leads to the right
 * node of gVisor's table for 188.
 */
long bootstrap_assume_parent(const struct history_version *versions, size_t count, const char *version);

#endif
