/*
 * cache/pack.h - what else is asked of a pack inside the room
 *
 * Part of cache/.
 */
#ifndef CACHE_PACK_H
#define CACHE_PACK_H

#include "cache/cache.h"

#define CACHE_PACK_SUFFIX ".pack"

/* pack_read - a pack by its path; lives in @arena. ERR_FORMAT if it is not to be believed, also under another's name. */
int pack_read(struct cache_pack *out, const char *path, struct arena *arena, struct err *err);

#endif
