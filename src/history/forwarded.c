#include "history/history.h"

#include <string.h>

const char *forwarded_use_name(enum forwarded_use use)
{
	switch (use) {
	case FORWARDED_NONE: return "none";
	case FORWARDED_UNREAD: return "unread";
	case FORWARDED_READ: return "read";
	}
	return "";
}

const struct table_node *forwarded_node(const struct table *table, const struct history_graph *graph, size_t version, const char *name)
{
	if (version >= graph->version_count)
		return table_nearest_node(table, name);
	for (long i = (long)version; i != HISTORY_NO_PARENT; i = graph->versions[i].parent)
		if (table_find_node(table, graph->versions[i].version))
			return table_find_node(table, graph->versions[i].version);
	return NULL;
}

/*
 * The entry of a number at @node, and at *@owner the node that has it as its own: the first by name of those that no
 * nearer node replaces or removes. No view is made for it: a log asks for each of its calls.
 */
static const struct table_entry *find_entry(const struct table_node **owner, const struct table_node *node, const char *family, uint64_t number)
{
	const struct table_entry *found = NULL;

	for (const struct table_node *one = node; one; one = one->parent)
		for (size_t i = 0; i < one->entry_count; i++) {
			const struct table_entry *entry = &one->entries[i];

			if (entry->removed || entry->number != number || strcmp(entry->family, family) ||
			    (found && table_entry_order(found, entry) <= 0) || table_entry_at(node, entry) != entry)
				continue;
			found = entry;
			*owner = one;
		}
	return found;
}

static enum forwarded_use use_of(const struct table_entry *entry)
{
	if (!entry)
		return FORWARDED_NONE;
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy)
			return FORWARDED_READ;
	return FORWARDED_UNREAD;
}

/* rmControl() in pkg/sentry/devices/nvproxy/frontend.go, at 3c5eee17: RM_GSS_LEGACY_MASK and NV2081_BINAPI of pkg/abi/nvgpu. */
static const char *passed_as(const struct table *table, const char *family, uint64_t number)
{
	enum { GSS_LEGACY = 0x8000, BINAPI_CLASS = 0x2081 };

	if (strcmp(family, "control") != 0 || !table->proxy || !strstr(table->proxy, "nvproxy"))
		return NULL;
	if (number & GSS_LEGACY)
		return "bit 0x8000, GSS legacy";
	return number >> 16 == BINAPI_CLASS ? "class 0x2081, NV2081_BINAPI" : NULL;
}

void forwarded_find(struct forwarded *out, const struct table *table, const struct table_node *node, const char *family, uint64_t number)
{
	struct forwarded forwarded = { .table = table, .node = node };

	forwarded.entry = find_entry(&forwarded.since, node, family, number);
	forwarded.use = use_of(forwarded.entry);
	if (node && forwarded.use == FORWARDED_NONE && (forwarded.passed_as = passed_as(table, family, number)))
		forwarded.use = FORWARDED_UNREAD;
	*out = forwarded;
}
