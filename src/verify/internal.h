/* verify/internal.h - declarations that the files of this directory share */
#ifndef VERIFY_INTERNAL_H
#define VERIFY_INTERNAL_H

#include "verify/verify.h"

/* --- findings.c ----------------------------------------------------------------- */

/* A growing list of findings, which live in @arena with their strings. */
struct finding_list {
	struct verify_finding *item;
	size_t count;
	struct arena *arena;
};

/* finding_add - append a copy of @finding, with a formatted message that lives in the list's arena. */
void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * finding_fold - merge the findings about elements of one array, from index @first of @list on
 *
 * Findings that differ only in the indices of the path ("e[0].fd", "e[1].fd") become one finding, for the
 * first element. Its message says how many more elements have the fault.
 */
void finding_fold(struct finding_list *list, size_t first);

/* finding_order - compare two findings by entry, record and offset: the order of a report, for qsort() */
int finding_order(const void *a, const void *b);

/*
 * findings_split - sort @found, and set the lists of @out, in found->arena: faults, and then the findings
 * that are unseen
 */
void findings_split(struct verify_result *out, struct finding_list *found);

static inline struct verify_side verify_side_at(uint64_t offset_bytes, uint64_t size_bytes, const char *type)
{
	return (struct verify_side){
		.present = true, .offset_bytes = offset_bytes, .size_bytes = size_bytes, .type = type
	};
}

/* --- proxy_layout.c -------------------------------------------------------------------- */

/* proxy_scalar_at - return the scalar that starts at @offset_bytes, or NULL. */
const struct proxy_scalar *proxy_scalar_at(const struct proxy_layout *layout, uint64_t offset_bytes);

/*
 * proxy_scalar_over - return the first scalar that covers any of the @size_bytes from @offset_bytes, or NULL.
 */
const struct proxy_scalar *proxy_scalar_over(const struct proxy_layout *layout, uint64_t offset_bytes,
					 uint64_t size_bytes);

/* The parts of a driver's document that do not change from one entry to the next. */
struct match_driver {
	const struct abi *abi;
	const char *const *handles; /* types that count as handles, such as "NvHandle" */
	size_t handle_count;
};

/**
 * match_driver_init - find out which types are handles
 *
 * A type counts as a handle type if most of its fields have the handle role. A field of another type may have
 * the role because of its name (an NvU32 called hClient). The proxy can declare it as a handle or a number.
 */
void match_driver_init(struct match_driver *out, const struct abi *abi, struct arena *arena);

/**
 * match_fault - describe how a scalar of the proxy differs from a scalar of the driver
 * @field: the driver's field
 * @type:  the field's type, resolved
 *
 * A field for a kernel address is only copied, so the proxy can declare it as a pointer or as a number.
 * Return: a phrase; NULL if the two do not differ.
 */
const char *match_fault(const struct match_driver *driver, const struct abi_field *field,
			const struct abi_type *type, const struct proxy_scalar *scalar);

/*
 * match_after - skip @word at the start of @text, ignoring case and underscores. Return: the rest of @text;
 * NULL if @text does not begin with @word.
 */
const char *match_after(const char *text, const char *word);

/*
 * match_component - return the component of the path that precedes @up others: "b[2].c" in "a.b[2].c" for 1;
 * the first component if there are not so many. Levels are counted from the end, because the proxy's path of
 * a field is longer if its struct embeds another.
 */
const char *match_component(const char *path, unsigned up);

/*
 * Compare names of two languages. Case and underscores are ignored.
 * match_same_name - "a.rmStatus" and "B.RMStatus": compare the components number @up from the end, without
 * indices. Letters for the type ("h" in "hMemory", "ph" in "phClients") are ignored if the proxy omits them.
 * match_compare_paths - "ops[1].hObject" and "Ops[1].HObject": compare the whole paths; 0 if they are equal
 */
bool match_same_name(const char *driver, const char *proxy, unsigned up);
int match_compare_paths(const char *a, const char *b);

/*
 * match_same_indices - check whether two paths have the same indices: "ops[1][0].a" and "Ops[1][0].A", but
 * not "Ops[2].A"
 */
bool match_same_indices(const char *driver, const char *proxy);

/*
 * match_index - spell the position of element number @index with one index for each dimension: "[1][0]"; ""
 * if there are no dimensions
 */
const char *match_index(uint64_t index, const uint64_t *dimension, size_t dimension_count,
			struct arena *arena);

/* --- match_record.c -------------------------------------------------------------------- */

/**
 * match_type - report every difference between the proxy's layout and the driver's type, except their sizes.
 * A fault of several elements of an array is one finding.
 * @about:   family, entry and record of the findings; the record, or alias, is the driver's type
 * @scalars: incremented by the number of driver scalars that were compared
 *
 * Return: 0; ERR_LIMIT for too many or too deeply nested records; an error of abi_resolve_type() or
 * flatten_record().
 */
int match_type(struct finding_list *list, const struct match_driver *driver, const struct proxy_layout *proxy,
	       const struct verify_finding *about, size_t *scalars, struct err *err);

/* --- verify.c ------------------------------------------------------------------- */

/* driver_bytes - return the size of a record or alias; 0 if @abi has neither. */
uint64_t driver_bytes(const struct abi *abi, const char *name);

#endif
