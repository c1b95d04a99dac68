/*
 * extract/decl.c - reads clang's declarations, and warns where gcc lays them out differently
 *
 * A document can have a record under several names, and most calls of libclang allocate strings. So each
 * declaration is read only once, into a struct decl.
 *
 * Drivers are built with gcc, but clang parses them here. Where the two are known to lay out a declaration
 * differently, and no option makes clang behave like gcc, the document gets a warning (warn_at()).
 * docs/formats.md lists all these cases. pragmas.c finds the differences that pragmas cause.
 */
#include "extract/internal.h"

/* The state of a visit of the fields of one record, which collects the fields. */
struct member_list {
	struct decls *decls;
	const struct decl *decl;
	struct decl_member *items;
	size_t count;
	uint64_t weight;
	unsigned depth; /* number of levels of records inside this record */
	unsigned level; /* number of records around this record */
	int rc; /* the first error */
};

/*
 * To find the offset of one field, libclang recursively visits every field of the record and of all records
 * inside it. It repeats this for each field. Without limits, some headers would take years, and others would
 * overflow the stack.
 */
enum { DECL_DEPTH_MAX = 500, DECL_WORK_MAX = 200 * 1000 * 1000 };

static enum CXVisitorResult weight_visit(CXCursor cursor, CXClientData data);

/*
 * Sets decl->weight, depth and field_count, once, so that decl_members() can refuse a record for which
 * libclang would take too long. @level: number of records around this record; if it exceeds DECL_DEPTH_MAX,
 * no field is visited, and depth is set to @level
 */
static void decl_weigh(struct decls *decls, struct decl *decl, unsigned level)
{
	struct member_list list = { .decls = decls, .level = level };

	if (decl->weight)
		return;
	if (level > DECL_DEPTH_MAX)
		list.depth = level;
	else
		clang.Type_visitFields(decl->type, weight_visit, &list);
	decl->weight = list.weight + 1;
	decl->depth = list.depth;
	decl->field_count = list.count;
}

/* The source location of declarations that are built into clang. */
#define BUILT_IN "<built-in>"

/*
 * Sets decls->last_file_name to the name that decls->file_name() has for @file. If it has none, sets the name
 * to "<stddef.h>", for that header of clang, or to BUILT_IN, and decls->last_file_is_own. Consecutive
 * declarations are usually in the same file, so the name is computed only if the file changes.
 */
static void look_at_file(struct decls *decls, CXFile file)
{
	const char *own, *slash;
	CXString name;

	if (file == decls->last_file && decls->last_file_name)
		return;
	name = clang.getFileName(file);
	own = clang.getCString(name) ? clang.getCString(name) : "";
	decls->last_file = file;
	decls->last_file_name = decls->file_name(decls->data, own);
	decls->last_file_is_own = !decls->last_file_name;
	slash = strrchr(own, '/');
	if (!decls->last_file_name)
		decls->last_file_name =
			*own ? arena_printf(decls->arena, "<%s>", slash ? slash + 1 : own) : BUILT_IN;
	clang.disposeString(name);
}

bool decl_has_tag(CXCursor cursor)
{
	return !clang.equalLocations(clang.getCursorLocation(cursor),
				     clang.getRangeStart(clang.getCursorExtent(cursor)));
}

const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header)
{
	CXFile file = NULL;
	unsigned line, column;

	clang.getExpansionLocation(clang.getCursorLocation(cursor), &file, &line, &column, NULL);
	look_at_file(decls, file);
	if (in_own_header)
		*in_own_header = decls->last_file_is_own;
	if (decls->last_file_is_own)
		return decls->last_file_name;
	return arena_printf(decls->arena, "%s:%u:%u", decls->last_file_name, line, column);
}

/* Checks whether @text from libclang is a name, and not a description such as "struct (unnamed at …)". */
static bool decl_is_name(const char *text)
{
	return *text && !strpbrk(text, " ():");
}

const char *decl_without_tag(const char *name)
{
	static const char *const tags[] = { "struct ", "union ", "enum ", "class " };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (begins(name, tags[i]))
			return name + strlen(tags[i]);
	return name;
}

/*
 * Returns the name of a record or enum: its tag, or otherwise the name of its typedef; NULL if it has
 * neither. If only a typedef names it, libclang 19 returns this name as the spelling of the cursor, but
 * libclang 14 does not. In both, it is in the spelling of the type.
 */
static const char *decl_name(struct decls *decls, CXCursor cursor, CXType type)
{
	const char *name;

	if (clang.Cursor_isAnonymous(cursor))
		return NULL;
	if (!decls->is_cxx) {
		name = cxstring_dup(clang.getCursorSpelling(cursor), decls->arena);
		if (decl_is_name(name))
			return name;
	}
	name = decl_without_tag(cxstring_dup(clang.getTypeSpelling(type), decls->arena));
	return *name && !strpbrk(name, "()") ? name : NULL;
}

/* A typedef of the current translation unit, by name. */
struct typedef_node {
	const char *name;
	CXType type;
	UT_hash_handle hh;
};

static bool is_named_by_typedef(struct decls *decls, CXType type)
{
	const char *spelling = cxstring_dup(clang.getTypeSpelling(type), decls->arena);

	return decl_without_tag(spelling) == spelling;
}

/* Checks whether both types are equal and have the same alignment, which a typedef can change. */
static bool is_same_type(CXType a, CXType b)
{
	return clang.equalTypes(clang.getCanonicalType(a), clang.getCanonicalType(b)) &&
	       clang.Type_getAlignOf(a) == clang.Type_getAlignOf(b);
}

/*
 * Renames @decl if its name also belongs to a different type, and warns if the definition is in the headers.
 * In C, "struct x" and a typedef "x" can be different types, but a document would spell both "x". So the
 * typedef keeps the name, and the struct is called x::struct_t. If the types are in different units, the type
 * in the first unit keeps the name. A record without a tag gets the name and the alignment of its typedef.
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
				    "%s is a different type than %s %s, which is called %s "
				    "here.", name, tag, name,
				    decl->name);
}

struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor)
{
	CXCursor definition = clang.getCursorDefinition(cursor);
	struct decl *decl;

	if (!clang.Cursor_isNull(definition))
		cursor = definition;
	HASH_FIND_PTR(decls->by_key, &cursor.data[0], decl);
	if (decl)
		return decl;
	decl = arena_alloc(decls->arena, sizeof(*decl));
	decl->key = cursor.data[0];
	HASH_ADD_PTR(decls->by_key, key, decl);
	decl->cursor = cursor;
	decl->type = clang.getCursorType(cursor);
	decl->is_complete = !clang.Cursor_isNull(definition);
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
	return decl_of_cursor(decls, clang.getTypeDeclaration(type));
}

/* Counts a field, and the weight of its record type, in @data, a struct member_list, up to the limits. */
static enum CXVisitorResult weight_visit(CXCursor cursor, CXClientData data)
{
	struct member_list *list = data;
	CXType type = clang.getCanonicalType(clang.getCursorType(cursor));
	struct decl *inner;

	list->count++;
	list->weight++;
	if (type.kind != CXType_Record)
		return CXVisit_Continue;
	inner = decl_of_type(list->decls, type);
	decl_weigh(list->decls, inner, list->level + 1);
	list->weight += inner->weight;
	if (inner->depth >= list->depth)
		list->depth = inner->depth + 1;
	return list->weight > DECL_WORK_MAX || list->depth > DECL_DEPTH_MAX ? CXVisit_Break
									    : CXVisit_Continue;
}

static const char *shown_name(const struct decl *decl)
{
	return decl->name ? decl->name : "an unnamed record";
}

/*
 * Appends a field, unless it is an unnamed bit-field, to @data, a struct member_list. If libclang reports no
 * offset or size for the field, sets list->rc to ERR_LAYOUT, and ends the visit.
 */
static enum CXVisitorResult member_visit(CXCursor cursor, CXClientData data)
{
	struct member_list *list = data;
	const char *name = cxstring_dup(clang.getCursorSpelling(cursor), list->decls->arena);
	struct decl_member member = { .name = decl_is_name(name) ? name : "",
				      .is_bitfield = clang.Cursor_isBitField(cursor) };
	long long offset, size;

	/* In C, an unnamed bit-field is padding. */
	if (!*member.name && member.is_bitfield)
		return CXVisit_Continue;
	member.parts = type_parts_of(list->decls, clang.getCursorType(cursor));
	size = member.parts->size_bytes;
	offset = clang.Cursor_getOffsetOfField(cursor);
	if (offset < 0 || size < 0) {
		list->rc = err_set(list->decls->err, ERR_LAYOUT,
				   "%s: field %s of %s has no known %s (libclang returned %lld)",
				   list->decl->source, *member.name ? member.name : "without a name",
				   shown_name(list->decl), offset < 0 ? "offset" : "size",
				   offset < 0 ? offset : size);
		return CXVisit_Break;
	}
	member.offset_bits = (uint64_t)offset;
	member.size_bits =
		member.is_bitfield ? (uint64_t)clang.getFieldDeclBitWidth(cursor) : (uint64_t)size * 8;
	list->items = arena_room(list->decls->arena, list->items, list->count, sizeof(*list->items));
	list->items[list->count++] = member;
	return CXVisit_Continue;
}

/* The number of attributes of each kind that one declaration has. */
struct attributes {
	unsigned packed, aligned, unknown;
};

/* Counts an attribute of a declaration in @data, a struct attributes. */
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

	clang.visitChildren(cursor, attribute_visit, &found);
	return found;
}

/* The state of a visit of the fields of one record, which warns of differences from gcc. */
struct different_field_visit {
	struct decls *decls;
	const char *record;
	bool is_packed; /* the record has the attribute */
	bool has_bits;
};

/* Adds a warning with the place of @cursor to the document, unless it is in one of clang's own headers. */
static void __attribute__((format(printf, 3, 4))) warn_at(struct decls *decls, CXCursor cursor,
							  const char *format, ...)
{
	bool in_own_header;
	const char *place = decl_location(decls, cursor, &in_own_header);
	va_list args;

	va_start(args, format);
	if (!in_own_header)
		abi_builder_warning(decls->builder, place, "%s", arena_vprintf(decls->arena, format, args));
	va_end(args);
}

static void warn_of_field(const struct different_field_visit *visit, CXCursor cursor, const char *what)
{
	const char *name = cxstring_dup(clang.getCursorSpelling(cursor), visit->decls->arena);

	warn_at(visit->decls, cursor, "%s.%s %s.", visit->record, decl_is_name(name) ? name : "(unnamed)",
		what);
}

/* Stores the last two children of a binary operator, its operands, in @data, an array of two CXCursors. */
static enum CXChildVisitResult operand_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	CXCursor *operands = data;

	(void)parent;
	operands[0] = operands[1];
	operands[1] = cursor;
	return CXChildVisit_Continue;
}

/*
 * Sets *@data, a bool, and ends the visit if the operator at @cursor shifts by at least as many bits as its
 * type has. The result is 0 in gcc, but clang shifts by the width of the type minus 1. clang does not warn of
 * such shifts in constant expressions of declarations. libclang 14 does not report the operator of an
 * expression, so a shift is recognized by its result.
 */
static enum CXChildVisitResult shift_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum { COUNT_MAX = 1024 }; /* larger shift counts are ignored */
	CXCursor operands[2] = { clang.getNullCursor(), clang.getNullCursor() };
	CXType type = clang.getCursorType(cursor);
	const int64_t width = clang.Type_getSizeOf(type) * 8;
	uint64_t value, left, count, top;
	bool *found = data;

	(void)parent;
	if (cursor.kind != CXCursor_BinaryOperator || (width != 32 && width != 64))
		return CXChildVisit_Recurse;
	clang.visitChildren(cursor, operand_visit, operands);
	/* Evaluating a left operand that is an operator too would evaluate a chain once for each operator. */
	if (operands[0].kind == CXCursor_BinaryOperator || !cursor_integer(&count, operands[1]) ||
	    count < (uint64_t)width || count > COUNT_MAX || !cursor_integer(&left, operands[0]) ||
	    !cursor_integer(&value, cursor))
		return CXChildVisit_Recurse;
	top = 1ULL << (width - 1);
	*found = ((left & 1) && (value & (2 * top - 1)) == top) ||
		 ((left & top) && type_is_unsigned(type) && value == 1);
	return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/*
 * Returns the text of a declaration, with blanks for comments and literals; empty if the declaration contains
 * no preprocessor directive, or is not in a single file. @line is set to its first line.
 */
static struct view text_with_directives(struct decls *decls, CXCursor cursor, unsigned *line)
{
	CXSourceRange range = clang.getCursorExtent(cursor);
	CXFile file = NULL, last = NULL;
	unsigned start, end;

	clang.getExpansionLocation(clang.getRangeStart(range), &file, line, NULL, &start);
	clang.getExpansionLocation(clang.getRangeEnd(range), &last, NULL, NULL, &end);
	if (!file || file != last)
		return view_of("");
	if (file != decls->text_file)
		decls->text = clang.getFileContents(clang.Cursor_getTranslationUnit(cursor), file,
						    &decls->text_bytes);
	decls->text_file = file;
	if (!decls->text || end > decls->text_bytes || start > end ||
	    !memchr(decls->text + start, '#', end - start))
		return view_of("");
	return (struct view){ lexer_blank((struct view){ decls->text + start, end - start }, decls->arena),
			      end - start };
}

/* Checks whether the target alone decides if the compiler defines the macro @name. */
static bool is_of_target(struct view name)
{
	return (view_starts_with(name, "__") && view_ends_with(name, "__") && !view_is(name, "__KERNEL__")) ||
	       view_is(name, "__cplusplus") || view_ends_with(name, "WIN32") || view_ends_with(name, "WIN64");
}

/* Checks whether @line is an #if or #elif whose condition depends on more than the target. */
static bool is_condition(struct view line)
{
	struct view name;

	if (!view_cut(&line, "#") || !view_cut_name(&name, &line) ||
	    (!view_starts_with(name, "if") && !view_starts_with(name, "elif")))
		return false;
	while (line.length) {
		struct view word = view_word(line);
		size_t step = word.length ? word.length : 1;

		if (view_is_name(word) && !view_is(word, "defined") && !is_of_target(word))
			return true;
		line.at += step;
		line.length -= step;
	}
	return false;
}

/*
 * Warns if a record or enum contains an #if that depends on more than the target, because a driver that is
 * built with different macros may have a different layout. Only the first such #if is reported.
 */
static void warn_of_conditions(struct decls *decls, const struct decl *decl)
{
	unsigned first = 0;
	struct view text = text_with_directives(decls, decl->cursor, &first), line;
	struct view_lines lines = { text.at, text.at + text.length, first };
	struct conditions conditions = { 0 };

	while (!decl->in_own_header && view_next_line(&line, &lines)) {
		struct view whole = line, next = line;
		const unsigned number = lines.number - 1;
		bool is_skipped = conditions_branch(&conditions) == BRANCH_SKIPPED;

		while (view_ends_with(next, "\\") && view_next_line(&next, &lines))
			whole.length = (size_t)(next.at + next.length - whole.at);
		if (view_starts_with(view_trim(line), "#"))
			conditions_follow(&conditions, view_trim(line), conditions_opened(view_trim(line)));
		if (is_skipped || !is_condition(whole))
			continue;
		abi_builder_warning(
			decls->builder,
			arena_printf(decls->arena, "%s:%u", decl_file(decls, decl->cursor), number),
			"%s depends on the condition \"%.*s\": the document has the parts that the profile's "
			"macros enable, and a driver that is built with different macros may differ.",
			decl->name ? decl->name : "An unnamed type", (int)line.length, line.at);
		return;
	}
}

/* Warns if an expression in @cursor, the value of @name, shifts by at least as many bits as its type has. */
static void warn_of_shift(struct decls *decls, CXCursor cursor, const char *name)
{
	bool found = false;

	clang.visitChildren(cursor, shift_visit, &found);
	if (found)
		warn_at(decls, cursor,
			"%s shifts by at least as many bits as its type has, for which gcc and clang give "
			"different results.",
			name);
}

/* Checks whether @type is an _Atomic, or an array of them, that clang and gcc lay out differently. */
static bool is_wider_atomic(CXType type)
{
	bool is_array = type_is_array(clang.getCanonicalType(type));
	CXType value;

	type = clang.getCanonicalType(type);
	while (type_is_array(type))
		type = clang.getCanonicalType(clang.getArrayElementType(type));
	if (type.kind != CXType_Atomic)
		return false;
	value = clang.Type_getValueType(type);
	return clang.Type_getSizeOf(type) != clang.Type_getSizeOf(value) ||
	       (is_array && clang.Type_getAlignOf(type) != clang.Type_getAlignOf(value));
}

/* Checks whether clang places the bit-field at @cursor across the boundary of a unit of its type. */
static bool crosses_unit(CXCursor cursor)
{
	long long unit = clang.Type_getSizeOf(clang.getCursorType(cursor)) * 8,
		  offset = clang.Cursor_getOffsetOfField(cursor);

	return unit > 0 && offset >= 0 && offset % unit + clang.getFieldDeclBitWidth(cursor) > unit;
}

/*
 * Warns of a field that gcc may place differently, and of an oversized shift in the width of a bit-field.
 * Sets has_bits of @data, a struct different_field_visit.
 */
static enum CXVisitorResult warn_of_different_field(CXCursor cursor, CXClientData data)
{
	struct different_field_visit *visit = data;
	CXType type = clang.getCursorType(cursor);

	if (clang.Cursor_isBitField(cursor)) {
		struct attributes found = attributes_of(cursor);

		visit->has_bits = true;
		if (clang.Type_getAlignOf(type) > clang.Type_getAlignOf(clang.getCanonicalType(type)))
			warn_of_field(
				visit, cursor,
				"is a bit-field whose typedef is aligned: gcc begins a new storage unit for "
				"it, and clang does not");
		if (found.aligned && !found.packed && !visit->is_packed && crosses_unit(cursor))
			warn_of_field(
				visit, cursor,
				"is an aligned bit-field that crosses a boundary of its type: gcc begins a "
				"new storage unit for it, and clang does not");
		if (visit->decls->has_pragmas && found.aligned)
			warn_of_field(
				visit, cursor,
				"is an aligned bit-field, and its headers have a #pragma pack: gcc obeys the "
				"alignment, and clang the pragma");
		warn_of_shift(visit->decls, cursor, visit->record);
	} else if (is_wider_atomic(type)) {
		warn_of_field(visit, cursor, "is an _Atomic that clang pads or aligns, and gcc does not");
	}
	return CXVisit_Continue;
}

/* Warns of attributes, fields and #ifs for which the record's layout may differ. Called once per record. */
static void differences_of_record(struct decls *decls, const struct decl *decl)
{
	struct attributes found = attributes_of(decl->cursor);
	struct different_field_visit visit = { .decls = decls,
					       .record = decl->name ? decl->name : "An unnamed type",
					       .is_packed = found.packed };

	clang.Type_visitFields(decl->type, warn_of_different_field, &visit);
	warn_of_conditions(decls, decl);
	if (found.aligned > 1)
		warn_at(decls, decl->cursor,
			"%s has several alignments: gcc uses the last one, and clang the largest.",
			visit.record);
	if (found.unknown && visit.has_bits && decls->mentions_ms_struct)
		warn_at(decls, decl->cursor,
			"%s has bit-fields, and its headers use ms_struct, which gcc implements differently "
			"than clang, and only on x86_64.",
			visit.record);
}

int decl_members(struct decls *decls, struct decl *decl)
{
	struct member_list list = { .decls = decls, .decl = decl };

	if (decl->has_members)
		return 0;
	decl_weigh(decls, decl, 0);
	if (decl->depth <= DECL_DEPTH_MAX && decl->weight <= DECL_WORK_MAX / (decl->field_count + 1))
		decls->work += decl->weight * decl->field_count;
	else
		decls->work = DECL_WORK_MAX + 1;
	if (decls->work > DECL_WORK_MAX)
		return err_set(decls->err, ERR_LIMIT,
			       "%s: %s has too many fields, or records nested too deep", decl->source,
			       shown_name(decl));
	clang.Type_visitFields(decl->type, member_visit, &list);
	if (list.rc)
		return list.rc;
	differences_of_record(decls, decl);
	decl->members = list.items;
	decl->member_count = list.count;
	decl->has_members = true;
	return 0;
}

static const char *declared_name(struct decls *decls, CXCursor cursor)
{
	const char *name = cxstring_dup(clang.getCursorSpelling(cursor), decls->arena);

	return decl_is_name(name) ? name : "An unnamed type";
}

void differences_of_forward(struct decls *decls, CXCursor cursor)
{
	struct attributes found = attributes_of(cursor);

	if ((found.packed || found.aligned) && !clang.Cursor_isNull(clang.getCursorDefinition(cursor)))
		warn_at(decls, cursor,
			"%s has an attribute on a declaration before its definition: clang applies it to the "
			"layout, and gcc ignores it.",
			declared_name(decls, cursor));
}

void differences_of_typedef(struct decls *decls, CXCursor cursor)
{
	if (attributes_of(cursor).aligned > 1)
		warn_at(decls, cursor,
			"%s has several alignments: gcc uses the last one, and clang the largest.",
			declared_name(decls, cursor));
	if (is_wider_atomic(clang.getTypedefDeclUnderlyingType(cursor)))
		warn_at(decls, cursor, "%s is an _Atomic that clang pads or aligns, and gcc does not.",
			declared_name(decls, cursor));
}

const char *decl_file(struct decls *decls, CXCursor cursor)
{
	CXFile file = NULL;

	clang.getExpansionLocation(clang.getCursorLocation(cursor), &file, NULL, NULL, NULL);
	look_at_file(decls, file);
	return decls->last_file_is_own ? NULL : decls->last_file_name;
}

const char *decl_typedef_name(struct decls *decls, CXType type)
{
	const char *name = cxstring_dup(clang.getTypedefName(type), decls->arena), *apart;
	const enum CXTypeKind canonical = clang.getCanonicalType(type).kind;
	const enum abi_kind kind = canonical == CXType_Record ? ABI_RECORD :
				   canonical == CXType_Enum   ? ABI_ENUM :
								ABI_ALIAS;

	if (decls->is_cxx || !abi_builder_has_other(decls->builder, kind, name))
		return name;
	apart = arena_printf(decls->arena, "%s::typedef_t", name);
	abi_builder_warning(decls->builder,
			    decl_location(decls, clang.getTypeDeclaration(type), NULL),
			    "%s is a different type in an earlier unit; the typedef is called %s here.", name,
			    apart);
	return apart;
}

void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct typedef_node *node, *found;

		if (cursors[i].kind != CXCursor_TypedefDecl)
			continue;
		node = arena_alloc(decls->arena, sizeof(*node));
		node->name = cxstring_dup(clang.getCursorSpelling(cursors[i]), decls->arena);
		node->type = clang.getCursorType(cursors[i]);
		HASH_FIND_STR(decls->typedef_nodes, node->name, found);
		if (!found)
			HASH_ADD_KEYPTR(hh, decls->typedef_nodes, node->name, strlen(node->name), node);
	}
}

/* The state of a visit of one enum, which collects its enumerators. */
struct enumerator_list {
	struct decls *decls;
	struct abi_enumerator *items;
	size_t count;
};

/* Appends an enumerator to @data, a struct enumerator_list, and warns if its value has an oversized shift. */
static enum CXChildVisitResult enumerator_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct enumerator_list *list = data;
	struct abi_enumerator *item;

	if (cursor.kind != CXCursor_EnumConstantDecl)
		return CXChildVisit_Continue;
	list->items = arena_room(list->decls->arena, list->items, list->count, sizeof(*list->items));
	item = &list->items[list->count++];
	item->name = cxstring_dup(clang.getCursorSpelling(cursor), list->decls->arena);
	warn_of_shift(list->decls, cursor, item->name);
	item->value = enumerator_value(cursor, parent);
	return CXChildVisit_Continue;
}

void decl_enumerators(struct decls *decls, struct decl *decl)
{
	struct enumerator_list list = { .decls = decls };

	if (decl->has_enumerators)
		return;
	clang.visitChildren(decl->cursor, enumerator_visit, &list);
	warn_of_conditions(decls, decl);
	decl->enumerators = list.items;
	decl->enumerator_count = list.count;
	decl->has_enumerators = true;
}

void decls_release(struct decls *decls)
{
	HASH_CLEAR(hh, decls->by_key);
	HASH_CLEAR(hh, decls->typedef_nodes);
}
