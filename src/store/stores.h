/*
 * store/stores.h - the three stores that a list is made of
 *
 * Layer L3, internal to store/. Each is a struct that store.c fills, and a table of
 * functions for list.h.
 */
#ifndef STORE_STORES_H
#define STORE_STORES_H

#include "store/list.h"

/* store_say - a sentence for the user; printf-like. */
void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* --- archive: the documents of many versions in one file ------------------------ */

struct archive_store {
	const struct store_options *options;
	struct arena *arena;           /* of the archive */
	bool looked;
	const struct archive *archive; /* once looked: the one that fits; NULL: there is none */
	size_t target;                 /* index of options->target in it */
};

extern const struct store_ops archive_store_ops;

/* archive_store_look - find the archive, once. Return: 0; what is wrong with one that the user named. */
int archive_store_look(struct archive_store *self, struct err *err);

/* archive_store_around - the index of all of its versions; also the document of @wanted, if no store has given it yet and the archive has it. Return: as archive_indexed(). */
int archive_store_around(struct abi_index *index, struct archive_store *self, struct wanted *wanted, struct arena *arena, struct err *err);

/* --- tree: the driver's sources ---------------------------------------------------- */

struct tree_store {
	const struct store_options *options;
	const char *cache_dir;  /* where clones go; "" if there is nowhere */
	const char *repo;       /* path or URL; NULL if there is none */
	const char *shown;      /* the same for messages; set with source */
	const char *salt;       /* of cache keys; NULL until it is needed */
	struct arena *arena;
	struct source *source;  /* NULL until it is needed */
};

extern const struct store_ops tree_store_ops;

/* tree_store_key - sets the key of @wanted, if its tree has one. */
void tree_store_key(struct tree_store *self, struct wanted *wanted);

/* tree_store_tags - of the repository, without fetching; in @arena. */
int tree_store_tags(const char *const **names, size_t *count, struct tree_store *self, struct arena *arena, struct err *err);

void tree_store_release(struct tree_store *self);

/* --- cache: what was extracted before ------------------------------------------------ */

struct cache_store {
	const struct store_options *options;
	struct tree_store *trees; /* knows the keys */
	const char *dir;          /* "" if there is nowhere */
	bool warned;              /* that it cannot be written */
};

extern const struct store_ops cache_store_ops;

#endif
