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

/* layouts_same_unread - to a proxy that forwards the bytes: the same size, and the same scalars that it would have to act on. */
bool layouts_same_unread(const struct abi_layout *a, const struct abi_layout *b);

#endif
