/* verify/internal.h - declarations that the checks of an entry share */
#ifndef VERIFY_INTERNAL_H
#define VERIFY_INTERNAL_H

#include "verify/verify.h"

/* --- findings.c ----------------------------------------------------------------- */

/* A growing list of findings; the strings inside live in @arena, the list is freed with free(). */
struct finding_list {
	struct verify_finding *item;
	size_t count, capacity;
	struct arena *arena;
};

/* finding_add - a copy of @finding, its message formatted into the arena. */
void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * finding_fold - one finding for all elements of an array, from the @first one of @list on
 *
 * Findings that differ only in the indices of the path ("e[0].fd", "e[1].fd") become one finding, for the
 * first element; its message counts the others.
 */
void finding_fold(struct finding_list *list, size_t first);

/*
 * findings_split - sorts @found and gives @out its two lists: faults, and findings that could not be
 * checked.
 */
void findings_split(struct verify_result *out, struct finding_list *found);

static inline struct verify_side verify_side_at(uint64_t offset_bytes, uint64_t size_bytes, const char *type)
{
	return (struct verify_side){
		.present = true, .offset_bytes = offset_bytes, .size_bytes = size_bytes, .type = type
	};
}

/* --- proxy.c -------------------------------------------------------------------- */

/* proxy_leaf_at - the leaf that starts at @offset_bytes, or NULL. */
const struct proxy_leaf *proxy_leaf_at(const struct proxy_layout *layout, uint64_t offset_bytes);

/* proxy_leaf_over - the first leaf that covers any of the @size_bytes from @offset_bytes, or NULL. */
const struct proxy_leaf *proxy_leaf_over(const struct proxy_layout *layout, uint64_t offset_bytes,
					 uint64_t size_bytes);

/* The parts of a driver's document that do not change from one entry to the next. */
struct meet_driver {
	const struct abi *abi;
	const char *const *handles; /* types whose every field is a handle: "NvHandle" */
	size_t handle_count;
};

/**
 * meet_driver_init - find out which types are handles
 *
 * A field may have the role of a handle for its name alone (an NvU32 that is
 * called hClient). A type is one if most fields of it have that role.
 */
void meet_driver_init(struct meet_driver *out, const struct abi *abi, struct arena *arena);

/**
 * meet_fault - how @leaf does not fit a scalar of the driver, or NULL
 * @field: of the driver; @type is its type, resolved
 *
 * An address of the kernel is copied, so the proxy may have a pointer or a number for it.
 */
const char *meet_fault(const struct meet_driver *driver, const struct abi_field *field,
		       const struct abi_type *type, const struct proxy_leaf *leaf);

/* meet_after - the text after @word at the start of @text, or NULL; case and underscores do not count. */
const char *meet_after(const char *text, const char *word);

/*
 * Names in two languages: case and underscores do not count.
 * meet_same_name - "a.rmStatus" and "B.RMStatus": the last components of two paths, without indices
 * meet_same_member - "params.a" and "Params.B[2]": their first components, without indices
 * meet_same_path - "ops[1].hObject" and "Ops[1].HObject": all of them
 */
bool meet_same_name(const char *driver, const char *proxy);
bool meet_same_member(const char *driver, const char *proxy);
bool meet_same_path(const char *driver, const char *proxy);

/*
 * meet_same_indices - "ops[1][0].a" and "Ops[1][0].A", not "Ops[2].A": the same element of arrays of the same
 * dimensions
 */
bool meet_same_indices(const char *driver, const char *proxy);

/*
 * meet_index - "[1][0]": element @index of an array of records, an index for each dimension; "" if it is
 * not an array.
 */
const char *meet_index(uint64_t index, const uint64_t *dimension, size_t dimension_count,
		       struct arena *arena);

/* --- match.c -------------------------------------------------------------------- */

/* The state of a match. */
struct match_subject {
	const struct meet_driver *driver;
	const char *type;          /* a record, or an alias of anything */
	uint64_t size_bytes;       /* of it */
	const struct proxy_layout *proxy;
	const struct verify_finding *about; /* family, entry and record of the findings */
};

/**
 * match_type - every way in which the proxy's layout does not meet the driver's type
 * @leaves: raised by the number of driver leaves that were compared
 *
 * Return: 0; ERR_NOT_FOUND, ERR_FORMAT or ERR_LIMIT for a document whose types do not resolve.
 */
int match_type(struct finding_list *list, const struct match_subject *subject, size_t *leaves,
	       struct err *err);

/* --- verify.c ------------------------------------------------------------------- */

/* driver_bytes - the size of a record or alias; 0 if @abi has neither. */
uint64_t driver_bytes(const struct abi *abi, const char *name);

#endif
