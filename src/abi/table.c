/* abi/table.c - a proxy's table: lookups, the view of a node, and the checks of its types */
#include "abi/internal.h"

_Static_assert(!offsetof(struct table_type, name), "abi_search_named() reads the name");

const char *const table_caps[] = {
	"compute",  "utility",		"graphics",  "video", "display", "ngx",
	"compat32", "fabric-imex-mgmt", "profiling", "rdma",  NULL,
};

const char *table_passes(const struct table *table, const char *family, uint64_t number)
{
	for (size_t i = 0; i < table->passed_count; i++)
		if ((number & table->passed[i].mask) == table->passed[i].value &&
		    !strcmp(table->passed[i].family, family))
			return table->passed[i].name;
	return NULL;
}

const struct table_type *table_find_type(const struct table *table, const char *name)
{
	return FIND_NAMED(table->types, table->type_count, view_of(name));
}

int table_entry_order(const void *a, const void *b)
{
	const struct table_entry *x = a, *y = b;

	return strcmp(x->family, y->family) ?: strcmp(x->name, y->name);
}

bool table_has_family(const struct table *table, const char *family)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

bool table_view_has_family(const struct table_view *view, const char *family)
{
	for (size_t i = 0; i < view->entry_count; i++)
		if (!strcmp(view->entries[i]->family, family))
			return true;
	return false;
}

bool table_entry_is_read(const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy)
			return true;
	return false;
}

const struct table_node *table_find_node(const struct table *table, const char *version)
{
	for (size_t i = 0; i < table->node_count; i++)
		if (!strcmp(table->nodes[i].version, version))
			return &table->nodes[i];
	return NULL;
}

const struct table_entry *table_own_entry(const struct table_node *node, const struct table_entry *key)
{
	return node->entry_count
		       ? bsearch(key, node->entries, node->entry_count, sizeof(*key), table_entry_order)
		       : NULL;
}

const struct table_entry *table_entry_at(const struct table_node *node, const struct table_entry *key)
{
	const struct table_entry *entry = NULL;

	for (; node && !entry; node = node->parent)
		entry = table_own_entry(node, key);
	return entry && !entry->removed ? entry : NULL;
}

int table_entry_pointer_order(const void *a, const void *b)
{
	const struct table_entry *const *x = a, *const *y = b;

	return table_entry_order(*x, *y);
}

/* The view has the entry of each name that is nearest to @node, unless that is a removal. */
void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node,
		   struct arena *arena)
{
	const struct table_entry **entries;
	const struct table_node *one;
	size_t most = 0, count = 0;

	for (one = node; one; one = one->parent)
		most += one->entry_count;
	entries = arena_array(arena, most + 1, sizeof(*entries));
	for (one = node; one; one = one->parent)
		for (size_t i = 0; i < one->entry_count; i++)
			if (table_entry_at(node, &one->entries[i]) == &one->entries[i])
				entries[count++] = &one->entries[i];
	sort_items(entries, count, sizeof(*entries), table_entry_pointer_order);
	*out = (struct table_view){ table, node, entries, count };
}

/*
 * Versions of a branch are adjacent in the order of versions. So if the branch of @version has a node that is
 * not newer than @version, the newest such node of all branches is in that branch.
 */
const struct table_node *table_nearest_node(const struct table *table, const char *version)
{
	const struct table_node *best = table_find_node(table, version);

	if (best)
		return best;
	for (size_t i = 0; i < table->node_count; i++) {
		const struct table_node *node = &table->nodes[i];

		if (abi_version_compare(node->version, version) <= 0 &&
		    (!best || abi_version_compare(node->version, best->version) > 0))
			best = node;
	}
	return best;
}

/* The state of the search for types that contain themselves. */
struct type_check {
	const struct table *table;
	unsigned *height; /* indexed by type: the levels of nested types, with the type; 0 if unknown */
	unsigned depth;   /* the number of types that are being checked and contain the current type */
	const struct json_value *types;
	struct arena *arena;
	struct err *err;
};

/* Stored as the height of a type while the height is being computed. */
#define ON_THE_WAY UINT_MAX

const struct table_word *table_word_find(const char *name, size_t length)
{
	static const struct table_word words[] = {
		{ "bool", 1, false },   { "int8", 1, true },    { "int16", 2, true },
		{ "int32", 4, true },   { "int64", 8, true },   { "uint8", 1, false },
		{ "uint16", 2, false }, { "uint32", 4, false }, { "uint64", 8, false },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i].name) == length && !strncmp(words[i].name, name, length))
			return &words[i];
	return NULL;
}

static int check_table_type(struct type_check *check, const struct table_type *type);

/*
 * Checks the type @spelled, "T[4][2]", of a field or alias at @at: its size must be known, and it must not
 * contain the type that has the field. If @inner_height is less than the height of @spelled, sets it to that
 * height.
 */
static int check_member_type(uint64_t *size, unsigned *inner_height, struct type_check *check,
			     const char *spelled, const struct json_value *at)
{
	const struct table *table = check->table;
	const struct table_type *inner = NULL;
	const struct table_word *word;
	struct abi_spelling spelling;
	const unsigned *height;
	const char *base;
	struct err why;
	int rc;

	if (abi_spelling_parse(&spelling, spelled, &why))
		return json_fail(at, ERR_FORMAT, check->err, "%s", why.text);
	base = arena_strndup(check->arena, spelling.base, spelling.base_length);
	word = table_word_find(spelling.base, spelling.base_length);
	if (!word && !(inner = table_find_type(table, base)))
		return json_fail(at, ERR_FORMAT, check->err,
				 "the type \"%.100s\" is neither a scalar nor among \"types\"", base);
	*size = word ? word->size_bytes : inner->size_bytes;
	for (size_t i = 0; i < spelling.dimension_count; i++)
		if (__builtin_mul_overflow(*size, spelling.dimension[i], size) ||
		    *size > TABLE_TYPE_BYTES_MAX)
			return json_fail(at, ERR_FORMAT, check->err, "the array is too large");
	if (!inner)
		return 0;
	height = &check->height[inner - table->types];
	if (*height == ON_THE_WAY)
		return json_fail(at, ERR_FORMAT, check->err, "the type \"%.100s\" contains itself",
				 inner->name);
	if ((rc = check_table_type(check, inner)))
		return rc;
	if (*inner_height < *height)
		*inner_height = *height;
	return 0;
}

/* Checks a type's alias or its fields. @inner_height: as for check_member_type() */
static int check_members(unsigned *inner_height, struct type_check *check, const struct table_type *type)
{
	const struct json_value *in = JSON_MEMBER(check->types, type->name), *at = JSON_MEMBER(in, "alias");
	uint64_t end = 0, size;
	int rc;

	if (type->alias) {
		if ((rc = check_member_type(&size, inner_height, check, type->alias, at)))
			return rc;
		if (size != type->size_bytes)
			return json_fail(at, ERR_FORMAT, check->err, "%s has %llu bytes, but \"size\" is %llu",
					 type->alias, (unsigned long long)size,
					 (unsigned long long)type->size_bytes);
	}
	for (size_t i = 0; i < type->field_count; i++) {
		const struct table_field *field = &type->fields[i];

		at = JSON_ITEM(JSON_MEMBER(in, "fields"), i);
		if ((rc = check_member_type(&size, inner_height, check, field->type,
					    JSON_MEMBER(at, "type"))))
			return rc;
		if (i && field->offset_bytes < end)
			return json_fail(at, ERR_FORMAT, check->err, "the field overlaps the one before it");
		end = field->offset_bytes + size;
		if (end > type->size_bytes)
			return json_fail(at, ERR_FORMAT, check->err,
					 "the field extends past the end of its type, which has %llu bytes",
					 (unsigned long long)type->size_bytes);
	}
	return 0;
}

/*
 * Checks a type after the types that it contains. Each type is checked once. JSON_DEPTH_MAX limits how deeply
 * types can be nested.
 */
static int check_table_type(struct type_check *check, const struct table_type *type)
{
	unsigned *height = &check->height[type - check->table->types];
	unsigned inner_height = 0;
	int rc = 0;

	if (*height)
		return 0;
	*height = ON_THE_WAY;
	if (check->depth++ < JSON_DEPTH_MAX)
		rc = check_members(&inner_height, check, type);
	if (!rc && (check->depth > JSON_DEPTH_MAX || inner_height >= JSON_DEPTH_MAX))
		rc = json_fail(JSON_MEMBER(check->types, type->name), ERR_LIMIT, check->err,
			       "types are nested more than %d levels deep", JSON_DEPTH_MAX);
	check->depth--;
	*height = inner_height + 1;
	return rc;
}

int table_check_types(const struct table *table, const struct json_value *at, struct arena *arena,
		      struct err *err)
{
	struct type_check check = { .table = table, .types = at, .arena = arena, .err = err };
	size_t i;
	int rc = 0;

	check.height = arena_array(arena, table->type_count + 1, sizeof(*check.height));
	for (i = 0; i < table->type_count && !rc; i++)
		rc = check_table_type(&check, &table->types[i]);
	return rc;
}
