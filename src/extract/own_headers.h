/*
 * extract/own_headers.h - where clang's own headers are
 *
 * Layer L2, inside extract/. stddef.h, limits.h and their like come with
 * clang and are the only files of the machine that a document may depend on.
 * All of their directory is shown to clang. What they include by <> may be the
 * tree's, whose include directories come first.
 */
#ifndef EXTRACT_OWN_HEADERS_H
#define EXTRACT_OWN_HEADERS_H

#include <stdbool.h>

/* own_headers - their directory, without a "/" at the end; "" if clang has none. Found once, by a parse. */
const char *own_headers(void);

/* own_headers_have - is @name, as clang names a file, below that directory? */
bool own_headers_have(const char *name);

#endif
