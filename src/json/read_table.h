/*
 * json/read_table.h - the second half of reading a proxy table
 *
 * Layer L2, internal to json/. Types come first, and are sorted by then: the
 * entries of the versions name them. All that is read is in the arena.
 */
#ifndef JSON_READ_TABLE_H
#define JSON_READ_TABLE_H

#include "json/dom.h"

/**
 * table_reader_nodes - the version tree
 * @at: the accepted array "versions"
 *
 * Checks that versions are unique, that parents exist and form no ring, and
 * that an entry which a node removes is there. Nodes come out in the order
 * of the text, but parents before their children.
 */
int table_reader_nodes(struct table *out, const struct json_value *at, struct arena *arena, struct err *err);

#endif
