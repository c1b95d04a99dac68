/* Reading numbers and texts out of bytes, and what happens at their end. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct byte_reader reading(const char *bytes, size_t size)
{
	struct byte_reader in;

	byte_reader_init(&in, bytes, size);
	return in;
}

static void numbers_and_texts_follow_each_other(void **state)
{
	struct byte_reader in = reading("\x05" "ab\0\x01", 5);

	(void)state;
	assert_int_equal(byte_reader_number(&in), 5);
	assert_string_equal(byte_reader_text(&in), "ab");
	assert_true(byte_reader_bool(&in));
	assert_false(in.failed);
	assert_ptr_equal(in.at, in.end);
}

static void a_number_behind_the_end_is_zero_and_fails(void **state)
{
	struct byte_reader in = reading("", 0);

	(void)state;
	assert_int_equal(byte_reader_number(&in), 0);
	assert_true(in.failed);
}

static void a_text_without_its_nul_is_empty_and_fails(void **state)
{
	struct byte_reader in = reading("ab", 2);

	(void)state;
	assert_string_equal(byte_reader_text(&in), "");
	assert_true(in.failed);
}

static void after_a_failure_nothing_more_is_read(void **state)
{
	struct byte_reader in = reading("\x02\x07", 2);

	(void)state;
	assert_false(byte_reader_bool(&in));
	assert_int_equal(byte_reader_number(&in), 0);
	assert_true(in.failed);
}

static void a_limit_is_not_among_the_numbers_below_it(void **state)
{
	struct byte_reader in = reading("\x04\x05", 2);

	(void)state;
	assert_int_equal(byte_reader_below(&in, 5), 4);
	assert_int_equal(byte_reader_below(&in, 5), 0);
	assert_true(in.failed);
}

static void a_count_fits_the_bytes_that_are_left(void **state)
{
	struct byte_reader fits = reading("\x02" "abcd", 5), forged = reading("\x03" "abcd", 5);

	(void)state;
	assert_int_equal(byte_reader_count(&fits, 2), 2);
	assert_int_equal(byte_reader_count(&forged, 2), 0);
	assert_true(forged.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_and_texts_follow_each_other),
		cmocka_unit_test(a_number_behind_the_end_is_zero_and_fails),
		cmocka_unit_test(a_text_without_its_nul_is_empty_and_fails),
		cmocka_unit_test(after_a_failure_nothing_more_is_read),
		cmocka_unit_test(a_limit_is_not_among_the_numbers_below_it),
		cmocka_unit_test(a_count_fits_the_bytes_that_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
