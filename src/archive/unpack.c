/*
 * The things of one target, out of the blocks. As with the head, even forged
 * bytes lead nowhere but to ERR_FORMAT.
 */
#include "archive/stored.h"

#include "archive/take.h"

#include <string.h>

struct opener {
	struct reader in;          /* the things */
	struct reader lives;
	const char **strings;
	size_t string_count;
	size_t next_string;        /* the first that has not been used yet */
	struct abi_record *layouts; /* size, align, is_union, fields */
	size_t layout_count;
	size_t next_layout;        /* the first that has not been spelled out yet */
	size_t target;             /* the one whose lives are wanted */
	bool *differs;
	struct stored *stored;
	struct arena *arena;
};

static const char *take_optional(struct opener *opener)
{
	uint64_t number = take_number(&opener->in);

	if (number == ARCHIVE_STRING_NULL)
		return NULL;
	if (number == ARCHIVE_STRING_NEXT) {
		if (!opener->in.failed && opener->next_string < opener->string_count)
			return opener->strings[opener->next_string++];
	} else if (number - ARCHIVE_STRING_FIRST < opener->next_string) {
		return opener->strings[number - ARCHIVE_STRING_FIRST];
	}
	take_failed(&opener->in);
	return "";
}

static const char *take_string(struct opener *opener)
{
	const char *text = take_optional(opener);

	if (text)
		return text;
	take_failed(&opener->in);
	return "";
}

static struct life take_spans(struct opener *opener, size_t count)
{
	uint64_t versions = opener->stored->archive->head.count;
	struct abi_span *spans = arena_array(opener->arena, count + 1, sizeof(*spans));
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t gap = take_number(&opener->lives);
		uint64_t length;

		if (gap >= versions - end || (i && !gap)) {
			take_failed(&opener->lives);
			break;
		}
		length = take_below(&opener->lives, versions - end - gap) + 1;
		spans[i] = (struct abi_span){ (uint32_t)(end + gap), (uint32_t)(end + gap + length) };
		end += gap + length;
	}
	return (struct life){ spans, count };
}

/* How many spans the life in one target has. Return: false if it is as in the target before. */
static bool take_span_count(size_t *count, struct opener *opener, size_t target)
{
	*count = take_count(&opener->lives, 1);
	if (!target)
		return true;
	if (*count == ARCHIVE_LIFE_AS_BEFORE)
		return false;
	*count -= ARCHIVE_LIFE_OWN;
	return true;
}

/* Notes where the life begins and ends: there, versions differ. */
static void note_edges(struct opener *opener, const struct life *life)
{
	for (size_t i = 0; i < life->count; i++) {
		opener->differs[life->spans[i].from] = true;
		opener->differs[life->spans[i].until] = true;
	}
}

/* The life in the wanted target; those of the others are stepped over. */
static struct life take_life(struct opener *opener)
{
	struct life life = { NULL, 0 }, now = { NULL, 0 };
	bool lives = false;

	for (size_t target = 0; target < opener->stored->archive->head.target_count; target++) {
		size_t count;

		if (take_span_count(&count, opener, target))
			now = take_spans(opener, count);
		lives |= now.count;
		if (target == opener->target)
			life = now;
	}
	if (!lives)
		take_failed(&opener->lives);
	note_edges(opener, &life);
	return life;
}

static struct stored_place take_place(struct opener *opener)
{
	struct stored_place place;

	place.path = (uint32_t)take_below(&opener->in, opener->stored->path_count);
	place.form = (uint32_t)take_below(&opener->in, UINT32_MAX);
	return place;
}

static void take_field(struct opener *opener, struct abi_field *field)
{
	uint64_t flags;

	field->name = take_string(opener);
	field->type = take_string(opener);
	field->offset_bits = take_number(&opener->in);
	field->size_bits = take_number(&opener->in);
	flags = take_below(&opener->in, (ABI_ROLE_LAST + 1) << ARCHIVE_FIELD_ROLE_SHIFT);
	field->role = (enum abi_role)(flags >> ARCHIVE_FIELD_ROLE_SHIFT);
	field->is_bitfield = flags & ARCHIVE_FIELD_BITFIELD;
}

static void take_new_layout(struct opener *opener, struct abi_record *layout)
{
	struct reader *in = &opener->in;
	struct abi_field *fields;

	layout->size_bytes = take_number(in);
	layout->align_bytes = take_number(in);
	layout->is_union = take_bool(in);
	layout->field_count = take_count(in, 5);
	fields = layout->field_count ? arena_array(opener->arena, layout->field_count, sizeof(*fields)) : NULL;
	for (size_t i = 0; i < layout->field_count; i++)
		take_field(opener, &fields[i]);
	layout->fields = fields;
}

static struct abi_record take_layout(struct opener *opener)
{
	uint64_t number = take_number(&opener->in);

	if (number == ARCHIVE_LAYOUT_NEW) {
		if (opener->next_layout < opener->layout_count) {
			take_new_layout(opener, &opener->layouts[opener->next_layout]);
			return opener->layouts[opener->next_layout++];
		}
	} else if (number - ARCHIVE_LAYOUT_KNOWN < opener->next_layout) {
		return opener->layouts[number - ARCHIVE_LAYOUT_KNOWN];
	}
	take_failed(&opener->in);
	return (struct abi_record){ .name = "" };
}

static void take_records(struct opener *opener)
{
	size_t count = take_count(&opener->in, 4);
	struct stored_record *records = arena_array(opener->arena, count + 1, sizeof(*records));

	for (size_t i = 0; i < count; i++) {
		const char *name;

		records[i].life = take_life(opener);
		name = take_string(opener);
		records[i].place = take_place(opener);
		records[i].record = take_layout(opener);
		records[i].record.name = name;
	}
	opener->stored->records = records;
	opener->stored->record_count = count;
}

static void take_aliases(struct opener *opener)
{
	size_t count = take_count(&opener->in, 3);
	struct stored_alias *aliases = arena_array(opener->arena, count + 1, sizeof(*aliases));

	for (size_t i = 0; i < count; i++) {
		aliases[i].life = take_life(opener);
		aliases[i].alias.name = take_string(opener);
		aliases[i].alias.type = take_string(opener);
		aliases[i].alias.size_bytes = take_number(&opener->in);
	}
	opener->stored->aliases = aliases;
	opener->stored->alias_count = count;
}

static void take_enumerators(struct opener *opener, struct abi_enum *one)
{
	size_t count = take_count(&opener->in, 3);
	struct abi_enumerator *values = count ? arena_array(opener->arena, count, sizeof(*values)) : NULL;

	for (size_t i = 0; i < count; i++) {
		values[i].name = take_string(opener);
		values[i].value = take_value(&opener->in);
	}
	one->values = values;
	one->value_count = count;
}

static void take_enums(struct opener *opener)
{
	size_t count = take_count(&opener->in, 6);
	struct stored_enum *enums = arena_array(opener->arena, count + 1, sizeof(*enums));

	for (size_t i = 0; i < count; i++) {
		enums[i].life = take_life(opener);
		enums[i].one.name = take_string(opener);
		enums[i].place = take_place(opener);
		enums[i].one.type = take_string(opener);
		enums[i].one.size_bytes = take_number(&opener->in);
		take_enumerators(opener, &enums[i].one);
	}
	opener->stored->enums = enums;
	opener->stored->enum_count = count;
}

static void take_constants(struct opener *opener)
{
	size_t count = take_count(&opener->in, 3);
	struct stored_constant *constants = arena_array(opener->arena, count + 1, sizeof(*constants));

	for (size_t i = 0; i < count; i++) {
		constants[i].life = take_life(opener);
		constants[i].constant.name = take_string(opener);
		constants[i].constant.value = take_value(&opener->in);
	}
	opener->stored->constants = constants;
	opener->stored->constant_count = count;
}

static void take_flags(struct opener *opener, struct abi_ioctl *ioctl)
{
	size_t count = take_count(&opener->in, 1);
	const char **flags = count ? arena_array(opener->arena, count, sizeof(*flags)) : NULL;

	for (size_t i = 0; i < count; i++)
		flags[i] = take_string(opener);
	ioctl->flags = flags;
	ioctl->flag_count = count;
}

static void take_ioctls(struct opener *opener)
{
	size_t count = take_count(&opener->in, 8);
	struct stored_ioctl *ioctls = arena_array(opener->arena, count + 1, sizeof(*ioctls));

	for (size_t i = 0; i < count; i++) {
		ioctls[i].life = take_life(opener);
		ioctls[i].ioctl.family = take_string(opener);
		ioctls[i].ioctl.name = take_string(opener);
		ioctls[i].place = take_place(opener);
		ioctls[i].ioctl.number = take_number(&opener->in);
		ioctls[i].ioctl.params = take_optional(opener);
		ioctls[i].ioctl.access = take_optional(opener);
		take_flags(opener, &ioctls[i].ioctl);
	}
	opener->stored->ioctls = ioctls;
	opener->stored->ioctl_count = count;
}

static void take_warning_list(struct opener *opener, struct stored_warnings *list)
{
	size_t count = take_count(&opener->in, 2);
	struct abi_warning *warnings = arena_array(opener->arena, count + 1, sizeof(*warnings));

	for (size_t i = 0; i < count; i++) {
		warnings[i].place = take_string(opener);
		warnings[i].text = take_string(opener);
	}
	list->warnings = warnings;
	list->count = count;
}

static void take_warnings(struct opener *opener)
{
	size_t count = take_count(&opener->in, 1);
	struct stored_warnings *lists = arena_array(opener->arena, count + 1, sizeof(*lists));

	for (size_t i = 0; i < count; i++) {
		lists[i].life = take_life(opener);
		take_warning_list(opener, &lists[i]);
	}
	opener->stored->warnings = lists;
	opener->stored->warning_count = count;
}

static void take_paths(struct opener *opener)
{
	size_t count = take_count(&opener->in, 1);
	struct stored_path *paths = arena_array(opener->arena, count + 1, sizeof(*paths));

	for (size_t i = 0; i < count; i++) {
		paths[i].text = take_string(opener);
		paths[i].length = strlen(paths[i].text);
	}
	opener->stored->paths = paths;
	opener->stored->path_count = count;
}

/* Return: false if the block does not hold just this. */
static bool open_things(struct opener *opener, const struct block *block)
{
	reader_init(&opener->in, block);
	take_paths(opener);
	opener->layout_count = take_count(&opener->in, 4);
	opener->layouts = arena_array(opener->arena, opener->layout_count + 1, sizeof(*opener->layouts));
	take_records(opener);
	take_aliases(opener);
	take_enums(opener);
	take_constants(opener);
	take_ioctls(opener);
	take_warnings(opener);
	return !opener->in.failed && opener->in.at == opener->in.end && opener->next_string == opener->string_count &&
	       opener->next_layout == opener->layout_count;
}

static bool open_lines(struct opener *opener, const struct block *block)
{
	struct stored_lines *lines;
	struct reader in;
	size_t count;

	reader_init(&in, block);
	count = take_count(&in, 2);
	lines = arena_array(opener->arena, count + 1, sizeof(*lines));
	for (size_t i = 0; i < count; i++) {
		size_t size;

		lines[i].life = take_life(opener);
		lines[i].path = (uint32_t)take_below(&in, opener->stored->path_count);
		size = take_count(&in, 1);
		lines[i].at = in.at;
		in.at += size;
		lines[i].end = in.at;
	}
	opener->stored->lines = lines;
	opener->stored->line_count = count;
	return !in.failed && in.at == in.end;
}

static bool open_strings(struct opener *opener, const struct block *block)
{
	struct reader in;

	reader_init(&in, block);
	opener->string_count = take_count(&in, 1);
	opener->strings = arena_array(opener->arena, opener->string_count + 1, sizeof(*opener->strings));
	for (size_t i = 0; i < opener->string_count; i++)
		opener->strings[i] = take_text(&in);
	return !in.failed && in.at == in.end;
}

int stored_unpack(struct stored *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err)
{
	struct stored stored = { .archive = archive, .target = archive->head.targets[target] };
	struct opener opener = { .stored = &stored, .target = target, .arena = arena };
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	bool whole = true;

	for (size_t i = ARCHIVE_STRINGS; whole && i < ARCHIVE_BLOCK_COUNT; i++)
		whole = block_unpack(&blocks[i], &archive->blocks[i], arena);
	stored.differs = opener.differs = arena_array(arena, archive->head.count + 2, sizeof(*opener.differs));
	whole = whole && open_strings(&opener, &blocks[ARCHIVE_STRINGS]);
	if (whole)
		reader_init(&opener.lives, &blocks[ARCHIVE_LIVES]);
	whole = whole && open_things(&opener, &blocks[ARCHIVE_THINGS]) && open_lines(&opener, &blocks[ARCHIVE_LINES]) &&
		!opener.lives.failed && opener.lives.at == opener.lives.end;
	if (!whole)
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself; it was not written by this drvabi", archive->name);
	*out = stored;
	return 0;
}
