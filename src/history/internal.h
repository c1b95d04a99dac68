/* history/internal.h - changes, filters and readings that the passes over the graph share */
#ifndef HISTORY_INTERNAL_H
#define HISTORY_INTERNAL_H

#include "history/history.h"
#include "abi/abi.h"
#include "diff/diff.h"

/* history_same - equal except for version, commit, sources and warnings. */
bool history_same(const struct abi *a, const struct abi *b);

/* history_known_parent - the nearest ancestor with a document, or HISTORY_NO_PARENT. */
long history_known_parent(const struct history_version *versions, long version);

/* span_is_of - the span of an item of that kind and name? @family: of an ioctl; NULL: any */
bool span_is_of(const struct history_span *span, enum abi_kind kind, const char *family, const char *name);

/*
 * span_ends - versions of those @within (NULL: all) where @has is @wanted, and is not at their parents
 * @out: in @arena; ascending. Return: how many.
 */
size_t span_ends(const size_t **out, const struct history_graph *graph, const bool *has, bool wanted,
		 const bool *within, struct arena *arena);

/* --- changes that outlive the comparison that found them ------------------------------------ */

/*
 * history_copy_change - a copy of @change in @arena
 *
 * A comparison needs some megabytes and its changes some kilobytes. The copy
 * still points into the two documents and the table.
 */
void history_copy_change(struct diff_change *out, const struct diff_change *change, struct arena *arena);

/* --- command numbers that only a macro has -------------------------------------------------- */

/*
 * A macro such as NV2080_CTRL_CMD_X is a command's number whether or not the driver's tables offer the
 * command: a proxy that forwards numbers forwards those, too. The differ knows such a macro only as a
 * constant.
 */

/* How the macros of a family's ioctls are named. */
struct command_form {
	const char *family;  /* "control"; NULL: no ioctl has a name of that form, so no macro is a command */
	const char *infix;   /* "_CTRL_CMD_", in the name of the first such ioctl; not NUL-terminated */
	size_t infix_length;
};

/* command_form_of - derived from the ioctls of @abi; points into @abi. */
struct command_form command_form_of(const struct abi *abi);

/* command_is_macro - is @constant the number of a command, by its name? */
bool command_is_macro(const struct command_form *form, const struct abi_constant *constant);

/*
 * command_name_owners - sets number_was of the changes if only a macro shows whose number it was
 * @arena: for memory that only this call needs
 *
 * For an ioctl or command that is new to its number: the macro that had the number in @base and no longer
 * has it in @next. For a removed one: the macro that has it now. A value that the differ has set is kept.
 */
void command_name_owners(struct diff_change *changes, size_t count, const struct abi *base,
			 const struct abi *next, struct arena *arena);

/*
 * command_renumbered - an ioctl with another number, under the same or a new name; or a command's macro with
 * another value
 * @next: the document that the change led to
 */
bool command_renumbered(const struct diff_change *change, const struct abi *next);
/* --- the requested changes of an edge ------------------------------------------------------- */

/*
 * A name or a number selects all items of that name or number, and an ioctl also selects the records that
 * it carries.
 */

/* Does one of the filter's globs match @name (NULL: no)? Does it list @number? */
bool asked_name(const struct history_filter *filter, const char *name);
bool asked_number(const struct history_filter *filter, uint64_t number);

/* The changes of one edge that a filter selects. */
struct asked {
	const struct history_filter *filter;
	const struct diff *diff;
	struct command_form base_form, next_form;
	const bool *base, *next; /* by ioctl of that version: it is requested */
};

/*
 * asked_of - on the edge that @diff compares
 *
 * An ioctl is requested on both sides if it is requested on one of them, whatever its name and number are
 * on the other.
 */
void asked_of(struct asked *out, const struct history_filter *filter, const struct diff *diff,
	      struct arena *arena);

/* asked_is - do the filter's names and numbers request @change? */
bool asked_is(const struct asked *asked, const struct diff_change *change);

/*
 * asked_carriers - moves the requested ioctls to the front of a record's carriers
 * @change: its reached_by becomes another array, in @arena
 *
 * Return: how many they are. 0 for a change of any other kind.
 */
size_t asked_carriers(struct diff_change *change, const struct asked *asked, struct arena *arena);

/* --- the facts of a document that a proxy's table depends on, as text ----------------------- */

/**
 * ranges_reading - append the facts of @abi that @view reads, as text
 * @anew: and the record that the driver's own table names for each entry: what a new node would read, because
 * the present record of an entry may no longer exist
 *
 * The texts of two documents are equal only if everything that the view reads, by @criterion, is equal in
 * them. For one document, the texts of two views that read the same are equal. Return: 0; what
 * flatten_record() returns.
 */
int ranges_reading(struct strbuf *out, const struct abi *abi, const struct table_view *view,
		   enum ranges_criterion criterion, bool anew, struct err *err);

/*
 * ranges_view - all that the table forwards at @node, which a version follows or whose version has a
 * document.
 */
static inline const struct table_view *ranges_view(const struct ranges *ranges, const struct table_node *node)
{
	return &ranges->views[node - ranges->table->nodes];
}

/*
 * ranges_first_equal - the first version with the very document of @version that follows the same node; a
 * result for one document applies to both.
 */
size_t ranges_first_equal(const struct ranges *ranges, size_t version);

/* ranges_is_acted_on - must a proxy act on a leaf: is it a pointer or an fd? As in verify. */
bool ranges_is_acted_on(const struct abi_leaf *leaf);

/* --- can a filter select anything on an edge? ----------------------------------------------- */

/*
 * A filter of one name or number matches few items, and on most edges none of them differs. To find that out
 * costs a hundredth of a comparison.
 */

/*
 * history_untouched - is it certain that nothing that @filter wants differs?
 *
 * A name is untouched if the item is equal on both sides, with all types that it uses; a number, if the
 * same ioctls and macros have it. Either way the records that the ioctls carry must be equal as well. With
 * globs nothing is certain.
 */
bool history_untouched(const struct abi *base, const struct abi *next, const struct history_filter *filter);

/*
 * history_same_record - has @name the same record on both sides, with all that it holds? False if a side has
 * none.
 */
bool history_same_record(const struct abi *base, const struct abi *next, const char *name);

#endif
