/*
 * extract/family.h - one family of ioctls, from each kind of source
 *
 * Layer L2, inside ioctls/. Joins what the readers of a table found with the
 * words for its flags and the macros that name its numbers.
 */
#ifndef EXTRACT_FAMILY_H
#define EXTRACT_FAMILY_H

#include "extract/flag_words.h"

/* What a family is read from, and where it goes. */
struct family_context {
	struct abi_builder *builder;
	struct tree *tree;
	const struct profile_family *family;
	const char *name; /* the family's, in the arena: a document outlives the profile */
	const struct macro_index *macros;
	struct memo *memo; /* or NULL */
	struct arena *arena;
};

/* family_add_ioctl - add one, and a warning if its parameters are not declared anywhere. */
void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl);

/* family_warn_no_table - the warning for a family of which nothing was found in that many files. */
void family_warn_no_table(const struct family_context *context, int files);

/**
 * constants_add_family - a PROFILE_FROM_CONSTANTS or PROFILE_FROM_IOC family
 *
 * Every macro that the family's globs match is one ioctl, from ioc every one that is made as one; its parameter record
 * is what the driver's routes say, else found by the family's rules, in their order.
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int constants_add_family(const struct family_context *context, struct err *err);

/**
 * enumerators_add_family - a PROFILE_FROM_ENUM family
 *
 * The same with the enumerators of the family's enum, each of which becomes a constant as well.
 * There is a warning if the headers do not declare the enum, and the sources that would answer it are there.
 */
int enumerators_add_family(const struct family_context *context, struct err *err);

/* methods_add_family - a PROFILE_FROM_NVOC family. Return: 0, or what the tree returned. */
int methods_add_family(const struct family_context *context, struct err *err);

/* classes_add_family - a PROFILE_FROM_RS_ENTRY family. Return: the same. */
int classes_add_family(const struct family_context *context, struct err *err);

#endif
