/* Tests of abbreviated versions. */
#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = { "550.54.14", "550.90.07", "550.90.12", "550.107.02",
				     "590.48.01", "595",       "595.45.04" };
enum { COUNT = sizeof(names) / sizeof(*names) };

static void assert_run(const char *word, size_t first, size_t count)
{
	struct abi_version_run run = abi_version_run(word, names, COUNT);

	assert_int_equal(run.count, count);
	if (count)
		assert_int_equal(run.first, first);
}

static void whole_numbers_are_the_beginning_of_versions(void **state)
{
	(void)state;
	assert_run("550", 0, 4);
	assert_run("550.90", 1, 2);
	assert_run("590", 4, 1);
}

static void digits_of_a_number_are_not(void **state)
{
	(void)state;
	assert_run("55", 0, 0);
	assert_run("550.1", 0, 0);
	assert_run("550.", 0, 0);
	assert_run("", 0, 0);
}

static void a_version_of_that_name_is_meant_before_those_that_begin_with_it(void **state)
{
	(void)state;
	assert_run("595", 5, 1);
}

static void all_that_may_be_meant_are_named(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(
		abi_version_ambiguous("550.90", names, abi_version_run("550.90", names, COUNT), &err),
		ERR_NOT_FOUND);
	assert_string_equal(err.text,
			    "550.90 is ambiguous: 2 versions begin with it: 550.90.07, 550.90.12; choose one of them");
}

static void many_are_cut_short_and_the_last_one_is_named(void **state)
{
	static const char *const many[] = { "1.0", "1.1", "1.2", "1.3", "1.4",
					    "1.5", "1.6", "1.7", "1.8", "1.9" };
	struct err err = { "" };

	(void)state;
	abi_version_ambiguous("1", many, abi_version_run("1", many, 10), &err);
	assert_string_equal(
		err.text,
		"1 is ambiguous: 10 versions begin with it: 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 "
		"and 2 more up to 1.9; choose one of them");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_the_beginning_of_versions),
		cmocka_unit_test(digits_of_a_number_are_not),
		cmocka_unit_test(a_version_of_that_name_is_meant_before_those_that_begin_with_it),
		cmocka_unit_test(all_that_may_be_meant_are_named),
		cmocka_unit_test(many_are_cut_short_and_the_last_one_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
