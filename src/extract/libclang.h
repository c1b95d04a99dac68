/*
 * extract/libclang.h - libclang, loaded when it is first wanted
 *
 * Layer L2, inside extract/. Every call of clang-c/ that this room makes is
 * in libclang.c's table, and may be made after libclang_load() only.
 */
#ifndef EXTRACT_LIBCLANG_H
#define EXTRACT_LIBCLANG_H

#include "base/base.h"

/* libclang_load - load it, unless it is there. It stays. Return: 0; ERR_IO, with the loader's words. */
int libclang_load(struct err *err);

/* libclang_identity - what another libclang would have otherwise, without loading it; NULL: it is not where it was at build time. In @arena. */
const char *libclang_identity(struct arena *arena);

#endif
