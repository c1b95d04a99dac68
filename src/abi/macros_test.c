/* Tests of finding a macro among those of all translation units. */
#include "abi/fixture_test.h"

static void a_macro_is_found_by_name_and_unit(void **state)
{
	static const struct macro items[] = {
		{ .name = "A", .unit = "rm" },
		{ .name = "A", .unit = "uvm", .evaluated = true, .value = { 1, false } },
		{ .name = "B", .unit = "rm" },
		{ .name = "C", .unit = "rm", .evaluated = true, .value = { 2, false } },
		{ .name = "C", .unit = "uvm", .evaluated = true, .value = { 3, false } },
	};
	static const struct {
		const char *fact, *name, *unit;
		const struct macro *found;
	} rows[] = {
		{ "the first unit that has a value counts", "A", NULL, &items[1] },
		{ "the first of two units that have a value counts", "C", NULL, &items[3] },
		{ "a macro without a value is found", "B", NULL, &items[2] },
		{ "a unit may be named that has no value", "A", "rm", &items[0] },
		{ "a unit may be named that is not the first", "C", "uvm", &items[4] },
		{ "a macro of another unit is not found", "B", "uvm", NULL },
		{ "no name finds nothing", "", NULL, NULL },
		{ "a longer name finds nothing", "AB", NULL, NULL },
		{ "a name after all others finds nothing", "D", NULL, NULL },
	};
	const struct macro_index macros = { items, sizeof(items) / sizeof(*items) }, none = { NULL, 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (macro_find(&macros, rows[i].name, rows[i].unit) != rows[i].found)
			fail_msg("%s", rows[i].fact);
	assert_null(macro_find(&none, "A", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_macro_is_found_by_name_and_unit) };

	return cmocka_run_group_tests_name("macros", tests, NULL, release_arena);
}
