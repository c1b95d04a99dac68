#include "abi/table.h"

#include <stdlib.h>
#include <string.h>

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
		entry = node->entry_count ? bsearch(key, node->entries, node->entry_count, sizeof(*key), compare_entries) : NULL;
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
