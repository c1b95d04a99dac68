/*
 * extract/macro_kinds.h - which macros are ioctls, by how they are made
 *
 * Layer L2, inside extract/. A macro is an ioctl if one of _IO(), _IOR(), _IOW(), _IOWR() and _IOC() makes it, be it through
 * other macros, "AMDKFD_IOWR(0x02, struct kfd_ioctl_create_queue_args)". No text is asked for that. Behind all other
 * questions (macro_values.h) these macros get new definitions, and what clang makes of a name then says
 * how it is made, and of which C type:
 *
 * 1. With the first definitions they are functions that return a struct of ours, and whose parameter points to the type
 *    that was given. Each name is declared as a variable of a pointer to what it is: "kind" and a number.
 *    Such a type has lost how it was written: __u32 is unsigned int.
 * 2. With the second definitions the parameter is the type itself: "type" and a number. It is as written, but for arrays,
 *    which a parameter cannot be.
 * 3. A function-like macro is asked for with arguments of 1, and its value with other arguments, which tells
 *    the bits that they change. It is no ioctl but makes some if the type that it is given is a parameter of it ("maker" and a
 *    number: then a variable of a type of ours is passed), or its nr is.
 *
 * 4. Of a macro that is more than a name or a call, "((unsigned)_IOW('T', 5, int))", the call in it is asked for, and whether its
 *    value is that of the macro: only then is the macro an ioctl, else a warning.
 * 5. The macros that a text names outside of calls, "(sizeof(time_t) == 8 ? A : B)", are asked for, too: the macro is what that one is
 *    that is an ioctl of the same value (macro_choices.c). If some are ioctls, but none has its value, there is a warning.
 *
 * A name that is an error in these places is no ioctl.
 */
#ifndef EXTRACT_MACRO_KINDS_H
#define EXTRACT_MACRO_KINDS_H

#include "extract/macro_values.h"
#include "extract/walk.h"

/* A variable that macro_values_section() declares. */
struct kind_variable {
	char name[64];
	CXType type;
};

/* kinds_variable - is @cursor such a variable? Sets @out if it is. */
bool kinds_variable(struct kind_variable *out, CXCursor cursor);

/**
 * kinds_read - what all variables of a unit say
 * @walk: has walked over the unit's declarations; what the types need in a document is added
 *
 * Return: 0; what walk_argument() returns.
 */
int kinds_read(struct macro_values *values, struct walk *walk, const struct kind_variable *variables, size_t count, struct err *err);

#endif
