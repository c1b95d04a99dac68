#include "bootstrap/fixture_test.h"

#define CMD "NV2080_CTRL_CMD_ONE"
#define PARAMS "NV2080_CTRL_ONE_PARAMS"

/* The audit of the unread record that @fields are in the newer version; the older one has one number. */
#define AUDIT(size, ...) \
	do { \
		struct abi_builder *doc = put_version("1.0", NULL); \
		put_ioctl(doc, "control", CMD, 0x20800101, PARAMS); \
		RECORD(doc, PARAMS, 4, U32("one", 0)); \
		doc = put_version("2.0", "1.0"); \
		put_ioctl(doc, "control", CMD, 0x20800101, PARAMS); \
		RECORD(doc, PARAMS, size, __VA_ARGS__); \
		read_table("", NODE("1.0", "null", ENTRY(CMD, 545259777, PARAMS, "null"))); \
		bootstrap_newest(); \
	} while (0)

static void a_number_of_64_bits_that_is_called_an_address_may_be_a_pointer(void **state)
{
	(void)state;
	AUDIT(16, U64("gpuAddr", 0), U64("address_high", 8));
	assert_int_equal(got.audit_count, 2);
	assert_int_equal(got.audit[0].what, BOOTSTRAP_MAYBE_POINTER);
	assert_string_equal(got.audit[0].path, "gpuAddr");
}

static void a_number_with_another_name_is_none(void **state)
{
	(void)state;
	AUDIT(24, U64("value", 0), U64("addressee", 8), U32("addr", 16), U32("pad", 20));
	assert_int_equal(got.audit_count, 0);
}

static void a_count_beside_a_size_and_an_address_is_told(void **state)
{
	(void)state;
	AUDIT(16, FIELD("num", "NvU32", 0, 4, ABI_ROLE_COUNT), FIELD("length", "NvU32", 4, 4, ABI_ROLE_SIZE),
	      U64("address", 8));
	assert_int_equal(got.audit_count, 2);
	assert_int_equal(got.audit[1].what, BOOTSTRAP_COUNT_TIMES_SIZE);
}

static void a_count_and_a_size_without_a_pointer_are_nothing(void **state)
{
	(void)state;
	AUDIT(8, FIELD("num", "NvU32", 0, 4, ABI_ROLE_COUNT), FIELD("length", "NvU32", 4, 4, ABI_ROLE_SIZE));
	assert_int_equal(got.audit_count, 0);
}

static void a_handler_that_has_to_be_written_is_told_of_its_product(void **state)
{
	(void)state;
	AUDIT(16, FIELD("num", "NvU32", 0, 4, ABI_ROLE_COUNT), FIELD("length", "NvU32", 4, 4, ABI_ROLE_SIZE),
	      POINTER("list", 8));
	assert_int_equal(got.audit_count, 1);
	assert_int_equal(got.audit[0].what, BOOTSTRAP_COUNT_TIMES_SIZE);
}

static void what_has_to_be_read_is_not_called_simple(void **state)
{
	(void)state;
	AUDIT(8, POINTER("list", 0));
	assert_int_equal(got.audit_count, 0);
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REPLACE);
}

static void a_descriptor_in_a_field_of_a_pointers_type_is_a_descriptor(void **state)
{
	(void)state;
	AUDIT(8, FIELD("pOsEvent", "NvP64", 0, 8, ABI_ROLE_FD));
	assert_string_equal(entry_of(CMD)->why, PARAMS " is passed through unread, and "
						       "pOsEvent (NvP64 at 0) is a file descriptor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_number_of_64_bits_that_is_called_an_address_may_be_a_pointer),
		TEST(a_number_with_another_name_is_none),
		TEST(a_count_beside_a_size_and_an_address_is_told),
		TEST(a_count_and_a_size_without_a_pointer_are_nothing),
		TEST(a_handler_that_has_to_be_written_is_told_of_its_product),
		TEST(what_has_to_be_read_is_not_called_simple),
		TEST(a_descriptor_in_a_field_of_a_pointers_type_is_a_descriptor),
	};

	return cmocka_run_group_tests_name("bootstrap audit", tests, NULL, NULL);
}
