/*
 * Writes documents as an archive. The format and the term "thing" are explained in internal.h.
 *
 * 1. Documents are collected in the order of versions, first all of the first target, then those of the next
 *    target. The numbers of versions continue from target to target, so that a thing has one list of spans.
 * 2. For each kind, add_all() walks through the sorted elements of the document and of the previous document
 *    in parallel. Documents of one run share memory: an element with the same pointers is the same thing as
 *    in the previous document, and its contents are not compared.
 * 3. For any other element, thing_put() writes the whole element into a key, and pool_add() looks up the
 *    key. If the key is found, an earlier version has the same thing. Otherwise, the thing is new.
 * 4. The line number of a declaration is not in the key, because it changes in most versions. The key has
 *    path and column, and the line number is appended to the list for this path. After all elements of a
 *    document, add_lines() makes a thing from each list, so that versions with equal files share the list.
 * 5. Things with the same name are put next to each other, because zstd compresses them best in this order.
 * 6. put_things() writes things and version sets to separate blocks. clip_versions() finds the spans of one
 *    target. At its first use, a string or layout itself is written, and at later uses its number. The
 *    strings are written last, when all of them are known.
 */
#include "store/internal.h"

/* --- things ------------------------------------------------------------------ */

/* The lines of one file in the document that is being added. */
struct file_lines {
	struct strbuf bytes;
	uint32_t last; /* the line that was added last */
};

/*
 * A distinct element of the documents. Elements with the same key are the same thing. A pool owns its things
 * and their keys.
 */
struct thing {
	const void *of;     /* the thing's value: an element of the first document that has it */
	size_t number;      /* things are numbered in the order of addition */
	struct place place; /* for records, enums and ioctls; lists of lines have only a path */
	struct thing *layout; /* for records; NULL for other things */
	uint64_t written;   /* for layouts: ARCHIVE_LAYOUT_KNOWN plus the number in the file; or 0 */
	struct file_lines *lines; /* for paths */
	const char *key;    /* key_size bytes */
	size_t key_size;
	struct abi_span *spans; /* the versions that have the thing, in order */
	size_t span_count, span_capacity;
	UT_hash_handle hh;
};

struct pool {
	struct thing **things; /* in the order of addition, until sort_things() */
	size_t count;
	struct thing *by_key;
	struct arena arena;    /* owns the things */
};

/* The elements of the previous document, and their things. */
struct collect_before {
	struct abi_items elements; /* the previous document's elements; none for the first document */
	size_t at;                 /* the elements before this index need not be searched any more */
	struct thing **things;     /* indexed by element; malloc'd */
};

/* The pools: one for each kind of things, and: */
enum {
	POOL_STRINGS = THING_LAYOUT + 1, /* strings that were written, in this order; the key has the NUL */
	POOL_PATHS, /* the key is the path, with its NUL */
	POOL_LINES, /* lists of lines; the key is the path's number, then the bytes to write */
	POOL_COUNT,
};

/* The distinct elements of all documents. The collection owns everything except the documents. */
struct collection {
	struct pool pools[POOL_COUNT];
	struct strbuf key;     /* the key of the thing that is being added */
	struct collect_before before[ABI_KIND_COUNT];
};

/* Finds the thing with @key, so that it is written once, or adds one, whose fields the caller sets. */
static struct thing *pool_add(struct pool *pool, const struct strbuf *key)
{
	struct thing *thing;
	unsigned int hash;

	HASH_VALUE(strbuf_text(key), key->length, hash);
	HASH_FIND_BYHASHVALUE(hh, pool->by_key, strbuf_text(key), key->length, hash, thing);
	if (thing)
		return thing;
	thing = arena_alloc(&pool->arena, sizeof(*thing));
	thing->number = pool->count;
	thing->key = arena_memdup(&pool->arena, strbuf_text(key), key->length);
	thing->key_size = key->length;
	HASH_ADD_KEYPTR_BYHASHVALUE(hh, pool->by_key, thing->key, key->length, hash, thing);
	pool->things = arena_room(&pool->arena, pool->things, pool->count, sizeof(*pool->things));
	pool->things[pool->count++] = thing;
	return thing;
}

/* Keys are never parsed. Numbers are written as they are in memory, and texts with their NUL. */
static void key_number(void *to, uint64_t number)
{
	struct collection *all = to;

	strbuf_add(&all->key, &number, sizeof(number));
}

/* Appends a text to the key of a thing, for thing_put(). NULL and the empty text give different keys. */
static void key_text(void *to, const char *text)
{
	struct collection *all = to;

	strbuf_addch(&all->key, text ? '+' : '-');
	if (text)
		text_put(&all->key, text);
}

/* Finds the thing that equals @of, or adds it. @layout: the layout of a record; otherwise NULL */
static struct thing *add_thing(struct collection *all, size_t kind, const void *of, struct place place,
			       struct thing *layout)
{
	struct parts key = { .number = key_number, .text = key_text, .to = all };
	struct thing *thing;

	strbuf_reset(&all->key);
	thing_put(&key, kind, of, place);
	key_number(all, layout ? layout->number : 0);
	thing = pool_add(&all->pools[kind], &all->key);
	if (!thing->of)
		thing->of = of;
	thing->place = place;
	thing->layout = layout;
	return thing;
}

/* Appends the line number in @source, if it has one, as the difference from the previous one. */
static void add_line(struct file_lines *lines, const char *source)
{
	struct location location = location_split(source);

	if (location.form == ARCHIVE_LOCATION_WHOLE)
		return;
	varint_put(&lines->bytes, varint_folded((int64_t)location.line - lines->last));
	lines->last = location.line;
}

/*
 * Adds the line of a new declaration to the lines of its path in this document. The line is not part of the
 * element, because it changes in most versions. Return: the path and column, which are
 */
static struct place add_place(struct collection *all, const char *source)
{
	const struct location location = location_split(source);
	struct thing *path;

	strbuf_reset(&all->key);
	strbuf_add(&all->key, source, location.path_length);
	strbuf_addch(&all->key, '\0');
	path = pool_add(&all->pools[POOL_PATHS], &all->key);
	if (!path->lines)
		path->lines = arena_alloc(&all->pools[POOL_PATHS].arena, sizeof(*path->lines));
	add_line(path->lines, source);
	return (struct place){ (uint32_t)path->number, location.form };
}

/* --- the previous document -------------------------------------------------- */

/*
 * Finds the thing of @element if the previous document has an element with the same bytes, and so with the
 * same pointers; otherwise NULL. Different padding does no harm: the thing is then found by its key. The
 * elements must be searched in order, because the search continues where the last one ended.
 */
static struct thing *find_in_previous(struct collect_before *before, enum abi_kind kind, const void *element)
{
	const size_t size = before->elements.size_bytes;

	for (; before->at < before->elements.count; before->at++) {
		const char *other = before->elements.first + before->at * size;

		if (!memcmp(other, element, size))
			return before->things[before->at++];
		if (abi_order_items(kind, other, element) >= 0)
			break;
	}
	return NULL;
}

/* --- the contents of one document ------------------------------------------ */

/*
 * Adds @version to the spans of @thing. Versions are added in ascending order. @name: for messages. Return:
 * 0; ERR_FORMAT if the thing already has the version.
 */
static int add_version(struct thing *thing, const char *name, uint32_t version, struct err *err)
{
	struct abi_span *last = thing->span_count ? &thing->spans[thing->span_count - 1] : NULL;

	if (last && last->until > version)
		return err_set(err, ERR_FORMAT, "the document has %s twice", name);
	if (last && last->until == version) {
		last->until++;
		return 0;
	}
	ARRAY_GROW(thing->spans, thing->span_count, thing->span_capacity);
	thing->spans[thing->span_count++] = (struct abi_span){ version, version + 1 };
	return 0;
}

/*
 * Finds the thing that equals @element, or adds it, with the layout of a record. Also adds the line of
 * @element to the lines of its file. Return: the thing.
 */
static struct thing *add_element(struct collection *all, enum abi_kind kind, const void *element)
{
	const char **source = abi_item_source(kind, element);
	const struct place none = { 0, 0 }, place = source ? add_place(all, *source) : none;
	struct thing *layout =
		kind == ABI_RECORD ? add_thing(all, THING_LAYOUT, element, none, NULL) : NULL;

	return add_thing(all, kind, element, place, layout);
}

/*
 * Adds @version to the things of all elements of one kind, and adds the things that are new. Then @abi is
 * the previous document in all->before. Return: 0; ERR_FORMAT if an element occurs twice.
 */
static int add_all(struct collection *all, enum abi_kind kind, const struct abi *abi, uint32_t version,
		   struct err *err)
{
	const struct abi_items elements = abi_items(abi, kind);
	struct collect_before *before = &all->before[kind];
	struct thing **now = xmalloc((elements.count + 1) * sizeof(*now));
	int rc = 0;

	before->at = 0;
	for (size_t i = 0; !rc && i < elements.count; i++) {
		const void *element = elements.first + i * elements.size_bytes;
		const char **source = abi_item_source(kind, element);

		now[i] = find_in_previous(before, kind, element);
		if (!now[i])
			now[i] = add_element(all, kind, element);
		else if (source)
			add_line(all->pools[POOL_PATHS].things[now[i]->place.path]->lines, *source);
		rc = add_version(now[i], abi_item_name(kind, element), version, err);
	}
	free(before->things);
	*before = (struct collect_before){ .elements = elements, .things = now };
	return rc;
}

/* Adds @version to the document's lists of lines, and empties the lists. Return: 0; ERR_FORMAT. */
static int add_lines(struct collection *all, uint32_t version, struct err *err)
{
	struct thing *thing;
	int rc = 0;

	for (size_t path = 0; !rc && path < all->pools[POOL_PATHS].count; path++) {
		struct file_lines *lines = all->pools[POOL_PATHS].things[path]->lines;

		if (!lines->bytes.length)
			continue;
		strbuf_reset(&all->key);
		key_number(all, path);
		strbuf_add(&all->key, lines->bytes.text, lines->bytes.length);
		thing = pool_add(&all->pools[POOL_LINES], &all->key);
		thing->place.path = (uint32_t)path;
		rc = add_version(thing, "the lines of a file", version, err);
		strbuf_reset(&lines->bytes);
		lines->last = 0;
	}
	return rc;
}

/*
 * Adds all elements of @abi, which must outlive @all, for @version. Versions are added in ascending order.
 * Return: 0; ERR_FORMAT if @abi has an element twice.
 */
static int add_document(struct collection *all, const struct abi *abi, uint32_t version, struct err *err)
{
	/* Records, enums and ioctls have lines, which the format has in this order. */
	static const enum abi_kind order[ABI_KIND_COUNT] = { ABI_RECORD, ABI_ENUM, ABI_IOCTL, ABI_ALIAS,
							     ABI_CONSTANT };
	int rc = 0;

	for (size_t i = 0; !rc && i < ABI_KIND_COUNT; i++)
		rc = add_all(all, order[i], abi, version, err);
	/* All warnings are one thing, because the list is short, and often the same in a whole branch. */
	if (!rc && abi->warning_count)
		rc = add_version(add_thing(all, THING_WARNINGS, abi, (struct place){ 0, 0 }, NULL),
				 "its warnings", version, err);
	return rc ? rc : add_lines(all, version, err);
}

/* Compares things of @kind by their order in a document, and then by their first version, for qsort_r(). */
static int order_things(const void *a, const void *b, void *kind)
{
	const struct thing *x = *(const struct thing *const *)a, *y = *(const struct thing *const *)b;

	return abi_order_items(*(const enum abi_kind *)kind, x->of, y->of)
		?: compare_numbers(x->number, y->number);
}

/* Compares lists of lines by path, so that similar lists are adjacent: zstd compresses them better. */
static int order_lines(const void *a, const void *b)
{
	const struct thing *x = *(const struct thing *const *)a, *y = *(const struct thing *const *)b;

	return compare_numbers(x->place.path, y->place.path) ?: compare_numbers(x->number, y->number);
}

/*
 * Sorts things into the order of documents, as the format requires, and lists of lines by path. Warnings,
 * layouts and paths keep the order of their first use.
 */
static void sort_things(struct collection *all)
{
	struct pool *lines = &all->pools[POOL_LINES];

	for (enum abi_kind kind = ABI_RECORD; kind <= ABI_IOCTL; kind++)
		if (all->pools[kind].count)
			qsort_r(all->pools[kind].things, all->pools[kind].count, sizeof(struct thing *),
				order_things, &kind);
	sort_items(lines->things, lines->count, sizeof(*lines->things), order_lines);
}

static void collection_release(struct collection *all)
{
	for (struct pool *pool = all->pools; pool < all->pools + POOL_COUNT; pool++) {
		HASH_CLEAR(hh, pool->by_key);
		for (size_t i = 0; i < pool->count; i++) {
			if (pool->things[i]->lines)
				strbuf_release(&pool->things[i]->lines->bytes);
			free(pool->things[i]->spans);
		}
		arena_release(&pool->arena);
	}
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		free(all->before[kind].things);
	strbuf_release(&all->key);
}

/* --- the blocks of the file ---------------------------------------------------- */

/* The state of writing a collection. */
struct writer {
	struct collection all;
	struct strbuf blocks[ARCHIVE_BLOCK_COUNT];
	uint64_t layout_count; /* number of layouts that were written */
	const struct archive_head *head;
};

static void put_number(void *to, uint64_t number)
{
	struct writer *writer = to;

	varint_put(&writer->blocks[ARCHIVE_THINGS], number);
}

/* Writes a text as its number, and adds a new text to the strings, which put_strings() writes. */
static void put_text(void *to, const char *text)
{
	struct writer *writer = to;
	struct collection *all = &writer->all;
	const size_t before = all->pools[POOL_STRINGS].count;
	const struct thing *string;

	if (!text) {
		put_number(writer, ARCHIVE_STRING_NULL);
		return;
	}
	strbuf_reset(&all->key);
	text_put(&all->key, text);
	string = pool_add(&all->pools[POOL_STRINGS], &all->key);
	put_number(writer, string->number == before ? ARCHIVE_STRING_NEXT
						    : ARCHIVE_STRING_FIRST + string->number);
}

/* Writes the block ARCHIVE_STRINGS, after all other blocks, when all strings are known. */
static void put_strings(struct writer *writer)
{
	const struct pool *strings = &writer->all.pools[POOL_STRINGS];
	struct strbuf *out = &writer->blocks[ARCHIVE_STRINGS];

	varint_put(out, strings->count);
	for (size_t i = 0; i < strings->count; i++)
		strbuf_add(out, strings->things[i]->key, strings->things[i]->key_size);
}

/* Sets @out to the spans of @thing from @first to @end, relative to @first. Return: their number. */
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

/* Writes the versions that have @thing, for each target; only a mark if the previous target has the same. */
static void put_version_set(struct writer *writer, const struct thing *thing)
{
	struct strbuf *out = &writer->blocks[ARCHIVE_VERSION_SETS];
	struct abi_span *before = xmalloc((thing->span_count + 1) * sizeof(*before));
	struct abi_span *spans = xmalloc((thing->span_count + 1) * sizeof(*spans));
	size_t before_count = 0;

	for (uint32_t target = 0; target < writer->head->target_count; target++) {
		const uint32_t versions = (uint32_t)writer->head->graph.count;
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

/* Writes things and their version sets. A layout is written at its first use, and later its number. */
static void put_pool(struct writer *writer, size_t kind)
{
	struct parts file = { .number = put_number, .text = put_text, .to = writer };
	const struct pool *pool = &writer->all.pools[kind];

	put_number(writer, pool->count);
	for (size_t i = 0; i < pool->count; i++) {
		const struct thing *thing = pool->things[i];
		struct thing *layout = thing->layout;

		put_version_set(writer, thing);
		thing_put(&file, kind, thing->of, thing->place);
		if (layout)
			put_number(writer, layout->written ? layout->written : ARCHIVE_LAYOUT_NEW);
		if (layout && !layout->written) {
			layout->written = ARCHIVE_LAYOUT_KNOWN + writer->layout_count++;
			thing_put(&file, THING_LAYOUT, layout->of, thing->place);
		}
	}
}

/* Writes the block ARCHIVE_THINGS, and the version sets of all things. */
static void put_things(struct writer *writer)
{
	const struct pool *paths = &writer->all.pools[POOL_PATHS];

	put_number(writer, paths->count);
	for (size_t i = 0; i < paths->count; i++)
		put_text(writer, paths->things[i]->key);
	put_number(writer, writer->all.pools[THING_LAYOUT].count);
	for (size_t kind = 0; kind < THING_KIND_COUNT; kind++)
		put_pool(writer, kind);
}

/* Writes the block ARCHIVE_LINES: lists of the line numbers in one file, and their version sets. */
static void put_lines(struct writer *writer)
{
	const struct pool *lists = &writer->all.pools[POOL_LINES];
	struct strbuf *out = &writer->blocks[ARCHIVE_LINES];

	varint_put(out, lists->count);
	for (size_t i = 0; i < lists->count; i++) {
		const struct thing *thing = lists->things[i];
		size_t size = thing->key_size - sizeof(uint64_t); /* without the path's number in the key */

		put_version_set(writer, thing);
		varint_put(out, thing->place.path);
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

/* Writes the block ARCHIVE_VERSIONS. */
static void put_head(struct strbuf *out, const struct archive_head *head)
{
	text_put(out, head->driver);
	text_put(out, head->profile);
	varint_put(out, head->generation);
	texts_put(out, head->targets, head->target_count);
	graph_put(out, &head->graph);
}

/*
 * Collects the things of the documents of all targets. Version numbers continue from target to target.
 * Return: 0; ERR_FORMAT if a document has a different driver or target, or an element twice; ERR_LIMIT.
 */
static int collect_documents(struct writer *writer, const struct abi *const *documents, struct err *err)
{
	const struct archive_head *head = writer->head;
	const size_t count = head->target_count * head->graph.count;
	int rc = 0;

	if (head->target_count > ARCHIVE_TARGETS_MAX || head->graph.count >= UINT32_MAX / ARCHIVE_TARGETS_MAX)
		return err_set(err, ERR_LIMIT, "%zu versions for %zu targets are too many for one archive",
			       head->graph.count, head->target_count);
	for (size_t i = 0; !rc && i < count; i++) {
		const char *name = head->graph.versions[i % head->graph.count].name;
		const char *target = head->targets[i / head->graph.count];

		if (strcmp(documents[i]->driver, head->driver) || strcmp(documents[i]->target, target))
			return err_set(err, ERR_FORMAT, "%s is for %s on %s, but the archive is for %s on %s",
				       name, documents[i]->driver, documents[i]->target, head->driver,
				       target);
		if ((rc = add_document(&writer->all, documents[i], (uint32_t)i, err)))
			err_prefix(err, "%s", name);
	}
	return rc;
}

/* The compression levels of archives and of cache entries. Decompression is equally fast for both. */
enum { FILE_LEVEL = 19, QUICK_LEVEL = 1 };

/*
 * Appends an archive to @out. @documents: the documents of all versions for the first target, then those for
 * the next one. @level: of zstd. Return: 0; ERR_FORMAT; ERR_LIMIT; on errors, @out is not changed.
 */
static int write_archive(struct strbuf *out, const struct archive_head *head,
			 const struct abi *const *documents, int level, struct err *err)
{
	struct writer writer = { .head = head };
	int rc;

	if (!(rc = collect_documents(&writer, documents, err))) {
		sort_things(&writer.all);
		put_head(&writer.blocks[ARCHIVE_VERSIONS], head);
		put_things(&writer);
		put_lines(&writer);
		put_strings(&writer);
		rc = blocks_write(out, writer.blocks, level, err);
	}
	collection_release(&writer.all);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&writer.blocks[i]);
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
					   .target_count = 1, .graph = { .versions = &version, .count = 1 } };

	texts_put(out, abi->absent, abi->absent_count);
	return write_archive(out, &head, &abi, QUICK_LEVEL, err);
}
