/*
 * history/same.h - are two documents one and the same ABI?
 *
 * Private to history/. Most edges change nothing, or only where something is
 * declared. To find that out costs a tenth of a comparison.
 */
#ifndef HISTORY_SAME_H
#define HISTORY_SAME_H

#include "abi/abi.h"

/* history_same - equal but for version, commit, sources and warnings. */
bool history_same(const struct abi *a, const struct abi *b);

#endif
