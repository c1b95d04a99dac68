/*
 * What a patch adds to a version that the base has: entries and checksums.
 *
 *   1. The parent must be the base's. A version that the base does not support may become supported, and not the reverse.
 *   2. An entry that the base has at this version, of its own or from a
 *      parent, must be the same in the patch, and nothing is added.
 *   3. Any other entry is added to the base's node.
 *
 * So at each version of the base, all that it had is as it was. What descends
 * from the version inherits only names that the base had not, and where a
 * descendant defines such a name itself, its own entry counts.
 */
#include "abi/read_table.h"

#include <stdlib.h>
#include <string.h>

/* The path of an entry in the patch: @path[3], with the others above it. */
static void find_entry(struct json_value path[4], const struct table_addition *from, const struct table_entry *entry)
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

	if (!parent != !from->parent || (parent && strcmp(parent, from->parent)))
		return json_fail(&at, ERR_FORMAT, err, "the table has %s with the parent %s, and the patch with %s", from->base->version,
				 parent ? parent : "null", from->parent ? from->parent : "null");
	if (from->base->supported && !from->patch->supported)
		return json_fail(&at, ERR_FORMAT, err, "the table has %s as supported", from->base->version);
	return 0;
}

static const struct table_entry *own_entry(const struct table_node *node, const struct table_entry *key)
{
	for (size_t i = 0; i < node->entry_count; i++)
		if (!table_entry_order(&node->entries[i], key))
			return &node->entries[i];
	return NULL;
}

/* Is @entry new to the base? @is_new is set then. Return: 0; ERR_FORMAT if the base has it in other words. */
static int check_entry(bool *is_new, const struct table_addition *from, const struct table_entry *entry, struct err *err)
{
	const struct table_entry *there = table_entry_at(from->base, entry);
	struct json_value path[4];

	find_entry(path, from, entry);
	if (!there)
		there = own_entry(from->base, entry);
	*is_new = !there;
	if (there && !table_entry_same(there, entry))
		return json_fail(&path[3], ERR_FORMAT, err, "at %s the table has another %s", from->base->version,
				 there->removed ? "word: it removes the entry" : "entry of this name");
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	return table_entry_order(a, b);
}

static int add_entries(struct table_node *out, const struct table_addition *from, struct arena *arena, struct err *err)
{
	const struct table_node *base = from->base, *patch = from->patch;
	struct table_entry *entries = arena_array(arena, base->entry_count + patch->entry_count + 1, sizeof(*entries));
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
	qsort(entries, count, sizeof(*entries), compare_entries);
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

static int compare_machines(const void *a, const void *b)
{
	return strcmp(((const struct table_sha256 *)a)->machine, ((const struct table_sha256 *)b)->machine);
}

static int add_sha256(struct table_node *out, const struct table_addition *from, struct arena *arena, struct err *err)
{
	const struct table_node *base = from->base, *patch = from->patch;
	struct table_sha256 *sums = arena_array(arena, base->sha256_count + patch->sha256_count + 1, sizeof(*sums));
	struct json_value at = { .parent = from->at, .index = from->index };
	struct json_value at_sums = { .parent = &at, .key = "sha256" };
	size_t count = base->sha256_count, i;

	if (count)
		memcpy(sums, base->sha256, count * sizeof(*sums));
	for (i = 0; i < patch->sha256_count; i++) {
		const struct table_sha256 *there = find_sha256(base, patch->sha256[i].machine);

		if (there && strcmp(there->hex, patch->sha256[i].hex))
			return json_fail(&at_sums, ERR_FORMAT, err, "at %s the table has another checksum for %s", base->version, there->machine);
		if (!there)
			sums[count++] = patch->sha256[i];
	}
	qsort(sums, count, sizeof(*sums), compare_machines);
	out->sha256 = sums;
	out->sha256_count = count;
	return 0;
}

int table_reader_add(struct table_node *out, const struct table_addition *from, struct arena *arena, struct err *err)
{
	int rc;

	if ((rc = check_head(from, err)) ||
	    (rc = add_entries(out, from, arena, err)) ||
	    (rc = add_sha256(out, from, arena, err)))
		return rc;
	out->supported = from->patch->supported; /* check_head() lets it only come */
	return 0;
}
