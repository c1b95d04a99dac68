/*
 * store/version_set.h - the versions that have a thing
 *
 * Layer L2, internal to archive/. The spans are borrowed.
 */
#ifndef STORE_VERSION_SET_H
#define STORE_VERSION_SET_H

#include "abi/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In order, with at least one version between two spans. */
struct version_set {
	const struct abi_span *spans;
	size_t count;
};

static inline bool version_set_has(const struct version_set *set, uint32_t version)
{
	for (size_t i = 0; i < set->count && set->spans[i].from <= version; i++)
		if (version < set->spans[i].until)
			return true;
	return false;
}

#endif
