/*
 * The documents of versions, out of the things of a target:
 *
 * 1. For each version that is wanted, open_cursors() finds its list of lines for every file.
 * 2. read_records(), read_enums() and read_ioctls() select the things that the version has, in the order in
 *    which archive_collect.c appended their lines: each uses the next line of its file.
 * 3. In the end every line has been used, and no name occurred twice; otherwise the archive contradicts
 *    itself.
 * 4. A version in which nothing differs from the one before gets a copy of that document, and shares all of
 *    it.
 */
#include "store/internal.h"

#include <stdlib.h>
#include <string.h>

/* --- where a thing is declared -------------------------------------------------- */

enum { DIGITS_MAX = 9 }; /* such a number fits 32 bits */

/*
 * The number behind the last ':' of @source's first @length bytes, if it is
 * written as it would be written again. Return: how long what stands before
 * that ':' is; 0 if there is no such number.
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

/* ":42", at @at. Return: where it ends. */
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

const char *location_join(const char *path, size_t path_length, uint32_t form, uint32_t line, struct arena *arena)
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

/* --- which things a version has ------------------------------------------------- */

static struct present_kind new_kind(size_t count, size_t size_bytes)
{
	return (struct present_kind){
		.left = xmalloc(count * sizeof(struct version_set)), .rank = xmalloc(count * sizeof(uint32_t)), .count = count, .size_bytes = size_bytes,
	};
}

static int by_name(const char *const *a, const char *const *b)
{
	return strcmp(*a, *b);
}

static int by_number(const struct abi_ioctl *a, const struct abi_ioctl *b)
{
	const int order = strcmp(a->family, b->family);

	if (order)
		return order;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* @member: what @order compares of a thing. Names are compared here, once, and not in each version. */
#define ADD_KIND(is_sorted, kind, things, thing_count, member, order, size) do { \
	*(kind) = new_kind((thing_count), (size)); \
	for (size_t thing = 0; thing < (thing_count); thing++) { \
		const int step = thing ? order(&(things)[thing - 1].member, &(things)[thing].member) : -1; \
		(kind)->left[thing] = (things)[thing].versions; \
		(kind)->rank[thing] = thing ? (kind)->rank[thing - 1] + (step < 0) : 1; \
		(is_sorted) &= step <= 0; \
	} \
} while (0)

bool present_init(struct present *out, const struct unpacked *unpacked)
{
	struct present_kind *kinds = out->kinds;
	size_t greatest = 0;
	bool is_sorted = true;

	ADD_KIND(is_sorted, &kinds[ABI_RECORD], unpacked->records, unpacked->record_count, record.name, by_name, sizeof(struct abi_record));
	ADD_KIND(is_sorted, &kinds[ABI_ALIAS], unpacked->aliases, unpacked->alias_count, alias.name, by_name, sizeof(struct abi_alias));
	ADD_KIND(is_sorted, &kinds[ABI_ENUM], unpacked->enums, unpacked->enum_count, one.name, by_name, sizeof(struct abi_enum));
	ADD_KIND(is_sorted, &kinds[ABI_CONSTANT], unpacked->constants, unpacked->constant_count, constant.name, by_name, sizeof(struct abi_constant));
	ADD_KIND(is_sorted, &kinds[ABI_IOCTL], unpacked->ioctls, unpacked->ioctl_count, ioctl, by_number, sizeof(struct abi_ioctl));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++)
		if (kinds[i].count > greatest)
			greatest = kinds[i].count;
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

size_t present_list(const size_t **out, struct present *present, enum abi_kind kind, uint32_t version, bool *failed)
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
	int64_t *edges = xmalloc((count + 1) * sizeof(*edges)), size = 0; /* of one version; edges: how it differs from that before */
	size_t all = 0;

	memset(edges, 0, (count + 1) * sizeof(*edges));
	for (size_t i = 0; i < ABI_KIND_COUNT; i++)
		for (size_t thing = 0; thing < present->kinds[i].count; thing++)
			for (size_t k = 0; k < present->kinds[i].left[thing].count; k++) {
				edges[present->kinds[i].left[thing].spans[k].from] += (int64_t)present->kinds[i].size_bytes;
				edges[present->kinds[i].left[thing].spans[k].until] -= (int64_t)present->kinds[i].size_bytes;
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

/* The lines of one file that no thing has used yet. */
struct line_cursor {
	struct byte_reader in;
	int64_t line; /* the last one */
};

/* The source of a thing in the last document that has it. */
struct known_source {
	const char *text;
	int64_t line;
};

/* By number of the record, enum or ioctl. Most sources are those of the version before: then they share one text. */
struct known_sources {
	struct known_source *records, *enums, *ioctls;
};

struct document_reader {
	const struct unpacked *unpacked;
	uint32_t version;
	struct line_cursor *cursors; /* by path; malloc'd */
	struct present present;
	char *elements, *elements_end; /* room for those of all documents that are still to be read */
	struct known_sources known;    /* malloc'd; NULL: no document had it yet */
	bool failed;
	struct arena *arena;
};

static struct known_source *no_known_sources(size_t count)
{
	struct known_source *known = xmalloc((count + 1) * sizeof(*known));

	for (size_t i = 0; i < count; i++)
		known[i] = (struct known_source){ .text = NULL };
	return known;
}

static void document_reader_init(struct document_reader *reader, const struct unpacked *unpacked, struct arena *arena)
{
	*reader = (struct document_reader){
		.unpacked = unpacked,
		.cursors = xmalloc((unpacked->path_count + 1) * sizeof(*reader->cursors)),
		.known = { no_known_sources(unpacked->record_count), no_known_sources(unpacked->enum_count), no_known_sources(unpacked->ioctl_count) },
		.arena = arena,
	};
}

static void document_reader_release(struct document_reader *reader)
{
	free(reader->cursors);
	present_release(&reader->present);
	free(reader->known.records);
	free(reader->known.enums);
	free(reader->known.ioctls);
}

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

/* Has every line been used by a thing? */
static bool cursors_are_done(const struct document_reader *reader)
{
	for (size_t i = 0; i < reader->unpacked->path_count; i++)
		if (reader->cursors[i].in.failed || reader->cursors[i].in.at != reader->cursors[i].in.end)
			return false;
	return true;
}

static const char *read_source(struct document_reader *reader, const struct unpacked_location *location, struct known_source *known)
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
		*known = (struct known_source){
			location_join(path->text, path->length, location->form, (uint32_t)cursor->line, reader->arena), cursor->line
		};
	return known->text;
}

/*
 * One allocation for all documents: all releases of NVIDIA's are 40 MB, which the kernel gives faster at
 * once. A forged archive gets no more.
 */
static void elements_init(struct document_reader *reader, size_t bytes)
{
	if (bytes > ELEMENTS_LIMIT_BYTES)
		bytes = ELEMENTS_LIMIT_BYTES;
	reader->elements = arena_alloc(reader->arena, bytes);
	reader->elements_end = reader->elements + bytes;
}

/* Return: NULL if there are none. */
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

static void read_records(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_record *unpacked = reader->unpacked->records;
	struct abi_record *records;
	const size_t *present;
	const size_t count = present_list(&present, &reader->present, ABI_RECORD, reader->version, &reader->failed);

	records = take_elements(reader, count, sizeof(*records));
	abi->records = records;
	abi->record_count = count;
	for (size_t k = 0; k < count; k++) {
		const size_t i = present[k];

		records[k] = unpacked[i].record;
		records[k].source = read_source(reader, &unpacked[i].location, &reader->known.records[i]);
	}
}

static void read_aliases(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_alias *unpacked = reader->unpacked->aliases;
	struct abi_alias *aliases;
	const size_t *present;
	const size_t count = present_list(&present, &reader->present, ABI_ALIAS, reader->version, &reader->failed);

	aliases = take_elements(reader, count, sizeof(*aliases));
	abi->aliases = aliases;
	abi->alias_count = count;
	for (size_t k = 0; k < count; k++)
		aliases[k] = unpacked[present[k]].alias;
}

static void read_enums(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_enum *unpacked = reader->unpacked->enums;
	struct abi_enum *enums;
	const size_t *present;
	const size_t count = present_list(&present, &reader->present, ABI_ENUM, reader->version, &reader->failed);

	enums = take_elements(reader, count, sizeof(*enums));
	abi->enums = enums;
	abi->enum_count = count;
	for (size_t k = 0; k < count; k++) {
		const size_t i = present[k];

		enums[k] = unpacked[i].one;
		enums[k].source = read_source(reader, &unpacked[i].location, &reader->known.enums[i]);
	}
}

static void read_constants(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_constant *unpacked = reader->unpacked->constants;
	struct abi_constant *constants;
	const size_t *present;
	const size_t count = present_list(&present, &reader->present, ABI_CONSTANT, reader->version, &reader->failed);

	constants = take_elements(reader, count, sizeof(*constants));
	abi->constants = constants;
	abi->constant_count = count;
	for (size_t k = 0; k < count; k++)
		constants[k] = unpacked[present[k]].constant;
}

static void read_ioctls(struct abi *abi, struct document_reader *reader)
{
	const struct unpacked_ioctl *unpacked = reader->unpacked->ioctls;
	struct abi_ioctl *ioctls;
	const size_t *present;
	const size_t count = present_list(&present, &reader->present, ABI_IOCTL, reader->version, &reader->failed);

	ioctls = take_elements(reader, count, sizeof(*ioctls));
	abi->ioctls = ioctls;
	abi->ioctl_count = count;
	for (size_t k = 0; k < count; k++) {
		const size_t i = present[k];

		ioctls[k] = unpacked[i].ioctl;
		ioctls[k].source = read_source(reader, &unpacked[i].location, &reader->known.ioctls[i]);
	}
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
	const struct archive_version *version = &archive->head.versions[index];
	struct abi abi = { .driver = archive->head.driver, .version = version->name, .commit = version->commit,
			   .target = reader->unpacked->target };

	reader->version = (uint32_t)index;
	open_cursors(reader);
	read_records(&abi, reader);
	read_enums(&abi, reader);
	read_ioctls(&abi, reader);
	read_aliases(&abi, reader);
	read_constants(&abi, reader);
	read_warnings(&abi, reader);
	if (reader->failed || !cursors_are_done(reader))
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself about version %s; it was not written by this drvabi",
			       archive->name, version->name);
	*out = abi;
	return 0;
}

/* Which versions have a document of their own. */
static bool *read_anew(struct abi *const *out, const struct unpacked *unpacked)
{
	const size_t count = unpacked->archive->head.count;
	bool *anew = xmalloc(count * sizeof(*anew));

	for (size_t i = 0; i < count; i++)
		anew[i] = out[i] && (!i || unpacked->differs[i] || !out[i - 1]);
	return anew;
}

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

static int read_documents(struct abi *const *out, const struct unpacked *unpacked, struct arena *arena, struct err *err)
{
	struct document_reader reader;
	int rc;

	document_reader_init(&reader, unpacked, arena);
	if (!present_init(&reader.present, unpacked))
		rc = err_set(err, ERR_FORMAT, "%s: the archive contradicts itself; it was not written by this drvabi", unpacked->archive->name);
	else
		rc = read_wanted(out, &reader, err);
	document_reader_release(&reader);
	return rc;
}

int archive_documents(struct abi *const *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err)
{
	struct unpacked unpacked;
	int rc;

	if ((rc = unpacked_read(&unpacked, archive, target, arena, err)))
		return rc;
	return read_documents(out, &unpacked, arena, err);
}

int archive_indexed(struct abi *const *out, struct abi_index *index, const struct archive *archive, size_t target, struct arena *arena,
		    struct err *err)
{
	struct unpacked unpacked;
	int rc;

	if ((rc = unpacked_read(&unpacked, archive, target, arena, err)) ||
	    (rc = read_documents(out, &unpacked, arena, err)))
		return rc;
	unpacked_index(index, &unpacked, arena);
	return 0;
}
