/* abi/type.c - types as a document spells them: parsing a spelling, and resolving it */
/*
 * A spelled type is resolved in four steps:
 *
 * 1. The dimensions are removed from the end: "NvU32[4][2]" is "NvU32" with [4][2].
 *    Brackets after a declarator in parentheses belong to the pointer's target: "int (*)[4]" is a pointer to
 *    an array, and "int (*[3])[4]" is an array of 3 such pointers.
 * 2. The base is looked up unchanged, then without qualifiers and tags ("const struct foo" is "foo"). A
 *    record or an enum ends the search.
 * 3. An alias is followed: its type is resolved in the same steps, and the result must have the size of the
 *    alias.
 * 4. If an alias leads to a spelling that is not a name of the document, the spelling is a type of C itself,
 *    and decides the kind ("unsigned ..." is unsigned, "...*" is a pointer). The size is that of the alias,
 *    because the size of a long depends on the target.
 */
#include "abi/internal.h"

/* Returns the length of @span for "%.*s" in a message. */
static inline int shown_length(struct view span)
{
	return span.length < 200 ? (int)span.length : 200;
}

/**
 * spelling_peel - move a dimension from the end of @rest to the front of @out's dimensions
 *
 * Return: 1 if a dimension was moved; 0 if @rest does not end in brackets; ERR_FORMAT.
 */
static int spelling_peel(struct abi_spelling *out, struct view *rest, struct err *err)
{
	uint64_t value;
	size_t first;

	if (!rest->length || rest->at[rest->length - 1] != ']')
		return 0;
	for (first = rest->length - 1; first && rest->at[first - 1] >= '0' && rest->at[first - 1] <= '9';)
		first--;
	if (!first || rest->at[first - 1] != '[')
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has brackets that do not enclose a number",
			       shown_length(*rest), rest->at);
	if (out->flexible)
		return err_set(err, ERR_FORMAT,
			       "type \"%.*s[]\" has an empty dimension that is not the first",
			       shown_length(*rest), rest->at);
	if (out->dimension_count == ABI_DIMENSIONS_MAX)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has more than %d dimensions",
			       shown_length(*rest), rest->at, ABI_DIMENSIONS_MAX);
	errno = 0;
	value = strtoull(rest->at + first, NULL, 10); /* 0 for "[]" */
	if (errno)
		return err_set(err, ERR_FORMAT, "the dimension [%.*s does not fit 64 bits",
			       shown_length((struct view){ rest->at + first, rest->length - first }),
			       rest->at + first);
	memmove(out->dimension + 1, out->dimension, out->dimension_count * sizeof(out->dimension[0]));
	out->dimension[0] = value;
	out->dimension_count++;
	out->flexible = first == rest->length - 1;
	*rest = view_trim((struct view){ rest->at, first - 1 });
	return 1;
}

static bool brackets_pair(struct view span)
{
	int depth = 0;

	for (size_t i = 0; i < span.length; i++) {
		if (span.at[i] == '[')
			depth++;
		else if (span.at[i] == ']' && --depth < 0)
			return false;
	}
	return !depth;
}

/*
 * Does @span end in a declarator, "(*)" or "(*[3])"? If so, brackets after it belong to the type that the
 * pointer points to.
 */
static bool ends_in_declarator(struct view span)
{
	size_t depth = 0;

	if (!span.length || span.at[span.length - 1] != ')')
		return false;
	for (size_t i = span.length; i-- > 0;) {
		if (span.at[i] == ')')
			depth++;
		else if (span.at[i] == '(' && !--depth)
			return span.at[i + 1] == '*';
	}
	return false;
}

/*
 * spelling_parse - split a spelling into base and dimensions. Dimensions after a declarator, "int (*)[4]",
 * are part of the base. Return: 0; ERR_FORMAT if brackets or dimensions are invalid, or if the base is empty.
 */
static int spelling_parse(struct abi_spelling *out, struct view type, struct err *err)
{
	struct abi_spelling got = { 0 };
	struct view rest = view_trim(type);
	int rc;

	if (!brackets_pair(rest))
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has unbalanced brackets",
			       shown_length(rest), rest.at);
	while ((rc = spelling_peel(&got, &rest, err)) > 0)
		;
	if (rc)
		return rc;
	if (ends_in_declarator(rest)) {
		got = (struct abi_spelling){ 0 };
		rest = view_trim(type);
	}
	if (!rest.length)
		return err_set(err, ERR_FORMAT, "\"%.*s\" does not name a type", shown_length(type), type.at);
	got.base = rest.at;
	got.base_length = rest.length;
	*out = got;
	return 0;
}

int abi_spelling_parse(struct abi_spelling *out, const char *type, struct err *err)
{
	return spelling_parse(out, view_of(type), err);
}

/* Returns the text after the innermost "(*" and its qualifiers, "[4])(int)"; NULL if @base has no "(*". */
static const char *innermost_declarator(struct view base)
{
	const char *at = memmem(base.at, base.length, "(*", 2), *end = base.at + base.length;

	while (at && end - at >= 2 && at[0] == '(' && at[1] == '*')
		for (at += 2; at < end && (*at == '*' || view_is_word_char(*at) || view_is_blank(*at)); at++)
			;
	return at;
}

/*
 * spelling_inside - get the dimensions inside a declarator: [4] for "void (*[4])(int)"
 *
 * If @base has no declarator, @out has no dimensions. Return: 0; ERR_FORMAT.
 */
static int spelling_inside(struct abi_spelling *out, struct view base, struct err *err)
{
	const char *start = innermost_declarator(base), *end;
	struct abi_spelling got = { 0 };
	struct view rest;
	int rc;

	if (start && (end = memchr(start, ')', base.length - (size_t)(start - base.at)))) {
		rest = (struct view){ start, (size_t)(end - start) };
		while ((rc = spelling_peel(&got, &rest, err)) > 0)
			;
		if (rc)
			return rc;
	}
	*out = got;
	return 0;
}

/*
 * spelling_element - get the element type of an array of pointers: "int (*)[4]" for "int (*[3])[4]". Return:
 * a copy, which the caller frees; NULL if there are no dimensions inside the declarator.
 */
static char *spelling_element(struct view base)
{
	const char *end = base.at + base.length, *start = innermost_declarator(base), *after;
	size_t length;
	char *element;

	if (!start || start == end || *start != '[' || !(after = memchr(start, ')', (size_t)(end - start))))
		return NULL;
	length = (size_t)(start - base.at);
	element = xmalloc(base.length + 1);
	memcpy(element, base.at, length);
	memcpy(element + length, after, (size_t)(end - after));
	element[length + (size_t)(end - after)] = '\0';
	return element;
}

/* spelling_count - count the elements of an array. Return: 0; ERR_LIMIT if they do not fit 64 bits. */
static int spelling_count(uint64_t *out, const struct abi_spelling *spelling, struct view spelled,
			  struct err *err)
{
	uint64_t count = 1;

	for (size_t i = 0; i < spelling->dimension_count; i++)
		if (__builtin_mul_overflow(count, spelling->dimension[i], &count))
			return err_set(err, ERR_LIMIT,
				       "the product of the dimensions of \"%.*s\" exceeds 64 bits",
				       shown_length(spelled), spelled.at);
	*out = count;
	return 0;
}

static bool word_in(struct view word, const char *const *list)
{
	for (; *list; list++)
		if (view_is(word, *list))
			return true;
	return false;
}

/* Removes the first word from @span. Return: the word; empty if @span does not begin with a word. */
static struct view cut_type_word(struct view *span)
{
	const struct view text = view_trim(*span), word = view_word(text);

	*span = view_trim((struct view){ text.at + word.length, text.length - word.length });
	return word;
}

bool word_is_qualifier(struct view word)
{
	static const char *const list[] = { "const", "volatile", "restrict", "__restrict", "_Atomic", NULL };

	return word_in(word, list);
}

static const char *const tags[] = { "struct", "union", "enum", NULL };

/*
 * spelling_unqualified - remove the qualifiers and the tag before the name, and the qualifiers after it
 *
 * "const struct foo" becomes "foo", "T *const" becomes "T *".
 */
static struct view spelling_unqualified(struct view span)
{
	size_t word_length = 0;

	while (word_length < span.length &&
	       (view_is_word_char(span.at[word_length]) || span.at[word_length] == ':'))
		word_length++;
	if (word_length == span.length) /* as most types are: "NvU32", "P::e_t" */
		return span;
	for (;;) {
		struct view rest = span;
		struct view word = cut_type_word(&rest);

		/* "_Atomic(int)" is kept unchanged, and a single word is a name. */
		if (!rest.length || rest.at[0] == '(' ||
		    !(word_is_qualifier(word) || word_in(word, tags)))
			break;
		span = rest;
	}
	for (;;) {
		size_t start = span.length;

		while (start && view_is_word_char(span.at[start - 1]))
			start--;
		if (!start || !word_is_qualifier((struct view){ span.at + start, span.length - start }))
			return span;
		span = view_trim((struct view){ span.at, start });
	}
}

/* Returns true if @span is spelled with "enum", which can follow qualifiers: "const enum X". */
static bool is_enum_spelling(struct view span)
{
	do {
		struct view word = cut_type_word(&span);

		if (view_is(word, "enum"))
			return true;
		if (!word_is_qualifier(word))
			return false;
	} while (span.length);
	return false;
}

static bool is_pointer_spelling(struct view base)
{
	return base.at[base.length - 1] == '*' || base.at[base.length - 1] == '&' ||
	       memmem(base.at, base.length, "(*", 2);
}

/*
 * spelling_kind - get the kind of a type of C itself that has @size_bytes; ABI_BYTES if the words are not
 * those of an integer type ("float"), or no integer kind has the size
 */
static enum abi_scalar_kind spelling_kind(struct view spelled, uint64_t size_bytes)
{
	static const char *const others[] = { "int", "short", "long", NULL };
	bool is_unsigned = false, is_signed = false, is_char = false, is_other = false;
	struct view base = spelling_unqualified(spelled);

	if (is_pointer_spelling(base))
		return ABI_POINTER;
	if (is_enum_spelling(spelled))
		return ABI_ENUMERATION;
	if (view_is(base, "_Bool") || view_is(base, "bool"))
		return size_bytes == 1 ? ABI_BOOL : ABI_BYTES;
	while (base.length) { /* the words of an integer type can have any order */
		struct view word = cut_type_word(&base);

		if (view_is(word, "unsigned"))
			is_unsigned = true;
		else if (view_is(word, "signed"))
			is_signed = true;
		else if (view_is(word, "char"))
			is_char = true;
		else if (word_in(word, others))
			is_other = true;
		else
			return ABI_BYTES;
	}
	if (is_char && is_other)
		return ABI_BYTES;
	if (is_char && !is_unsigned && !is_signed)
		return size_bytes == 1 ? ABI_CHAR : ABI_BYTES;
	switch (size_bytes) {
	case 1: return is_unsigned ? ABI_U8 : ABI_I8;
	case 2: return is_unsigned ? ABI_U16 : ABI_I16;
	case 4: return is_unsigned ? ABI_U32 : ABI_I32;
	case 8: return is_unsigned ? ABI_U64 : ABI_I64;
	default: return ABI_BYTES;
	}
}

uint64_t c_type_bytes(struct view spelled)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} width[] = {
		{ "char", 1 }, { "signed char", 1 }, { "unsigned char", 1 }, { "_Bool", 1 }, { "bool", 1 },
		{ "short", 2 }, { "unsigned short", 2 }, { "int", 4 }, { "unsigned int", 4 },
		{ "long", 8 }, { "unsigned long", 8 }, { "long long", 8 }, { "unsigned long long", 8 },
		{ "float", 4 }, { "double", 8 }, { "long double", 16 },
		{ "__int128", 16 }, { "unsigned __int128", 16 },
	};
	struct view base = spelling_unqualified(spelled);

	if (is_pointer_spelling(base))
		return 8;
	for (size_t i = 0; i < sizeof(width) / sizeof(width[0]); i++)
		if (view_is(base, width[i].name))
			return width[i].bytes;
	return 0;
}

enum { ALIAS_DEPTH_MAX = 64 };
#define SIZE_UNKNOWN UINT64_MAX

const char *abi_scalar_kind_name(enum abi_scalar_kind kind)
{
	static const char *const names[] = {
		[ABI_U8] = "u8", [ABI_U16] = "u16", [ABI_U32] = "u32", [ABI_U64] = "u64",
		[ABI_I8] = "i8", [ABI_I16] = "i16", [ABI_I32] = "i32", [ABI_I64] = "i64",
		[ABI_CHAR] = "char", [ABI_BOOL] = "bool", [ABI_POINTER] = "pointer",
		[ABI_ENUMERATION] = "enum", [ABI_BYTES] = "bytes",
	};

	return names[kind];
}

/*
 * Inserts the dimensions of @spelling before those of @type, and updates the number of elements. Return: 0;
 * ERR_FORMAT for too many dimensions, or [] that is not the outermost; ERR_LIMIT if the size exceeds 64 bits.
 */
static int add_dimensions(struct abi_type *type, const struct abi_spelling *spelling, struct view spelled,
			  struct err *err)
{
	size_t total = spelling->dimension_count + type->dimension_count;
	bool overflows = false;
	uint64_t bytes;

	if (total > ABI_DIMENSIONS_MAX)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has more than %d dimensions",
			       shown_length(spelled), spelled.at, ABI_DIMENSIONS_MAX);
	if (!spelling->dimension_count)
		return 0;
	if (type->flexible)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" is an array of arrays of unknown length",
			       shown_length(spelled), spelled.at);
	memmove(type->dimension + spelling->dimension_count, type->dimension,
		type->dimension_count * sizeof(type->dimension[0]));
	memcpy(type->dimension, spelling->dimension, spelling->dimension_count * sizeof(type->dimension[0]));
	type->dimension_count = total;
	type->flexible = spelling->flexible;
	type->count = 1;
	for (size_t i = 0; !overflows && i < total; i++)
		overflows = __builtin_mul_overflow(type->count, type->dimension[i], &type->count);
	if (overflows || __builtin_mul_overflow(type->count, type->element_bytes, &bytes))
		return err_set(err, ERR_LIMIT, "the size of type \"%.*s\" exceeds 64 bits",
			       shown_length(spelled), spelled.at);
	return 0;
}

/*
 * Sets @out to the type of C itself with the spelling @base and @size_bytes. It is an array if @base has
 * dimensions inside a declarator. Return: 0; ERR_FORMAT or ERR_LIMIT if these are invalid for the size.
 */
static int c_type(struct abi_type *out, struct view base, uint64_t size_bytes, struct err *err)
{
	struct abi_spelling inside;
	struct abi_type got;
	uint64_t count = 0;
	int rc;

	if ((rc = spelling_inside(&inside, base, err)) || (rc = spelling_count(&count, &inside, base, err)))
		return rc;
	if (count && size_bytes % count)
		return err_set(err, ERR_FORMAT, "%" PRIu64 " bytes cannot be the size of \"%.*s\"",
			       size_bytes, shown_length(base), base.at);
	if (count)
		size_bytes /= count;
	got = (struct abi_type){ .scalar = spelling_kind(base, size_bytes),
				 .element_bytes = size_bytes,
				 .count = 1 };
	if (got.scalar == ABI_POINTER || got.scalar == ABI_BYTES) {
		got.c_name = base.at;
		got.c_length = base.length;
	}
	if ((rc = add_dimensions(&got, &inside, base, err)))
		return rc;
	*out = got;
	return 0;
}

/* The parameters that all functions for resolving a type need. */
struct resolver {
	const struct abi *abi;
	struct err *err;
};

static int resolve_span(struct abi_type *out, const struct resolver *with, struct view type,
			uint64_t size_bytes, int depth);

/*
 * Resolves a record, enum or alias of the document; @depth: the number of aliases that led to it. Return: 1;
 * 0 if the document does not have @name; ERR_LIMIT after too many aliases; an error of the alias's type.
 */
static int resolve_name(struct abi_type *out, const struct resolver *with, struct view name, int depth)
{
	const struct abi *abi = with->abi;
	const struct abi_record *record = FIND_NAMED(abi->records, abi->record_count, name);
	const struct abi_enum *one = record ? NULL : FIND_NAMED(abi->enums, abi->enum_count, name);
	const struct abi_alias *alias;
	struct view bare;
	int rc = 0;

	if (record) {
		*out = (struct abi_type){ .record = record, .element_bytes = record->size_bytes, .count = 1 };
		return 1;
	}
	if (one) {
		*out = (struct abi_type){ .enumeration = one, .scalar = ABI_ENUMERATION,
					  .element_bytes = one->size_bytes, .count = 1 };
		return 1;
	}
	alias = FIND_NAMED(abi->aliases, abi->alias_count, name);
	if (!alias)
		return 0;
	bare = spelling_unqualified(name);
	if (view_equal(spelling_unqualified(view_trim(view_of(alias->type))), bare)) {
		/* An alias "const foo" of type "const foo" is foo if the document has foo, else a C type. */
		if (bare.length != name.length)
			rc = resolve_name(out, with, bare, depth);
		if (!rc)
			rc = c_type(out, view_trim(view_of(alias->type)), alias->size_bytes, with->err);
		return rc < 0 ? rc : 1;
	}
	if (depth == ALIAS_DEPTH_MAX)
		return err_set(with->err, ERR_LIMIT,
			       "alias %.200s leads to more than %d other aliases, perhaps in a cycle",
			       alias->name, ALIAS_DEPTH_MAX);
	rc = resolve_span(out, with, view_of(alias->type), alias->size_bytes, depth + 1);
	return rc ? rc : 1;
}

/*
 * Resolves a spelling with a declarator and dimensions after it: "int (*)[4][3]" can be an array of the alias
 * "int (*)[4]". @out is the longest prefix that is a name of the document; @spelling is set to the dimensions
 * after it. Return: as resolve_name().
 */
static int resolve_declarator(struct abi_type *out, struct abi_spelling *spelling,
			      const struct resolver *with, struct view base, int depth)
{
	struct abi_spelling got = { 0 };
	int rc;

	while ((rc = spelling_peel(&got, &base, with->err)) > 0) {
		rc = resolve_name(out, with, base, depth);
		if (rc) {
			*spelling = got;
			return rc;
		}
	}
	return rc;
}

/*
 * Resolves an array whose dimensions are inside its declarator: "int (*[3])[4]" has elements "int (*)[4]".
 * Return: as resolve_name().
 */
static int resolve_inside(struct abi_type *out, const struct resolver *with, struct view base, int depth)
{
	char *element = spelling_element(base);
	struct abi_spelling inside;
	struct abi_type got;
	int rc = 0;

	if (element && !(rc = spelling_inside(&inside, base, with->err)))
		rc = resolve_name(&got, with, view_of(element), depth);
	free(element);
	if (rc <= 0)
		return rc;
	if ((rc = add_dimensions(&got, &inside, base, with->err)))
		return rc;
	*out = got;
	return 1;
}

/*
 * Resolves a type of C itself, to which an alias with @size_bytes leads. Return: 0; ERR_NOT_FOUND if no alias
 * does (SIZE_UNKNOWN); ERR_FORMAT or ERR_LIMIT if the size or the dimensions are wrong.
 */
static int resolve_c(struct abi_type *out, const struct resolver *with, const struct abi_spelling *spelling,
		     struct view base, uint64_t size_bytes)
{
	uint64_t count = 0;
	int rc;

	if (size_bytes == SIZE_UNKNOWN)
		return err_set(with->err, ERR_NOT_FOUND,
			       "type \"%.*s\" is not a record, alias or enum of the document",
			       shown_length(base), base.at);
	if ((rc = spelling_count(&count, spelling, base, with->err)))
		return rc;
	if (count && size_bytes % count)
		return err_set(with->err, ERR_FORMAT,
			       "an alias for an array of %" PRIu64 " \"%.*s\" cannot have %" PRIu64 " bytes",
			       count, shown_length(base), base.at, size_bytes);
	return c_type(out, base, count ? size_bytes / count : c_type_bytes(base), with->err);
}

/*
 * Resolves the spelling @type: finds its base in the document or as a type of C, and adds its dimensions.
 * @size_bytes: the size of the alias that leads to @type; SIZE_UNKNOWN if none does. Return: as
 * abi_resolve_type(); ERR_FORMAT also if the size of the type is not @size_bytes.
 */
static int resolve_span(struct abi_type *out, const struct resolver *with, struct view type,
			uint64_t size_bytes, int depth)
{
	struct abi_spelling spelling;
	struct abi_type got;
	struct view base, bare;
	int rc;

	if ((rc = spelling_parse(&spelling, type, with->err)))
		return rc;
	base = (struct view){ spelling.base, spelling.base_length };
	bare = spelling_unqualified(base);
	rc = resolve_name(&got, with, base, depth);
	if (!rc && bare.length != base.length)
		rc = resolve_name(&got, with, bare, depth);
	if (!rc && base.at[base.length - 1] == ']')
		rc = resolve_declarator(&got, &spelling, with, base, depth);
	if (!rc && size_bytes == SIZE_UNKNOWN)
		rc = resolve_inside(&got, with, base, depth);
	if (rc < 0)
		return rc;
	if (!rc && (rc = resolve_c(&got, with, &spelling, base, size_bytes)))
		return rc;
	if ((rc = add_dimensions(&got, &spelling, type, with->err)))
		return rc;
	if (size_bytes != SIZE_UNKNOWN && got.count * got.element_bytes != size_bytes)
		return err_set(with->err, ERR_FORMAT,
			       "an alias for \"%.*s\" has %" PRIu64 " bytes, but that type has %" PRIu64,
			       shown_length(type), type.at, size_bytes, got.count * got.element_bytes);
	*out = got;
	return 0;
}

int abi_resolve_type(struct abi_type *out, const struct abi *abi, const char *type, struct err *err)
{
	const struct resolver with = { abi, err };

	return resolve_span(out, &with, view_of(type), SIZE_UNKNOWN, 0);
}

bool abi_same_dimensions(const struct abi_type *a, const struct abi_type *b)
{
	return a->dimension_count == b->dimension_count && a->flexible == b->flexible &&
	       !memcmp(a->dimension, b->dimension, a->dimension_count * sizeof(a->dimension[0]));
}

bool abi_same_c_name(const struct abi_type *a, const struct abi_type *b)
{
	return a->c_length == b->c_length &&
	       !memcmp(a->c_name ? a->c_name : "", b->c_name ? b->c_name : "", a->c_length);
}

bool abi_resolve_target(struct abi_type *out, const struct abi *abi, const struct abi_type *pointer)
{
	static const char to_array[] = "(*)";
	struct view target = spelling_unqualified((struct view){ pointer->c_name, pointer->c_length }),
		    dimensions = { "", 0 };
	const struct resolver with = { abi, NULL };
	struct abi_spelling spelling = { 0 };
	const char *declarator;
	struct abi_type got;
	int rc;

	if (pointer->record || pointer->scalar != ABI_POINTER || !target.length)
		return false;
	declarator = memmem(target.at, target.length, to_array, sizeof(to_array) - 1);
	if (declarator) { /* "int (*)[4]"; "int (*)(void)", a function, cannot be resolved */
		dimensions.at = declarator + sizeof(to_array) - 1;
		dimensions.length = target.length - (size_t)(dimensions.at - target.at);
		target.length = (size_t)(declarator - target.at);
	} else if (target.at[--target.length] != '*') {
		return false;
	}
	target = view_trim(target);
	while ((rc = spelling_peel(&spelling, &dimensions, NULL)) > 0)
		;
	if (rc || dimensions.length || !target.length)
		return false;
	rc = resolve_name(&got, &with, target, 0);
	if (!rc && c_type_bytes(target))
		rc = c_type(&got, target, c_type_bytes(target), NULL) ? 0 : 1;
	if (rc <= 0 || add_dimensions(&got, &spelling, target, NULL))
		return false;
	*out = got;
	return true;
}

int abi_resolve_known(const struct abi_type **out, struct abi_known_types *known, const struct abi *abi,
		      const char *type, struct err *err)
{
	size_t i = (uintptr_t)type % ABI_KNOWN_TYPES;
	int rc;

	if (known->spelling[i] != type) {
		known->spelling[i] = NULL;
		if ((rc = abi_resolve_type(&known->type[i], abi, type, err)))
			return rc;
		known->spelling[i] = type;
	}
	*out = &known->type[i];
	return 0;
}
