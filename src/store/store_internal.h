/*
 * store/store_internal.h - the stores behind store.h, for its several files
 *
 * Layer L3, internal to store/.
 */
#ifndef STORE_STORE_INTERNAL_H
#define STORE_STORE_INTERNAL_H

#include "store/stores.h"

struct stores {
	struct store_options options;
	struct arena *documents;
	struct arena arena;
	struct strbuf cache_dir; /* "" if there is nowhere */
	struct archive_store archive;
	struct cache_store cache;
	struct tree_store tree;
	struct list list;
};

/* stores_named_by_archive - are versions those of an archive, and not those of the repository? */
bool stores_named_by_archive(const struct stores *stores);

#endif
