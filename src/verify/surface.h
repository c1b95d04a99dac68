/*
 * verify/surface.h - the ioctls that a version offers, and which of them a proxy forwards
 *
 * Layer L3, a pure pass: selects and counts, never prints.
 */
#ifndef VERIFY_SURFACE_H
#define VERIFY_SURFACE_H

#include "abi/abi.h"
#include "verify/caps.h"

struct surface_filter {
	const char *family; /* glob; NULL: all */
	const char *flag;   /* a word that the flags must hold; NULL: any */
	const char *name;   /* glob; NULL: all */
	unsigned roles;     /* bits of 1u << enum abi_role: only ioctls whose parameters have a field of one of these; 0: all */
	const struct profile_strings *caps; /* only what one of these capabilities exposes; NULL: no matter */
};

struct surface_row {
	const struct abi_ioctl *ioctl; /* NULL: the proxy forwards what the driver's tables do not have */
	const struct table_entry *entry; /* NULL: not forwarded, or no table */
	const char *params;            /* the parameter record, or a scalar, or else the C type that the number's size is of, "x[2]"; NULL: none */
	uint64_t params_bytes;         /* its size; 0 if it is none, or the macro's parameters decide */
	const struct abi_leaf *fields; /* of the parameters, those that have one of the filter's roles */
	size_t field_count;
};

struct surface {
	const struct abi *abi;
	const struct table_view *view;  /* NULL without a table */
	const struct surface_row *rows; /* by family, number, name */
	size_t row_count;
	unsigned roles;                 /* the filter's */
	size_t forwarded;               /* rows with both an ioctl and an entry */
	size_t unknown;                 /* rows with an entry only */
};

/**
 * surface_select - the ioctls that @filter selects
 * @out: set on success, untouched on failure; lives in @arena; @abi and @view must outlive it
 *
 * Return: 0; what flatten_record() returns of a parameter record, if the filter has roles.
 */
int surface_select(struct surface *out, const struct abi *abi, const struct table_view *view, const struct surface_filter *filter,
		   struct arena *arena, struct err *err);

#endif
