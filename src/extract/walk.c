/*
 * extract/walk.c - adds clang's declarations to the document
 *
 * A record that is found as the type of a field is appended to a list, and visited later. So a chain of a
 * hundred thousand records does not overflow the stack. Types are named as in gVisor's driver_ast_parser:
 *
 * - The document has a full copy of a record under its tag and under the name of every typedef of it, also of
 *   a typedef of a typedef. Unnamed types in a copy are named after the typedef whose type is the record
 *   itself.
 * - An unnamed record or enum that is the type of a field is called PARENT::FIELD_t, where PARENT is the name
 *   of the record. If the field has no name either, it is called PARENT::_t, and the second such type
 *   PARENT::_t2. In a typedef of a pointer or array, it is called TYPEDEF::_t. An enum without tag, typedef
 *   and field is called ::FIRSTENUMERATOR_t.
 * - If a tag is also the name of a typedef of a different type, the type with the tag is called
 *   TAG::struct_t, TAG::union_t or TAG::enum_t. If an earlier unit has a different type with the name of a
 *   typedef, the typedef is called NAME::typedef_t. Both new names lead to a warning.
 * - The document has the base type of each field, as a record, enum or alias, with exactly the spelling that
 *   the field uses. It also has the type that a field points to.
 */
#include "extract/internal.h"

#include <fnmatch.h>

/*
 * A name under which a declaration was added. The key includes the declaration. So a different declaration
 * with the same name is passed to the builder too, which warns.
 */
struct walk_name {
	const char *key; /* the name, a NUL, and the bytes of a pointer to the declaration */
	UT_hash_handle hh;
};

/* A record that has yet to be added. */
struct walk_record {
	struct decl *decl;
	const char *name;
	const char *parent; /* the names of unnamed types in the record begin with this name */
	CXType type;        /* the type that has `name`; its alignment can differ from that of `decl` */
	struct walk_record *next;
};

/* The typedef or field after which an unnamed type is named. */
struct owner {
	const char *parent;
	const char *field;
	unsigned number; /* number among the parent's unnamed fields, from 1; 0 if the field has a name */
};

/* Remembers that @what is added under @name. Return: false if it was already added under this name. */
static bool note_added(struct walk *walk, const char *name, const void *what)
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
	return spelling->unnamed ? type_text_named(spelling, owned_name(walk, owner), walk->decls.arena)
				 : spelling->text;
}

static uint64_t size_of(CXType type)
{
	long long size = clang.getCanonicalType(type).kind == CXType_Void ? 0 : clang.Type_getSizeOf(type);

	return size < 0 ? 0 : (uint64_t)size;
}

/* Adds the record to walk->records, once for each name, unless it is incomplete or built in; sets is_used. */
static void defer_record(struct walk *walk, struct walk_record record)
{
	record.decl->is_used = true;
	if (!record.decl->is_complete || record.decl->is_built_in ||
	    !note_added(walk, record.name, record.decl))
		return;
	record.next = walk->records;
	walk->records = arena_memdup(walk->decls.arena, &record, sizeof(record));
}

/*
 * Returns the name of the record @type: the typedef or tag that @type spells, without qualifiers. An unnamed
 * record is named after @owner.
 */
static const char *record_name(struct walk *walk, CXType type, struct owner owner)
{
	CXType plain = type_plain(type);
	const struct decl *decl = decl_of_type(&walk->decls, clang.getCanonicalType(plain));

	if (plain.kind == CXType_Typedef)
		return decl_typedef_name(&walk->decls, plain);
	return decl->name ? decl->name : owned_name(walk, owner);
}

/* Adds the record @type to walk->records under its name, and with context headers also under its tag. */
static void defer_record_type(struct walk *walk, CXType type, struct owner owner)
{
	CXType plain = type_plain(type);
	struct walk_record record = { .type = plain };

	record.decl = decl_of_type(&walk->decls, clang.getCanonicalType(plain));
	record.name = record_name(walk, type, owner);
	if (plain.kind == CXType_Typedef) {
		/* Unnamed types in the record are named after the typedef whose type is the record itself. */
		record.parent = decl_typedef_name(&walk->decls, type_root(&walk->decls, plain));
		/* With context headers, the tag may be unused elsewhere: add the record under it too. */
		if (record.decl->name && walk->context && walk->context->count)
			defer_record(walk, (struct walk_record){ .decl = record.decl,
								 .name = record.decl->name,
								 .parent = record.decl->name,
								 .type = record.decl->named_type });
	} else {
		record.type = record.decl->named_type;
		record.parent = record.name;
	}
	defer_record(walk, record);
}

/* Checks whether an enum at @source, "path:line:column", is in a file that @glob, from a profile's rule, matches. */
static bool is_in_file(const char *glob, const char *source, struct arena *arena)
{
	size_t length = strlen(source);

	for (int colons = 0; length && colons < 2; colons += source[length] == ':')
		length--;
	return !fnmatch(glob, arena_strndup(arena, source, length), 0);
}

/* Adds an enum under @name, once, and as constants those of its enumerators that the profile requests. */
static void put_enum(struct walk *walk, struct decl *decl, const char *name)
{
	struct abi_enum one;

	decl->is_used = true;
	if (!note_added(walk, name, decl))
		return;
	decl_enumerators(&walk->decls, decl);
	one = (struct abi_enum){
		.name = name,
		.type = type_text_of(&walk->decls,
				     clang.getCanonicalType(clang.getEnumDeclIntegerType(decl->cursor)))
				->text,
		.size_bytes = size_of(decl->type),
		.values = decl->enumerators,
		.value_count = decl->enumerator_count,
		.source = decl->source,
	};
	abi_builder_enum(walk->decls.builder, &one);
	for (size_t i = 0; walk->profile && i < walk->profile->constant_count; i++) {
		const struct profile_constant *rule = &walk->profile->constants[i];

		if (!rule->enumeration || fnmatch(rule->enumeration, name, 0) ||
		    (rule->file && !is_in_file(rule->file, decl->source, walk->decls.arena)))
			continue;
		for (size_t j = 0; j < one.value_count; j++) {
			const struct abi_enumerator *value = &one.values[j];

			if (!fnmatch(rule->name, value->name, 0) &&
			    !profile_matches(&rule->except, value->name))
				abi_builder_constant(walk->decls.builder,
						     &(struct abi_constant){ value->name, value->value });
		}
	}
}

/*
 * Adds the enum @type under its tag and, if @type is a typedef, under the name of the typedef. Without both,
 * it is named after @owner. Adds aliases with the names @text and the tag. Ignores an incomplete enum.
 */
static void add_enum(struct walk *walk, CXType type, const char *text, struct owner owner)
{
	CXType plain = type_plain(type);
	struct decl *decl = decl_of_type(&walk->decls, clang.getCanonicalType(plain));
	const char *name = decl->name, *spelled;

	if (!decl->is_complete)
		return;
	if (plain.kind == CXType_Typedef) {
		const char *alias = decl_typedef_name(&walk->decls, plain);

		put_enum(walk, decl, alias);
		name = name ? name : alias;
	}
	name = name ? name : owned_name(walk, owner);
	put_enum(walk, decl, name);
	spelled = walk->writes_enum && decl_has_tag(decl->cursor)
			  ? arena_printf(walk->decls.arena, "enum %s", name)
			  : name;
	abi_builder_alias(walk->decls.builder, &(struct abi_alias){ name, spelled, size_of(decl->type) });
	abi_builder_alias(walk->decls.builder, &(struct abi_alias){ text, spelled, size_of(decl->type) });
}

/*
 * Follows pointers, arrays and typedefs from @type to a record, an enum or another type that ends the chain.
 * Return: that type. @owner is set to the last typedef on the way, after which an unnamed type is named.
 */
static CXType reached_type(struct walk *walk, CXType type, struct owner *owner)
{
	for (;;) {
		CXType canonical = clang.getCanonicalType(type);

		type = type_plain(type);
		if (canonical.kind == CXType_Record || canonical.kind == CXType_Enum)
			return type;
		switch (type.kind) {
		case CXType_Pointer:
			type = clang.getPointeeType(type);
			break;
		case CXType_ConstantArray:
		case CXType_IncompleteArray:
			type = clang.getArrayElementType(type);
			break;
		case CXType_Atomic:
			type = clang.Type_getValueType(type);
			break;
		case CXType_Typedef:
			*owner = (struct owner){ decl_typedef_name(&walk->decls, type), "", 0 };
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
 * Adds the record or enum to which @type leads through pointers and arrays. Return: the owner after which it
 * is named if it has no name.
 */
static struct owner add_reached(struct walk *walk, CXType type, struct owner owner)
{
	CXType target = reached_type(walk, type, &owner);

	switch (clang.getCanonicalType(target).kind) {
	case CXType_Record:
		defer_record_type(walk, target, owner);
		break;
	case CXType_Enum:
		add_enum(walk, target, owned_text(walk, type_text_of(&walk->decls, target), owner), owner);
		break;
	default:
		break;
	}
	return owner;
}

/*
 * Adds @type, the base type of a field or a typedef, to the document: a record or enum under its name; any
 * other type as an alias with its spelling @text, and the record or enum to which it leads.
 */
static void add_base(struct walk *walk, CXType type, const char *text, struct owner owner)
{
	const CXType canonical = clang.getCanonicalType(type);

	switch (canonical.kind) {
	case CXType_Record:
		defer_record_type(walk, type, owner);
		break;
	case CXType_Enum:
		add_enum(walk, type, text, owner);
		break;
	default:
		if (!note_added(walk, text, canonical.data[0]))
			break;
		owner = add_reached(walk, type, owner);
		abi_builder_alias(walk->decls.builder, &(struct abi_alias){
			.name = text,
			.type = owned_text(walk, type_text_of(&walk->decls, canonical), owner),
			.size_bytes = type_is_reference(type) ? (uint64_t)walk->decls.reference_bytes :
								size_of(type),
		});
		break;
	}
}

/* Sets *@data, a bool, if the C++ record that is visited has a base class. */
static enum CXChildVisitResult base_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	bool *found = data;

	(void)parent;
	*found = *found || cursor.kind == CXCursor_CXXBaseSpecifier;
	return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Warns if a C++ record has base classes, because libclang 14 to 19 do not report their offsets. */
static void warn_of_bases(struct walk *walk, const struct decl *decl, const char *name)
{
	bool found = false;

	if (walk->decls.is_cxx)
		clang.visitChildren(decl->cursor, base_visit, &found);
	if (found)
		abi_builder_warning(
			walk->decls.builder, decl->source,
			"%s has base classes, which are left out: libclang does not report their offsets.",
			name);
}

/*
 * Adds a record, its fields with their roles, and the types of the fields to the document; records among
 * these types to walk->records. Return: 0; the errors of decl_members().
 */
static int put_record(struct walk *walk, const struct walk_record *record)
{
	struct decl *decl = record->decl;
	long long align = clang.Type_getAlignOf(record->type);
	struct abi_field *fields;
	unsigned unnamed_count = 0;
	int rc;

	if ((rc = decl_members(&walk->decls, decl)))
		return rc;
	warn_of_bases(walk, decl, record->name);
	fields = arena_array(walk->decls.arena, decl->member_count, sizeof(*fields));
	for (size_t i = 0; i < decl->member_count; i++) {
		const struct decl_member *member = &decl->members[i];
		struct type_parts *parts = member->parts;
		struct owner owner = { record->parent, member->name, *member->name ? 0 : ++unnamed_count };
		const char *base = owned_text(walk, parts->spelling, owner);

		fields[i] = (struct abi_field){
			.name = member->name,
			.type = type_text_array(base, parts->dimensions, walk->decls.arena),
			.offset_bits = member->offset_bits,
			.size_bits = member->size_bits,
			.is_bitfield = member->is_bitfield,
			.role = walk->profile ? profile_role_of(walk->profile, record->name, member->name,
								parts->types) :
						ABI_ROLE_NONE,
		};
		if (!parts->is_added)
			add_base(walk, parts->base, base, owner);
		parts->is_added = !parts->spelling->unnamed;
	}
	abi_builder_record(walk->decls.builder, &(struct abi_record){
		.name = record->name,
		.fields = fields,
		.field_count = decl->member_count,
		.size_bytes = size_of(decl->type),
		.align_bytes = align < 0 ? 0 : (uint64_t)align,
		.is_union = decl->is_union,
		.source = decl->source,
	});
	return 0;
}

/* Adds the records in walk->records, and those that their fields use, until the list is empty. */
static int put_records(struct walk *walk)
{
	int rc = 0;

	for (const struct walk_record *record; (record = walk->records) && !rc;) {
		walk->records = record->next;
		rc = put_record(walk, record);
	}
	return rc;
}

/* Adds a typedef, the type and typedef to which it leads, and a warning if gcc lays it out differently. */
static void add_typedef(struct walk *walk, CXCursor cursor)
{
	CXType type = clang.getCursorType(cursor), under = clang.getTypedefDeclUnderlyingType(cursor);
	struct owner owner = { decl_typedef_name(&walk->decls, type), "", 0 };

	differences_of_typedef(&walk->decls, cursor);
	switch (clang.getCanonicalType(type).kind) {
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
	case CXType_IncompleteArray:
		/* These types have no size, so only the types that they use are added. */
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

int walk_type(struct walk *walk, CXCursor cursor)
{
	struct decl *decl;
	int rc;

	if (cursor.kind == CXCursor_TypedefDecl || cursor.kind == CXCursor_TypeAliasDecl) {
		add_typedef(walk, cursor);
	} else if ((decl = decl_of_cursor(&walk->decls, cursor))->name) {
		add_base(walk, decl->type, decl->name, (struct owner){ "", "", 0 });
	} else if (cursor.kind == CXCursor_EnumDecl) {
		walk->enums = arena_room(walk->decls.arena, walk->enums, walk->enum_count,
					 sizeof(*walk->enums));
		walk->enums[walk->enum_count++] = decl;
	}
	rc = put_records(walk);
	if (!rc && walk->decls.is_too_deep)
		rc = err_set(walk->decls.err, ERR_LIMIT, "%s: a type here is nested too deep to be spelled",
			     decl_location(&walk->decls, cursor, NULL));
	return rc;
}

int walk_argument(struct walk *walk, const char **spelled, const char **params, uint64_t *elements,
		  CXType type)
{
	struct type_parts *parts = type_parts_of(&walk->decls, type);
	const char *base = parts->spelling->text;
	CXType target = clang.getCanonicalType(parts->base);
	struct owner owner = { "", "", 0 };
	int rc;

	*spelled = *params = NULL;
	*elements = 1;
	while (target.kind == CXType_ConstantArray) /* an array of a typedef of an array */
		target = clang.getCanonicalType(clang.getArrayElementType(target));
	if (parts->spelling->unnamed || parts->size_bytes < 0)
		return 0;
	add_base(walk, parts->base, base, owner);
	if ((rc = put_records(walk)))
		return rc;
	*spelled = type_text_array(base, parts->dimensions, walk->decls.arena);
	if (target.kind == CXType_Record ||
	    (target.kind == CXType_Pointer &&
	     clang.getCanonicalType(clang.getPointeeType(target)).kind == CXType_Record)) {
		CXType record = reached_type(walk, parts->base, &owner);

		*params = record_name(walk, record, owner);
		if (target.kind == CXType_Record && size_of(target))
			*elements = size_of(type) / size_of(target);
	} else if (!*parts->dimensions) {
		*params = base;
	}
	return 0;
}

/*
 * Checks whether the declaration is in one of clang's own headers or in a context header. These are added
 * only if a declaration of the driver uses them.
 */
static bool is_foreign(struct walk *walk, CXCursor cursor)
{
	const char *file = walk->context && walk->context->count ? decl_file(&walk->decls, cursor) : NULL;
	bool in_own_header = false;

	if (file && texts_have(walk->context->item, walk->context->count, file))
		return true;
	if (clang.Location_isInSystemHeader(clang.getCursorLocation(cursor)))
		decl_location(&walk->decls, cursor, &in_own_header);
	return in_own_header;
}

/*
 * Warns of a variable that was probably meant as an attribute, because headers do not define variables. If no
 * header defines __packed, "struct x { ... } __packed;" declares a variable, and the record is not packed.
 */
static void warn_of_variable(struct walk *walk, CXCursor cursor)
{
	CXType type = clang.getCanonicalType(clang.getCursorType(cursor));
	CXCursor record = clang.getTypeDeclaration(type);
	struct decl *decl;

	/* With a storage class such as "extern", the variable is intended, and begins before the record. */
	if (type.kind != CXType_Record ||
	    !clang.equalLocations(clang.getRangeStart(clang.getCursorExtent(cursor)),
				  clang.getRangeStart(clang.getCursorExtent(record))))
		return;
	decl = decl_of_cursor(&walk->decls, record);
	abi_builder_warning(
		walk->decls.builder, decl->source,
		"%s %s is declared with a variable called %s. If this name is meant as an attribute, no "
		"header defines it, and the layout is computed without it.",
		decl->is_union ? "union" : "struct", decl->name ? decl->name : "without a name",
		cxstring_dup(clang.getCursorSpelling(cursor), walk->decls.arena));
}

/*
 * Adds the types that are declared in a declaration: in a record, in the dimension of an array, or in the
 * value of an enumerator, "sizeof(enum { LEN = 5 })". In C, all of these have file scope. Only types that are
 * declared in the parameters of a function have the scope of the function, so they are not added. Warns of
 * variables and forward declarations that may affect the layout. An error, in walk->rc, ends the visit.
 */
static enum CXChildVisitResult declaration_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct walk *walk = data;
	bool is_type = cursor.kind == CXCursor_StructDecl || cursor.kind == CXCursor_UnionDecl ||
		       cursor.kind == CXCursor_EnumDecl || cursor.kind == CXCursor_TypedefDecl;

	(void)parent;
	if (cursor.kind == CXCursor_FunctionDecl || cursor.kind == CXCursor_ParmDecl)
		return CXChildVisit_Continue;
	clang.visitChildren(cursor, declaration_visit, walk);
	if (cursor.kind == CXCursor_VarDecl && !is_foreign(walk, cursor))
		warn_of_variable(walk, cursor);
	if (is_type && cursor.kind != CXCursor_TypedefDecl && !clang.isCursorDefinition(cursor))
		differences_of_forward(&walk->decls, cursor);
	if (!walk->rc && is_type && clang.isCursorDefinition(cursor) && !is_foreign(walk, cursor))
		walk->rc = walk_type(walk, cursor);
	return walk->rc ? CXChildVisit_Break : CXChildVisit_Continue;
}

int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count)
{
	decls_note_typedefs(&walk->decls, declarations, count);
	for (size_t i = 0; i < count && !walk->rc; i++)
		declaration_visit(declarations[i], clang.getNullCursor(), walk);
	/* Add the enums without a name that no other declaration uses. */
	for (size_t i = 0; i < walk->enum_count && !walk->rc; i++) {
		struct decl *decl = walk->enums[i];

		decl_enumerators(&walk->decls, decl);
		if (!decl->is_used && decl->enumerator_count) {
			struct owner owner = { "", decl->enumerators[0].name, 0 };

			add_enum(walk, decl->type, owned_name(walk, owner), owner);
		}
	}
	return walk->rc;
}

void walk_release(struct walk *walk)
{
	HASH_CLEAR(hh, walk->names);
	type_text_release(&walk->decls);
	decls_release(&walk->decls);
}
