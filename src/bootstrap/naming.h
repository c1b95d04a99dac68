/*
 * bootstrap/naming.h - names that are free in a table, and handlers that take any type
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_NAMING_H
#define BOOTSTRAP_NAMING_H

#include "abi/abi.h"

/* naming_free_entry - "NAME_V575" for an entry that has another number since @version; with all of the version if that name is taken. */
const char *naming_free_entry(const struct table *table, const struct table_entry *entry, const char *version, struct arena *arena);

/* naming_is_generic - does a function of this kind stand in the table with more than one type? Then it takes its type as a parameter. */
bool naming_is_generic(const struct table *table, const struct table_handler *handler);

/* naming_stem - how long @name is without a "_V2" or "_V575" at its end. */
size_t naming_stem(const char *name);

#endif
