#include "verify/proxy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LEAVES_MAX = 1 << 16, DEPTH_MAX = 32 };

struct proxy_walk {
	const struct table *table;
	struct arena *arena;
	struct proxy_leaf *leaves;
	size_t count, capacity;
	struct err *err;
};

/* "uint8[3]" is "uint8" three times; the table was checked, so the brackets pair. */
static size_t split_array(const char *type, uint64_t *count)
{
	const char *bracket = strchr(type, '[');

	*count = 1;
	if (!bracket)
		return strlen(type);
	for (const char *at = bracket; at; at = strchr(at + 1, '['))
		*count *= strtoull(at + 1, NULL, 10);
	return (size_t)(bracket - type);
}

/* "uint32", "int8": the words that are not types of the table. Return: bytes, 0 if it is none. */
static uint64_t basic_bytes(const char *base, bool *is_signed)
{
	const char *digits = base + (*base == 'u') + 3;

	if (strncmp(base + (*base == 'u'), "int", 3))
		return 0;
	*is_signed = *base != 'u';
	return strtoull(digits, NULL, 10) / 8;
}

static bool names_padding(const char *name)
{
	if (!strcmp(name, "_") || !*name)
		return true;
	if (strncasecmp(name, "pad", 3))
		return false;
	name += 3;
	if (!strncasecmp(name, "ding", 4))
		name += 4;
	while (isdigit((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

static int add_leaf(struct proxy_walk *walk, struct proxy_leaf leaf)
{
	if (walk->count == LEAVES_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s: type %s has more than %d fields once arrays are written out",
			       walk->table->path, leaf.type, LEAVES_MAX);
	ARRAY_GROW(walk->leaves, walk->count, walk->capacity);
	walk->leaves[walk->count++] = leaf;
	return 0;
}

static int walk_type(struct proxy_walk *walk, struct proxy_leaf here, unsigned depth);

static int walk_fields(struct proxy_walk *walk, const struct table_type *type, struct proxy_leaf here, unsigned depth)
{
	int rc = 0;

	for (size_t i = 0; i < type->field_count && !rc; i++) {
		const struct table_field *field = &type->fields[i];
		struct proxy_leaf inner = here;

		inner.path = *here.path ? arena_printf(walk->arena, "%s.%s", here.path, field->name) : field->name;
		inner.type = field->type;
		inner.offset_bytes += field->offset_bytes;
		inner.is_padding |= names_padding(field->name);
		rc = walk_type(walk, inner, depth + 1);
	}
	return rc;
}

/* Every element of an array of structs, one after the other. */
static int walk_elements(struct proxy_walk *walk, const struct table_type *type, struct proxy_leaf here, uint64_t count,
			 bool is_array, unsigned depth)
{
	int rc = 0;

	for (uint64_t i = 0; i < count && !rc; i++) {
		struct proxy_leaf element = here;

		if (is_array)
			element.path = arena_printf(walk->arena, "%s[%llu]", here.path, (unsigned long long)i);
		element.offset_bytes += i * type->size_bytes;
		rc = walk_fields(walk, type, element, depth);
	}
	return rc;
}

/* A type with one role of its own is a scalar to a proxy, whatever it is made of (Handle, P64). */
static int walk_type(struct proxy_walk *walk, struct proxy_leaf here, unsigned depth)
{
	uint64_t count, inner_count;
	size_t length = split_array(here.type, &count);
	char *base = arena_strndup(walk->arena, here.type, length);
	const struct table_type *type = table_find_type(walk->table, base);

	if (depth > DEPTH_MAX)
		return err_set(walk->err, ERR_LIMIT, "%s: type %s is nested deeper than %d types", walk->table->path, base, DEPTH_MAX);
	if (type && type->role != ABI_ROLE_NONE) {
		here.role = type->role;
		here.element_bytes = type->size_bytes;
		here.count = count;
		return add_leaf(walk, here);
	}
	if (type && !type->alias)
		return walk_elements(walk, type, here, count, here.type[length] == '[', depth);
	if (type) {
		split_array(type->alias, &inner_count);
		here.element_bytes = basic_bytes(type->alias, &here.is_signed);
		here.count = count * inner_count;
		return add_leaf(walk, here);
	}
	here.element_bytes = basic_bytes(base, &here.is_signed);
	here.count = count;
	if (!here.element_bytes)
		return err_set(walk->err, ERR_FORMAT, "%s: no type '%s' among its types", walk->table->path, base);
	return add_leaf(walk, here);
}

static int compare_leaves(const void *a, const void *b)
{
	const struct proxy_leaf *x = a, *y = b;

	return x->offset_bytes < y->offset_bytes ? -1 : x->offset_bytes > y->offset_bytes;
}

int proxy_flatten(struct proxy_layout *out, const struct table *table, const char *name, struct arena *arena, struct err *err)
{
	struct proxy_walk walk = { .table = table, .arena = arena, .err = err };
	const struct table_type *type = table_find_type(table, name);
	int rc;

	if (!type)
		return err_set(err, ERR_FORMAT, "%s: no type '%s' among its types", table->path, name);
	rc = walk_type(&walk, (struct proxy_leaf){ .path = "", .type = type->name }, 0);
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

const struct proxy_leaf *proxy_leaf_at(const struct proxy_layout *layout, uint64_t offset_bytes)
{
	struct proxy_leaf key = { .offset_bytes = offset_bytes };

	return bsearch(&key, layout->leaves, layout->leaf_count, sizeof(key), compare_leaves);
}

const struct proxy_leaf *proxy_leaf_over(const struct proxy_layout *layout, uint64_t offset_bytes, uint64_t size_bytes)
{
	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct proxy_leaf *leaf = &layout->leaves[i];

		if (leaf->offset_bytes < offset_bytes + size_bytes &&
		    leaf->offset_bytes + leaf->element_bytes * leaf->count > offset_bytes)
			return leaf;
	}
	return NULL;
}
