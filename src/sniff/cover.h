/*
 * sniff/cover.h - the smallest set of capabilities under which a proxy exposes all of some entries
 *
 * Part of sniff/, and of its public face. A pure pass.
 */
#ifndef SNIFF_COVER_H
#define SNIFF_COVER_H

#include "abi/abi.h"

/**
 * sniff_cover - capabilities of which each of @entries lists one
 * @out: NULL-terminated, in @arena
 *
 * Of several sets that are as small, the one that comes first in the order of table_caps, in which the capabilities stand that a container has by default.
 * Entries that list none do not count. Words that are not in table_caps come after them, by name.
 */
void sniff_cover(const char *const **out, const struct table_entry *const *entries, size_t count, struct arena *arena);

#endif
