#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const struct abi_field fields[] = {
	{ "a", "NvU32", 0, 32, false, ABI_ROLE_NONE },
	{ "b", "NvU32", 32, 3, true, ABI_ROLE_FD },
};
static const struct abi_record records[] = {
	{ "A", fields, 2, 8, 4, false, "a.h:1:1" },
	{ "AB", fields, 2, 8, 4, false, "a.h:1:1" },
	{ "ABC", fields, 2, 8, 4, false, "a.h:1:1" },
	{ "B::c_t", fields, 2, 8, 4, false, "a.h:1:1" },
};
static const struct abi_constant constants[] = { { "X", { 1, false } } };
static const struct abi_ioctl ioctls[] = {
	{ .family = "alloc", .name = "SAME", .number = 9 },
	{ .family = "control", .name = "Z", .number = 1 },
	{ .family = "control", .name = "SAME", .number = 2 },
	{ .family = "control", .name = "A", .number = 3 },
	{ .family = "uvm", .name = "U", .number = 1 },
};
static const struct abi document = {
	.records = records, .record_count = 4,
	.constants = constants, .constant_count = 1,
	.ioctls = ioctls, .ioctl_count = 5,
};

static void every_record_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_ptr_equal(abi_find_record(&document, records[i].name), &records[i]);
}

static void a_part_of_a_name_finds_nothing(void **state)
{
	(void)state;
	assert_null(abi_find_record(&document, ""));
	assert_null(abi_find_record(&document, "B"));
	assert_null(abi_find_record(&document, "ABCD"));
	assert_null(abi_find_record(&document, "B::c"));
}

static void nothing_is_found_in_an_empty_document(void **state)
{
	const struct abi empty = { 0 };

	(void)state;
	assert_null(abi_find_record(&empty, "A"));
	assert_null(abi_find_alias(&empty, "A"));
	assert_null(abi_find_enum(&empty, "A"));
	assert_null(abi_find_constant(&empty, "A"));
	assert_null(abi_find_ioctl(&empty, "alloc", "A"));
	assert_null(abi_find_ioctl(&empty, NULL, "A"));
}

static void a_constant_is_found(void **state)
{
	(void)state;
	assert_ptr_equal(abi_find_constant(&document, "X"), &constants[0]);
	assert_int_equal(abi_constants_from(&document, "X"), 0);
	assert_int_equal(abi_constants_from(&document, ""), 0);
	assert_int_equal(abi_constants_from(&document, "Y"), document.constant_count);
}

static void an_ioctl_is_found_in_its_family(void **state)
{
	(void)state;
	assert_ptr_equal(abi_find_ioctl(&document, "control", "SAME"), &ioctls[2]);
	assert_ptr_equal(abi_find_ioctl(&document, "uvm", "U"), &ioctls[4]);
}

static void an_ioctl_is_not_found_in_another_family(void **state)
{
	(void)state;
	assert_null(abi_find_ioctl(&document, "control", "U"));
	assert_null(abi_find_ioctl(&document, "uvm", "SAME"));
	assert_null(abi_find_ioctl(&document, "beta", "SAME"));
}

static void an_ioctl_of_any_family_is_the_first(void **state)
{
	(void)state;
	assert_ptr_equal(abi_find_ioctl(&document, NULL, "SAME"), &ioctls[0]);
}

static void ioctls_of_a_family_are_found_by_number(void **state)
{
	(void)state;
	for (size_t i = 0; i < document.ioctl_count; i++)
		assert_int_equal(abi_ioctls_from(&document, ioctls[i].family, ioctls[i].number), i);
	assert_int_equal(abi_ioctls_from(&document, "uvm", UINT64_MAX), document.ioctl_count);
	assert_int_equal(abi_ioctls_from(&document, "", 0), 0);
}

static void every_role_is_read_as_it_is_written(void **state)
{
	enum abi_role role = ABI_ROLE_NONE;
	struct err err;

	(void)state;
	for (int i = ABI_ROLE_POINTER; i <= ABI_ROLE_LAST; i++) {
		assert_int_equal(abi_role_parse(&role, abi_role_name((enum abi_role)i), &err), 0);
		assert_int_equal(role, i);
	}
}

static void an_unknown_role_is_refused(void **state)
{
	enum abi_role role = ABI_ROLE_FD;
	struct err err = { "" };

	(void)state;
	assert_int_equal(abi_role_parse(&role, "hanlde", &err), ERR_FORMAT);
	assert_int_equal(abi_role_parse(&role, "", NULL), ERR_FORMAT);
	assert_int_equal(role, ABI_ROLE_FD);
	assert_non_null(strstr(err.text, "\"hanlde\""));
}

static void kinds_have_names(void **state)
{
	(void)state;
	assert_string_equal(abi_kind_name(ABI_RECORD), "record");
	assert_string_equal(abi_kind_name(ABI_IOCTL), "ioctl");
}

static void assert_text(struct abi_number number, const char *want)
{
	char buffer[24];

	assert_string_equal(abi_number_text(number, buffer), want);
}

static void small_numbers_are_decimal(void **state)
{
	(void)state;
	assert_text(abi_number_unsigned(0), "0");
	assert_text(abi_number_signed(-12), "-12");
	assert_text(abi_number_unsigned(UINT64_C(1) << 53), "9007199254740992");
	assert_text(abi_number_signed(-(INT64_C(1) << 53)), "-9007199254740992");
}

static void numbers_that_a_double_would_change_are_hexadecimal(void **state)
{
	(void)state;
	assert_text(abi_number_unsigned((UINT64_C(1) << 53) + 1), "0x20000000000001");
	assert_text(abi_number_unsigned(UINT64_MAX), "0xffffffffffffffff");
	assert_text(abi_number_signed(INT64_MIN), "-0x8000000000000000");
}

static void zero_has_no_sign(void **state)
{
	(void)state;
	assert_true(abi_number_equal(abi_number_signed(0), abi_number_unsigned(0)));
	assert_false(abi_number_signed(0).negative);
}

static void a_number_differs_from_its_negative(void **state)
{
	(void)state;
	assert_false(abi_number_equal(abi_number_signed(-1), abi_number_signed(1)));
}

static void the_name_and_source_of_a_record_are_not_its_meaning(void **state)
{
	struct abi_record other = records[0];

	(void)state;
	other.name = "TYPEDEF";
	other.source = "b.h:2:2";
	assert_true(abi_same_record(&records[0], &other));
}

static void equal_fields_at_another_place_are_the_same(void **state)
{
	const struct abi_field copy[] = { fields[0], fields[1] };
	struct abi_record other = records[0];

	(void)state;
	other.fields = copy;
	assert_true(abi_same_record(&records[0], &other));
}

/* Checks that a copy of a record differs from the record after @CHANGE. */
#define ASSERT_DIFFERS(CHANGE) do { \
	struct abi_field copy[] = { fields[0], fields[1] }; \
	struct abi_record other = records[0]; \
	other.fields = copy; \
	CHANGE; \
	assert_false(abi_same_record(&records[0], &other)); \
} while (0)

static void any_other_thing_about_a_record_is_its_meaning(void **state)
{
	(void)state;
	ASSERT_DIFFERS(other.size_bytes = 12);
	ASSERT_DIFFERS(other.align_bytes = 8);
	ASSERT_DIFFERS(other.is_union = true);
	ASSERT_DIFFERS(other.field_count = 1);
	ASSERT_DIFFERS(copy[1].name = "c");
	ASSERT_DIFFERS(copy[1].type = "NvS32");
	ASSERT_DIFFERS(copy[1].offset_bits = 33);
	ASSERT_DIFFERS(copy[1].size_bits = 4);
	ASSERT_DIFFERS(copy[1].is_bitfield = false);
	ASSERT_DIFFERS(copy[1].role = ABI_ROLE_PID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_is_found),
		cmocka_unit_test(a_part_of_a_name_finds_nothing),
		cmocka_unit_test(nothing_is_found_in_an_empty_document),
		cmocka_unit_test(a_constant_is_found),
		cmocka_unit_test(an_ioctl_is_found_in_its_family),
		cmocka_unit_test(an_ioctl_is_not_found_in_another_family),
		cmocka_unit_test(an_ioctl_of_any_family_is_the_first),
		cmocka_unit_test(ioctls_of_a_family_are_found_by_number),
		cmocka_unit_test(every_role_is_read_as_it_is_written),
		cmocka_unit_test(an_unknown_role_is_refused),
		cmocka_unit_test(kinds_have_names),
		cmocka_unit_test(small_numbers_are_decimal),
		cmocka_unit_test(numbers_that_a_double_would_change_are_hexadecimal),
		cmocka_unit_test(zero_has_no_sign),
		cmocka_unit_test(a_number_differs_from_its_negative),
		cmocka_unit_test(the_name_and_source_of_a_record_are_not_its_meaning),
		cmocka_unit_test(equal_fields_at_another_place_are_the_same),
		cmocka_unit_test(any_other_thing_about_a_record_is_its_meaning),
	};

	return cmocka_run_group_tests_name("document", tests, NULL, NULL);
}
