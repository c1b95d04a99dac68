/*
 * abi/macros.h - the macros that a profile asks for, and their values
 *
 * Layer L1. extract/ finds them in all units; ioctls/ reads the numbers of ioctls and classes from them.
 */
#ifndef ABI_MACROS_H
#define ABI_MACROS_H

#include "abi/document.h"

/* One macro of one unit: object-like, but for those that families from ioc ask for. */
struct macro {
	const char *name;
	struct abi_number value; /* if evaluated */
	bool evaluated;          /* it is defined at the end of the unit, and an integer */
	bool has_failed;         /* clang found an error where its value was asked for, and it is not a type either */
	bool is_constant;        /* a constant of the profile's own, not only a family's */
	const char *unit;        /* profile_unit's name */
	const char *file;        /* path in the tree */
	unsigned line;           /* of the #define, from 1 */
	const char *call;        /* of a function-like one, whose value is that of 0 for all parameters: "EVIOCGBIT(ev,len)"; else NULL */
	/* How it is made, where a family asks for that: */
	bool is_ioc;             /* by _IO(), _IOR(), _IOW(), _IOWR() or _IOC(), be it through other macros */
	uint64_t varying;        /* of a function-like one: bits of the value that its arguments change */
	const char *argument;    /* the C type whose size is in the number, "x", "x[2]", "x *"; NULL if there is none */
	const char *params;      /* the record that it is, consists of, or points to; of a scalar, the same as argument; NULL: none */
	const char *body;        /* continued lines joined; the comments on these lines are in it */
};

/* All macros that the profile's own constants or a family's match ask for; none that only profile_want_constants() does. */
struct macro_index {
	const struct macro *items; /* sorted by name, then in the order of the profile's units; a name stands once for each unit */
	size_t count;
};

/**
 * macro_find - a macro by name
 * @unit: NULL for the first unit that evaluated it, or the first that has it
 *
 * Return: owned by @macros, or NULL.
 */
const struct macro *macro_find(const struct macro_index *macros, const char *name, const char *unit);

#endif
