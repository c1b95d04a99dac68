#include "abi/abi.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

static void a_word_in_front_is_enough_for_diff(void **state)
{
	(void)state;
	assert_true(padding_in_diff("reserved"));
	assert_true(padding_in_diff("params.rsvd_0"));
	assert_true(padding_in_diff("__reserved_flags"));
	assert_true(padding_in_diff("e[].Reserved_0x960"));
	assert_true(padding_in_diff("Dummy[2]"));
}

static void a_longer_word_is_another_one(void **state)
{
	(void)state;
	assert_false(padding_in_diff("padlinkMask"));
	assert_false(padding_in_diff("reservedSorMask"));
	assert_false(padding_in_diff("reserved.size"));
}

static void a_field_of_the_driver_is_padding_by_its_whole_name(void **state)
{
	(void)state;
	assert_true(padding_of_driver("pad0"));
	assert_true(padding_of_driver("s.Reserved_1"));
	assert_true(padding_of_driver("__rsvd"));
	assert_false(padding_of_driver("reserved_flags"));
	assert_false(padding_of_driver("dummy"));
	assert_false(padding_of_driver("padlink"));
}

static void a_proxy_has_its_own_words(void **state)
{
	(void)state;
	assert_true(padding_of_proxy("_"));
	assert_true(padding_of_proxy("Pad0"));
	assert_true(padding_of_proxy("padding_1"));
	assert_false(padding_of_proxy("Reserved"));
	assert_false(padding_of_proxy("Padlock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_word_in_front_is_enough_for_diff),
		cmocka_unit_test(a_longer_word_is_another_one),
		cmocka_unit_test(a_field_of_the_driver_is_padding_by_its_whole_name),
		cmocka_unit_test(a_proxy_has_its_own_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
