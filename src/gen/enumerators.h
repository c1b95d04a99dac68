/*
 * gen/enumerators.h - what stands in the braces of an enum
 *
 * Inside the room.
 */
#ifndef GEN_ENUMERATORS_H
#define GEN_ENUMERATORS_H

#include "gen/cdecl.h"

/* enumerators_check - Return: 0; ERR_FORMAT if one has a name that is none of C. */
int enumerators_check(const struct abi_enum *one, struct err *err);

/* enumerators_write - one on each line; a name that is on the output already gets another. @depth: of indents */
void enumerators_write(struct cdecl *writer, const struct abi_enum *one, size_t depth);

/* enumerators_attributes - what stands behind the closing brace, for the enum's size; "" if nothing */
const char *enumerators_attributes(const struct abi_enum *one);

#endif
