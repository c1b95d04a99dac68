/*
 * abi/abbreviation.h - the first numbers of a version, for the versions that begin with them
 *
 * Layer L1. "590" stands for 590.44.01 and 590.48.01, "590.48" for the second
 * of them. As with git's abbreviated commits, one version is meant only if there is one.
 */
#ifndef ABI_ABBREVIATION_H
#define ABI_ABBREVIATION_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

/* abi_version_begins - is @word @version, or what stands before one of its dots? */
bool abi_version_begins(const char *version, const char *word);

/* Versions in a row. */
struct abi_version_run {
	size_t first, count;
};

/* abi_version_run - those of @names, sorted by abi_version_compare(), that begin with @word; the one of that name, if there is one. */
struct abi_version_run abi_version_run(const char *word, const char *const *names, size_t count);

/* abi_version_ambiguous - says in @err that @word may be each of the @run. Return: ERR_NOT_FOUND. */
int abi_version_ambiguous(const char *word, const char *const *names, struct abi_version_run run, struct err *err);

#endif
