#include "extract/decl.h"

#include "extract/clang_type.h"
#include "extract/cxstring.h"

#include <stdlib.h>
#include <uthash.h>

/* The source of what clang declares by itself. */
#define BUILT_IN "<built-in>"

struct decl_node {
	struct decl decl; /* first */
	const void *key;  /* clang's declaration */
	UT_hash_handle hh;
};

/* A typedef of the unit. */
struct typedef_node {
	const char *name;
	CXType type;
	UT_hash_handle hh;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Declarations of one file come one after the other, so the last name is remembered. */
static void look_at_file(struct decls *decls, CXFile file)
{
	CXString name;
	const char *own;

	if (file == decls->last_file && decls->last_file_name)
		return;
	name = clang_getFileName(file);
	own = clang_getCString(name) ? clang_getCString(name) : "";
	decls->last_file = file;
	decls->last_file_name = decls->file_name(decls->data, own);
	decls->last_file_is_own = !decls->last_file_name;
	if (!decls->last_file_name)
		decls->last_file_name = *own ? arena_printf(decls->arena, "<%s>", base_name(own)) : BUILT_IN;
	clang_disposeString(name);
}

const char *decl_file(struct decls *decls, CXCursor cursor)
{
	CXFile file = NULL;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
	look_at_file(decls, file);
	return decls->last_file_is_own ? NULL : decls->last_file_name;
}

const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header)
{
	CXFile file = NULL;
	unsigned line, column;

	clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, &line, &column, NULL);
	look_at_file(decls, file);
	*in_own_header = decls->last_file_is_own;
	if (decls->last_file_is_own)
		return decls->last_file_name;
	return arena_printf(decls->arena, "%s:%u:%u", decls->last_file_name, line, column);
}

bool decl_is_name(const char *text)
{
	return *text && !strpbrk(text, " ():");
}

static const char *without_tag(const char *name)
{
	static const char *const tags[] = { "struct ", "union ", "enum ", "class " };
	size_t i;

	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (!strncmp(name, tags[i], strlen(tags[i])))
			return name + strlen(tags[i]);
	return name;
}

/*
 * The name that C has for it. libclang 14 knows nothing of a typedef in the
 * cursor's name, 19 does; both spell the type by it.
 */
static const char *decl_name(struct decls *decls, CXCursor cursor, CXType type)
{
	const char *name;

	if (clang_Cursor_isAnonymous(cursor))
		return NULL;
	if (!decls->is_cxx) {
		name = cxstring_dup(clang_getCursorSpelling(cursor), decls->arena);
		if (decl_is_name(name))
			return name;
	}
	name = without_tag(cxstring_dup(clang_getTypeSpelling(type), decls->arena));
	return *name && !strpbrk(name, "()") ? name : NULL;
}

static bool is_named_by_typedef(struct decls *decls, CXType type)
{
	const char *spelling = cxstring_dup(clang_getTypeSpelling(type), decls->arena);

	return without_tag(spelling) == spelling;
}

/* Are they one type, aligned alike? A typedef may be aligned in another way than the record that it is a typedef of. */
static bool is_same_type(CXType a, CXType b)
{
	return clang_equalTypes(clang_getCanonicalType(a), clang_getCanonicalType(b)) && clang_Type_getAlignOf(a) == clang_Type_getAlignOf(b);
}

/*
 * In C, "struct x" and "enum x" may be one type and "x", a typedef, another; a document spells both "x". The typedef keeps the name, and
 * the tag is called x::struct_t, as if it had none, so that no field of the one is read as the other. Between two units, the first keeps it.
 * A record without a tag has its name from a typedef, and is aligned as that is.
 */
static void name_apart(struct decls *decls, struct decl *decl)
{
	const bool is_enum = decl->cursor.kind == CXCursor_EnumDecl;
	const char *tag = is_enum ? "enum" : decl->is_union ? "union" : "struct", *name = decl->name;
	struct typedef_node *found;

	if (!name || decls->is_cxx)
		return;
	HASH_FIND_STR(decls->typedef_nodes, name, found);
	if (found && is_named_by_typedef(decls, decl->type))
		decl->named_type = found->type;
	if (found ? is_same_type(found->type, decl->named_type) :
		    !abi_builder_has_other(decls->builder, is_enum ? ABI_ENUM : ABI_RECORD, name))
		return;
	decl->name = arena_printf(decls->arena, "%s::%s_t", name, tag);
	if (decl->is_complete && !decl->in_own_header)
		abi_builder_warning(decls->builder, decl->source,
				    arena_printf(decls->arena, "%s is another type than %s %s; that is called %s here.", name, tag, name, decl->name));
}

static enum abi_kind kind_of(CXType type)
{
	switch (clang_getCanonicalType(type).kind) {
	case CXType_Record: return ABI_RECORD;
	case CXType_Enum: return ABI_ENUM;
	default: return ABI_ALIAS;
	}
}

const char *decl_typedef_name(struct decls *decls, CXType type)
{
	const char *name = cxstring_dup(clang_getTypedefName(type), decls->arena), *apart;
	bool in_own_header;

	if (decls->is_cxx || !abi_builder_has_other(decls->builder, kind_of(type), name))
		return name;
	apart = arena_printf(decls->arena, "%s::typedef_t", name);
	abi_builder_warning(decls->builder, decl_location(decls, clang_getTypeDeclaration(type), &in_own_header), arena_printf(decls->arena, "%s is another type in another unit; the typedef is called %s here.", name, apart));
	return apart;
}

void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct typedef_node *node, *found;

		if (cursors[i].kind != CXCursor_TypedefDecl)
			continue;
		node = arena_alloc(decls->arena, sizeof(*node));
		node->name = cxstring_dup(clang_getCursorSpelling(cursors[i]), decls->arena);
		node->type = clang_getCursorType(cursors[i]);
		HASH_FIND_STR(decls->typedef_nodes, node->name, found);
		if (!found)
			HASH_ADD_KEYPTR(hh, decls->typedef_nodes, node->name, strlen(node->name), node);
	}
}

struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor)
{
	CXCursor definition = clang_getCursorDefinition(cursor);
	struct decl_node *node;
	struct decl *decl;
	const void *key;

	if (!clang_Cursor_isNull(definition))
		cursor = definition;
	key = cursor.data[0];
	HASH_FIND_PTR(decls->decl_nodes, &key, node);
	if (node)
		return &node->decl;
	node = arena_alloc(decls->arena, sizeof(*node));
	node->key = key;
	HASH_ADD_PTR(decls->decl_nodes, key, node);
	decl = &node->decl;
	decl->cursor = cursor;
	decl->type = clang_getCursorType(cursor);
	decl->is_complete = !clang_Cursor_isNull(definition);
	decl->is_union = cursor.kind == CXCursor_UnionDecl;
	decl->name = decl_name(decls, cursor, decl->type);
	decl->source = decl_location(decls, cursor, &decl->in_own_header);
	decl->is_built_in = !strcmp(decl->source, BUILT_IN);
	decl->named_type = decl->type;
	name_apart(decls, decl);
	return decl;
}

struct decl *decl_of_type(struct decls *decls, CXType type)
{
	return decl_of_cursor(decls, clang_getTypeDeclaration(type));
}

/* The visit of one enum. */
struct enumerator_list {
	struct decls *decls;
	struct abi_enumerator *items;
	size_t count, capacity;
	bool is_unsigned;
};

static enum CXChildVisitResult enumerator_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct enumerator_list *list = data;
	struct abi_enumerator *item;

	(void)parent;
	if (cursor.kind != CXCursor_EnumConstantDecl)
		return CXChildVisit_Continue;
	ARRAY_GROW(list->items, list->count, list->capacity);
	item = &list->items[list->count++];
	item->name = cxstring_dup(clang_getCursorSpelling(cursor), list->decls->arena);
	item->value = list->is_unsigned ? abi_number_unsigned(clang_getEnumConstantDeclUnsignedValue(cursor)) :
					  abi_number_signed(clang_getEnumConstantDeclValue(cursor));
	return CXChildVisit_Continue;
}

void decl_enumerators(struct decls *decls, struct decl *decl)
{
	struct enumerator_list list = { .decls = decls };

	if (decl->has_enumerators)
		return;
	list.is_unsigned = type_is_unsigned(clang_getEnumDeclIntegerType(decl->cursor));
	clang_visitChildren(decl->cursor, enumerator_visit, &list);
	decl->enumerators = arena_memdup(decls->arena, list.items, list.count * sizeof(*list.items));
	decl->enumerator_count = list.count;
	decl->has_enumerators = true;
	free(list.items);
}

void decls_release(struct decls *decls)
{
	HASH_CLEAR(hh, decls->decl_nodes);
	HASH_CLEAR(hh, decls->typedef_nodes);
}
