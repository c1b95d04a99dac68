/*
 * Writes documents as an archive. The format and the term "thing" are explained in internal.h.
 *
 * 1. collect_documents() adds all documents of the first target to the collection, then those of the next
 *    target. The numbers of versions continue from target to target, so that a thing has one list of spans.
 * 2. put_things() writes things and version sets to separate blocks. clip_versions() finds the spans of one
 *    target. At its first use, a string or layout itself is written, and at later uses its number.
 * 3. put_lines() writes the lists of lines. The strings are written last, when all of them are known.
 * 4. blocks_write() compresses the blocks, and writes the header and the table.
 */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

/* A string that was written before. */
struct known_string {
	const char *text;
	uint64_t number;
	UT_hash_handle hh;
};

/* The state of writing a collection. */
struct writer {
	struct collection all;
	struct strbuf blocks[ARCHIVE_BLOCK_COUNT];
	struct strbuf strings;     /* the block ARCHIVE_STRINGS, without the count */
	struct known_string *known_strings;
	uint64_t string_count;
	uint64_t *layout_written;  /* indexed by the layout's number in the collection: ARCHIVE_LAYOUT_KNOWN
				      plus the number in the file; 0 if not written yet */
	uint64_t layout_count;
	const struct archive_head *head;
	struct arena arena;
};

static void put_number(void *to, uint64_t number)
{
	struct writer *writer = to;

	varint_put(&writer->blocks[ARCHIVE_THINGS], number);
}

/* Writes a text as its number. A text that was not written before also goes into the block of strings. */
static void put_text(void *to, const char *text)
{
	struct writer *writer = to;
	struct known_string *known;
	unsigned int hash;
	size_t length;

	if (!text) {
		put_number(writer, ARCHIVE_STRING_NULL);
		return;
	}
	length = strlen(text);
	HASH_VALUE(text, length, hash);
	HASH_FIND_BYHASHVALUE(hh, writer->known_strings, text, length, hash, known);
	if (known) {
		put_number(writer, ARCHIVE_STRING_FIRST + known->number);
		return;
	}
	known = arena_alloc(&writer->arena, sizeof(*known));
	known->text = text;
	known->number = writer->string_count++;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, writer->known_strings, known->text, length, hash, known);
	strbuf_add(&writer->strings, text, length + 1);
	put_number(writer, ARCHIVE_STRING_NEXT);
}

/* Finds the spans of @thing between @first and @end, the versions of one target. Return: their number. */
static size_t clip_versions(struct abi_span *out, const struct thing *thing, uint32_t first, uint32_t end)
{
	size_t count = 0;

	for (size_t i = 0; i < thing->span_count; i++) {
		const struct abi_span *span = &thing->spans[i];
		uint32_t from = span->from > first ? span->from : first;
		uint32_t until = span->until < end ? span->until : end;

		if (from < until)
			out[count++] = (struct abi_span){ from - first, until - first };
	}
	return count;
}

/* Writes which versions have @thing, for each target. Equal versions are not repeated for the next target. */
static void put_version_set(struct writer *writer, const struct thing *thing)
{
	struct strbuf *out = &writer->blocks[ARCHIVE_VERSION_SETS];
	struct abi_span *before = xmalloc((thing->span_count + 1) * sizeof(*before));
	struct abi_span *spans = xmalloc((thing->span_count + 1) * sizeof(*spans));
	size_t before_count = 0;

	for (uint32_t target = 0; target < writer->head->target_count; target++) {
		const uint32_t versions = (uint32_t)writer->head->count;
		size_t count = clip_versions(spans, thing, target * versions, (target + 1) * versions);
		struct abi_span *swap = before;
		uint32_t end = 0;

		if (target && count == before_count &&
		    (!count || !memcmp(spans, before, count * sizeof(*spans)))) {
			varint_put(out, ARCHIVE_SET_AS_BEFORE);
			continue;
		}
		varint_put(out, count + (target ? ARCHIVE_SET_OWN : 0));
		for (size_t i = 0; i < count; i++) { /* small numbers take one byte */
			varint_put(out, spans[i].from - end);
			varint_put(out, spans[i].until - spans[i].from - 1);
			end = spans[i].until;
		}
		before = spans;
		before_count = count;
		spans = swap;
	}
	free(before);
	free(spans);
}

/* Writes the things of a kind; ABI_KIND_COUNT means the lists of warnings. */
static void put_pool(struct writer *writer, const struct pool *pool, size_t kind)
{
	const struct part_sink file = { put_number, put_text, writer };

	put_number(writer, pool->count);
	for (size_t i = 0; i < pool->count; i++) {
		const struct thing *thing = pool->things[i];
		uint64_t *layout = &writer->layout_written[thing->layout];

		put_version_set(writer, thing);
		if (kind == ABI_KIND_COUNT)
			warning_parts(&file, thing->of);
		else
			element_parts(&file, (enum abi_kind)kind, thing->of, thing->path);
		if (kind != ABI_RECORD)
			continue;
		put_number(writer, *layout ? *layout : ARCHIVE_LAYOUT_NEW);
		if (!*layout) {
			*layout = ARCHIVE_LAYOUT_KNOWN + writer->layout_count++;
			layout_parts(&file, writer->all.layouts.things[thing->layout]->of);
		}
	}
}

static void put_things(struct writer *writer)
{
	const struct collection *all = &writer->all;

	put_number(writer, all->paths.count);
	for (size_t i = 0; i < all->paths.count; i++)
		put_text(writer, arena_strndup(&writer->arena, all->paths.things[i]->key,
					       all->paths.things[i]->key_size));
	writer->layout_written =
		arena_array(&writer->arena, all->layouts.count + 1, sizeof(*writer->layout_written));
	put_number(writer, all->layouts.count);
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		put_pool(writer, &all->things[kind], kind);
	put_pool(writer, &all->warnings, ABI_KIND_COUNT);
}

/* Writes the lists of line numbers: one for a header's declarations, with the versions that have it. */
static void put_lines(struct writer *writer)
{
	const struct pool *lists = &writer->all.lines;
	struct strbuf *out = &writer->blocks[ARCHIVE_LINES];

	varint_put(out, lists->count);
	for (size_t i = 0; i < lists->count; i++) {
		const struct thing *thing = lists->things[i];
		size_t size = thing->key_size - sizeof(uint64_t); /* without the path's number in the key */

		put_version_set(writer, thing);
		varint_put(out, thing->path);
		varint_put(out, size);
		strbuf_add(out, thing->key + sizeof(uint64_t), size);
	}
}

void graph_put(struct strbuf *out, const struct source_graph *graph)
{
	text_put(out, graph->main ? graph->main : "");
	varint_put(out, graph->shallow);
	varint_put(out, graph->count);
	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *version = &graph->versions[i];

		text_put(out, version->name);
		text_put(out, version->commit);
		varint_put(out, varint_folded(version->time));
		varint_put(out, (uint64_t)(version->parent + 1));
		varint_put(out, version->on_main);
	}
}

static void put_head(struct strbuf *out, const struct archive_head *head)
{
	text_put(out, head->driver);
	text_put(out, head->profile);
	varint_put(out, head->generation);
	varint_put(out, head->target_count);
	for (size_t i = 0; i < head->target_count; i++)
		text_put(out, head->targets[i]);
	graph_put(out, &(struct source_graph){ .versions = head->versions, .count = head->count,
					       .main = head->main, .shallow = head->shallow });
}

/* Collects the documents of all targets. Version numbers continue from target to target. */
static int collect_documents(struct writer *writer, const struct abi *const *documents, struct err *err)
{
	const struct archive_head *head = writer->head;
	const size_t count = head->target_count * head->count;
	int rc = 0;

	if (head->target_count > ARCHIVE_TARGETS_MAX || head->count >= UINT32_MAX / ARCHIVE_TARGETS_MAX)
		return err_set(err, ERR_LIMIT, "%zu versions for %zu targets are too many for one archive",
			       head->count, head->target_count);
	for (size_t i = 0; !rc && i < count; i++) {
		const char *name = head->versions[i % head->count].name;
		const char *target = head->targets[i / head->count];

		if (strcmp(documents[i]->driver, head->driver) || strcmp(documents[i]->target, target))
			return err_set(err, ERR_FORMAT, "%s is for %s on %s, but the archive is for %s on %s",
				       name, documents[i]->driver, documents[i]->target, head->driver,
				       target);
		if ((rc = collection_add(&writer->all, documents[i], (uint32_t)i, err)))
			err_prefix(err, "%s", name);
	}
	return rc;
}

/* The compression levels of archives and of cache entries. Decompression is equally fast for both. */
enum { FILE_LEVEL = 19, QUICK_LEVEL = 1 };

static int write_archive(struct strbuf *out, const struct archive_head *head,
			 const struct abi *const *documents, int level, struct err *err)
{
	struct writer writer = { .head = head };
	struct strbuf *strings = &writer.blocks[ARCHIVE_STRINGS];
	int rc;

	if (!(rc = collect_documents(&writer, documents, err))) {
		collection_sort(&writer.all);
		put_head(&writer.blocks[ARCHIVE_VERSIONS], head);
		put_things(&writer);
		put_lines(&writer);
		varint_put(strings, writer.string_count);
		strbuf_add(strings, strbuf_text(&writer.strings), writer.strings.length);
		rc = blocks_write(out, writer.blocks, level, err);
	}
	HASH_CLEAR(hh, writer.known_strings);
	collection_release(&writer.all);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&writer.blocks[i]);
	strbuf_release(&writer.strings);
	arena_release(&writer.arena);
	return rc;
}

int archive_write(struct strbuf *out, const struct archive_head *head, const struct abi *const *documents,
		  struct err *err)
{
	return write_archive(out, head, documents, FILE_LEVEL, err);
}

int archive_pack(struct strbuf *out, const struct abi *abi, struct err *err)
{
	const struct source_version version = { .name = abi->version, .commit = abi->commit,
						 .parent = SOURCE_NO_PARENT };
	const struct archive_head head = { .driver = abi->driver, .profile = "", .targets = &abi->target,
					   .target_count = 1, .versions = &version, .count = 1 };

	varint_put(out, abi->absent_count);
	for (size_t i = 0; i < abi->absent_count; i++)
		text_put(out, abi->absent[i]);
	return write_archive(out, &head, &abi, QUICK_LEVEL, err);
}
