#include "base/ctext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static enum branch branch_behind(const char *lines)
{
	struct view_lines text = { lines, lines + strlen(lines), 1 };
	struct conditions conditions = { 0 };
	struct view line;

	while (view_next_line(&line, &text))
		assert_true(conditions_follow(&conditions, line, conditions_opened(line)));
	return conditions_branch(&conditions);
}

static void a_branch_follows_from_the_first_one(void **state)
{
	(void)state;
	assert_int_equal(branch_behind(""), BRANCH_COMPILED);
	assert_int_equal(branch_behind("#if 0"), BRANCH_SKIPPED);
	assert_int_equal(branch_behind("#if 0\n#else"), BRANCH_COMPILED);
	assert_int_equal(branch_behind("#if 0\n#elif A"), BRANCH_UNKNOWN);
	assert_int_equal(branch_behind("#ifdef A\n#else"), BRANCH_UNKNOWN);
	assert_int_equal(branch_behind("#ifdef A\n#endif"), BRANCH_COMPILED);
	assert_int_equal(branch_behind("# if 0\n#if A"), BRANCH_SKIPPED);
	assert_int_equal(branch_behind("#if 0\n#else\n#else"), BRANCH_SKIPPED);
}

static void an_endif_needs_an_if(void **state)
{
	struct conditions conditions = { 0 };

	(void)state;
	assert_false(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_false(conditions_follow(&conditions, view_of("#else"), BRANCH_UNKNOWN));
	assert_true(conditions_follow(&conditions, view_of("#pragma once"), BRANCH_UNKNOWN));
}

static void depth_has_no_limit(void **state)
{
	struct conditions conditions = { 0 };

	(void)state;
	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#if A"), BRANCH_UNKNOWN));
	for (int i = 0; i < 3 * CONDITIONS_MAX; i++)
		assert_true(conditions_follow(&conditions, view_of("#endif"), BRANCH_UNKNOWN));
	assert_int_equal(conditions_branch(&conditions), BRANCH_COMPILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_follows_from_the_first_one),
		cmocka_unit_test(an_endif_needs_an_if),
		cmocka_unit_test(depth_has_no_limit),
	};

	return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
