/* Sets of bits: what is in them after intervals were merged. */
#include "diff/intervals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct diff_intervals set;

static int release(void **state)
{
	(void)state;
	diff_intervals_release(&set);
	return 0;
}

static void intervals_that_touch_are_one(void **state)
{
	(void)state;
	diff_intervals_add(&set, 8, 16);
	diff_intervals_add(&set, 0, 8);
	diff_intervals_seal(&set);
	assert_true(diff_intervals_contain(&set, 0, 16));
	assert_int_equal(set.count, 1);
}

static void an_interval_inside_another_adds_nothing(void **state)
{
	(void)state;
	diff_intervals_add(&set, 0, 32);
	diff_intervals_add(&set, 8, 16);
	diff_intervals_seal(&set);
	assert_true(diff_intervals_contain(&set, 0, 32));
	assert_int_equal(set.count, 1);
}

static void bits_across_a_gap_are_not_contained(void **state)
{
	(void)state;
	diff_intervals_add(&set, 0, 8);
	diff_intervals_add(&set, 9, 16);
	diff_intervals_seal(&set);
	assert_true(diff_intervals_contain(&set, 9, 16));
	assert_false(diff_intervals_contain(&set, 7, 10));
}

static void no_bits_are_in_every_set(void **state)
{
	(void)state;
	diff_intervals_seal(&set);
	assert_true(diff_intervals_contain(&set, 5, 5));
	assert_false(diff_intervals_contain(&set, 5, 6));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(intervals_that_touch_are_one, release),
		cmocka_unit_test_teardown(an_interval_inside_another_adds_nothing, release),
		cmocka_unit_test_teardown(bits_across_a_gap_are_not_contained, release),
		cmocka_unit_test_teardown(no_bits_are_in_every_set, release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
