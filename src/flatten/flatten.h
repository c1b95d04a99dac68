/* flatten/flatten.h - from a record to its scalars */
#ifndef FLATTEN_FLATTEN_H
#define FLATTEN_FLATTEN_H

#include "abi/abi.h"

/**
 * flatten_record - list the scalars of one record, in memory order
 * @out:  set on success, untouched on failure; lives in @arena
 * @abi:  sealed document, only read; must outlive @out
 * @name: the record as the driver spells it, "NVOS21_PARAMETERS"
 *
 * Offsets are in bits from the start of the record.
 * Return: 0; ERR_NOT_FOUND if @abi does not have @name or a type that it uses; ERR_LAYOUT if a member has
 * no size; ERR_LIMIT if records nest deeper than 64 levels or contain themselves (a document written by
 * hand may claim that).
 */
int flatten_record(struct abi_layout *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err);

/**
 * flatten_select - the leaves of a layout that have one of some roles
 * @roles: bits of 1u << enum abi_role
 *
 * Everything else of @layout stays, except for the holes, which are removed: the scalars between two leaves
 * were not requested.
 */
void flatten_select(struct abi_layout *out, const struct abi_layout *layout, unsigned roles,
		    struct arena *arena);

#endif
