/*
 * extract/diagnostics.h - what clang's errors of one parse mean
 *
 * Layer L2, inside extract/. An error in a question is its answer. Any other ends the unit, with all that is missing in one
 * sentence; or, where the profile says so, the header that led to it is left out, and the unit is parsed again.
 */
#ifndef EXTRACT_DIAGNOSTICS_H
#define EXTRACT_DIAGNOSTICS_H

#include "extract/closure.h"
#include "extract/macro_values.h"

#include <clang-c/Index.h>

struct diagnostics {
	CXTranslationUnit tu;
	struct closure *closure;
	struct macro_values *macros;
	unsigned sentinel_line, section_line; /* of the main file: the first behind the headers, and the first of the questions */
};

/**
 * diagnostics_check - errors in the questions are told to the macros; is there another?
 * @again: set if the unit is to be parsed again: a question that may be at fault, or headers, are left out
 *
 * Return: 0; ERR_PARSE, naming the first error's line and what else is missing.
 */
int diagnostics_check(bool *again, const struct diagnostics *diagnostics, struct err *err);

/* diagnostics_note_inclusion - @file was included, by the line of the main file that is at @outermost. */
void diagnostics_note_inclusion(struct closure_file *file, const struct closure *closure, CXSourceLocation outermost);

#endif
