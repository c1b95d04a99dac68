/*
 * extract/deprecated_ioctls.h - the deprecated commands of a family, with number and record
 *
 * Layer L2, inside ioctls/. Joins the rows of the driver's table (deprecated.h) with the
 * headers' numbers and with the profile's rules for records. A record counts only if the
 * command's own function names it too: FINN's comment on a macro alone is wrong for one
 * command in twenty (568 of 10,942 in ten releases have another record than it names).
 */
#ifndef EXTRACT_DEPRECATED_IOCTLS_H
#define EXTRACT_DEPRECATED_IOCTLS_H

#include "extract/family.h"

struct deprecated_ioctl {
	struct abi_ioctl ioctl; /* as the document has it if no method has its number */
	size_t row;             /* in the order of the tables: the driver uses the first of a number */
	bool has_method;        /* for the caller */
};

struct deprecated_ioctls {
	struct deprecated_ioctl *items; /* by number, each once; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/**
 * deprecated_ioctls_read - the commands of the family's table
 *
 * Return: 0, also where the profile names no table; ERR_FORMAT for a rule whose regular
 * expression is malformed; what the tree returned.
 */
int deprecated_ioctls_read(struct deprecated_ioctls *out, const struct family_context *context, struct err *err);

/* deprecated_ioctls_find - by number, or NULL. */
struct deprecated_ioctl *deprecated_ioctls_find(const struct deprecated_ioctls *list, uint64_t number);

#endif
