/*
 * abi/read_table.c - a proxy's table from JSON, "drvabi-proxy/1", and a patch to one
 *
 * Types are read and sorted first, because the entries of the versions name them. With a base, which is a
 * table that was read before, the text is a patch: the result is the base with the patch, and whatever the
 * patch would change of the base is an error with its path in the patch.
 */
#include "abi/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* One version of a patch that the base has as well. */
struct table_addition {
	const struct table_node *base, *patch;
	const char *parent;           /* the patch's; NULL: it calls the version a root */
	const struct json_value *at;  /* "versions" of the patch */
	size_t index;                 /* in it */
	bool is_moved;                /* @parent is no version of the base */
};

/*
 * What a patch adds to a version that the base has: entries and checksums.
 *
 *   1. The parent must be the base's, or a version of the patch that descends from it and changes nothing that
 *      the version inherits (check_moved()). A version that the base does not support may become supported, and not
 *      the reverse.
 *   2. An entry that the base has at this version, of its own or from a
 *      parent, must be the same in the patch, and nothing is added.
 *   3. Any other entry is added to the base's node.
 *
 * So at each version of the base, all that it had is as it was. What descends
 * from the version inherits only names that the base had not, and where a
 * descendant defines such a name itself, its own entry counts.
 */

/* The path of an entry in the patch: @path[3], with the others above it. */
static void find_entry(struct json_value path[4], const struct table_addition *from,
		       const struct table_entry *entry)
{
	path[0] = (struct json_value){ .parent = from->at, .index = from->index };
	path[1] = (struct json_value){ .parent = &path[0], .key = "ioctls" };
	path[2] = (struct json_value){ .parent = &path[1], .key = entry->family };
	path[3] = (struct json_value){ .parent = &path[2], .key = entry->name };
}

static int check_head(const struct table_addition *from, struct err *err)
{
	struct json_value at = { .parent = from->at, .index = from->index };
	const char *parent = from->base->parent ? from->base->parent->version : NULL;

	if (!parent != !from->parent || (parent && strcmp(parent, from->parent) && !from->is_moved))
		return json_fail(&at, ERR_FORMAT, err,
				 "the table has %s with the parent %s, and the patch with %s",
				 from->base->version, parent ? parent : "null",
				 from->parent ? from->parent : "null");
	if (from->base->supported && !from->patch->supported)
		return json_fail(&at, ERR_FORMAT, err, "the table has %s as supported", from->base->version);
	return 0;
}

/* Is @entry new to the base? @is_new is set then. Return: 0; ERR_FORMAT if the base has it in other words. */
static int check_entry(bool *is_new, const struct table_addition *from, const struct table_entry *entry,
		       struct err *err)
{
	const struct table_entry *there = table_entry_at(from->base, entry);
	struct json_value path[4];

	find_entry(path, from, entry);
	if (!there)
		there = table_own_entry(from->base, entry);
	*is_new = !there;
	if (there && !table_entry_same(there, entry))
		return json_fail(&path[3], ERR_FORMAT, err, "at %s the table has another %s",
				 from->base->version,
				 there->removed ? "word: it removes the entry" : "entry of this name");
	return 0;
}

static int compare_table_entries(const void *a, const void *b)
{
	return table_entry_order(a, b);
}

static int add_entries(struct table_node *out, const struct table_addition *from, struct arena *arena,
		       struct err *err)
{
	const struct table_node *base = from->base, *patch = from->patch;
	struct table_entry *entries =
		arena_array(arena, base->entry_count + patch->entry_count + 1, sizeof(*entries));
	size_t count = base->entry_count, i;
	bool is_new;
	int rc;

	if (count)
		memcpy(entries, base->entries, count * sizeof(*entries));
	for (i = 0; i < patch->entry_count; i++) {
		if ((rc = check_entry(&is_new, from, &patch->entries[i], err)))
			return rc;
		if (is_new)
			entries[count++] = patch->entries[i];
	}
	qsort(entries, count, sizeof(*entries), compare_table_entries);
	out->entries = entries;
	out->entry_count = count;
	return 0;
}

static const struct table_sha256 *find_sha256(const struct table_node *node, const char *machine)
{
	for (size_t i = 0; i < node->sha256_count; i++)
		if (!strcmp(node->sha256[i].machine, machine))
			return &node->sha256[i];
	return NULL;
}

static int compare_sha256_machines(const void *a, const void *b)
{
	return strcmp(((const struct table_sha256 *)a)->machine, ((const struct table_sha256 *)b)->machine);
}

static int add_sha256(struct table_node *out, const struct table_addition *from, struct arena *arena,
		      struct err *err)
{
	const struct table_node *base = from->base, *patch = from->patch;
	struct table_sha256 *sums =
		arena_array(arena, base->sha256_count + patch->sha256_count + 1, sizeof(*sums));
	struct json_value at = { .parent = from->at, .index = from->index };
	struct json_value at_sums = { .parent = &at, .key = "sha256" };
	size_t count = base->sha256_count, i;

	if (count)
		memcpy(sums, base->sha256, count * sizeof(*sums));
	for (i = 0; i < patch->sha256_count; i++) {
		const struct table_sha256 *there = find_sha256(base, patch->sha256[i].machine);

		if (there && strcmp(there->hex, patch->sha256[i].hex))
			return json_fail(&at_sums, ERR_FORMAT, err,
					 "at %s the table has another checksum for %s", base->version,
					 there->machine);
		if (!there)
			sums[count++] = patch->sha256[i];
	}
	qsort(sums, count, sizeof(*sums), compare_sha256_machines);
	out->sha256 = sums;
	out->sha256_count = count;
	return 0;
}

/*
 * table_reader_add - @out: @from->base with what @from->patch adds to it. ERR_FORMAT if that changes what the
 * base says.
 */
static int table_reader_add(struct table_node *out, const struct table_addition *from, struct arena *arena,
			    struct err *err)
{
	int rc;

	if ((rc = check_head(from, err)) ||
	    (rc = add_entries(out, from, arena, err)) ||
	    (rc = add_sha256(out, from, arena, err)))
		return rc;
	out->supported = from->patch->supported; /* check_head() lets it only come */
	return 0;
}

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

static int read_caps(struct table_entry *out, const struct json_value *at, struct arena *arena,
		     struct err *err)
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
			return json_fail(at, ERR_FORMAT, err, "the capability \"%.60s\" appears twice",
					 sorted[i]);
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
		return json_fail(&found[PROXY], ERR_FORMAT, reader->err,
				 "the type \"%.100s\" is not among \"types\"", out->proxy);
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

static int read_handler(struct table_handler *out, const struct json_value *at,
			const struct node_reader *reader)
{
	enum { KIND, TYPE, FIELDS, FAULTS, COUNT };
	static const struct json_member members[] = {
		[KIND] = { "kind", JSON_WANT_STRING },
		[TYPE] = { "type", JSON_WANT_STRING | JSON_WANT_NULL | JSON_WANT_OPTIONAL },
		[FIELDS] = { "fields", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[FAULTS] = { "faults", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
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
	out->fields_known = found[FIELDS].item;
	if (out->fields_known && !out->type)
		return json_fail(&found[FIELDS], ERR_FORMAT, reader->err, "without a type there are no fields");
	rc = json_get_strings(&out->fields, &found[FIELDS], reader->arena, reader->err);
	return rc ? rc : json_get_strings(&out->faults, &found[FAULTS], reader->arena, reader->err);
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

static int read_family(struct table_entry *entries, size_t *count, const struct json_value *at,
		       const struct node_reader *reader)
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
	qsort(entries, out->entry_count, sizeof(*entries), compare_table_entries);
	return 0;
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
			return json_fail(&child, ERR_FORMAT, reader->err,
					 "expected 64 hexadecimal digits in lower case");
		sums[out->sha256_count++] = (struct table_sha256){ arena_strdup(reader->arena, child.key),
								   arena_strdup(reader->arena, hex) };
	}
	qsort(sums, out->sha256_count, sizeof(*sums), compare_sha256_machines);
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

	if ((rc = json_members(found, at, members, COUNT, reader->err)) ||
	    (rc = read_sha256(&out->node, &found[SHA256], reader)))
		return rc;
	out->node.version = json_get_string(&found[VERSION], reader->arena);
	out->parent = json_get_string(&found[PARENT], reader->arena);
	out->node.supported = json_is_true(&found[SUPPORTED]);
	out->node.line = json_line(at);
	out->index = at->index;
	if (!*out->node.version)
		return json_fail(&found[VERSION], ERR_FORMAT, reader->err,
				 "expected a version, found an empty string");
	return read_entries(&out->node, &found[IOCTLS], reader);
}

/* The path of @member of a node: @path[1], whose parent is @path[0]. */
static void node_member(struct json_value path[2], const struct node_reader *reader,
			const struct read_node *node, const char *member)
{
	path[0] = (struct json_value){ .parent = reader->versions, .index = node->index };
	path[1] = (struct json_value){ .parent = &path[0], .key = member };
}

static int compare_versions(const void *a, const void *b)
{
	return strcmp((*(struct read_node *const *)a)->node.version,
		      (*(struct read_node *const *)b)->node.version);
}

static struct read_node *find_node(const struct node_reader *reader, const char *version)
{
	struct read_node wanted = { .node.version = version };
	const struct read_node *key = &wanted;
	struct read_node **found =
		bsearch(&key, reader->by_version, reader->count, sizeof(key), compare_versions);

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
		return json_fail(&at[1], ERR_FORMAT, reader->err, "the version \"%.60s\" appears twice",
				 reader->by_version[i]->node.version);
	}
	return 0;
}

static int check_removals(const struct node_reader *reader, const struct read_node *from,
			  const struct table_node *node)
{
	struct json_value at_node = { .parent = reader->versions, .index = from->index };
	struct json_value at_ioctls = { .parent = &at_node, .key = "ioctls" };
	size_t i;

	for (i = 0; i < node->entry_count; i++) {
		const struct table_entry *entry = &node->entries[i];
		struct json_value at_family = { .parent = &at_ioctls, .key = entry->family };
		struct json_value at_entry = { .parent = &at_family, .key = entry->name };

		if (entry->removed && !table_entry_at(node->parent, entry))
			return json_fail(&at_entry, ERR_FORMAT, reader->err,
					 "null removes an entry, and no parent has it");
	}
	return 0;
}

/* A node of the base that follows another one now has all that the base has there. */
static int check_moved(const struct node_reader *reader, const struct read_node *from,
		       const struct table_node *node)
{
	const struct table_node *base =
		from->named && reader->base ? table_find_node(reader->base, node->version) : NULL;
	const struct table_node *up = node->parent;
	struct json_value at[2];

	if (!base || !base->parent || !strcmp(base->parent->version, node->parent->version))
		return 0;
	node_member(at, reader, from, "parent");
	for (; up && strcmp(up->version, base->parent->version); up = up->parent)
		for (size_t i = 0; i < up->entry_count; i++) {
			const struct table_entry *key = &up->entries[i];
			const struct table_entry *was = table_entry_at(base, key);
			const struct table_entry *is = table_entry_at(node, key);

			if (was && (!is || !table_entry_same(was, is)))
				return json_fail(&at[1], ERR_FORMAT, reader->err,
						 "with the parent %s, %s would have another %s than the table has there",
						 node->parent->version, node->version, key->name);
		}
	if (!up)
		return json_fail(&at[1], ERR_FORMAT, reader->err,
				 "the table has %s with the parent %s, from which %s does not descend",
				 node->version, base->parent->version, node->parent->version);
	return 0;
}

/* Adds @node to the table, where its parent already is. */
static int add_node(struct table_node *nodes, size_t *count, struct read_node *node,
		    const struct node_reader *reader)
{
	struct read_node *parent = node->parent ? find_node(reader, node->parent) : NULL;
	int rc;

	nodes[*count] = node->node;
	nodes[*count].parent = parent ? &nodes[parent->table_index] : NULL;
	node->table_index = (*count)++;
	node->state = ADDED;
	rc = check_moved(reader, node, &nodes[node->table_index]);
	return rc ? rc : check_removals(reader, node, &nodes[node->table_index]);
}

/* The parent of a node that is not the root. */
static int parent_of(struct read_node **out, const struct node_reader *reader, const struct read_node *node)
{
	struct read_node *parent = find_node(reader, node->parent);
	struct json_value at[2];

	node_member(at, reader, node, "parent");
	if (!parent)
		return json_fail(&at[1], ERR_FORMAT, reader->err, "there is no version \"%.60s\"",
				 node->parent);
	if (parent->state == VISITING)
		return json_fail(&at[1], ERR_FORMAT, reader->err, "the parents of \"%.60s\" lead back to it",
				 node->node.version);
	*out = parent;
	return 0;
}

/*
 * Adds @node after its parents: up to the first that the table has, then down again. @way has room for all
 * nodes.
 */
static int add_with_parents(struct table_node *nodes, size_t *count, struct read_node *node,
			    struct read_node **way, const struct node_reader *reader)
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

		reader->nodes[reader->count++] =
			(struct read_node){ .node = *node,
					    .parent = node->parent ? node->parent->version : NULL };
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
	addition.is_moved = node->parent && !find_in_base(reader, node->parent);
	if (known->named)
		return json_fail(at, ERR_FORMAT, reader->err, "the version \"%.60s\" appears twice",
				 node->node.version);
	rc = table_reader_add(&known->node, &addition, reader->arena, reader->err);
	known->named = true;
	known->index = at->index;
	known->parent = addition.parent;
	*node = (struct read_node){ 0 };
	return rc;
}

/**
 * table_reader_nodes - the version tree of the text, and that of @base
 * @base: NULL for a table
 * @at: the accepted array "versions"
 *
 * Checks that versions are unique, that parents exist and form no ring, and
 * that an entry which a node removes is there. Nodes come out in the order
 * of the text, but parents before their children.
 */
static int table_reader_nodes(struct table *out, const struct table *base, const struct json_value *at,
			      struct arena *arena, struct err *err)
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

/*
 * "drvabi-proxy-patch/1" from text: a table with what a patch adds to it. A
 * patch is read by the readers of a table, which here have a base. Its new
 * versions become nodes like any other; read_table_add.c adds to the others.
 */

/* A patch for another proxy or driver must not be merged by mistake. */
static int check_owner(const struct json_value *at, const char *owner, const struct table *base,
		       struct err *err)
{
	if (at->item && strcmp(at->item->valuestring, owner))
		return json_fail(at, ERR_FORMAT, err, "the patch is for %.100s, and %s is for %.100s",
				 at->item->valuestring, base->path, owner);
	return 0;
}

static int compare_types(const void *a, const void *b)
{
	return strcmp(((const struct table_type *)a)->name, ((const struct table_type *)b)->name);
}

enum { OPTIONAL_STRING = JSON_WANT_STRING | JSON_WANT_OPTIONAL };

/* A proxy's type is no larger than an ioctl could carry by any stretch. */
#define TYPE_BYTES_MAX (UINT64_C(1) << 32)

static int read_field(struct table_field *out, const struct json_value *at, struct arena *arena,
		      struct err *err)
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

static int read_fields(struct table_type *out, const struct json_value *at, struct arena *arena,
		       struct err *err)
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
			return json_fail(&child, ERR_FORMAT, err,
					 "fields are in the order of their offsets, and this one is not");
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
		return json_fail(&found[ROLE], ERR_FORMAT, err, "\"%.60s\" is no role",
				 found[ROLE].item->valuestring);
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

/*
 * Paths of a field or alias of a type, built from names: the checks come after reading, when the order is
 * another.
 */
struct member_path {
	struct json_value type;
	struct json_value list; /* "alias" or "fields" */
	struct json_value field;
	struct json_value field_type;
};

static void find_member(struct member_path *path, const struct type_check *check,
			const struct table_type *type, size_t field)
{
	path->type = (struct json_value){ .parent = check->types, .key = type->name };
	path->list = (struct json_value){ .parent = &path->type, .key = type->alias ? "alias" : "fields" };
	path->field = (struct json_value){ .parent = &path->list, .index = field };
	path->field_type = (struct json_value){ .parent = &path->field, .key = "type" };
}

/* The scalars that a proxy's types are made of, as Go spells them. */
static const struct {
	const char *name;
	uint64_t size_bytes;
} scalars[] = {
	{ "bool", 1 },  { "int16", 2 },  { "int32", 4 },  { "int64", 8 },  { "int8", 1 },
	{ "uint16", 2 }, { "uint32", 4 }, { "uint64", 8 }, { "uint8", 1 },
};

/* Bytes of one element of "T[4]" or "T"; @type is T if it is one of the table. */
static int element_size(uint64_t *size, const struct table_type **type, const struct table *table,
			const char *name)
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
static int spelled_size(uint64_t *size, const struct table_type **type, const struct table *table,
			const char *spelled, const struct json_value *at, struct arena *arena,
			struct err *err)
{
	struct abi_spelling spelling;
	const char *base;
	struct err why;
	size_t i;

	if (abi_spelling_parse(&spelling, spelled, &why))
		return json_fail(at, ERR_FORMAT, err, "%s", why.text);
	base = arena_strndup(arena, spelling.base, spelling.base_length);
	if (element_size(size, type, table, base))
		return json_fail(at, ERR_FORMAT, err,
				 "the type \"%.100s\" is neither a scalar nor among \"types\"", base);
	for (i = 0; i < spelling.dimension_count; i++)
		if (__builtin_mul_overflow(*size, spelling.dimension[i], size) || *size > TYPE_BYTES_MAX)
			return json_fail(at, ERR_FORMAT, err, "the array is too large");
	return 0;
}

static int check_type(struct type_check *check, const struct table_type *type);

/* One field or alias of a type: its size is known, and it does not lead back. Raises @below to its height. */
static int check_member(uint64_t *size, unsigned *below, struct type_check *check,
			const struct table_type *type, const char *spelled, size_t field)
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
		return json_fail(at, ERR_FORMAT, check->err, "the type \"%.100s\" contains itself",
				 inner->name);
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
			return json_fail(&path.field, ERR_FORMAT, check->err,
					 "the field overlaps the one before it");
		end = field->offset_bytes + size;
		if (end > type->size_bytes)
			return json_fail(&path.field, ERR_FORMAT, check->err,
					 "the field leaves its type, which has %llu bytes",
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
		return json_fail(&path.list, ERR_FORMAT, check->err,
				 "%s has %llu bytes, and \"size\" says %llu", type->alias,
				 (unsigned long long)size, (unsigned long long)type->size_bytes);
	return 0;
}

/*
 * Depth-first, each type once. Bounded: a chain of types is no longer than structs inside structs are deep.
 */
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
		rc = json_fail(&at, ERR_LIMIT, check->err, "more than %d types are nested",
			       JSON_DEPTH_MAX);
	check->depth--;
	*height = below + 1;
	return rc;
}

static int check_types(const struct table *table, const struct json_value *at, struct arena *arena,
		       struct err *err)
{
	struct type_check check = { .table = table, .types = at, .arena = arena, .err = err };
	size_t i;
	int rc = 0;

	check.height = arena_array(arena, table->type_count + 1, sizeof(*check.height));
	for (i = 0; i < table->type_count && !rc; i++)
		rc = check_type(&check, &table->types[i]);
	return rc;
}

/*
 * table_reader_types - the types of the text, and those of @base
 * @base: NULL for a table
 * @at: the accepted object "types"
 *
 * Checks that types exist and do not contain themselves, that fields neither
 * overlap nor leave their type, and that a type of @base is the same here.
 *
 * The types of a base go before those of the text; a type of both goes in once.
 */
static int table_reader_types(struct table *out, const struct table *base, const struct json_value *at,
			      struct arena *arena, struct err *err)
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
			return json_fail(&child, ERR_FORMAT, err,
					 "%s has a type of this name, and it is another one", base->path);
		count += !other;
	}
	qsort(types, count, sizeof(*types), compare_types);
	out->types = types;
	out->type_count = count;
	return check_types(out, at, arena, err);
}

static int read_patch_root(struct table *out, const struct table *base, const struct json_value *root,
			   struct arena *arena, struct err *err)
{
	enum { FORMAT, PROXY, REVISION, DRIVER, TYPES, VERSIONS, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[PROXY] = { "proxy", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[REVISION] = { "revision", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[DRIVER] = { "driver", JSON_WANT_STRING | JSON_WANT_OPTIONAL },
		[TYPES] = { "types", JSON_WANT_OBJECT },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], TABLE_PATCH_FORMAT, err)) ||
	    (rc = check_owner(&found[PROXY], base->proxy, base, err)) ||
	    (rc = check_owner(&found[DRIVER], base->driver, base, err)) ||
	    (rc = table_reader_types(out, base, &found[TYPES], arena, err)))
		return rc;
	return table_reader_nodes(out, base, &found[VERSIONS], arena, err);
}

int json_read_table_patch(struct table *out, const struct table *base, const char *text, size_t size,
			  const char *name, struct arena *arena, struct err *err)
{
	struct table table = {
		.path = base->path, .proxy = base->proxy, .revision = base->revision, .driver = base->driver,
		.passed = base->passed, .passed_count = base->passed_count
	};
	struct json_value root;
	int rc;

	if ((rc = json_parse_lines(&root, text, size, name, err)))
		return rc;
	rc = read_patch_root(&table, base, &root, arena, err);
	json_parse_free(&root);
	if (!rc)
		*out = table;
	return rc;
}

static int read_passed(struct table *out, const struct json_value *at, struct arena *arena, struct err *err)
{
	enum { FAMILY, MASK, VALUE, NAME, COUNT };
	static const struct json_member members[] = {
		[FAMILY] = { "family", JSON_WANT_STRING },
		[MASK] = { "mask", JSON_WANT_INTEGER },
		[VALUE] = { "value", JSON_WANT_INTEGER },
		[NAME] = { "name", JSON_WANT_STRING },
	};
	struct json_value found[COUNT], child;
	struct table_passed *passed;
	int rc;

	if (!at->item)
		return 0;
	out->passed = passed = arena_array(arena, json_count(at) + 1, sizeof(*passed));
	for (child = json_first(at); child.item; json_next(&child), passed++) {
		if ((rc = json_members(found, &child, members, COUNT, err)) ||
		    (rc = json_get_unsigned(&passed->mask, &found[MASK], UINT32_MAX, err)) ||
		    (rc = json_get_unsigned(&passed->value, &found[VALUE], UINT32_MAX, err)))
			return rc;
		if (!passed->mask || passed->value & ~passed->mask)
			return json_fail(&found[VALUE], ERR_FORMAT, err, "no number has this value under the mask, or every number has it");
		passed->family = json_get_string(&found[FAMILY], arena);
		passed->name = json_get_string(&found[NAME], arena);
	}
	out->passed_count = json_count(at);
	return 0;
}

static int read_table_root(struct table *out, const struct json_value *root, struct arena *arena,
			   struct err *err)
{
	enum { FORMAT, PROXY, REVISION, DRIVER, PASSED, TYPES, VERSIONS, COUNT };
	static const struct json_member members[] = {
		[FORMAT] = { "format", JSON_WANT_STRING },
		[PROXY] = { "proxy", JSON_WANT_STRING },
		[REVISION] = { "revision", OPTIONAL_STRING },
		[DRIVER] = { "driver", JSON_WANT_STRING },
		[PASSED] = { "passed", JSON_WANT_ARRAY | JSON_WANT_OPTIONAL },
		[TYPES] = { "types", JSON_WANT_OBJECT },
		[VERSIONS] = { "versions", JSON_WANT_ARRAY },
	};
	struct json_value found[COUNT];
	int rc;

	if ((rc = json_members(found, root, members, COUNT, err)) ||
	    (rc = json_expect_format(&found[FORMAT], TABLE_FORMAT, err)) ||
	    (rc = read_passed(out, &found[PASSED], arena, err)) ||
	    (rc = table_reader_types(out, NULL, &found[TYPES], arena, err)))
		return rc;
	out->path = arena_strdup(arena, root->name);
	out->proxy = json_get_string(&found[PROXY], arena);
	out->revision = found[REVISION].item ? json_get_string(&found[REVISION], arena) : "";
	out->driver = json_get_string(&found[DRIVER], arena);
	return table_reader_nodes(out, NULL, &found[VERSIONS], arena, err);
}

int json_read_table(struct table *out, const char *text, size_t size, const char *name, struct arena *arena,
		    struct err *err)
{
	struct table table = { 0 };
	struct json_value root;
	int rc;

	if ((rc = json_parse_lines(&root, text, size, name, err)))
		return rc;
	rc = read_table_root(&table, &root, arena, err);
	json_parse_free(&root);
	if (!rc)
		*out = table;
	return rc;
}
