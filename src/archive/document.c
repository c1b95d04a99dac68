#include "archive/stored.h"

#include "archive/form.h"
#include "archive/place.h"
#include "archive/take.h"

#include <stdlib.h>
#include <string.h>

/* The lines of one file that have not been given away yet. */
struct line_cursor {
	struct reader in;
	int64_t line; /* the last one */
};

/* The place of a thing as the last document that has it says it. */
struct told_place {
	const char *text;
	int64_t line;
};

/* By number of the record, enum or ioctl. Most places are those of the version before: then they are one text. */
struct told_places {
	struct told_place *records, *enums, *ioctls;
};

struct taker {
	const struct stored *stored;
	uint32_t version;
	struct line_cursor *cursors; /* by path; malloc'd */
	size_t *living;              /* the archive's things of one kind that live in the version; malloc'd */
	struct told_places told;     /* malloc'd; what was never told is NULL */
	bool failed;
	struct arena *arena;
};

#define LIST_LIVING(taker, things, thing_count, count) do { \
	(count) = 0; \
	for (size_t thing = 0; thing < (thing_count); thing++) \
		if (life_has(&(things)[thing].life, (taker)->version)) \
			(taker)->living[(count)++] = thing; \
} while (0)

static size_t greatest_count(const struct stored *stored)
{
	const size_t counts[] = { stored->record_count, stored->alias_count, stored->enum_count, stored->constant_count,
				  stored->ioctl_count };
	size_t greatest = 0;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (counts[i] > greatest)
			greatest = counts[i];
	return greatest;
}

static struct told_place *nothing_told(size_t count)
{
	struct told_place *told = xmalloc((count + 1) * sizeof(*told));

	for (size_t i = 0; i < count; i++)
		told[i] = (struct told_place){ .text = NULL };
	return told;
}

static void taker_init(struct taker *taker, const struct stored *stored, struct arena *arena)
{
	*taker = (struct taker){
		.stored = stored,
		.cursors = xmalloc((stored->path_count + 1) * sizeof(*taker->cursors)),
		.living = xmalloc((greatest_count(stored) + 1) * sizeof(*taker->living)),
		.told = { nothing_told(stored->record_count), nothing_told(stored->enum_count), nothing_told(stored->ioctl_count) },
		.arena = arena,
	};
}

static void taker_release(struct taker *taker)
{
	free(taker->cursors);
	free(taker->living);
	free(taker->told.records);
	free(taker->told.enums);
	free(taker->told.ioctls);
}

static void open_cursors(struct taker *taker)
{
	const struct stored *stored = taker->stored;

	memset(taker->cursors, 0, (stored->path_count + 1) * sizeof(*taker->cursors));
	for (size_t i = 0; i < stored->line_count; i++) {
		const struct stored_lines *lines = &stored->lines[i];
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
	for (size_t i = 0; i < taker->stored->path_count; i++)
		if (taker->cursors[i].in.failed || taker->cursors[i].in.at != taker->cursors[i].in.end)
			return false;
	return true;
}

static const char *take_source(struct taker *taker, const struct stored_place *place, struct told_place *told)
{
	const struct stored_path *path = &taker->stored->paths[place->path];
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
	if (!told->text || told->line != cursor->line)
		*told = (struct told_place){
			place_join(path->text, path->length, place->form, (uint32_t)cursor->line, taker->arena), cursor->line
		};
	return told->text;
}

/* Sealed arrays are sorted, and no two elements are the same. */
static void check_name(struct taker *taker, const char *name, const char *before)
{
	if (strcmp(before, name) >= 0)
		taker->failed = true;
}

static void take_records(struct abi *abi, struct taker *taker)
{
	const struct stored_record *stored = taker->stored->records;
	struct abi_record *records;
	size_t count;

	LIST_LIVING(taker, stored, taker->stored->record_count, count);
	records = count ? arena_array(taker->arena, count, sizeof(*records)) : NULL;
	abi->records = records;
	abi->record_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = taker->living[k];

		records[k] = stored[i].record;
		records[k].source = take_source(taker, &stored[i].place, &taker->told.records[i]);
		if (k)
			check_name(taker, records[k].name, records[k - 1].name);
	}
}

static void take_aliases(struct abi *abi, struct taker *taker)
{
	const struct stored_alias *stored = taker->stored->aliases;
	struct abi_alias *aliases;
	size_t count;

	LIST_LIVING(taker, stored, taker->stored->alias_count, count);
	aliases = count ? arena_array(taker->arena, count, sizeof(*aliases)) : NULL;
	abi->aliases = aliases;
	abi->alias_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = taker->living[k];

		aliases[k] = stored[i].alias;
		if (k)
			check_name(taker, aliases[k].name, aliases[k - 1].name);
	}
}

static void take_enums(struct abi *abi, struct taker *taker)
{
	const struct stored_enum *stored = taker->stored->enums;
	struct abi_enum *enums;
	size_t count;

	LIST_LIVING(taker, stored, taker->stored->enum_count, count);
	enums = count ? arena_array(taker->arena, count, sizeof(*enums)) : NULL;
	abi->enums = enums;
	abi->enum_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = taker->living[k];

		enums[k] = stored[i].one;
		enums[k].source = take_source(taker, &stored[i].place, &taker->told.enums[i]);
		if (k)
			check_name(taker, enums[k].name, enums[k - 1].name);
	}
}

static void take_constants(struct abi *abi, struct taker *taker)
{
	const struct stored_constant *stored = taker->stored->constants;
	struct abi_constant *constants;
	size_t count;

	LIST_LIVING(taker, stored, taker->stored->constant_count, count);
	constants = count ? arena_array(taker->arena, count, sizeof(*constants)) : NULL;
	abi->constants = constants;
	abi->constant_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = taker->living[k];

		constants[k] = stored[i].constant;
		if (k)
			check_name(taker, constants[k].name, constants[k - 1].name);
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
	const struct stored_ioctl *stored = taker->stored->ioctls;
	struct abi_ioctl *ioctls;
	size_t count;

	LIST_LIVING(taker, stored, taker->stored->ioctl_count, count);
	ioctls = count ? arena_array(taker->arena, count, sizeof(*ioctls)) : NULL;
	abi->ioctls = ioctls;
	abi->ioctl_count = count;
	for (size_t k = 0; k < count; k++) {
		size_t i = taker->living[k];

		ioctls[k] = stored[i].ioctl;
		ioctls[k].source = take_source(taker, &stored[i].place, &taker->told.ioctls[i]);
		if (k)
			check_ioctl(taker, &ioctls[k], &ioctls[k - 1]);
	}
}

static void take_warnings(struct abi *abi, struct taker *taker)
{
	const struct stored_warnings *stored = taker->stored->warnings;

	for (size_t i = 0; i < taker->stored->warning_count; i++) {
		if (!life_has(&stored[i].life, taker->version))
			continue;
		if (abi->warnings)
			taker->failed = true;
		abi->warnings = stored[i].warnings;
		abi->warning_count = stored[i].count;
	}
}

static int take_document(struct abi *out, struct taker *taker, size_t index, struct err *err)
{
	const struct archive *archive = taker->stored->archive;
	const struct archive_version *version = &archive->head.versions[index];
	struct abi abi = { .driver = archive->head.driver, .version = version->name, .commit = version->commit,
			   .target = taker->stored->target };

	taker->version = (uint32_t)index;
	open_cursors(taker);
	take_records(&abi, taker);
	take_enums(&abi, taker);
	take_ioctls(&abi, taker);
	take_aliases(&abi, taker);
	take_constants(&abi, taker);
	take_warnings(&abi, taker);
	if (taker->failed || !cursors_are_done(taker))
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself about version %s; it was not written by this drvabi",
			       archive->name, version->name);
	*out = abi;
	return 0;
}

static int take_documents(struct abi *const *out, const struct stored *stored, struct arena *arena, struct err *err)
{
	const struct archive_version *versions = stored->archive->head.versions;
	struct taker taker;
	int rc = 0;

	taker_init(&taker, stored, arena);
	for (size_t i = 0; !rc && i < stored->archive->head.count; i++) {
		if (!out[i])
			continue;
		if (!i || stored->differs[i] || !out[i - 1]) {
			rc = take_document(out[i], &taker, i, err);
			continue;
		}
		*out[i] = *out[i - 1];
		out[i]->version = versions[i].name;
		out[i]->commit = versions[i].commit;
	}
	taker_release(&taker);
	return rc;
}

int archive_documents(struct abi *const *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err)
{
	struct stored stored;
	int rc;

	if ((rc = stored_unpack(&stored, archive, target, arena, err)))
		return rc;
	return take_documents(out, &stored, arena, err);
}

int archive_indexed(struct abi *const *out, struct abi_index *index, const struct archive *archive, size_t target, struct arena *arena,
		    struct err *err)
{
	struct stored stored;
	int rc;

	if ((rc = stored_unpack(&stored, archive, target, arena, err)) ||
	    (rc = take_documents(out, &stored, arena, err)))
		return rc;
	stored_index(index, &stored, arena);
	return 0;
}
