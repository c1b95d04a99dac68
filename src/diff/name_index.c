#include "diff/name_index.h"

#include <string.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = (unsigned int)XXH3_64bits((key), (length)))
#include <xxhash.h>
#include <uthash.h>

struct diff_name_entry {
	size_t number;
	UT_hash_handle hh;
};

void diff_name_index_add(struct diff_name_index *index, const char *name, size_t number, struct arena *arena)
{
	struct diff_name_entry *entry = arena_alloc(arena, sizeof(*entry));

	entry->number = number;
	HASH_ADD_KEYPTR(hh, index->by_name, name, strlen(name), entry);
}

bool diff_name_index_find(size_t *number, const struct diff_name_index *index, const char *name, size_t length)
{
	struct diff_name_entry *entry;

	HASH_FIND(hh, index->by_name, name, length, entry);
	if (entry)
		*number = entry->number;
	return entry != NULL;
}

void diff_name_index_release(struct diff_name_index *index)
{
	HASH_CLEAR(hh, index->by_name);
	*index = (struct diff_name_index){ 0 };
}
