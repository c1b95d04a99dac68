/*
 * verify/meet.h - one scalar of the driver and one of the proxy
 *
 * Private to verify/. Do the two fit: their names, kinds and widths? And the words for what does not.
 */
#ifndef VERIFY_MEET_H
#define VERIFY_MEET_H

#include "verify/proxy.h"

/* What of a driver's document does not change from one entry to the next. */
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
const char *meet_fault(const struct meet_driver *driver, const struct abi_field *field, const struct abi_type *type,
		       const struct proxy_leaf *leaf);

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
 * meet_same_indices - "ops[1][0].a" and "Ops[1][0].A", not "Ops[2].A": the same element of arrays of the same dimensions
 */
bool meet_same_indices(const char *driver, const char *proxy);

/* meet_index - "[1][0]": element @index of an array of records, an index for each dimension; "" if it is no array. */
const char *meet_index(uint64_t index, const uint64_t *dimension, size_t dimension_count, struct arena *arena);

/* meet_is_pointer - what the driver follows in the caller's memory: not an address of its own, whatever the type. */
bool meet_is_pointer(enum abi_scalar kind, enum abi_role role);

/* meet_is_fd - by its role, or because its name ends so, whatever its type (the rule of gVisor's parity test). */
bool meet_is_fd(const char *path, enum abi_role role);

#endif
