/*
 * cache/cache.h - documents that were extracted before
 *
 * Layer L2. One file per document under DIR/documents, named by its key; a
 * whole history's documents are one file there, a pack, named by what they
 * were made with. Either is written whole or not at all
 * (file_write_unsynced), may be read and written by many processes at once,
 * and is checked on reading: a damaged one is as good as none and is replaced.
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "abi/abi.h"

struct cache_key {
	char hex[33]; /* XXH3, 128 bits */
};

/**
 * cache_key_of - what decides a document
 * @salt: program version, profile text, target, compiler: any change of it is another key
 *
 * Hashes @salt and the content ids of all of profile_roots() in @tree,
 * absent ones too.
 * Return: 0; ERR_NOT_FOUND if the tree has no content ids (a directory):
 * then nothing is cached.
 */
int cache_key_of(struct cache_key *out, struct tree *tree, const struct profile *profile, const char *salt, struct err *err);

/**
 * cache_get - read an entry
 * @abi: lives in @arena; version and commit are those of the run that wrote it
 *
 * Return: 0; ERR_NOT_FOUND if there is no entry or it is not to be believed.
 */
int cache_get(struct abi *abi, const char *dir, const struct cache_key *key, struct arena *arena, struct err *err);

/* cache_put - write an entry. Return: 0; ERR_IO, with nothing left behind. */
int cache_put(const struct abi *abi, const char *dir, const struct cache_key *key, struct err *err);

/* What a document of a pack is called: by a key, or by the commit of a version that has it. */
struct cache_name {
	const char *name;
	uint32_t document; /* number */
};

/* Documents of many versions, made with one salt. What they look like is the caller's business. */
struct cache_pack {
	const struct cache_name *names; /* by strcmp(), unique */
	size_t name_count;
	size_t document_count;
	const void *documents; /* all of them, @size bytes */
	size_t size;
};

/**
 * cache_pack_get - read the pack of @salt
 * @out: lives in @arena
 *
 * Return: 0; ERR_NOT_FOUND if there is none or it is not to be believed.
 */
int cache_pack_get(struct cache_pack *out, const char *dir, const char *salt, struct arena *arena, struct err *err);

/* cache_pack_find - is a document of @pack called @name? Its number is in @document. */
bool cache_pack_find(size_t *document, const struct cache_pack *pack, const char *name);

/**
 * cache_pack_put - replace the pack of @salt
 *
 * A commit says all about a tree, so it stands for a key where nothing but the tree and @salt decide the document.
 * Return: 0; ERR_IO, with nothing left behind; ERR_LIMIT if it is too large to be read again: then nothing is written.
 */
int cache_pack_put(const struct cache_pack *pack, const char *dir, const char *salt, struct err *err);

/**
 * cache_default_dir - "$XDG_CACHE_HOME/drvabi", "$HOME/.cache/drvabi"
 *
 * Return: 0; ERR_NOT_FOUND if neither variable is set.
 */
int cache_default_dir(struct strbuf *out, struct err *err);

/* What lies in a cache directory. */
struct cache_contents {
	size_t documents;     /* each in a file of its own */
	uint64_t document_bytes;
	size_t packs;
	size_t pack_documents; /* in all packs */
	uint64_t pack_bytes;
	size_t damaged;       /* documents and packs that are not to be believed */
	size_t leftovers;     /* what killed writers left */
	size_t clones;
	uint64_t clone_bytes; /* of repositories named by URL */
	uint64_t limit_bytes; /* of all documents and packs together */
};

/**
 * cache_look - read every entry
 *
 * A directory that does not exist is an empty cache.
 * Return: 0; ERR_IO if it cannot be read.
 */
int cache_look(struct cache_contents *out, const char *dir, struct err *err);

/* cache_prune - remove damaged documents and packs, leftovers, and what is above the limit. Return: 0; ERR_IO. */
int cache_prune(const char *dir, struct err *err);

/* cache_clear - remove all documents and packs; all clones too if @with_clones. Return: 0; ERR_IO. */
int cache_clear(const char *dir, bool with_clones, struct err *err);

#endif
