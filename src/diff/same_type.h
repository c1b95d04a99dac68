/*
 * diff/same_type.h - what became of a type: of a member, an alias, or an ioctl's argument
 *
 * Layer L3, internal to diff/.
 */
#ifndef DIFF_SAME_TYPE_H
#define DIFF_SAME_TYPE_H

#include "diff/side.h"

/* diff_same_spelling - equal type names, dimensions aside. */
bool diff_same_spelling(const char *a, const char *b);

/* diff_integer_kind - an enum is the integer that it is stored as. */
enum abi_scalar diff_integer_kind(const struct abi_type *type);

/* A type as one of the versions has it. */
struct diff_typed {
	struct diff_side *side;
	const struct abi_type *type;
	const char *spelling;
};

/* diff_same_element - dimensions and spelling aside, nothing differs but, perhaps, what is inside a record. */
bool diff_same_element(const struct abi_type *base, const struct abi_type *next);

/**
 * diff_type_classes - the classes of another type in the same place; DIFF_NAME if only its name is another, 0 if nothing is
 *
 * Return: 0 or what flatten_record() says.
 */
int diff_type_classes(unsigned *classes, const struct diff_typed *base, const struct diff_typed *next, struct err *err);

#endif
