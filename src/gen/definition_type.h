/*
 * gen/definition_type.h - which types and records are the same, and what a scalar is called
 *
 * Inside the room; what definition.c does without its set.
 */
#ifndef GEN_DEFINITION_TYPE_H
#define GEN_DEFINITION_TYPE_H

#include "gen/definition.h"

/* definition_type_same - are both the same scalar, or the same definition of a record, with the same dimensions? */
bool definition_type_same(const struct definition_type *a, const struct definition_type *b);

/* definition_type_same_record - would @record, whose fields are @members, be declared as @definition is? */
bool definition_type_same_record(const struct definition *definition, const struct abi_record *record, const struct definition_member *members);

/* definition_type_one_name - the definition that stands for all names of a declaration. NULL for NULL. */
const struct definition *definition_type_one_name(const struct definition *definition);

/* definition_type_bits - the size of all elements */
uint64_t definition_type_bits(const struct definition_type *type);

/* definition_type_integer - what @one, an enum of @bytes, is; @one may be NULL. */
enum abi_scalar definition_type_integer(const struct abi_enum *one, uint64_t bytes);

/* definition_type_words - C's words for a scalar; NULL if only its spelling says it. */
const char *definition_type_words(enum abi_scalar scalar);

/* definition_type_check_record - Return: 0; ERR_LAYOUT or ERR_FORMAT for a record that no compiler has laid out (@err names it). */
int definition_type_check_record(const struct abi_record *record, struct err *err);

#endif
