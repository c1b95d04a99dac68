/*
 * The things of one target, out of the blocks. As with the head, even forged
 * bytes lead nowhere but to ERR_FORMAT.
 */
#include "store/unpacked.h"

#include <string.h>

struct unpacker {
	struct byte_reader in;          /* the things */
	struct byte_reader version_sets;
	const char **strings;
	size_t string_count;
	size_t next_string;        /* the first that has not been used yet */
	struct abi_record *layouts; /* size, align, is_union, fields */
	size_t layout_count;
	size_t next_layout;        /* the first that has not been spelled out yet */
	size_t target;             /* the one whose version sets are wanted */
	bool *differs;
	struct unpacked *unpacked;
	struct arena *arena;
};

static const char *read_optional(struct unpacker *unpacker)
{
	uint64_t number = byte_reader_number(&unpacker->in);

	if (number == ARCHIVE_STRING_NULL)
		return NULL;
	if (number == ARCHIVE_STRING_NEXT) {
		if (!unpacker->in.failed && unpacker->next_string < unpacker->string_count)
			return unpacker->strings[unpacker->next_string++];
	} else if (number - ARCHIVE_STRING_FIRST < unpacker->next_string) {
		return unpacker->strings[number - ARCHIVE_STRING_FIRST];
	}
	byte_reader_fail(&unpacker->in);
	return "";
}

static const char *read_string(struct unpacker *unpacker)
{
	const char *text = read_optional(unpacker);

	if (text)
		return text;
	byte_reader_fail(&unpacker->in);
	return "";
}

static struct abi_number read_value(struct byte_reader *in)
{
	bool negative = byte_reader_bool(in);
	uint64_t magnitude = byte_reader_number(in);

	if (negative && !magnitude)
		byte_reader_fail(in);
	return (struct abi_number){ magnitude, negative };
}

static struct version_set read_spans(struct unpacker *unpacker, size_t count)
{
	uint64_t versions = unpacker->unpacked->archive->head.count;
	struct abi_span *spans = arena_array(unpacker->arena, count + 1, sizeof(*spans));
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t gap = byte_reader_number(&unpacker->version_sets);
		uint64_t length;

		if (gap >= versions - end || (i && !gap)) {
			byte_reader_fail(&unpacker->version_sets);
			break;
		}
		length = byte_reader_below(&unpacker->version_sets, versions - end - gap) + 1;
		spans[i] = (struct abi_span){ (uint32_t)(end + gap), (uint32_t)(end + gap + length) };
		end += gap + length;
	}
	return (struct version_set){ spans, count };
}

/* How many spans the set in one target has. Return: false if it is as in the target before. */
static bool read_span_count(size_t *count, struct unpacker *unpacker, size_t target)
{
	*count = byte_reader_count(&unpacker->version_sets, 1);
	if (!target)
		return true;
	if (*count == ARCHIVE_SET_AS_BEFORE)
		return false;
	*count -= ARCHIVE_SET_OWN;
	return true;
}

/* Notes the edges of the spans: there, versions differ. */
static void note_edges(struct unpacker *unpacker, const struct version_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		unpacker->differs[set->spans[i].from] = true;
		unpacker->differs[set->spans[i].until] = true;
	}
}

/* The set in the wanted target; those of the others are skipped. */
static struct version_set read_version_set(struct unpacker *unpacker)
{
	struct version_set wanted = { NULL, 0 }, now = { NULL, 0 };
	bool is_anywhere = false;

	for (size_t target = 0; target < unpacker->unpacked->archive->head.target_count; target++) {
		size_t count;

		if (read_span_count(&count, unpacker, target))
			now = read_spans(unpacker, count);
		is_anywhere |= now.count;
		if (target == unpacker->target)
			wanted = now;
	}
	if (!is_anywhere)
		byte_reader_fail(&unpacker->version_sets);
	note_edges(unpacker, &wanted);
	return wanted;
}

static struct unpacked_location read_location(struct unpacker *unpacker)
{
	struct unpacked_location location;

	location.path = (uint32_t)byte_reader_below(&unpacker->in, unpacker->unpacked->path_count);
	location.form = (uint32_t)byte_reader_below(&unpacker->in, UINT32_MAX);
	return location;
}

static void read_field(struct unpacker *unpacker, struct abi_field *field)
{
	uint64_t flags;

	field->name = read_string(unpacker);
	field->type = read_string(unpacker);
	field->offset_bits = byte_reader_number(&unpacker->in);
	field->size_bits = byte_reader_number(&unpacker->in);
	flags = byte_reader_below(&unpacker->in, (ABI_ROLE_LAST + 1) << ARCHIVE_FIELD_ROLE_SHIFT);
	field->role = (enum abi_role)(flags >> ARCHIVE_FIELD_ROLE_SHIFT);
	field->is_bitfield = flags & ARCHIVE_FIELD_BITFIELD;
}

static void read_new_layout(struct unpacker *unpacker, struct abi_record *layout)
{
	struct byte_reader *in = &unpacker->in;
	struct abi_field *fields;

	layout->size_bytes = byte_reader_number(in);
	layout->align_bytes = byte_reader_number(in);
	layout->is_union = byte_reader_bool(in);
	layout->field_count = byte_reader_count(in, 5);
	fields = layout->field_count ? arena_array(unpacker->arena, layout->field_count, sizeof(*fields)) : NULL;
	for (size_t i = 0; i < layout->field_count; i++)
		read_field(unpacker, &fields[i]);
	layout->fields = fields;
}

static struct abi_record read_layout(struct unpacker *unpacker)
{
	uint64_t number = byte_reader_number(&unpacker->in);

	if (number == ARCHIVE_LAYOUT_NEW) {
		if (unpacker->next_layout < unpacker->layout_count) {
			read_new_layout(unpacker, &unpacker->layouts[unpacker->next_layout]);
			return unpacker->layouts[unpacker->next_layout++];
		}
	} else if (number - ARCHIVE_LAYOUT_KNOWN < unpacker->next_layout) {
		return unpacker->layouts[number - ARCHIVE_LAYOUT_KNOWN];
	}
	byte_reader_fail(&unpacker->in);
	return (struct abi_record){ .name = "" };
}

static void read_records(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 4);
	struct unpacked_record *records = arena_array(unpacker->arena, count + 1, sizeof(*records));

	for (size_t i = 0; i < count; i++) {
		const char *name;

		records[i].versions = read_version_set(unpacker);
		name = read_string(unpacker);
		records[i].location = read_location(unpacker);
		records[i].record = read_layout(unpacker);
		records[i].record.name = name;
	}
	unpacker->unpacked->records = records;
	unpacker->unpacked->record_count = count;
}

static void read_aliases(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 3);
	struct unpacked_alias *aliases = arena_array(unpacker->arena, count + 1, sizeof(*aliases));

	for (size_t i = 0; i < count; i++) {
		aliases[i].versions = read_version_set(unpacker);
		aliases[i].alias.name = read_string(unpacker);
		aliases[i].alias.type = read_string(unpacker);
		aliases[i].alias.size_bytes = byte_reader_number(&unpacker->in);
	}
	unpacker->unpacked->aliases = aliases;
	unpacker->unpacked->alias_count = count;
}

static void read_enumerators(struct unpacker *unpacker, struct abi_enum *one)
{
	size_t count = byte_reader_count(&unpacker->in, 3);
	struct abi_enumerator *values = count ? arena_array(unpacker->arena, count, sizeof(*values)) : NULL;

	for (size_t i = 0; i < count; i++) {
		values[i].name = read_string(unpacker);
		values[i].value = read_value(&unpacker->in);
	}
	one->values = values;
	one->value_count = count;
}

static void read_enums(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 6);
	struct unpacked_enum *enums = arena_array(unpacker->arena, count + 1, sizeof(*enums));

	for (size_t i = 0; i < count; i++) {
		enums[i].versions = read_version_set(unpacker);
		enums[i].one.name = read_string(unpacker);
		enums[i].location = read_location(unpacker);
		enums[i].one.type = read_string(unpacker);
		enums[i].one.size_bytes = byte_reader_number(&unpacker->in);
		read_enumerators(unpacker, &enums[i].one);
	}
	unpacker->unpacked->enums = enums;
	unpacker->unpacked->enum_count = count;
}

static void read_constants(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 3);
	struct unpacked_constant *constants = arena_array(unpacker->arena, count + 1, sizeof(*constants));

	for (size_t i = 0; i < count; i++) {
		constants[i].versions = read_version_set(unpacker);
		constants[i].constant.name = read_string(unpacker);
		constants[i].constant.value = read_value(&unpacker->in);
	}
	unpacker->unpacked->constants = constants;
	unpacker->unpacked->constant_count = count;
}

static void read_flags(struct unpacker *unpacker, struct abi_ioctl *ioctl)
{
	bool has_argument = false;
	const char **flags;
	size_t count;

	if (!abi_ioctl_set_head(ioctl, &has_argument, byte_reader_number(&unpacker->in)))
		byte_reader_fail(&unpacker->in);
	if (has_argument)
		ioctl->argument = read_string(unpacker);
	count = byte_reader_bounded(&unpacker->in, ioctl->flag_count, 1);
	flags = count ? arena_array(unpacker->arena, count, sizeof(*flags)) : NULL;
	for (size_t i = 0; i < count; i++)
		flags[i] = read_string(unpacker);
	ioctl->flags = flags;
	ioctl->flag_count = count;
}

static void read_ioctls(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 8);
	struct unpacked_ioctl *ioctls = arena_array(unpacker->arena, count + 1, sizeof(*ioctls));

	for (size_t i = 0; i < count; i++) {
		ioctls[i].versions = read_version_set(unpacker);
		ioctls[i].ioctl.family = read_string(unpacker);
		ioctls[i].ioctl.name = read_string(unpacker);
		ioctls[i].location = read_location(unpacker);
		ioctls[i].ioctl.number = byte_reader_number(&unpacker->in);
		ioctls[i].ioctl.params = read_optional(unpacker);
		ioctls[i].ioctl.access = read_optional(unpacker);
		read_flags(unpacker, &ioctls[i].ioctl);
	}
	unpacker->unpacked->ioctls = ioctls;
	unpacker->unpacked->ioctl_count = count;
}

static void read_warning_list(struct unpacker *unpacker, struct unpacked_warnings *list)
{
	size_t count = byte_reader_count(&unpacker->in, 2);
	struct abi_warning *warnings = arena_array(unpacker->arena, count + 1, sizeof(*warnings));

	for (size_t i = 0; i < count; i++) {
		warnings[i].place = read_string(unpacker);
		warnings[i].text = read_string(unpacker);
	}
	list->warnings = warnings;
	list->count = count;
}

static void read_warnings(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 1);
	struct unpacked_warnings *lists = arena_array(unpacker->arena, count + 1, sizeof(*lists));

	for (size_t i = 0; i < count; i++) {
		lists[i].versions = read_version_set(unpacker);
		read_warning_list(unpacker, &lists[i]);
	}
	unpacker->unpacked->warnings = lists;
	unpacker->unpacked->warning_count = count;
}

static void read_paths(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 1);
	struct unpacked_path *paths = arena_array(unpacker->arena, count + 1, sizeof(*paths));

	for (size_t i = 0; i < count; i++) {
		paths[i].text = read_string(unpacker);
		paths[i].length = strlen(paths[i].text);
	}
	unpacker->unpacked->paths = paths;
	unpacker->unpacked->path_count = count;
}

/* Return: false if the block does not hold just this. */
static bool open_things(struct unpacker *unpacker, const struct block *block)
{
	byte_reader_init(&unpacker->in, block->data, block->size);
	read_paths(unpacker);
	unpacker->layout_count = byte_reader_count(&unpacker->in, 4);
	unpacker->layouts = arena_array(unpacker->arena, unpacker->layout_count + 1, sizeof(*unpacker->layouts));
	read_records(unpacker);
	read_aliases(unpacker);
	read_enums(unpacker);
	read_constants(unpacker);
	read_ioctls(unpacker);
	read_warnings(unpacker);
	return !unpacker->in.failed && unpacker->in.at == unpacker->in.end && unpacker->next_string == unpacker->string_count &&
	       unpacker->next_layout == unpacker->layout_count;
}

static bool open_lines(struct unpacker *unpacker, const struct block *block)
{
	struct unpacked_lines *lines;
	struct byte_reader in;
	size_t count;

	byte_reader_init(&in, block->data, block->size);
	count = byte_reader_count(&in, 2);
	lines = arena_array(unpacker->arena, count + 1, sizeof(*lines));
	for (size_t i = 0; i < count; i++) {
		size_t size;

		lines[i].versions = read_version_set(unpacker);
		lines[i].path = (uint32_t)byte_reader_below(&in, unpacker->unpacked->path_count);
		size = byte_reader_count(&in, 1);
		lines[i].at = in.at;
		in.at += size;
		lines[i].end = in.at;
	}
	unpacker->unpacked->lines = lines;
	unpacker->unpacked->line_count = count;
	return !in.failed && in.at == in.end;
}

static bool open_strings(struct unpacker *unpacker, const struct block *block)
{
	struct byte_reader in;

	byte_reader_init(&in, block->data, block->size);
	unpacker->string_count = byte_reader_count(&in, 1);
	unpacker->strings = arena_array(unpacker->arena, unpacker->string_count + 1, sizeof(*unpacker->strings));
	for (size_t i = 0; i < unpacker->string_count; i++)
		unpacker->strings[i] = byte_reader_text(&in);
	return !in.failed && in.at == in.end;
}

int unpacked_read(struct unpacked *out, const struct archive *archive, size_t target, struct arena *arena, struct err *err)
{
	struct unpacked unpacked = { .archive = archive, .target = archive->head.targets[target] };
	struct unpacker unpacker = { .unpacked = &unpacked, .target = target, .arena = arena };
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	bool whole = true;

	for (size_t i = ARCHIVE_STRINGS; whole && i < ARCHIVE_BLOCK_COUNT; i++)
		whole = block_unpack(&blocks[i], &archive->blocks[i], arena);
	unpacked.differs = unpacker.differs = arena_array(arena, archive->head.count + 2, sizeof(*unpacker.differs));
	whole = whole && open_strings(&unpacker, &blocks[ARCHIVE_STRINGS]);
	if (whole)
		byte_reader_init(&unpacker.version_sets, blocks[ARCHIVE_VERSION_SETS].data, blocks[ARCHIVE_VERSION_SETS].size);
	whole = whole && open_things(&unpacker, &blocks[ARCHIVE_THINGS]) && open_lines(&unpacker, &blocks[ARCHIVE_LINES]) &&
		!unpacker.version_sets.failed && unpacker.version_sets.at == unpacker.version_sets.end;
	if (!whole)
		return err_set(err, ERR_FORMAT, "%s: the archive contradicts itself; it was not written by this drvabi", archive->name);
	*out = unpacked;
	return 0;
}
