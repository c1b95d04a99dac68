/*
 * Makes the documents of versions from the things of a target:
 *
 * 1. For each wanted version, open_cursors() finds the list of lines of every file.
 * 2. read_things() selects the things of one kind that the version has, in the order in which
 *    archive_collect.c appended their lines. Each thing uses the next line in the list of its file.
 * 3. At the end, every line must have been used, and no name may occur twice. Otherwise, the archive is
 *    inconsistent.
 * 4. If a version does not differ from the previous version, it gets a copy of the previous document, which
 *    shares all elements.
 */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

/* --- where a thing is declared -------------------------------------------------- */

enum { DIGITS_MAX = 9 }; /* a number with up to 9 digits fits into 32 bits */

/*
 * Reads the number after the last ':' in the first @length bytes of @source. A number with leading zeros is
 * not accepted, because location_join() must restore the exact text.
 * Return: the length of the text before the ':'; 0 if there is no such number.
 */
static size_t number_before(uint32_t *number, const char *source, size_t length)
{
	size_t start = length;
	uint32_t value = 0;

	while (start && source[start - 1] >= '0' && source[start - 1] <= '9')
		start--;
	if (start == length || length - start > DIGITS_MAX || !start || source[start - 1] != ':')
		return 0;
	if (source[start] == '0' && length - start > 1)
		return 0;
	for (size_t i = start; i < length; i++)
		value = value * 10 + (uint32_t)(source[i] - '0');
	*number = value;
	return start - 1;
}

struct location location_split(const char *source)
{
	struct location location = { .path_length = strlen(source), .form = ARCHIVE_LOCATION_WHOLE };
	uint32_t last, line;
	size_t before_last = number_before(&last, source, location.path_length);
	size_t before_line = before_last ? number_before(&line, source, before_last) : 0;

	if (before_line)
		return (struct location){ before_line, ARCHIVE_LOCATION_COLUMN + last, line };
	if (before_last)
		return (struct location){ before_last, ARCHIVE_LOCATION_LINE, last };
	return location;
}

/* Writes ":42" at @at. Return: the end of the text. */
static char *put_decimal(char *at, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	*at++ = ':';
	while (count)
		*at++ = digits[--count];
	return at;
}

const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line,
			  struct arena *arena)
{
	enum { NUMBERS_MAX = sizeof(":4294967295:4294967295") };
	char *text, *end;

	if (form == ARCHIVE_LOCATION_WHOLE)
		return path;
	text = arena_alloc(arena, path_length + NUMBERS_MAX);
	memcpy(text, path, path_length);
	end = put_decimal(text + path_length, line);
	if (form != ARCHIVE_LOCATION_LINE)
		put_decimal(end, form - ARCHIVE_LOCATION_COLUMN);
	return text;
}

/* --- the things of a version ---------------------------------------------------- */

bool present_init(struct present *out, const struct unpacked *unpacked, struct arena *arena)
{
	size_t greatest = 0;
	bool is_sorted = true;

	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		const struct unpacked_things *things = &unpacked->things[kind];
		struct present_kind *present = &out->kinds[kind];
		const char *item = things->items;

		*present = (struct present_kind){
			.left = arena_memdup(arena, things->versions, things->count * sizeof(*present->left)),
			.rank = arena_array(arena, things->count + 1, sizeof(*present->rank)),
			.count = things->count,
			.size_bytes = things->size_bytes,
		};
		for (size_t i = 1; i < things->count; i++, item += things->size_bytes) {
			int step = abi_order_items((enum abi_kind)kind, item, item + things->size_bytes);

			present->rank[i] = present->rank[i - 1] + (step < 0);
			is_sorted &= step <= 0;
		}
		if (things->count > greatest)
			greatest = things->count;
	}
	out->things = arena_array(arena, greatest + 1, sizeof(*out->things));
	return is_sorted;
}

size_t present_list(const size_t **out, struct present *present, enum abi_kind kind, uint32_t version,
		    bool *failed)
{
	const struct present_kind *all = &present->kinds[kind];
	size_t count = 0;

	for (size_t thing = 0; thing < all->count; thing++) {
		struct version_set *left = &all->left[thing];

		for (; left->count && left->spans->until <= version; left->count--)
			left->spans++;
		if (!left->count || left->spans->from > version)
			continue;
		if (count && all->rank[present->things[count - 1]] == all->rank[thing])
			*failed = true;
		present->things[count++] = thing;
	}
	*out = present->things;
	return count;
}

size_t present_bytes(const struct present *present, const bool *wanted, size_t count)
{
	int64_t *edges = xmalloc((count + 1) * sizeof(*edges)); /* size difference from version to version */
	size_t size = 0, all = 0;

	memset(edges, 0, (count + 1) * sizeof(*edges));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		const struct present_kind *kind = &present->kinds[i];

		for (size_t thing = 0; thing < kind->count; thing++)
			for (size_t k = 0; k < kind->left[thing].count; k++) {
				edges[kind->left[thing].spans[k].from] += (int64_t)kind->size_bytes;
				edges[kind->left[thing].spans[k].until] -= (int64_t)kind->size_bytes;
			}
	}
	for (size_t i = 0; i < count; i++) {
		size += (size_t)edges[i];
		all += wanted[i] ? size : 0;
	}
	free(edges);
	return all;
}

/* --- documents ------------------------------------------------------------------ */

enum { ELEMENTS_LIMIT_BYTES = 256 * 1024 * 1024 };

/* A list of lines, and the position after the last line that was read. */
struct line_cursor {
	struct byte_reader in;
	int64_t line; /* the last line that was read */
};

/* The source of a thing in the last document that has the thing. */
struct known_source {
	const char *text; /* NULL: no document has the thing yet */
	int64_t line;
};

struct document_reader {
	const struct unpacked *unpacked;
	uint32_t version;
	struct line_cursor *cursors; /* indexed by path */
	struct present present;
	char *elements, *elements_end; /* memory for the elements of the documents that were not read yet */
	/* Indexed by thing. Versions with the same source share its text. */
	struct known_source *known[ABI_KIND_COUNT];
	bool failed;
	struct arena *arena;
};

/* Finds each file's list of lines in this version. A second list for a file is a fault of the archive. */
static void open_cursors(struct document_reader *reader)
{
	const struct unpacked *unpacked = reader->unpacked;

	memset(reader->cursors, 0, (unpacked->path_count + 1) * sizeof(*reader->cursors));
	for (size_t i = 0; i < unpacked->line_count; i++) {
		const struct unpacked_lines *lines = &unpacked->lines[i];
		struct line_cursor *cursor = &reader->cursors[lines->path];

		if (!version_set_has(&lines->versions, reader->version))
			continue;
		if (cursor->in.end)
			reader->failed = true;
		cursor->in = (struct byte_reader){ .at = lines->at, .end = lines->end };
	}
}

/* Spells where a thing is declared, from its file and the next line in the file's list. */
static const char *read_source(struct document_reader *reader, const struct unpacked_location *location,
			       struct known_source *known)
{
	const struct unpacked_path *path = &reader->unpacked->paths[location->path];
	struct line_cursor *cursor = &reader->cursors[location->path];

	if (location->form != ARCHIVE_LOCATION_WHOLE) {
		uint64_t step = byte_reader_number(&cursor->in);

		if (step > 2 * (uint64_t)UINT32_MAX)
			step = byte_reader_fail(&cursor->in);
		cursor->line += varint_unfolded(step);
		if (cursor->line < 0 || cursor->line > UINT32_MAX) {
			byte_reader_fail(&cursor->in);
			cursor->line = 0;
		}
	}
	if (!known->text || known->line != cursor->line)
		*known = (struct known_source){ location_join(path->text, path->length, location->form,
							      (uint32_t)cursor->line, reader->arena),
						cursor->line };
	return known->text;
}

/* Returns memory for @count elements; NULL if @count is 0. */
static void *take_elements(struct document_reader *reader, size_t count, size_t size)
{
	void *elements = reader->elements;

	if (!count)
		return NULL;
	if (count > (size_t)(reader->elements_end - reader->elements) / size)
		return arena_array(reader->arena, count, size);
	reader->elements += count * size;
	return elements;
}

static void read_things(struct abi *abi, struct document_reader *reader, enum abi_kind kind)
{
	const struct unpacked_things *things = &reader->unpacked->things[kind];
	const size_t size = things->size_bytes, *present;
	const size_t count = present_list(&present, &reader->present, kind, reader->version, &reader->failed);
	char *items = take_elements(reader, count, size), *item = items;

	for (size_t k = 0; k < count; k++, item += size) {
		memcpy(item, (const char *)things->items + present[k] * size, size);
		if (things->locations)
			*abi_item_source(kind, item) = read_source(reader, &things->locations[present[k]],
								   &reader->known[kind][present[k]]);
	}
	abi_set_items(abi, kind, items, count);
}

static int read_document(struct abi *out, struct document_reader *reader, size_t index, struct err *err)
{
	const struct unpacked *unpacked = reader->unpacked;
	const struct archive *archive = unpacked->archive;
	const struct source_version *version = &archive->head.versions[index];
	struct abi abi = { .driver = archive->head.driver,
			   .version = version->name,
			   .commit = version->commit,
			   .target = unpacked->target };

	reader->version = (uint32_t)index;
	open_cursors(reader);
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		read_things(&abi, reader, (enum abi_kind)kind);
	for (size_t i = 0; i < unpacked->path_count; i++) /* all lines must have been used */
		reader->failed |= !byte_reader_is_done(&reader->cursors[i].in);
	for (size_t i = 0; i < unpacked->warning_count; i++) {
		if (!version_set_has(&unpacked->warnings[i].versions, reader->version))
			continue;
		if (abi.warnings)
			reader->failed = true;
		abi.warnings = unpacked->warnings[i].warnings;
		abi.warning_count = unpacked->warnings[i].count;
	}
	if (reader->failed)
		return err_set(
			err, ERR_FORMAT,
			"%s: the archive is inconsistent for version %s; it was not written by this drvabi",
			archive->name, version->name);
	*out = abi;
	return 0;
}

/* Reads the wanted documents. A version without differences gets a copy of the document before it. */
static int read_documents(struct abi *const *out, const struct unpacked *unpacked, struct arena *arena,
			  struct err *err)
{
	const struct archive_head *head = &unpacked->archive->head;
	struct document_reader reader = { .unpacked = unpacked, .arena = arena };
	struct arena scratch = { 0 };
	bool *anew = arena_array(&scratch, head->count + 1, sizeof(*anew)); /* the others are copies */
	size_t bytes;
	int rc = 0;

	reader.cursors = arena_array(&scratch, unpacked->path_count + 1, sizeof(*reader.cursors));
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		if (unpacked->things[kind].locations)
			reader.known[kind] = arena_array(&scratch, unpacked->things[kind].count + 1,
							 sizeof(struct known_source));
	if (!present_init(&reader.present, unpacked, &scratch)) {
		rc = err_set(err, ERR_FORMAT,
			     "%s: the archive is inconsistent; it was not written by this drvabi",
			     unpacked->archive->name);
		goto out;
	}
	for (size_t i = 0; i < head->count; i++)
		anew[i] = out[i] && (!i || unpacked->differs[i] || !out[i - 1]);
	/*
	 * The memory for all documents is allocated at once, because this is faster. All of NVIDIA's releases
	 * need 40 MB. Only forged archives reach the limit.
	 */
	bytes = present_bytes(&reader.present, anew, head->count);
	if (bytes > ELEMENTS_LIMIT_BYTES)
		bytes = ELEMENTS_LIMIT_BYTES;
	reader.elements = arena_alloc(arena, bytes);
	reader.elements_end = reader.elements + bytes;
	for (size_t i = 0; !rc && i < head->count; i++) {
		if (anew[i]) {
			rc = read_document(out[i], &reader, i, err);
		} else if (out[i]) {
			*out[i] = *out[i - 1];
			out[i]->version = head->versions[i].name;
			out[i]->commit = head->versions[i].commit;
		}
	}
out:
	arena_release(&scratch);
	return rc;
}

int archive_documents(struct abi *const *out, const struct archive *archive, size_t target,
		      struct arena *arena, struct err *err)
{
	struct arena scratch = { 0 };
	struct unpacked unpacked;
	int rc = unpacked_read(&unpacked, archive, target, arena, &scratch, err);

	if (!rc)
		rc = read_documents(out, &unpacked, arena, err);
	arena_release(&scratch);
	return rc;
}

int archive_indexed(struct abi *const *out, struct abi_index *index, const struct archive *archive,
		    size_t target, struct arena *arena, struct err *err)
{
	struct abi_index_item *items, *item;
	struct unpacked unpacked;
	size_t most = 0;
	int rc;

	if ((rc = unpacked_read(&unpacked, archive, target, arena, arena, err)) ||
	    (rc = read_documents(out, &unpacked, arena, err)))
		return rc;
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		most += unpacked.things[kind].count;
	item = items = arena_array(arena, most + 1, sizeof(*items));
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		const struct unpacked_things *things = &unpacked.things[kind];
		const char *thing = things->items;

		for (size_t i = 0; i < things->count; i++, thing += things->size_bytes) {
			const struct abi_ioctl *ioctl = (const void *)thing;
			const struct abi_constant *constant = (const void *)thing;

			if (!things->versions[i].count) /* this target does not have the thing */
				continue;
			item->kind = (enum abi_kind)kind;
			item->name = abi_item_name(item->kind, thing);
			if (kind == ABI_IOCTL) {
				item->family = ioctl->family;
				item->number = abi_number_unsigned(ioctl->number);
			} else if (kind == ABI_CONSTANT) {
				item->number = constant->value;
			}
			item->spans = things->versions[i].spans;
			item++->span_count = things->versions[i].count;
		}
	}
	*index = (struct abi_index){ items, (size_t)(item - items) };
	return 0;
}

int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct arena scratch = { 0 };
	const struct archive *archive;
	struct byte_reader in;
	const char **absent;
	struct abi got, *documents[] = { &got };
	size_t count;
	int rc;

	byte_reader_init(&in, data, size);
	count = byte_reader_count(&in, 1);
	absent = count ? arena_array(arena, count, sizeof(*absent)) : NULL;
	for (size_t i = 0; i < count; i++)
		absent[i] = arena_strdup(arena, byte_reader_text(&in));
	if (in.failed)
		return err_set(err, ERR_FORMAT, "the packed document is truncated");
	rc = archive_open(&archive, in.at, (size_t)(in.end - in.at), "a packed document", &scratch, err);
	if (!rc && (archive->head.count != 1 || archive->head.target_count != 1))
		rc = err_set(err, ERR_FORMAT, "a packed document must have one version and one target");
	if (!rc && !(rc = archive_documents(documents, archive, 0, arena, err))) {
		*abi = got;
		abi->driver = arena_strdup(arena, got.driver); /* @scratch owns the strings of @got */
		abi->version = arena_strdup(arena, got.version);
		abi->commit = arena_strdup(arena, got.commit);
		abi->target = arena_strdup(arena, got.target);
		abi->absent = absent;
		abi->absent_count = count;
	}
	arena_release(&scratch);
	return rc;
}
