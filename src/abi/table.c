#include "abi/table.h"

#include "abi/order.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(!offsetof(struct table_type, name), "abi_search_named() sees the name only");

const char *const table_caps[] = {
	"compute", "utility", "graphics", "video", "display", "ngx", "compat32", "fabric-imex-mgmt", "profiling", "rdma", NULL,
};

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
		int order = i == base_count ? 1 : j == node->entry_count ? -1 : table_entry_order(base[i], &node->entries[j]);

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

void table_view_at(struct table_view *out, const struct table *table, const struct table_node *node, struct arena *arena)
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
	*out = (struct table_view){ table, node, arena_memdup(arena, entries, count * sizeof(*entries)), count };
	free(path);
	free(entries);
	free(scratch);
}
