/*
 * diff/rename.h - records that go by another name in the other version
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_RENAME_H
#define DIFF_RENAME_H

#include "diff/pass.h"

/**
 * diff_find_renamed - pair records that share no name
 * @next_of: by group of base: the group of next it became; untouched (SIZE_MAX) if none
 * @base_of: the same, the other way round
 */
int diff_find_renamed(size_t *next_of, size_t *base_of, struct diff_pass *pass, struct err *err);

#endif
