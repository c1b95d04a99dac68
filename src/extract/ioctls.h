/*
 * extract/ioctls.h - the ioctls of a version, from the driver's own tables
 *
 * Layer L2. The headers do not say which ioctls a driver has. Its tables do, and they
 * are read as text: nothing here sees libclang. What the headers define comes
 * in as macros (extract/ finds them).
 *
 * Each family of the profile has one kind of source:
 *
 *   methods.c    NVIDIA's exported control methods (nvoc.c), with the words of their flags (flag_words.c),
 *                the macros that name their numbers (command_names.c), the commands that carry
 *                pointers (embedded.c) and those that are deprecated (deprecated.c, deprecated_ioctls.c)
 *   classes.c    the classes of resource_list.h (rs_entry.c)
 *   constants.c  macros or enumerators that are ioctls, with a record by the profile's rules (params.c)
 *                or by the driver's routes (routes.c), and what no switch dispatches (dispatch.c);
 *                macros that _IO() or its like makes, and what their numbers say (encoding.c)
 */
#ifndef EXTRACT_IOCTLS_H
#define EXTRACT_IOCTLS_H

#include "abi/abi.h"

/**
 * ioctls_add - add the ioctls of all of the profile's families to @builder
 * @builder: already holds the records, aliases and enums of all units
 * @macros:  of all units, evaluated
 * @memo:    what is known of tables already; or NULL
 *
 * What cannot be used is left out with a warning in @builder.
 * Return: 0; what the tree returned; ERR_FORMAT for a table that is not what
 * it should be.
 */
int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile, const struct macro_index *macros,
	       struct memo *memo, struct arena *arena, struct err *err);

#endif
