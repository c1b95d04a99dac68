/*
 * store/dependencies.h - what one extraction asked of its tree, and whether another tree answers the same
 *
 * Layer L3, internal to store/. A profile names directories, and a document depends on few of the files in them: of a
 * kernel's include/uapi, the header of one driver and what that includes. An extraction sees nothing of a
 * version but what it asks of the tree, so a tree with the same answers has the same document.
 *
 * 1. dependencies_tree() stands before a tree and notes each question (the files that a pattern matches, a file, what a path leads to)
 *    with its answer: for a file its object id.
 * 2. dependencies_hold() asks another tree the same. The first other answer ends that, and is asked first from then on:
 *    what changed once changes again.
 */
#ifndef STORE_DEPENDENCIES_H
#define STORE_DEPENDENCIES_H

#include "abi/abi.h"

struct dependency;

struct dependencies {
	struct dependency *items;
	size_t count, capacity;
	bool is_unknown; /* the tree has no object ids, or an answer was an error: they never hold */
	struct arena arena;
};

/* dependencies_tree - @inner, with what is asked of it noted in @dependencies; both must outlive it. Freed with tree_free(), which leaves @inner. */
struct tree *dependencies_tree(struct dependencies *dependencies, struct tree *inner);

/* dependencies_hold - would an extraction of @tree, with the same profile and target, see nothing else? */
bool dependencies_hold(struct dependencies *dependencies, struct tree *tree);

void dependencies_release(struct dependencies *dependencies);

#endif
