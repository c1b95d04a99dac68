/*
 * extract/walk.h - from clang's declarations to the document
 *
 * Layer L2, inside extract/. How things are named is that of gVisor's
 * driver_ast_parser:
 *
 * - A record is listed under its tag and under every typedef of it, each a full
 *   copy. A typedef of such a typedef is a copy as well, but what is unnamed
 *   inside has the first typedef's name.
 * - An unnamed record or enum that is the type of a field is PARENT::FIELD_t,
 *   PARENT being the name of that copy; without a field name PARENT::_t, the
 *   second one PARENT::_t2. Below a typedef of a pointer or array it is
 *   TYPEDEF::_t. An enum that nothing names is ::FIRSTENUMERATOR_t.
 * - A tag whose name is a typedef of another type is TAG::struct_t, ::union_t or
 *   ::enum_t; a typedef whose name another unit has for another type is
 *   NAME::typedef_t. There is a warning for each.
 * - What a field's type is based on is among records, enums or aliases,
 *   under the very spelling; what it points to is recorded too.
 */
#ifndef EXTRACT_WALK_H
#define EXTRACT_WALK_H

#include "abi/abi.h"
#include "extract/decl.h"
#include "extract/roles.h"

struct walk {
	struct abi_builder *builder;
	struct decls decls;     /* its arena is that of the document */
	struct roles *roles;    /* NULL: there are none */
	const struct profile *profile; /* which enumerators are constants; NULL: none */
	const struct profile_strings *context; /* the unit's; NULL: there is none */
	/* Private from here; zero at the start. */
	struct walk_name *names;     /* what is in the document already */
	struct walk_record *records; /* what is to be put there */
	size_t record_count, record_capacity;
	struct decl **enums;         /* unnamed; named in the end if nothing used them */
	size_t enum_count, enum_capacity;
};

void walk_release(struct walk *walk);

/* walk_declarations - all that a unit declares at its top level. Return: 0; what decl_members() returned. */
int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count, struct err *err);

/**
 * walk_argument - the type of an ioctl's argument, and what it reaches
 * @spelled: as a document spells it: "x", "x[2]", "x *"
 * @params: the record that it is, or consists of, or points to; else what is spelled, if that is no array; NULL: none
 *
 * Both are set on success. Return: 0; what decl_members() returned.
 */
int walk_argument(struct walk *walk, const char **spelled, const char **params, CXType type, struct err *err);

/**
 * walk_type - one named type, and what it reaches
 * @cursor: a typedef, or the definition of a record or enum
 *
 * Return: 0; what decl_members() returned.
 */
int walk_type(struct walk *walk, CXCursor cursor, struct err *err);

#endif
