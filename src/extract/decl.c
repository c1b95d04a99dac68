#include "extract/decl.h"

#include "extract/take.h"

#include <stdlib.h>
#include <uthash.h>

/* The source of what clang declares by itself. */
#define BUILT_IN "<built-in>"

struct decl_node {
	struct decl decl; /* first */
	const void *key;  /* clang's declaration */
	UT_hash_handle hh;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Declarations of one file come one after the other: the last name is kept. */
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

const char *decl_place(struct decls *decls, CXCursor cursor, bool *in_own_header)
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

static bool is_name(const char *text)
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
		name = take(clang_getCursorSpelling(cursor), decls->arena);
		if (is_name(name))
			return name;
	}
	name = without_tag(take(clang_getTypeSpelling(type), decls->arena));
	return *name && !strpbrk(name, "()") ? name : NULL;
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
	decl->source = decl_place(decls, cursor, &decl->in_own_header);
	decl->is_built_in = !strcmp(decl->source, BUILT_IN);
	return decl;
}

struct decl *decl_of_type(struct decls *decls, CXType type)
{
	return decl_of_cursor(decls, clang_getTypeDeclaration(type));
}

/* The visit of one record's fields. */
struct member_list {
	struct decls *decls;
	const struct decl *decl;
	struct member *items;
	CXCursor *cursors; /* of the items */
	size_t count, capacity, cursor_capacity;
	uint64_t weight;
	unsigned depth; /* of the records in it */
	unsigned level; /* of the visit */
	struct err *err;
};

/*
 * Before it answers for one field, libclang looks at every field of the
 * record and of the records in it, by recursion and again and again. Some
 * headers would keep it busy for years, or end the program.
 */
enum { DECL_DEPTH_MAX = 500, DECL_WORK_MAX = 200 * 1000 * 1000 };

static void decl_weigh(struct decls *decls, struct decl *decl, unsigned level);

static enum CXVisitorResult weight_visit(CXCursor cursor, CXClientData data)
{
	struct member_list *list = data;
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	struct decl *inner;

	list->weight++;
	if (type.kind != CXType_Record)
		return CXVisit_Continue;
	inner = decl_of_type(list->decls, type);
	decl_weigh(list->decls, inner, list->level + 1);
	list->weight += inner->weight;
	if (inner->depth >= list->depth)
		list->depth = inner->depth + 1;
	return list->weight > DECL_WORK_MAX || list->depth > DECL_DEPTH_MAX ? CXVisit_Break : CXVisit_Continue;
}

/* Set the weight and depth of @decl. */
static void decl_weigh(struct decls *decls, struct decl *decl, unsigned level)
{
	struct member_list list = { .decls = decls, .level = level };

	if (decl->weight)
		return;
	if (level > DECL_DEPTH_MAX)
		list.depth = level;
	else
		clang_Type_visitFields(decl->type, weight_visit, &list);
	decl->weight = list.weight + 1;
	decl->depth = list.depth;
}

static const char *shown_name(const struct decl *decl)
{
	return decl->name ? decl->name : "an unnamed record";
}

static int layout_error(struct member_list *list, const char *name, const char *what, long long code)
{
	return err_set(list->err, ERR_LAYOUT, "%s: field %s of %s has no %s that could be known (libclang's answer is %lld)",
		       list->decl->source, *name ? name : "without a name", shown_name(list->decl), what, code);
}

static int read_member(struct member_list *list, struct member *out, CXCursor cursor)
{
	long long offset = clang_Cursor_getOffsetOfField(cursor);

	if (offset < 0)
		return layout_error(list, out->name, "offset", offset);
	if (out->shape->size_bytes < 0)
		return layout_error(list, out->name, "size", out->shape->size_bytes);
	out->offset_bits = (uint64_t)offset;
	out->size_bits = out->is_bitfield ? (uint64_t)clang_getFieldDeclBitWidth(cursor) : (uint64_t)out->shape->size_bytes * 8;
	return 0;
}

static enum CXVisitorResult member_visit(CXCursor cursor, CXClientData data)
{
	struct member_list *list = data;
	const char *name = take(clang_getCursorSpelling(cursor), list->decls->arena);
	struct member member = { .name = is_name(name) ? name : "", .is_bitfield = clang_Cursor_isBitField(cursor) };

	/* An unnamed bit-field is padding. */
	if (!*member.name && member.is_bitfield)
		return CXVisit_Continue;
	member.shape = shape_of(list->decls, clang_getCursorType(cursor));
	if (list->count == list->cursor_capacity) {
		list->cursor_capacity = list->cursor_capacity ? list->cursor_capacity * 2 : 16;
		list->cursors = xrealloc(list->cursors, list->cursor_capacity * sizeof(*list->cursors));
	}
	ARRAY_GROW(list->items, list->count, list->capacity);
	list->cursors[list->count] = cursor;
	list->items[list->count++] = member;
	return CXVisit_Continue;
}

int decl_members(struct decls *decls, struct decl *decl, struct err *err)
{
	struct member_list list = { .decls = decls, .decl = decl, .err = err };
	size_t i;
	int rc = 0;

	if (decl->has_members)
		return 0;
	clang_Type_visitFields(decl->type, member_visit, &list);
	decl_weigh(decls, decl, 0);
	if (decl->depth <= DECL_DEPTH_MAX && decl->weight <= DECL_WORK_MAX / (list.count + 1))
		decls->work += decl->weight * list.count;
	else
		decls->work = DECL_WORK_MAX + 1;
	if (decls->work > DECL_WORK_MAX)
		rc = err_set(err, ERR_LIMIT, "%s: %s has more fields, or records in records, than is sane",
			     decl->source, shown_name(decl));
	for (i = 0; i < list.count && !rc; i++)
		rc = read_member(&list, &list.items[i], list.cursors[i]);
	if (!rc) {
		decl->members = arena_memdup(decls->arena, list.items, list.count * sizeof(*list.items));
		decl->member_count = list.count;
		decl->has_members = true;
	}
	free(list.items);
	free(list.cursors);
	return rc;
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
	item->name = take(clang_getCursorSpelling(cursor), list->decls->arena);
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

int decls_check(struct decls *decls, CXCursor cursor, struct err *err)
{
	bool in_own_header;

	if (!decls->is_too_deep)
		return 0;
	return err_set(err, ERR_LIMIT, "%s: a type here nests deeper than is sane", decl_place(decls, cursor, &in_own_header));
}

void decls_release(struct decls *decls)
{
	HASH_CLEAR(hh, decls->decl_nodes);
	spellings_release(decls);
}
