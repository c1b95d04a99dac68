/*
 * extract/type_text.c - spells types
 *
 * Each type of a translation unit is spelled only once, without the words struct, union and enum. clang's
 * names for unnamed types are not used, because they differ between its releases. Instead, the text has
 * NAME_HOLE in the place of the name, and walk.c inserts a name.
 *
 * A C declarator is spelled from the inside out: while the type is visited, text is added before and after
 * the omitted name ("*", "[4]", "(*)(int)"). At the end, the name of the base type is added at the beginning.
 */
#include "extract/internal.h"

#define NAME_HOLE '\1'

/* The cached results for one type. */
struct type_node {
	struct type_text spelling; /* of text_at(); its text is NULL before the first call */
	struct type_parts parts;   /* of type_parts_of(); `types` is NULL before the first call */
	CXType root;               /* of type_root(); invalid before the first call */
	const void *key;           /* address of clang's type, which includes its qualifiers */
	UT_hash_handle hh;
};

/* The largest depth of recursion while a type is spelled. */
enum { TYPE_DEPTH_MAX = 500 };

struct speller {
	struct decls *decls;
	unsigned depth;
	unsigned carried;    /* qualifiers of the array around the current type, which apply to its
				elements */
	struct strbuf inner; /* the part of the declarator that is already spelled */
	struct strbuf out;
	struct decl *unnamed;
};

/* Returns the cached results for a type. They are all zero at first. */
static struct type_node *type_node_of(struct decls *decls, CXType type)
{
	const void *key = type.data[0];
	struct type_node *node;

	HASH_FIND_PTR(decls->type_nodes, &key, node);
	if (!node) {
		node = arena_alloc(decls->arena, sizeof(*node));
		node->key = key;
		HASH_ADD_PTR(decls->type_nodes, key, node);
	}
	return node;
}

CXType type_root(struct decls *decls, CXType type)
{
	struct type_node *first = type_node_of(decls, type), *node = first;
	CXType root = type, under;

	while (node->root.kind == CXType_Invalid &&
	       (under = type_plain(type_underlying(root))).kind == CXType_Typedef) {
		root = under;
		node = type_node_of(decls, under);
	}
	return first->root = node->root.kind == CXType_Invalid ? root : node->root;
}

static bool is_function(CXType type)
{
	return clang.getResultType(type).kind != CXType_Invalid;
}

/* Inserts @text at the start of @buf: a declarator is spelled from its name outwards. */
static void put_front(struct strbuf *buf, const char *text)
{
	size_t length = strlen(text);

	strbuf_reserve(buf, length);
	if (!buf->length)
		buf->text[0] = '\0';
	memmove(buf->text + length, buf->text, buf->length + 1);
	memcpy(buf->text, text, length);
	buf->length += length;
}

enum { QUALIFIED_CONST = 1, QUALIFIED_VOLATILE = 2, QUALIFIED_RESTRICT = 4 };

static unsigned qualifiers_of(CXType type)
{
	return (clang.isConstQualifiedType(type) ? QUALIFIED_CONST : 0) |
	       (clang.isVolatileQualifiedType(type) ? QUALIFIED_VOLATILE : 0) |
	       (clang.isRestrictQualifiedType(type) ? QUALIFIED_RESTRICT : 0);
}

/* Appends "const ", "volatile " and "restrict " for the bits of @qualifiers. */
static void add_qualifiers(struct strbuf *out, unsigned qualifiers)
{
	strbuf_adds(out, qualifiers & QUALIFIED_CONST ? "const " : "");
	strbuf_adds(out, qualifiers & QUALIFIED_VOLATILE ? "volatile " : "");
	strbuf_adds(out, qualifiers & QUALIFIED_RESTRICT ? "restrict " : "");
}

static void add_dimension(struct strbuf *out, CXType array)
{
	if (array.kind == CXType_ConstantArray)
		strbuf_addf(out, "[%lld]", clang.getArraySize(array));
	else
		strbuf_adds(out, "[]");
}

/* Appends @text, clang's spelling of a type, without the words struct, union, enum and class. */
static void add_without_tags(struct strbuf *out, const char *text)
{
	bool at_word = true;

	while (*text) {
		if (at_word)
			text = decl_without_tag(text);
		if (!*text)
			break;
		at_word = strchr(" (,*<", *text) != NULL;
		strbuf_addch(out, *text++);
	}
}

static const struct type_text *text_at(struct decls *decls, CXType type, unsigned depth);

/*
 * Appends the name of @type, the base type, as the document has it, to speller->out; for a record or enum
 * without a name, appends NAME_HOLE, and sets speller->unnamed.
 */
static void add_base_name(struct speller *speller, CXType type)
{
	CXString name;

	if (type.kind == CXType_Atomic) { /* libclang spells an unnamed record in an _Atomic with the path of
					     its file */
		const struct type_text *value =
			text_at(speller->decls, clang.Type_getValueType(type), speller->depth);

		strbuf_addf(&speller->out, "_Atomic(%s)", value->text);
		speller->unnamed = value->unnamed;
		return;
	}

	if (type.kind == CXType_Record || type.kind == CXType_Enum) {
		struct decl *decl = decl_of_type(speller->decls, type);

		if (decl->name) {
			strbuf_adds(&speller->out, decl->name);
		} else {
			strbuf_addch(&speller->out, NAME_HOLE);
			speller->unnamed = decl;
		}
		return;
	}
	if (type.kind == CXType_Typedef && !speller->decls->is_cxx) {
		strbuf_adds(&speller->out, decl_typedef_name(speller->decls, type));
		return;
	}
	name = type.kind == CXType_Typedef ? clang.getTypedefName(type) : clang.getTypeSpelling(type);
	add_without_tags(&speller->out, clang.getCString(name));
	clang.disposeString(name);
}

/* Ends the recursion: writes the qualifiers, the name of the base type and the declarator. */
static void spell_base(struct speller *speller, CXType type, unsigned qualifiers)
{
	/* If the name comes from clang, it includes the qualifiers. */
	if (type.kind != CXType_Record && type.kind != CXType_Enum && type.kind != CXType_Typedef)
		qualifiers &= ~qualifiers_of(type);
	add_qualifiers(&speller->out, qualifiers);
	add_base_name(speller, type);
	if (speller->inner.length && speller->inner.text[0] != '[')
		strbuf_addch(&speller->out, ' ');
	strbuf_add(&speller->out, strbuf_text(&speller->inner), speller->inner.length);
}

static void spell_type(struct speller *speller, CXType type);

/* Appends the argument types of @function, "(int, char *)", to the declarator. */
static void spell_arguments(struct speller *speller, CXType function)
{
	int count = clang.getNumArgTypes(function);

	strbuf_addch(&speller->inner, '(');
	for (int i = 0; i < count; i++) {
		const struct type_text *argument =
			text_at(speller->decls, clang.getArgType(function, (unsigned)i), speller->depth);

		strbuf_adds(&speller->inner, i ? ", " : "");
		strbuf_adds(&speller->inner, argument->text);
		if (argument->unnamed)
			speller->unnamed = argument->unnamed;
	}
	if (clang.isFunctionTypeVariadic(function))
		strbuf_adds(&speller->inner, count ? ", ..." : "...");
	else if (!count && !speller->decls->is_cxx &&
		 clang.getCanonicalType(function).kind == CXType_FunctionProto)
		strbuf_adds(&speller->inner, "void");
	strbuf_addch(&speller->inner, ')');
}

/*
 * Adds a pointer or reference to the declarator, in parentheses if it points to a function or array, and
 * spells the type to which it points. @mark: "*", "&" or "&&"; @qualifiers: those of the pointer
 */
static void spell_pointer(struct speller *speller, CXType type, const char *mark, unsigned qualifiers)
{
	CXType pointee = clang.getPointeeType(type);
	struct strbuf words = { 0 };

	add_qualifiers(&words, qualifiers);
	/* The qualifiers end in a space, which is needed only before a name or another "*". */
	if (words.length && !speller->inner.length)
		words.text[--words.length] = '\0';
	put_front(&speller->inner, strbuf_text(&words));
	strbuf_release(&words);
	put_front(&speller->inner, mark);
	pointee = type_plain(pointee);
	if (pointee.kind != CXType_Typedef && (is_function(pointee) || type_is_array(pointee))) {
		put_front(&speller->inner, "(");
		strbuf_addch(&speller->inner, ')');
	}
	spell_type(speller, clang.getPointeeType(type));
}

/*
 * Spells @written: adds its outermost part to the declarator, and recurses to the type inside it. At the base
 * type, writes the result to speller->out. Beyond TYPE_DEPTH_MAX, only sets decls->is_too_deep.
 */
static void spell_type(struct speller *speller, CXType written)
{
	CXType type = type_plain(written);
	unsigned qualifiers = speller->carried | qualifiers_of(written) | qualifiers_of(type);

	speller->carried = 0;
	if (++speller->depth > TYPE_DEPTH_MAX) {
		speller->decls->is_too_deep = true;
		return;
	}
	switch (type.kind) {
	case CXType_Pointer:
		spell_pointer(speller, type, "*", qualifiers);
		break;
	case CXType_LValueReference:
		spell_pointer(speller, type, "&", qualifiers);
		break;
	case CXType_RValueReference:
		spell_pointer(speller, type, "&&", qualifiers);
		break;
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
		speller->carried = qualifiers;
		add_dimension(&speller->inner, type);
		spell_type(speller, clang.getArrayElementType(type));
		break;
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
	case CXType_Unexposed: /* such as a type in parentheses or a typeof */
		if (is_function(type)) {
			spell_arguments(speller, type);
			spell_type(speller, clang.getResultType(type));
		} else if (clang.getCanonicalType(type).kind != CXType_Unexposed) {
			spell_type(speller, clang.getCanonicalType(type));
		} else {
			spell_base(speller, type, 0);
		}
		break;
	default:
		spell_base(speller, type, qualifiers);
		break;
	}
}

/*
 * Checks whether @type is a pointer to an array, such as "NvU32 (*)[4]", whose array libclang reports as
 * unexposed because of the parentheses. clang's spelling of such a type is used, because it is the same in
 * all releases.
 */
static bool points_to_hidden_array(CXType type)
{
	CXType plain = type_plain(type), pointee;

	if (plain.kind != CXType_Pointer)
		return false;
	pointee = type_plain(clang.getPointeeType(plain));
	return pointee.kind == CXType_Unexposed && type_is_array(pointee);
}

/* Returns the spelling of a type, which is made once. @depth: how many types around it are being spelled */
static const struct type_text *text_at(struct decls *decls, CXType type, unsigned depth)
{
	struct speller speller = { .decls = decls, .depth = depth };
	struct type_node *node = type_node_of(decls, type);

	if (node->spelling.text)
		return &node->spelling;
	spell_type(&speller, type);
	if (!speller.unnamed && !decls->is_too_deep && points_to_hidden_array(type)) {
		CXString text = clang.getTypeSpelling(type);

		strbuf_reset(&speller.out);
		add_without_tags(&speller.out, clang.getCString(text));
		clang.disposeString(text);
	}
	node->spelling = (struct type_text){ strbuf_take(&speller.out, decls->arena), speller.unnamed };
	strbuf_release(&speller.inner);
	return &node->spelling;
}

const struct type_text *type_text_of(struct decls *decls, CXType type)
{
	return text_at(decls, type, 0);
}

const char *type_text_named(const struct type_text *spelling, const char *name, struct arena *arena)
{
	struct strbuf text = { 0 };

	for (const char *p = spelling->text; *p; p++) {
		if (*p == NAME_HOLE)
			strbuf_adds(&text, name);
		else
			strbuf_addch(&text, *p);
	}
	return strbuf_take(&text, arena);
}

/* Returns the offset for a name or dimensions: after the innermost "(*" and its qualifiers, or at the end. */
static size_t name_in_declarator(const char *base)
{
	const char *at = strstr(base, "(*");

	while (at && at[0] == '(' && at[1] == '*')
		at += strcspn(at + 1, "()") + 1;
	return at ? (size_t)(at - base) : strlen(base);
}

const char *type_text_array(const char *base, const char *dimensions, struct arena *arena)
{
	const size_t length = strlen(base);
	const size_t at = length && base[length - 1] == ']' ? name_in_declarator(base) : length;

	return *dimensions ? arena_printf(arena, "%.*s%s%s", (int)at, base, dimensions, base + at) : base;
}

/*
 * Returns @type without the dimensions of an array, which are appended to @out. Typedefs are resolved until
 * the first dimension is found, but not after it.
 */
static CXType strip_dimensions(struct strbuf *out, CXType type)
{
	bool found = false;

	while (type_is_array(type)) {
		CXType plain = type_plain(type);

		if (plain.kind == CXType_ConstantArray || plain.kind == CXType_IncompleteArray) {
			add_dimension(out, plain);
			type = clang.getArrayElementType(plain);
			found = true;
		} else if (plain.kind != CXType_Typedef) {
			type = clang.getCanonicalType(plain);
		} else if (found) {
			break;
		} else {
			type = type_underlying(plain);
		}
	}
	return type;
}

/* Returns the spellings of @type and its chain of typedefs: "NvHandle", "NvU32", "unsigned int", NULL. */
static const char *const *types_of(struct decls *decls, CXType type)
{
	CXType plain = type_plain(type);
	size_t count = 1;
	const char **out;

	for (CXType at = plain; at.kind == CXType_Typedef; at = type_plain(type_underlying(at)))
		count++;
	out = arena_array(decls->arena, count + 1, sizeof(*out));
	out[0] = type_text_of(decls, type)->text;
	for (size_t i = 1; i < count; i++) {
		plain = type_plain(type_underlying(plain));
		out[i] = type_text_of(decls, plain)->text;
	}
	return out;
}

struct type_parts *type_parts_of(struct decls *decls, CXType type)
{
	struct type_parts *parts = &type_node_of(decls, type)->parts;
	struct strbuf dimensions = { 0 };

	if (parts->types)
		return parts;
	parts->base = strip_dimensions(&dimensions, type);
	parts->spelling = type_text_of(decls, parts->base);
	parts->types = types_of(decls, parts->base);
	parts->dimensions = strbuf_take(&dimensions, decls->arena);
	/*
	 * For a reference, libclang returns the size of the referenced type, but a field that is a reference
	 * has the size of a pointer.
	 */
	parts->size_bytes = type_is_reference(type) ? decls->reference_bytes : clang.Type_getSizeOf(type);
	if (clang.getCanonicalType(type).kind == CXType_IncompleteArray)
		parts->size_bytes = 0;
	return parts;
}

void type_text_release(struct decls *decls)
{
	HASH_CLEAR(hh, decls->type_nodes);
}
