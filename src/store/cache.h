/*
 * store/cache.h - documents that were extracted before
 *
 * The only code that knows this directory. One file per document under DIR/documents, named by its
 * key. It begins with that key, then has the document, which says its profile, version, commit and target. It
 * is a new file that is given its name when it is whole, may be read and written by many processes at once,
 * and is checked on reading: one that is damaged, or of another key, is as good as none and is replaced.
 * DIR/documents must belong to the user, and no other user may write to it; otherwise the cache is not used.
 */
#ifndef STORE_CACHE_H
#define STORE_CACHE_H

#include "abi/abi.h"

struct cache_key {
	char hex[33]; /* XXH3, 128 bits */
};

/**
 * cache_key_of - the inputs that decide a document
 * @salt: program version, profile text, target, compiler, the repository: any change of it is another key;
 *        made by salt_of() in store/tree_store.c
 *
 * Hashes @salt and the content ids of all of profile_roots() in @tree, absent ones too.
 * Return: 0; ERR_NOT_FOUND if the tree has no content ids (a directory): then nothing is cached.
 */
int cache_key_of(struct cache_key *out, struct tree *tree, const struct profile *profile, const char *salt,
		 struct err *err);

/**
 * cache_get - read an entry
 * @abi: in @arena; version and commit are those of the run that wrote it
 *
 * Return: 0; ERR_NOT_FOUND if there is no entry, it is damaged or of another key, or other users may write
 * to the directory.
 */
int cache_get(struct abi *abi, const char *dir, const struct cache_key *key, struct arena *arena,
	      struct err *err);

/* cache_put - write an entry. Return: 0; ERR_IO, with no file left. */
int cache_put(const struct abi *abi, const char *dir, const struct cache_key *key, struct err *err);

/**
 * cache_default_dir - "$XDG_CACHE_HOME/drvabi", "$HOME/.cache/drvabi"
 *
 * Return: 0; ERR_NOT_FOUND if neither variable is set.
 */
int cache_default_dir(struct strbuf *out, struct err *err);

/* The contents of a cache directory. */
struct cache_contents {
	size_t documents;
	uint64_t document_bytes;
	size_t damaged;       /* those that do not read back */
	size_t leftovers;     /* files of killed writers */
	size_t clones;
	uint64_t clone_bytes; /* of repositories named by URL */
	uint64_t limit_bytes; /* of all documents together */
};

/**
 * cache_look - read every entry
 *
 * A directory that does not exist is an empty cache.
 * Return: 0; ERR_IO if it cannot be read.
 */
int cache_look(struct cache_contents *out, const char *dir, struct err *err);

/*
 * cache_prune - remove damaged documents, files of killed runs, and the oldest documents above the limit.
 * Return: 0; ERR_IO.
 */
int cache_prune(const char *dir, struct err *err);

/* cache_clear - remove all documents. Return: 0; ERR_IO. */
int cache_clear(const char *dir, struct err *err);

#endif
