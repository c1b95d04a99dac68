#include "extract/differences.h"

#include "extract/clang_type.h"
#include "extract/cxstring.h"

#include <stdlib.h>
#include <string.h>

/* The attributes of one declaration. */
struct attributes {
	unsigned packed, aligned, unknown;
};

static enum CXChildVisitResult attribute_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct attributes *found = data;

	(void)parent;
	found->packed += cursor.kind == CXCursor_PackedAttr;
	found->aligned += cursor.kind == CXCursor_AlignedAttr;
	found->unknown += cursor.kind == CXCursor_UnexposedAttr;
	return CXChildVisit_Continue;
}

static struct attributes attributes_of(CXCursor cursor)
{
	struct attributes found = { 0 };

	clang_visitChildren(cursor, attribute_visit, &found);
	return found;
}

static const char *name_of(struct decls *decls, CXCursor cursor)
{
	const char *name = cxstring_dup(clang_getCursorSpelling(cursor), decls->arena);

	return decl_is_name(name) ? name : "What has no name";
}

/* The visit of one record's fields. */
struct field_visit {
	struct decls *decls;
	const char *record;
	bool has_bits;
};

static void warn(struct decls *decls, CXCursor cursor, const char *text)
{
	bool in_own_header;
	const char *place = decl_location(decls, cursor, &in_own_header);

	if (!in_own_header)
		abi_builder_warning(decls->builder, place, text);
}

static void warn_of_field(const struct field_visit *visit, CXCursor cursor, const char *what)
{
	struct arena *arena = visit->decls->arena;
	const char *name = cxstring_dup(clang_getCursorSpelling(cursor), arena);

	warn(visit->decls, cursor, arena_printf(arena, "%s.%s %s.", visit->record, decl_is_name(name) ? name : "(unnamed)", what));
}

static enum CXVisitorResult field_visit(CXCursor cursor, CXClientData data)
{
	struct field_visit *visit = data;
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor)), value;
	bool is_array;

	if (clang_Cursor_isBitField(cursor)) {
		visit->has_bits = true;
		if (clang_Type_getAlignOf(clang_getCursorType(cursor)) > clang_Type_getAlignOf(type))
			warn_of_field(visit, cursor, "is a bit-field of a typedef that is aligned, which begins a new unit to gcc, and none to clang");
		if (visit->decls->has_pragmas && attributes_of(cursor).aligned)
			warn_of_field(visit, cursor, "is an aligned bit-field, and its headers have a #pragma pack, which counts less than that to gcc, and more to clang");
		return CXVisit_Continue;
	}
	is_array = type_is_array(type);
	while (type_is_array(type))
		type = clang_getCanonicalType(clang_getArrayElementType(type));
	if (type.kind != CXType_Atomic)
		return CXVisit_Continue;
	value = clang_Type_getValueType(type);
	if (clang_Type_getSizeOf(type) != clang_Type_getSizeOf(value) || (is_array && clang_Type_getAlignOf(type) != clang_Type_getAlignOf(value)))
		warn_of_field(visit, cursor, "is an _Atomic that clang pads or aligns, and gcc does not");
	return CXVisit_Continue;
}

void differences_of_record(struct decls *decls, const struct decl *decl)
{
	struct field_visit visit = { .decls = decls, .record = decl->name ? decl->name : "What has no name" };
	struct attributes found = attributes_of(decl->cursor);

	clang_Type_visitFields(decl->type, field_visit, &visit);
	if (found.aligned > 1)
		warn(decls, decl->cursor, arena_printf(decls->arena, "%s has several alignments: the last one counts to gcc, the largest to clang.", visit.record));
	if (found.unknown && visit.has_bits && decls->mentions_ms_struct)
		warn(decls, decl->cursor, arena_printf(decls->arena, "%s has bit-fields, and its headers say ms_struct, which gcc does in another way than clang, and "
						       "on x86_64 only.", visit.record));
}

void differences_of_forward(struct decls *decls, CXCursor cursor)
{
	struct attributes found = attributes_of(cursor);

	if ((found.packed || found.aligned) && !clang_Cursor_isNull(clang_getCursorDefinition(cursor)))
		warn(decls, cursor, arena_printf(decls->arena, "%s has an attribute before it is defined: clang lays it out by that, and gcc ignores it.",
						 name_of(decls, cursor)));
}

/* Is "<<" there, and behind it a number of at least @width? */
static bool shifts_far(CXCursor cursor, unsigned width)
{
	CXTranslationUnit tu = clang_Cursor_getTranslationUnit(cursor);
	bool is_shift = false, found = false;
	CXToken *tokens = NULL;
	unsigned count = 0;
	char text[32];

	clang_tokenize(tu, clang_getCursorExtent(cursor), &tokens, &count);
	for (unsigned i = 0; i < count && !found; i++) {
		if (!cxstring_copy(text, sizeof(text), clang_getTokenSpelling(tu, tokens[i])))
			text[0] = '\0';
		found = is_shift && strtoul(text, NULL, 0) >= width;
		is_shift = !strcmp(text, "<<") || (is_shift && !strcmp(text, "("));
	}
	clang_disposeTokens(tu, tokens, count);
	return found;
}

static enum CXChildVisitResult enumerator_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct decls *decls = data;
	unsigned long long value = clang_getEnumConstantDeclUnsignedValue(cursor);

	(void)parent;
	/* What clang makes of such a shift: of an enumerator it does not warn. */
	if (cursor.kind == CXCursor_EnumConstantDecl && (value == 1ULL << 63 || (uint32_t)value == 1U << 31) && shifts_far(cursor, value == 1ULL << 63 ? 64 : 32))
		warn(decls, cursor, arena_printf(decls->arena, "%s shifts by as many bits as its type has, or more, which gcc and clang answer differently.",
						 name_of(decls, cursor)));
	return CXChildVisit_Continue;
}

void differences_of_enum(struct decls *decls, const struct decl *decl)
{
	for (size_t i = 0; i < decl->enumerator_count; i++)
		if (decl->enumerators[i].value.magnitude == 1ULL << 63 || decl->enumerators[i].value.magnitude == 1ULL << 31) {
			clang_visitChildren(decl->cursor, enumerator_visit, decls);
			return;
		}
}

void differences_of_typedef(struct decls *decls, CXCursor cursor)
{
	if (attributes_of(cursor).aligned > 1)
		warn(decls, cursor, arena_printf(decls->arena, "%s has several alignments: the last one counts to gcc, the largest to clang.",
						 name_of(decls, cursor)));
}
