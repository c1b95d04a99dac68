/* Tests of abbreviated versions. */
#include "abi/fixture_test.h"

static const char *const names[] = { "550.54.14", "550.90.07", "550.90.12", "550.107.02",
				     "590.48.01", "595",       "595.45.04" };
enum { COUNT = sizeof(names) / sizeof(*names) };

static void whole_numbers_are_the_beginning_of_versions(void **state)
{
	static const struct {
		const char *fact, *word;
		struct abi_version_run run;
	} rows[] = {
		{ "the first number begins a version", "550", { 0, 4 } },
		{ "two numbers begin a version", "550.90", { 1, 2 } },
		{ "one version begins with the number", "590", { 4, 1 } },
		{ "a version of that name is meant before those that begin with it", "595", { 5, 1 } },
		{ "digits of the first number are not its beginning", "55", { 0, 0 } },
		{ "digits of the second number are not its beginning", "550.1", { 0, 0 } },
		{ "a dot is not a beginning", "550.", { 0, 0 } },
		{ "no text is not a beginning", "", { 0, 0 } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct abi_version_run run = abi_version_run(rows[i].word, names, COUNT);

		if (run.count != rows[i].run.count || (run.count && run.first != rows[i].run.first))
			fail_msg("%s", rows[i].fact);
	}
}

static void all_that_may_be_meant_are_named(void **state)
{
	struct err err = { "" };

	assert_int_equal(
		abi_version_ambiguous("550.90", names, abi_version_run("550.90", names, COUNT), &err),
		ERR_NOT_FOUND);
	assert_string_equal(err.text, "550.90 is ambiguous: 2 versions begin with it: 550.90.07, 550.90.12; "
				      "choose one of them");
}

static void many_are_cut_short_and_the_last_one_is_named(void **state)
{
	static const char *const many[] = { "1.0", "1.1", "1.2", "1.3", "1.4",
					    "1.5", "1.6", "1.7", "1.8", "1.9" };
	struct err err = { "" };

	abi_version_ambiguous("1", many, abi_version_run("1", many, 10), &err);
	assert_string_equal(err.text,
			    "1 is ambiguous: 10 versions begin with it: 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, "
			    "1.7 and 2 more up to 1.9; choose one of them");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_are_the_beginning_of_versions),
		cmocka_unit_test(all_that_may_be_meant_are_named),
		cmocka_unit_test(many_are_cut_short_and_the_last_one_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, release_arena);
}
