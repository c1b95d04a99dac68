/*
 * history/reading.h - the facts of a document that a proxy's table depends on, as text
 *
 * Private to history/.
 */
#ifndef HISTORY_READING_H
#define HISTORY_READING_H

#include "history/history.h"

/**
 * ranges_reading - append to @out what @view reads of @abi, as text
 *
 * Equal for two documents only if nothing that the view reads, by @notion,
 * differs between them. Of one document, equal for two views that read the
 * same.
 * Return: 0; what flatten_record() returns.
 */
int ranges_reading(struct strbuf *out, const struct abi *abi, const struct table_view *view, enum ranges_notion notion,
		   struct err *err);

/**
 * ranges_reading_anew - what a new node would read: ranges_reading(), and the layout of the record that the driver's own table names for
 * each entry; the record that the entry has now may be no more
 */
int ranges_reading_anew(struct strbuf *out, const struct abi *abi, const struct table_view *view, enum ranges_notion notion,
			struct err *err);

/* ranges_view - all that the table forwards at @node, which a version follows or whose version has a document. */
static inline const struct table_view *ranges_view(const struct ranges *ranges, const struct table_node *node)
{
	return &ranges->views[node - ranges->table->nodes];
}

/* ranges_twin - the first version with the very document of @version that follows the same node; what holds for one holds for both. */
size_t ranges_twin(const struct ranges *ranges, size_t version);

/* ranges_is_acted_on - must a proxy act on a leaf: is it a pointer or an fd? As verify has it. */
bool ranges_is_acted_on(const struct abi_leaf *leaf);

#endif
