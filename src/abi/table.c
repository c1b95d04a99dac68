/* abi/table.c - lookups in a proxy's table, and the view of a node */
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

const struct table_node *table_nearest_node(const struct table *table, const char *version)
{
	const struct table_node *best = table_find_node(table, version);

	if (best)
		return best;
	/*
	 * Versions of a branch are adjacent in the order of versions. So if the branch of @version has a node
	 * that is not newer, the newest such node of all branches is in that branch.
	 */
	for (size_t i = 0; i < table->node_count; i++) {
		const struct table_node *node = &table->nodes[i];

		if (abi_version_compare(node->version, version) <= 0 &&
		    (!best || abi_version_compare(node->version, best->version) > 0))
			best = node;
	}
	return best;
}

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
