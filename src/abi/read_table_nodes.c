#include "abi/read_table.h"

#include <stdlib.h>
#include <string.h>

/* A node that is not in the table yet. */
struct read_node {
	struct table_node node;
	const char *parent; /* its version; NULL for the root */
	size_t index;       /* in the text; of no use for a node of the base that the text does not name */
	size_t table_index; /* in the table, if state is ADDED */
	bool named;         /* of a node of the base: the text names it, too */
	enum { WAITING, VISITING, ADDED } state;
};

struct node_reader {
	const struct table *table;
	const struct table *base;        /* NULL: the text is a table; else it is a patch to this one */
	const char *file;                /* of the patch; NULL: the table's own */
	struct read_node *nodes;         /* in the order of the text */
	struct read_node **by_version;   /* sorted */
	size_t count;
	const struct json_value *versions;
	struct arena *arena;
	struct err *err;
};

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int read_caps(struct table_entry *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct profile_strings caps;
	const char **sorted;
	size_t i;
	int rc;

	if ((rc = json_get_strings(&caps, at, arena, err)))
		return rc;
	sorted = arena_array(arena, caps.count + 1, sizeof(*sorted));
	for (i = 0; i < caps.count; i++)
		sorted[i] = caps.item[i];
	qsort(sorted, caps.count, sizeof(*sorted), compare_strings);
	for (i = 1; i < caps.count; i++)
		if (!strcmp(sorted[i - 1], sorted[i]))
			return json_fail(at, ERR_FORMAT, err, "the capability \"%.60s\" stands twice", sorted[i]);
	out->caps = sorted;
	out->cap_count = caps.count;
	return 0;
}

static int read_struct(struct table_struct *out, const struct json_value *at, const struct node_reader *reader)
{
	enum { DRIVER, PROXY, COUNT };
	static const struct json_member members[] = {
		[DRIVER] = { "driver", JSON_WANT_STRING },
		[PROXY] = { "proxy", JSON_WANT_STRING | JSON_WANT_NULL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)))
		return rc;
	out->driver = json_get_string(&found[DRIVER], reader->arena);
	out->proxy = json_get_string(&found[PROXY], reader->arena);
	if (out->proxy && !table_find_type(reader->table, out->proxy))
		return json_fail(&found[PROXY], ERR_FORMAT, reader->err, "the type \"%.100s\" is not among \"types\"", out->proxy);
	return 0;
}

static int read_structs(struct table_entry *out, const struct json_value *at, const struct node_reader *reader)
{
	struct table_struct *structs;
	struct json_value child;
	int rc;

	out->struct_count = json_count(at);
	out->structs = structs = arena_array(reader->arena, out->struct_count + 1, sizeof(*structs));
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_struct(&structs[child.index], &child, reader)))
			return rc;
	return 0;
}

static int read_handler(struct table_handler *out, const struct json_value *at, const struct node_reader *reader)
{
	enum { KIND, TYPE, COUNT };
	static const struct json_member members[] = {
		[KIND] = { "kind", JSON_WANT_STRING },
		[TYPE] = { "type", JSON_WANT_STRING | JSON_WANT_NULL | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if (!at->item)
		return 0;
	if ((rc = json_members(found, at, members, COUNT, reader->err)))
		return rc;
	out->kind = json_get_string(&found[KIND], reader->arena);
	out->type = json_get_string(&found[TYPE], reader->arena);
	out->type_known = found[TYPE].item;
	return 0;
}

static int read_entry(struct table_entry *out, const struct json_value *at, const struct node_reader *reader)
{
	enum { NUMBER, CONSTANT, CAPS, STRUCTS, HANDLER, COUNT };
	static const struct json_member members[] = {
		[NUMBER] = { "number", JSON_WANT_INTEGER },
		[CONSTANT] = { "constant", JSON_WANT_STRING | JSON_WANT_NULL },
		[CAPS] = { "caps", JSON_WANT_ARRAY },
		[STRUCTS] = { "structs", JSON_WANT_ARRAY },
		[HANDLER] = { "handler", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_expect(at, JSON_WANT_OBJECT | JSON_WANT_NULL, reader->err)))
		return rc;
	out->family = ""; /* set by read_family() */
	out->name = arena_strdup(reader->arena, at->key);
	out->removed = json_is_null(at);
	if (out->removed)
		return 0;
	out->file = reader->file;
	out->line = json_line(at);
	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = json_get_unsigned(&out->number, &found[NUMBER], UINT32_MAX, reader->err)) ||
	    (rc = read_caps(out, &found[CAPS], reader->arena, reader->err)) ||
	    (rc = read_handler(&out->handler, &found[HANDLER], reader)))
		return rc;
	out->constant = json_get_string(&found[CONSTANT], reader->arena);
	return read_structs(out, &found[STRUCTS], reader);
}

static int compare_entries(const void *a, const void *b)
{
	return table_entry_order(a, b);
}

static int read_family(struct table_entry *entries, size_t *count, const struct json_value *at, const struct node_reader *reader)
{
	const char *family = arena_strdup(reader->arena, at->key);
	struct json_value child;
	int rc;

	if ((rc = json_expect(at, JSON_WANT_OBJECT, reader->err)))
		return rc;
	for (child = json_first(at); child.item; json_next(&child)) {
		if ((rc = read_entry(&entries[*count], &child, reader)))
			return rc;
		entries[(*count)++].family = family;
	}
	return 0;
}

static int read_entries(struct table_node *out, const struct json_value *at, const struct node_reader *reader)
{
	struct table_entry *entries;
	struct json_value child;
	size_t count = 0;
	int rc;

	for (child = json_first(at); child.item; json_next(&child))
		count += json_count(&child);
	out->entries = entries = arena_array(reader->arena, count + 1, sizeof(*entries));
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_family(entries, &out->entry_count, &child, reader)))
			return rc;
	qsort(entries, out->entry_count, sizeof(*entries), compare_entries);
	return 0;
}

static int compare_machines(const void *a, const void *b)
{
	return strcmp(((const struct table_sha256 *)a)->machine, ((const struct table_sha256 *)b)->machine);
}

/* Checksums of the driver's packages, by machine. */
static int read_sha256(struct table_node *out, const struct json_value *at, const struct node_reader *reader)
{
	struct table_sha256 *sums = arena_array(reader->arena, json_count(at) + 1, sizeof(*sums));
	struct json_value child;
	const char *hex;
	int rc;

	for (child = json_first(at); child.item; json_next(&child)) {
		if ((rc = json_expect(&child, JSON_WANT_STRING, reader->err)))
			return rc;
		hex = child.item->valuestring;
		if (strlen(hex) != 64 || strspn(hex, "0123456789abcdef") != 64)
			return json_fail(&child, ERR_FORMAT, reader->err, "expected 64 hexadecimal digits in lower case");
		sums[out->sha256_count++] = (struct table_sha256){ arena_strdup(reader->arena, child.key), arena_strdup(reader->arena, hex) };
	}
	qsort(sums, out->sha256_count, sizeof(*sums), compare_machines);
	out->sha256 = sums;
	return 0;
}

static int read_node(struct read_node *out, const struct json_value *at, const struct node_reader *reader)
{
	enum { VERSION, PARENT, SUPPORTED, IOCTLS, SHA256, COUNT };
	static const struct json_member members[] = {
		[VERSION] = { "version", JSON_WANT_STRING },
		[PARENT] = { "parent", JSON_WANT_STRING | JSON_WANT_NULL },
		[SUPPORTED] = { "supported", JSON_WANT_BOOL },
		[IOCTLS] = { "ioctls", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
		[SHA256] = { "sha256", JSON_WANT_OBJECT | JSON_WANT_OPTIONAL },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, at, members, COUNT, reader->err)) || (rc = read_sha256(&out->node, &found[SHA256], reader)))
		return rc;
	out->node.version = json_get_string(&found[VERSION], reader->arena);
	out->parent = json_get_string(&found[PARENT], reader->arena);
	out->node.supported = json_is_true(&found[SUPPORTED]);
	out->node.line = json_line(at);
	out->index = at->index;
	if (!*out->node.version)
		return json_fail(&found[VERSION], ERR_FORMAT, reader->err, "expected a version, found an empty string");
	return read_entries(&out->node, &found[IOCTLS], reader);
}

/* The path of @member of a node: @path[1], whose parent is @path[0]. */
static void node_member(struct json_value path[2], const struct node_reader *reader, const struct read_node *node,
			const char *member)
{
	path[0] = (struct json_value){ .parent = reader->versions, .index = node->index };
	path[1] = (struct json_value){ .parent = &path[0], .key = member };
}

static int compare_versions(const void *a, const void *b)
{
	return strcmp((*(struct read_node *const *)a)->node.version, (*(struct read_node *const *)b)->node.version);
}

static struct read_node *find_node(const struct node_reader *reader, const char *version)
{
	struct read_node wanted = { .node.version = version };
	const struct read_node *key = &wanted;
	struct read_node **found = bsearch(&key, reader->by_version, reader->count, sizeof(key), compare_versions);

	return found ? *found : NULL;
}

/* All nodes read: index them by version. */
static int index_nodes(struct node_reader *reader)
{
	struct json_value at[2];
	size_t i;

	for (i = 0; i < reader->count; i++)
		reader->by_version[i] = &reader->nodes[i];
	qsort(reader->by_version, reader->count, sizeof(*reader->by_version), compare_versions);
	for (i = 1; i < reader->count; i++) {
		if (compare_versions(&reader->by_version[i - 1], &reader->by_version[i]))
			continue;
		node_member(at, reader, reader->by_version[i], "version");
		return json_fail(&at[1], ERR_FORMAT, reader->err, "the version \"%.60s\" stands twice",
				 reader->by_version[i]->node.version);
	}
	return 0;
}

static int check_removals(const struct node_reader *reader, const struct read_node *from, const struct table_node *node)
{
	struct json_value at_node = { .parent = reader->versions, .index = from->index };
	struct json_value at_ioctls = { .parent = &at_node, .key = "ioctls" };
	size_t i;

	for (i = 0; i < node->entry_count; i++) {
		const struct table_entry *entry = &node->entries[i];
		struct json_value at_family = { .parent = &at_ioctls, .key = entry->family };
		struct json_value at_entry = { .parent = &at_family, .key = entry->name };

		if (entry->removed && !table_entry_at(node->parent, entry))
			return json_fail(&at_entry, ERR_FORMAT, reader->err, "null removes an entry, and no parent has it");
	}
	return 0;
}

/* Adds @node to the table, where its parent already is. */
static int add_node(struct table_node *nodes, size_t *count, struct read_node *node, const struct node_reader *reader)
{
	struct read_node *parent = node->parent ? find_node(reader, node->parent) : NULL;

	nodes[*count] = node->node;
	nodes[*count].parent = parent ? &nodes[parent->table_index] : NULL;
	node->table_index = (*count)++;
	node->state = ADDED;
	return check_removals(reader, node, &nodes[node->table_index]);
}

/* The parent of a node that is not the root. */
static int parent_of(struct read_node **out, const struct node_reader *reader, const struct read_node *node)
{
	struct read_node *parent = find_node(reader, node->parent);
	struct json_value at[2];

	node_member(at, reader, node, "parent");
	if (!parent)
		return json_fail(&at[1], ERR_FORMAT, reader->err, "there is no version \"%.60s\"", node->parent);
	if (parent->state == VISITING)
		return json_fail(&at[1], ERR_FORMAT, reader->err, "the parents of \"%.60s\" lead back to it", node->node.version);
	*out = parent;
	return 0;
}

/* Adds @node after its parents: up to the first that the table has, then down again. @way has room for all nodes. */
static int add_with_parents(struct table_node *nodes, size_t *count, struct read_node *node, struct read_node **way,
			    const struct node_reader *reader)
{
	size_t length = 0;
	int rc = 0;

	while (node->state != ADDED) {
		node->state = VISITING;
		way[length++] = node;
		if (!node->parent)
			break;
		if ((rc = parent_of(&node, reader, node)))
			return rc;
	}
	while (length && !rc)
		rc = add_node(nodes, count, way[--length], reader);
	return rc;
}

static int add_nodes(struct table *out, struct node_reader *reader)
{
	struct table_node *nodes = arena_array(reader->arena, reader->count + 1, sizeof(*nodes));
	struct read_node **way = arena_array(reader->arena, reader->count + 1, sizeof(struct read_node *));
	size_t i;
	int rc = 0;

	out->nodes = nodes;
	for (i = 0; i < reader->count && !rc; i++)
		rc = add_with_parents(nodes, &out->node_count, &reader->nodes[i], way, reader);
	return rc;
}

/* The nodes of the base, as if they were in the text; its parents' versions are enough to link them again. */
static void copy_base(struct node_reader *reader)
{
	for (size_t i = 0; reader->base && i < reader->base->node_count; i++) {
		const struct table_node *node = &reader->base->nodes[i];

		reader->nodes[reader->count++] = (struct read_node){ .node = *node, .parent = node->parent ? node->parent->version : NULL };
	}
}

/* The node of the base of @version, as copy_base() put it; NULL if there is none. */
static struct read_node *find_in_base(const struct node_reader *reader, const char *version)
{
	const struct table_node *node = reader->base ? table_find_node(reader->base, version) : NULL;

	return node ? &reader->nodes[node - reader->base->nodes] : NULL;
}

/* One version of the text: a node of its own, or more for one of the base. */
static int read_version(struct node_reader *reader, const struct json_value *at)
{
	struct read_node *node = &reader->nodes[reader->count], *known;
	struct table_addition addition = { .at = reader->versions, .index = at->index };
	int rc;

	if ((rc = read_node(node, at, reader)))
		return rc;
	known = find_in_base(reader, node->node.version);
	if (!known) {
		reader->count++;
		return 0;
	}
	addition.base = table_find_node(reader->base, node->node.version);
	addition.patch = &node->node;
	addition.parent = node->parent;
	if (known->named)
		return json_fail(at, ERR_FORMAT, reader->err, "the version \"%.60s\" stands twice", node->node.version);
	rc = table_reader_add(&known->node, &addition, reader->arena, reader->err);
	known->named = true;
	known->index = at->index;
	*node = (struct read_node){ 0 };
	return rc;
}

int table_reader_nodes(struct table *out, const struct table *base, const struct json_value *at, struct arena *arena, struct err *err)
{
	struct node_reader reader = { .table = out, .base = base, .versions = at, .arena = arena, .err = err };
	size_t most = json_count(at) + (base ? base->node_count : 0);
	struct json_value child;
	int rc;

	if (!most)
		return json_fail(at, ERR_FORMAT, err, "a table without versions says nothing");
	reader.nodes = arena_array(arena, most + 1, sizeof(*reader.nodes));
	reader.by_version = arena_array(arena, most, sizeof(struct read_node *));
	if (base)
		reader.file = arena_strdup(arena, at->parent->name);
	copy_base(&reader);
	for (child = json_first(at); child.item; json_next(&child))
		if ((rc = read_version(&reader, &child)))
			return rc;
	if ((rc = index_nodes(&reader)))
		return rc;
	return add_nodes(out, &reader);
}
