/*
 * bootstrap/between.c - are the nodes between right at their own versions?
 *
 * An entry changes at the version from which on it is what it is in the end.
 * If it was a third one on the way, a node between that stands there, for
 * another entry, has what the parent has. No supported version is that node's,
 * but one that follows it later would be.
 */
#include "bootstrap/between.h"

#include "bootstrap/decide.h"
#include "bootstrap/findings.h"
#include "bootstrap/lists.h"

#include <stdlib.h>
#include <string.h>

static const struct boot_change *change_of(const struct boot *boot, const struct table_entry *entry)
{
	for (size_t i = 0; i < boot->change_count; i++)
		if (boot->changes[i].was == entry)
			return &boot->changes[i];
	return NULL;
}

static int compare_entries(const void *a, const void *b)
{
	return table_entry_order(*(const struct table_entry *const *)a, *(const struct table_entry *const *)b);
}

/* The entries at a node that stands at a version of the path. Return: how many. */
static size_t entries_at(const struct table_entry ***out, struct boot *boot, size_t index)
{
	const struct table_entry **entries = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(const struct table_entry *));
	size_t count = 0;

	for (size_t i = 0; i < boot->view.entry_count; i++) {
		const struct table_entry *entry = boot->view.entries[i];
		const struct boot_change *change = change_of(boot, entry);

		if (change && change->action != BOOTSTRAP_NONE && change->since <= index)
			entry = change->now;
		if (entry)
			entries[count++] = entry;
	}
	qsort(entries, count, sizeof(*entries), compare_entries);
	*out = entries;
	return count;
}

/* One TODO for an entry, however much verify finds of it. */
static void list_findings(struct boot *boot, const char *version, const struct boot_findings *fresh)
{
	for (size_t i = 0; i < fresh->count; i++) {
		const struct verify_finding *finding = &fresh->items[i];

		if (i && !strcmp(finding->family, finding[-1].family) && !strcmp(finding->entry, finding[-1].entry))
			continue;
		lists_todo(boot, (struct bootstrap_todo){ "finding", version, finding->entry,
			arena_printf(boot->arena, "in %s itself, %s; bootstrap %s first, and then %s with its patch in the table", version,
				     finding->message, version, boot->out.version) });
	}
}

static int check_node(struct boot *boot, size_t index)
{
	const struct abi *abi = boot_document(boot, index);
	const struct table types = decide_types(boot);
	const struct table_entry **entries;
	struct boot_findings fresh;
	size_t count;
	int rc;

	if (!abi)
		return 0;
	count = entries_at(&entries, boot, index);
	if ((rc = findings_fresh_in(&fresh, boot, abi, &types, entries, count)))
		return rc;
	list_findings(boot, boot_version(boot, index), &fresh);
	return 0;
}

int between_check(struct boot *boot)
{
	size_t last = boot->position->path_count - 1;
	int rc = 0;

	for (size_t i = 1, node = 0; i < last && node < boot->out.node_count && !rc; i++)
		if (!strcmp(boot->out.nodes[node].version, boot_version(boot, i))) {
			rc = check_node(boot, i);
			node++;
		}
	return rc;
}
