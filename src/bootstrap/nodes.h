/*
 * bootstrap/nodes.h - the chain of new nodes, and the patch of the table
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_NODES_H
#define BOOTSTRAP_NODES_H

#include "bootstrap/run.h"

/* nodes_build - sets nodes and verdict from the entries. */
void nodes_build(struct boot *boot);

/* nodes_patch - sets patch from nodes, entries and new types. */
void nodes_patch(struct bootstrap *out, const struct table *table, struct proxytype_set *types, struct arena *arena);

#endif
