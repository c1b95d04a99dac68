/*
 * source/clone_dir.h - the directory of clones, shared by many processes, any of which may be killed
 *
 * Layer L2, internal to source/. A clone NAME.git is made as NAME.git.tmp-XXXXXX and then
 * renamed. A process that makes it or fetches into it holds a lock on NAME.git.lock,
 * which the kernel releases when a process dies. The holder may remove that file:
 * a lock counts only if the file still has its name.
 */
#ifndef SOURCE_CLONE_DIR_H
#define SOURCE_CLONE_DIR_H

#include "source/git.h"

struct clone_lock {
	struct strbuf path;
	int fd;
	bool held; /* false where the file system has no locks */
};

/* clone_lock_acquire - waits for others, and tells @source's progress so. Return: 0 or ERR_IO. */
int clone_lock_acquire(struct clone_lock *lock, const char *clone, const struct source *source, struct err *err);
/* clone_lock_drop - the lock's file goes too */
void clone_lock_drop(struct clone_lock *lock);

/* clone_dir_temp - a new empty directory to make @clone in; its path is appended. Return: 0 or ERR_IO. */
int clone_dir_temp(struct strbuf *out, const char *clone, struct err *err);

/* clone_dir_remove - rm -rf; it is no error if that is not there, or cannot be removed */
void clone_dir_remove(const char *path);

/**
 * clone_dir_sweep - remove what killed clones left in @dir
 * @clone: the caller holds its lock, so no other process is making it; NULL: no lock is held
 *
 * Others' are removed when they are a day old.
 */
void clone_dir_sweep(const char *dir, const char *clone);

/*
 * clone_dir_unlock_stale - remove lock files and half packs of a killed fetch, and FETCH_HEAD, in which
 * earlier versions of drvabi left the URL; the caller holds the lock of @clone
 */
void clone_dir_unlock_stale(const char *clone);

/**
 * clone_dir_prune - remove what killed clones and fetches left in @dir, which need not exist
 *
 * What another process has locked stays. Return: 0; ERR_IO.
 */
int clone_dir_prune(const char *dir, bool clones_too, struct err *err);

/* clone_dir_use - lock the directory of a clone: LOCK_SH while it is read. Return: a descriptor; -1 if it is gone or, with LOCK_NB, in use. */
int clone_dir_use(const char *clone, int how);

#endif
