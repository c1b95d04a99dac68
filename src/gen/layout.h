/*
 * gen/layout.h - what C needs besides its fields to lay a record out as a document has it
 *
 * Inside the room. A document has offsets; a declaration has none. Where a
 * compiler's own rules (x86_64, System V) give another offset, the record is
 * packed, or a field aligned, or bytes or bits are filled.
 */
#ifndef REPORT_C_LAYOUT_H
#define REPORT_C_LAYOUT_H

#include "abi/abi.h"

/* Of one field. */
struct cdecl_field {
	uint64_t hole_bits;      /* unused bits before it */
	uint64_t fill_bytes;     /* of the hole, what must be a member of its own, or the compiler would not leave it */
	unsigned aligned_bytes;  /* the field needs this alignment; 0: none */
	bool empty_bounds;       /* a flexible array that C does not allow here: [0], which is laid out the same */
};

struct cdecl_layout {
	bool packed;
	uint64_t aligned_bytes;  /* of the record; 0: what follows from its fields */
	uint64_t tail_bytes;     /* behind the last field */
	uint64_t fill_bytes;     /* of these, a member of its own */
	const struct cdecl_field *fields;
};

/**
 * cdecl_layout_of - how to declare @record
 * @out: set on success; lives in @arena
 *
 * Return: 0; what abi_resolve_type() returns.
 */
int cdecl_layout_of(struct cdecl_layout *out, const struct abi *abi, const struct abi_record *record, struct arena *arena, struct err *err);

#endif
