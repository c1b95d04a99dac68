/*
 * The head of an archive. The hashes vouch that these are bytes that
 * archive_write() wrote. Reading is bounded all the same, so that even forged
 * bytes lead nowhere but to ERR_FORMAT.
 */
#include "store/unpacked.h"

#include <string.h>

/* Is nothing its own ancestor? */
static bool is_forest(const struct archive_version *versions, size_t count, struct arena *arena)
{
	size_t *walk = arena_array(arena, count + 1, sizeof(*walk)); /* which walk came along there first; 0: none */

	for (size_t i = 0; i < count; i++)
		for (long at = (long)i; at != ARCHIVE_NO_PARENT; at = versions[at].parent) {
			if (walk[at] == i + 1)
				return false;
			if (walk[at])
				break;
			walk[at] = i + 1;
		}
	return true;
}

static void read_targets(struct archive_head *head, struct byte_reader *in, struct arena *arena)
{
	const char **targets;

	head->target_count = byte_reader_below(in, ARCHIVE_TARGETS_MAX + 1);
	head->targets = targets = arena_array(arena, head->target_count + 1, sizeof(*targets));
	for (size_t i = 0; i < head->target_count; i++) {
		targets[i] = byte_reader_text(in);
		if (i && strcmp(targets[i - 1], targets[i]) >= 0)
			byte_reader_fail(in);
	}
}

static void read_versions(struct archive_head *head, struct byte_reader *in, struct arena *arena)
{
	struct archive_version *versions;

	head->count = byte_reader_count(in, 5);
	head->versions = versions = arena_array(arena, head->count + 1, sizeof(*versions));
	for (size_t i = 0; i < head->count; i++) {
		versions[i].name = byte_reader_text(in);
		versions[i].commit = byte_reader_text(in);
		versions[i].time = varint_unfolded(byte_reader_number(in));
		versions[i].parent = (long)byte_reader_below(in, head->count + 1) - 1;
		versions[i].on_main = byte_reader_bool(in);
		if (i && abi_version_compare(versions[i - 1].name, versions[i].name) >= 0)
			byte_reader_fail(in);
	}
}

/* Return: false if the block does not hold just this. */
static bool open_head(struct archive_head *head, const struct block *block, struct arena *arena)
{
	struct byte_reader in;

	byte_reader_init(&in, block->data, block->size);
	head->driver = byte_reader_text(&in);
	head->profile = byte_reader_text(&in);
	head->generation = byte_reader_number(&in);
	read_targets(head, &in, arena);
	head->main = byte_reader_text(&in);
	if (!*head->main)
		head->main = NULL;
	head->shallow = byte_reader_bool(&in);
	read_versions(head, &in, arena);
	return !in.failed && in.at == in.end && is_forest(head->versions, head->count, arena);
}

int archive_open(const struct archive **out, const void *data, size_t size, const char *name, struct arena *arena, struct err *err)
{
	struct archive *archive = arena_alloc(arena, sizeof(*archive));
	struct block head;
	int rc;

	if ((rc = blocks_find(archive->blocks, arena_memdup(arena, data, size), size, err))) {
		err_prefix(err, "%s", name);
		return rc;
	}
	archive->name = arena_strdup(arena, name);
	if (!block_unpack(&head, &archive->blocks[ARCHIVE_VERSIONS], arena) || !open_head(&archive->head, &head, arena))
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself; it was not written by this drvabi", name);
	*out = archive;
	return 0;
}

const struct archive_head *archive_head(const struct archive *archive)
{
	return &archive->head;
}

const char *archive_as_of(const struct archive *archive, char buffer[32])
{
	const struct archive_head *head = &archive->head;
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < head->count; i++)
		if (head->versions[i].time > newest)
			newest = head->versions[i].time;
	return text_of_day(newest, buffer);
}

const char *archive_name(const struct archive *archive)
{
	return archive->name;
}

bool archive_target(size_t *index, const struct archive *archive, const char *target)
{
	for (size_t i = 0; i < archive->head.target_count; i++) {
		if (strcmp(archive->head.targets[i], target))
			continue;
		*index = i;
		return true;
	}
	return false;
}
