/*
 * store/trim.h - removes old entries of a directory that is above a size
 *
 * Layer L2, internal to cache/. Nothing here fails: what cannot be removed stays.
 */
#ifndef STORE_TRIM_H
#define STORE_TRIM_H

#include <stdint.h>

/**
 * trim_directory - remove what was used least recently, and what killed writers left
 * @limit_bytes: if there is more, entries go until three quarters of it are left
 *
 * Files that cannot be removed, or that other processes remove meanwhile, do
 * not matter: the next trim sees them again.
 */
void trim_directory(const char *dir, uint64_t limit_bytes);

/* trim_mark_used - the entry @name was read: the time of a file's last change is when it was last used, and trimming goes by it */
void trim_mark_used(int dir_fd, const char *name);

#endif
