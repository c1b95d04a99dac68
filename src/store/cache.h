/*
 * store/cache.h - documents that were extracted before
 *
 * Only this code uses the cache's directory. Each document is a file DIR/documents/KEY. The file begins with
 * the key. The document with its driver, version, commit and target follows. A file gets its name when it is
 * complete, so many processes can read and write the same entry. Each file is checked when it is read: a file
 * that is damaged or has a different key is ignored and replaced. DIR/documents must belong to the user, and
 * no other user may write to it. Otherwise, the cache is not used.
 */
#ifndef STORE_CACHE_H
#define STORE_CACHE_H

#include "abi/abi.h"

/**
 * cache_default_dir - append "$XDG_CACHE_HOME/drvabi" or "$HOME/.cache/drvabi"
 *
 * Return: 0; ERR_NOT_FOUND if neither variable is set.
 */
int cache_default_dir(struct strbuf *out, struct err *err);

/* The contents of a cache directory. */
struct cache_contents {
	size_t documents;
	uint64_t document_bytes;
	size_t damaged;       /* number of documents that cannot be read */
	size_t leftovers;     /* number of files of killed writers */
	size_t clones;
	uint64_t clone_bytes; /* size of all clones of URLs */
	uint64_t limit_bytes; /* limit for the size of all documents */
};

/**
 * cache_look - read and check every entry
 *
 * If the directory does not exist, the cache is empty.
 * Return: 0; ERR_IO if the directory cannot be read.
 */
int cache_look(struct cache_contents *out, const char *dir, struct err *err);

/*
 * cache_prune - remove damaged documents and files of killed writers. If the documents are larger than the
 * limit, also remove the oldest ones.
 * Return: 0; ERR_IO.
 */
int cache_prune(const char *dir, struct err *err);

/* cache_clear - remove all documents. Return: 0; ERR_IO. */
int cache_clear(const char *dir, struct err *err);

#endif
