/*
 * extract/unit.h - one translation unit, parsed
 *
 * Layer L2, inside extract/. The main file is made up: the profile's
 * prologue, the headers by their names in the tree, then the questions of
 * macro_scan.h. All texts come from memory.
 */
#ifndef EXTRACT_UNIT_H
#define EXTRACT_UNIT_H

#include "extract/closure.h"
#include "extract/hashes.h"
#include "extract/macro_scan.h"

#include <clang-c/Index.h>

/*
 * A sealed closure has a declaration of ours behind each header: if it is
 * found, and is as it should be, the header left neither a declaration open
 * nor another packing behind. ERR_PARSE if one is not.
 */

/* What clang calls the main file. */
#define UNIT_MAIN "/dev/null/main.c"

struct unit {
	CXIndex index;
	CXTranslationUnit tu;
	unsigned main_end_line; /* of the main file: what stands there and below are our questions */
};

/**
 * unit_parse - parse, and let @macros have its answers
 * @out: to be released with unit_release(), also on failure; starts as { 0 }
 * @closure: loaded; its files are marked that clang read
 *
 * Return: 0; ERR_PARSE if a header does not parse, an include is missing, or
 * clang read a file that is neither the tree's nor its own; ERR_LIMIT for a
 * header that clang would not survive.
 */
int unit_parse(struct unit *out, struct closure *closure, struct macro_scan *macros, const char *target, struct err *err);
void unit_release(struct unit *unit);

/**
 * unit_predefined - the names of macros that are defined before any text is read
 * @names: digest_name() of each is added
 *
 * Return: 0; ERR_PARSE.
 */
int unit_predefined(struct hashes *names, const struct profile_unit *unit, const char *target, struct err *err);

/* unit_own_headers - the directory of clang's own headers, with a "/" at the end; "" if it has none. */
const char *unit_own_headers(void);

#endif
