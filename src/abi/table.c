/* abi/table.c - a proxy's table: lookups, one node's view, and comparison */
#include "abi/abi.h"
#include "abi/internal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(!offsetof(struct table_type, name), "abi_search_named() sees the name only");

const char *const table_caps[] = {
	"compute", "utility", "graphics", "video", "display", "ngx", "compat32", "fabric-imex-mgmt", "profiling", "rdma", NULL,
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
	return abi_search_named(table->types, table->type_count, sizeof(*table->types), name, strlen(name));
}

int table_entry_order(const struct table_entry *a, const struct table_entry *b)
{
	int order = strcmp(a->family, b->family);

	return order ? order : strcmp(a->name, b->name);
}

/* @base with what @node adds, replaces and removes. Both are sorted, and so is the result. */
static size_t overlay(const struct table_entry **out, const struct table_entry **base, size_t base_count,
		      const struct table_node *node)
{
	size_t count = 0, i = 0, j = 0;

	while (i < base_count || j < node->entry_count) {
		int order = i == base_count          ? 1
			    : j == node->entry_count ? -1
						     : table_entry_order(base[i], &node->entries[j]);

		if (order < 0) {
			out[count++] = base[i++];
			continue;
		}
		if (!order)
			i++;
		if (!node->entries[j].removed)
			out[count++] = &node->entries[j];
		j++;
	}
	return count;
}

void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node,
		   struct arena *arena)
{
	const struct table_entry **entries, **scratch, **swap;
	const struct table_node *one, **path;
	size_t depth = 0, most = 0, count = 0, i;

	for (one = node; one; one = one->parent) {
		depth++;
		most += one->entry_count;
	}
	path = xmalloc(depth * sizeof(*path));
	entries = xmalloc(most * sizeof(*entries));
	scratch = xmalloc(most * sizeof(*scratch));
	for (i = depth, one = node; one; one = one->parent)
		path[--i] = one;
	for (i = 0; i < depth; i++) {
		count = overlay(scratch, entries, count, path[i]);
		swap = entries;
		entries = scratch;
		scratch = swap;
	}
	*out = (struct table_view){ table, node, arena_memdup(arena, entries, count * sizeof(*entries)),
				    count };
	free(path);
	free(entries);
	free(scratch);
}

const struct table_node *table_find_node(const struct table *table, const char *version)
{
	for (size_t i = 0; i < table->node_count; i++)
		if (!strcmp(table->nodes[i].version, version))
			return &table->nodes[i];
	return NULL;
}

static int compare_entries(const void *a, const void *b)
{
	return table_entry_order(a, b);
}

const struct table_entry *table_entry_at(const struct table_node *node, const struct table_entry *key)
{
	const struct table_entry *entry = NULL;

	for (; node && !entry; node = node->parent)
		entry = node->entry_count ? bsearch(key, node->entries, node->entry_count, sizeof(*key),
						    compare_entries)
					  : NULL;
	return entry && !entry->removed ? entry : NULL;
}

/*
 * Versions of one branch lie side by side in the order of versions: the newest
 * node that is not newer is one of the same branch wherever there is one.
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

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool table_type_same(const struct table_type *a, const struct table_type *b)
{
	size_t i;

	if (strcmp(a->name, b->name) || a->size_bytes != b->size_bytes || !same_text(a->alias, b->alias) ||
	    a->role != b->role || a->field_count != b->field_count)
		return false;
	for (i = 0; i < a->field_count; i++)
		if (strcmp(a->fields[i].name, b->fields[i].name) ||
		    strcmp(a->fields[i].type, b->fields[i].type) ||
		    a->fields[i].offset_bytes != b->fields[i].offset_bytes)
			return false;
	return true;
}

static bool same_strings(const struct profile_strings *a, const struct profile_strings *b)
{
	size_t i;

	for (i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->item[i], b->item[i]))
			return false;
	return a->count == b->count;
}

static bool same_structs(const struct table_entry *a, const struct table_entry *b)
{
	size_t i;

	for (i = 0; i < a->struct_count && i < b->struct_count; i++)
		if (strcmp(a->structs[i].driver, b->structs[i].driver) ||
		    !same_text(a->structs[i].proxy, b->structs[i].proxy))
			return false;
	return a->struct_count == b->struct_count;
}

static bool same_handler(const struct table_handler *a, const struct table_handler *b)
{
	return same_text(a->kind, b->kind) && a->type_known == b->type_known && same_text(a->type, b->type) &&
	       a->fields_known == b->fields_known && same_strings(&a->fields, &b->fields) &&
	       same_strings(&a->faults, &b->faults);
}

bool table_entry_same(const struct table_entry *a, const struct table_entry *b)
{
	const struct profile_strings a_caps = { a->caps, a->cap_count }, b_caps = { b->caps, b->cap_count };

	if (table_entry_order(a, b) || a->removed != b->removed)
		return false;
	return a->removed ||
	       (a->number == b->number && same_text(a->constant, b->constant) && same_strings(&a_caps, &b_caps) &&
		same_structs(a, b) && same_handler(&a->handler, &b->handler));
}
