/* bootstrap/internal.h - one run of bootstrap_version() or bootstrap_add(), while it is computed */
#ifndef BOOTSTRAP_INTERNAL_H
#define BOOTSTRAP_INTERNAL_H

#include "bootstrap/bootstrap.h"

#include <string.h>

/* A record of an entry, as a version has it. */
struct resolved_struct {
	const char *record;       /* its name there; NULL if there is none */
	bool has_layout;          /* false for an alias ("NvHandle") and for none */
	struct abi_layout layout;
	uint64_t size_bytes;
};

/* An entry of the table in a later version. */
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
	const struct abi_leaf *new_role; /* a pointer, fd or pid added to a record that is read; or NULL */
	const struct table_entry *now;   /* the entry in the patch; NULL: removed, or nothing to write */
};

/* What verify finds. */
struct boot_findings {
	const struct verify_finding *items;
	size_t count;
	const struct verify_finding *warnings; /* findings that do not count */
	size_t warning_count;
};

struct boot {
	const struct bootstrap_position *position;
	const struct history_graph *graph;
	const struct table *table;
	const struct bootstrap_options *options;
	struct proxytype_set *types;
	const struct abi *base, *next;
	struct table_view forwarded;     /* at the parent's node */
	struct table_view view;          /* what of it can be compared */
	struct boot_findings known;      /* at the parent */
	size_t accepted_count;           /* of them */
	struct boot_change *changes;     /* in the order of @view */
	size_t change_count;
	struct bootstrap_entry *entries; /* @out.entries, until they are complete */
	struct arena *arena;
	struct err *err;
	struct bootstrap out;
};

/* boot_document, boot_version - of the path, by index. The document is NULL if it could not be read. */
static inline const struct abi *boot_document(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].abi;
}

static inline const char *boot_version(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].version;
}

/*
 * boot_change_of - the change of @entry; NULL if it did not change. Call it for all entries of the view, in
 * their order, with *@next_change 0 at first.
 */
static inline const struct boot_change *boot_change_of(const struct boot *boot,
						       const struct table_entry *entry, size_t *next_change)
{
	if (*next_change == boot->change_count || boot->changes[*next_change].was != entry)
		return NULL;
	return &boot->changes[(*next_change)++];
}

/* same_text - either may be NULL. */
static inline bool same_text(const char *a, const char *b)
{
	return !a ? !b : b && !strcmp(a, b);
}

/* --- bootstrap.c: results that are collected on the way ----------------------------- */

/* boot_room - @items, which are in the run's arena, with room for one more; they may have moved. */
void *boot_room(const struct boot *boot, const void *items, size_t count, size_t size);

void boot_audit(struct boot *boot, struct bootstrap_audit one);
void boot_todo(struct boot *boot, const char *what, const char *node, const char *name, const char *why);
void boot_not_checked(struct boot *boot, const char *text);

/* --- compare.c: layouts; ioctls and records in a version; which entries changed ---------- */

/*
 * layouts_same - do both have the same scalars at the same offsets, with the same pointers, fds, handles and
 * pids? @with_names: and the same names, declared types and other roles
 */
bool layouts_same(const struct abi_layout *a, const struct abi_layout *b, bool with_names);

/* layouts_is_translated - must a proxy act on this scalar: a pointer, fd or pid, but no address of the
 * kernel? */
bool layouts_is_translated(const struct abi_leaf *leaf);

/* layouts_translated_text - "pBuf (NvP64 at 8) is a pointer" */
const char *layouts_translated_text(const struct abi_leaf *leaf, struct arena *arena);

/*
 * layouts_new_translated - the first such scalar of @now that @was has neither at the same offset nor under
 * the same name, nor another process id; NULL if there is none, or one of the two has no layout.
 */
const struct abi_leaf *layouts_new_translated(const struct resolved_struct *was,
					      const struct resolved_struct *now);

/* resolve_ioctl - by family and number, of several the one called @name, else the first; NULL if there is
 * none. */
const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number,
				      const char *name);

/* resolve_is_command - is @name that of a command's macro, "NV2080_CTRL_CMD_X"? */
static inline bool resolve_is_command(const char *name)
{
	return strstr(name, "_CTRL_CMD_");
}

/* resolve_is_number - can it be an ioctl's? False for NULL. */
static inline bool resolve_is_number(const struct abi_constant *constant)
{
	return constant && !constant->value.negative && constant->value.magnitude <= UINT32_MAX;
}

/* resolve_has - has @abi an ioctl of that family and name, or a macro of that name? */
static inline bool resolve_has(const struct abi *abi, const char *family, const char *name)
{
	return abi_find_ioctl(abi, family, name) || abi_find_constant(abi, name);
}

/* resolve_layout - the layout of a record or the size of an alias; nothing if @abi has neither. */
int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err);

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

/* --- decide.c: the work for each changed entry ------------------------------------------ */

/* findings_same_entry - are both about one entry? */
static inline bool findings_same_entry(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry);
}

/*
 * findings_known - sets what verify finds at the parent, and the faults: those that are not accepted. Return:
 * 0; what verify_view() returns.
 */
int findings_known(struct boot *boot);

/*
 * findings_fresh - what verify finds of @entries in @abi, and does not find at the parent
 * @entries: sorted; their types are those of @types
 *
 * Warnings are listed apart: they do not distinguish two versions. Return: 0; what verify_view() returns.
 */
int findings_fresh(struct boot_findings *out, struct boot *boot, const struct abi *abi,
		   const struct table *types, const struct table_entry *const *entries, size_t count);

/*
 * naming_free_entry - "NAME_V575" for an entry that has another number since @version; with all of the
 * version if that name is taken.
 */
const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version,
			      struct arena *arena);

/*
 * naming_is_generic - does the table have a function of this kind with more than one type? Then it takes
 * its type as a parameter.
 */
bool naming_is_generic(const struct table *table, const struct table_handler *handler);

/**
 * pointers_find - sets the pointers of @entry, and what else a handler has to know
 * @abi:     the document of its node
 * @ioctl:   the entry there; NULL if only a macro has it
 * @objects: objects that a handler may have to track; NULL: nothing
 *
 * Return: 0; what flatten_record() and abi_resolve_type() return.
 */
int pointers_find(struct boot *boot, struct bootstrap_entry *entry, const struct abi *abi,
		  const struct abi_ioctl *ioctl, const char *objects);

/* naming_stem - how long @name is without a "_V2" or "_V575" at its end. */
size_t naming_stem(const char *name);

/*
 * decide_actions - sets the action of each change, since when, its new types and its new entry. Return: 0;
 * what verify_view(), flatten_record() and proxytype_declare() return.
 */
int decide_actions(struct boot *boot);

/* decide_unsettled - what verify would still find in the version with all that was decided. */
int decide_unsettled(struct boot_findings *out, struct boot *boot);

/* decide_types - the table's types, and the new ones. */
struct table decide_types(const struct boot *boot);

/* decide_with_new - @types, *@count of them, and the new ones of @set; sorted. */
const struct table_type *decide_with_new(size_t *count, const struct table_type *types,
					 struct proxytype_set *set, struct arena *arena);

/* --- describe.c: why an entry changed, and what to write where in the proxy's source --------- */

/* describe_changes - sets the entries, except for their edits. Return: 0; what diff_documents() returns. */
int describe_changes(struct boot *boot);

/* edits_write - sets the edits of all entries, and a TODO for each that is one. */
void edits_write(struct boot *boot);

/* --- candidates.c: ioctls that the parent does not have, and doubtful fields -------------------- */

/*
 * candidates_find - sets candidates, and adds doubtful fields of the simple ones to audit. Return: 0;
 * what flatten_record() returns.
 */
int candidates_find(struct boot *boot);

/*
 * candidates_judge - sets record, size, is_macro, is_simple, objects and why, by family, name and ioctl. A
 * command of which there is only a macro takes the record of its name.
 */
int candidates_judge(struct bootstrap_candidate *one, const struct abi *abi, struct boot *boot);

/* candidates_order - by family, number, name: for qsort() */
int candidates_order(const void *a, const void *b);

/**
 * audit_record - adds the doubtful fields of a record of @abi
 * @is_simple: it is, or may be, passed through unread; otherwise a handler has to be written, and only the
 *             product that it computes is reported
 *
 * Return: 0; what flatten_record() returns.
 */
int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi,
		 const char *record, bool is_simple);

/* audit_changed - those of the changed entries that stay unread. */
int audit_changed(struct boot *boot);

/* --- add.c ---------------------------------------------------------------------------- */

/*
 * add_ioctls - adds entries, candidates and @nodes, room for each of the table, for ioctls that the table
 * does not have; with a position, at the versions of its path as well. Return: what bootstrap_add()
 * returns.
 */
int add_ioctls(struct boot *boot, struct bootstrap_node *nodes, const char *const *words, size_t word_count);

/* --- nodes.c: the chain of new nodes, and the patch of the table ------------------------ */

/* nodes_entries - sets what @node, of a table that is not sealed, has of its own from the run's entries. */
void nodes_entries(struct table_node *node, const struct bootstrap *from, struct arena *arena);

/* nodes_build - sets nodes and verdict from the entries; nodes that add_ioctls() added stay before them. */
void nodes_build(struct boot *boot, struct bootstrap_node *nodes);

/*
 * nodes_move - the table's nodes that follow the parent, and descend from a new node: adds them with that as
 * their parent, or a TODO that says why not. The new nodes are complete.
 */
void nodes_move(struct boot *boot, struct bootstrap_node *nodes);

/* between_check - a TODO for each entry of a node between of which verify finds something there. */
int between_check(struct boot *boot);

/* nodes_patch - sets patch from nodes, entries and new types. */
void nodes_patch(struct boot *boot);

#endif
