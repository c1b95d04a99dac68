/* Tests of the functions that write numbers as the headers do. */
#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void expect_ioctl(const char *family, uint64_t number, const char *text)
{
	char buffer[ABI_NOTATION_BYTES];

	assert_string_equal(abi_ioctl_number(family, number, buffer), text);
}

static void expect_constant(const char *name, struct abi_number value, const char *text)
{
	const struct abi_constant constant = { name, value };
	char buffer[ABI_NOTATION_BYTES];

	assert_string_equal(abi_constant_number(&constant, buffer), text);
}

static void commands_and_classes_are_hexadecimal_however_small(void **state)
{
	(void)state;
	expect_ioctl("control", 0x2080018d, "0x2080018d");
	expect_ioctl("control", 0x101, "0x101");
	expect_ioctl("alloc", 0x3e, "0x3e");
	expect_ioctl("alloc", 0, "0x0");
	expect_ioctl("frontend", 0x2a, "0x2a");
	expect_ioctl("drm", 0xc0206440, "0xc0206440");
	expect_ioctl(NULL, 34, "0x22");
	expect_ioctl("control", UINT64_MAX, "0xffffffffffffffff");
}

static void what_a_header_counts_is_decimal(void **state)
{
	(void)state;
	expect_ioctl("uvm", 34, "34");
	expect_ioctl("uvm", 0, "0");
	expect_ioctl("frontend", 212, "212");
	expect_ioctl("frontend", 199, "0xc7");
	expect_ioctl("frontend", 256, "0x100");
	expect_ioctl("uvm", 0x30000001, "0x30000001");
	expect_ioctl("uvm_other", 34, "0x22");
}

static void the_macro_of_a_command_is_a_number_of_one(void **state)
{
	(void)state;
	expect_constant("NV2080_CTRL_CMD_X", abi_number_unsigned(0x20801361), "0x20801361");
	expect_constant("NV0000_CTRL_CMD_NULL", abi_number_unsigned(0), "0x0");
	expect_constant("X_CMD_NONE", abi_number_signed(-1), "-1");
}

static void any_other_constant_has_both_forms(void **state)
{
	(void)state;
	expect_constant("KEPLER_A", abi_number_unsigned(0xa097), "0xa097 (41111)");
	expect_constant("NV04_MEMORY", abi_number_unsigned(65), "0x41 (65)");
	expect_constant("FLAG", abi_number_unsigned(9), "9");
	expect_constant("LIMIT", abi_number_unsigned(10), "0xa (10)");
	expect_constant("LOW", abi_number_signed(-12), "-12");
	expect_constant("LOWEST", abi_number_signed(INT64_MIN), "-0x8000000000000000");
	expect_constant("ALL", abi_number_unsigned(UINT64_MAX), "0xffffffffffffffff");
	expect_constant("LAST_DECIMAL", abi_number_unsigned(UINT64_C(1) << 53),
			"0x20000000000000 (9007199254740992)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_and_classes_are_hexadecimal_however_small),
		cmocka_unit_test(what_a_header_counts_is_decimal),
		cmocka_unit_test(the_macro_of_a_command_is_a_number_of_one),
		cmocka_unit_test(any_other_constant_has_both_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
