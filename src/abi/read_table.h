/*
 * abi/read_table.h - what reading a proxy table and reading a patch to one share
 *
 * Layer L2, internal to json/. Types come first, and are sorted by then: the
 * entries of the versions name them. All that is read is in the arena.
 *
 * With a base, which is a table that was read, the text is a patch: what
 * comes out is the base with the patch, and what the patch would change of the
 * base is an error with its path in the patch.
 */
#ifndef ABI_READ_TABLE_H
#define ABI_READ_TABLE_H

#include "abi/dom.h"

/**
 * table_reader_types - the types of the text, and those of @base
 * @base: NULL for a table
 * @at: the accepted object "types"
 *
 * Checks that types exist and do not contain themselves, that fields neither
 * overlap nor leave their type, and that a type of @base is the same here.
 */
int table_reader_types(struct table *out, const struct table *base, const struct json_value *at, struct arena *arena, struct err *err);

/**
 * table_reader_nodes - the version tree of the text, and that of @base
 * @base: NULL for a table
 * @at: the accepted array "versions"
 *
 * Checks that versions are unique, that parents exist and form no ring, and
 * that an entry which a node removes is there. Nodes come out in the order
 * of the text, but parents before their children.
 */
int table_reader_nodes(struct table *out, const struct table *base, const struct json_value *at, struct arena *arena, struct err *err);

/* One version of a patch that the base has as well. */
struct table_addition {
	const struct table_node *base, *patch;
	const char *parent;           /* the patch's; NULL: it calls the version a root */
	const struct json_value *at;  /* "versions" of the patch */
	size_t index;                 /* in it */
};

/* table_reader_add - @out: @from->base with what @from->patch adds to it. ERR_FORMAT if that changes what the base says. */
int table_reader_add(struct table_node *out, const struct table_addition *from, struct arena *arena, struct err *err);

#endif
