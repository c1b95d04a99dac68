#include "store/archive.h"
#include "store/internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct abi_field first_fields[] = {
	{ "hClient", "NvHandle", 0, 32, false, ABI_ROLE_HANDLE },
	{ "mode", "NvU32", 32, 3, true, ABI_ROLE_NONE },
	{ "", "CHANNEL::u_t[2]", 64, 128, false, ABI_ROLE_NONE },
	{ "tail", "NvU8[]", 192, 0, false, ABI_ROLE_LAST },
};
static const struct abi_field grown_fields[] = {
	{ "hClient", "NvHandle", 0, 32, false, ABI_ROLE_HANDLE },
	{ "mode", "NvU32", 32, 4, true, ABI_ROLE_NONE },
};
static const struct abi_record old_records[] = {
	{ "CHANNEL", first_fields, 4, 24, 8, false, "a/b.h:12:3" },
	{ "CHANNEL_st", first_fields, 4, 24, 8, false, "a/b.h:12:3" },
	{ "EMPTY", NULL, 0, 0, 1, true, "a/b.h:99:1" },
};
static const struct abi_record new_records[] = {
	{ "CHANNEL", grown_fields, 2, UINT64_MAX, 8, false, "a/b.h:14:3" },
	{ "CHANNEL_st", first_fields, 4, 24, 8, false, "a/b.h:4000000:3" },
	{ "NEVER_THERE_BEFORE", NULL, 0, 0, 1, true, "" },
};
static const struct abi_alias aliases[] = { { "NvHandle", "unsigned int", 4 },
					    { "NvU8", "unsigned char", 1 } };
static const struct abi_alias new_aliases[] = { { "NvHandle", "unsigned long", 8 } };
static const struct abi_enumerator values[] = { { "LAST", { UINT64_MAX, false } },
						{ "LEAST", { UINT64_C(1) << 63, true } } };
static const struct abi_enum enums[] = { { "MODE", "unsigned long", 8, values, 2, "a/b.h:5:1" } };
static const struct abi_constant constants[] = { { "NV_ESC_RM_CONTROL", { 42, false } },
						 { "NV_MINUS", { 1, true } } };
static const struct abi_constant new_constants[] = { { "NV_ESC_RM_CONTROL", { 42, false } },
						     { "NV_MINUS", { 2, true } } };
static const char *const flags[] = { "non-privileged", "privileged" };
static const struct abi_ioctl ioctls[] = {
	{ "control", "NV_CMD", 0x20801358, "CHANNEL", flags, 2, "RIGHT", "t.c:4", ABI_NUMBER_PLAIN, 0, NULL },
	{ "uvm", "UVM_NOTHING", 7, NULL, NULL, 0, NULL, "t.c", ABI_NUMBER_PLAIN, 0, NULL },
};
static const struct abi_ioctl new_ioctls[] = {
	{ "control", "NV_CMD", 0x20801357, "CHANNEL", flags, 1, "RIGHT", "t.c:3", ABI_NUMBER_PLAIN, 0, NULL },
	{ "control", "NV_OTHER", 0x20801358, NULL, NULL, 0, NULL, "t.c:4", ABI_NUMBER_PLAIN, 0, NULL },
	{ "uvm", "UVM_NOTHING", 7, NULL, NULL, 0, NULL, "t.c", ABI_NUMBER_PLAIN, 0, NULL },
};
static const struct abi_warning warnings[] = { { "", "no place" },
					       { "a.h:9:1", "nine" },
					       { "a.h:10:1", "ten" } };

#define OLD                                                                                                  \
	.records = old_records, .record_count = 3, .aliases = aliases, .alias_count = 2, .enums = enums,     \
	.enum_count = 1, .constants = constants, .constant_count = 2, .ioctls = ioctls, .ioctl_count = 2
#define NEW                                                                                                  \
	.records = new_records, .record_count = 3, .aliases = new_aliases, .alias_count = 1,                 \
	.constants = new_constants, .constant_count = 2, .ioctls = new_ioctls, .ioctl_count = 3,             \
	.warnings = warnings, .warning_count = 3
#define OF .driver = "nvidia", .target = "x86_64-linux-gnu"
#define ARM .driver = "nvidia", .target = "aarch64-linux-gnu"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

/* The fourth document has the old elements again. The last document has no elements. */
static const struct abi documents[] = {
	{ OF, .version = "1.9", .commit = "19", OLD },
	{ OF, .version = "1.10", .commit = COMMIT, OLD },
	{ OF, .version = "2.0", .commit = "20", NEW },
	{ OF, .version = "2.1", .commit = "21", OLD },
	{ OF, .version = "3.0", .commit = "", .warnings = warnings, .warning_count = 1 },
};
enum { DOCUMENT_COUNT = sizeof(documents) / sizeof(*documents) };

/* The documents of a second target. The first two have the same elements as above. The next two differ. */
static const struct abi arm_documents[DOCUMENT_COUNT] = {
	{ ARM, .version = "1.9", .commit = "19", OLD },
	{ ARM, .version = "1.10", .commit = COMMIT, OLD },
	{ ARM, .version = "2.0", .commit = "20", OLD },
	{ ARM, .version = "2.1", .commit = "21", NEW },
	{ ARM, .version = "3.0", .commit = "" },
};

static const struct archive_version versions[DOCUMENT_COUNT] = {
	{ "1.9", "19", -1, ARCHIVE_NO_PARENT, true },
	{ "1.10", COMMIT, 1700000000, 0, false },
	{ "2.0", "20", 1700000001, 0, true },
	{ "2.1", "21", 1700000001, 4, false },
	{ "3.0", "", 0, ARCHIVE_NO_PARENT, true },
};
static const char *const targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };
enum { ON_ARM, ON_X86, TARGET_COUNT };
static const struct archive_head head = {
	.driver = "nvidia",
	.profile = "0f",
	.generation = 7,
	.targets = targets,
	.target_count = TARGET_COUNT,
	.versions = versions,
	.count = DOCUMENT_COUNT,
	.main = "main",
	.shallow = true,
};
/* The same versions, but only one target. */
static const struct archive_head single = {
	.driver = "nvidia", .profile = "0f", .generation = 7, .targets = targets + ON_X86, .target_count = 1,
	.versions = versions, .count = DOCUMENT_COUNT, .main = "main", .shallow = true,
};

struct round_trip {
	struct strbuf bytes;
	struct arena arena;
	const struct archive *archive;
	struct abi documents[DOCUMENT_COUNT];
};

static int written(struct strbuf *out, const struct archive_head *of, const struct abi *x86, struct err *err)
{
	const struct abi *all[TARGET_COUNT * DOCUMENT_COUNT];
	size_t count = 0;

	for (size_t target = 0; target < of->target_count; target++)
		for (size_t i = 0; i < DOCUMENT_COUNT; i++)
			all[count++] =
				strcmp(of->targets[target], "x86_64-linux-gnu") ? &arm_documents[i] : &x86[i];
	return archive_write(out, of, all, err);
}

static int read_all(struct abi got[DOCUMENT_COUNT], const struct archive *archive, size_t target,
		    struct arena *arena, struct err *err)
{
	struct abi *wanted[DOCUMENT_COUNT];

	for (size_t i = 0; i < DOCUMENT_COUNT; i++)
		wanted[i] = &got[i];
	return archive_documents(wanted, archive, target, arena, err);
}

static int write_and_read(void **state)
{
	struct round_trip *trip = calloc(1, sizeof(*trip));
	struct err err;
	int rc;

	*state = trip;
	if ((rc = written(&trip->bytes, &head, documents, &err)) ||
	    (rc = archive_open(&trip->archive, trip->bytes.text, trip->bytes.length, "f.drvabi", &trip->arena,
			       &err)))
		return rc;
	return read_all(trip->documents, trip->archive, ON_X86, &trip->arena, &err);
}

static int forget(void **state)
{
	struct round_trip *trip = *state;

	strbuf_release(&trip->bytes);
	arena_release(&trip->arena);
	free(trip);
	return 0;
}

static const struct round_trip *trip_of(void **state)
{
	return *state;
}

static void assert_same_document(const struct abi *a, const struct abi *b)
{
	struct strbuf text_a = { 0 }, text_b = { 0 };

	json_write_abi(&(struct json_writer){ .out = &text_a }, a);
	json_write_abi(&(struct json_writer){ .out = &text_b }, b);
	assert_string_equal(text_a.text, text_b.text);
	strbuf_release(&text_a);
	strbuf_release(&text_b);
}

/*
 * Finds the versions that have an item. @out: "11010", a digit for each version; "" if no version has the
 * item
 */
static void versions_with(char out[DOCUMENT_COUNT + 1], const struct abi_index *index, enum abi_kind kind,
			  const char *name, uint64_t number)
{
	memset(out, '0', DOCUMENT_COUNT);
	out[DOCUMENT_COUNT] = '\0';
	for (size_t i = 0; i < index->count; i++) {
		const struct abi_index_item *item = &index->items[i];

		if (item->kind != kind || strcmp(item->name, name) ||
		    (number && item->number.magnitude != number))
			continue;
		for (size_t s = 0; s < item->span_count; s++)
			for (uint32_t v = item->spans[s].from; v < item->spans[s].until; v++)
				out[v] = '1';
	}
}

static void the_index_knows_which_versions_have_what(void **state)
{
	struct round_trip *trip = *state;
	struct abi *none[DOCUMENT_COUNT] = { NULL };
	char with[DOCUMENT_COUNT + 1];
	struct abi_index index;
	struct err err;

	assert_int_equal(archive_indexed(none, &index, trip->archive, ON_X86, &trip->arena, &err), 0);
	versions_with(with, &index, ABI_RECORD, "CHANNEL", 0);
	assert_string_equal(with, "11110");
	versions_with(with, &index, ABI_RECORD, "NEVER_THERE_BEFORE", 0);
	assert_string_equal(with, "00100");
	versions_with(with, &index, ABI_IOCTL, "NV_CMD", 0x20801358);
	assert_string_equal(with, "11010");
	versions_with(with, &index, ABI_IOCTL, "NV_OTHER", 0x20801358);
	assert_string_equal(with, "00100");
	versions_with(with, &index, ABI_CONSTANT, "NV_MINUS", 1);
	assert_string_equal(with, "11010");
	assert_int_equal(archive_indexed(none, &index, trip->archive, ON_ARM, &trip->arena, &err), 0);
	versions_with(with, &index, ABI_ENUM, "MODE", 0);
	assert_string_equal(with, "11100");
}

static void the_index_comes_with_a_document(void **state)
{
	struct round_trip *trip = *state;
	struct abi got, *wanted[DOCUMENT_COUNT] = { [3] = &got };
	struct abi_index index;
	struct err err;

	assert_int_equal(archive_indexed(wanted, &index, trip->archive, ON_X86, &trip->arena, &err), 0);
	assert_same_document(&got, &documents[3]);
}

static void every_document_comes_back(void **state)
{
	for (size_t i = 0; i < DOCUMENT_COUNT; i++)
		assert_same_document(&trip_of(state)->documents[i], &documents[i]);
}

static void the_graph_comes_back(void **state)
{
	const struct archive_head *got = archive_head(trip_of(state)->archive);

	assert_string_equal(got->driver, "nvidia");
	assert_string_equal(got->profile, "0f");
	assert_int_equal(got->generation, 7);
	assert_int_equal(got->target_count, TARGET_COUNT);
	assert_string_equal(got->targets[ON_ARM], "aarch64-linux-gnu");
	assert_string_equal(got->targets[ON_X86], "x86_64-linux-gnu");
	assert_string_equal(got->main, "main");
	assert_true(got->shallow);
	assert_int_equal(got->count, DOCUMENT_COUNT);
	for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
		assert_string_equal(got->versions[i].name, versions[i].name);
		assert_string_equal(got->versions[i].commit, versions[i].commit);
		assert_true(got->versions[i].time == versions[i].time);
		assert_int_equal(got->versions[i].parent, versions[i].parent);
		assert_int_equal(got->versions[i].on_main, versions[i].on_main);
	}
}

static void every_target_has_its_own_documents(void **state)
{
	const struct archive *archive = trip_of(state)->archive;
	struct abi got[DOCUMENT_COUNT];
	struct arena arena = { 0 };
	struct err err;
	size_t target;

	assert_true(archive_target(&target, archive, "aarch64-linux-gnu"));
	assert_int_equal(target, ON_ARM);
	assert_false(archive_target(&target, archive, "riscv64-linux-gnu"));
	assert_int_equal(read_all(got, archive, ON_ARM, &arena, &err), 0);
	for (size_t i = 0; i < DOCUMENT_COUNT; i++)
		assert_same_document(&got[i], &arm_documents[i]);
	arena_release(&arena);
}

static void what_two_targets_have_in_common_is_stored_once(void **state)
{
	struct strbuf one = { 0 };
	struct abi same[DOCUMENT_COUNT];
	const struct abi *both[TARGET_COUNT * DOCUMENT_COUNT];
	struct strbuf two = { 0 };
	struct err err;

	(void)state;
	memcpy(same, documents, sizeof(same));
	for (size_t i = 0; i < DOCUMENT_COUNT; i++) {
		same[i].target = "aarch64-linux-gnu";
		both[i] = &same[i];
		both[DOCUMENT_COUNT + i] = &documents[i];
	}
	assert_int_equal(written(&one, &single, documents, &err), 0);
	assert_int_equal(archive_write(&two, &head, both, &err), 0);
	assert_true(two.length < one.length + 64);
	strbuf_release(&two);
	strbuf_release(&one);
}

static void what_did_not_change_is_shared(void **state)
{
	const struct abi *got = trip_of(state)->documents;

	assert_ptr_equal(got[0].records[1].fields, got[2].records[1].fields);
	assert_ptr_equal(got[0].records[0].fields, got[0].records[1].fields);
	assert_ptr_equal(got[0].records[0].name, got[2].records[0].name);
}

static void equal_neighbours_are_one_piece_of_memory(void **state)
{
	const struct abi *got = trip_of(state)->documents;

	assert_ptr_equal(got[0].records, got[1].records);
	assert_ptr_not_equal(got[1].records, got[2].records);
	assert_ptr_equal(got[0].records[2].source, got[3].records[2].source); /* the same location */
	assert_ptr_not_equal(got[0].records[1].source, got[2].records[1].source);
}

static void documents_that_are_not_wanted_are_left_out(void **state)
{
	struct abi second, fourth, *wanted[DOCUMENT_COUNT] = { NULL, &second, NULL, &fourth, NULL };
	struct arena arena = { 0 };
	struct err err;

	assert_int_equal(archive_documents(wanted, trip_of(state)->archive, ON_X86, &arena, &err), 0);
	assert_same_document(&second, &documents[1]);
	assert_same_document(&fourth, &documents[3]);
	arena_release(&arena);
}

static void the_same_documents_give_the_same_bytes(void **state)
{
	struct strbuf again = { 0 };
	struct err err;

	assert_int_equal(written(&again, &head, documents, &err), 0);
	assert_int_equal(again.length, trip_of(state)->bytes.length);
	assert_memory_equal(again.text, trip_of(state)->bytes.text, again.length);
	strbuf_release(&again);
}

static void an_archive_of_nothing_is_an_archive(void **state)
{
	const struct archive_head none = { .driver = "d", .profile = "" };
	const struct archive *archive;
	struct strbuf bytes = { 0 };
	struct arena arena = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(archive_write(&bytes, &none, NULL, &err), 0);
	assert_int_equal(archive_open(&archive, bytes.text, bytes.length, "f", &arena, &err), 0);
	assert_int_equal(archive_head(archive)->count, 0);
	assert_null(archive_head(archive)->main);
	arena_release(&arena);
	strbuf_release(&bytes);
}

static void a_version_is_found_by_its_name(void **state)
{
	size_t index = 77;
	struct err err;

	assert_int_equal(archive_find(&index, trip_of(state)->archive, "2.0", &err), 0);
	assert_int_equal(index, 2);
}

static void a_version_is_found_by_its_commit(void **state)
{
	const struct archive *archive = trip_of(state)->archive;
	size_t index = 77;
	struct err err;

	assert_int_equal(archive_find(&index, archive, "0123456789ab", &err), 0);
	assert_int_equal(index, 1);
	assert_int_equal(archive_find(&index, archive, "0123456789a", &err), ERR_NOT_FOUND);
	index = 77;
	assert_true(archive_find_commit(&index, archive, COMMIT));
	assert_int_equal(index, 1);
	assert_false(archive_find_commit(&index, archive, "0123456789ab"));
	assert_false(archive_find_commit(&index, archive, ""));
}

static void an_unknown_version_is_refused_with_its_neighbours(void **state)
{
	size_t index = 77;
	struct err err;

	assert_int_equal(archive_find(&index, trip_of(state)->archive, "2.00000", &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "no version 2.00000 in f.drvabi (as of 2023-11-14); nearest: 2.0, 2.1");
	assert_int_equal(index, 77);
}

static void a_document_of_another_driver_is_refused(void **state)
{
	struct archive_head other = single;
	struct strbuf bytes = { 0 };
	struct err err;

	(void)state;
	other.driver = "amd";
	assert_int_equal(written(&bytes, &other, documents, &err), ERR_FORMAT);
	assert_string_equal(
		err.text,
		"1.9 is for nvidia on x86_64-linux-gnu, but the archive is for amd on x86_64-linux-gnu");
	assert_int_equal(bytes.length, 0);
}

static void a_document_that_has_a_name_twice_is_refused(void **state)
{
	static const struct abi_constant twice[] = { { "A", { 1, false } }, { "A", { 1, false } } };
	struct abi bad[DOCUMENT_COUNT];
	struct strbuf bytes = { 0 };
	struct err err;

	(void)state;
	memcpy(bad, documents, sizeof(bad));
	bad[1].constants = twice;
	assert_int_equal(written(&bytes, &single, bad, &err), ERR_FORMAT);
	assert_string_equal(err.text, "1.10: the document has A twice");
	assert_int_equal(bytes.length, 0);
}

/* Reads all versions from a copy of exactly @size bytes, so that ASan finds a read past the end. */
static int read_copy(const void *bytes, size_t size, struct err *err)
{
	const struct archive *archive = NULL;
	struct arena arena = { 0 };
	void *copy = xmalloc(size ? size : 1);
	struct abi abi[DOCUMENT_COUNT], **wanted;
	int rc;

	memcpy(copy, bytes, size);
	rc = archive_open(&archive, copy, size, "f.drvabi", &arena, err);
	if (rc) {
		assert_null(archive);
		assert_non_null(strstr(err->text, "f.drvabi"));
	}
	if (!rc) {
		wanted = arena_array(&arena, archive_head(archive)->count + 1, sizeof(struct abi *));
		for (size_t i = 0; i < archive_head(archive)->count && i < DOCUMENT_COUNT; i++)
			wanted[i] = &abi[i];
	}
	for (size_t target = 0; !rc && target < archive_head(archive)->target_count; target++)
		rc = archive_documents(wanted, archive, target, &arena, err);
	arena_release(&arena);
	free(copy);
	return rc;
}

static void every_truncation_is_refused(void **state)
{
	const struct strbuf *bytes = &trip_of(state)->bytes;
	struct err err;

	for (size_t size = 0; size < bytes->length; size++)
		assert_int_equal(read_copy(bytes->text, size, &err), ERR_FORMAT);
	assert_int_equal(read_copy(bytes->text, bytes->length, &err), 0);
}

static void what_follows_the_end_is_refused(void **state)
{
	struct strbuf longer = { 0 };
	struct err err;

	strbuf_add(&longer, trip_of(state)->bytes.text, trip_of(state)->bytes.length);
	strbuf_addch(&longer, '\0');
	assert_int_equal(read_copy(longer.text, longer.length, &err), ERR_FORMAT);
	strbuf_release(&longer);
}

static void every_flipped_bit_is_refused(void **state)
{
	struct strbuf damaged = { 0 };
	struct err err;

	strbuf_add(&damaged, trip_of(state)->bytes.text, trip_of(state)->bytes.length);
	for (size_t bit = 0; bit < 8 * damaged.length; bit++) {
		const bool is_form = bit / 8 == ARCHIVE_MAGIC_BYTES - 1;

		damaged.text[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_equal(read_copy(damaged.text, damaged.length, &err),
				 is_form ? ERR_NOT_FOUND : ERR_FORMAT);
		damaged.text[bit / 8] ^= (char)(1 << bit % 8);
	}
	strbuf_release(&damaged);
}

static void another_form_is_told_from_damage(void **state)
{
	struct strbuf other = { 0 };
	struct err err;

	strbuf_add(&other, trip_of(state)->bytes.text, trip_of(state)->bytes.length);
	other.text[ARCHIVE_MAGIC_BYTES - 1] = 9;
	assert_int_equal(read_copy(other.text, other.length, &err), ERR_NOT_FOUND);
	assert_string_equal(
		err.text,
		"f.drvabi: the archive has format 9, but this drvabi reads format 2; write it again with 'drvabi archive write'");
	assert_int_equal(read_copy("{\"format\": \"drvabi-abi/1\"}", 26, &err), ERR_FORMAT);
	assert_string_equal(err.text,
			    "f.drvabi: this is not an archive of drvabi; 'drvabi archive write' makes one");
	strbuf_release(&other);
}

/* Unpacks the blocks of the archive. */
static void unpack_all(struct block blocks[ARCHIVE_BLOCK_COUNT], const struct strbuf *bytes,
		       struct arena *arena)
{
	struct packed_block packed[ARCHIVE_BLOCK_COUNT];
	struct err err;

	assert_int_equal(blocks_find(packed, bytes->text, bytes->length, &err), 0);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		assert_true(block_unpack(&blocks[i], &packed[i], arena));
}

static void put_back(struct strbuf *bytes, const struct block *blocks)
{
	struct strbuf again[ARCHIVE_BLOCK_COUNT] = { 0 };
	struct err err;

	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_add(&again[i], blocks[i].data, blocks[i].size);
	strbuf_reset(bytes);
	assert_int_equal(blocks_write(bytes, again, 1, &err), 0);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&again[i]);
}

/*
 * Forged bytes with correct hashes give a document or ERR_FORMAT. The sanitizers would find a read past the
 * end.
 */
static void forged_blocks_do_no_harm(void **state)
{
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	struct strbuf forged = { 0 };
	struct arena arena = { 0 };
	struct err err;
	size_t refused = 0;

	unpack_all(blocks, &trip_of(state)->bytes, &arena);
	for (size_t b = 0; b < ARCHIVE_BLOCK_COUNT; b++) {
		for (size_t i = 0; i < blocks[b].size * 4; i++) {
			static const unsigned char patterns[] = { 0x01, 0x80, 0xff, 0x55 };
			unsigned char *byte = (unsigned char *)blocks[b].data + i / 4;
			int rc;

			*byte ^= patterns[i % 4];
			put_back(&forged, blocks);
			rc = read_copy(forged.text, forged.length, &err);
			assert_true(!rc || rc == ERR_FORMAT);
			refused += rc != 0;
			*byte ^= patterns[i % 4];
		}
	}
	assert_true(refused > 100);
	strbuf_release(&forged);
	arena_release(&arena);
}

static void cut_blocks_are_refused(void **state)
{
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	struct strbuf forged = { 0 };
	struct arena arena = { 0 };
	struct err err;

	unpack_all(blocks, &trip_of(state)->bytes, &arena);
	for (size_t b = 0; b < ARCHIVE_BLOCK_COUNT; b++)
		for (size_t whole = blocks[b].size; blocks[b].size--; ) {
			put_back(&forged, blocks);
			assert_int_equal(read_copy(forged.text, forged.length, &err), ERR_FORMAT);
			if (!blocks[b].size) {
				blocks[b].size = whole;
				break;
			}
		}
	strbuf_release(&forged);
	arena_release(&arena);
}

static void places_come_back(void **state)
{
	static const char *const sources[] = { "",
					       "a.h",
					       "a.h:1",
					       "a.h:0:0",
					       "a.h:12:3",
					       "a:b:1:2:3",
					       "a.h:01:2",
					       "a.h:1:02",
					       "a.h:",
					       ":7",
					       ":7:8",
					       "a.h:1234567890:1",
					       "a.h:999999999:999999999",
					       "12:12" };
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		struct location location = location_split(sources[i]);
		const char *path = arena_strndup(&arena, sources[i], location.path_length);

		assert_string_equal(location_join(path, location.path_length, location.form, location.line,
						  &arena),
				    sources[i]);
	}
	arena_release(&arena);
}

static void a_place_is_path_line_and_column(void **state)
{
	struct location location = location_split("a/b.h:12:3");

	(void)state;
	assert_int_equal(location.path_length, 5);
	assert_int_equal(location.line, 12);
	assert_int_equal(location.form, ARCHIVE_LOCATION_COLUMN + 3);
}

static const struct abi_span always[] = { { 0, 4 } }, early[] = { { 0, 1 } }, late[] = { { 1, 2 }, { 3, 4 } };

/* All versions have a. Version 0 has b, and versions 1 and 3 have different aliases b. No version has c. */
static struct abi_alias some_aliases[] = { { .name = "a" },
					   { .name = "b" },
					   { .name = "b" },
					   { .name = "c" } };
static struct version_set some_versions[] = { { always, 1 }, { early, 1 }, { late, 2 }, { NULL, 0 } };

static struct unpacked unpacked_aliases(struct abi_alias *items, struct version_set *sets, size_t count)
{
	return (struct unpacked){ .things = { [ABI_ALIAS] = { items, count, sizeof(*items), sets, NULL } } };
}

static void assert_listed(struct present *present, uint32_t version, size_t count, size_t last)
{
	const size_t *things;
	bool failed = false;

	assert_int_equal(present_list(&things, present, ABI_ALIAS, version, &failed), count);
	assert_int_equal(things[count - 1], last);
	assert_false(failed);
}

static void each_version_has_its_things(void **state)
{
	const struct unpacked unpacked = unpacked_aliases(some_aliases, some_versions, 4);
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_listed(&present, 0, 2, 1);
	assert_listed(&present, 1, 2, 2);
	assert_listed(&present, 2, 1, 0);
	assert_listed(&present, 3, 2, 2);
	present_release(&present);
}

static void versions_may_be_passed_over(void **state)
{
	const struct unpacked unpacked = unpacked_aliases(some_aliases, some_versions, 4);
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_listed(&present, 3, 2, 2);
	present_release(&present);
}

static void a_name_twice_in_one_version_is_found(void **state)
{
	struct abi_alias twice[] = { some_aliases[0], some_aliases[1], some_aliases[1] };
	struct version_set sets[] = { some_versions[0], some_versions[1], some_versions[1] };
	const struct unpacked unpacked = unpacked_aliases(twice, sets, 3);
	struct present present;
	const size_t *things;
	bool failed = false;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	present_list(&things, &present, ABI_ALIAS, 0, &failed);
	assert_true(failed);
	present_release(&present);
}

static void names_out_of_order_are_refused(void **state)
{
	struct abi_alias turned[] = { some_aliases[1], some_aliases[0] };
	const struct unpacked unpacked = unpacked_aliases(turned, some_versions, 2);
	struct present present;

	(void)state;
	assert_false(present_init(&present, &unpacked));
	present_release(&present);
}

static void ioctls_are_in_the_order_of_family_and_number(void **state)
{
	struct abi_ioctl three_ioctls[] = {
		{ .family = "alloc", .name = "z", .number = 9 },
		{ .family = "control", .name = "y", .number = 2 },
		{ .family = "control", .name = "x", .number = 10 },
	};
	struct version_set sets[] = { { always, 1 }, { always, 1 }, { always, 1 } };
	const struct unpacked unpacked = { .things = { [ABI_IOCTL] = { three_ioctls, 3, sizeof(*three_ioctls),
								       sets, NULL } } };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	present_release(&present);
	three_ioctls[2].number = 1;
	assert_false(present_init(&present, &unpacked));
	present_release(&present);
}

static void the_elements_of_wanted_versions_are_counted(void **state)
{
	const struct unpacked unpacked = unpacked_aliases(some_aliases, some_versions, 4);
	const bool wanted[] = { false, true, true, true };
	struct present present;

	(void)state;
	assert_true(present_init(&present, &unpacked));
	assert_int_equal(present_bytes(&present, wanted, 4), 5 * sizeof(struct abi_alias));
	present_release(&present);
}

static void a_packed_document_is_what_was_packed(void **state)
{
	static const char *const absent[] = { "src" };
	struct abi document = trip_of(state)->documents[0];
	struct strbuf bytes = { 0 };
	struct arena arena = { 0 };
	struct err err = { "" };
	struct abi got = { .version = "untouched" };

	document.absent = absent;
	document.absent_count = 1;
	assert_int_equal(archive_pack(&bytes, &document, &err), 0);
	for (size_t size = 0; size < bytes.length; size++) {
		assert_int_not_equal(archive_unpack(&got, bytes.text, size, &arena, &err), 0);
		assert_string_equal(got.version, "untouched");
	}
	strbuf_addch(&bytes, '\0');
	assert_int_not_equal(archive_unpack(&got, bytes.text, bytes.length, &arena, &err), 0);
	assert_int_equal(archive_unpack(&got, bytes.text, bytes.length - 1, &arena, &err), 0);
	assert_same_document(&got, &document);
	strbuf_release(&bytes);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_document_comes_back),
		cmocka_unit_test(a_packed_document_is_what_was_packed),
		cmocka_unit_test(the_index_knows_which_versions_have_what),
		cmocka_unit_test(the_index_comes_with_a_document),
		cmocka_unit_test(the_graph_comes_back),
		cmocka_unit_test(every_target_has_its_own_documents),
		cmocka_unit_test(what_two_targets_have_in_common_is_stored_once),
		cmocka_unit_test(what_did_not_change_is_shared),
		cmocka_unit_test(equal_neighbours_are_one_piece_of_memory),
		cmocka_unit_test(documents_that_are_not_wanted_are_left_out),
		cmocka_unit_test(the_same_documents_give_the_same_bytes),
		cmocka_unit_test(an_archive_of_nothing_is_an_archive),
		cmocka_unit_test(a_version_is_found_by_its_name),
		cmocka_unit_test(a_version_is_found_by_its_commit),
		cmocka_unit_test(an_unknown_version_is_refused_with_its_neighbours),
		cmocka_unit_test(a_document_of_another_driver_is_refused),
		cmocka_unit_test(a_document_that_has_a_name_twice_is_refused),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(what_follows_the_end_is_refused),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(another_form_is_told_from_damage),
		cmocka_unit_test(forged_blocks_do_no_harm),
		cmocka_unit_test(cut_blocks_are_refused),
		cmocka_unit_test(places_come_back),
		cmocka_unit_test(a_place_is_path_line_and_column),
		cmocka_unit_test(each_version_has_its_things),
		cmocka_unit_test(versions_may_be_passed_over),
		cmocka_unit_test(a_name_twice_in_one_version_is_found),
		cmocka_unit_test(names_out_of_order_are_refused),
		cmocka_unit_test(ioctls_are_in_the_order_of_family_and_number),
		cmocka_unit_test(the_elements_of_wanted_versions_are_counted),
	};

	return cmocka_run_group_tests(tests, write_and_read, forget);
}
