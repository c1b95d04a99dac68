/*
 * archive/life.h - the versions that have a thing
 *
 * Private to archive/.
 */
#ifndef ARCHIVE_LIFE_H
#define ARCHIVE_LIFE_H

#include "abi/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In order, with at least one version between two spans. */
struct life {
	const struct abi_span *spans;
	size_t count;
};

static inline bool life_has(const struct life *life, uint32_t version)
{
	for (size_t i = 0; i < life->count && life->spans[i].from <= version; i++)
		if (version < life->spans[i].until)
			return true;
	return false;
}

#endif
