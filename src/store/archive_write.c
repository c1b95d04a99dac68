/*
 * Writes documents as an archive. The format and the term "thing" are explained in internal.h.
 *
 * 1. Documents are collected in the order of versions, first all of the first target, then those of the next
 *    target. The numbers of versions continue from target to target, so that a thing has one list of spans.
 * 2. For each kind, add_all() walks through the sorted elements of the document and of the previous document
 *    in parallel. Documents of one run share memory: an element with the same pointers is the same thing as
 *    in the previous document, and its contents are not compared.
 * 3. For any other element, element_parts() writes the whole element into a key, and pool_add() looks up the
 *    key. If the key is found, an earlier version has the same thing. Otherwise, the thing is new.
 * 4. The line number of a declaration is not in the key, because it changes in most versions. The key has
 *    path and column, and the line number is appended to the list for this path. After all elements of a
 *    document, add_lines() makes a thing from each list, so that versions with equal files share the list.
 * 5. Things with the same name are put next to each other, because zstd compresses them best in this order.
 * 6. put_things() writes things and version sets to separate blocks. clip_versions() finds the spans of one
 *    target. At its first use, a string or layout itself is written, and at later uses its number. The strings
 *    are written last, when all of them are known.
 */
#include "store/internal.h"

/* --- things ------------------------------------------------------------------ */

/*
 * A distinct element of the documents. Elements with the same key are the same thing. A pool owns its things
 * and their keys.
 */
struct thing {
	const void *of;     /* the thing's value: an element of the first document that has it */
	size_t number;      /* things are numbered in the order of addition */
	struct place place; /* for records, enums and ioctls; lists of lines have only a path */
	size_t layout;      /* for records: the layout's number */
	const char *key;    /* key_size bytes */
	size_t key_size;
	struct abi_span *spans; /* the versions that have the thing, in order */
	size_t span_count, span_capacity;
	UT_hash_handle hh;
};

struct pool {
	struct thing **things; /* in the order of addition, until sort_things() */
	size_t count, capacity;
	struct thing *by_key;
	struct arena arena;    /* owns the things */
};

/* The elements of the previous document, and their things. */
struct collect_before {
	struct abi_items elements; /* the previous document's elements; none for the first document */
	size_t at;                 /* the elements before this index need not be searched any more */
	struct thing **things;     /* indexed by element; malloc'd */
};

/* The distinct elements of all documents. The collection owns everything except the documents. */
struct collection {
	struct pool paths;     /* the key is the path, without NUL */
	struct pool layouts;   /* @of is a struct abi_record, whose name and source are ignored */
	struct pool things[ABI_KIND_COUNT]; /* @of is a struct abi_record and so on */
	struct pool warnings;  /* lists of warnings; @of is the struct abi that has the list */
	struct pool lines;     /* lists of lines; the key is the path's number, then the bytes to write */
	struct strbuf key;     /* the key of the thing that is being added */
	struct strbuf *file_lines; /* indexed by path: the lines of the document that is being added */
	uint32_t *last_line;       /* indexed by path: the line that was added last */
	size_t file_capacity;
	struct collect_before before[ABI_KIND_COUNT];
};

/* Finds the thing with @key, or adds one. The caller sets of, place and layout of a new thing. */
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
	ARRAY_GROW(pool->things, pool->count, pool->capacity);
	pool->things[pool->count++] = thing;
	return thing;
}

static void pool_release(struct pool *pool)
{
	HASH_CLEAR(hh, pool->by_key);
	for (size_t i = 0; i < pool->count; i++)
		free(pool->things[i]->spans);
	free(pool->things);
	arena_release(&pool->arena);
}

/* Keys are never parsed. Numbers are written as they are in memory, and texts with their NUL. */
static void key_number(void *to, uint64_t number)
{
	struct collection *all = to;

	strbuf_add(&all->key, &number, sizeof(number));
}

/* NULL and the empty text give different keys. */
static void key_text(void *to, const char *text)
{
	struct collection *all = to;

	strbuf_addch(&all->key, text ? '+' : '-');
	if (text)
		text_put(&all->key, text);
}

/* Writes an element, from a copy, because element_parts() sets each part. */
static void put_element(struct parts *parts, enum abi_kind kind, const void *element, struct place place)
{
	union {
		struct abi_record record;
		struct abi_alias alias;
		struct abi_enum one;
		struct abi_constant constant;
		struct abi_ioctl ioctl;
	} copy;

	memcpy(&copy, element, abi_item_bytes(kind));
	element_parts(parts, kind, &copy, &place);
}

static void put_layout(struct parts *parts, const struct abi_record *record)
{
	struct abi_record copy = *record;

	layout_parts(parts, &copy);
}

static void put_warnings(struct parts *parts, const struct abi *abi)
{
	struct abi copy = *abi;

	warning_parts(parts, &copy);
}

static void add_line(struct collection *all, size_t path, const char *source)
{
	struct location location = location_split(source);

	if (location.form == ARCHIVE_LOCATION_WHOLE)
		return;
	varint_put(&all->file_lines[path], varint_folded((int64_t)location.line - all->last_line[path]));
	all->last_line[path] = location.line;
}

/* Adds the line of a declaration to the list for its path. Return: its path and column */
static struct place add_place(struct collection *all, const char *source)
{
	const struct location location = location_split(source);
	const size_t old = all->file_capacity;
	struct thing *path;

	strbuf_reset(&all->key);
	strbuf_add(&all->key, source, location.path_length);
	path = pool_add(&all->paths, &all->key);
	if (path->number >= old) {
		all->file_capacity = old ? 2 * old : 256;
		all->file_lines = xrealloc(all->file_lines, all->file_capacity * sizeof(*all->file_lines));
		all->last_line = xrealloc(all->last_line, all->file_capacity * sizeof(*all->last_line));
		memset(all->file_lines + old, 0, (all->file_capacity - old) * sizeof(*all->file_lines));
		memset(all->last_line + old, 0, (all->file_capacity - old) * sizeof(*all->last_line));
	}
	add_line(all, path->number, source);
	return (struct place){ (uint32_t)path->number, location.form };
}

/* --- the previous document -------------------------------------------------- */

/*
 * Finds the thing of @element if the previous document has an element with the same bytes, and so with the
 * same pointers. Different padding does no harm: the thing is then found by its key. Return: NULL if there is
 * no such element.
 */
static struct thing *before_find(struct collect_before *before, enum abi_kind kind, const void *element)
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
 * Adds @version to the spans of @thing. Versions are added in ascending order. @of: the element, which is the
 * value of a new thing
 */
static int add_version(struct thing *thing, const void *of, const char *name, uint32_t version,
		       struct err *err)
{
	struct abi_span *last = thing->span_count ? &thing->spans[thing->span_count - 1] : NULL;

	if (!thing->of)
		thing->of = of;
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
 * Adds the line of @element to the lines of its file. Return: the thing that equals @element; a new thing if
 * there is none.
 */
static struct thing *add_element(struct collection *all, enum abi_kind kind, const void *element)
{
	struct parts key = { .number = key_number, .text = key_text, .to = all };
	const char **source = abi_item_source(kind, element);
	const struct place place = source ? add_place(all, *source) : (struct place){ 0, 0 };
	struct thing *thing, *layout = NULL;

	if (kind == ABI_RECORD) {
		strbuf_reset(&all->key);
		put_layout(&key, element);
		layout = pool_add(&all->layouts, &all->key);
		if (!layout->of)
			layout->of = element;
	}
	strbuf_reset(&all->key);
	put_element(&key, kind, element, place);
	key_number(all, layout ? layout->number : 0);
	thing = pool_add(&all->things[kind], &all->key);
	thing->place = place;
	thing->layout = layout ? layout->number : 0;
	return thing;
}

/* Adds all elements of one kind. */
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

		now[i] = before_find(before, kind, element);
		if (!now[i])
			now[i] = add_element(all, kind, element);
		else if (source)
			add_line(all, now[i]->place.path, *source);
		rc = add_version(now[i], element, abi_item_name(kind, element), version, err);
	}
	free(before->things);
	*before = (struct collect_before){ .elements = elements, .things = now };
	return rc;
}

/* Adds the lists of lines of a document, after all of its elements. */
static int add_lines(struct collection *all, uint32_t version, struct err *err)
{
	struct thing *thing;
	int rc = 0;

	for (size_t path = 0; !rc && path < all->paths.count; path++) {
		struct strbuf *lines = &all->file_lines[path];

		if (!lines->length)
			continue;
		strbuf_reset(&all->key);
		key_number(all, path);
		strbuf_add(&all->key, lines->text, lines->length);
		thing = pool_add(&all->lines, &all->key);
		thing->place.path = (uint32_t)path;
		rc = add_version(thing, all, "the lines of a file", version, err);
		strbuf_reset(lines);
		all->last_line[path] = 0;
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
	struct parts key = { .number = key_number, .text = key_text, .to = all };
	int rc = 0;

	for (size_t i = 0; !rc && i < ABI_KIND_COUNT; i++)
		rc = add_all(all, order[i], abi, version, err);
	if (!rc && abi->warning_count) {
		/* One thing, because the list is short, and often the same in a whole branch. */
		strbuf_reset(&all->key);
		put_warnings(&key, abi);
		rc = add_version(pool_add(&all->warnings, &all->key), abi, "its warnings", version, err);
	}
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

/* Sorts things and lists of lines. Layouts and paths keep the order of their first use. */
static void sort_things(struct collection *all)
{
	for (int i = 0; i < ABI_KIND_COUNT; i++) {
		struct pool *pool = &all->things[i];
		enum abi_kind kind = (enum abi_kind)i;

		if (pool->count)
			qsort_r(pool->things, pool->count, sizeof(*pool->things), order_things, &kind);
	}
	sort_items(all->lines.things, all->lines.count, sizeof(*all->lines.things), order_lines);
}

static void collection_release(struct collection *all)
{
	pool_release(&all->paths);
	pool_release(&all->layouts);
	pool_release(&all->warnings);
	pool_release(&all->lines);
	for (size_t i = 0; i < all->file_capacity; i++)
		strbuf_release(&all->file_lines[i]);
	free(all->file_lines);
	free(all->last_line);
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		pool_release(&all->things[kind]);
		free(all->before[kind].things);
	}
	strbuf_release(&all->key);
}

/* --- the blocks of the file ---------------------------------------------------- */

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
	struct parts file = { .number = put_number, .text = put_text, .to = writer };

	put_number(writer, pool->count);
	for (size_t i = 0; i < pool->count; i++) {
		const struct thing *thing = pool->things[i];
		uint64_t *layout = &writer->layout_written[thing->layout];

		put_version_set(writer, thing);
		if (kind == ABI_KIND_COUNT)
			put_warnings(&file, thing->of);
		else
			put_element(&file, (enum abi_kind)kind, thing->of, thing->place);
		if (kind != ABI_RECORD)
			continue;
		put_number(writer, *layout ? *layout : ARCHIVE_LAYOUT_NEW);
		if (!*layout) {
			*layout = ARCHIVE_LAYOUT_KNOWN + writer->layout_count++;
			put_layout(&file, writer->all.layouts.things[thing->layout]->of);
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
		if ((rc = add_document(&writer->all, documents[i], (uint32_t)i, err)))
			err_prefix(err, "%s", name);
	}
	return rc;
}

/* The compression levels of archives and of cache entries. Decompression is equally fast for both. */
enum { FILE_LEVEL = 19, QUICK_LEVEL = 1 };

/*
 * @documents: the documents of all versions for the first target, then those for the next one. @level: of
 * zstd
 */
static int write_archive(struct strbuf *out, const struct archive_head *head,
			 const struct abi *const *documents, int level, struct err *err)
{
	struct writer writer = { .head = head };
	struct strbuf *strings = &writer.blocks[ARCHIVE_STRINGS];
	int rc;

	if (!(rc = collect_documents(&writer, documents, err))) {
		sort_things(&writer.all);
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
