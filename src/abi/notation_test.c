/* Tests of the functions that write numbers as the headers do. */
#include "abi/fixture_test.h"

static void commands_and_classes_are_hexadecimal_and_what_a_header_counts_is_decimal(void **state)
{
	static const struct {
		const char *family;
		uint64_t number;
		const char *text;
	} rows[] = {
		{ "control", 0x2080018d, "0x2080018d" },
		{ "control", 0x101, "0x101" },
		{ "alloc", 0x3e, "0x3e" },
		{ "alloc", 0, "0x0" },
		{ "frontend", 0x2a, "0x2a" },
		{ "drm", 0xc0206440, "0xc0206440" },
		{ NULL, 34, "0x22" },
		{ "control", UINT64_MAX, "0xffffffffffffffff" },
		{ "uvm", 34, "34" },
		{ "uvm", 0, "0" },
		{ "frontend", 212, "212" },
		{ "frontend", 199, "0xc7" },
		{ "frontend", 256, "0x100" },
		{ "uvm", 0x30000001, "0x30000001" },
		{ "uvm_other", 34, "0x22" },
	};
	char buffer[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(abi_ioctl_number(rows[i].family, rows[i].number, buffer), rows[i].text);
}

/* The macro of a command is a number of one. Any other constant has both forms. */
static void a_constant_is_written_as_its_name_suggests(void **state)
{
	const struct {
		struct abi_constant constant;
		const char *text;
	} rows[] = {
		{ { "NV2080_CTRL_CMD_X", { 0x20801361, false } }, "0x20801361" },
		{ { "NV0000_CTRL_CMD_NULL", { 0, false } }, "0x0" },
		{ { "X_CMD_NONE", { 1, true } }, "-1" },
		{ { "KEPLER_A", { 0xa097, false } }, "0xa097 (41111)" },
		{ { "NV04_MEMORY", { 65, false } }, "0x41 (65)" },
		{ { "FLAG", { 9, false } }, "9" },
		{ { "LIMIT", { 10, false } }, "0xa (10)" },
		{ { "LOW", { 12, true } }, "-12" },
		{ { "LOWEST", abi_number_signed(INT64_MIN) }, "-0x8000000000000000" },
		{ { "ALL", { UINT64_MAX, false } }, "0xffffffffffffffff" },
		{ { "LAST_DECIMAL", { UINT64_C(1) << 53, false } }, "0x20000000000000 (9007199254740992)" },
	};
	char buffer[ABI_NOTATION_BYTES];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(abi_constant_number(&rows[i].constant, buffer), rows[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_and_classes_are_hexadecimal_and_what_a_header_counts_is_decimal),
		cmocka_unit_test(a_constant_is_written_as_its_name_suggests),
	};

	return cmocka_run_group_tests(tests, NULL, release_arena);
}
