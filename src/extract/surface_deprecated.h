/*
 * extract/surface_deprecated.h - the deprecated commands of a family, with number and record
 *
 * Layer L2, inside extract/. Joins the rows of the driver's table (deprecated.h) with the
 * headers' numbers and with the profile's rules for records. A record counts only if the
 * command's own function names it too: FINN's comment on a macro alone is wrong for one
 * command in twenty (568 of 10,942 in ten releases take another record than it names).
 */
#ifndef EXTRACT_SURFACE_DEPRECATED_H
#define EXTRACT_SURFACE_DEPRECATED_H

#include "extract/surface_tables.h"

struct surface_deprecated {
	struct abi_ioctl ioctl; /* as it stands in the document if no method has its number */
	size_t row;             /* in the order of the tables: the driver takes the first of a number */
	bool has_method;        /* for the caller */
};

struct surface_deprecated_list {
	struct surface_deprecated *items; /* by number, each once; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/**
 * surface_deprecated_read - the commands of the family's table
 *
 * Return: 0, also where the profile names no table; ERR_FORMAT for a rule whose regular
 * expression is malformed; what the tree returned.
 */
int surface_deprecated_read(struct surface_deprecated_list *out, const struct surface_table *table, struct err *err);

/* surface_deprecated_find - by number, or NULL. */
struct surface_deprecated *surface_deprecated_find(const struct surface_deprecated_list *list, uint64_t number);

#endif
