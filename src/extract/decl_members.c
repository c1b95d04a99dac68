#include "extract/decl_members.h"

#include "extract/cxstring.h"
#include "extract/differences.h"
#include "extract/type_text.h"

#include <stdlib.h>

/* The visit of one record's fields. */
struct member_list {
	struct decls *decls;
	const struct decl *decl;
	struct decl_member *items;
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
 * headers would occupy it for years, or end the program.
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

static int read_member(struct member_list *list, struct decl_member *out, CXCursor cursor)
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
	const char *name = cxstring_dup(clang_getCursorSpelling(cursor), list->decls->arena);
	struct decl_member member = { .name = decl_is_name(name) ? name : "", .is_bitfield = clang_Cursor_isBitField(cursor) };

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
		differences_of_record(decls, decl);
		decl->members = arena_memdup(decls->arena, list.items, list.count * sizeof(*list.items));
		decl->member_count = list.count;
		decl->has_members = true;
	}
	free(list.items);
	free(list.cursors);
	return rc;
}
