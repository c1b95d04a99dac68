/*
 * diff/name_index.h - indices of things by their name
 *
 * Layer L3, internal to diff/. { 0 } is empty. Names are borrowed; entries are
 * in the arena, the hash table is freed by diff_name_index_release(). Nothing
 * here fails.
 */
#ifndef DIFF_NAME_INDEX_H
#define DIFF_NAME_INDEX_H

#include "base/base.h"

#include <stdbool.h>

struct diff_name_entry;

struct diff_name_index {
	struct diff_name_entry *by_name;
};

/* diff_name_index_add - of a name that is not there yet */
void diff_name_index_add(struct diff_name_index *index, const char *name, size_t number, struct arena *arena);

/* diff_name_index_find - of a name of @length bytes. Return: false if it has no number. */
bool diff_name_index_find(size_t *number, const struct diff_name_index *index, const char *name, size_t length);

void diff_name_index_release(struct diff_name_index *index);

#endif
