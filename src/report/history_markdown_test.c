/* Tests of a history as Markdown. */
#include "report/fixture_test.h"

static void markdown_has_a_table_for_each_step(void **state)
{
	struct one_event one;

	report_history(&out, history_of(&one, &a_renumbered), &markdown);
	assert_rendered("## toy: 1 ABI change over 2 versions\n\n"
			"### 2.0 after 1.0\n\n"
			"| kind | name | classes | what | the same at |\n|---|---|---|---|---|\n"
			"| control | `CMD_A` | number | 0x801 -> 0x802 |  |\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(markdown_has_a_table_for_each_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
