/*
 * bootstrap/internal.h - one run of bootstrap_version(), while it is computed
 */
#ifndef BOOTSTRAP_INTERNAL_H
#define BOOTSTRAP_INTERNAL_H

#include "bootstrap/bootstrap.h"
#include "abi/abi.h"

struct boot_lists;

/*
 * what an entry of the table is in a later version
 *
 * compare.c says how a renamed or renumbered ioctl is found again.
 */

/* A record of an entry, as a version has it. */
struct resolved_struct {
	const char *record;       /* its name there; NULL: there is none */
	bool has_layout;          /* false for an alias ("NvHandle") and for none */
	struct abi_layout layout;
	uint64_t size_bytes;
};

struct resolved {
	bool is_gone;             /* the version has no such ioctl */
	const char *constant;     /* NULL: it has no macro there */
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL: no table of the driver lists it */
	const struct resolved_struct *structs; /* beside those of the entry */
};

/* An entry of the parent's view, and what became of it. */
struct boot_change {
	const struct table_entry *was;
	struct resolved base, next;      /* in the parent's document, and in the version's */
	bool is_read;
	enum bootstrap_action action;
	size_t since;                    /* in the path: from here on it is as in the version */
	const char **record;             /* by struct: its name in the version; NULL: gone */
	const char **type;               /* by struct: the proxy's type for it; NULL: unread */
	bool *needs_type;                /* by struct */
	const char *why;
	const struct abi_leaf *came;     /* a pointer, fd or pid that came into a record which is read; NULL
					    */
	const struct table_entry *now;   /* what the patch says; NULL: removed, or nothing to write */
};

/* what is collected on the way: doubts, TODOs, remarks */

struct boot_lists {
	struct bootstrap_audit *audit;
	size_t audit_count, audit_capacity;
	struct bootstrap_todo *todo;
	size_t todo_count, todo_capacity;
	const char **not_checked;
	size_t not_checked_count, not_checked_capacity;
	const char **proof;
	size_t proof_count, proof_capacity;
};

struct boot {
	const struct bootstrap_position *position;
	const struct history_graph *graph;
	const struct table *table;
	const struct bootstrap_options *options;
	struct proxytype_set *types;
	const struct abi *base, *next;
	struct table_view view;                  /* at the parent's node */
	const struct verify_finding *known;      /* what verify finds at the parent */
	size_t known_count;
	const struct verify_finding *known_warnings; /* what it finds there that does not count */
	size_t known_warning_count;
	struct boot_change *changes;             /* by family, name */
	size_t change_count;
	struct boot_lists *lists;                /* what is collected on the way */
	struct arena *arena;
	struct err *err;
	struct bootstrap out;
};

/* boot_document - of a version of the path; NULL if it could not be read. */
const struct abi *boot_document(const struct boot *boot, size_t index);
/* boot_version - the name of a version of the path. */
const char *boot_version(const struct boot *boot, size_t index);

void lists_audit(struct boot *boot, struct bootstrap_audit one);
void lists_todo(struct boot *boot, struct bootstrap_todo one);
/* lists_not_checked, lists_proof - one sentence, in the run's arena. */
void lists_not_checked(struct boot *boot, const char *text);

/* lists_finish - hands all of them to the result. */
void lists_finish(struct boot *boot);
void lists_release(struct boot_lists *lists);

/* what verify finds in a version, and did not find at the parent */

struct boot_findings {
	const struct verify_finding *items;
	size_t count;
	const struct verify_finding *warnings; /* findings that do not count: set by findings_fresh() */
	size_t warning_count;
};

/*
 * findings_known - sets what verify finds at the parent, and the table's faults. Return: 0; what
 * verify_view() returns.
 */
int findings_known(struct boot *boot);

/* findings_fresh_in - the same in the document of another version. */
int findings_fresh_in(struct boot_findings *out, struct boot *boot, const struct abi *abi,
		      const struct table *types, const struct table_entry *const *entries, size_t count);

/* are two layouts the same to a proxy? */

/*
 * layouts_same_bytes - the same scalars at the same offsets, with the same pointers, fds, handles and pids;
 * whatever their names are.
 */
bool layouts_same_bytes(const struct abi_layout *a, const struct abi_layout *b);

/* layouts_same - and the same names and declared types. */
bool layouts_same(const struct abi_layout *a, const struct abi_layout *b);

/*
 * layouts_is_translated - must a proxy act on this scalar? A pointer, fd or pid; an address of the kernel is
 * none.
 */
bool layouts_is_translated(const struct abi_leaf *leaf);

/*
 * layouts_new_translated - the first such scalar of @now that @was has neither at the same offset nor under
 * the same name, nor another process id; NULL if there is none.
 */
const struct abi_leaf *layouts_new_translated(const struct abi_layout *was, const struct abi_layout *now);

/* layouts_translated_words - "pointer", "file descriptor", "process id" */
const char *layouts_translated_words(const struct abi_leaf *leaf);

/* names that are free in a table, and handlers that take any type */

/*
 * naming_free_entry - "NAME_V575" for an entry that has another number since @version; with all of the
 * version if that name is taken.
 */
const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version,
			      struct arena *arena);

/*
 * naming_is_generic - does a function of this kind stand in the table with more than one type? Then it takes
 * its type as a parameter.
 */
bool naming_is_generic(const struct table *table, const struct table_handler *handler);

/* naming_stem - how long @name is without a "_V2" or "_V575" at its end. */
size_t naming_stem(const char *name);

/* fields that somebody should look at before a record is called simple */

/**
 * audit_record - adds what is doubtful about a record of @abi
 * @is_simple: it is, or may be, passed through unread; else a handler has to be written, and only what that
 *             has to compute is told
 *
 * Return: 0; what flatten_record() returns.
 */
int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi,
		 const char *record, bool is_simple);

/* audit_changed - those of the changed entries that stay unread. */
int audit_changed(struct boot *boot);

/* what a version offers that its parent did not, and is there more to its parameters than bytes? */

/*
 * candidates_find - sets candidates, and adds what is doubtful about the simple ones to audit. Return: 0;
 * what flatten_record() returns.
 */
int candidates_find(struct boot *boot);

/* candidates_judge - sets record, size, is_simple and why; @params: NULL if it has none. */
int candidates_judge(struct bootstrap_candidate *out, const struct abi *abi, const char *params,
		     struct arena *arena, struct err *err);

/**
 * candidates_params - the record that an ioctl takes
 *
 * What the driver's table says; for a command of which there is only a macro, by its name:
 * NV2080_CTRL_CMD_X takes NV2080_CTRL_X_PARAMS. NULL if it takes none, or nothing says.
 */
const char *candidates_params(const struct abi *abi, const struct abi_ioctl *ioctl, const char *name,
			      struct arena *arena);

/* which entries changed, and at which version first */

/*
 * compare_entries - sets changes and proof, and what passed in between. Return: 0; what flatten_record()
 * returns.
 */
int compare_entries(struct boot *boot);

/*
 * compare_find_since - sets the version from which on @change is as it is. Return: 0; what flatten_record()
 * returns.
 */
int compare_find_since(struct boot *boot, struct boot_change *change);

/* what has to be done about each entry that changed */

/*
 * decide_actions - sets the action of each change, since when, its new types and its new entry
 *
 * Return: 0; what verify_view(), flatten_record() and proxytype_declare() return.
 */
int decide_actions(struct boot *boot);

/* decide_unsettled - what verify would still find in the version with all that was decided. */
int decide_unsettled(struct boot_findings *out, struct boot *boot);

/* decide_types - the table's types, and the new ones. */
struct table decide_types(const struct boot *boot);

/* why an entry changed, field by field, and what to write where */

/*
 * describe_changes - sets the entries of the result, but for their edits. Return: 0; what diff_documents()
 * returns.
 */
int describe_changes(struct boot *boot);

/*
 * what to write where in the proxy's source
 *
 * In the words of gVisor's nvproxy (pkg/sentry/devices/nvproxy, pkg/abi/nvgpu).
 */

/* edits_write - sets the edits of one entry, and a TODO for each that is one. */
void edits_write(struct boot *boot, struct bootstrap_entry *entry);

/* the chain of new nodes, and the patch of the table */

/* nodes_build - sets nodes and verdict from the entries. */
void nodes_build(struct boot *boot);

/* nodes_patch - sets patch from nodes, entries and new types. */
void nodes_patch(struct bootstrap *out, const struct table *table, struct proxytype_set *types,
		 struct arena *arena);

/* are the nodes between right at their own versions? */

/*
 * between_check - after nodes_build(): a TODO for each entry of a node between of which verify finds
 * something there.
 */
int between_check(struct boot *boot);

/* @entry is right for @base; @next is the same version or a later one. */
struct resolver {
	const struct abi *base, *next;
	struct arena *arena;
	struct err *err;
};

/*
 * resolve_ioctl - the ioctl of a family and number, of several the one called @name; NULL if there is none.
 */
const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number,
				      const char *name);

/* resolve_is_command - is @name that of a command's macro, "NV2080_CTRL_CMD_X"? */
bool resolve_is_command(const char *name);

/*
 * resolve_params_by_name - by the driver's custom NV2080_CTRL_CMD_X takes NV2080_CTRL_X_PARAMS; NULL if there
 * is no such record.
 */
const char *resolve_params_by_name(const struct abi *abi, const char *name, struct arena *arena);

/* resolve_layout - the layout of a record or the size of an alias; nothing if @abi has neither. */
int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err);

/* the ioctl that a name or number of a log stands for */

/* caps_is_guarded - is the ioctl privileged, internal, for tests, or (NULL) in no table of the driver? */
bool caps_is_guarded(const struct abi_ioctl *ioctl);

#endif
