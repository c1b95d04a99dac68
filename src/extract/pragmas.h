/*
 * extract/pragmas.h - pragmas that gcc takes in another way than clang
 *
 * Layer L2, inside extract/. clang's record has no pragmas. Where they are is a hint of the text (hints.h); whether it is in force and in
 * which record it stands is clang's to say. All that comes of it is a warning.
 */
#ifndef EXTRACT_PRAGMAS_H
#define EXTRACT_PRAGMAS_H

#include "extract/closure.h"

#include <clang-c/Index.h>

/* pragmas_expansion - clang expands a macro at @offset of @file: in a #pragma pack gcc does not. */
void pragmas_expansion(struct closure *closure, const struct closure_file *file, size_t offset, CXCursor macro);

/* pragmas_check - the unit is parsed: the pragmas of all files that it read. */
void pragmas_check(struct closure *closure, CXTranslationUnit tu);

#endif
