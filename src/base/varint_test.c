/* Tests of reading numbers and texts from a buffer, and of the end of the buffer. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const uint64_t numbers[] = {
	0, 1, 0x7f, 0x80, 0x3fff, 0x4000, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX
};
enum { NUMBER_COUNT = sizeof(numbers) / sizeof(*numbers) };

static void every_number_comes_back(void **state)
{
	struct strbuf bytes = { 0 };
	const unsigned char *at, *end;
	uint64_t got;

	(void)state;
	for (size_t i = 0; i < NUMBER_COUNT; i++)
		varint_put(&bytes, numbers[i]);
	at = (const unsigned char *)bytes.text;
	end = at + bytes.length;
	for (size_t i = 0; i < NUMBER_COUNT; i++) {
		assert_true(varint_get(&got, &at, end));
		assert_true(got == numbers[i]);
	}
	assert_ptr_equal(at, end);
	assert_false(varint_get(&got, &at, end));
	strbuf_release(&bytes);
}

static void small_numbers_take_one_byte(void **state)
{
	struct strbuf bytes = { 0 };

	(void)state;
	varint_put(&bytes, 0x7f);
	assert_int_equal(bytes.length, 1);
	varint_put(&bytes, 0x80);
	assert_int_equal(bytes.length, 3);
	strbuf_release(&bytes);
}

static bool is_number(const char *bytes, size_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t got = 77;
	bool is = varint_get(&got, &at, at + size);

	if (!is) {
		assert_ptr_equal(at, bytes);
		assert_int_equal(got, 77);
	}
	return is;
}

static void what_is_no_number_is_refused(void **state)
{
	(void)state;
	assert_false(is_number("", 0));
	assert_false(is_number("\x80", 1));
	assert_false(is_number("\x80\x00", 2));                                  /* 0 in two bytes */
	assert_false(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10)); /* 65 bits */
	assert_false(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11));
	assert_true(is_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10));
}

static void numbers_of_either_sign_fold(void **state)
{
	static const int64_t values[] = { 0, -1, 1, -2, INT64_MAX, INT64_MIN };

	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		assert_true(varint_folded(values[i]) == i);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		assert_true(varint_unfolded(varint_folded(values[i])) == values[i]);
}

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
		cmocka_unit_test(every_number_comes_back),
		cmocka_unit_test(small_numbers_take_one_byte),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(numbers_of_either_sign_fold),
		cmocka_unit_test(numbers_and_texts_follow_each_other),
		cmocka_unit_test(a_number_behind_the_end_is_zero_and_fails),
		cmocka_unit_test(a_text_without_its_nul_is_empty_and_fails),
		cmocka_unit_test(after_a_failure_nothing_more_is_read),
		cmocka_unit_test(a_limit_is_not_among_the_numbers_below_it),
		cmocka_unit_test(a_count_fits_the_bytes_that_are_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
