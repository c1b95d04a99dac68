/*
 * diff/same_type.h - when two types are one to a caller
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_SAME_TYPE_H
#define DIFF_SAME_TYPE_H

#include "abi/abi.h"

/* diff_same_spelling - equal type names, dimensions aside. */
bool diff_same_spelling(const char *a, const char *b);

/* diff_integer_kind - an enum is the integer that it is stored as. */
enum abi_scalar diff_integer_kind(const struct abi_type *type);

#endif
