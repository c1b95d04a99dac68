/*
 * store/places.h - the three places that a list is made of
 *
 * Private to store/. Each is a struct that store.c fills, and a table of
 * functions for list.h.
 */
#ifndef STORE_PLACES_H
#define STORE_PLACES_H

#include "store/list.h"

/* store_say - a sentence for the user; printf-like. */
void store_say(const struct store_options *options, enum store_remark kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* --- archive: the documents of many versions in one file ------------------------ */

struct archive_place {
	const struct store_options *options;
	struct arena *arena;           /* what the archive lives in */
	bool looked;
	const struct archive *archive; /* once looked: the one that fits; NULL: there is none */
	size_t target;                 /* index of options->target in it */
};

extern const struct place_ops archive_place_ops;

/* archive_place_look - find the archive, once. Return: 0; what is wrong with one that the user named. */
int archive_place_look(struct archive_place *self, struct err *err);

/* --- tree: the driver's sources ---------------------------------------------------- */

struct tree_place {
	const struct store_options *options;
	const char *cache_dir;  /* where clones go; "" if there is nowhere */
	const char *repo;       /* path or URL; NULL if there is none */
	const char *shown;      /* the same for messages; set with source */
	const char *salt;       /* of cache keys; NULL until it is needed */
	struct arena *arena;
	struct source *source;  /* NULL until it is needed */
};

extern const struct place_ops tree_place_ops;

/* tree_place_key - sets the key of @wanted, if its tree has one. */
void tree_place_key(struct tree_place *self, struct wanted *wanted);

/* tree_place_tags - of the repository, without fetching; live in @arena. */
int tree_place_tags(const char *const **names, size_t *count, struct tree_place *self, struct arena *arena, struct err *err);

void tree_place_release(struct tree_place *self);

/* --- cache: what was extracted before ------------------------------------------------ */

struct cache_place {
	const struct store_options *options;
	struct tree_place *trees; /* knows the keys */
	const char *dir;          /* "" if there is nowhere */
	bool warned;              /* that it cannot be written */
};

extern const struct place_ops cache_place_ops;

#endif
