/*
 * What a spelled type means, found in four steps:
 *
 * 1. The dimensions come off the end: "NvU32[4][2]" is "NvU32" with [4][2].
 *    The brackets of a declarator in parentheses belong to it: "int (*)[4]" is one pointer,
 *    and "int (*[3])[4]" has [3] of these.
 * 2. The base is looked up as it stands, then without qualifiers and tags
 *    ("const struct foo" is "foo"): a record or an enum ends the search.
 * 3. An alias is followed: its own spelling goes through the same steps, and
 *    its size is the size of what is found.
 * 4. A spelling that an alias led to and that is no name of the document is C
 *    itself. It decides the kind ("unsigned ..." is u, "...*" is a pointer); the
 *    width is the alias's, since the width of a long is the target's affair.
 */
#include "abi/type.h"

#include "abi/order.h"
#include "abi/spelling.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ALIAS_DEPTH_MAX = 64 };
#define SIZE_UNKNOWN UINT64_MAX

const char *abi_scalar_name(enum abi_scalar kind)
{
	static const char *const names[] = {
		[ABI_U8] = "u8", [ABI_U16] = "u16", [ABI_U32] = "u32", [ABI_U64] = "u64",
		[ABI_I8] = "i8", [ABI_I16] = "i16", [ABI_I32] = "i32", [ABI_I64] = "i64",
		[ABI_CHAR] = "char", [ABI_BOOL] = "bool", [ABI_POINTER] = "pointer",
		[ABI_ENUMERATION] = "enum", [ABI_BYTES] = "bytes",
	};

	return names[kind];
}

/* Puts the dimensions of @spelling before those that @type has. */
static int add_dimensions(struct abi_type *type, const struct abi_spelling *spelling, struct span spelled, struct err *err)
{
	size_t total = spelling->dimension_count + type->dimension_count;
	bool overflows = false;
	uint64_t bytes;

	if (total > ABI_DIMENSIONS_MAX)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" has more than %d dimensions", span_shown(spelled), spelled.text,
			       ABI_DIMENSIONS_MAX);
	if (!spelling->dimension_count)
		return 0;
	if (type->flexible)
		return err_set(err, ERR_FORMAT, "type \"%.*s\" is an array of arrays without a length", span_shown(spelled),
			       spelled.text);
	memmove(type->dimension + spelling->dimension_count, type->dimension,
		type->dimension_count * sizeof(type->dimension[0]));
	memcpy(type->dimension, spelling->dimension, spelling->dimension_count * sizeof(type->dimension[0]));
	type->dimension_count = total;
	type->flexible = spelling->flexible;
	type->count = 1;
	for (size_t i = 0; !overflows && i < total; i++)
		overflows = __builtin_mul_overflow(type->count, type->dimension[i], &type->count);
	if (overflows || __builtin_mul_overflow(type->count, type->element_bytes, &bytes))
		return err_set(err, ERR_LIMIT, "type \"%.*s\" is larger than 64 bits can say", span_shown(spelled), spelled.text);
	return 0;
}

/* What C itself names, @size_bytes in all. */
static int c_type(struct abi_type *out, struct span base, uint64_t size_bytes, struct err *err)
{
	struct abi_spelling inside;
	struct abi_type got;
	uint64_t count = 0;
	int rc;

	if ((rc = spelling_inside(&inside, base, err)) || (rc = spelling_count(&count, &inside, base, err)))
		return rc;
	if (count && size_bytes % count)
		return err_set(err, ERR_FORMAT, "%" PRIu64 " bytes do not make \"%.*s\"", size_bytes, span_shown(base), base.text);
	if (count)
		size_bytes /= count;
	got = (struct abi_type){ .scalar = spelling_kind(base, size_bytes), .element_bytes = size_bytes, .count = 1 };
	if (got.scalar == ABI_POINTER || got.scalar == ABI_BYTES) {
		got.c_name = base.text;
		got.c_length = base.length;
	}
	if ((rc = add_dimensions(&got, &inside, base, err)))
		return rc;
	*out = got;
	return 0;
}

/* The state of one resolution. */
struct resolver {
	const struct abi *abi;
	struct err *err;
};

static const struct abi_record *find_record(const struct abi *abi, struct span name)
{
	return abi_search_named(abi->records, abi->record_count, sizeof(*abi->records), name.text, name.length);
}

static const struct abi_enum *find_enum(const struct abi *abi, struct span name)
{
	return abi_search_named(abi->enums, abi->enum_count, sizeof(*abi->enums), name.text, name.length);
}

static const struct abi_alias *find_alias(const struct abi *abi, struct span name)
{
	return abi_search_named(abi->aliases, abi->alias_count, sizeof(*abi->aliases), name.text, name.length);
}

static int resolve_span(struct abi_type *out, const struct resolver *with, struct span type, uint64_t size_bytes, int depth);

static int resolve_alias(struct abi_type *out, const struct resolver *with, const struct abi_alias *alias, int depth)
{
	if (depth == ALIAS_DEPTH_MAX)
		return err_set(with->err, ERR_LIMIT, "alias %.200s leads through more than %d others, perhaps in a ring",
			       alias->name, ALIAS_DEPTH_MAX);
	return resolve_span(out, with, span_of(alias->type), alias->size_bytes, depth + 1);
}

static int resolve_name(struct abi_type *out, const struct resolver *with, struct span name, int depth);

/* "int" stands for "int": the end of the chain, unless it is a "const foo" and foo is known. */
static int resolve_own_name(struct abi_type *out, const struct resolver *with, const struct abi_alias *alias, int depth)
{
	struct span name = span_of(alias->name);
	struct span bare = spelling_unqualified(name);
	int rc = 0;

	if (bare.length != name.length)
		rc = resolve_name(out, with, bare, depth);
	if (!rc)
		rc = c_type(out, span_trimmed(span_of(alias->type)), alias->size_bytes, with->err);
	return rc < 0 ? rc : 1;
}

/* Return: 1 if @name is a name of the document, which @out then describes; 0 if it is none; ERR_*. */
static int resolve_name(struct abi_type *out, const struct resolver *with, struct span name, int depth)
{
	const struct abi_record *record = find_record(with->abi, name);
	const struct abi_enum *one = record ? NULL : find_enum(with->abi, name);
	const struct abi_alias *alias;
	int rc;

	if (record) {
		*out = (struct abi_type){ .record = record, .element_bytes = record->size_bytes, .count = 1 };
		return 1;
	}
	if (one) {
		*out = (struct abi_type){ .enumeration = one, .scalar = ABI_ENUMERATION,
					  .element_bytes = one->size_bytes, .count = 1 };
		return 1;
	}
	alias = find_alias(with->abi, name);
	if (!alias)
		return 0;
	if (span_equal(spelling_unqualified(span_trimmed(span_of(alias->type))), spelling_unqualified(name)))
		return resolve_own_name(out, with, alias, depth);
	rc = resolve_alias(out, with, alias, depth);
	return rc ? rc : 1;
}

/*
 * A base that ends in a declarator may still be one with dimensions behind it
 * ("int (*)[4]" with [3]): the longest prefix that is a name of the document is
 * the base. Return: as resolve_name().
 */
static int resolve_declarator(struct abi_type *out, struct abi_spelling *spelling, const struct resolver *with,
			      struct span base, int depth)
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
 * An array whose dimensions are inside its declarator, "int (*[3])[4]" of "int (*)[4]".
 * Return: as resolve_name().
 */
static int resolve_inside(struct abi_type *out, const struct resolver *with, struct span base, int depth)
{
	char *element = spelling_element(base);
	struct abi_spelling inside;
	struct abi_type got;
	int rc = 0;

	if (element && !(rc = spelling_inside(&inside, base, with->err)))
		rc = resolve_name(&got, with, span_of(element), depth);
	free(element);
	if (rc <= 0)
		return rc;
	if ((rc = add_dimensions(&got, &inside, base, with->err)))
		return rc;
	*out = got;
	return 1;
}

/* C's own name, reached through an alias of @size_bytes in all. */
static int resolve_c(struct abi_type *out, const struct resolver *with, const struct abi_spelling *spelling,
		     struct span base, uint64_t size_bytes)
{
	uint64_t count = 0;
	int rc;

	if (size_bytes == SIZE_UNKNOWN)
		return err_set(with->err, ERR_NOT_FOUND, "type \"%.*s\" is neither a record, an alias nor an enum of the document",
			       span_shown(base), base.text);
	if ((rc = spelling_count(&count, spelling, base, with->err)))
		return rc;
	if (count && size_bytes % count)
		return err_set(with->err, ERR_FORMAT, "an alias for %" PRIu64 " times \"%.*s\" cannot be %" PRIu64 " bytes",
			       count, span_shown(base), base.text, size_bytes);
	return c_type(out, base, count ? size_bytes / count : spelling_width(base), with->err);
}

/* @size_bytes: what an alias says that @type is, SIZE_UNKNOWN if none led here. */
static int resolve_span(struct abi_type *out, const struct resolver *with, struct span type, uint64_t size_bytes, int depth)
{
	struct abi_spelling spelling;
	struct abi_type got;
	struct span base, bare;
	int rc;

	if ((rc = spelling_parse(&spelling, type, with->err)))
		return rc;
	base = (struct span){ spelling.base, spelling.base_length };
	bare = spelling_unqualified(base);
	rc = resolve_name(&got, with, base, depth);
	if (!rc && bare.length != base.length)
		rc = resolve_name(&got, with, bare, depth);
	if (!rc && base.text[base.length - 1] == ']')
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
		return err_set(with->err, ERR_FORMAT, "an alias for \"%.*s\" says %" PRIu64 " bytes, but that type is %" PRIu64,
			       span_shown(type), type.text, size_bytes, got.count * got.element_bytes);
	*out = got;
	return 0;
}

int abi_resolve_type(struct abi_type *out, const struct abi *abi, const char *type, struct err *err)
{
	const struct resolver with = { abi, err };

	return resolve_span(out, &with, span_of(type), SIZE_UNKNOWN, 0);
}

bool abi_same_dimensions(const struct abi_type *a, const struct abi_type *b)
{
	return a->dimension_count == b->dimension_count && a->flexible == b->flexible &&
	       !memcmp(a->dimension, b->dimension, a->dimension_count * sizeof(a->dimension[0]));
}

bool abi_same_c_name(const struct abi_type *a, const struct abi_type *b)
{
	return a->c_length == b->c_length && !memcmp(a->c_name ? a->c_name : "", b->c_name ? b->c_name : "", a->c_length);
}

bool abi_resolve_target(struct abi_type *out, const struct abi *abi, const struct abi_type *pointer)
{
	static const char to_array[] = "(*)";
	struct span target = spelling_unqualified((struct span){ pointer->c_name, pointer->c_length }), dimensions = { "", 0 };
	const struct resolver with = { abi, NULL };
	struct abi_spelling spelling = { 0 };
	const char *declarator;
	struct abi_type got;
	int rc;

	if (pointer->record || pointer->scalar != ABI_POINTER || !target.length)
		return false;
	declarator = memmem(target.text, target.length, to_array, sizeof(to_array) - 1);
	if (declarator) { /* "int (*)[4]"; but of "int (*)(void)", a function, nothing is known */
		dimensions.text = declarator + sizeof(to_array) - 1;
		dimensions.length = target.length - (size_t)(dimensions.text - target.text);
		target.length = (size_t)(declarator - target.text);
	} else if (target.text[--target.length] != '*') {
		return false;
	}
	target = span_trimmed(target);
	while ((rc = spelling_peel(&spelling, &dimensions, NULL)) > 0)
		;
	if (rc || dimensions.length || !target.length)
		return false;
	rc = resolve_name(&got, &with, target, 0);
	if (!rc && spelling_width(target))
		rc = c_type(&got, target, spelling_width(target), NULL) ? 0 : 1;
	if (rc <= 0 || add_dimensions(&got, &spelling, target, NULL))
		return false;
	*out = got;
	return true;
}

int abi_resolve_known(const struct abi_type **out, struct abi_known_types *known, const struct abi *abi, const char *type,
		      struct err *err)
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
