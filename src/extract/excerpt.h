/*
 * extract/excerpt.h - of each file, what some pieces need, and no more
 *
 * Layer L2, inside extract/. To make pieces that have fine keys (plan.h),
 * clang is shown of their headers the chunks whose declarations are not known
 * yet, with what these need, and of all other files only chunks that are in
 * these keys, in the order in which it would meet them. So a key has all that a piece was made from, and
 * if something is missing there, most often clang misses it too, and the tree
 * is read alone. Lines and columns are those of the files.
 */
#ifndef EXTRACT_EXCERPT_H
#define EXTRACT_EXCERPT_H

#include "extract/plan.h"

struct excerpt;

/* Who has the texts: as of a tree's read. */
typedef int excerpt_read(const char **bytes, size_t *size, const struct plan *plan, struct share_text *text, struct err *err);

/**
 * excerpt_new - lives in the plan's arena
 * @wanted: by file: whose pieces are to be made; all have fine keys
 */
struct excerpt *excerpt_new(const struct plan *plan, const bool *wanted);

/**
 * excerpt_load - put the files that are needed, and the headers, into a closure
 * @closure: begun. Files that are wanted are there as they are in the tree until excerpt_trim().
 *
 * Return: 0; what @read returned.
 */
int excerpt_load(struct excerpt *excerpt, struct closure *closure, excerpt_read *read, struct err *err);

/**
 * excerpt_trim - leave out what is not needed of the files that are wanted
 * @fresh:     by file and chunk: what they declare is to be found; NULL for a file: all
 * @questions: the text that asks for macros
 *
 * What the tree has in memory is let go.
 */
void excerpt_trim(struct excerpt *excerpt, struct closure *closure, bool *const *fresh, struct view questions);

#endif
