/*
 * Reads an archive in memory. The hashes in the archive show that archive_write() wrote these bytes. All
 * bounds are still checked, so that forged bytes with correct hashes give ERR_FORMAT.
 *
 * 1. archive_open() checks header, block table and hashes, and unpacks the block ARCHIVE_VERSIONS.
 * 2. unpacked_read() unpacks the other blocks, and reads the things of one target.
 * 3. archive_find() and archive_find_commit() find versions by name or commit.
 */
#include "store/internal.h"
#include "base/base.h"

#include <string.h>
#include <xxhash.h>

/* --- the header and the block table --------------------------------------------- */

static void put_fixed(unsigned char *at, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_fixed(const unsigned char *at)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return value;
}

static void put_hash(unsigned char *at, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	memcpy(at, &hash, sizeof(hash));
}

static bool hash_is(const unsigned char *at, const void *data, size_t size)
{
	XXH128_canonical_t hash;

	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	return !memcmp(at, &hash, sizeof(hash));
}

int blocks_write(struct strbuf *out, const struct strbuf blocks[ARCHIVE_BLOCK_COUNT], int level,
		 struct err *err)
{
	unsigned char head[ARCHIVE_BLOCKS_AT] = ARCHIVE_MAGIC, *row = head + ARCHIVE_TABLE_AT;
	struct strbuf packed = { 0 };
	int rc = 0;

	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++, row += ARCHIVE_ROW_BYTES) {
		const size_t before = packed.length, size = blocks[i].length;

		if (size > ARCHIVE_UNPACKED_LIMIT_BYTES)
			rc = err_set(err, ERR_LIMIT, "%zu bytes are too many for one block of an archive; "
				     "archive fewer versions", size);
		if (rc || (rc = compress_append(&packed, strbuf_text(&blocks[i]), size, level, err)))
			goto out;
		put_fixed(row, packed.length - before);
		put_fixed(row + ARCHIVE_ROW_UNPACKED_AT, size);
		put_hash(row + ARCHIVE_ROW_HASH_AT, packed.text + before, packed.length - before);
	}
	put_fixed(head + ARCHIVE_SIZE_AT, sizeof(head) + packed.length);
	put_hash(head + ARCHIVE_HASH_AT, head + ARCHIVE_TABLE_AT, sizeof(head) - ARCHIVE_TABLE_AT);
	strbuf_add(out, head, sizeof(head));
	strbuf_add(out, packed.text, packed.length);
out:
	strbuf_release(&packed);
	return rc;
}

int blocks_find(struct packed_block blocks[ARCHIVE_BLOCK_COUNT], const void *data, size_t size,
		struct err *err)
{
	const unsigned char *start = data, *row = start + ARCHIVE_TABLE_AT, *at = start + ARCHIVE_BLOCKS_AT;
	const unsigned char *end = start + size;

	if (size < ARCHIVE_MAGIC_BYTES || memcmp(start, ARCHIVE_MAGIC, ARCHIVE_MAGIC_BYTES - 1))
		return err_set(err, ERR_FORMAT,
			       "this is not an archive of drvabi; 'drvabi archive write' makes one");
	if (start[ARCHIVE_MAGIC_BYTES - 1] != (unsigned char)ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1])
		return err_set(err, ERR_NOT_FOUND, "the archive has format %d, but this drvabi reads format %d; "
			       "write it again with 'drvabi archive write'", start[ARCHIVE_MAGIC_BYTES - 1],
			       ARCHIVE_MAGIC[ARCHIVE_MAGIC_BYTES - 1]);
	if (size < ARCHIVE_BLOCKS_AT || get_fixed(start + ARCHIVE_SIZE_AT) != size)
		return err_set(
			err, ERR_FORMAT,
			"the archive is truncated, or data follows it; download or write it again");
	if (!hash_is(start + ARCHIVE_HASH_AT, row, ARCHIVE_BLOCKS_AT - ARCHIVE_TABLE_AT))
		return err_set(err, ERR_FORMAT, "the archive is damaged; download or write it again");
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++, row += ARCHIVE_ROW_BYTES) {
		uint64_t packed = get_fixed(row), unpacked = get_fixed(row + ARCHIVE_ROW_UNPACKED_AT);

		if (packed > (uint64_t)(end - at) || unpacked > ARCHIVE_UNPACKED_LIMIT_BYTES ||
		    !hash_is(row + ARCHIVE_ROW_HASH_AT, at, packed) ||
		    compress_unpacked_bytes(at, packed) != unpacked)
			return err_set(err, ERR_FORMAT,
				       "block %zu of the archive is damaged; download or write it again",
				       i + 1);
		blocks[i] = (struct packed_block){ { at, packed }, unpacked };
		at += packed;
	}
	if (at != end)
		return err_set(err, ERR_FORMAT,
			       "the archive has data after its last block; download or write it again");
	return 0;
}

bool block_unpack(struct block *out, const struct packed_block *block, struct arena *arena)
{
	unsigned char *data = arena_alloc(arena, block->unpacked_bytes + 1);

	if (!compress_unpack(data, block->unpacked_bytes, block->packed.data, block->packed.size))
		return false;
	*out = (struct block){ data, block->unpacked_bytes };
	return true;
}

/* --- the things of one target --------------------------------------------------- */

struct unpacker {
	struct byte_reader in;          /* the things */
	struct byte_reader version_sets;
	const char **strings;
	size_t string_count;
	size_t next_string;        /* the first string that has not been used yet */
	struct abi_record *layouts; /* size, align, is_union, fields */
	size_t layout_count;
	size_t next_layout;        /* the first layout that has not been read yet */
	size_t target;             /* the index of the wanted target */
	bool *differs;
	struct unpacked *unpacked;
	struct arena *arena;   /* what documents point to */
	struct arena *scratch; /* what only the reading of documents needs */
};

/* Reads a string's number. A string that is used for the first time is the next in the block. */
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
	struct abi_span *spans = arena_array(unpacker->scratch, count + 1, sizeof(*spans));
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

/* Reads the version set for the wanted target, and skips the sets for other targets. */
static struct version_set read_version_set(struct unpacker *unpacker)
{
	struct version_set wanted = { NULL, 0 }, now = { NULL, 0 };
	bool is_anywhere = false;

	for (size_t target = 0; target < unpacker->unpacked->archive->head.target_count; target++) {
		const size_t count = byte_reader_count(&unpacker->version_sets, 1);

		if (!target || count != ARCHIVE_SET_AS_BEFORE)
			now = read_spans(unpacker, target ? count - ARCHIVE_SET_OWN : count);
		is_anywhere |= now.count;
		if (target == unpacker->target)
			wanted = now;
	}
	if (!is_anywhere)
		byte_reader_fail(&unpacker->version_sets);
	for (size_t i = 0; i < wanted.count; i++) {
		unpacker->differs[wanted.spans[i].from] = true;
		unpacker->differs[wanted.spans[i].until] = true;
	}
	return wanted;
}

static struct unpacked_location read_location(struct unpacker *unpacker)
{
	struct unpacked_location location;

	location.path = (uint32_t)byte_reader_below(&unpacker->in, unpacker->unpacked->path_count);
	location.form = (uint32_t)byte_reader_below(&unpacker->in, UINT32_MAX);
	return location;
}

static void read_new_layout(struct unpacker *unpacker, struct abi_record *layout)
{
	struct byte_reader *in = &unpacker->in;
	struct abi_field *fields;

	layout->size_bytes = byte_reader_number(in);
	layout->align_bytes = byte_reader_number(in);
	layout->is_union = byte_reader_bool(in);
	layout->field_count = byte_reader_count(in, 5);
	fields = layout->field_count ? arena_array(unpacker->arena, layout->field_count, sizeof(*fields))
				     : NULL;
	for (size_t i = 0; i < layout->field_count; i++) {
		uint64_t flags;

		fields[i].name = read_string(unpacker);
		fields[i].type = read_string(unpacker);
		fields[i].offset_bits = byte_reader_number(in);
		fields[i].size_bits = byte_reader_number(in);
		flags = byte_reader_below(in, (ABI_ROLE_LAST + 1) << ARCHIVE_FIELD_ROLE_SHIFT);
		fields[i].role = (enum abi_role)(flags >> ARCHIVE_FIELD_ROLE_SHIFT);
		fields[i].is_bitfield = flags & ARCHIVE_FIELD_BITFIELD;
	}
	layout->fields = fields;
}

/* Reads a layout: the layout itself at its first use, and later its number. */
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

static void read_record(struct unpacker *unpacker, void *item, struct unpacked_location *location)
{
	struct abi_record *record = item;
	const char *name = read_string(unpacker);

	*location = read_location(unpacker);
	*record = read_layout(unpacker);
	record->name = name;
}

static void read_alias(struct unpacker *unpacker, void *item, struct unpacked_location *location)
{
	struct abi_alias *alias = item;

	(void)location;
	alias->name = read_string(unpacker);
	alias->type = read_string(unpacker);
	alias->size_bytes = byte_reader_number(&unpacker->in);
}

static void read_enum(struct unpacker *unpacker, void *item, struct unpacked_location *location)
{
	struct abi_enum *one = item;
	struct abi_enumerator *values;

	one->name = read_string(unpacker);
	*location = read_location(unpacker);
	one->type = read_string(unpacker);
	one->size_bytes = byte_reader_number(&unpacker->in);
	one->value_count = byte_reader_count(&unpacker->in, 3);
	values = one->value_count ? arena_array(unpacker->arena, one->value_count, sizeof(*values)) : NULL;
	for (size_t i = 0; i < one->value_count; i++) {
		values[i].name = read_string(unpacker);
		values[i].value = read_value(&unpacker->in);
	}
	one->values = values;
}

static void read_constant(struct unpacker *unpacker, void *item, struct unpacked_location *location)
{
	struct abi_constant *constant = item;

	(void)location;
	constant->name = read_string(unpacker);
	constant->value = read_value(&unpacker->in);
}

static void read_ioctl(struct unpacker *unpacker, void *item, struct unpacked_location *location)
{
	struct abi_ioctl *ioctl = item;
	bool has_argument = false;
	const char **flags;

	ioctl->family = read_string(unpacker);
	ioctl->name = read_string(unpacker);
	*location = read_location(unpacker);
	ioctl->number = byte_reader_number(&unpacker->in);
	ioctl->params = read_optional(unpacker);
	ioctl->access = read_optional(unpacker);
	if (!abi_ioctl_set_head(ioctl, &has_argument, byte_reader_number(&unpacker->in)))
		byte_reader_fail(&unpacker->in);
	if (has_argument)
		ioctl->argument = read_string(unpacker);
	ioctl->flag_count = byte_reader_bounded(&unpacker->in, ioctl->flag_count, 1);
	flags = ioctl->flag_count ? arena_array(unpacker->arena, ioctl->flag_count, sizeof(*flags)) : NULL;
	for (size_t i = 0; i < ioctl->flag_count; i++)
		flags[i] = read_string(unpacker);
	ioctl->flags = flags;
}

static const struct thing_form {
	size_t least_bytes; /* minimum size in the block */
	void (*read)(struct unpacker *unpacker, void *item, struct unpacked_location *location);
} thing_forms[ABI_KIND_COUNT] = {
	[ABI_RECORD] = { 4, read_record },     [ABI_ALIAS] = { 3, read_alias }, [ABI_ENUM] = { 6, read_enum },
	[ABI_CONSTANT] = { 3, read_constant }, [ABI_IOCTL] = { 8, read_ioctl },
};

static void read_things(struct unpacker *unpacker, enum abi_kind kind)
{
	const struct thing_form *form = &thing_forms[kind];
	const size_t count = byte_reader_count(&unpacker->in, form->least_bytes);
	struct unpacked_things *things = &unpacker->unpacked->things[kind];
	const size_t size = abi_item_bytes(kind);
	char *items = arena_array(unpacker->scratch, count + 1, size);

	*things = (struct unpacked_things){
		.items = items,
		.count = count,
		.size_bytes = size,
		.versions = arena_array(unpacker->scratch, count + 1, sizeof(*things->versions)),
	};
	if (abi_item_source(kind, items))
		things->locations = arena_array(unpacker->scratch, count + 1, sizeof(*things->locations));
	for (size_t i = 0; i < count; i++) {
		things->versions[i] = read_version_set(unpacker);
		form->read(unpacker, items + i * size, things->locations ? &things->locations[i] : NULL);
	}
}

static void read_warnings(struct unpacker *unpacker)
{
	size_t count = byte_reader_count(&unpacker->in, 1);
	struct unpacked_warnings *lists = arena_array(unpacker->scratch, count + 1, sizeof(*lists));

	unpacker->unpacked->warnings = lists;
	unpacker->unpacked->warning_count = count;
	for (; count--; lists++) {
		struct abi_warning *warnings;

		lists->versions = read_version_set(unpacker);
		lists->count = byte_reader_count(&unpacker->in, 2);
		warnings = arena_array(unpacker->arena, lists->count + 1, sizeof(*warnings));
		lists->warnings = warnings;
		for (size_t i = 0; i < lists->count; i++) {
			warnings[i].place = read_string(unpacker);
			warnings[i].text = read_string(unpacker);
		}
	}
}

/* Reads the block ARCHIVE_THINGS. Return: false if a byte is missing, superfluous or invalid. */
static bool open_things(struct unpacker *unpacker, const struct block *block)
{
	struct unpacked_path *paths;
	size_t count;

	byte_reader_init(&unpacker->in, block->data, block->size);
	count = byte_reader_count(&unpacker->in, 1);
	paths = arena_array(unpacker->scratch, count + 1, sizeof(*paths));
	for (size_t i = 0; i < count; i++) {
		paths[i].text = read_string(unpacker);
		paths[i].length = strlen(paths[i].text);
	}
	unpacker->unpacked->paths = paths;
	unpacker->unpacked->path_count = count;
	unpacker->layout_count = byte_reader_count(&unpacker->in, 4);
	unpacker->layouts =
		arena_array(unpacker->scratch, unpacker->layout_count + 1, sizeof(*unpacker->layouts));
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		read_things(unpacker, (enum abi_kind)kind);
	read_warnings(unpacker);
	return byte_reader_is_done(&unpacker->in) && unpacker->next_string == unpacker->string_count &&
	       unpacker->next_layout == unpacker->layout_count;
}

/* Finds the lists of lines in their block. read_source() reads a list only if a version needs it. */
static bool open_lines(struct unpacker *unpacker, const struct block *block)
{
	struct unpacked_lines *lines;
	struct byte_reader in;
	size_t count;

	byte_reader_init(&in, block->data, block->size);
	count = byte_reader_count(&in, 2);
	lines = arena_array(unpacker->scratch, count + 1, sizeof(*lines));
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
	return byte_reader_is_done(&in);
}

static bool open_strings(struct unpacker *unpacker, const struct block *block)
{
	struct byte_reader in;

	byte_reader_init(&in, block->data, block->size);
	unpacker->string_count = byte_reader_count(&in, 1);
	unpacker->strings =
		arena_array(unpacker->scratch, unpacker->string_count + 1, sizeof(*unpacker->strings));
	for (size_t i = 0; i < unpacker->string_count; i++)
		unpacker->strings[i] = byte_reader_text(&in);
	return byte_reader_is_done(&in);
}

int unpacked_read(struct unpacked *out, const struct archive *archive, size_t target, struct arena *arena,
		  struct arena *scratch, struct err *err)
{
	struct unpacked unpacked = { .archive = archive, .target = archive->head.targets[target] };
	struct unpacker unpacker = {
		.unpacked = &unpacked, .target = target, .arena = arena, .scratch = scratch,
	};
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	bool whole = true;

	for (size_t i = ARCHIVE_STRINGS; whole && i < ARCHIVE_BLOCK_COUNT; i++)
		whole = block_unpack(&blocks[i], &archive->blocks[i], i == ARCHIVE_STRINGS ? arena : scratch);
	unpacked.differs = unpacker.differs =
		arena_array(scratch, archive->head.count + 2, sizeof(*unpacker.differs));
	whole = whole && open_strings(&unpacker, &blocks[ARCHIVE_STRINGS]);
	if (whole)
		byte_reader_init(&unpacker.version_sets, blocks[ARCHIVE_VERSION_SETS].data,
				 blocks[ARCHIVE_VERSION_SETS].size);
	whole = whole && open_things(&unpacker, &blocks[ARCHIVE_THINGS]) &&
		open_lines(&unpacker, &blocks[ARCHIVE_LINES]) && byte_reader_is_done(&unpacker.version_sets);
	if (!whole)
		return err_set(err, ERR_FORMAT,
			       "%s: the archive is inconsistent; it was not written by this drvabi",
			       archive->name);
	*out = unpacked;
	return 0;
}

/* --- the head ------------------------------------------------------------------- */

/* True if no version is its own ancestor. */
static bool is_forest(const struct source_version *versions, size_t count, struct arena *arena)
{
	size_t *walk =
		arena_array(arena, count + 1, sizeof(*walk)); /* the first walk to reach a version, plus 1 */

	for (size_t i = 0; i < count; i++)
		for (long at = (long)i; at != SOURCE_NO_PARENT; at = versions[at].parent) {
			if (walk[at] == i + 1)
				return false;
			if (walk[at])
				break;
			walk[at] = i + 1;
		}
	return true;
}

const struct archive_head *archive_head(const struct archive *archive)
{
	return &archive->head;
}

void graph_read(struct source_graph *out, struct byte_reader *in, struct arena *arena)
{
	struct source_version *versions;

	*out = (struct source_graph){ .main = byte_reader_text(in) };
	if (!*out->main)
		out->main = NULL;
	out->shallow = byte_reader_bool(in);
	out->count = byte_reader_count(in, 5);
	out->versions = versions = arena_array(arena, out->count + 1, sizeof(*versions));
	for (size_t i = 0; i < out->count; i++) {
		versions[i].name = byte_reader_text(in);
		versions[i].commit = byte_reader_text(in);
		versions[i].time = varint_unfolded(byte_reader_number(in));
		versions[i].parent = (long)byte_reader_below(in, out->count + 1) - 1;
		versions[i].on_main = byte_reader_bool(in);
		if (i && abi_version_compare(versions[i - 1].name, versions[i].name) >= 0)
			byte_reader_fail(in);
	}
	if (!in->failed && !is_forest(versions, out->count, arena))
		byte_reader_fail(in);
}

/* Reads the block ARCHIVE_VERSIONS. Return: false if a byte is missing, superfluous or invalid. */
static bool open_head(struct archive_head *head, const struct block *block, struct arena *arena)
{
	struct source_graph graph;
	struct byte_reader in;
	const char **targets;

	byte_reader_init(&in, block->data, block->size);
	head->driver = byte_reader_text(&in);
	head->profile = byte_reader_text(&in);
	head->generation = byte_reader_number(&in);
	head->target_count = byte_reader_below(&in, ARCHIVE_TARGETS_MAX + 1);
	head->targets = targets = arena_array(arena, head->target_count + 1, sizeof(*targets));
	for (size_t i = 0; i < head->target_count; i++) {
		targets[i] = byte_reader_text(&in);
		if (i && strcmp(targets[i - 1], targets[i]) >= 0)
			byte_reader_fail(&in);
	}
	graph_read(&graph, &in, arena);
	head->versions = graph.versions;
	head->count = graph.count;
	head->main = graph.main;
	head->shallow = graph.shallow;
	return byte_reader_is_done(&in);
}

int archive_open(const struct archive **out, const void *data, size_t size, const char *name,
		 struct arena *arena, struct err *err)
{
	struct archive *archive = arena_alloc(arena, sizeof(*archive));
	struct block head;
	int rc;

	if ((rc = blocks_find(archive->blocks, arena_memdup(arena, data, size), size, err))) {
		err_prefix(err, "%s", name);
		return rc;
	}
	archive->name = arena_strdup(arena, name);
	if (!block_unpack(&head, &archive->blocks[ARCHIVE_VERSIONS], arena) ||
	    !open_head(&archive->head, &head, arena))
		return err_set(err, ERR_FORMAT,
			       "%s: the archive is inconsistent; it was not written by this drvabi", name);
	*out = archive;
	return 0;
}

const char *archive_as_of(const struct archive *archive, char buffer[32])
{
	const struct archive_head *head = &archive->head;
	int64_t newest = INT64_MIN;

	for (size_t i = 0; i < head->count; i++)
		if (head->versions[i].time > newest)
			newest = head->versions[i].time;
	return text_of_day(newest, buffer);
}

const char *archive_name(const struct archive *archive)
{
	return archive->name;
}

bool archive_target(size_t *index, const struct archive *archive, const char *target)
{
	for (size_t i = 0; i < archive->head.target_count; i++) {
		if (strcmp(archive->head.targets[i], target))
			continue;
		*index = i;
		return true;
	}
	return false;
}

/* --- versions by name or commit ------------------------------------------------- */

enum { SHOWN_DIGITS = 12 }; /* `archive list` prints 12 digits of a commit */

bool is_commit_id(const char *text, size_t least_digits)
{
	size_t digits = strlen(text);

	return digits >= least_digits && digits <= COMMIT_DIGITS &&
	       strspn(text, "0123456789abcdefABCDEF") == digits;
}

/* Finds a version by the first digits of its commit. If several versions match, the lowest one is found. */
static bool find_digits(size_t *index, const struct archive_head *head, const char *digits)
{
	for (size_t i = 0; i < head->count; i++) {
		if (strncmp(head->versions[i].commit, digits, strlen(digits)))
			continue;
		*index = i;
		return true;
	}
	return false;
}

bool archive_find_commit(size_t *index, const struct archive *archive, const char *commit)
{
	return strlen(commit) == COMMIT_DIGITS && find_digits(index, &archive->head, commit);
}

int archive_find(size_t *index, const struct archive *archive, const char *version, struct err *err)
{
	const struct archive_head *head = &archive->head;
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf list = { 0 };
	struct arena arena = { 0 };
	const char **names;
	char day[32];

	for (size_t i = 0; i < head->count; i++) {
		if (strcmp(head->versions[i].name, version))
			continue;
		*index = i;
		return 0;
	}
	if (is_commit_id(version, SHOWN_DIGITS) && find_digits(index, head, version))
		return 0;
	names = arena_array(&arena, head->count + 1, sizeof(*names));
	for (size_t i = 0; i < head->count; i++)
		names[i] = head->versions[i].name;
	abi_nearest_typos(&nearest, version, names, head->count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, version, names, head->count);
	abi_nearest_list(&list, &nearest);
	err_set(err, ERR_NOT_FOUND, "no version %s in %s (as of %s)%s", version, archive->name,
		archive_as_of(archive, day), strbuf_text(&list));
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
