#include "abi/abi.h"
#include "abi/internal.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <stdlib.h>

static const struct abi_field channel_fields[] = {
	{ "hClient", "NvHandle", 0, 32, false, ABI_ROLE_HANDLE },
	{ "mode", "NvU32", 32, 3, true, ABI_ROLE_NONE },
	{ "", "CHANNEL::u_t[2]", 64, 128, false, ABI_ROLE_NONE },
	{ "tail", "NvU8[]", 192, 0, false, ABI_ROLE_LAST },
};
/* The first two are a typedef and its tag: one array of fields. */
static const struct abi_record records[] = {
	{ "CHANNEL", channel_fields, 4, 24, 8, false, "a/b.h:12:3" },
	{ "CHANNEL_st", channel_fields, 4, 24, 8, false, "a/b.h:12:3" },
	{ "EMPTY", NULL, 0, 0, 1, true, "a/b.h:99:1" },
};
static const struct abi_alias aliases[] = {
	{ "NvHandle", "unsigned int", 4 },
	{ "NvU8", "unsigned char", 1 },
};
static const struct abi_enumerator values[] = {
	{ "LAST", { UINT64_MAX, false } },
	{ "LEAST", { UINT64_C(1) << 63, true } },
};
static const struct abi_enum enums[] = {
	{ "MODE", "unsigned long", 8, values, 2, "a/b.h:5:1" },
};
static const struct abi_constant constants[] = {
	{ "NV_ESC_RM_CONTROL", { 42, false } },
	{ "NV_MINUS", { 1, true } },
};
static const char *const flags[] = { "non-privileged", "privileged" };
static const struct abi_ioctl ioctls[] = {
	{ "control", "NV_CMD", 0x20801358, "CHANNEL", flags, 2, "RIGHT", "t.c:4", ABI_NUMBER_PLAIN, 0, NULL },
	{ "evdev", "EVIOCGKEY(len)", 0x80004518, NULL, NULL, 0, NULL, "", ABI_NUMBER_IOC, 1 << ABI_IOC_SIZE,
	  NULL },
	{ "neuron", "NEURON_IOCTL_BAR_RW", 0xc0084e66, "CHANNEL", flags, 1, NULL, "", ABI_NUMBER_IOC_BY_NR, 0,
	  "CHANNEL *" },
	{ "uvm", "UVM_NOTHING", 7, NULL, NULL, 0, NULL, "", ABI_NUMBER_PLAIN, 0, NULL },
};
static const struct abi_warning warnings[] = {
	{ "", "no place" },
	{ "a.h:9:1", "nine" },
	{ "a.h:10:1", "ten" },
};
static const struct abi document = {
	.driver = "nvidia", .version = "550.54.14", .commit = "0123456789012345678901234567890123456789",
	.target = "x86_64-linux-gnu",
	.records = records, .record_count = 3,
	.aliases = aliases, .alias_count = 2,
	.enums = enums, .enum_count = 1,
	.constants = constants, .constant_count = 2,
	.ioctls = ioctls, .ioctl_count = 4,
	.warnings = warnings, .warning_count = 3,
};

/* A document serialized, and what came back. */
struct round_trip {
	struct strbuf bytes;
	struct arena arena;
	struct abi abi;
};

static int round_trip(void **state)
{
	struct round_trip *trip = calloc(1, sizeof(*trip));
	struct err err;

	*state = trip;
	abi_serialize(&trip->bytes, &document);
	return abi_deserialize(&trip->abi, trip->bytes.text, trip->bytes.length, &trip->arena, &err);
}

static int forget_document(void **state)
{
	struct round_trip *trip = *state;

	strbuf_release(&trip->bytes);
	arena_release(&trip->arena);
	free(trip);
	return 0;
}

static const struct abi *restored(void **state)
{
	return &((struct round_trip *)*state)->abi;
}

/* Tries bytes that must be refused; from memory of just their size, so that ASan sees a read past it. */
static int deserialize_copy(const void *bytes, size_t size)
{
	struct abi got = { .version = "untouched" };
	struct arena arena = { 0 };
	struct err err = { "" };
	void *copy = xmalloc(size);
	int rc;

	memcpy(copy, bytes, size);
	rc = abi_deserialize(&got, copy, size, &arena, &err);
	if (rc) {
		assert_string_equal(got.version, "untouched");
		assert_null(got.records);
		assert_true(err.text[0]);
	}
	arena_release(&arena);
	free(copy);
	return rc;
}

static void what_is_read_is_what_was_written(void **state)
{
	struct strbuf was = { 0 }, is = { 0 };

	json_write_abi(&(struct json_writer){ .out = &was }, &document);
	json_write_abi(&(struct json_writer){ .out = &is }, restored(state));
	assert_string_equal(is.text, was.text);
	strbuf_release(&was);
	strbuf_release(&is);
}

static void a_typedef_still_shares_the_fields_of_its_tag(void **state)
{
	assert_ptr_equal(restored(state)->records[0].fields, restored(state)->records[1].fields);
}

static void what_is_serialized_again_is_the_same_bytes(void **state)
{
	struct round_trip *trip = *state;
	struct strbuf again = { 0 };

	abi_serialize(&again, &trip->abi);
	assert_int_equal(again.length, trip->bytes.length);
	assert_memory_equal(again.text, trip->bytes.text, again.length);
	strbuf_release(&again);
}

static void serializing_appends(void **state)
{
	struct round_trip *trip = *state;
	struct strbuf buf = { 0 };

	strbuf_adds(&buf, "before");
	abi_serialize(&buf, &document);
	assert_memory_equal(buf.text, "before", 6);
	assert_int_equal(buf.length, trip->bytes.length + 6);
	assert_memory_equal(buf.text + 6, trip->bytes.text, trip->bytes.length);
	strbuf_release(&buf);
}

static void an_empty_document_comes_back(void **state)
{
	const struct abi empty = { .driver = "", .version = "", .commit = "", .target = "" };
	struct strbuf bytes = { 0 };

	(void)state;
	abi_serialize(&bytes, &empty);
	assert_int_equal(deserialize_copy(bytes.text, bytes.length), 0);
	strbuf_release(&bytes);
}

static void every_flipped_bit_is_noticed(void **state)
{
	struct round_trip *trip = *state;

	for (size_t i = 0; i < trip->bytes.length * 8; i++) {
		trip->bytes.text[i / 8] = (char)(trip->bytes.text[i / 8] ^ 1 << i % 8);
		if (deserialize_copy(trip->bytes.text, trip->bytes.length) != ERR_FORMAT)
			fail_msg("bit %zu of byte %zu", i % 8, i / 8);
		trip->bytes.text[i / 8] = (char)(trip->bytes.text[i / 8] ^ 1 << i % 8);
	}
}

static void every_truncation_is_noticed(void **state)
{
	struct round_trip *trip = *state;

	for (size_t size = 0; size < trip->bytes.length; size++)
		if (deserialize_copy(trip->bytes.text, size) != ERR_FORMAT)
			fail_msg("%zu bytes", size);
}

static void bytes_behind_the_end_are_noticed(void **state)
{
	struct round_trip *trip = *state;

	strbuf_addch(&trip->bytes, '\0');
	assert_int_equal(deserialize_copy(trip->bytes.text, trip->bytes.length), ERR_FORMAT);
	trip->bytes.length--;
}

static void unsorted_names_are_refused(void **state)
{
	const struct abi_constant swapped[] = { constants[1], constants[0] };
	struct abi unsorted = document;
	struct strbuf bytes = { 0 };

	(void)state;
	unsorted.constants = swapped;
	abi_serialize(&bytes, &unsorted);
	assert_int_equal(deserialize_copy(bytes.text, bytes.length), ERR_FORMAT);
	strbuf_release(&bytes);
}

/* Makes the header of changed bytes right again. */
static void forge_header(char *bytes, size_t size)
{
	XXH128_canonical_t hash;

	for (int i = 0; i < 8; i++)
		bytes[SERIAL_SIZE_AT + i] = (char)((uint64_t)(size - SERIAL_HEADER_BYTES) >> (8 * i));
	XXH128_canonicalFromHash(&hash, XXH3_128bits(bytes + SERIAL_HEADER_BYTES, size - SERIAL_HEADER_BYTES));
	memcpy(bytes + SERIAL_HASH_AT, &hash, sizeof(hash));
}

/* It may still be a document, but nothing outside the bytes may be read: ASan looks on. */
static void forged_bytes_lead_nowhere(void **state)
{
	static const unsigned char forged[] = { 0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff };
	struct round_trip *trip = *state;
	char *bytes = trip->bytes.text;

	for (size_t i = SERIAL_HEADER_BYTES; i < trip->bytes.length; i++) {
		char original = bytes[i];

		for (size_t j = 0; j < sizeof(forged); j++) {
			bytes[i] = (char)forged[j];
			forge_header(bytes, trip->bytes.length);
			if (deserialize_copy(bytes, trip->bytes.length) &&
			    forged[j] == (unsigned char)original)
				fail_msg("byte %zu is as it was", i);
		}
		bytes[i] = original;
	}
	forge_header(bytes, trip->bytes.length);
}

static void forged_lengths_are_refused(void **state)
{
	struct round_trip *trip = *state;
	char *copy = xmalloc(trip->bytes.length);

	for (size_t size = SERIAL_HEADER_BYTES; size < trip->bytes.length; size++) {
		memcpy(copy, trip->bytes.text, size);
		forge_header(copy, size);
		assert_int_equal(deserialize_copy(copy, size), ERR_FORMAT);
	}
	free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_what_was_written),
		cmocka_unit_test(a_typedef_still_shares_the_fields_of_its_tag),
		cmocka_unit_test(what_is_serialized_again_is_the_same_bytes),
		cmocka_unit_test(serializing_appends),
		cmocka_unit_test(an_empty_document_comes_back),
		cmocka_unit_test(every_flipped_bit_is_noticed),
		cmocka_unit_test(every_truncation_is_noticed),
		cmocka_unit_test(bytes_behind_the_end_are_noticed),
		cmocka_unit_test(unsorted_names_are_refused),
		cmocka_unit_test(forged_bytes_lead_nowhere),
		cmocka_unit_test(forged_lengths_are_refused),
	};

	return cmocka_run_group_tests_name("pack", tests, round_trip, forget_document);
}
