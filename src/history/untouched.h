/*
 * history/untouched.h - can a filter select anything on an edge?
 *
 * Private to history/. A filter of one name or number matches few items, and
 * on most edges none of them differs. To find that out costs a hundredth of a
 * comparison.
 */
#ifndef HISTORY_UNTOUCHED_H
#define HISTORY_UNTOUCHED_H

#include "history/history.h"

/*
 * history_untouched - is it certain that nothing that @filter wants differs?
 *
 * A name is untouched if what has it is equal on both sides, with all that
 * it holds; a number, if the same ioctls and macros have it. Either way the
 * records that the ioctls carry must be equal as well. With globs nothing is
 * certain.
 */
bool history_untouched(const struct abi *base, const struct abi *next, const struct history_filter *filter);

/* history_same_record - has @name the same record on both sides, with all that it holds? False if a side has none. */
bool history_same_record(const struct abi *base, const struct abi *next, const char *name);

#endif
