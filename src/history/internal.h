/* history/internal.h - changes, filters and facts of a table that the files of history share */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include "history/history.h"

/* history_same - are two documents equal, so that only version, commit, sources and warnings can differ? */
bool history_same(const struct abi *a, const struct abi *b);

/* history_known_parent - find the nearest ancestor with a document; HISTORY_NO_PARENT if there is none. */
long history_known_parent(const struct history_version *versions, long version);

/* forwarded_node_along - find the node of @version or of its nearest ancestor with one; NULL if none */
const struct table_node *forwarded_node_along(const struct table *table, const struct history_graph *graph,
					      long version);

/*
 * span_is_of - does @span belong to an item of @kind with @name? @family: of an ioctl; NULL matches any
 * family
 */
bool span_is_of(const struct history_span *span, enum abi_kind kind, const char *family, const char *name);

/*
 * span_ends - list the versions whose @has is @wanted, but whose parents' @has is not
 * @within: only these versions; NULL: all
 * @out:    lives in @arena; ascending
 *
 * Return: the number of versions.
 */
size_t span_ends(const size_t **out, const struct history_graph *graph, const bool *has, bool wanted,
		 const bool *within, struct arena *arena);

/* --- changes that outlive the comparison that found them ------------------------------------ */

/*
 * history_copy_change - copy @change into @arena
 *
 * A comparison needs some megabytes, but its changes need only some kilobytes. The copy still points into the
 * two documents and the table. It has no links to other changes (@under, reported), and no new_roles.
 */
void history_copy_change(struct diff_change *out, const struct diff_change *change, struct arena *arena);

/* --- command numbers that only a macro has -------------------------------------------------- */

/*
 * A macro such as NV2080_CTRL_CMD_X is the number of a command even if the driver's tables do not list the
 * command. A proxy that forwards numbers can forward this number, too. The differ treats such a macro as a
 * plain constant.
 */

/* How the macros of a family's ioctls are named. */
struct command_form {
	const char *family;  /* "control"; NULL if no ioctl has such a name, so that no macro is a command */
	const char *infix;   /* "_CTRL_CMD_", part of the first such ioctl's name; not NUL-terminated */
	size_t infix_length;
};

/* command_form_of - find how @abi names the macros of its ioctls' commands. The result points into @abi. */
struct command_form command_form_of(const struct abi *abi);

/* macro_is_command - does the name of @constant show that it is the number of a command? */
bool macro_is_command(const struct command_form *form, const struct abi_constant *constant);

/*
 * command_name_owners - set number_was of changes if only a macro shows which command had the number
 * @arena: for temporary memory
 *
 * If a change gives a number to an ioctl or a command, number_was is the macro that had the number in @base
 * and does not have it in @next. If a change removes an ioctl or a command, number_was is the macro that has
 * the number only in @next. A value that the differ set is kept.
 */
void command_name_owners(struct diff_change *changes, size_t count, const struct abi *base,
			 const struct abi *next, struct arena *arena);

/*
 * command_renumbered - did an ioctl get a different number, with the same or a different name, or did the
 * macro of a command get a different value?
 * @next: the newer document of the edge
 */
bool command_renumbered(const struct diff_change *change, const struct abi *next);
/* --- the requested changes of an edge ------------------------------------------------------- */

/*
 * A name or a number selects all items with that name or number. An ioctl also selects the records that it
 * carries.
 */

/* Does one of the filter's globs match @name? A NULL @name never matches. Does the filter list @number? */
bool asked_name(const struct history_filter *filter, const char *name);
bool asked_number(const struct history_filter *filter, uint64_t number);

/* The changes of one edge that a filter selects. */
struct asked {
	const struct history_filter *filter;
	const struct diff *diff;
	struct command_form base_form, next_form;
	const bool *base, *next; /* indexed like the ioctls of that version: true if selected */
	const bool *in_base, *in_next; /* indexed like the records: see diff_around_mark() */
};

/*
 * asked_of - find the selected ioctls on the edge that @diff compares
 *
 * An ioctl that is selected in one version is also selected in the other, even if its name or number is
 * different there.
 */
void asked_of(struct asked *out, const struct history_filter *filter, const struct diff *diff,
	      struct arena *arena);

/* asked_is - do the filter's names and numbers select @change? Always true if it has neither. */
bool asked_is(const struct asked *asked, const struct diff_change *change);

/*
 * asked_carriers - move the selected ioctls to the front of a record's carriers, for reports
 * @change: its reached_by is replaced with an array in @arena
 *
 * Return: the number of selected ioctls; 0 if the change is not of a record.
 */
size_t asked_carriers(struct diff_change *change, const struct asked *asked, struct arena *arena);

/* --- the facts of a document that a proxy's table depends on, as text ----------------------- */

/**
 * ranges_write_facts - append the facts of @abi that @view reads, as text
 * @anew: also append, for each entry, the record that the driver's own table names. A new node would read
 * that record, because the record that the entry names now may no longer exist
 *
 * The texts of two documents are equal only if everything that the view reads, according to @criterion, is
 * equal in them. For one document, two views that read the same facts have equal texts.
 * Return: 0; an error of flatten_record().
 */
int ranges_write_facts(struct strbuf *out, const struct abi *abi, const struct table_view *view,
		       enum ranges_criterion criterion, bool anew, struct err *err);

/*
 * ranges_view - get the entries that the table forwards at @node
 * @node: a version must follow it, or its own version must have a document
 */
static inline const struct table_view *ranges_view(const struct ranges *ranges, const struct table_node *node)
{
	return &ranges->views[node - ranges->table->nodes];
}

/*
 * ranges_first_equal - find the first version that shares the document of @version and follows the same node.
 * The results for that version apply to both.
 */
size_t ranges_first_equal(const struct ranges *ranges, size_t version);

/* ranges_is_acted_on - must a proxy translate the scalar, as a pointer or an fd? This is verify's rule. */
static inline bool ranges_is_acted_on(const char *path, enum abi_scalar_kind kind, enum abi_role role)
{
	return verify_is_pointer(kind, role) || verify_is_fd(path, role);
}

/* --- can a filter select anything on an edge? ----------------------------------------------- */

/*
 * A filter with one name or number matches few items, which are equal on most edges. This check takes a
 * hundredth of the time of a comparison.
 */

/*
 * history_untouched - is it certain that the edge changes nothing that @filter selects?
 *
 * A name is untouched if its item is equal in both versions, with all types that it uses. A number is
 * untouched if it belongs to the same ioctls and macros. In both cases, the records that the ioctls carry
 * must be equal as well. With globs, the result is false.
 */
bool history_untouched(const struct abi *base, const struct abi *next, const struct history_filter *filter);

/*
 * history_same_record - is the record @name equal in both versions, with all records inside it? False if one
 * version does not have it.
 */
bool history_same_record(const struct abi *base, const struct abi *next, const char *name);

#endif
