/*
 * Tests that an archive gives back the documents, the index and the graph that were written, that damaged and
 * forged archives are refused, and which items each version gets.
 */
#include "store/internal.h"

#include "abi/document_test.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define FORMER_CHANNEL                                                                                       \
	"@a/b.h:12:3 24/8 { NvHandle hClient@0 handle; NvU32 mode:3@32; CHANNEL::u_t[2] _@8+16; "            \
	"NvU8[] tail@24+0 kernel-pointer } "

/* The contents of a document: all kinds of items, later versions of these items, a warning, or nothing. */
enum content { FORMER, LATTER, WARNED, NOTHING };
static const char *const texts[] = {
	[FORMER] = "alias NvHandle unsigned~int 4 alias NvU8 unsigned~char 1 "
		   "const NV_ESC_RM_CONTROL 42 const NV_MINUS -1 union EMPTY@a/b.h:99:1 0/1 { } "
		   "struct CHANNEL" FORMER_CHANNEL "struct CHANNEL_st" FORMER_CHANNEL
		   "enum MODE@a/b.h:5:1 unsigned~long 8 { LAST=18446744073709551615; "
		   "LEAST=-9223372036854775808 } ioctl uvm/UVM_NOTHING@t.c 7 - "
		   "ioctl NV_CMD@t.c:4 0x20801358 CHANNEL +non-privileged +privileged !RIGHT",
	[LATTER] = "alias NvHandle unsigned~long 8 const NV_ESC_RM_CONTROL 42 const NV_MINUS -2 "
		   "union NEVER_THERE_BEFORE@ 0/1 { } struct CHANNEL_st@a/b.h:4000000:3 24/8 { NvHandle "
		   "hClient@0 handle; NvU32 mode:3@32; CHANNEL::u_t[2] _@8+16; NvU8[] tail@24+0 "
		   "kernel-pointer } struct CHANNEL@a/b.h:14:3 18446744073709551615/8 { NvHandle hClient@0 "
		   "handle; NvU32 mode:4@32 } ioctl uvm/UVM_NOTHING@t.c 7 - "
		   "ioctl NV_CMD@t.c:3 0x20801357 CHANNEL +non-privileged !RIGHT "
		   "ioctl NV_OTHER@t.c:4 0x20801358 -",
	[WARNED] = "",
	[NOTHING] = "",
};
static const struct abi_warning warnings[] = { { "", "no place" },
					       { "a.h:9:1", "nine" },
					       { "a.h:10:1", "ten" } };
static const size_t warning_counts[] = { [WARNED] = 1, [LATTER] = 3, [NOTHING] = 0 };

static const struct source_version versions[] = {
	{ "1.9", "19", -1, SOURCE_NO_PARENT, true },
	{ "1.10", COMMIT, 1700000000, 0, false },
	{ "2.0", "20", 1700000001, 0, true },
	{ "2.1", "21", 1700000001, 4, false },
	{ "3.0", "", 0, SOURCE_NO_PARENT, true },
};
enum { ON_ARM, ON_X86, TARGET_COUNT };
enum { DOCUMENT_COUNT = sizeof(versions) / sizeof(*versions) };
static const char *const targets[] = { "aarch64-linux-gnu", "x86_64-linux-gnu" };
static const enum content contents[TARGET_COUNT][DOCUMENT_COUNT] = {
	[ON_ARM] = { FORMER, FORMER, FORMER, LATTER, NOTHING },
	[ON_X86] = { FORMER, FORMER, LATTER, FORMER, WARNED },
};
static const struct archive_head head = {
	.driver = "nvidia", .profile = "0f", .generation = 7, .targets = targets,
	.target_count = TARGET_COUNT,
	.graph = { .versions = versions, .count = DOCUMENT_COUNT, .main = "main", .shallow = true },
};

static struct abi documents[TARGET_COUNT][DOCUMENT_COUNT], got[TARGET_COUNT][DOCUMENT_COUNT];
static struct strbuf bytes; /* the archive of the documents */
static const struct archive *archive;
static struct arena arena;
static struct err err;

static struct abi make_document(enum content content)
{
	struct abi_builder *doc = abi_builder_new(&arena);
	struct abi abi;

	document_put(doc, texts[content], &arena);
	for (size_t i = 0; i < warning_counts[content]; i++)
		abi_builder_warning(doc, warnings[i].place, "%s", warnings[i].text);
	abi_builder_seal(&abi, doc, &(struct abi){ .driver = "nvidia" });
	abi_builder_free(doc);
	return abi;
}

/* Writes an archive. @all: for each target, a document for each version */
static int written(struct strbuf *out, const struct archive_head *of, const struct abi *all)
{
	const struct abi *list[TARGET_COUNT * DOCUMENT_COUNT];

	for (size_t i = 0; i < of->target_count * of->graph.count; i++)
		list[i] = &all[i];
	return archive_write(out, of, list, &err);
}

static int write_and_read(void **state)
{
	const struct abi of_content[] = { make_document(FORMER), make_document(LATTER), make_document(WARNED),
					  make_document(NOTHING) };
	int rc;

	for (size_t i = 0; i < TARGET_COUNT * DOCUMENT_COUNT; i++) {
		struct abi *document = &documents[i / DOCUMENT_COUNT][i % DOCUMENT_COUNT];

		*document = of_content[contents[i / DOCUMENT_COUNT][i % DOCUMENT_COUNT]];
		document->target = targets[i / DOCUMENT_COUNT];
		document->version = versions[i % DOCUMENT_COUNT].name;
		document->commit = versions[i % DOCUMENT_COUNT].commit;
	}
	if ((rc = written(&bytes, &head, documents[0])) ||
	    (rc = archive_open(&archive, bytes.text, bytes.length, "f.drvabi", &arena, &err)))
		return rc;
	for (size_t target = 0; !rc && target < TARGET_COUNT; target++) {
		struct abi *wanted[DOCUMENT_COUNT];

		for (size_t i = 0; i < DOCUMENT_COUNT; i++)
			wanted[i] = &got[target][i];
		rc = archive_documents(wanted, NULL, archive, target, &arena, &err);
	}
	return rc;
}

static int forget(void **state)
{
	strbuf_release(&bytes);
	arena_release(&arena);
	return 0;
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

TEST(every_target_has_its_own_documents)
{
	for (size_t target = 0; target < TARGET_COUNT; target++)
		for (size_t i = 0; i < DOCUMENT_COUNT; i++)
			assert_same_document(&got[target][i], &documents[target][i]);
}

/* Writes which versions have each item, "11010": a digit for each version; first on x86, then on ARM. */
static void write_index(struct strbuf *out, const struct abi_index *of_target)
{
	char number[24];

	assert_int_equal(of_target[ON_X86].count, of_target[ON_ARM].count);
	for (size_t i = 0; i < of_target->count; i++) {
		const struct abi_index_item *item = &of_target[ON_X86].items[i];

		assert_string_equal(item->name, of_target[ON_ARM].items[i].name);
		for (size_t target = TARGET_COUNT; target--;) {
			const struct abi_index_item *on = &of_target[target].items[i];
			char with[DOCUMENT_COUNT + 1] = "00000";

			for (size_t s = 0; s < on->span_count; s++)
				memset(with + on->spans[s].from, '1', on->spans[s].until - on->spans[s].from);
			strbuf_addf(out, "%s ", with);
		}
		strbuf_adds(out, item->family ? item->family : abi_kind_name(item->kind));
		strbuf_addf(out, " %s", item->name);
		if (item->family)
			strbuf_addf(out, " 0x%llx", (unsigned long long)item->number.magnitude);
		else if (item->kind == ABI_CONSTANT)
			strbuf_addf(out, " %s", abi_number_text(item->number, number));
		strbuf_addch(out, '\n');
	}
}

TEST(the_index_has_the_versions_of_each_item)
{
	struct abi second, fourth, *wanted[DOCUMENT_COUNT] = { [1] = &second, [3] = &fourth };
	struct abi_index index[TARGET_COUNT];
	struct strbuf out = { 0 };

	for (size_t target = 0; target < TARGET_COUNT; target++) {
		assert_int_equal(archive_documents(wanted, &index[target], archive, target, &arena, &err), 0);
		assert_same_document(&second, &documents[target][1]);
		assert_same_document(&fourth, &documents[target][3]);
	}
	write_index(&out, index);
	assert_false(text_differs("index", &out,
				  "11010 11100 record CHANNEL\n"
				  "00100 00010 record CHANNEL\n"
				  "11110 11110 record CHANNEL_st\n"
				  "11010 11100 record EMPTY\n"
				  "00100 00010 record NEVER_THERE_BEFORE\n"
				  "11010 11100 alias NvHandle\n"
				  "00100 00010 alias NvHandle\n"
				  "11010 11100 alias NvU8\n"
				  "11010 11100 enum MODE\n"
				  "11110 11110 constant NV_ESC_RM_CONTROL 42\n"
				  "11010 11100 constant NV_MINUS -1\n"
				  "00100 00010 constant NV_MINUS -2\n"
				  "00100 00010 control NV_CMD 0x20801357\n"
				  "11010 11100 control NV_CMD 0x20801358\n"
				  "00100 00010 control NV_OTHER 0x20801358\n"
				  "11110 11110 uvm UVM_NOTHING 0x7\n"));
}

static void write_head(struct strbuf *out, const struct archive_head *of)
{
	strbuf_addf(out, "driver %s profile %s generation %d main %s%s\n", of->driver, of->profile,
		    (int)of->generation, of->graph.main ? of->graph.main : "(none)", of->graph.shallow ? " shallow" : "");
	for (size_t i = 0; i < of->target_count; i++)
		strbuf_addf(out, "%s\n", of->targets[i]);
	for (size_t i = 0; i < of->graph.count; i++)
		strbuf_addf(out, "%s %s %d %ld%s\n", of->graph.versions[i].name, of->graph.versions[i].commit,
			    (int)of->graph.versions[i].time, of->graph.versions[i].parent,
			    of->graph.versions[i].on_main ? " main" : "");
}

TEST(the_graph_comes_back)
{
	struct strbuf out = { 0 };

	write_head(&out, &archive->head);
	assert_false(text_differs("head", &out,
				  "driver nvidia profile 0f generation 7 main main shallow\n"
				  "aarch64-linux-gnu\n"
				  "x86_64-linux-gnu\n"
				  "1.9 19 -1 -1 main\n"
				  "1.10 " COMMIT " 1700000000 0\n"
				  "2.0 20 1700000001 0 main\n"
				  "2.1 21 1700000001 4\n"
				  "3.0  0 -1 main\n"));
}

TEST(an_archive_of_nothing_is_an_archive)
{
	const struct archive_head none = { .driver = "d", .profile = "" };
	struct strbuf file = { 0 }, out = { 0 };
	const struct archive *empty;

	assert_int_equal(archive_write(&file, &none, NULL, &err), 0);
	assert_int_equal(archive_open(&empty, file.text, file.length, "f", &arena, &err), 0);
	write_head(&out, &empty->head);
	assert_false(text_differs("head", &out, "driver d profile  generation 0 main (none)\n"));
	strbuf_release(&file);
}

TEST(equal_items_of_two_targets_are_stored_once)
{
	const struct archive_head single = { .driver = "nvidia", .profile = "0f", .targets = targets + ON_X86,
					     .target_count = 1,
					     .graph = { .versions = versions, .count = DOCUMENT_COUNT } };
	struct abi both[TARGET_COUNT][DOCUMENT_COUNT];
	struct strbuf one = { 0 }, two = { 0 };

	memcpy(both[ON_ARM], documents[ON_X86], sizeof(*both));
	memcpy(both[ON_X86], documents[ON_X86], sizeof(*both));
	for (size_t i = 0; i < DOCUMENT_COUNT; i++)
		both[ON_ARM][i].target = targets[ON_ARM];
	assert_int_equal(written(&one, &single, documents[ON_X86]), 0);
	assert_int_equal(written(&two, &head, both[0]), 0);
	assert_true(two.length < one.length + 64);
	strbuf_release(&two);
	strbuf_release(&one);
}

TEST(equal_parts_of_documents_are_one_piece_of_memory)
{
	const struct abi *of = got[ON_X86];

	assert_ptr_equal(of[0].records[1].fields, of[2].records[1].fields);
	assert_ptr_equal(of[0].records[0].fields, of[0].records[1].fields);
	assert_ptr_equal(of[0].records[0].name, of[2].records[0].name);
	assert_ptr_equal(of[0].records, of[1].records);
	assert_ptr_not_equal(of[1].records, of[2].records);
	assert_ptr_equal(of[0].records[2].source, of[3].records[2].source); /* the same location */
	assert_ptr_not_equal(of[0].records[1].source, of[2].records[1].source);
}

/* The documents that were read from an archive share strings. */
TEST(the_same_documents_give_the_same_bytes)
{
	const struct abi *const same[] = { documents[0], got[0] };

	for (size_t i = 0; i < 2; i++) {
		struct strbuf again = { 0 };

		assert_int_equal(written(&again, &head, same[i]), 0);
		assert_int_equal(again.length, bytes.length);
		assert_memory_equal(again.text, bytes.text, again.length);
		strbuf_release(&again);
	}
}

/* How an item of the archive is looked up, and its index or the message. */
static const struct {
	const char *fact;
	enum { BY_VERSION, BY_COMMIT, BY_TARGET } by;
	const char *text, *expected;
} lookups[] = {
	{ "a version is found by its name", BY_VERSION, "2.0", "2" },
	{ "a version is found by the first 12 digits of its commit", BY_VERSION, "0123456789ab", "1" },
	{ "11 digits of a commit are too few", BY_VERSION, "0123456789a",
	  "no version 0123456789a in f.drvabi (as of 2023-11-14); nearest: 1.9, 3.0" },
	{ "an unknown version is refused with its neighbours", BY_VERSION, "2.00000",
	  "no version 2.00000 in f.drvabi (as of 2023-11-14); nearest: 2.0, 2.1" },
	{ "a commit is found", BY_COMMIT, COMMIT, "1" },
	{ "a commit is found only by all of its digits", BY_COMMIT, "0123456789ab", "none" },
	{ "a version without a commit is not found by it", BY_COMMIT, "", "none" },
	{ "a target is found", BY_TARGET, "aarch64-linux-gnu", "0" },
	{ "an unknown target is not found", BY_TARGET, "riscv64-linux-gnu", "none" },
};

TEST(versions_and_targets_are_found)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(lookups) / sizeof(*lookups); i++) {
		const char *text = lookups[i].text;
		struct strbuf out = { 0 };
		size_t index = 77;
		int rc = 0;

		err_set(&err, 0, "none");
		if (lookups[i].by == BY_VERSION)
			rc = archive_find(&index, archive, text, &err);
		else if (!(lookups[i].by == BY_COMMIT ? archive_find_commit(&index, archive, text)
						      : archive_target(&index, archive, text)))
			rc = ERR_NOT_FOUND;
		if (rc)
			strbuf_addf(&out, "%s%s%s", err.text, rc == ERR_NOT_FOUND ? "" : ", another error",
				    index == 77 ? "" : ", but the index is set");
		else
			strbuf_addf(&out, "%zu", index);
		differs |= text_differs(lookups[i].fact, &out, lookups[i].expected);
	}
	assert_false(differs);
}

/* Reads all versions from a copy of exactly @size bytes, so that ASan finds a read past the end. */
static int read_copy(const void *of, size_t size)
{
	const struct archive *copied = NULL;
	struct arena scratch = { 0 };
	void *copy = xmalloc(size ? size : 1);
	struct abi abi[DOCUMENT_COUNT], **wanted;
	int rc;

	memcpy(copy, of, size);
	rc = archive_open(&copied, copy, size, "f.drvabi", &scratch, &err);
	if (rc) {
		assert_null(copied);
		assert_non_null(strstr(err.text, "f.drvabi"));
	}
	if (!rc) {
		wanted = arena_array(&scratch, copied->head.graph.count + 1, sizeof(struct abi *));
		for (size_t i = 0; i < copied->head.graph.count && i < DOCUMENT_COUNT; i++)
			wanted[i] = &abi[i];
	}
	for (size_t target = 0; !rc && target < copied->head.target_count; target++)
		rc = archive_documents(wanted, NULL, copied, target, &scratch, &err);
	arena_release(&scratch);
	free(copy);
	return rc;
}

TEST(documents_that_do_not_fit_are_refused)
{
	static const struct abi_constant twice[] = { { "A", { 1, false } }, { "A", { 1, false } } };
	static const struct abi_constant two_values[] = { { "A", { 1, false } }, { "A", { 2, false } } };
	struct archive_head other = head;
	struct abi bad[TARGET_COUNT][DOCUMENT_COUNT];
	struct strbuf out = { 0 };

	other.driver = "amd";
	assert_int_equal(written(&out, &other, documents[0]), ERR_FORMAT);
	assert_string_equal(
		err.text,
		"1.9 is for nvidia on aarch64-linux-gnu, but the archive is for amd on aarch64-linux-gnu");
	memcpy(bad, documents, sizeof(bad));
	bad[0][1].constants = twice;
	assert_int_equal(written(&out, &head, bad[0]), ERR_FORMAT);
	assert_string_equal(err.text, "1.10: the document has A twice");
	assert_int_equal(out.length, 0);
	bad[0][1].constants = two_values;
	assert_int_equal(written(&out, &head, bad[0]), 0);
	assert_int_equal(read_copy(out.text, out.length), ERR_FORMAT);
	assert_string_equal(err.text, "f.drvabi: the archive is inconsistent for version 1.10; it was not "
				      "written by this drvabi");
	strbuf_release(&out);
}

TEST(a_file_that_is_cut_off_or_longer_is_refused)
{
	struct strbuf longer = { 0 };

	strbuf_add(&longer, bytes.text, bytes.length);
	strbuf_addch(&longer, '\0');
	for (size_t size = 0; size <= longer.length; size++)
		assert_int_equal(read_copy(longer.text, size), size == bytes.length ? 0 : ERR_FORMAT);
	strbuf_release(&longer);
}

TEST(every_flipped_bit_is_refused)
{
	for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
		const bool is_form = bit / 8 == ARCHIVE_FORMAT_AT;

		bytes.text[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_equal(read_copy(bytes.text, bytes.length), is_form ? ERR_NOT_FOUND : ERR_FORMAT);
		bytes.text[bit / 8] ^= (char)(1 << bit % 8);
	}
}

TEST(a_different_format_is_not_reported_as_damage)
{
	bytes.text[ARCHIVE_FORMAT_AT] = 9;
	assert_int_equal(read_copy(bytes.text, bytes.length), ERR_NOT_FOUND);
	bytes.text[ARCHIVE_FORMAT_AT] = ARCHIVE_FORMAT;
	assert_string_equal(err.text,
			    "f.drvabi: the archive has format 9, but this drvabi reads format 2; write it "
			    "again with 'drvabi archive write'");
	assert_int_equal(read_copy("{\"format\": \"drvabi-abi/1\"}", 26), ERR_FORMAT);
	assert_string_equal(err.text,
			    "f.drvabi: this is not an archive of drvabi; 'drvabi archive write' makes one");
}

struct block {
	unsigned char *data;
	size_t size;
};

/* Unpacks the blocks of the archive. */
static void unpack_all(struct block blocks[ARCHIVE_BLOCK_COUNT])
{
	struct packed_block packed[ARCHIVE_BLOCK_COUNT];

	assert_int_equal(blocks_find(packed, bytes.text, bytes.length, &err), 0);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++) {
		struct byte_reader block;

		assert_true(block_unpack(&block, &packed[i], &arena));
		blocks[i] = (struct block){ (unsigned char *)block.at, (size_t)(block.end - block.at) };
	}
}

/* Reads an archive of these blocks, whose hashes are correct. */
static int read_blocks(const struct block *blocks)
{
	struct strbuf parts[ARCHIVE_BLOCK_COUNT] = { 0 }, forged = { 0 };
	int rc;

	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_add(&parts[i], blocks[i].data, blocks[i].size);
	assert_int_equal(blocks_write(&forged, parts, 1, &err), 0);
	for (size_t i = 0; i < ARCHIVE_BLOCK_COUNT; i++)
		strbuf_release(&parts[i]);
	rc = read_copy(forged.text, forged.length);
	strbuf_release(&forged);
	return rc;
}

/*
 * Forged bytes with correct hashes give a document or ERR_FORMAT. The sanitizers would find a read past the
 * end.
 */
TEST(forged_blocks_do_no_harm)
{
	static const unsigned char patterns[] = { 0x01, 0x80, 0xff, 0x55 };
	struct block blocks[ARCHIVE_BLOCK_COUNT];
	size_t refused = 0;

	unpack_all(blocks);
	for (size_t b = 0; b < ARCHIVE_BLOCK_COUNT; b++)
		for (size_t i = 0; i < blocks[b].size * 4; i++) {
			unsigned char *byte = blocks[b].data + i / 4;
			int rc;

			*byte ^= patterns[i % 4];
			rc = read_blocks(blocks);
			assert_true(!rc || rc == ERR_FORMAT);
			refused += rc != 0;
			*byte ^= patterns[i % 4];
		}
	assert_true(refused > 100);
}

/* A part of a block, and the forged part that replaces it. */
static const struct {
	const char *fact;
	enum archive_block block;
	const char *part, *forged;
} orders[] = {
	{ "a constant after a greater name", ARCHIVE_STRINGS, "NV_MINUS", "AV_MINUS" },
	{ "an ioctl's family after a greater one", ARCHIVE_STRINGS, "uvm", "abc" },
	{ "0x20801359 before 0x20801358", ARCHIVE_THINGS, "\xd7\xa6\x80\x84\x02", "\xd9\xa6\x80\x84\x02" },
};

TEST(items_out_of_order_are_refused)
{
	struct block blocks[ARCHIVE_BLOCK_COUNT];

	unpack_all(blocks);
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		const struct block *block = &blocks[orders[i].block];
		const size_t length = strlen(orders[i].part);
		char *at = memmem(block->data, block->size, orders[i].part, length);

		assert_non_null(at);
		memcpy(at, orders[i].forged, length);
		if (read_blocks(blocks) != ERR_FORMAT)
			fail_msg("%s", orders[i].fact);
		memcpy(at, orders[i].part, length);
		assert_int_equal(read_blocks(blocks), 0);
	}
}

TEST(cut_blocks_are_refused)
{
	struct block blocks[ARCHIVE_BLOCK_COUNT];

	unpack_all(blocks);
	for (size_t b = 0; b < ARCHIVE_BLOCK_COUNT; b++) {
		const size_t whole = blocks[b].size;

		for (size_t size = 0; size < whole; size++) {
			blocks[b].size = size;
			assert_int_equal(read_blocks(blocks), ERR_FORMAT);
		}
		blocks[b].size = whole;
	}
}

/* The texts of locations, and their path, line and column. Any other text is a path. */
static const struct {
	const char *source, *expected;
} locations[] = {
	{ "", "" },
	{ "a.h", "a.h" },
	{ "a.h:1", "a.h line 1" },
	{ "a.h:0:0", "a.h line 0 column 0" },
	{ "a.h:12:3", "a.h line 12 column 3" },
	{ "a/b.h:12:3", "a/b.h line 12 column 3" },
	{ "a:b:1:2:3", "a:b:1 line 2 column 3" },
	{ "a.h:01:2", "a.h:01 line 2" },
	{ "a.h:1:02", "a.h:1:02" },
	{ "a.h:", "a.h:" },
	{ ":7", ":7" },
	{ ":7:8", ":7 line 8" },
	{ "a.h:1234567890:1", "a.h:1234567890 line 1" },
	{ "a.h:999999999:999999999", "a.h line 999999999 column 999999999" },
	{ "12:12", "12 line 12" },
};

TEST(a_location_is_split_and_joined)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(locations) / sizeof(*locations); i++) {
		const struct location parts = location_split(locations[i].source);
		const char *path = arena_strndup(&arena, locations[i].source, parts.path_length);
		struct strbuf out = { 0 };

		strbuf_adds(&out, path);
		if (parts.form >= ARCHIVE_LOCATION_LINE)
			strbuf_addf(&out, " line %u", parts.line);
		if (parts.form >= ARCHIVE_LOCATION_COLUMN)
			strbuf_addf(&out, " column %u", parts.form - ARCHIVE_LOCATION_COLUMN);
		differs |= text_differs(locations[i].source, &out, locations[i].expected);
		assert_string_equal(location_join(path, parts.path_length, parts.form, parts.line, &arena),
				    locations[i].source);
	}
	assert_false(differs);
}

TEST(a_packed_document_is_unpacked_unchanged)
{
	static const char *const absent[] = { "src" };
	struct abi document = documents[ON_X86][0], unpacked = { .version = "untouched" };
	struct strbuf packed = { 0 };

	document.absent = absent;
	document.absent_count = 1;
	assert_int_equal(archive_pack(&packed, &document, &err), 0);
	strbuf_addch(&packed, '\0');
	for (size_t size = 0; size <= packed.length; size++) {
		if (size == packed.length - 1)
			continue;
		assert_int_not_equal(archive_unpack(&unpacked, packed.text, size, &arena, &err), 0);
		assert_string_equal(unpacked.version, "untouched");
	}
	assert_int_equal(archive_unpack(&unpacked, packed.text, packed.length - 1, &arena, &err), 0);
	assert_same_document(&unpacked, &document);
	strbuf_release(&packed);
}

TEST_GROUP(write_and_read, forget)
