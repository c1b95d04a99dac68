/*
 * extract/clang_type.h - what a CXType is: without sugar, an array, unsigned
 *
 * Layer L2, inside extract/.
 */
#ifndef EXTRACT_CLANG_TYPE_H
#define EXTRACT_CLANG_TYPE_H

#include <clang-c/Index.h>
#include <stdbool.h>

/* type_plain - without what only says how it was written: elaborated, attributed. */
CXType type_plain(CXType type);
/* type_underlying - of a typedef. */
CXType type_underlying(CXType type);
bool type_is_array(CXType type);
bool type_is_unsigned(CXType type);
bool type_is_reference(CXType type);

#endif
