/*
 * bootstrap/layouts.h - are two layouts the same to a proxy?
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_LAYOUTS_H
#define BOOTSTRAP_LAYOUTS_H

#include "abi/abi.h"

/* layouts_same_bytes - the same scalars at the same offsets, with the same pointers, fds, handles and pids; whatever their names are. */
bool layouts_same_bytes(const struct abi_layout *a, const struct abi_layout *b);

/* layouts_same - and the same names and declared types. */
bool layouts_same(const struct abi_layout *a, const struct abi_layout *b);

/* layouts_is_translated - must a proxy act on this scalar? A pointer, fd or pid; an address of the kernel is none. */
bool layouts_is_translated(const struct abi_leaf *leaf);

/* layouts_new_translated - the first such scalar of @now that @was has neither at the same offset nor under the same name, nor another process id; NULL if there is none. */
const struct abi_leaf *layouts_new_translated(const struct abi_layout *was, const struct abi_layout *now);

/* layouts_translated_words - "pointer", "file descriptor", "process id" */
const char *layouts_translated_words(const struct abi_leaf *leaf);

#endif
