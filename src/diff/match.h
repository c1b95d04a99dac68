/*
 * diff/match.h - which member of base is which member of next
 *
 * Layer L3, internal to diff/. The passes are at the top of match.c. They set
 * `partner` and `renamed` of members, and do not fail.
 */
#ifndef DIFF_MATCH_H
#define DIFF_MATCH_H

#include "diff/member.h"

/* diff_match_paths - members of equal path are partners; forgets all others. */
void diff_match_paths(struct diff_members *base, struct diff_members *next);

/* diff_match_renamed - partners among those that diff_match_paths() left over. */
void diff_match_renamed(struct diff_members *base, struct diff_members *next);

#endif
