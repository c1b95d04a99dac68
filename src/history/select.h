/*
 * history/select.h - which versions are asked for, and the changes of these alone
 *
 * Part of history/, and of its public face. A change belongs to the version
 * that an edge leads to; what that is compared with may lie outside.
 */
#ifndef HISTORY_SELECT_H
#define HISTORY_SELECT_H

#include "abi/abi.h"

struct history_changes;
struct history_filter;
struct history_graph;

/**
 * select_is_versions - does @word name versions rather than something of the ABI?
 *
 * No name of C and no number has a dot, but for globs, which are names.
 */
bool select_is_versions(const char *word);

/**
 * select_add - add the versions that @word names
 * @wanted: by version of @graph
 *
 * "550.54.14", or the beginning of it, if only one version begins so. "A..B",
 * where either may be missing: if A and B are versions, what B has and A has
 * not, along the graph: B and its ancestors, but not A and those of A. If one
 * of them is only the beginning of versions ("580..590"), all from the first that
 * begins with A to the last that begins with B, in the order of versions.
 * Return: 0; ERR_NOT_FOUND, with what is near; ERR_USAGE for "A...B".
 */
int select_add(bool *wanted, const struct history_graph *graph, const char *word, struct err *err);

/**
 * select_clip - of @wanted, leave what is not before @since and not after @until, in the order of versions
 * @since, @until: a version, or the beginning of some; NULL: no end
 *
 * Return: 0; ERR_NOT_FOUND, with what is near.
 */
int select_clip(bool *wanted, const struct history_graph *graph, const char *since, const char *until, struct err *err);

/* select_changes - drops from @changes, by edge of @graph, what is of no version or class that @filter asks for. */
void select_changes(struct history_changes *changes, const struct history_graph *graph, const struct history_filter *filter,
		    struct arena *arena);

/* select_edge - does @edge of @graph lead to a version that @filter asks for? */
bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge);

#endif
