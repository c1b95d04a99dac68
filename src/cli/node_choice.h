/*
 * cli/node_choice.h - which node of the table the next version of a diff may use
 *
 * Layer L6. Loads what history/ranges.h needs for it.
 */
#ifndef CLI_NODE_CHOICE_H
#define CLI_NODE_CHOICE_H

#include "cli/load.h"
#include "history/ranges.h"

/**
 * node_choice_load - along the commit graph of the archive or repository
 * @out:     in @arena
 * @request: the version, loaded
 *
 * A document's file, a directory, and what is no tag have none: @out says why.
 * Return: 0; what load_history() returns, but for ERR_NOT_FOUND; what ranges_choose() returns.
 */
int node_choice_load(struct ranges_choice *out, const struct table *table, const struct store_request *request,
		     const struct cli_args *args, struct arena *arena, struct err *err);

#endif
