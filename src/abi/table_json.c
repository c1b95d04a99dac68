/*
 * abi/table_json.c - reads and writes a proxy's table ("drvabi-proxy/1") and patches to tables
 *
 * The output has a fixed order: types by name, versions from old to new, entries by family and name. Each
 * field and each entry is on its own line, so that a change of a table can be reviewed line by line.
 *
 * Types are read and sorted first, because the entries of the versions name them. A patch is read with a
 * base, the table to which it applies. The result is the base with the additions of the patch. A patch that
 * would change anything in the base is an error. The message has the path in the patch.
 */
#include "abi/internal.h"

/* The maximum size of a proxy's type. All parameters of ioctls are smaller. */
#define TYPE_BYTES_MAX (UINT64_C(1) << 32)

/* A node that was read from the text, and need not be in the table yet. */
struct read_node {
	struct table_node node;
	const char *parent; /* version of the parent; NULL for the root */
	size_t index;       /* index in the text; unset for a node that only the base has */
	size_t table_index; /* index in the table; valid if state is ADDED */
	bool named;         /* the node is in the base and in the text */
	enum { WAITING, VISITING, ADDED } state;
};

/* The contents of a text. */
struct table_text {
	const char *format;
	struct table table;
	const struct read_node *nodes;
	size_t node_count;
};

/* The context of the hooks. */
struct table_reader {
	const struct table *table;
	const struct table *base; /* the table to which the text is a patch; NULL if the text is a table */
	const char *file;         /* the file name of the patch; NULL if the text is a table */
	/* While the versions are linked: */
	const struct json_value *versions;
	struct read_node *nodes;       /* nodes of the base, then new nodes in the order of the text */
	struct read_node **by_version; /* the same nodes, sorted by version */
	size_t count;
	struct arena *arena;
	struct err *err;
};

/* The places of a node and of an entry in the text. */
#define NODE_AT(reader, node) JSON_ITEM((reader)->versions, (node)->index)
#define ENTRY_AT(reader, node, entry) \
	JSON_MEMBER(JSON_MEMBER(JSON_MEMBER(NODE_AT(reader, node), "ioctls"), (entry)->family), (entry)->name)

/* Sorts the capabilities of an entry, and checks that none appears twice. */
static int sort_caps(void *object, const struct json_field *field, const struct json_value *at,
		     struct json_reader *reader)
{
	struct table_entry *entry = object;
	const char **caps = (const char **)entry->caps; /* the reader allocated them, so they are writable */

	(void)field;
	sort_items(caps, entry->cap_count, sizeof(*caps), order_named);
	for (size_t i = 1; i < entry->cap_count; i++)
		if (!strcmp(caps[i - 1], caps[i]))
			return json_fail(at, ERR_FORMAT, reader->err,
					 "the capability \"%.60s\" appears twice", caps[i]);
	return 0;
}

static int check_entry_struct(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct table_reader *with = reader->context;
	const struct table_struct *one = object;

	return !one->proxy || table_find_type(with->table, one->proxy)
		       ? 0
		       : json_fail(json_member(found, "proxy"), ERR_FORMAT, reader->err,
				   "the type \"%.100s\" is not among \"types\"", one->proxy);
}

static const struct json_struct struct_fields = { sizeof(struct table_struct), check_entry_struct, .field = {
	JSON_FIELD("driver", JSON_TEXT, table_struct, driver),
	JSON_FIELD("proxy", JSON_TEXT | JSON_OR_NULL, table_struct, proxy),
} };

/*
 * Stores which of "type" and "fields" are present: a type that is null differs from a type that is not known.
 * "fields" without a type are an error.
 */
static int finish_handler(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct table_handler *handler = object;

	handler->type_known = json_member(found, "type")->item;
	handler->fields_known = json_member(found, "fields")->item;
	return !handler->fields_known || handler->type
		       ? 0
		       : json_fail(json_member(found, "fields"), ERR_FORMAT, reader->err,
				   "\"fields\" needs a \"type\" that is not null");
}

JSON_IS(is_type_unknown, table_handler, !it->type_known)
JSON_IS(are_fields_unknown, table_handler, !it->fields_known)

static const struct json_struct handler_fields = { sizeof(struct table_handler), finish_handler, .field = {
	JSON_FIELD("kind", JSON_TEXT, table_handler, kind),
	JSON_FIELD("type", JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, table_handler, type,
		   .is_left_out = is_type_unknown),
	JSON_STRINGS("fields", JSON_OPTIONAL, table_handler, fields, .is_left_out = are_fields_unknown),
	JSON_STRINGS("faults", JSON_SPARSE, table_handler, faults),
} };

JSON_IS(is_handler_unknown, table_entry, !it->handler.kind)

static const struct json_struct entry_fields = { sizeof(struct table_entry), NULL, .field = {
	JSON_FIELD("number", JSON_U64, table_entry, number, .max = UINT32_MAX),
	JSON_FIELD("constant", JSON_TEXT | JSON_OR_NULL, table_entry, constant),
	JSON_ARRAY("caps", JSON_TEXTS, table_entry, caps, cap_count, NULL, .read = sort_caps),
	JSON_ARRAY("structs", JSON_LIST, table_entry, structs, struct_count, &struct_fields),
	JSON_FIELD("handler", JSON_OBJECT | JSON_OPTIONAL, table_entry, handler, .of = &handler_fields,
		   .is_left_out = is_handler_unknown),
}, .is_inline = true };

bool table_entry_same(const struct table_entry *a, const struct table_entry *b)
{
	return !table_entry_order(a, b) && a->removed == b->removed &&
	       (a->removed || json_same_struct(a, b, &entry_fields));
}

/* Reads the entries of a version, {FAMILY: {NAME: ENTRY}}, and sorts them. null removes a parent's entry. */
static int read_entries(void *object, const struct json_field *field, const struct json_value *at,
			struct json_reader *reader)
{
	struct table_node *node = &((struct read_node *)object)->node;
	const struct table_reader *with = reader->context;
	struct json_value family, child;
	struct table_entry *entries;
	size_t count = 0;
	int rc;

	(void)field;
	for (family = json_first(at); family.item; json_next(&family))
		count += json_count(&family);
	node->entries = entries = arena_array(reader->arena, count + 1, sizeof(*entries));
	for (family = json_first(at); family.item; json_next(&family)) {
		const char *name = arena_strdup(reader->arena, family.key);

		if ((rc = json_expect(&family, JSON_WANT_OBJECT, reader->err)))
			return rc;
		for (child = json_first(&family); child.item; json_next(&child)) {
			struct table_entry *entry = &entries[node->entry_count++];

			if ((rc = json_expect(&child, JSON_WANT_OBJECT | JSON_WANT_NULL, reader->err)))
				return rc;
			entry->family = name;
			entry->name = arena_strdup(reader->arena, child.key);
			entry->removed = json_is_null(&child);
			if (entry->removed)
				continue;
			entry->file = with->file;
			entry->line = json_line(&child);
			if ((rc = json_read_struct(entry, &entry_fields, &child, reader)))
				return rc;
		}
	}
	sort_items(entries, node->entry_count, sizeof(*entries), table_entry_order);
	return 0;
}

/* Writes the entries of a node by family. An entry that removes the parent's entry is null. */
static void write_entries(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct table_node *node = &((const struct read_node *)object)->node;
	const char *family = NULL;

	if (!node->entry_count)
		return;
	json_key_open(writer, field->key, json_open_object);
	for (size_t i = 0; i < node->entry_count; i++) {
		const struct table_entry *entry = &node->entries[i];

		if (!family || strcmp(family, entry->family)) {
			if (family)
				json_close_object(writer);
			json_key_open(writer, entry->family, json_open_object);
			family = entry->family;
		}
		json_key(writer, entry->name);
		if (entry->removed)
			json_null(writer);
		else
			json_write_struct(writer, entry, &entry_fields);
	}
	if (family)
		json_close_object(writer);
	json_close_object(writer);
}

static int check_hex(const struct json_value *at, struct err *err)
{
	const char *hex = at->item->valuestring;

	return strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64
		       ? 0
		       : json_fail(at, ERR_FORMAT, err, "expected 64 hexadecimal digits in lower case");
}

static const struct json_struct sha256_value = { sizeof(struct table_sha256), NULL, .field = {
	JSON_FIELD("", JSON_TEXT, table_sha256, hex, .check = check_hex),
} };

static int check_version(const struct json_value *at, struct err *err)
{
	return *at->item->valuestring
		       ? 0
		       : json_fail(at, ERR_FORMAT, err, "expected a version, found an empty string");
}

/* Stores the line of a version and its index in the text, for messages, and sorts its checksums. */
static int finish_node(void *object, const struct json_value *found, struct json_reader *reader)
{
	struct read_node *node = object;

	(void)reader;
	node->node.line = json_line(found->parent);
	node->index = found->parent->index;
	sort_items((struct table_sha256 *)node->node.sha256, node->node.sha256_count,
		   sizeof(*node->node.sha256), order_named);
	return 0;
}

static const struct json_struct node_fields = { sizeof(struct read_node), finish_node, .field = {
	JSON_FIELD("version", JSON_TEXT, read_node, node.version, .check = check_version),
	JSON_FIELD("parent", JSON_TEXT | JSON_OR_NULL, read_node, parent),
	JSON_FIELD("supported", JSON_BOOL, read_node, node.supported),
	JSON_ARRAY("sha256", JSON_MAP | JSON_SPARSE, read_node, node.sha256, node.sha256_count,
		   &sha256_value),
	{ .key = "ioctls", .kind = JSON_WANT_OBJECT | JSON_OPTIONAL, .of = &entry_fields,
	  .read = read_entries, .write = write_entries },
} };

/* Orders nodes for find_node(). Versions are compared as texts, because only equality matters. */
static int compare_node_versions(const void *a, const void *b)
{
	return strcmp((*(struct read_node *const *)a)->node.version,
		      (*(struct read_node *const *)b)->node.version);
}

static struct read_node *find_node(const struct table_reader *reader, const char *version)
{
	struct read_node wanted = { .node.version = version };
	const struct read_node *key = &wanted;
	struct read_node **found =
		bsearch(&key, reader->by_version, reader->count, sizeof(key), compare_node_versions);

	return found ? *found : NULL;
}

static int check_removals(const struct table_reader *reader, const struct read_node *from,
			  const struct table_node *node)
{
	for (size_t i = 0; i < node->entry_count; i++)
		if (node->entries[i].removed && !table_entry_at(node->parent, &node->entries[i]))
			return json_fail(ENTRY_AT(reader, from, &node->entries[i]), ERR_FORMAT, reader->err,
					 "null removes an entry, but no parent has this entry");
	return 0;
}

/*
 * If a patch gives a version of the base a different parent, checks that the new parent descends from the old
 * one, and changes no entry that is valid at the version. @from: the version as read; @node: in the new table
 */
static int check_new_parent(const struct table_reader *reader, const struct read_node *from,
			    const struct table_node *node)
{
	const struct table_node *base =
		from->named && reader->base ? table_find_node(reader->base, node->version) : NULL;
	const struct json_value *at = JSON_MEMBER(NODE_AT(reader, from), "parent");
	const struct table_node *up = node->parent;

	if (!base || !base->parent || !strcmp(base->parent->version, node->parent->version))
		return 0;
	for (; up && strcmp(up->version, base->parent->version); up = up->parent)
		for (size_t i = 0; i < up->entry_count; i++) {
			const struct table_entry *key = &up->entries[i];
			const struct table_entry *was = table_entry_at(base, key);
			const struct table_entry *is = table_entry_at(node, key);

			if (was && (!is || !table_entry_same(was, is)))
				return json_fail(
					at, ERR_FORMAT, reader->err,
					"the parent %s would change the entry %s of version %s",
					node->parent->version, key->name, node->version);
		}
	if (!up)
		return json_fail(at, ERR_FORMAT, reader->err,
				 "the parent of %s in the table is %s, and %s does not descend from that parent",
				 node->version, base->parent->version, node->parent->version);
	return 0;
}

/* Adds each node to the table after its ancestors, and checks it. Parents must exist and not form a cycle. */
static int add_nodes(struct table *out, struct table_reader *reader)
{
	struct table_node *nodes = arena_array(reader->arena, reader->count + 1, sizeof(*nodes));
	struct read_node **way = arena_array(reader->arena, reader->count + 1, sizeof(struct read_node *));
	int rc;

	out->nodes = nodes;
	for (size_t i = 0; i < reader->count; i++) {
		struct read_node *node = &reader->nodes[i], *parent;
		size_t length = 0;

		while (node->state != ADDED) {
			const struct json_value *at = JSON_MEMBER(NODE_AT(reader, node), "parent");

			node->state = VISITING;
			way[length++] = node;
			if (!node->parent)
				break;
			if (!(parent = find_node(reader, node->parent)))
				return json_fail(at, ERR_FORMAT, reader->err, "there is no version \"%.60s\"",
						 node->parent);
			if (parent->state == VISITING)
				return json_fail(at, ERR_FORMAT, reader->err,
						 "the parents of \"%.60s\" lead back to it",
						 node->node.version);
			node = parent;
		}
		while (length) {
			struct table_node *added = &nodes[out->node_count];

			node = way[--length];
			parent = node->parent ? find_node(reader, node->parent) : NULL;
			*added = node->node;
			added->parent = parent ? &nodes[parent->table_index] : NULL;
			node->table_index = out->node_count++;
			node->state = ADDED;
			if ((rc = check_new_parent(reader, node, added)) ||
			    (rc = check_removals(reader, node, added)))
				return rc;
		}
	}
	return 0;
}

/* Finds the copy of the base's node for @version; NULL if the base does not have the version. */
static struct read_node *find_in_base(const struct table_reader *reader, const char *version)
{
	const struct table_node *node = reader->base ? table_find_node(reader->base, version) : NULL;

	return node ? &reader->nodes[node - reader->base->nodes] : NULL;
}

/*
 * Rules for a version of a patch that the base also has:
 *
 *   1. The parent must be the same as in the base, or a new version of the patch. The new version must
 *      descend from the parent in the base, and must not change any entry that the version inherits
 *      (check_new_parent()).
 *   2. A patch can make a version of the base supported, but not unsupported.
 *   3. If the base has an entry at this version, its own or a parent's, the entry must be the same in the
 *      patch. It is not added again.
 *   4. All other entries are added to the base's node.
 *
 * Thus no entry changes at any version of the base. A version's descendants inherit from the patch only
 * entries that the version did not have in the base. A descendant with its own entry of that name keeps the
 * entry.
 */

/*
 * Sets the entries of @out to those of the base's version @known, and the new ones of the same version of the
 * patch, @patch (rules 3 and 4). Return: 0; ERR_FORMAT if the patch would change an entry of the base.
 */
static int merge_entries(struct table_node *out, const struct table_reader *reader,
			 const struct read_node *known, const struct read_node *patch)
{
	const struct table_node *base = &known->node;
	struct table_entry *entries =
		arena_array(reader->arena, base->entry_count + patch->node.entry_count + 1, sizeof(*entries));
	size_t count = base->entry_count;

	if (count)
		memcpy(entries, base->entries, count * sizeof(*entries));
	for (size_t i = 0; i < patch->node.entry_count; i++) {
		const struct table_entry *entry = &patch->node.entries[i];
		const struct table_entry *there = table_entry_at(base, entry);

		if (!there)
			there = table_own_entry(base, entry);
		if (!there)
			entries[count++] = *entry;
		else if (!table_entry_same(there, entry))
			return json_fail(ENTRY_AT(reader, patch, entry), ERR_FORMAT, reader->err,
					 "at %s, the table %s", base->version,
					 there->removed ? "removes this entry, so a patch cannot add it"
							: "has a different entry with this name");
	}
	sort_items(entries, count, sizeof(*entries), table_entry_order);
	out->entries = entries;
	out->entry_count = count;
	return 0;
}

/*
 * Sets the checksums of @out to those of the base's version @known, and the new ones of the same version of
 * the patch, @patch. Return: 0; ERR_FORMAT if both have a checksum for a machine, and they differ.
 */
static int merge_sha256(struct table_node *out, const struct table_reader *reader,
			const struct read_node *known, const struct read_node *patch)
{
	const struct table_node *base = &known->node;
	struct table_sha256 *sums =
		arena_array(reader->arena, base->sha256_count + patch->node.sha256_count + 1, sizeof(*sums));
	size_t count = base->sha256_count;

	if (count)
		memcpy(sums, base->sha256, count * sizeof(*sums));
	for (size_t i = 0; i < patch->node.sha256_count; i++) {
		const struct table_sha256 *sum = &patch->node.sha256[i];
		const struct table_sha256 *there =
			FIND_NAMED(base->sha256, base->sha256_count, view_of(sum->machine));

		if (!there)
			sums[count++] = *sum;
		else if (strcmp(there->hex, sum->hex))
			return json_fail(JSON_MEMBER(NODE_AT(reader, patch), "sha256"), ERR_FORMAT,
					 reader->err, "at %s, the table has a different checksum for %s",
					 base->version, there->machine);
	}
	sort_items(sums, count, sizeof(*sums), order_named);
	out->sha256 = sums;
	out->sha256_count = count;
	return 0;
}

/*
 * Adds a version of the text as a new node, or merges it into the copy of the base's node for that version.
 * Return: 0; ERR_FORMAT if the version appears twice in the text, or the patch would change the base.
 */
static int add_or_merge_node(struct table_reader *reader, const struct read_node *node)
{
	struct read_node *known = find_in_base(reader, node->node.version);
	const struct json_value *at = NODE_AT(reader, node);
	struct table_node merged;
	bool is_moved;
	int rc;

	if (!known) {
		reader->nodes[reader->count++] = *node;
		return 0;
	}
	if (known->named)
		return json_fail(at, ERR_FORMAT, reader->err, "the version \"%.60s\" appears twice",
				 node->node.version);
	is_moved = node->parent && !find_in_base(reader, node->parent);
	if (!known->parent != !node->parent ||
	    (known->parent && strcmp(known->parent, node->parent) && !is_moved))
		return json_fail(at, ERR_FORMAT, reader->err,
				 "the parent of %s is %s in the table, but %s in the patch",
				 known->node.version, known->parent ? known->parent : "null",
				 node->parent ? node->parent : "null");
	if (known->node.supported && !node->node.supported)
		return json_fail(at, ERR_FORMAT, reader->err,
				 "%s is supported in the table, and a patch cannot change that",
				 known->node.version);
	merged = known->node;
	if ((rc = merge_entries(&merged, reader, known, node)) ||
	    (rc = merge_sha256(&merged, reader, known, node)))
		return rc;
	merged.supported = node->node.supported;
	*known = (struct read_node){
		.node = merged, .parent = node->parent, .index = node->index, .named = true
	};
	return 0;
}

/*
 * Links the versions of the text and of the base into a tree. Checks that versions are unique, that parents
 * exist and form no cycle, and that removed entries exist. Nodes are in the order of the text, except that
 * parents precede their children.
 */
static int link_nodes(void *object, const struct json_field *field, const struct json_value *at,
		      struct json_reader *from)
{
	struct table_reader *reader = from->context;
	const struct table *base = reader->base;
	struct table_text *text = object;
	const size_t base_count = base ? base->node_count : 0, most = text->node_count + base_count;
	int rc;

	(void)field;
	if (!most)
		return json_fail(at, ERR_FORMAT, from->err, "a table needs at least one version");
	reader->versions = at;
	reader->nodes = arena_array(from->arena, most + 1, sizeof(*reader->nodes));
	reader->by_version = arena_array(from->arena, most, sizeof(struct read_node *));
	for (size_t i = 0; i < base_count; i++) {
		const struct table_node *node = &base->nodes[i];

		/* The parent is stored as a version, and add_nodes() links the nodes again. */
		reader->nodes[reader->count++] =
			(struct read_node){ .node = *node,
					    .parent = node->parent ? node->parent->version : NULL };
	}
	for (size_t i = 0; i < text->node_count; i++)
		if ((rc = add_or_merge_node(reader, &text->nodes[i])))
			return rc;
	for (size_t i = 0; i < reader->count; i++)
		reader->by_version[i] = &reader->nodes[i];
	sort_items(reader->by_version, reader->count, sizeof(*reader->by_version), compare_node_versions);
	for (size_t i = 1; i < reader->count; i++)
		if (!compare_node_versions(&reader->by_version[i - 1], &reader->by_version[i]))
			return json_fail(JSON_MEMBER(NODE_AT(reader, reader->by_version[i]), "version"),
					 ERR_FORMAT, reader->err, "the version \"%.60s\" appears twice",
					 reader->by_version[i]->node.version);
	return add_nodes(&text->table, reader);
}

static int check_offset(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct table_field *field = object;

	return !found->parent->index || field[-1].offset_bytes <= field->offset_bytes
		       ? 0
		       : json_fail(found->parent, ERR_FORMAT, reader->err,
				   "fields must be sorted by offset; this field is out of order");
}

static const struct json_struct field_fields = { sizeof(struct table_field), check_offset, .field = {
	JSON_FIELD("name", JSON_TEXT, table_field, name),
	JSON_FIELD("offset", JSON_U64, table_field, offset_bytes, .max = TYPE_BYTES_MAX),
	JSON_FIELD("type", JSON_TEXT, table_field, type),
}, .is_inline = true };

static int check_alias_or_fields(void *object, const struct json_value *found, struct json_reader *reader)
{
	(void)object;
	return !json_member(found, "alias")->item != !json_member(found, "fields")->item
		       ? 0
		       : json_fail(found->parent, ERR_FORMAT, reader->err,
				   "a type must have either \"fields\" or an \"alias\", not both");
}

JSON_IS(is_alias, table_type, it->alias)

static const struct json_struct type_fields = { sizeof(struct table_type), check_alias_or_fields, .field = {
	JSON_FIELD("size", JSON_U64, table_type, size_bytes, .max = TYPE_BYTES_MAX),
	JSON_FIELD("alias", JSON_TEXT | JSON_SPARSE, table_type, alias),
	JSON_ARRAY("fields", JSON_LIST | JSON_OPTIONAL, table_type, fields, field_count, &field_fields,
		   .is_left_out = is_alias),
	JSON_ROLE(JSON_SPARSE, table_type, role),
} };

bool table_type_same(const struct table_type *a, const struct table_type *b)
{
	return !strcmp(a->name, b->name) && json_same_struct(a, b, &type_fields);
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

static int check_table_type(struct type_check *check, const struct table_type *type);

/*
 * Checks the type @spelled, "T[4][2]", of a field or alias at @at, and the types inside it: they must exist,
 * and not contain themselves. Sets *@size to the size in bytes, and raises *@inner_height to the height of T.
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
		    *size > TYPE_BYTES_MAX)
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

/*
 * Checks that the alias of a type has the size of the type, or that its fields do not overlap and end inside
 * the type. @inner_height: increased to the greatest height of the types inside
 */
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
 * Checks the alias or the fields of a type, and first the types that it contains. Stores the height of the
 * type, so that each type is checked once. Return: 0; ERR_FORMAT; ERR_LIMIT if types are nested too deeply.
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

/*
 * Checks that types exist and do not contain themselves, and that fields do not overlap and are inside their
 * type. @at: "types" in the text, for the paths in messages
 */
static int check_types(const struct table *table, const struct json_value *at, struct arena *arena,
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

/*
 * Merges the types of the text into those of the base. A type that both have must be the same, and is stored
 * once. Checks all types.
 */
static int merge_types(void *object, const struct json_field *field, const struct json_value *at,
		       struct json_reader *reader)
{
	const struct table *base = ((const struct table_reader *)reader->context)->base;
	struct table *table = &((struct table_text *)object)->table;
	size_t count = base ? base->type_count : 0;
	struct table_type *types = arena_array(reader->arena, count + table->type_count + 1, sizeof(*types));

	(void)field;
	if (count)
		memcpy(types, base->types, count * sizeof(*types));
	for (size_t i = 0; i < table->type_count; i++) {
		const struct table_type *type = &table->types[i];
		const struct table_type *other = base ? table_find_type(base, type->name) : NULL;

		if (other && !table_type_same(other, type))
			return json_fail(JSON_MEMBER(at, type->name), ERR_FORMAT, reader->err,
					 "%s has a different type with this name", base->path);
		if (!other)
			types[count++] = *type;
	}
	sort_items(types, count, sizeof(*types), order_named);
	table->types = types;
	table->type_count = count;
	return check_types(table, at, reader->arena, reader->err);
}

static int check_passed(void *object, const struct json_value *found, struct json_reader *reader)
{
	const struct table_passed *passed = object;

	return passed->mask && !(passed->value & ~passed->mask)
		       ? 0
		       : json_fail(json_member(found, "value"), ERR_FORMAT, reader->err,
				   "\"mask\" is 0, or \"value\" has bits that are not in \"mask\"");
}

static const struct json_struct passed_fields = { sizeof(struct table_passed), check_passed, .field = {
	JSON_FIELD("family", JSON_TEXT, table_passed, family),
	JSON_FIELD("mask", JSON_U64, table_passed, mask, .max = UINT32_MAX),
	JSON_FIELD("value", JSON_U64, table_passed, value, .max = UINT32_MAX),
	JSON_FIELD("name", JSON_TEXT, table_passed, name),
}, .is_inline = true };

JSON_IS(has_no_revision, table_text, !*it->table.revision)

#define TYPES_AND_VERSIONS \
	JSON_ARRAY("types", JSON_MAP, table_text, table.types, table.type_count, &type_fields, \
		   .read = merge_types), \
	JSON_ARRAY("versions", JSON_LIST, table_text, nodes, node_count, &node_fields, .read = link_nodes)

/* The fields of a table, and those of a patch that is written. */
const struct json_struct table_document_fields = { sizeof(struct table_text), NULL, .field = {
	JSON_FIELD("format", JSON_TEXT, table_text, format, .text = TABLE_FORMAT),
	JSON_FIELD("proxy", JSON_TEXT, table_text, table.proxy),
	JSON_FIELD("revision", JSON_TEXT_OR_EMPTY | JSON_OPTIONAL, table_text, table.revision,
		   .is_left_out = has_no_revision),
	JSON_FIELD("driver", JSON_TEXT, table_text, table.driver),
	JSON_ARRAY("passed", JSON_LIST | JSON_SPARSE, table_text, table.passed, table.passed_count,
		   &passed_fields),
	TYPES_AND_VERSIONS,
} };

/* Checks that a patch is for the proxy and the driver of the base. */
static int check_owner(void *object, const struct json_field *field, const struct json_value *at,
		       struct json_reader *reader)
{
	const char *owner = *(const char *const *)json_place(object, field);

	return !strcmp(at->item->valuestring, owner)
		       ? 0
		       : json_fail(at, ERR_FORMAT, reader->err,
				   "the patch is for %.100s, but %s is for %.100s", at->item->valuestring,
				   ((const struct table_text *)object)->table.path, owner);
}

/* The fields of a patch that is read. All other values are taken from the base. */
const struct json_struct table_patch_fields = { sizeof(struct table_text), NULL, .field = {
	JSON_FIELD("format", JSON_TEXT, table_text, format, .text = TABLE_PATCH_FORMAT),
	JSON_FIELD("proxy", JSON_WANT_STRING | JSON_OPTIONAL, table_text, table.proxy, .read = check_owner),
	{ .key = "revision", .kind = JSON_WANT_STRING | JSON_OPTIONAL },
	JSON_FIELD("driver", JSON_WANT_STRING | JSON_OPTIONAL, table_text, table.driver, .read = check_owner),
	TYPES_AND_VERSIONS,
} };

int json_read_table(struct table *out, const struct table *base, const char *text, size_t size,
		    const char *name, struct arena *arena, struct err *err)
{
	const char *path = arena_strdup(arena, name);
	struct table_text read = { .table = base ? *base : (struct table){ .path = path } };
	struct table_reader with = { .table = &read.table, .base = base, .arena = arena, .err = err,
				     .file = base ? path : NULL };
	struct json_reader reader = { arena, err, &with };
	struct json_value root;
	int rc;

	/* All other values of the base remain if the text is a patch. */
	read.table.types = NULL;
	read.table.nodes = NULL;
	read.table.type_count = read.table.node_count = 0;
	if ((rc = json_parse(&root, text, size, name, err)))
		return rc;
	rc = json_read_struct(&read, base ? &table_patch_fields : &table_document_fields, &root, &reader);
	json_parse_free(&root);
	if (!rc)
		*out = read.table;
	return rc;
}

void json_write_table(struct json_writer *writer, const struct table *table, const char *format)
{
	struct read_node *nodes = xmalloc((table->node_count + 1) * sizeof(*nodes));
	struct table_text text = { format, *table, nodes, table->node_count };

	for (size_t i = 0; i < table->node_count; i++)
		nodes[i] = (struct read_node){
			.node = table->nodes[i],
			.parent = table->nodes[i].parent ? table->nodes[i].parent->version : NULL,
		};
	sort_items(nodes, table->node_count, sizeof(*nodes), abi_order_versions);
	json_write_struct(writer, &text, &table_document_fields);
	json_end(writer);
	free(nodes);
}
