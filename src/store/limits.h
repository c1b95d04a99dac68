/*
 * store/limits.h - how large a cache may grow
 *
 * Layer L2, internal to cache/.
 */
#ifndef STORE_LIMITS_H
#define STORE_LIMITS_H

enum {
	CACHE_LIMIT_BYTES = 256 * 1024 * 1024,      /* all documents together */
	CACHE_ENTRY_LIMIT_BYTES = 64 * 1024 * 1024, /* one document */
};

#endif
