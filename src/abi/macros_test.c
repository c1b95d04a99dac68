#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

static const struct macro items[] = {
	{ .name = "A", .unit = "rm" },
	{ .name = "A", .unit = "uvm", .evaluated = true, .value = { 1, false } },
	{ .name = "B", .unit = "rm" },
	{ .name = "C", .unit = "rm", .evaluated = true, .value = { 2, false } },
	{ .name = "C", .unit = "uvm", .evaluated = true, .value = { 3, false } },
};
static const struct macro_index macros = { items, sizeof(items) / sizeof(items[0]) };

static void the_first_unit_that_has_a_value_counts(void **state)
{
	(void)state;
	assert_ptr_equal(macro_find(&macros, "A", NULL), &items[1]);
	assert_ptr_equal(macro_find(&macros, "C", NULL), &items[3]);
}

static void a_macro_without_a_value_is_found(void **state)
{
	(void)state;
	assert_ptr_equal(macro_find(&macros, "B", NULL), &items[2]);
}

static void a_unit_may_be_named(void **state)
{
	(void)state;
	assert_ptr_equal(macro_find(&macros, "A", "rm"), &items[0]);
	assert_ptr_equal(macro_find(&macros, "C", "uvm"), &items[4]);
	assert_null(macro_find(&macros, "B", "uvm"));
}

static void a_name_that_is_not_there_is_not_found(void **state)
{
	const struct macro_index none = { NULL, 0 };

	(void)state;
	assert_null(macro_find(&macros, "", NULL));
	assert_null(macro_find(&macros, "AB", NULL));
	assert_null(macro_find(&macros, "D", NULL));
	assert_null(macro_find(&none, "A", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_unit_that_has_a_value_counts),
		cmocka_unit_test(a_macro_without_a_value_is_found),
		cmocka_unit_test(a_unit_may_be_named),
		cmocka_unit_test(a_name_that_is_not_there_is_not_found),
	};

	return cmocka_run_group_tests_name("macros", tests, NULL, NULL);
}
