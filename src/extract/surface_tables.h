/*
 * extract/surface_tables.h - one family of ioctls, from each kind of source
 *
 * Layer L2, inside extract/. Joins what the scanners of a table found with the
 * words for its flags and the macros that name its numbers.
 */
#ifndef EXTRACT_SURFACE_TABLES_H
#define EXTRACT_SURFACE_TABLES_H

#include "extract/macros.h"
#include "extract/memo.h"
#include "extract/surface_words.h"

/* What a family is made from, and where it goes. */
struct surface_table {
	struct abi_builder *builder;
	struct tree *tree;
	const struct profile_family *family;
	const char *name; /* the family's, in the arena: a document outlives the profile */
	const struct macro_index *macros;
	struct extract_memo *memo; /* or NULL */
	struct arena *arena;
};

/* surface_add - add one, and a warning if its parameters are not declared anywhere. */
void surface_add(const struct surface_table *table, const struct abi_ioctl *ioctl);

/**
 * surface_each_path - @read every file that @globs match, in their order
 *
 * Return: how many there are; what the tree or @read returned.
 */
int surface_each_path(const struct surface_table *table, const struct profile_strings *globs,
		      int (*read)(void *data, const char *path, struct err *err), void *data, struct err *err);

/* surface_no_table - the warning for a family of which nothing was found in that many files. */
void surface_no_table(const struct surface_table *table, int files);

/**
 * surface_add_constants - a PROFILE_FROM_CONSTANTS family
 *
 * Every macro that the family's globs match is one ioctl; its parameter record
 * is what the driver's routes say, else found by the family's rules, in their order.
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int surface_add_constants(const struct surface_table *table, struct err *err);

/**
 * surface_params_by_rules - the record that the family's rules give the ioctl of @macro
 * @out: NULL if none of them names a record or alias that exists
 *
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int surface_params_by_rules(const char **out, const struct surface_table *table, const struct macro *macro, struct err *err);

/**
 * surface_add_enumerators - a PROFILE_FROM_ENUM family
 *
 * The same with the enumerators of the family's enum, each of which becomes a constant as well.
 * There is a warning if the headers do not declare the enum, and the sources that would answer it are there.
 */
int surface_add_enumerators(const struct surface_table *table, struct err *err);

/* surface_add_methods - a PROFILE_FROM_NVOC family. Return: 0, or what the tree returned. */
int surface_add_methods(const struct surface_table *table, struct err *err);

/* surface_add_classes - a PROFILE_FROM_RS_ENTRY family. Return: the same. */
int surface_add_classes(const struct surface_table *table, struct err *err);

#endif
