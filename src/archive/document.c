#include "archive/stored.h"

#include "archive/form.h"
#include "archive/place.h"
#include "archive/take.h"

#include <string.h>

/* The lines of one file that have not been given away yet. */
struct line_cursor {
	struct reader in;
	int64_t line; /* the last one */
};

struct taker {
	const struct archive *archive;
	uint32_t version;
	struct line_cursor *cursors; /* by path */
	bool failed;
	struct arena *arena;
};

/* How many of the archive's things of one kind live in the version. */
#define COUNT_LIVING(out, taker, things, thing_count) do { \
	(out) = 0; \
	for (size_t living = 0; living < (thing_count); living++) \
		(out) += life_has(&(things)[living].life, (taker)->version); \
} while (0)

static void open_cursors(struct taker *taker)
{
	const struct archive *archive = taker->archive;

	taker->cursors = arena_array(taker->arena, archive->path_count + 1, sizeof(*taker->cursors));
	for (size_t i = 0; i < archive->line_count; i++) {
		const struct stored_lines *lines = &archive->lines[i];
		struct line_cursor *cursor = &taker->cursors[lines->path];

		if (!life_has(&lines->life, taker->version))
			continue;
		if (cursor->in.end)
			taker->failed = true;
		cursor->in = (struct reader){ .at = lines->at, .end = lines->end };
	}
}

/* Has every line been given to a thing? */
static bool cursors_are_done(const struct taker *taker)
{
	for (size_t i = 0; i < taker->archive->path_count; i++)
		if (taker->cursors[i].in.failed || taker->cursors[i].in.at != taker->cursors[i].in.end)
			return false;
	return true;
}

static const char *take_source(struct taker *taker, const struct stored_place *place)
{
	const struct stored_path *path = &taker->archive->paths[place->path];
	struct line_cursor *cursor = &taker->cursors[place->path];

	if (place->form != ARCHIVE_PLACE_WHOLE) {
		uint64_t step = take_number(&cursor->in);

		if (step > 2 * (uint64_t)UINT32_MAX)
			step = take_failed(&cursor->in);
		cursor->line += varint_unfolded(step);
		if (cursor->line < 0 || cursor->line > UINT32_MAX) {
			take_failed(&cursor->in);
			cursor->line = 0;
		}
	}
	return place_join(path->text, path->length, place->form, (uint32_t)cursor->line, taker->arena);
}

/* Sealed arrays are sorted, and no two elements are the same. */
static void check_name(struct taker *taker, const char *name, const char *before)
{
	if (strcmp(before, name) >= 0)
		taker->failed = true;
}

static void take_records(struct abi *abi, struct taker *taker)
{
	const struct stored_record *stored = taker->archive->records;
	struct abi_record *records;
	size_t count;

	COUNT_LIVING(count, taker, stored, taker->archive->record_count);
	records = count ? arena_array(taker->arena, count, sizeof(*records)) : NULL;
	abi->records = records;
	for (size_t i = 0; abi->record_count < count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		records[abi->record_count] = stored[i].record;
		records[abi->record_count].source = take_source(taker, &stored[i].place);
		if (abi->record_count++)
			check_name(taker, stored[i].record.name, records[abi->record_count - 2].name);
	}
}

static void take_aliases(struct abi *abi, struct taker *taker)
{
	const struct stored_alias *stored = taker->archive->aliases;
	struct abi_alias *aliases;
	size_t count;

	COUNT_LIVING(count, taker, stored, taker->archive->alias_count);
	aliases = count ? arena_array(taker->arena, count, sizeof(*aliases)) : NULL;
	abi->aliases = aliases;
	for (size_t i = 0; abi->alias_count < count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		aliases[abi->alias_count] = stored[i].alias;
		if (abi->alias_count++)
			check_name(taker, stored[i].alias.name, aliases[abi->alias_count - 2].name);
	}
}

static void take_enums(struct abi *abi, struct taker *taker)
{
	const struct stored_enum *stored = taker->archive->enums;
	struct abi_enum *enums;
	size_t count;

	COUNT_LIVING(count, taker, stored, taker->archive->enum_count);
	enums = count ? arena_array(taker->arena, count, sizeof(*enums)) : NULL;
	abi->enums = enums;
	for (size_t i = 0; abi->enum_count < count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		enums[abi->enum_count] = stored[i].one;
		enums[abi->enum_count].source = take_source(taker, &stored[i].place);
		if (abi->enum_count++)
			check_name(taker, stored[i].one.name, enums[abi->enum_count - 2].name);
	}
}

static void take_constants(struct abi *abi, struct taker *taker)
{
	const struct stored_constant *stored = taker->archive->constants;
	struct abi_constant *constants;
	size_t count;

	COUNT_LIVING(count, taker, stored, taker->archive->constant_count);
	constants = count ? arena_array(taker->arena, count, sizeof(*constants)) : NULL;
	abi->constants = constants;
	for (size_t i = 0; abi->constant_count < count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		constants[abi->constant_count] = stored[i].constant;
		if (abi->constant_count++)
			check_name(taker, stored[i].constant.name, constants[abi->constant_count - 2].name);
	}
}

static void check_ioctl(struct taker *taker, const struct abi_ioctl *ioctl, const struct abi_ioctl *before)
{
	int order = strcmp(before->family, ioctl->family);

	if (!order && before->number != ioctl->number)
		order = before->number < ioctl->number ? -1 : 1;
	if (!order)
		order = strcmp(before->name, ioctl->name);
	if (order >= 0)
		taker->failed = true;
}

static void take_ioctls(struct abi *abi, struct taker *taker)
{
	const struct stored_ioctl *stored = taker->archive->ioctls;
	struct abi_ioctl *ioctls;
	size_t count;

	COUNT_LIVING(count, taker, stored, taker->archive->ioctl_count);
	ioctls = count ? arena_array(taker->arena, count, sizeof(*ioctls)) : NULL;
	abi->ioctls = ioctls;
	for (size_t i = 0; abi->ioctl_count < count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		ioctls[abi->ioctl_count] = stored[i].ioctl;
		ioctls[abi->ioctl_count].source = take_source(taker, &stored[i].place);
		if (abi->ioctl_count++)
			check_ioctl(taker, &stored[i].ioctl, &ioctls[abi->ioctl_count - 2]);
	}
}

static void take_warnings(struct abi *abi, struct taker *taker)
{
	const struct stored_warnings *stored = taker->archive->warnings;

	for (size_t i = 0; i < taker->archive->warning_count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		if (abi->warnings)
			taker->failed = true;
		abi->warnings = stored[i].warnings;
		abi->warning_count = stored[i].count;
	}
}

int archive_document(struct abi *out, const struct archive *archive, size_t index, struct arena *arena, struct err *err)
{
	const struct archive_version *version = &archive->head.versions[index];
	struct taker taker = { .archive = archive, .version = (uint32_t)index, .arena = arena };
	struct abi abi = { .driver = archive->head.driver, .version = version->name, .commit = version->commit,
			   .target = archive->head.target };

	open_cursors(&taker);
	take_records(&abi, &taker);
	take_enums(&abi, &taker);
	take_ioctls(&abi, &taker);
	take_aliases(&abi, &taker);
	take_constants(&abi, &taker);
	take_warnings(&abi, &taker);
	if (taker.failed || !cursors_are_done(&taker))
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself about version %s; it was not written by this drvabi",
			       archive->name, version->name);
	*out = abi;
	return 0;
}

bool archive_same_as_before(const struct archive *archive, size_t index)
{
	return index && !archive->differs[index];
}

const struct archive_head *archive_head(const struct archive *archive)
{
	return &archive->head;
}

static int no_version(const struct archive *archive, const char *version, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct arena arena = { 0 };
	struct strbuf list = { 0 };
	const char **names = arena_array(&arena, archive->head.count + 1, sizeof(*names));

	for (size_t i = 0; i < archive->head.count; i++)
		names[i] = archive->head.versions[i].name;
	abi_nearest_typos(&nearest, version, names, archive->head.count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, archive->head.count);
	abi_nearest_list(&list, &nearest);
	err_set(err, ERR_NOT_FOUND, "no version %s in %s%s", version, archive->name, strbuf_text(&list));
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}

int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err)
{
	for (size_t i = 0; i < archive->head.count; i++) {
		if (strcmp(archive->head.versions[i].name, version))
			continue;
		*index = i;
		return 0;
	}
	return no_version(archive, version, err);
}
