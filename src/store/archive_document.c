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

/* Ranks the names, so that versions need not compare them. Return: false if the things are not sorted. */
static bool add_kind(struct present_kind *out, enum abi_kind kind, const struct unpacked_things *things)
{
	bool is_sorted = true;

	*out = (struct present_kind){
		.left = xmalloc((things->count + 1) * sizeof(*out->left)),
		.rank = xmalloc((things->count + 1) * sizeof(*out->rank)),
		.count = things->count,
		.size_bytes = things->size_bytes,
	};
	for (size_t i = 0; i < things->count; i++) {
		const char *item = (const char *)things->items + i * things->size_bytes;
		const int step = i ? abi_order_items(kind, item - things->size_bytes, item) : -1;

		out->left[i] = things->versions[i];
		out->rank[i] = i ? out->rank[i - 1] + (step < 0) : 1;
		is_sorted &= step <= 0;
	}
	return is_sorted;
}

bool present_init(struct present *out, const struct unpacked *unpacked)
{
	size_t greatest = 0;
	bool is_sorted = true;

	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		is_sorted &= add_kind(&out->kinds[kind], (enum abi_kind)kind, &unpacked->things[kind]);
		if (unpacked->things[kind].count > greatest)
			greatest = unpacked->things[kind].count;
	}
	out->things = xmalloc((greatest + 1) * sizeof(*out->things));
	return is_sorted;
}

void present_release(struct present *present)
{
	for (size_t i = 0; i < ABI_KIND_COUNT; i++) {
		free(present->kinds[i].left);
		free(present->kinds[i].rank);
	}
	free(present->things);
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
	int64_t *edges = xmalloc((count + 1) * sizeof(*edges)),
		size = 0; /* size of one version; @edges: difference to the size of the previous version */
	size_t all = 0;

	memset(edges, 0, (count + 1) * sizeof(*edges));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++)
		for (size_t thing = 0; thing < present->kinds[i].count; thing++)
			for (size_t k = 0; k < present->kinds[i].left[thing].count; k++) {
				edges[present->kinds[i].left[thing].spans[k].from] +=
					(int64_t)present->kinds[i].size_bytes;
				edges[present->kinds[i].left[thing].spans[k].until] -=
					(int64_t)present->kinds[i].size_bytes;
			}
	for (size_t i = 0; i < count; i++) {
		size += edges[i];
		all += wanted[i] ? (size_t)size : 0;
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
	struct line_cursor *cursors; /* indexed by path; malloc'd */
	struct present present;
	char *elements, *elements_end; /* memory for the elements of the documents that were not read yet */
	/* Indexed by thing; malloc'd. Versions with the same source share its text. */
	struct known_source *known[ABI_KIND_COUNT];
	bool failed;
	struct arena *arena;
};

static void document_reader_init(struct document_reader *reader, const struct unpacked *unpacked,
				 struct arena *arena)
{
	*reader = (struct document_reader){ .unpacked = unpacked, .arena = arena };
	reader->cursors = xmalloc((unpacked->path_count + 1) * sizeof(*reader->cursors));
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		const size_t count = unpacked->things[kind].locations ? unpacked->things[kind].count : 0;

		reader->known[kind] = xmalloc((count + 1) * sizeof(struct known_source));
		for (size_t i = 0; i < count; i++)
			reader->known[kind][i] = (struct known_source){ .text = NULL };
	}
}

static void document_reader_release(struct document_reader *reader)
{
	free(reader->cursors);
	present_release(&reader->present);
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		free(reader->known[kind]);
}

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

/* True if all lines of the version were used. */
static bool cursors_are_done(const struct document_reader *reader)
{
	for (size_t i = 0; i < reader->unpacked->path_count; i++)
		if (reader->cursors[i].in.failed || reader->cursors[i].in.at != reader->cursors[i].in.end)
			return false;
	return true;
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

/*
 * Allocates the memory for all documents at once, because this is faster. All of NVIDIA's releases need 40
 * MB. Only forged archives reach the limit.
 */
static void elements_init(struct document_reader *reader, size_t bytes)
{
	if (bytes > ELEMENTS_LIMIT_BYTES)
		bytes = ELEMENTS_LIMIT_BYTES;
	reader->elements = arena_alloc(reader->arena, bytes);
	reader->elements_end = reader->elements + bytes;
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

static void read_warnings(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_warnings *unpacked = reader->unpacked->warnings;

	for (size_t i = 0; i < reader->unpacked->warning_count; i++) {
		if (!version_set_has(&unpacked[i].versions, reader->version))
			continue;
		if (abi->warnings)
			reader->failed = true;
		abi->warnings = unpacked[i].warnings;
		abi->warning_count = unpacked[i].count;
	}
}

static int read_document(struct abi *out, struct document_reader *reader, size_t index, struct err *err)
{
	const struct archive *archive = reader->unpacked->archive;
	const struct source_version *version = &archive->head.versions[index];
	struct abi abi = { .driver = archive->head.driver,
			   .version = version->name,
			   .commit = version->commit,
			   .target = reader->unpacked->target };

	reader->version = (uint32_t)index;
	open_cursors(reader);
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		read_things(&abi, reader, (enum abi_kind)kind);
	read_warnings(&abi, reader);
	if (reader->failed || !cursors_are_done(reader))
		return err_set(
			err, ERR_FORMAT,
			"%s: the archive is inconsistent for version %s; it was not written by this drvabi",
			archive->name, version->name);
	*out = abi;
	return 0;
}

/* Finds the versions whose documents must be read, because they are not copies of the previous document. */
static bool *read_anew(struct abi *const *out, const struct unpacked *unpacked)
{
	const size_t count = unpacked->archive->head.count;
	bool *anew = xmalloc(count * sizeof(*anew));

	for (size_t i = 0; i < count; i++)
		anew[i] = out[i] && (!i || unpacked->differs[i] || !out[i - 1]);
	return anew;
}

/* Reads the wanted documents. A version without differences gets a copy of the document before it. */
static int read_wanted(struct abi *const *out, struct document_reader *reader, struct err *err)
{
	const struct archive_head *head = &reader->unpacked->archive->head;
	bool *anew = read_anew(out, reader->unpacked);
	int rc = 0;

	elements_init(reader, present_bytes(&reader->present, anew, head->count));
	for (size_t i = 0; !rc && i < head->count; i++) {
		if (anew[i]) {
			rc = read_document(out[i], reader, i, err);
		} else if (out[i]) {
			*out[i] = *out[i - 1];
			out[i]->version = head->versions[i].name;
			out[i]->commit = head->versions[i].commit;
		}
	}
	free(anew);
	return rc;
}

static int read_documents(struct abi *const *out, const struct unpacked *unpacked, struct arena *arena,
			  struct err *err)
{
	struct document_reader reader;
	int rc;

	document_reader_init(&reader, unpacked, arena);
	if (!present_init(&reader.present, unpacked))
		rc = err_set(err, ERR_FORMAT,
			     "%s: the archive is inconsistent; it was not written by this drvabi",
			     unpacked->archive->name);
	else
		rc = read_wanted(out, &reader, err);
	document_reader_release(&reader);
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
	struct unpacked unpacked;
	int rc;

	if ((rc = unpacked_read(&unpacked, archive, target, arena, arena, err)) ||
	    (rc = read_documents(out, &unpacked, arena, err)))
		return rc;
	unpacked_index(index, &unpacked, arena);
	return 0;
}

/* Reads the only document of an archive in memory. @abi points into @arena only. */
static int unpack_archive(struct abi *abi, const struct block *block, struct arena *arena, struct err *err)
{
	struct abi *documents[] = { abi };
	const struct archive *archive;
	struct arena scratch = { 0 };
	int rc = archive_open(&archive, block->data, block->size, "a packed document", &scratch, err);

	if (!rc && (archive->head.count != 1 || archive->head.target_count != 1))
		rc = err_set(err, ERR_FORMAT, "a packed document must have one version and one target");
	if (!rc && !(rc = archive_documents(documents, archive, 0, arena, err))) {
		abi->driver = arena_strdup(arena, abi->driver);
		abi->version = arena_strdup(arena, abi->version);
		abi->commit = arena_strdup(arena, abi->commit);
		abi->target = arena_strdup(arena, abi->target);
	}
	arena_release(&scratch);
	return rc;
}

int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct byte_reader in;
	const char **absent;
	struct abi got;
	size_t count;
	int rc;

	byte_reader_init(&in, data, size);
	count = byte_reader_count(&in, 1);
	absent = count ? arena_array(arena, count, sizeof(*absent)) : NULL;
	for (size_t i = 0; i < count; i++)
		absent[i] = arena_strdup(arena, byte_reader_text(&in));
	if (in.failed)
		return err_set(err, ERR_FORMAT, "the packed document is truncated");
	if ((rc = unpack_archive(&got, &(struct block){ in.at, (size_t)(in.end - in.at) }, arena, err)))
		return rc;
	got.absent = absent;
	got.absent_count = count;
	*abi = got;
	return 0;
}
