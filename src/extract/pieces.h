/*
 * extract/pieces.h - a document out of pieces, most of which were made for other versions
 *
 * Layer L2, inside extract/. A piece is what one header of a unit declares,
 * and what that reaches. Those that no version had before are made, by
 * parsing their headers and what these depend on (plan.h) and nothing else;
 * then all are put together.
 *
 * The document is that of extract_unit(), or there is none: whenever it is
 * not certain that it would be, an error is returned, and the caller reads
 * the tree as if nothing were shared.
 */
#ifndef EXTRACT_PIECES_H
#define EXTRACT_PIECES_H

#include "extract/share.h"

/* The pieces of all units. */
struct pieces {
	const struct share_piece **item; /* malloc'd; by unit, in the order of its files */
	size_t count, capacity;
	bool inside_roots;               /* as of struct extract_result */
};

/* What a tree is read by. */
struct pieces_source {
	struct extract_share *share;
	struct tree *tree;
	const struct profile *profile;
	const struct profile_strings *roots;
	const char *target;
	struct arena *arena; /* for what is not needed after the call */
};

/**
 * pieces_find - those of all units of the profile
 * @out: starts as { 0 }; pieces_release() is due, also after an error
 *
 * Return: 0; any error, which only says that the tree is to be read without pieces.
 */
int pieces_find(struct pieces *out, const struct pieces_source *source, struct err *err);
void pieces_release(struct pieces *pieces);

/**
 * pieces_join - put them into a builder
 * @macros: all macros of them; lives in @arena
 *
 * Return: 0; ERR_FORMAT if two pieces contradict each other: then the builder is of no use.
 */
int pieces_join(struct abi_builder *builder, struct macro_index *macros, const struct pieces *pieces, struct arena *arena,
		struct err *err);

#endif
