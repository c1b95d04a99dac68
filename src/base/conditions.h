/*
 * base/conditions.h - the #ifs around a line
 *
 * Layer L1, inside ctext/. Nothing here evaluates a condition. The reader of a text
 * says what the first branch of an #if is to it; the branches behind it follow from that.
 */
#ifndef BASE_CONDITIONS_H
#define BASE_CONDITIONS_H

#include "base/view.h"

/* What the branch of an #if is to a reader. */
enum branch {
	BRANCH_COMPILED, /* as far as the reader cares */
	BRANCH_SKIPPED,  /* not compiled */
	BRANCH_PASSED,   /* not compiled, because an earlier branch of the same #if is */
	BRANCH_UNKNOWN,  /* depends on how the text is compiled */
};

/* Outermost first. Those deeper than the array share its last element. */
enum { CONDITIONS_MAX = 32 };
struct conditions {
	unsigned depth;
	enum branch branch[CONDITIONS_MAX];
};

/**
 * conditions_follow - follow one preprocessor line
 * @line: starts with "#"
 * @opened: for an #if, #ifdef or #ifndef: what its first branch is to the reader
 *
 * Other directives change nothing.
 * Return: false for an #else, #elif or #endif that has no #if.
 */
bool conditions_follow(struct conditions *conditions, struct view line, enum branch opened);

/* conditions_opened - "#if 0" is never compiled; of any other condition it is not known. */
enum branch conditions_opened(struct view line);

/* conditions_branch - the branch that the next line is in: BRANCH_SKIPPED, else BRANCH_UNKNOWN, if any around it is. */
enum branch conditions_branch(const struct conditions *conditions);

#endif
