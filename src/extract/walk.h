/*
 * extract/walk.h - from clang's declarations to the document
 *
 * Layer L2, inside extract/. How things are named is that of gVisor's
 * driver_ast_parser:
 *
 * - A record stands under its tag and under every typedef of it, each a full
 *   copy. A typedef of such a typedef is a copy as well, but what is unnamed
 *   inside keeps the first typedef's name.
 * - An unnamed record or enum that is the type of a field is PARENT::FIELD_t,
 *   PARENT being the name of that copy; without a field name PARENT::_t, the
 *   second one PARENT::_t2. Below a typedef of a pointer or array it is
 *   TYPEDEF::_t. An enum that nothing names is ::FIRSTENUMERATOR_t.
 * - What a field's type is based on stands in records, enums or aliases,
 *   under the very spelling; what it points to is recorded too.
 */
#ifndef EXTRACT_WALK_H
#define EXTRACT_WALK_H

#include "extract/decl.h"
#include "extract/roles.h"

struct walk {
	struct abi_builder *builder;
	unsigned piece;         /* what was put into one piece is not in another one; may change between two declarations, with @builder */
	/* Called for each declaration that gives a name to something; may be NULL. */
	void (*declared)(void *data, CXCursor cursor);
	/* Does what is declared there go into another piece, whoever else reaches it? NULL: nothing does. */
	bool (*is_elsewhere)(void *data, CXCursor cursor);
	void *data;
	struct decls decls;     /* its arena is that of the document */
	struct roles *roles;    /* NULL: there are none */
	unsigned main_end_line; /* from this line on, the main file's enums are not the driver's; 0: nowhere */
	/* Private from here; zero at the start. */
	struct walk_name *names;     /* what is in the document already */
	struct walk_record *records; /* what is to be put there */
	size_t record_count, record_capacity;
	struct walk_enum *enums;     /* unnamed; named in the end if nothing used them */
	size_t enum_count, enum_capacity;
};

void walk_release(struct walk *walk);

/* walk_unit - everything that the unit declares. Return: 0; what decl_members() returned. */
int walk_unit(struct walk *walk, CXTranslationUnit tu, struct err *err);

/*
 * walk_declaration, walk_finish - the same by the piece: each declaration of
 * the unit's top level that is wanted, then the end. Return: as walk_unit().
 */
int walk_declaration(struct walk *walk, CXCursor cursor, struct err *err);
void walk_finish(struct walk *walk);

/**
 * walk_type - one named type, and what it reaches
 * @cursor: a typedef, or the definition of a record or enum
 *
 * Return: 0; what decl_members() returned.
 */
int walk_type(struct walk *walk, CXCursor cursor, struct err *err);

#endif
