/*
 * cli/packing.h - documents on their way into a pack of the cache
 *
 * Layer L5. Joins cache, which knows how documents are called, and archive,
 * which knows how they are kept.
 */
#ifndef CLI_PACKING_H
#define CLI_PACKING_H

#include "archive/archive.h"
#include "cache/cache.h"

/* A pack that was read. */
struct packed {
	struct cache_pack pack;
	const struct archive *archive; /* its documents */
};

/* packed_read - the pack of @salt; @out lives in @arena. Return: false if there is none that is to be believed. */
bool packed_read(struct packed *out, const char *dir, const char *salt, struct arena *arena);

struct packing_document {
	const char *order;     /* in the archive: similar documents have similar ones */
	const struct abi *abi; /* NULL: the one of packing->old that had number @old */
	size_t old;
	size_t number;         /* in the archive that is written */
};

/* { 0 } is an empty one. */
struct packing {
	const struct packed *old;
	struct packing_document *documents;
	size_t count, capacity;
	struct cache_name *names; /* of documents by index */
	size_t name_count, name_capacity;
	bool as_before;           /* the documents are just those of @old */
	struct arena arena;
};

/**
 * packing_keep - the documents of @old, and what they are called; before anything is added
 * @used: by number, which of them; NULL: all
 *
 * @old must outlive @packing.
 */
void packing_keep(struct packing *packing, const struct packed *old, const bool *used);

/* packing_find - is a document called @name? Its index is in @document. */
bool packing_find(size_t *document, const struct packing *packing, const char *name);

/* packing_add - a document that is called @key, which no other is; @version: one that has it. Return: its index. */
size_t packing_add(struct packing *packing, const char *key, const char *version, const struct abi *abi);

/* packing_name - the document is also called @name, which no other is. */
void packing_name(struct packing *packing, const char *name, size_t document);

/**
 * packing_write - replace the pack of @salt
 *
 * Return: 0; what archive_write() and cache_pack_put() return.
 */
int packing_write(struct packing *packing, const char *dir, const char *salt, struct err *err);

void packing_release(struct packing *packing);

#endif
