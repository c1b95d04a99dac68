/*
 * bootstrap/run.h - one run of bootstrap_version(), while it is computed
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_RUN_H
#define BOOTSTRAP_RUN_H

#include "bootstrap/bootstrap.h"
#include "bootstrap/resolve.h"

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
	const struct abi_leaf *came;     /* a pointer, fd or pid that came into a record which is read; NULL */
	const struct table_entry *now;   /* what the patch says; NULL: removed, or nothing to write */
};

struct boot_lists;

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

/* boot_is_unchanged - is the entry in a version what it is in the parent's, names and declared types and all? */
bool boot_is_unchanged(const struct boot_change *change, const struct resolved *other);

#endif
