/* bootstrap/internal.h - the state of one run of bootstrap_version() or bootstrap_add() */
#ifndef BOOTSTRAP_INTERNAL_H
#define BOOTSTRAP_INTERNAL_H

#include "bootstrap/bootstrap.h"

/* A record of an entry, as it is in one version. */
struct resolved_struct {
	const char *record;       /* its name in the version; NULL if there is no such record */
	bool has_layout;          /* false if it is an alias ("NvHandle"), or does not exist */
	struct abi_layout layout;
	uint64_t size_bytes;
};

/* An entry of the table, as it is in a later version. */
struct resolved {
	bool is_gone;             /* the version does not have the ioctl */
	const char *constant;     /* NULL if the version has no macro for it */
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL if no table of the driver lists it */
	const struct resolved_struct *structs; /* indexed like those of the entry */
};

/* An entry of the parent's view, and how it changed. */
struct boot_change {
	const struct table_entry *was;
	struct resolved base, next;      /* the entry in the parent's document, and in the version's
					    document */
	enum bootstrap_action action;
	size_t since;                    /* index in the path: from that version on, the entry is as in the
					    last version */
	struct changed_struct {
		const char *type;        /* the proxy's type; NULL if unread */
		bool needs_type;         /* it needs a new type */
	} *structs;                      /* indexed like those of the entry */
	const char *why;
	const struct abi_scalar *new_role; /* a pointer, fd or pid added to a record that is read; or NULL */
	const struct table_entry *now;   /* the entry in the patch; NULL if removed, or if nothing changes */
};

/* The result of verify. */
struct boot_findings {
	const struct verify_finding *items;
	size_t count;
	const struct verify_finding *warnings; /* findings of rules that only warn */
	size_t warning_count;
};

struct boot {
	const struct bootstrap_position *position;
	const struct history_graph *graph;
	const struct table *table;
	const struct bootstrap_options *options;
	struct proxytype_set *types;
	const struct abi *base, *next;
	struct table_view forwarded;     /* all entries at the parent's node */
	struct table_view view;          /* the entries of @forwarded that can be compared */
	struct boot_findings known;      /* findings at the parent */
	size_t accepted_count;           /* how many of @known are accepted */
	struct boot_change *changes;     /* in the order of @view */
	size_t change_count;
	struct bootstrap_entry *entries; /* @out.entries, until they are complete */
	struct arena *arena;
	struct err *err;
	struct bootstrap out;
};

/*
 * boot_document, boot_version - return the document or the name of the version at @index of the path. The
 * document is NULL if it cannot be read.
 */
static inline const struct abi *boot_document(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].abi;
}

static inline const char *boot_version(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].version;
}

/*
 * boot_change_of - return the change of @entry; NULL if the entry did not change. Call it for all entries of
 * the view, in their order, with *@next_change set to 0 at first.
 */
static inline const struct boot_change *boot_change_of(const struct boot *boot,
						       const struct table_entry *entry, size_t *next_change)
{
	if (*next_change == boot->change_count || boot->changes[*next_change].was != entry)
		return NULL;
	return &boot->changes[(*next_change)++];
}

/* --- bootstrap.c: lists of the result ------------------------------------------------- */

/* boot_audit - add a doubtful field to bootstrap.audit */
void boot_audit(struct boot *boot, struct bootstrap_audit one);
/* boot_todo - add a TODO to bootstrap.todo. @what, @node, @name: see struct bootstrap_todo */
void boot_todo(struct boot *boot, const char *what, const char *node, const char *name, const char *format,
	       ...) __attribute__((format(printf, 5, 6)));
/* boot_not_checked - add a sentence to bootstrap.not_checked */
void boot_not_checked(struct boot *boot, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- compare.c: find the ioctls and records of a version, and the entries that changed ---------- */

/*
 * layouts_same - check whether two layouts have the same scalars at the same offsets, with the same pointers,
 * fds, handles and pids. With @with_names, names, declared types and all other roles must be the same, too.
 */
bool layouts_same(const struct abi_layout *a, const struct abi_layout *b, bool with_names);

/*
 * layouts_is_translated - check whether a proxy has to translate the scalar, because it is a pointer, fd or
 * pid. A kernel address is not translated.
 */
bool layouts_is_translated(const struct abi_scalar *scalar);

/* layouts_translated_text - return a text such as "pBuf (NvP64 at 8) is a pointer" */
const char *layouts_translated_text(const struct abi_scalar *scalar, struct arena *arena);

/*
 * layouts_new_translated - find the first scalar of @now that has to be translated, and that @was has neither
 * at the same offset nor under the same name. A pid is not new if @was has any pid, or if the driver converts
 * it. Return: NULL if there is none, or if @was or @now has no layout.
 */
const struct abi_scalar *layouts_new_translated(const struct boot *boot, const struct resolved_struct *was,
					      const struct resolved_struct *now);

/* layouts_is_converted - check whether the new version converts the pid, according to the rules */
bool layouts_is_converted(const struct boot *boot, const struct abi_scalar *scalar,
			  const struct abi_layout *layout);

/*
 * layouts_new_pid - find a pid of @now that @was has neither at the same offset nor under the same name; one
 * that the driver does not convert, if there is one. Return: NULL if there is none.
 */
const struct abi_scalar *layouts_new_pid(const struct boot *boot, const struct resolved_struct *was,
				       const struct resolved_struct *now);

/*
 * resolve_ioctl - find an ioctl by family and number. If there are several, prefer the one called @name.
 * Return: NULL if there is none.
 */
const struct abi_ioctl *resolve_ioctl(const struct abi *abi, const char *family, uint64_t number,
				      const char *name);

/* resolve_is_command - check whether @name is the macro of a command, "NV2080_CTRL_CMD_X" */
static inline bool resolve_is_command(const char *name)
{
	return strstr(name, "_CTRL_CMD_");
}

/* resolve_is_number - check whether the constant's value can be an ioctl number. Return: false for NULL. */
static inline bool resolve_is_number(const struct abi_constant *constant)
{
	return constant && !constant->value.negative && constant->value.magnitude <= UINT32_MAX;
}

/* resolve_has - check whether @abi has an ioctl with that family and name, or a macro with that name */
static inline bool resolve_has(const struct abi *abi, const char *family, const char *name)
{
	return abi_find_ioctl(abi, family, name) || abi_find_constant(abi, name);
}

/*
 * resolve_layout - set the layout of a record, or the size of an alias; @out is empty if @abi has neither.
 * Return: 0; an error of flatten_record().
 */
int resolve_layout(struct resolved_struct *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err);

/*
 * compare_entries - look up the entries of the view in both versions. Set the changes, the numbers of the
 * proof, and the list of reverted changes. Return: 0; an error of flatten_record().
 */
int compare_entries(struct boot *boot);

/*
 * compare_find_since - set change->since: the version from which on the entry is as in the last version. If
 * the action is BOOTSTRAP_NONE, names must be the same, too. Return: 0; an error of flatten_record().
 */
int compare_find_since(struct boot *boot, struct boot_change *change);

/* --- decide.c: the work for each changed entry ------------------------------------------ */

/* findings_same_entry - check whether both findings are about the same entry */
static inline bool findings_same_entry(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry);
}

/*
 * findings_known - set the findings at the parent, and the faults, which are the findings that are not
 * accepted.
 * Return: 0; an error of verify_view().
 */
int findings_known(struct boot *boot);

/*
 * findings_fresh - list the findings about @entries in @abi that verify does not have at the parent
 * @entries: sorted; @types has their types
 *
 * Warnings are listed separately, because they do not require a change of the table. Return: 0; an error of
 * verify_view().
 */
int findings_fresh(struct boot_findings *out, struct boot *boot, const struct abi *abi,
		   const struct table *types, const struct table_entry *const *entries, size_t count);

/*
 * naming_free_entry - make a name for an entry whose number changed in @version: "NAME_V575", or with the
 * whole version number if that name is taken.
 */
const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version,
			      struct arena *arena);

/*
 * naming_is_generic - check whether the table uses the handler's function with more than one type. Such a
 * function has a type parameter.
 */
bool naming_is_generic(const struct table *table, const struct table_handler *handler);

/**
 * pointers_find - set the pointers and fds of @entry, and the unknown facts that the author of a handler
 * needs
 * @abi:     the document of the entry's node
 * @ioctl:   the ioctl in @abi; NULL if only a macro exists
 * @objects: objects that a handler may have to track; NULL if there are none
 *
 * Sets nothing without options->use. Return: 0; an error of flatten_record() or abi_resolve_type().
 */
int pointers_find(struct boot *boot, struct bootstrap_entry *entry, const struct abi *abi,
		  const struct abi_ioctl *ioctl, const char *objects);

/* naming_stem - return the length of @name without "_V2" or "_V575" at its end. */
size_t naming_stem(const char *name);

/*
 * decide_actions - set the members of each change from `action` on. Return: 0; an error of verify_view(),
 * flatten_record() or proxytype_declare().
 */
int decide_actions(struct boot *boot);

/*
 * decide_unsettled - list the findings that verify still has in the version when all decisions are applied,
 * and did not have at the parent. Return: 0; an error of verify_view().
 */
int decide_unsettled(struct boot_findings *out, struct boot *boot);

/* table_with_new_types - return the table with its old types and the new types. */
struct table table_with_new_types(const struct boot *boot);

/* types_with_new - return @types and the new types of @set, sorted. @count: their number, before and after */
const struct table_type *types_with_new(size_t *count, const struct table_type *types,
					 struct proxytype_set *set, struct arena *arena);

/* --- describe.c: say why an entry changed, and make the edits of the proxy's source --------- */

/*
 * describe_changes - set the entries of the result, except for their edits, and add the TODOs about changes
 * of the ioctls. Return: 0; an error of diff_documents().
 */
int describe_changes(struct boot *boot);

/* edits_write - set the edits of all entries, and list the TODOs of these edits. */
void edits_write(struct boot *boot);

/* --- candidates.c: find ioctls that the parent does not have, and doubtful fields -------------------- */

/*
 * candidates_find - set the candidates, and add the doubtful fields of simple candidates to the audit.
 * Return: 0; an error of flatten_record().
 */
int candidates_find(struct boot *boot);

/*
 * candidates_judge - set record, size, is_macro, is_simple, objects and why, from family, name and ioctl. If
 * there is only a macro, its name gives the record. Return: 0; an error of flatten_record().
 */
int candidates_judge(struct bootstrap_candidate *one, const struct abi *abi, struct boot *boot);

/* candidates_order - compare by family, number, name: for qsort() */
int candidates_order(const void *a, const void *b);

/**
 * audit_record - add the doubtful fields of a record of @abi to bootstrap.audit
 * @is_simple: the record is, or can be, passed through unread. Otherwise a handler must be written, and only
 * products that the handler has to compute are reported
 *
 * Return: 0; an error of flatten_record().
 */
int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi,
		 const char *record, bool is_simple);

/*
 * audit_changed - add the doubtful fields of changed records that the table passes through unread to
 * bootstrap.audit. Return: 0; an error of flatten_record().
 */
int audit_changed(struct boot *boot);

/* --- add.c ---------------------------------------------------------------------------- */

/*
 * add_ioctls - add entries, candidates and @nodes for ioctls that the table does not have. @nodes has room
 * for each node of the table. In a run of bootstrap_version(), ioctls are added at the versions of the path
 * as well.
 * Return: 0; an error of bootstrap_add().
 */
int add_ioctls(struct boot *boot, struct bootstrap_node *nodes, const char *const *words, size_t word_count);

/* --- nodes.c: make the new nodes, and the patch of the table ------------------------ */

/*
 * nodes_entries - set the entries of @node, sorted, from those of the result that change at its version. An
 * entry that is removed, or gets a new name, is written as removed under its old name.
 */
void nodes_entries(struct table_node *node, const struct bootstrap *from, struct arena *arena);

/*
 * nodes_build - append the new nodes to the nodes of add_ioctls(), and set the verdict. If the table has the
 * node of the version, but does not mark it as supported, the node is also added.
 */
void nodes_build(struct boot *boot, struct bootstrap_node *nodes);

/*
 * nodes_move - find the table's nodes that follow the parent, but descend from a new node. Adds each of them
 * with the new node as its parent, or adds a TODO that says why it cannot be moved. Call it when the new
 * nodes are complete.
 */
void nodes_move(struct boot *boot, struct bootstrap_node *nodes);

/*
 * between_check - add a TODO for each entry that has a new finding of verify at an intermediate node.
 * Return: 0; an error of verify_view().
 */
int between_check(struct boot *boot);

/* nodes_patch - set types of the result, and the patch from the nodes, entries and new types. */
void nodes_patch(struct boot *boot);

#endif
