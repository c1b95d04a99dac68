/*
 * gen/definition.h - each distinct definition of the types of many versions, once
 *
 * Inside the room; for C, Rust and Python, which declare types as the driver
 * does. Go's are a proxy's types (proxytype/).
 *
 * A definition is a record, or a name for a scalar or an array: a typedef, or an enum, which is its integer. Two versions of
 * a record are one definition if the fields have the same names, offsets and types, of scalars the same width and sign; what
 * a typedef of a scalar is called does not count. The first definition is called as the driver calls it, each further one
 * NAME_V590 after the first version that has it.
 */
#ifndef GEN_DEFINITION_H
#define GEN_DEFINITION_H

#include "gen/gen.h"

/* What a field is made of. */
struct definition_type {
	const struct definition *definition; /* that a declaration names; NULL: @scalar, or @words */
	const struct definition *record;     /* that it comes down to, by one name for all of its names; NULL: a scalar */
	enum abi_scalar scalar;              /* of one element; enums are their integers */
	uint64_t element_bytes;
	const char *words;                   /* C's own, "unsigned int", if @definition is NULL; "void *" for all pointers */
	const char *remark;                  /* what these do not say: "struct X *", "enum P::mode_t"; NULL */
	uint64_t dimension[ABI_DIMENSIONS_MAX]; /* beside those of @definition, outermost first */
	size_t dimension_count;
	size_t own_dimension_count;          /* how many of them, the last ones, are inside what the document has before the brackets */
	bool flexible;
	uint64_t all_dimensions[ABI_DIMENSIONS_MAX]; /* with those of @definition */
	size_t all_dimension_count;
};

struct definition_member {
	const struct abi_field *field;
	const char *base; /* its type in the document, without dimensions */
	struct definition_type type;
};

struct definition {
	const char *name;              /* each once in a set */
	const char *driver_name;       /* "PARENT::mode_t" */
	const char *version;           /* the first that has it */
	const struct abi *abi;         /* of that version */
	const struct definition *same_as; /* a record that is another name of that one's declaration; NULL */
	const struct abi_record *record;  /* NULL for a name */
	const struct definition_member *members; /* of a record, beside its fields; then those of unnamed records inside it */
	size_t member_count;
	struct definition_type target; /* of a name */
	bool is_enum;
	bool is_asked;                 /* by definitions_declare() itself, not only as what another one uses */
	uint64_t size_bytes;
	struct definition *older;      /* with the same driver_name */
};

struct definitions;

struct definitions *definitions_new(enum gen_language language, struct arena *arena);
void definitions_free(struct definitions *set); /* NULL is fine */

/**
 * definitions_declare - the definition of a record, typedef or enum in one version, and of all that it uses
 * @abi: versions come one after the other, each whole
 *
 * Return: 0; ERR_NOT_FOUND if @abi lacks a type; ERR_FORMAT for a name that is no identifier; ERR_LAYOUT if an element's size
 * is not its type's; ERR_LIMIT for records that nest too deep, or contain themselves; what abi_resolve_type() returns.
 */
int definitions_declare(const struct definition **out, struct definitions *set, const struct abi *abi, const char *name, struct err *err);

/* definitions_has - is a definition called so? */
bool definitions_has(const struct definitions *set, const char *name);

/* definitions_all - each behind those that it uses. Valid until the next definitions_declare(). */
const struct definition *const *definitions_all(size_t *count, const struct definitions *set);

/* definition_is_unnamed - of a record or enum that the driver gives no name, but the member that it is of. */
bool definition_is_unnamed(const struct definition *definition);

#endif
