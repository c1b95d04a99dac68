/*
 * Collects the distinct elements ("things") of all documents:
 *
 * 1. Documents are added in the order of versions. For each kind, add_all() walks through the sorted elements
 *    of the document and of the previous document in parallel. Documents of one run share memory: an element
 *    with the same pointers is the same thing as in the previous document, and its contents are not compared.
 * 2. For any other element, element_parts() writes the whole element into a key, and pool_add() looks up the
 *    key. If the key is found, an earlier version has the same thing. Otherwise, the thing is new.
 * 3. The line number of a declaration is not in the key, because it changes in most versions. add_location()
 *    puts path and column into the key, and appends the line number to the list for this path.
 * 4. add_version() adds the version to the thing's spans.
 * 5. After all elements of a document, add_lines() makes a thing from each list of lines, so that versions
 *    with equal files share the list.
 * 6. After the last document, collection_sort() puts things with the same name next to each other, because
 *    zstd compresses them best in this order.
 */
#include "store/internal.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- the parts of an element, for its key and for the archive --------------- */

static void value_parts(const struct part_sink *sink, struct abi_number value)
{
	sink->number(sink->to, value.negative);
	sink->number(sink->to, value.magnitude);
}

static void location_parts(const struct part_sink *sink, size_t path, const char *source)
{
	sink->number(sink->to, path);
	sink->number(sink->to, location_split(source).form);
}

void element_parts(const struct part_sink *sink, enum abi_kind kind, const void *element, size_t path)
{
	const struct abi_record *record = element;
	const struct abi_alias *alias = element;
	const struct abi_enum *one = element;
	const struct abi_constant *constant = element;
	const struct abi_ioctl *ioctl = element;

	switch (kind) {
	case ABI_RECORD:
		sink->text(sink->to, record->name);
		location_parts(sink, path, record->source);
		break;
	case ABI_ALIAS:
		sink->text(sink->to, alias->name);
		sink->text(sink->to, alias->type);
		sink->number(sink->to, alias->size_bytes);
		break;
	case ABI_ENUM:
		sink->text(sink->to, one->name);
		location_parts(sink, path, one->source);
		sink->text(sink->to, one->type);
		sink->number(sink->to, one->size_bytes);
		sink->number(sink->to, one->value_count);
		for (size_t i = 0; i < one->value_count; i++) {
			sink->text(sink->to, one->values[i].name);
			value_parts(sink, one->values[i].value);
		}
		break;
	case ABI_CONSTANT:
		sink->text(sink->to, constant->name);
		value_parts(sink, constant->value);
		break;
	case ABI_IOCTL:
		sink->text(sink->to, ioctl->family);
		sink->text(sink->to, ioctl->name);
		location_parts(sink, path, ioctl->source);
		sink->number(sink->to, ioctl->number);
		sink->text(sink->to, ioctl->params);
		sink->text(sink->to, ioctl->access);
		sink->number(sink->to, abi_ioctl_head(ioctl));
		if (abi_ioctl_is_encoded(ioctl) && ioctl->argument)
			sink->text(sink->to, ioctl->argument);
		for (size_t i = 0; i < ioctl->flag_count; i++)
			sink->text(sink->to, ioctl->flags[i]);
		break;
	}
}

void layout_parts(const struct part_sink *sink, const struct abi_record *record)
{
	sink->number(sink->to, record->size_bytes);
	sink->number(sink->to, record->align_bytes);
	sink->number(sink->to, record->is_union);
	sink->number(sink->to, record->field_count);
	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		sink->text(sink->to, field->name);
		sink->text(sink->to, field->type);
		sink->number(sink->to, field->offset_bits);
		sink->number(sink->to, field->size_bits);
		sink->number(sink->to, (uint64_t)field->role << ARCHIVE_FIELD_ROLE_SHIFT |
					       (field->is_bitfield ? ARCHIVE_FIELD_BITFIELD : 0));
	}
}

void warning_parts(const struct part_sink *sink, const struct abi *abi)
{
	sink->number(sink->to, abi->warning_count);
	for (size_t i = 0; i < abi->warning_count; i++) {
		sink->text(sink->to, abi->warnings[i].place);
		sink->text(sink->to, abi->warnings[i].text);
	}
}

/* --- things ------------------------------------------------------------------ */

/* pool_add - find the thing with @key, or add one. The caller sets of, path and layout of a new thing. */
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

static void add_line(struct collection *all, size_t path, const char *source)
{
	struct location location = location_split(source);

	if (location.form == ARCHIVE_LOCATION_WHOLE)
		return;
	varint_put(&all->file_lines[path], varint_folded((int64_t)location.line - all->last_line[path]));
	all->last_line[path] = location.line;
}

/* Adds the line of a declaration to the list for its path. Return: the path's number. */
static size_t add_location(struct collection *all, const char *source)
{
	const size_t old = all->file_capacity;
	struct thing *path;

	strbuf_reset(&all->key);
	strbuf_add(&all->key, source, location_split(source).path_length);
	path = pool_add(&all->paths, &all->key);
	if (path->number >= old) {
		all->file_capacity = old ? 2 * old : 256;
		all->file_lines = xrealloc(all->file_lines, all->file_capacity * sizeof(*all->file_lines));
		all->last_line = xrealloc(all->last_line, all->file_capacity * sizeof(*all->last_line));
		memset(all->file_lines + old, 0, (all->file_capacity - old) * sizeof(*all->file_lines));
		memset(all->last_line + old, 0, (all->file_capacity - old) * sizeof(*all->last_line));
	}
	add_line(all, path->number, source);
	return path->number;
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

static struct thing *add_element(struct collection *all, enum abi_kind kind, const void *element)
{
	const struct part_sink key = { key_number, key_text, all };
	const char **source = abi_item_source(kind, element);
	const size_t path = source ? add_location(all, *source) : 0;
	struct thing *thing, *layout = NULL;

	if (kind == ABI_RECORD) {
		strbuf_reset(&all->key);
		layout_parts(&key, element);
		layout = pool_add(&all->layouts, &all->key);
		if (!layout->of)
			layout->of = element;
	}
	strbuf_reset(&all->key);
	element_parts(&key, kind, element, path);
	key_number(all, layout ? layout->number : 0);
	thing = pool_add(&all->things[kind], &all->key);
	thing->path = path;
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
			add_line(all, now[i]->path, *source);
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
		thing->path = path;
		rc = add_version(thing, all, "the lines of a file", version, err);
		strbuf_reset(lines);
		all->last_line[path] = 0;
	}
	return rc;
}

int collection_add(struct collection *all, const struct abi *abi, uint32_t version, struct err *err)
{
	/* Records, enums and ioctls have lines, which the format has in this order. */
	static const enum abi_kind order[ABI_KIND_COUNT] = { ABI_RECORD, ABI_ENUM, ABI_IOCTL, ABI_ALIAS,
							     ABI_CONSTANT };
	const struct part_sink key = { key_number, key_text, all };
	int rc = 0;

	for (size_t i = 0; !rc && i < ABI_KIND_COUNT; i++)
		rc = add_all(all, order[i], abi, version, err);
	if (!rc && abi->warning_count) {
		/* One thing, because the list is short, and often the same in a whole branch. */
		strbuf_reset(&all->key);
		warning_parts(&key, abi);
		rc = add_version(pool_add(&all->warnings, &all->key), abi, "its warnings", version, err);
	}
	return rc ? rc : add_lines(all, version, err);
}

static int order_number(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* Compares things of @kind by their order in a document, and then by their first version, for qsort_r(). */
static int order_things(const void *a, const void *b, void *kind)
{
	const struct thing *x = *(const struct thing *const *)a, *y = *(const struct thing *const *)b;
	int order = abi_order_items(*(const enum abi_kind *)kind, x->of, y->of);

	return order ? order : order_number(x->number, y->number);
}

/* Compares lists of lines by path, so that similar lists are adjacent: zstd compresses them better. */
static int order_lines(const void *a, const void *b)
{
	const struct thing *x = *(const struct thing *const *)a, *y = *(const struct thing *const *)b;
	int order = order_number(x->path, y->path);

	return order ? order : order_number(x->number, y->number);
}

void collection_sort(struct collection *all)
{
	for (int i = 0; i < ABI_KIND_COUNT; i++) {
		struct pool *pool = &all->things[i];
		enum abi_kind kind = (enum abi_kind)i;

		if (pool->count)
			qsort_r(pool->things, pool->count, sizeof(*pool->things), order_things, &kind);
	}
	if (all->lines.count)
		qsort(all->lines.things, all->lines.count, sizeof(*all->lines.things), order_lines);
}

void collection_release(struct collection *all)
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
