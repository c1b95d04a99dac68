/*
 * extract/own_headers.h - clang's own headers: where they are, and the one that is gcc's instead
 *
 * Layer L2, inside extract/. stddef.h, limits.h and their like come with
 * clang and are the only files of the machine that a document may depend on.
 * All of their directory is shown to clang. What they include by <> may be the
 * tree's, whose include directories come first.
 */
#ifndef EXTRACT_OWN_HEADERS_H
#define EXTRACT_OWN_HEADERS_H

#include "base/arena.h"

#include <clang-c/Index.h>
#include <stdbool.h>

/* own_headers - their directory, without a "/" at the end; "" if clang has none. Found once, by a parse. */
const char *own_headers(void);

/* own_headers_have - is @name, as clang names a file, below that directory? */
bool own_headers_have(const char *name);

/* own_stdint - what clang is shown in place of its <stdint.h>: the types that gcc's has. They follow from the macros __INT..._TYPE__. */
struct CXUnsavedFile own_stdint(struct arena *arena);

#endif
