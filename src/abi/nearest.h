/*
 * abi/nearest.h - names that exist, for one that does not
 *
 * Layer L1. For the sentences "no version X in REPO; nearest: …" and "… has
 * nothing called X; nearest: …".
 */
#ifndef ABI_NEAREST_H
#define ABI_NEAREST_H

#include "base/base.h"

enum { ABI_NEAREST_MAX = 3 };

/* { 0 } is none. Names are the caller's. */
struct abi_nearest {
	const char *name[ABI_NEAREST_MAX];
	size_t distance[ABI_NEAREST_MAX];
	size_t count;
};

/*
 * abi_nearest_typos - add names that were cut short ("550.54"), or that a slip of the fingers can have turned into @version
 *
 * Of several that are equally near, the last of @names.
 */
void abi_nearest_typos(struct abi_nearest *nearest, const char *version, const char *const *names, size_t count);

/*
 * abi_nearest_neighbours - add the last one before @version, the first one after it, and the one spelled most like it
 *
 * @names are sorted by abi_version_compare().
 */
void abi_nearest_neighbours(struct abi_nearest *nearest, const char *version, const char *const *names, size_t count);

/*
 * abi_nearest_name - add @name, of a record, field, ioctl or the like, if it resembles @word, a name or a glob
 *
 * A slip of the fingers is nearest, then a name that holds the word, then one
 * that holds at least half of it, from its beginning; what is nearer drops the
 * others. Case does not matter.
 */
void abi_nearest_name(struct abi_nearest *nearest, const char *word, const char *name);

/* abi_nearest_list - append "; nearest: A, B, C", in the order of versions; nothing if there is none. */
void abi_nearest_list(struct strbuf *out, struct abi_nearest *nearest);

#endif
