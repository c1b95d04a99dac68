/*
 * verify/types.h - what C declares, as the types of a table
 *
 * Inside the room.
 */
#ifndef VERIFY_TYPES_H
#define VERIFY_TYPES_H

#include "verify/ctable.h"

/**
 * ctable_types - every record, typedef and enum of the header
 * @out: its types are set; the rest is the caller's
 *
 * Return: 0; ERR_FORMAT, naming the line, if it gives a role to a type
 * that no struct uses; what abi_resolve_type() returns.
 */
int ctable_types(struct table *out, const struct ctable_map *map, const struct abi *abi, const struct profile *profile,
		 struct arena *arena, struct err *err);

#endif
