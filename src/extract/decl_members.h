/*
 * extract/decl_members.h - the fields of a record, asked once
 *
 * Layer L2, inside extract/.
 */
#ifndef EXTRACT_DECL_MEMBERS_H
#define EXTRACT_DECL_MEMBERS_H

#include "extract/decl.h"

/* A field of a record. */
struct decl_member {
	const char *name; /* "" for an unnamed record or union */
	struct shape *shape;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
};

/*
 * decl_members - fill members
 *
 * Return: 0; ERR_LAYOUT naming a field that has no offset or size; ERR_LIMIT
 * for a record that would cost libclang minutes.
 */
int decl_members(struct decls *decls, struct decl *decl, struct err *err);

#endif
