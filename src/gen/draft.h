/*
 * gen/draft.h - a type while it is being declared
 *
 * Inside the room.
 */
#ifndef GEN_DRAFT_H
#define GEN_DRAFT_H

#include "gen/set.h"

/* One proxytype_declare(). */
struct declaring {
	struct proxytype_set *set;
	const struct proxytype_request *request;
	struct arena scratch;      /* for all that set_add() copies */
	struct abi_known_types known_types;
	size_t members;            /* seen so far, of all records */
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

/*
 * draft_base - the name of @type without version: what the set declared it for, whatever the version is called
 *
 * Of a type of the table, "X" of "X_V590" and "X_V590_44_01"; "X_V2" there is a name of its own, since drivers have such.
 */
const char *draft_base(struct declaring *with, const struct table_type *type);

/* draft_is_identifier - letters, digits and '_', the first no digit. A table may be written by hand, too. */
bool draft_is_identifier(const char *name);

/* draft_check_name - ERR_FORMAT if @name, of the draft's record, is no identifier. */
int draft_check_name(const char *name, const struct draft *draft);

/**
 * draft_answer - the type that a finished draft stands for
 * @flat: the draft's fields, as a type without name
 * @base: its name without version
 */
const struct proxytype *draft_answer(const struct draft *draft, const struct proxytype *flat, const char *base);

/* draft_scalar - what a scalar, or an array of such, that the driver spells @spelling is to a proxy. */
const char *draft_scalar(const struct draft *draft, const struct abi_type *type, const char *spelling);

/* draft_scalar_field - the same of a member: sets the field's type, is_char and remark. */
void draft_scalar_field(struct draft_field *out, const struct draft *draft, const struct abi_field *member, const struct abi_type *type);

/* draft_own_type - @name, Handle, P64 or NvUUID, after declaring it if neither set nor table has it. */
const char *draft_own_type(const struct draft *draft, const char *name);

/* draft_array, draft_dimensions, draft_bytes - "uint8[4]"; @base with all dimensions of @type; a member as bytes. */
const char *draft_array(const struct draft *draft, const char *base, uint64_t count);
const char *draft_dimensions(const struct draft *draft, const char *base, const struct abi_type *type);
const char *draft_bytes(const struct draft *draft, const struct abi_field *member);

/* ancestor_field - the parent's field for @field, a member of a later version of the record; NULL if there is none. */
const struct table_field *ancestor_field(const struct draft *draft, const struct abi_field *field);

/* ancestor_member - the ancestor's member of that name; NULL if there is none, or no ancestor. */
const struct abi_field *ancestor_member(const struct ancestor *ancestor, const char *name);

/* draft_embed - let @type, which is flat, embed the parent type if that is a prefix of it. */
void draft_embed(struct proxytype *type, const struct draft *draft);

/* draft_select - set the selectors of @type. */
void draft_select(struct proxytype *type, const struct draft *draft);

#endif
