/*
 * "drvabi-proxy/1" as text, in one form: types by name, versions from old to
 * new, entries by family and name; a field and an entry have a line each, so
 * that a change of a table can be reviewed line by line.
 */
#include "abi/json.h"

#include <stdlib.h>
#include <string.h>

static void write_fields(struct json_writer *writer, const struct table_type *type)
{
	json_key(writer, "fields");
	json_open_array(writer);
	for (size_t i = 0; i < type->field_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "name", type->fields[i].name);
		json_key_unsigned(writer, "offset", type->fields[i].offset_bytes);
		json_key_string(writer, "type", type->fields[i].type);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void write_type(struct json_writer *writer, const struct table_type *type)
{
	json_key(writer, type->name);
	json_open_object(writer);
	json_key_unsigned(writer, "size", type->size_bytes);
	if (type->alias)
		json_key_string(writer, "alias", type->alias);
	else
		write_fields(writer, type);
	if (type->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(type->role));
	json_close_object(writer);
}

static void write_handler(struct json_writer *writer, const struct table_handler *handler)
{
	if (!handler->kind)
		return;
	json_key(writer, "handler");
	json_open_object(writer);
	json_key_string(writer, "kind", handler->kind);
	if (handler->type_known)
		json_key_string(writer, "type", handler->type);
	json_close_object(writer);
}

static void write_lists(struct json_writer *writer, const struct table_entry *entry)
{
	size_t i;

	json_key(writer, "caps");
	json_open_array(writer);
	for (i = 0; i < entry->cap_count; i++)
		json_string(writer, entry->caps[i]);
	json_close_array(writer);
	json_key(writer, "structs");
	json_open_array(writer);
	for (i = 0; i < entry->struct_count; i++) {
		json_open_object(writer);
		json_key_string(writer, "driver", entry->structs[i].driver);
		json_key_string(writer, "proxy", entry->structs[i].proxy);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void write_entry(struct json_writer *writer, const struct table_entry *entry)
{
	json_key(writer, entry->name);
	if (entry->removed) {
		json_null(writer);
		return;
	}
	json_open_inline_object(writer);
	json_key_unsigned(writer, "number", entry->number);
	json_key_string(writer, "constant", entry->constant);
	write_lists(writer, entry);
	write_handler(writer, &entry->handler);
	json_close_object(writer);
}

static void write_entries(struct json_writer *writer, const struct table_node *node)
{
	const char *family = NULL;

	json_key(writer, "ioctls");
	json_open_object(writer);
	for (size_t i = 0; i < node->entry_count; i++) {
		const struct table_entry *entry = &node->entries[i];

		if (!family || strcmp(family, entry->family)) {
			if (family)
				json_close_object(writer);
			json_key(writer, entry->family);
			json_open_object(writer);
			family = entry->family;
		}
		write_entry(writer, entry);
	}
	if (family)
		json_close_object(writer);
	json_close_object(writer);
}

static void write_sha256(struct json_writer *writer, const struct table_node *node)
{
	json_key(writer, "sha256");
	json_open_object(writer);
	for (size_t i = 0; i < node->sha256_count; i++)
		json_key_string(writer, node->sha256[i].machine, node->sha256[i].hex);
	json_close_object(writer);
}

static void write_node(struct json_writer *writer, const struct table_node *node)
{
	json_open_object(writer);
	json_key_string(writer, "version", node->version);
	json_key_string(writer, "parent", node->parent ? node->parent->version : NULL);
	json_key_bool(writer, "supported", node->supported);
	if (node->sha256_count)
		write_sha256(writer, node);
	if (node->entry_count)
		write_entries(writer, node);
	json_close_object(writer);
}

static int compare_nodes(const void *a, const void *b)
{
	const struct table_node *x = *(const struct table_node *const *)a, *y = *(const struct table_node *const *)b;
	int order = abi_version_compare(x->version, y->version);

	return order ? order : strcmp(x->version, y->version);
}

static void write_nodes(struct json_writer *writer, const struct table *table)
{
	const struct table_node **nodes = xmalloc((table->node_count + 1) * sizeof(*nodes));
	size_t i;

	for (i = 0; i < table->node_count; i++)
		nodes[i] = &table->nodes[i];
	qsort(nodes, table->node_count, sizeof(*nodes), compare_nodes);
	json_key(writer, "versions");
	json_open_array(writer);
	for (i = 0; i < table->node_count; i++)
		write_node(writer, nodes[i]);
	json_close_array(writer);
	free(nodes);
}

static void write_body(struct json_writer *writer, const struct table *table, const char *format)
{
	json_open_object(writer);
	json_key_string(writer, "format", format);
	json_key_string(writer, "proxy", table->proxy);
	if (*table->revision)
		json_key_string(writer, "revision", table->revision);
	json_key_string(writer, "driver", table->driver);
	json_key(writer, "types");
	json_open_object(writer);
	for (size_t i = 0; i < table->type_count; i++)
		write_type(writer, &table->types[i]);
	json_close_object(writer);
	write_nodes(writer, table);
	json_close_object(writer);
	json_end(writer);
}

void json_write_table(struct json_writer *writer, const struct table *table)
{
	write_body(writer, table, TABLE_FORMAT);
}

void json_write_table_patch(struct json_writer *writer, const struct table *patch)
{
	write_body(writer, patch, TABLE_PATCH_FORMAT);
}
