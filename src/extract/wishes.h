/*
 * extract/wishes.h - the names that extract_file() looks for
 *
 * Layer L2, inside extract/. A wish is granted by the walk over the file's
 * declarations; one that is not is told with the names that resemble it.
 */
#ifndef EXTRACT_WISHES_H
#define EXTRACT_WISHES_H

#include "abi/abi.h"

struct wish {
	const char *name;
	const char *declared_at; /* "path:line:column" of the first declaration; NULL: there is none */
	bool is_granted;   /* what was wished for is in the document */
	struct abi_nearest nearest;
};

struct wishes {
	struct wish *items;
	size_t count;
};

struct wishes wishes_of(const char *const *names, size_t count, struct arena *arena);

/* wish_find - Return: the wish for @name, or NULL. */
struct wish *wish_find(const struct wishes *wishes, const char *name);

/* wishes_missing - how many are not granted. */
size_t wishes_missing(const struct wishes *wishes);

/* wishes_compare - @name is declared: it may resemble one that is not. @name must outlive @wishes. */
void wishes_compare(const struct wishes *wishes, const char *name);

/*
 * wishes_warn - a warning for each that is not granted
 *
 * "@lacking NAME; nearest: …" at @path if it is not declared, else "NAME @unusable and is left out", where it is declared.
 */
void wishes_warn(const struct wishes *wishes, const char *lacking, const char *unusable, const char *path,
		 struct abi_builder *builder, struct arena *arena);

#endif
