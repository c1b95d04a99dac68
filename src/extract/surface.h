/*
 * extract/surface.h - the ioctls of a version, from the driver's own tables
 *
 * Layer L2, inside extract/. Reads tables as text; nothing here sees libclang.
 */
#ifndef EXTRACT_SURFACE_H
#define EXTRACT_SURFACE_H

#include "abi/abi.h"
#include "extract/macros.h"
#include "extract/memo.h"

/**
 * extract_surface - add the ioctls of all of the profile's families to @builder
 * @builder: already holds the records and aliases of all units
 * @macros:  of all units, evaluated
 * @memo:    what is known of tables already; or NULL
 *
 * What cannot be used is left out with a warning in @builder.
 * Return: 0; what the tree returned; ERR_FORMAT for a table that is not what
 * it should be.
 */
int extract_surface(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
		    const struct macro_index *macros, struct extract_memo *memo, struct arena *arena, struct err *err);

#endif
