/* Runs of elements, each distinct run once. */
#include "gen/sequences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void a_run_that_came_before_is_not_added(void **state)
{
	struct sequences *all = sequences_new(2);
	const uint16_t ab[] = { 1, 2 }, c[] = { 3 };

	(void)state;
	assert_int_equal(sequences_add(all, ab, 2), 0);
	assert_int_equal(sequences_add(all, c, 1), 2);
	assert_int_equal(sequences_add(all, ab, 2), 0);
	assert_int_equal(sequences_add(all, c, 1), 2);
	assert_int_equal(sequences_count(all), 3);
	assert_memory_equal(sequences_data(all), ((const uint16_t[]){ 1, 2, 3 }), 6);
	sequences_free(all);
}

static void a_run_that_begins_like_another_is_one_of_its_own(void **state)
{
	struct sequences *all = sequences_new(1);

	(void)state;
	assert_int_equal(sequences_add(all, "ab", 2), 0);
	assert_int_equal(sequences_add(all, "a", 1), 2);
	assert_int_equal(sequences_count(all), 3);
	sequences_free(all);
}

static void an_empty_run_adds_nothing(void **state)
{
	struct sequences *all = sequences_new(1);

	(void)state;
	assert_int_equal(sequences_add(all, "", 0), 0);
	assert_int_equal(sequences_count(all), 0);
	sequences_free(all);
	sequences_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_came_before_is_not_added),
		cmocka_unit_test(a_run_that_begins_like_another_is_one_of_its_own),
		cmocka_unit_test(an_empty_run_adds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
