/*
 * archive/document.c - the documents of versions, out of the things of a target
 *
 * 1. For each version that is wanted, open_cursors() finds its list of lines
 *    for every file.
 * 2. read_records(), read_enums() and read_ioctls() select the things that the
 *    version has, in the order in which collect.c appended their lines: each
 *    uses the next line of its file.
 * 3. In the end every line has been used, and names are sorted; if not, the
 *    archive contradicts itself.
 * 4. A version in which nothing differs from the one before gets a copy of
 *    that document, and shares everything with it.
 */
#include "archive/unpacked.h"

#include "archive/form.h"
#include "archive/location.h"

#include <stdlib.h>
#include <string.h>

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

struct reader {
	const struct unpacked *unpacked;
	uint32_t version;
	struct line_cursor *cursors; /* by path; malloc'd */
	size_t *present;              /* the archive's things of one kind that the version has; malloc'd */
	struct known_sources known;    /* malloc'd; NULL: no document had it yet */
	bool failed;
	struct arena *arena;
};

#define LIST_PRESENT(reader, things, thing_count, count) do { \
	(count) = 0; \
	for (size_t thing = 0; thing < (thing_count); thing++) \
		if (version_set_has(&(things)[thing].versions, (reader)->version)) \
			(reader)->present[(count)++] = thing; \
} while (0)

static size_t greatest_count(const struct unpacked *unpacked)
{
	const size_t counts[] = { unpacked->record_count, unpacked->alias_count, unpacked->enum_count, unpacked->constant_count,
				  unpacked->ioctl_count };
	size_t greatest = 0;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i] > greatest)
			greatest = counts[i];
	return greatest;
}

static struct known_source *no_known_sources(size_t count)
{
	struct known_source *known = xmalloc((count + 1) * sizeof(*known));

	for (size_t i = 0; i < count; i++)
		known[i] = (struct known_source){ .text = NULL };
	return known;
}

static void reader_init(struct reader *reader, const struct unpacked *unpacked, struct arena *arena)
{
	*reader = (struct reader){
		.unpacked = unpacked,
		.cursors = xmalloc((unpacked->path_count + 1) * sizeof(*reader->cursors)),
		.present = xmalloc((greatest_count(unpacked) + 1) * sizeof(*reader->present)),
		.known = { no_known_sources(unpacked->record_count), no_known_sources(unpacked->enum_count), no_known_sources(unpacked->ioctl_count) },
		.arena = arena,
	};
}

static void reader_release(struct reader *reader)
{
	free(reader->cursors);
	free(reader->present);
	free(reader->known.records);
	free(reader->known.enums);
	free(reader->known.ioctls);
}

static void open_cursors(struct reader *reader)
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
static bool cursors_are_done(const struct reader *reader)
{
	for (size_t i = 0; i < reader->unpacked->path_count; i++)
		if (reader->cursors[i].in.failed || reader->cursors[i].in.at != reader->cursors[i].in.end)
			return false;
	return true;
}

static const char *read_source(struct reader *reader, const struct unpacked_location *location, struct known_source *known)
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

/* Sealed arrays are sorted, and no two elements are the same. */
static void check_name(struct reader *reader, const char *name, const char *before)
{
	if (strcmp(before, name) >= 0)
		reader->failed = true;
}

static void read_records(struct abi *abi, struct reader *reader)
{
	const struct unpacked_record *unpacked = reader->unpacked->records;
	struct abi_record *records;
	size_t count;

	LIST_PRESENT(reader, unpacked, reader->unpacked->record_count, count);
	records = count ? arena_array(reader->arena, count, sizeof(*records)) : NULL;
	abi->records = records;
	abi->record_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = reader->present[k];

		records[k] = unpacked[i].record;
		records[k].source = read_source(reader, &unpacked[i].location, &reader->known.records[i]);
		if (k)
			check_name(reader, records[k].name, records[k - 1].name);
	}
}

static void read_aliases(struct abi *abi, struct reader *reader)
{
	const struct unpacked_alias *unpacked = reader->unpacked->aliases;
	struct abi_alias *aliases;
	size_t count;

	LIST_PRESENT(reader, unpacked, reader->unpacked->alias_count, count);
	aliases = count ? arena_array(reader->arena, count, sizeof(*aliases)) : NULL;
	abi->aliases = aliases;
	abi->alias_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = reader->present[k];

		aliases[k] = unpacked[i].alias;
		if (k)
			check_name(reader, aliases[k].name, aliases[k - 1].name);
	}
}

static void read_enums(struct abi *abi, struct reader *reader)
{
	const struct unpacked_enum *unpacked = reader->unpacked->enums;
	struct abi_enum *enums;
	size_t count;

	LIST_PRESENT(reader, unpacked, reader->unpacked->enum_count, count);
	enums = count ? arena_array(reader->arena, count, sizeof(*enums)) : NULL;
	abi->enums = enums;
	abi->enum_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = reader->present[k];

		enums[k] = unpacked[i].one;
		enums[k].source = read_source(reader, &unpacked[i].location, &reader->known.enums[i]);
		if (k)
			check_name(reader, enums[k].name, enums[k - 1].name);
	}
}

static void read_constants(struct abi *abi, struct reader *reader)
{
	const struct unpacked_constant *unpacked = reader->unpacked->constants;
	struct abi_constant *constants;
	size_t count;

	LIST_PRESENT(reader, unpacked, reader->unpacked->constant_count, count);
	constants = count ? arena_array(reader->arena, count, sizeof(*constants)) : NULL;
	abi->constants = constants;
	abi->constant_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = reader->present[k];

		constants[k] = unpacked[i].constant;
		if (k)
			check_name(reader, constants[k].name, constants[k - 1].name);
	}
}

static void check_ioctl(struct reader *reader, const struct abi_ioctl *ioctl, const struct abi_ioctl *before)
{
	int order = strcmp(before->family, ioctl->family);

	if (!order && before->number != ioctl->number)
		order = before->number < ioctl->number ? -1 : 1;
	if (!order)
		order = strcmp(before->name, ioctl->name);
	if (order >= 0)
		reader->failed = true;
}

static void read_ioctls(struct abi *abi, struct reader *reader)
{
	const struct unpacked_ioctl *unpacked = reader->unpacked->ioctls;
	struct abi_ioctl *ioctls;
	size_t count;

	LIST_PRESENT(reader, unpacked, reader->unpacked->ioctl_count, count);
	ioctls = count ? arena_array(reader->arena, count, sizeof(*ioctls)) : NULL;
	abi->ioctls = ioctls;
	abi->ioctl_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = reader->present[k];

		ioctls[k] = unpacked[i].ioctl;
		ioctls[k].source = read_source(reader, &unpacked[i].location, &reader->known.ioctls[i]);
		if (k)
			check_ioctl(reader, &ioctls[k], &ioctls[k - 1]);
	}
}

static void read_warnings(struct abi *abi, struct reader *reader)
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

static int read_document(struct abi *out, struct reader *reader, size_t index, struct err *err)
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

static int read_documents(struct abi *const *out, const struct unpacked *unpacked, struct arena *arena, struct err *err)
{
	const struct archive_version *versions = unpacked->archive->head.versions;
	struct reader reader;
	int rc = 0;

	reader_init(&reader, unpacked, arena);
	for (size_t i = 0; !rc && i < unpacked->archive->head.count; i++) {
		if (!out[i])
			continue;
		if (!i || unpacked->differs[i] || !out[i - 1]) {
			rc = read_document(out[i], &reader, i, err);
			continue;
		}
		*out[i] = *out[i - 1];
		out[i]->version = versions[i].name;
		out[i]->commit = versions[i].commit;
	}
	reader_release(&reader);
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
