/*
 * proxytype/draft.h - a type while it is being declared
 *
 * Inside the room.
 */
#ifndef PROXYTYPE_DRAFT_H
#define PROXYTYPE_DRAFT_H

#include "proxytype/set.h"

/* One proxytype_declare(). */
struct declaring {
	struct proxytype_set *set;
	const struct proxytype_request *request;
	struct arena scratch;      /* for all that set_add() copies */
	struct abi_known_types known_types;
	struct err *err;
};

/* What the proxy has declared for a record so far. */
struct ancestor {
	const struct table_type *type;   /* NULL: nothing */
	const struct abi *abi;           /* a version that it is right for; NULL: not known */
	const struct abi_record *record; /* there; NULL if @abi is, or lacks it */
};

struct draft_field {
	struct table_field field;
	struct proxytype_field note;
	const struct proxytype *inner; /* of a record that is no array; NULL */
};

struct draft {
	struct declaring *with;
	const struct draft *outer;       /* the record that this one is in; NULL */
	const struct abi_record *record;
	struct ancestor ancestor;
	struct draft_field *fields;      /* by offset */
	size_t count, capacity;
	uint64_t end_bytes;              /* of the last field */
	const char *beyond;              /* as in struct proxytype */
};

/* declare_record - the type for @record, and before it those that it uses; @outer: the record that it is in, or NULL. */
int declare_record(const struct proxytype **out, struct declaring *with, const struct draft *outer, const struct abi_record *record,
		   const struct ancestor *ancestor);

/* draft_members - the members of a struct as fields, with padding between them. */
int draft_members(struct draft *draft);

/* draft_scalar - what a scalar, or an array of such, that the driver spells @spelling is to a proxy; declares P64 and the like. */
const char *draft_scalar(const struct draft *draft, const struct abi_type *type, const char *spelling);

/* ancestor_field - the parent's field for @field, a member of a later version of the record; NULL if there is none. */
const struct table_field *ancestor_field(const struct draft *draft, const struct abi_field *field);

/* ancestor_member - the ancestor's member of that name; NULL if there is none, or no ancestor. */
const struct abi_field *ancestor_member(const struct ancestor *ancestor, const char *name);

/* draft_embed - let @type, which is flat, embed the parent type if that is a prefix of it. */
void draft_embed(struct proxytype *type, const struct draft *draft);

/* draft_select - set the selectors of @type. */
void draft_select(struct proxytype *type, const struct draft *draft);

#endif
