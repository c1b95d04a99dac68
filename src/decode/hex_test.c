/* Tests of the parser for bytes and numbers that users type or paste. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void bytes_are_what(const char *text, const char *expected, size_t length)
{
	struct strbuf bytes = { 0 };

	assert_int_equal(hex_read(&bytes, text, NULL), 0);
	assert_int_equal(bytes.length, length);
	assert_memory_equal(strbuf_text(&bytes), expected, length);
	strbuf_release(&bytes);
}

static void bytes_stand_in_the_order_of_memory(void **state)
{
	(void)state;
	bytes_are_what("c1d0000f", "\xc1\xd0\x00\x0f", 4);
}

static void blanks_colons_and_commas_are_left_out(void **state)
{
	(void)state;
	bytes_are_what(" 0xC1, 0xd0\n00:01 ", "\xc1\xd0\x00\x01", 4);
	bytes_are_what("", "", 0);
}

static void what_is_no_byte_is_refused_and_nothing_is_added(void **state)
{
	static const char *const wrong[] = { "1", "c1d", "xy", "0x0x1", "c1-d0", "0x1 2" };
	struct strbuf bytes = { 0 };

	(void)state;
	strbuf_adds(&bytes, "before");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(hex_read(&bytes, wrong[i], NULL), ERR_USAGE);
		assert_int_equal(bytes.length, 6);
	}
	strbuf_release(&bytes);
}

static void numbers_are_decimal_or_begin_with_0x(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_true(hex_number(&number, "0x2080012F") && number == 0x2080012f);
	assert_true(hex_number(&number, "212") && number == 212);
	assert_true(hex_number(&number, "010") && number == 10);
}

static void what_is_no_number_is_refused(void **state)
{
	static const char *const wrong[] = { "",
					     "0x",
					     "x",
					     "-1",
					     " 1",
					     "1 ",
					     "12a",
					     "0x-1",
					     "0x 1",
					     "18446744073709551616",
					     "0x10000000000000000" };
	uint64_t number;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_false(hex_number(&number, wrong[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_stand_in_the_order_of_memory),
		cmocka_unit_test(blanks_colons_and_commas_are_left_out),
		cmocka_unit_test(what_is_no_byte_is_refused_and_nothing_is_added),
		cmocka_unit_test(numbers_are_decimal_or_begin_with_0x),
		cmocka_unit_test(what_is_no_number_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
