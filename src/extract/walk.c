/*
 * extract/walk.c - adds clang's declarations to the document
 *
 * Records that are reached wait in a list instead of being visited by recursion, so a chain of a hundred
 * thousand records does not overflow the stack. Names follow gVisor's driver_ast_parser:
 *
 * - A record is listed as a full copy under its tag and under every typedef of it. A typedef of such a
 *   typedef is a copy too, but unnamed types inside are named after the first typedef.
 * - An unnamed record or enum that is the type of a field is PARENT::FIELD_t, where PARENT is the name of the
 *   copy. Without a field name it is PARENT::_t, the second one PARENT::_t2. In a typedef of a pointer or
 *   array it is TYPEDEF::_t. An enum that nothing names is ::FIRSTENUMERATOR_t.
 * - If a typedef of a different type has the name of a tag, the tag is TAG::struct_t, ::union_t or ::enum_t.
 *   If an earlier unit has the name of a typedef for a different type, the typedef is NAME::typedef_t. Each
 *   such case gets a warning.
 * - The base type of each field is listed among records, enums or aliases with exactly the field's spelling.
 *   The type that a field points to is listed too.
 */
#include "extract/internal.h"

#include <stdlib.h>
#include <uthash.h>

/*
 * One name of one declaration. The key also has the declaration, so that a second declaration with the same
 * name reaches the builder, which warns.
 */
struct walk_name {
	const char *key; /* the name, a NUL, the bytes of a pointer to the declaration */
	UT_hash_handle hh;
};

/* A record that waits to be added. */
struct walk_record {
	struct decl *decl;
	const char *name;
	const char *parent; /* the name that begins the names of unnamed types inside */
	CXType type;        /* the type that @name names; its alignment may differ from that of the decl */
};

/* What an unnamed type is named after. */
struct owner {
	const char *parent;
	const char *field;
	unsigned number; /* index among the parent's unnamed members, from 1; 0 if the field has a name */
};

/* Notes that @what is added as @name. Return: false if it was added already. */
static bool is_new(struct walk *walk, const char *name, const void *what)
{
	size_t length = strlen(name) + 1, size = length + sizeof(what);
	char buffer[256], *key = size <= sizeof(buffer) ? buffer : xmalloc(size);
	struct walk_name *found;

	memcpy(key, name, length);
	memcpy(key + length, &what, sizeof(what));
	HASH_FIND(hh, walk->names, key, size, found);
	if (!found) {
		struct walk_name *added = arena_alloc(walk->decls.arena, sizeof(*added));

		added->key = arena_memdup(walk->decls.arena, key, size);
		HASH_ADD_KEYPTR(hh, walk->names, added->key, size, added);
	}
	if (key != buffer)
		free(key);
	return !found;
}

static const char *owned_name(struct walk *walk, struct owner owner)
{
	if (owner.number > 1)
		return arena_printf(walk->decls.arena, "%s::_t%u", owner.parent, owner.number);
	return arena_printf(walk->decls.arena, "%s::%s_t", owner.parent, owner.field);
}

static const char *owned_text(struct walk *walk, const struct type_text *spelling, struct owner owner)
{
	if (!spelling->unnamed)
		return spelling->text;
	return type_text_named(spelling, owned_name(walk, owner), walk->decls.arena);
}

static const char *typedef_name(struct walk *walk, CXType type)
{
	return decl_typedef_name(&walk->decls, type);
}

static uint64_t size_of(CXType type)
{
	long long size = clang_getCanonicalType(type).kind == CXType_Void ? 0 : clang_Type_getSizeOf(type);

	return size < 0 ? 0 : (uint64_t)size;
}

static void put_off_record(struct walk *walk, struct walk_record record)
{
	record.decl->is_used = true;
	if (!record.decl->is_complete || record.decl->is_built_in || !is_new(walk, record.name, record.decl))
		return;
	ARRAY_GROW(walk->records, walk->record_count, walk->record_capacity);
	walk->records[walk->record_count++] = record;
}

/* A record in a context header may be reached only by a typedef. It is added under its tag too. */
static void add_tag_of_context(struct walk *walk, struct decl *decl)
{
	if (decl->name && walk->context && walk->context->count)
		put_off_record(walk, (struct walk_record){ .decl = decl,
							   .name = decl->name,
							   .parent = decl->name,
							   .type = decl->named_type });
}

/*
 * The name of the record @type, as @type spells it, without qualifiers. An unnamed record is named after
 * @owner.
 */
static const char *record_name(struct walk *walk, CXType type, struct owner owner)
{
	CXType plain = type_plain(type);
	const struct decl *decl = decl_of_type(&walk->decls, clang_getCanonicalType(plain));

	if (plain.kind == CXType_Typedef)
		return typedef_name(walk, plain);
	return decl->name ? decl->name : owned_name(walk, owner);
}

/* Adds a record under the name that @type spells. */
static void add_record(struct walk *walk, CXType type, struct owner owner)
{
	CXType plain = type_plain(type);
	struct walk_record record = { .type = plain };

	record.decl = decl_of_type(&walk->decls, clang_getCanonicalType(plain));
	record.name = record_name(walk, type, owner);
	if (plain.kind == CXType_Typedef) {
		/* Unnamed types inside are named after the typedef whose type is the record itself. */
		record.parent = typedef_name(walk, type_root(&walk->decls, plain));
		add_tag_of_context(walk, record.decl);
	} else {
		record.type = record.decl->named_type;
		record.parent = record.name;
	}
	put_off_record(walk, record);
}

static void put_enum(struct walk *walk, struct decl *decl, const char *name)
{
	struct abi_enum one;

	decl->is_used = true;
	if (!is_new(walk, name, decl))
		return;
	decl_enumerators(&walk->decls, decl);
	one = (struct abi_enum){
		.name = name,
		.type = type_text_of(&walk->decls,
				     clang_getCanonicalType(clang_getEnumDeclIntegerType(decl->cursor)))
				->text,
		.size_bytes = size_of(decl->type),
		.values = decl->enumerators,
		.value_count = decl->enumerator_count,
		.source = decl->source,
	};
	abi_builder_enum(walk->builder, &one);
	if (walk->profile)
		enumerators_add(walk->builder, walk->profile, &one);
}

/* Adds an enum under the name that @type spells and under its tag. @text and the tag also become aliases. */
static void add_enum(struct walk *walk, CXType type, const char *text, struct owner owner)
{
	CXType plain = type_plain(type);
	struct decl *decl = decl_of_type(&walk->decls, clang_getCanonicalType(plain));
	const char *name = decl->name, *spelled;

	if (!decl->is_complete)
		return;
	if (plain.kind == CXType_Typedef) {
		const char *alias = typedef_name(walk, plain);

		put_enum(walk, decl, alias);
		name = name ? name : alias;
	}
	name = name ? name : owned_name(walk, owner);
	put_enum(walk, decl, name);
	spelled = walk->writes_enum && decl_has_tag(decl->cursor)
			  ? arena_printf(walk->decls.arena, "enum %s", name)
			  : name;
	abi_builder_alias(walk->builder, &(struct abi_alias){ name, spelled, size_of(decl->type) });
	abi_builder_alias(walk->builder, &(struct abi_alias){ text, spelled, size_of(decl->type) });
}

/*
 * The type that @type points to or has as its elements, followed until a record or enum. If a typedef is
 * passed, it becomes the owner of an unnamed type.
 */
static CXType reached(struct walk *walk, CXType type, struct owner *owner)
{
	for (;;) {
		CXType canonical = clang_getCanonicalType(type);

		type = type_plain(type);
		if (canonical.kind == CXType_Record || canonical.kind == CXType_Enum)
			return type;
		switch (type.kind) {
		case CXType_Pointer:
			type = clang_getPointeeType(type);
			break;
		case CXType_ConstantArray:
		case CXType_IncompleteArray:
			type = clang_getArrayElementType(type);
			break;
		case CXType_Atomic:
			type = clang_Type_getValueType(type);
			break;
		case CXType_Typedef:
			*owner = (struct owner){ typedef_name(walk, type), "", 0 };
			type = type_underlying(type);
			break;
		case CXType_Unexposed:
			if (canonical.kind == CXType_Unexposed)
				return type;
			type = canonical;
			break;
		default:
			return type;
		}
	}
}

/*
 * Adds the record or enum that is reached through pointers and arrays. Return: the owner for an unnamed one.
 */
static struct owner add_reached(struct walk *walk, CXType type, struct owner owner)
{
	CXType target = reached(walk, type, &owner);

	switch (clang_getCanonicalType(target).kind) {
	case CXType_Record:
		add_record(walk, target, owner);
		break;
	case CXType_Enum:
		add_enum(walk, target, owned_text(walk, type_text_of(&walk->decls, target), owner), owner);
		break;
	default:
		break;
	}
	return owner;
}

static void add_alias(struct walk *walk, CXType type, const char *text, struct owner owner)
{
	CXType canonical = clang_getCanonicalType(type);

	if (!is_new(walk, text, canonical.data[0]))
		return;
	owner = add_reached(walk, type, owner);
	abi_builder_alias(walk->builder, &(struct abi_alias){
		.name = text,
		.type = owned_text(walk, type_text_of(&walk->decls, canonical), owner),
		.size_bytes = type_is_reference(type) ? (uint64_t)walk->decls.reference_bytes : size_of(type),
	});
}

/* Adds the base type of a field or typedef under its spelling @text. */
static void add_base(struct walk *walk, CXType type, const char *text, struct owner owner)
{
	switch (clang_getCanonicalType(type).kind) {
	case CXType_Record:
		add_record(walk, type, owner);
		break;
	case CXType_Enum:
		add_enum(walk, type, text, owner);
		break;
	default:
		add_alias(walk, type, text, owner);
		break;
	}
}

static void make_field(struct walk *walk, struct abi_field *out, const struct decl_member *member,
		       const struct walk_record *record, unsigned *unnamed_count)
{
	struct owner owner = { record->parent, member->name, *member->name ? 0 : ++*unnamed_count };
	struct shape *shape = member->shape;
	const char *base = owned_text(walk, shape->spelling, owner);

	out->name = member->name;
	out->type = type_text_array(base, shape->dimensions, walk->decls.arena);
	out->offset_bits = member->offset_bits;
	out->size_bits = member->size_bits;
	out->is_bitfield = member->is_bitfield;
	out->role =
		walk->roles ? roles_of(walk->roles, record->name, out->name, shape->types) : ABI_ROLE_NONE;
	if (!shape->is_added)
		add_base(walk, shape->base, base, owner);
	shape->is_added = !shape->spelling->unnamed;
}

static enum CXChildVisitResult base_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *found = data;

	(void)parent;
	*found = *found || cursor.kind == CXCursor_CXXBaseSpecifier;
	return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* libclang 14 to 19 have no call for the offset of a base class. */
static void warn_of_bases(struct walk *walk, const struct decl *decl, const char *name)
{
	bool found = false;

	if (walk->decls.is_cxx)
		clang_visitChildren(decl->cursor, base_visit, &found);
	if (found)
		abi_builder_warning(
			walk->builder, decl->source,
			"%s has base classes, which are left out: libclang does not report their offsets.",
			name);
}

static int put_record(struct walk *walk, struct walk_record record, struct err *err)
{
	struct decl *decl = record.decl;
	long long align = clang_Type_getAlignOf(record.type);
	struct abi_field *fields;
	unsigned unnamed_count = 0;
	size_t i;
	int rc;

	if ((rc = decl_members(&walk->decls, decl, err)))
		return rc;
	warn_of_bases(walk, decl, record.name);
	fields = arena_array(walk->decls.arena, decl->member_count, sizeof(*fields));
	for (i = 0; i < decl->member_count; i++)
		make_field(walk, &fields[i], &decl->members[i], &record, &unnamed_count);
	abi_builder_record(walk->builder, &(struct abi_record){
		.name = record.name,
		.fields = fields,
		.field_count = decl->member_count,
		.size_bytes = size_of(decl->type),
		.align_bytes = align < 0 ? 0 : (uint64_t)align,
		.is_union = decl->is_union,
		.source = decl->source,
	});
	return 0;
}

static int put_records(struct walk *walk, struct err *err)
{
	int rc = 0;

	while (walk->record_count && !rc)
		rc = put_record(walk, walk->records[--walk->record_count], err);
	return rc;
}

static void add_typedef(struct walk *walk, CXCursor cursor)
{
	CXType type = clang_getCursorType(cursor), under = clang_getTypedefDeclUnderlyingType(cursor);
	struct owner owner = { typedef_name(walk, type), "", 0 };

	differences_of_typedef(&walk->decls, cursor);
	switch (clang_getCanonicalType(type).kind) {
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
	case CXType_IncompleteArray:
		/* These types have no size. */
		add_reached(walk, under, owner);
		break;
	default:
		add_base(walk, type, owner.parent, owner);
		under = type_plain(under);
		if (under.kind == CXType_Typedef)
			add_base(walk, under, type_text_of(&walk->decls, under)->text, owner);
		break;
	}
}

static void add_tag(struct walk *walk, CXCursor cursor)
{
	struct decl *decl = decl_of_cursor(&walk->decls, cursor);

	if (decl->name) {
		add_base(walk, decl->type, decl->name, (struct owner){ "", "", 0 });
	} else if (cursor.kind == CXCursor_EnumDecl) {
		ARRAY_GROW(walk->enums, walk->enum_count, walk->enum_capacity);
		walk->enums[walk->enum_count++] = decl;
	}
}

int walk_type(struct walk *walk, CXCursor cursor, struct err *err)
{
	int rc;

	if (cursor.kind == CXCursor_TypedefDecl || cursor.kind == CXCursor_TypeAliasDecl)
		add_typedef(walk, cursor);
	else
		add_tag(walk, cursor);
	rc = put_records(walk, err);
	return rc ? rc : type_text_check(&walk->decls, cursor, err);
}

int walk_argument(struct walk *walk, const char **spelled, const char **params, CXType type, struct err *err)
{
	struct shape *shape = shape_of(&walk->decls, type);
	const char *base = shape->spelling->text;
	CXType target = clang_getCanonicalType(shape->base);
	struct owner owner = { "", "", 0 };
	int rc;

	*spelled = *params = NULL;
	if (shape->spelling->unnamed || shape->size_bytes < 0)
		return 0;
	add_base(walk, shape->base, base, owner);
	if ((rc = put_records(walk, err)))
		return rc;
	*spelled = type_text_array(base, shape->dimensions, walk->decls.arena);
	if (target.kind == CXType_Record ||
	    (target.kind == CXType_Pointer &&
	     clang_getCanonicalType(clang_getPointeeType(target)).kind == CXType_Record)) {
		CXType record = reached(walk, shape->base, &owner);

		*params = record_name(walk, record, owner);
	} else if (!*shape->dimensions) {
		*params = base;
	}
	return 0;
}

static bool is_context(struct walk *walk, CXCursor cursor)
{
	const char *file = walk->context && walk->context->count ? decl_file(&walk->decls, cursor) : NULL;

	for (size_t i = 0; file && i < walk->context->count; i++)
		if (!strcmp(walk->context->item[i], file))
			return true;
	return false;
}

/*
 * Declarations in clang's own headers and in context headers are added only if the driver's declarations use
 * them.
 */
static bool is_foreign(struct walk *walk, CXCursor cursor)
{
	bool in_own_header = false;

	if (is_context(walk, cursor))
		return true;
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		decl_location(&walk->decls, cursor, &in_own_header);
	return in_own_header;
}

/*
 * If no header defines __packed, "struct x { ... } __packed;" declares a variable with this name in C, and
 * the record is not packed. Headers do not define variables, so an attribute was most likely intended.
 */
static void warn_of_variable(struct walk *walk, CXCursor cursor)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	CXCursor record = clang_getTypeDeclaration(type);
	struct decl *decl;

	/*
	 * If a storage class comes first, the variable begins before its record, and a variable is intended.
	 */
	if (type.kind != CXType_Record ||
	    !clang_equalLocations(clang_getRangeStart(clang_getCursorExtent(cursor)),
				  clang_getRangeStart(clang_getCursorExtent(record))))
		return;
	decl = decl_of_cursor(&walk->decls, record);
	abi_builder_warning(
		walk->builder, decl->source,
		"%s %s is declared with a variable called %s; if that should be an attribute, no header "
		"defines it, and the layout is computed without it.",
		decl->is_union ? "union" : "struct", decl->name ? decl->name : "without a name",
		cxstring_dup(clang_getCursorSpelling(cursor), walk->decls.arena));
}

/* The state of a visit of a declaration and everything declared inside it. */
struct unit_visit {
	struct walk *walk;
	struct err *err;
	int rc;
};

/*
 * A type may be declared anywhere inside another declaration: in a record, but also in an array's dimension
 * or an enumerator's value, "sizeof(enum { LEN = 5 })". In C all of these have file scope. Only a declaration
 * among the parameters of a function has the scope of that function.
 */
static enum CXChildVisitResult declaration_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct unit_visit *visit = data;
	struct walk *walk = visit->walk;
	bool is_type = cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl ||
		       cursor.kind == CXCursor_EnumDecl || cursor.kind == CXCursor_TypedefDecl;

	(void)parent;
	if (cursor.kind == CXCursor_FunctionDecl || cursor.kind == CXCursor_ParmDecl)
		return CXChildVisit_Continue;
	clang_visitChildren(cursor, declaration_visit, visit);
	if (cursor.kind == CXCursor_VarDecl && !is_foreign(walk, cursor))
		warn_of_variable(walk, cursor);
	if (is_type && cursor.kind != CXCursor_TypedefDecl && !clang_isCursorDefinition(cursor))
		differences_of_forward(&walk->decls, cursor);
	if (!visit->rc && is_type && clang_isCursorDefinition(cursor) && !is_foreign(walk, cursor))
		visit->rc = walk_type(walk, cursor, visit->err);
	return visit->rc ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Adds the enums that have no name and that nothing used. */
static void name_enums(struct walk *walk)
{
	size_t i;

	for (i = 0; i < walk->enum_count; i++) {
		struct decl *decl = walk->enums[i];

		decl_enumerators(&walk->decls, decl);
		if (!decl->is_used && decl->enumerator_count) {
			struct owner owner = { "", decl->enumerators[0].name, 0 };

			add_enum(walk, decl->type, owned_name(walk, owner), owner);
		}
	}
}

int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count, struct err *err)
{
	struct unit_visit visit = { walk, err, 0 };

	decls_note_typedefs(&walk->decls, declarations, count);
	for (size_t i = 0; i < count && !visit.rc; i++)
		declaration_visit(declarations[i], clang_getNullCursor(), &visit);
	if (!visit.rc)
		name_enums(walk);
	return visit.rc;
}

void walk_release(struct walk *walk)
{
	HASH_CLEAR(hh, walk->names);
	free(walk->records);
	free(walk->enums);
	walk->records = NULL;
	walk->enums = NULL;
	walk->record_count = walk->enum_count = 0;
	type_text_release(&walk->decls);
	decls_release(&walk->decls);
}
