/*
 * bootstrap/bootstrap.h - list what a proxy needs to support a version, or to forward one more ioctl
 *
 * These functions compare a table, documents and the commit graph. They neither print nor read files. If a
 * fact is unknown, the result has a TODO with the reason, never a guess.
 */
#ifndef BOOTSTRAP_BOOTSTRAP_H
#define BOOTSTRAP_BOOTSTRAP_H

#include "abi/abi.h"
#include "gen/gen.h"
#include "history/history.h"
#include "verify/verify.h"

#define BOOTSTRAP_FORMAT "drvabi-bootstrap/1"
#define BOOTSTRAP_NO_PACKAGE "none" /* instead of a checksum, if the driver has no package for the machine */
#define BOOTSTRAP_TODO "TODO(drvabi)"

enum bootstrap_verdict {
	BOOTSTRAP_NOTHING,   /* the table supports the version, and everything matches */
	BOOTSTRAP_NODE_ONLY, /* a node without entries is needed */
	BOOTSTRAP_UNVERIFIED, /* a node without entries is needed, but some entries could not be compared */
	BOOTSTRAP_CHANGES,   /* nodes with entries are needed, or the version's node has faults */
};

/* "nothing", "node only", "unverified", "node with changes" */
const char *bootstrap_verdict_name(enum bootstrap_verdict verdict);

enum bootstrap_action {
	BOOTSTRAP_NONE,	    /* something changed, but nothing has to be written */
	BOOTSTRAP_REPLACE,  /* the proxy's type no longer matches the record, or the proxy must read a record
			       that it passed through unread */
	BOOTSTRAP_REMOVE,   /* the version does not have the ioctl */
	BOOTSTRAP_RENUMBER, /* the same ioctl has a different number */
	BOOTSTRAP_RENAME, /* the driver renamed the ioctl or its record, and changed nothing else */
	BOOTSTRAP_ADD,	  /* the table does not have the ioctl */
};

/* "none", "replace", "remove", "renumber", "rename", "add" */
const char *bootstrap_action_name(enum bootstrap_action action);

/* The kind of a place in the proxy's source where a part of an entry is written. */
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

/* The text to write at a site. */
struct bootstrap_edit {
	enum bootstrap_site site;
	bool is_todo;       /* @text contains BOOTSTRAP_TODO, because a part of it is unknown */
	const char *remove; /* a line that removes an entry with a different name; NULL if there is none */
	const char *text;   /* one line; NULL if the edit only removes */
};

/* Memory that the driver copies, because a pointer in an entry's parameters points to it. */
struct bootstrap_pointer {
	const char *path;
	uint64_t offset_bytes;
	const char *count;        /* path of the field with the number of elements; NULL if there is exactly
				     one element */
	uint64_t count_offset_bytes, count_bytes;
	const char *element;      /* a type of the driver */
	uint64_t element_bytes;
	enum use_direction direction;
	uint64_t limit_bytes;     /* the driver rejects a larger size; 0 if the limit is unknown, or there is
				     none */
	bool empty_is_refused;    /* the driver rejects NULL if the count is not 0, and a pointer if the count
				     is 0 */
	const char *evidence;     /* the place in the driver's source that shows these facts */
};

/* A file descriptor in an entry's parameters. A rule says which kind of file it must refer to. */
struct bootstrap_fd {
	const struct fd_rule *rule;
	uint64_t offset_bytes, bytes;
};

enum bootstrap_open {
	BOOTSTRAP_OPEN_CONDITION, /* the pointer is followed only if a field has a value */
	BOOTSTRAP_OPEN_PRODUCT,   /* the number of elements is a product */
	BOOTSTRAP_OPEN_LIMIT,     /* the driver has no limit */
	BOOTSTRAP_OPEN_FIELD,     /* a further field of the parameters or of the copied memory has to be
				     translated */
	BOOTSTRAP_OPEN_OBJECTS,   /* fields refer to objects that the proxy may have to track */
	BOOTSTRAP_OPEN_VERSION,   /* the rules were not checked against the version's source */
};
/* "condition", "product", "limit", "field", "objects", "version" */
const char *bootstrap_open_name(enum bootstrap_open what);

/* An open question that the author of a handler must answer. */
struct bootstrap_unknown {
	enum bootstrap_open what;
	const char *text;
};

/* An entry that changed between the parent and the version. */
struct bootstrap_entry {
	const char *node; /* the version whose node gets the change */
	enum bootstrap_action action;
	bool is_read;                   /* the proxy reads a struct of @was, or of @now if @was is NULL; if
					   false, it passes the parameters through unread */
	const struct table_entry *was;  /* the entry at the parent's node; NULL if the table has none */
	const struct table_entry *now;  /* the entry from @node on; NULL if it is removed */
	size_t changed;                 /* the index of the struct that changed; struct_count if none did */
	uint64_t request_bytes; /* the parameter size in the ioctl request that a seccomp rule must allow; 0
				   allows any */
	uint64_t size_was, size_now;    /* size of the struct @changed in the driver; 0 if not there */
	const char *why;                /* one sentence */
	const char *new_role;           /* a pointer, fd or pid added to a record that is read; or NULL */
	const char *const *changes; /* a text for each changed field; for an added entry, since when the
				       driver has it */
	size_t change_count;
	const struct bootstrap_pointer *pointers; /* set by bootstrap_add() for commands */
	size_t pointer_count;
	const struct bootstrap_fd *fds; /* also set by bootstrap_add(); empty if there are pointers, because a
					   generated handler translates either pointers or fds */
	size_t fd_count;
	const struct bootstrap_unknown *unknown; /* open questions about the entry's handler */
	size_t unknown_count;
	const struct bootstrap_edit *edits; /* sorted by site */
	size_t edit_count;
};

struct bootstrap_node {
	const char *version;
	const char *parent;
	const char *commit;
	bool supported;
	bool exists;  /* the table already has the node */
	const char *was_parent; /* the former parent, if the node now follows a new node; otherwise NULL */
	const char *sha256_x86_64, *sha256_arm64; /* NULL if unknown */
};

/*
 * The capabilities under which a proxy exposes an ioctl. They are given by the user, observed in a workload,
 * or only likely (caps.c).
 */
struct bootstrap_caps {
	const char *const *caps;   /* given or observed, sorted; empty if unknown */
	size_t count;
	const char *const *likely; /* empty if no capability is likely */
	size_t likely_count;
	const char *evidence;      /* "9 of 10 in 2080.12", "the word FABRIC", "observed in compute.trace" */
};

/* An ioctl that the parent does not have. A command or a class may have only a macro. */
struct bootstrap_candidate {
	const char *family;
	const char *name;
	uint64_t number;
	const char *first; /* the first version after the parent that has the ioctl; with bootstrap_add(), the
			      first node that gets it */
	const char *record;     /* the parameter record; NULL if the ioctl has no parameters, or if they are
				   unknown */
	uint64_t size_bytes;
	bool is_macro;          /* it has only a macro: no table of the driver lists it */
	const struct abi_ioctl *ioctl; /* NULL if @is_macro */
	bool is_simple;         /* nothing in its parameters has to be translated */
	const char *objects;    /* objects that a handler may have to track; NULL if there are none */
	const char *why;        /* why it is simple, or why it is not */
	const char *supersedes; /* the table's entry for an older form of the ioctl; NULL if there is none */
	struct bootstrap_caps caps;
};

/* A fault that the table already has at the parent. */
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

/* A field that needs a review, in a record that the proxy passes through unread. */
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
	const char *version; /* the version that made the change */
	const char *text;
};

struct bootstrap_todo {
	const char *what; /* "checksum", "handler", "caps", "finding", "ioctl", "pid", "supported", "parent" */
	const char *node;
	const char *name; /* of an entry; NULL if the TODO is about the node */
	const char *why;
};

/* How much was compared, for a commit message. */
struct bootstrap_proof {
	size_t entries;   /* entries that the table forwards at the parent */
	size_t structs;   /* records of these entries, compared scalar by scalar */
	size_t scalars;
	size_t unchanged; /* entries that did not change */
	const char *const *text; /* sentences */
	size_t text_count;
};

/* A node whose parent in the table is not its nearest ancestor in the driver's commit graph. */
struct bootstrap_misplaced {
	const char *version;
	const char *parent;    /* in the table */
	const char *should_be; /* according to the graph; NULL if no ancestor of the version has a node */
};

struct bootstrap {
	const struct table *table;
	const char *driver, *target;
	const char *version, *commit;
	const char *parent, *parent_commit; /* NULL with bootstrap_add() */
	const char *why;                    /* why @parent was chosen */
	enum bootstrap_verdict verdict;
	struct bootstrap_proof proof;
	const struct bootstrap_node *nodes; /* parents first */
	size_t node_count;
	const struct bootstrap_entry *entries; /* sorted by family, name, node */
	size_t entry_count;
	const struct proxytype *const *types;  /* new types; a type precedes the types that use it */
	size_t type_count;
	const struct bootstrap_candidate *candidates; /* sorted by family, number, name; with bootstrap_add(),
							  in the order of the words */
	size_t candidate_count;
	const struct bootstrap_misplaced *misplaced;
	size_t misplaced_count;
	const struct bootstrap_fault *faults;
	size_t fault_count;
	const struct bootstrap_audit *audit;
	size_t audit_count;
	const struct bootstrap_passed *passed;
	size_t passed_count;
	const struct table_entry *const *not_compared; /* entries that are defined in a missing part of the
							  driver's tree, in the order of the table */
	size_t not_compared_count;
	const char *const *not_checked; /* sentences for the user: what bootstrap cannot find out */
	size_t not_checked_count;
	size_t unlisted_count; /* forwarded ioctls that left the driver's tables; each has a TODO */
	const struct bootstrap_todo *todo;
	size_t todo_count;
	struct table patch; /* its types and nodes are written to table.patch.json */
};

/* An ioctl that a recorded workload made. */
struct bootstrap_use {
	const char *family;
	const char *name;    /* the name in the driver that was traced; "" if no table of that driver has the
				number */
	uint64_t number;     /* the number in that driver */
	const char *cap;     /* the capability of the workload */
	const char *trace;   /* the trace that has the call */
	const char *callers; /* the libraries that made the calls (sniff --who); NULL if not recorded */
};

struct bootstrap_observed {
	const struct bootstrap_use *uses; /* sorted by bootstrap_use_order() */
	size_t count;
	const char *const *given; /* the capabilities that the user gave for all new ioctls, sorted; may be
				     empty */
	size_t given_count;
};

/* Facts that the documents do not have. */
struct bootstrap_options {
	const char *sha256_x86_64, *sha256_arm64; /* of the version's packages, 64 hexadecimal digits; NULL if
						     unknown */
	const struct bootstrap_observed *observed; /* ioctls that workloads used; NULL if unknown. Must
						      outlive the result */
	const struct use_rules *use; /* rules about the memory that the driver copies; NULL if unknown */
	const char *const *add;	     /* further ioctls that bootstrap_version() adds; words as in
					bootstrap_add() */
	size_t add_count;
	const struct suppressions *accepted; /* findings that are not faults of the table; may be NULL */
	const char *origin;    /* the source of the version's document, "the tree in DIR"; NULL: its commit */
	const char *parent_by_number; /* if the version is not in the graph, the version that it follows
					 according to its number; otherwise NULL */
};

/*
 * The place of a version among the nodes of a table, according to the driver's commit graph, not to version
 * numbers.
 */
struct bootstrap_position {
	const struct table_node *base; /* the node of the version itself, or of its nearest ancestor */
	bool exists;                   /* @base is the node of the version itself */
	const size_t *path;            /* indices in the graph: the version of @base, all versions between,
					  the version itself */
	size_t path_count;             /* 1 if @exists */
	const struct bootstrap_misplaced *misplaced; /* in the order of the table */
	size_t misplaced_count;
};

/**
 * bootstrap_version - list what the table needs for a version: entries, types, new parents of existing nodes,
 * and with options->add also more ioctls
 * @out:      lives in @arena; graph, documents and table must outlive it
 * @position: the version's position, from bootstrap_find(). @graph must have the documents of all versions of
 * the path, except of versions that cannot be read
 * @types:    a set with the table's types, to which the new types are added; lives as long as @out
 *
 * Return: 0; an error of verify_view(), diff_documents(), flatten_record(), proxytype_declare() or
 * bootstrap_add().
 */
int bootstrap_version(struct bootstrap *out, const struct bootstrap_position *position,
		      const struct history_graph *graph, const struct table *table,
		      struct proxytype_set *types, const struct bootstrap_options *options,
		      struct arena *arena, struct err *err);

/**
 * bootstrap_add - list what the table needs to forward more ioctls
 * @out:   lives in @arena; graph, documents and table must outlive it
 * @graph: has the available documents of the table's nodes, and of their ancestors, which show since when the
 * driver has an ioctl
 * @words: names, or numbers as a log shows them ("0x20801358")
 * @options: its checksums are not used
 *
 * Return: 0; ERR_NOT_FOUND if no node's version has one of the ioctls, or if the table already forwards it at
 * all nodes whose versions have it; ERR_USAGE if a number belongs to several ioctls; an error of
 * flatten_record() or proxytype_declare().
 */
int bootstrap_add(struct bootstrap *out, const struct history_graph *graph, const struct table *table,
		  struct proxytype_set *types, const char *const *words, size_t word_count,
		  const struct bootstrap_options *options, struct arena *arena, struct err *err);

/*
 * bootstrap_guess - set caps and supersedes of a candidate from its family, name, number and ioctl
 * @view:     the table at the version; if the candidate already has an entry, the entry is ignored
 * @observed: the recorded workloads; may be NULL
 */
void bootstrap_guess(struct bootstrap_candidate *one, const struct table_view *view,
		     const struct bootstrap_observed *observed, struct arena *arena);

/* bootstrap_use_order - compare by family, name, number, capability, trace: for qsort() */
int bootstrap_use_order(const void *a, const void *b);

/**
 * bootstrap_find - find the node that a version follows
 * @graph: does not need documents
 *
 * Return: 0; ERR_NOT_FOUND if no ancestor of the version has a node.
 */
int bootstrap_find(struct bootstrap_position *out, const struct history_graph *graph,
		   const struct table *table, size_t version, struct arena *arena, struct err *err);

/*
 * bootstrap_assume_parent - guess the parent of a version that is not in the graph: the newest older version
 * with the same first number, or else the newest older version on the main branch. Return: its index;
 * HISTORY_NO_PARENT if there is none.
 *
 * For 167 of the 193 releases from 515.43.04 to 595.45.04, the guess is the nearest ancestor. For 188 of
 * them, the guess leads to the right node of gVisor's table.
 */
long bootstrap_assume_parent(const struct history_version *versions, size_t count, const char *version);

#endif
