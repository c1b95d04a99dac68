/*
 * "drvabi-proxy/1" from text: the whole, and the proxy's types. The versions
 * are in read_table_nodes.c.
 */
#include "abi/read_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL };

/* A proxy's type is no larger than an ioctl could carry by any stretch. */
#define TYPE_BYTES_MAX (UINT64_C(1) << 32)

/* The scalars that a proxy's types are made of, as Go spells them. */
static const struct {
	const char *name;
	uint64_t size_bytes;
} scalars[] = {
	{ "bool", 1 },  { "int16", 2 },  { "int32", 4 },  { "int64", 8 },  { "int8", 1 },
	{ "uint16", 2 }, { "uint32", 4 }, { "uint64", 8 }, { "uint8", 1 },
};

static int compare_types(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

/* Bytes of one element of "T[4]" or "T"; @type is T if it is one of the table. */
static int element_size(uint64_t *size, const struct table_type **type, const struct table *table, const char *name)
{
	size_t i;

	*type = NULL;
	for (i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		if (!strcmp(scalars[i].name, name)) {
			*size = scalars[i].size_bytes;
			return 0;
		}
	}
	*type = table_find_type(table, name);
	if (!*type)
		return ERR_NOT_FOUND;
	*size = (*type)->size_bytes;
	return 0;
}

/* What "T[4][2]" means: its bytes, and T if that is a type of the table. */
static int spelled_size(uint64_t *size, const struct table_type **type, const struct table *table, const char *spelled,
			const struct json_value *at, struct arena *arena, struct err *err)
{
	struct abi_spelling spelling;
	const char *base;
	struct err why;
	size_t i;

	if (abi_spelling_parse(&spelling, spelled, &why))
		return json_fail(at, ERR_FORMAT, err, "%s", why.text);
	base = arena_strndup(arena, spelling.base, spelling.base_length);
	if (element_size(size, type, table, base))
		return json_fail(at, ERR_FORMAT, err, "the type \"%.100s\" is neither a scalar nor among \"types\"", base);
	for (i = 0; i < spelling.dimension_count; i++)
		if (__builtin_mul_overflow(*size, spelling.dimension[i], size) || *size > TYPE_BYTES_MAX)
			return json_fail(at, ERR_FORMAT, err, "the array is too large");
	return 0;
}

static int read_field(struct table_field *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { NAME, OFFSET, TYPE, COUNT };
	static const struct json_member members[] = {
		[NAME] = { "name", JSON_WANT_STRING },
		[OFFSET] = { "offset", JSON_WANT_INTEGER },
		[TYPE] = { "type", JSON_WANT_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = json_get_unsigned(&out->offset_bytes, &found[OFFSET], TYPE_BYTES_MAX, err)))
		return rc;
	out->name = json_get_string(&found[NAME], arena);
	out->type = json_get_string(&found[TYPE], arena);
	return 0;
}

static int read_fields(struct table_type *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct table_field *fields;
	struct json_value child;
	int rc;

	out->field_count = json_count(at);
	out->fields = fields = arena_array(arena, out->field_count + 1, sizeof(*fields));
	for (child = json_first(at); child.item; json_next(&child)) {
		if ((rc = read_field(&fields[child.index], &child, arena, err)))
			return rc;
		if (child.index && fields[child.index].offset_bytes < fields[child.index - 1].offset_bytes)
			return json_fail(&child, ERR_FORMAT, err, "fields stand in the order of their offsets, and this one does not");
	}
	return 0;
}

static int read_type(struct table_type *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { SIZE, ALIAS, FIELDS, ROLE, COUNT };
	static const struct json_member members[] = {
		[SIZE] = { "size", JSON_WANT_INTEGER },
		[ALIAS] = { "alias", OPTIONAL_STRING },
		[FIELDS] = { "fields", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[ROLE] = { "role", OPTIONAL_STRING },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, err)) ||
	    (rc = json_get_unsigned(&out->size_bytes, &found[SIZE], TYPE_BYTES_MAX, err)) ||
	    (rc = read_fields(out, &found[FIELDS], arena, err)))
		return rc;
	if (!found[ALIAS].item == !found[FIELDS].item)
		return json_fail(at, ERR_FORMAT, err, "a type has either \"fields\" or an \"alias\"");
	if (found[ROLE].item && abi_role_parse(&out->role, found[ROLE].item->valuestring, NULL))
		return json_fail(&found[ROLE], ERR_FORMAT, err, "\"%.60s\" is no role", found[ROLE].item->valuestring);
	out->name = arena_strdup(arena, at->key);
	out->alias = json_get_string(&found[ALIAS], arena);
	return 0;
}

/* State of the search for types that contain themselves. */
struct type_check {
	const struct table *table;
	unsigned *height; /* for each type, how deep types nest in it, itself included; 0: not known yet */
	unsigned depth;   /* how many types the walk is inside of */
	const struct json_value *types;
	struct arena *arena;
	struct err *err;
};

/* The height of a type while that is being computed. */
#define ON_THE_WAY UINT_MAX

/* Paths of a field or alias of a type, built from names: the checks come after reading, when the order is another. */
struct member_path {
	struct json_value type;
	struct json_value list; /* "alias" or "fields" */
	struct json_value field;
	struct json_value field_type;
};

static void find_member(struct member_path *path, const struct type_check *check, const struct table_type *type, size_t field)
{
	path->type = (struct json_value){ .parent = check->types, .key = type->name };
	path->list = (struct json_value){ .parent = &path->type, .key = type->alias ? "alias" : "fields" };
	path->field = (struct json_value){ .parent = &path->list, .index = field };
	path->field_type = (struct json_value){ .parent = &path->field, .key = "type" };
}

static int check_type(struct type_check *check, const struct table_type *type);

/* One field or alias of a type: its size is known, and it does not lead back. Raises @below to its height. */
static int check_member(uint64_t *size, unsigned *below, struct type_check *check, const struct table_type *type,
		      const char *spelled, size_t field)
{
	const struct table_type *inner = NULL;
	const struct json_value *at;
	struct member_path path;
	const unsigned *height;
	int rc;

	find_member(&path, check, type, field);
	at = type->alias ? &path.list : &path.field_type;
	if ((rc = spelled_size(size, &inner, check->table, spelled, at, check->arena, check->err)) || !inner)
		return rc;
	height = &check->height[inner - check->table->types];
	if (*height == ON_THE_WAY)
		return json_fail(at, ERR_FORMAT, check->err, "the type \"%.100s\" contains itself", inner->name);
	if ((rc = check_type(check, inner)))
		return rc;
	if (*below < *height)
		*below = *height;
	return 0;
}

static int check_fields(unsigned *below, struct type_check *check, const struct table_type *type)
{
	struct member_path path;
	uint64_t end = 0, size;
	size_t i;
	int rc;

	for (i = 0; i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];

		if ((rc = check_member(&size, below, check, type, field->type, i)))
			return rc;
		find_member(&path, check, type, i);
		if (i && field->offset_bytes < end)
			return json_fail(&path.field, ERR_FORMAT, check->err, "the field overlaps the one before it");
		end = field->offset_bytes + size;
		if (end > type->size_bytes)
			return json_fail(&path.field, ERR_FORMAT, check->err, "the field leaves its type, which has %llu bytes",
					 (unsigned long long)type->size_bytes);
	}
	return 0;
}

static int check_alias(unsigned *below, struct type_check *check, const struct table_type *type)
{
	struct member_path path;
	uint64_t size;
	int rc;

	if ((rc = check_member(&size, below, check, type, type->alias, 0)))
		return rc;
	find_member(&path, check, type, 0);
	if (size != type->size_bytes)
		return json_fail(&path.list, ERR_FORMAT, check->err, "%s has %llu bytes, and \"size\" says %llu", type->alias,
				 (unsigned long long)size, (unsigned long long)type->size_bytes);
	return 0;
}

/* Depth-first, each type once. Bounded: a chain of types is no longer than structs inside structs are deep. */
static int check_type(struct type_check *check, const struct table_type *type)
{
	unsigned *height = &check->height[type - check->table->types];
	struct json_value at = { .parent = check->types, .key = type->name };
	unsigned below = 0;
	int rc = 0;

	if (*height)
		return 0;
	*height = ON_THE_WAY;
	if (check->depth++ < JSON_DEPTH_MAX)
		rc = type->alias ? check_alias(&below, check, type) : check_fields(&below, check, type);
	if (!rc && (check->depth > JSON_DEPTH_MAX || below >= JSON_DEPTH_MAX))
		rc = json_fail(&at, ERR_LIMIT, check->err, "more than %d types stand inside one another", JSON_DEPTH_MAX);
	check->depth--;
	*height = below + 1;
	return rc;
}

static int check_types(const struct table *table, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct type_check check = { .table = table, .types = at, .arena = arena, .err = err };
	size_t i;
	int rc = 0;

	check.height = arena_array(arena, table->type_count + 1, sizeof(*check.height));
	for (i = 0; i < table->type_count && !rc; i++)
		rc = check_type(&check, &table->types[i]);
	return rc;
}

/* The types of a base go before those of the text; a type of both goes in once. */
int table_reader_types(struct table *out, const struct table *base, const struct json_value *at, struct arena *arena, struct err *err)
{
	size_t count = base ? base->type_count : 0;
	struct table_type *types = arena_array(arena, count + json_count(at) + 1, sizeof(*types));
	const struct table_type *other;
	struct json_value child;
	int rc;

	if (count)
		memcpy(types, base->types, count * sizeof(*types));
	for (child = json_first(at); child.item; json_next(&child)) {
		types[count] = (struct table_type){ 0 };
		if ((rc = read_type(&types[count], &child, arena, err)))
			return rc;
		other = base ? table_find_type(base, types[count].name) : NULL;
		if (other && !table_type_same(other, &types[count]))
			return json_fail(&child, ERR_FORMAT, err, "%s has a type of this name, and it is another one", base->path);
		count += !other;
	}
	qsort(types, count, sizeof(*types), compare_types);
	out->types = types;
	out->type_count = count;
	return check_types(out, at, arena, err);
}

static int read_root(struct table *out, const struct json_value *root, struct arena *arena, struct err *err)
{
	enum { FORMAT, PROXY, REVISION, DRIVER, TYPES, VERSIONS, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[PROXY] = { "proxy", JSON_WANT_STRING },
		[REVISION] = { "revision", OPTIONAL_STRING },
		[DRIVER] = { "driver", JSON_WANT_STRING },
		[TYPES] = { "types", JSON_WANT_OBJECT },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], TABLE_FORMAT, err)) ||
	    (rc = table_reader_types(out, NULL, &found[TYPES], arena, err)))
		return rc;
	out->path = arena_strdup(arena, root->name);
	out->proxy = json_get_string(&found[PROXY], arena);
	out->revision = found[REVISION].item ? json_get_string(&found[REVISION], arena) : "";
	out->driver = json_get_string(&found[DRIVER], arena);
	return table_reader_nodes(out, NULL, &found[VERSIONS], arena, err);
}

int json_read_table(struct table *out, const char *text, size_t size, const char *name, struct arena *arena, struct err *err)
{
	struct table table = { 0 };
	struct json_value root;
	int rc;

	if ((rc = json_parse_lines(&root, text, size, name, err)))
		return rc;
	rc = read_root(&table, &root, arena, err);
	json_parse_free(&root);
	if (!rc)
		*out = table;
	return rc;
}
