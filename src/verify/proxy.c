/*
 * verify/proxy.c - a proxy's own type as flat scalars
 *
 * A type of the table is a struct with fields, an alias of another type, or
 * has a role (Handle, P64). The walk turns it into leaves:
 *
 * 1. A field's type is parsed: a name and dimensions. The name is a word of Go
 *    (basics) or a type of the table.
 * 2. An alias is followed. If it ends in a word of Go or in a type with a
 *    role, without brackets on the way, the field is one leaf with the
 *    field's dimensions.
 * 3. Anything else is walked element by element, and each element field by
 *    field. A leaf is padding by its own name or by that of a field around it.
 * 4. The leaves are sorted by offset.
 *
 * A table may be written by hand, so leaves, elements and depth are limited.
 */
#include "verify/internal.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES_MAX = 1 << 16, DEPTH_MAX = 80 }; /* json/ lets 64 types stand inside one another */

/* The words that are not types of the table, as Go spells them. */
static const struct basic {
	const char *name;
	uint64_t bytes;
	bool is_signed, is_bool;
} basics[] = {
	{ "bool", 1, false, true },     { "int8", 1, true, false },     { "int16", 2, true, false },
	{ "int32", 4, true, false },    { "int64", 8, true, false },    { "uint8", 1, false, false },
	{ "uint16", 2, false, false },  { "uint32", 4, false, false },  { "uint64", 8, false, false },
};

struct proxy_walk {
	const struct table *table;
	struct arena *arena;
	struct proxy_leaf *leaves;
	size_t count, capacity;
	size_t elements; /* of arrays, so far; they may have no leaves */
	struct err *err;
};

/* The type of a field: parsed, and looked up in the table. */
struct spelled {
	const char *base;
	const struct table_type *type; /* NULL for one of the basics */
	struct abi_spelling array;
	uint64_t count;                /* product of the dimensions */
};

static const struct basic *find_basic(const char *name)
{
	for (size_t i = 0; i < sizeof(basics) / sizeof(*basics); i++)
		if (!strcmp(basics[i].name, name))
			return &basics[i];
	return NULL;
}

static int spelled_parse(struct spelled *out, struct proxy_walk *walk, const char *spelling)
{
	int rc;

	if ((rc = abi_spelling_parse(&out->array, spelling, walk->err))) {
		err_prefix(walk->err, "%s", walk->table->path);
		return rc;
	}
	out->base = arena_strndup(walk->arena, out->array.base, out->array.base_length);
	out->type = find_basic(out->base) ? NULL : table_find_type(walk->table, out->base);
	out->count = 1;
	for (size_t i = 0; i < out->array.dimension_count; i++)
		if (__builtin_mul_overflow(out->count, out->array.dimension[i], &out->count))
			return err_set(walk->err, ERR_LIMIT,
				       "%s: type %s has more elements than 64 bits can count",
				       walk->table->path, spelling);
	if (!out->type && !find_basic(out->base))
		return err_set(walk->err, ERR_FORMAT, "%s: no type '%s' among its types", walk->table->path,
			       out->base);
	return 0;
}

static int too_many(const struct proxy_walk *walk, const char *type)
{
	return err_set(walk->err, ERR_LIMIT,
		       "%s: type %s has more than %d fields once arrays are written out", walk->table->path,
		       type, LEAVES_MAX);
}

static int add_leaf(struct proxy_walk *walk, struct proxy_leaf leaf, const struct spelled *spelled)
{
	leaf.count = spelled->count;
	leaf.dimension_count = spelled->array.dimension_count;
	memcpy(leaf.dimension, spelled->array.dimension, sizeof(leaf.dimension));
	if (!leaf.count || !leaf.element_bytes)
		return 0;
	if (walk->count == LEAVES_MAX)
		return too_many(walk, leaf.type);
	ARRAY_GROW(walk->leaves, walk->count, walk->capacity);
	walk->leaves[walk->count++] = leaf;
	return 0;
}

static int add_basic(struct proxy_walk *walk, struct proxy_leaf leaf, const struct spelled *spelled,
		     const char *name)
{
	const struct basic *basic = find_basic(name);

	leaf.element_bytes = basic->bytes;
	leaf.is_signed = basic->is_signed;
	leaf.is_bool = basic->is_bool;
	return add_leaf(walk, leaf, spelled);
}

static bool holds_bool(const struct table_type *type)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (!strncmp(type->fields[i].type, "bool", 4) &&
		    (!type->fields[i].type[4] || type->fields[i].type[4] == '['))
			return true;
	return type->alias && !strncmp(type->alias, "bool", 4);
}

static int add_role(struct proxy_walk *walk, struct proxy_leaf leaf, const struct spelled *spelled,
		    const struct table_type *type)
{
	leaf.role = type->role;
	leaf.is_bool = holds_bool(type);
	leaf.element_bytes = type->size_bytes;
	return add_leaf(walk, leaf, spelled);
}

/*
 * The word or the type with a role that a chain of aliases without brackets ends in; both NULL if it ends
 * otherwise.
 */
static void end_of_aliases(const char **word, const struct table_type **role, const struct table *table,
			   const struct table_type *type)
{
	*word = NULL;
	*role = NULL;
	for (unsigned depth = 0; type && depth < DEPTH_MAX; depth++) {
		if (type->role != ABI_ROLE_NONE)
			*role = type;
		else if (type->alias && find_basic(type->alias))
			*word = type->alias;
		if (*role || *word || !type->alias)
			return;
		type = table_find_type(table, type->alias);
	}
}

static int walk_spelling(struct proxy_walk *walk, struct proxy_leaf here, const char *spelling,
			 unsigned depth);

static int walk_fields(struct proxy_walk *walk, const struct table_type *type, struct proxy_leaf here,
		       unsigned depth)
{
	int rc = 0;

	for (size_t i = 0; i < type->field_count && !rc; i++) {
		const struct table_field *field = &type->fields[i];
		struct proxy_leaf inner = here;

		inner.path =
			*here.path ? arena_printf(walk->arena, "%s.%s", here.path, field->name) : field->name;
		inner.type = field->type;
		inner.offset_bytes += field->offset_bytes;
		inner.is_padding |= padding_of_proxy(field->name);
		rc = walk_spelling(walk, inner, field->type, depth + 1);
	}
	return rc;
}

/* Every element of an array of structs or aliases; without brackets, there is one element. */
static int walk_elements(struct proxy_walk *walk, const struct spelled *spelled, struct proxy_leaf here,
			 unsigned depth)
{
	const struct table_type *type = spelled->type;
	int rc = 0;

	for (uint64_t i = 0; i < spelled->count && !rc; i++) {
		struct proxy_leaf element = here;

		if (++walk->elements > LEAVES_MAX)
			return too_many(walk, here.type);
		if (spelled->array.dimension_count)
			element.path = arena_printf(walk->arena, "%s%s", here.path,
						    meet_index(i, spelled->array.dimension,
							       spelled->array.dimension_count, walk->arena));
		element.offset_bytes += i * type->size_bytes;
		rc = type->alias ? walk_spelling(walk, element, type->alias, depth + 1)
				 : walk_fields(walk, type, element, depth);
	}
	return rc;
}

/* A type with one role of its own is a scalar to a proxy, whatever it is made of (Handle, P64). */
static int walk_spelling(struct proxy_walk *walk, struct proxy_leaf here, const char *spelling, unsigned depth)
{
	const struct table_type *role;
	struct spelled spelled;
	const char *word;
	int rc;

	if ((rc = spelled_parse(&spelled, walk, spelling)))
		return rc;
	if (depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s: type %s is nested deeper than %d types",
			       walk->table->path, spelled.base, DEPTH_MAX);
	if (!spelled.type)
		return add_basic(walk, here, &spelled, spelled.base);
	end_of_aliases(&word, &role, walk->table, spelled.type);
	if (role)
		return add_role(walk, here, &spelled, role);
	if (word)
		return add_basic(walk, here, &spelled, word);
	return walk_elements(walk, &spelled, here, depth);
}

static int compare_leaves(const void *a, const void *b)
{
	const struct proxy_leaf *x = a, *y = b;

	return x->offset_bytes < y->offset_bytes ? -1 : x->offset_bytes > y->offset_bytes;
}

int proxy_flatten(struct proxy_layout *out, const struct table *table, const char *name, struct arena *arena,
		  struct err *err)
{
	struct proxy_walk walk = { .table = table, .arena = arena, .err = err };
	const struct table_type *type = table_find_type(table, name);
	int rc;

	if (!type)
		return err_set(err, ERR_FORMAT, "%s: no type '%s' among its types", table->path, name);
	rc = walk_spelling(&walk, (struct proxy_leaf){ .path = "", .type = type->name }, type->name, 0);
	if (!rc) {
		if (walk.count)
			qsort(walk.leaves, walk.count, sizeof(*walk.leaves), compare_leaves);
		*out = (struct proxy_layout){
			.type = type,
			.leaves = arena_memdup(arena, walk.leaves, walk.count * sizeof(*walk.leaves)),
			.leaf_count = walk.count,
		};
	}
	free(walk.leaves);
	return rc;
}

uint64_t proxy_leaf_bytes(const struct proxy_leaf *leaf)
{
	return leaf->element_bytes * leaf->count;
}

const struct proxy_leaf *proxy_leaf_at(const struct proxy_layout *layout, uint64_t offset_bytes)
{
	struct proxy_leaf key = { .offset_bytes = offset_bytes };

	return bsearch(&key, layout->leaves, layout->leaf_count, sizeof(key), compare_leaves);
}

const struct proxy_leaf *proxy_leaf_over(const struct proxy_layout *layout, uint64_t offset_bytes,
					 uint64_t size_bytes)
{
	size_t low = 0, high = layout->leaf_count;

	/*
	 * The first leaf that ends behind @offset_bytes: leaves do not overlap, so their ends are in order
	 * too.
	 */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct proxy_leaf *leaf = &layout->leaves[middle];

		if (leaf->offset_bytes + proxy_leaf_bytes(leaf) > offset_bytes)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == layout->leaf_count || layout->leaves[low].offset_bytes >= offset_bytes + size_bytes)
		return NULL;
	return &layout->leaves[low];
}
