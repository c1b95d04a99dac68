/* flatten/flatten.h - lists the scalars of a record, including those of nested records */
#ifndef FLATTEN_FLATTEN_H
#define FLATTEN_FLATTEN_H

#include "abi/abi.h"

/**
 * flatten_record - list the scalars of one record, in memory order
 * @out:  set on success, unchanged on failure; allocated in @arena
 * @abi:  sealed document, only read; must outlive @out
 * @name: the record as the driver spells it, "NVOS21_PARAMETERS"
 *
 * Offsets are in bits from the start of the record.
 * Return: 0; ERR_NOT_FOUND if @abi does not have @name or a type that it uses; ERR_FORMAT if the spelling of
 * a type is malformed; ERR_LAYOUT if a field has no size, or does not fit its type or its record; ERR_LIMIT
 * if the record is too large, is nested deeper than 64 levels, or contains itself, which is possible in a
 * document that was written by hand.
 */
int flatten_record(struct abi_layout *out, const struct abi *abi, const char *name, struct arena *arena,
		   struct err *err);

/**
 * flatten_select - copy a layout, with only the scalars whose role is in @roles
 * @roles: a set of bits 1u << enum abi_role
 *
 * The copy has no holes, because the space between two of its scalars can be a scalar that was left out.
 */
void flatten_select(struct abi_layout *out, const struct abi_layout *layout, unsigned roles,
		    struct arena *arena);

#endif
