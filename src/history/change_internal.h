/*
 * history/change_internal.h - changes that outlive the comparison that found them
 *
 * Private to history/.
 */
#ifndef HISTORY_CHANGE_INTERNAL_H
#define HISTORY_CHANGE_INTERNAL_H

#include "diff/diff.h"

/*
 * history_copy_change - a copy of @change in @arena
 *
 * A comparison needs some megabytes and its changes some kilobytes. The copy
 * still points into the two documents and the table.
 */
void history_copy_change(struct diff_change *out, const struct diff_change *change, struct arena *arena);

/*
 * history_signature - append to @out what makes a change the same change elsewhere
 *
 * Equal for two changes if and only if name, kind, family, classes, what was
 * and what is are equal; its declaration and the ioctls that carry it do not count.
 */
void history_signature(struct strbuf *out, const struct diff_change *change);

#endif
