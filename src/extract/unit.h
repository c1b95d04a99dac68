/*
 * extract/unit.h - one translation unit, parsed
 *
 * Layer L2, inside extract/. The main file is ours: the profile's
 * prologue, the headers by their names in the tree, then the questions of
 * macro_values.h. All texts come from memory, and clang sees no other file
 * system (clang_files.h).
 *
 * A unit is parsed until a parse had all that it looked for:
 *
 * 1. clang is shown the closure. Its record of the preprocessing tells every
 *    #include, with the name that stood there in the end, and every __has_include.
 * 2. What they looked for is added to the closure where the tree has it. If
 *    anything was added, the unit is parsed again.
 * 3. An error in the headers ends it. An error in a question is an answer.
 * 4. If macro_values_incomplete() says so, it is parsed again, else done.
 *
 * Mostly there is one parse. The record does not tell of a __has_include that
 * a macro's text asks, nor what stood in one that macros filled: both are
 * refused, naming the line.
 */
#ifndef EXTRACT_UNIT_H
#define EXTRACT_UNIT_H

#include "extract/closure.h"
#include "extract/macro_kinds.h"
#include "extract/unit_main.h"

#include <clang-c/Index.h>

struct unit {
	CXIndex index;
	CXTranslationUnit tu;
	CXCursor *declarations; /* of the top level, in their order, but for those that our questions make */
	size_t count, capacity;
	struct kind_variable *kinds; /* those of our questions that say how macros are made */
	size_t kind_count, kind_capacity;
};

/**
 * unit_parse - parse, and let @macros have its answers
 * @out: to be released with unit_release(), also on failure; starts as { 0 }
 * @closure: loaded; it grows, and its files are marked that clang read
 *
 * Return: 0; ERR_PARSE if a header does not parse, or an include is missing;
 * ERR_LIMIT; ERR_FORMAT, ERR_IO as of clang_files_write(); what the tree returned.
 */
int unit_parse(struct unit *out, struct closure *closure, struct macro_values *macros, const char *target, struct err *err);
void unit_release(struct unit *unit);

#endif
