/*
 * store/limits.h - what an entry is, and how large a cache may grow
 *
 * Layer L2, internal to cache/.
 */
#ifndef STORE_LIMITS_H
#define STORE_LIMITS_H

#include "store/cache.h"

enum {
	CACHE_LIMIT_BYTES = 256 * 1024 * 1024,      /* all documents together */
	CACHE_ENTRY_LIMIT_BYTES = 64 * 1024 * 1024, /* one document */
	CACHE_KEY_DIGITS = sizeof(((struct cache_key *)0)->hex) - 1,
};

/**
 * cache_read_entry - the document in an entry
 * @name: of the entry; it begins with its key, so that one that was put under another name is not used
 *
 * Return: 0; ERR_NOT_FOUND; ERR_IO or ERR_FORMAT if it is damaged, a link, or of another key.
 */
int cache_read_entry(struct abi *abi, int dir_fd, const char *name, struct arena *arena, struct err *err);

#endif
