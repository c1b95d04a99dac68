/*
 * diff/under.h - which changes are told under another one
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_UNDER_H
#define DIFF_UNDER_H

#include "diff/diff.h"

/**
 * diff_set_under - set @under of each change
 * @changes: sorted
 *
 * A record that changed only through others, or came or went inside one that changed, is told under that
 * one, or under what that one is told under. Of several, the first in the list counts. If none of them is in the
 * list, the record is told by itself. What was renamed together with an ioctl is told under that, if it is in the list.
 */
void diff_set_under(struct diff_change *changes, size_t count, struct arena *arena);

#endif
