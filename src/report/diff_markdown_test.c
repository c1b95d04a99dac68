/* A diff for a pull request. */
#include "report/fixture_test.h"

static void nothing_changed_is_said(void **state)
{
	const struct diff diff = diff_of(NULL, 0);

	(void)state;
	report_diff_markdown(&out, &diff);
	assert_rendered("## toy 1.0 → 2.0\n\n`x86_64-linux-gnu`\n\nNo difference.\n");
}

static void a_record_is_a_paragraph_with_its_fields_as_a_diff(void **state)
{
	const struct diff diff = diff_of(&a_grew, 1);

	(void)state;
	report_diff_markdown(&out, &diff);
	assert_has("\n#### `struct A`: growth, 4 → 8 bytes\n"
		   "\n```diff\n"
		   "+      4  flags                                NvU32\n"
		   "```\n");
}

static void an_ioctl_is_a_row_of_a_table(void **state)
{
	const struct diff diff = diff_of(&a_renumbered, 1);

	(void)state;
	report_diff_markdown(&out, &diff);
	assert_has("\n| what | change | now |\n|---|---|---|\n| control `CMD_A` | number | `0x801` → `0x802` `A` |\n");
}

static void what_the_proxy_does_not_forward_is_folded_away(void **state)
{
	struct diff diff = diff_of(&a_renumbered, 1);

	(void)state;
	diff.view = &view;
	report_diff_markdown(&out, &diff);
	assert_has("\n### What proxy forwards: 0 changes\n");
	assert_has("<details><summary>What it does not forward: 1 change</summary>\n");
	assert_has("\n</details>\n");
}

static void a_bar_in_a_name_ends_no_cell(void **state)
{
	struct diff_change change = a_renumbered;
	const struct diff diff = diff_of(&change, 1);

	(void)state;
	change.name = "CMD|A";
	report_diff_markdown(&out, &diff);
	assert_has("| control CMD\\|A | number |");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_changed_is_said),
		TEST(a_record_is_a_paragraph_with_its_fields_as_a_diff),
		TEST(an_ioctl_is_a_row_of_a_table),
		TEST(what_the_proxy_does_not_forward_is_folded_away),
		TEST(a_bar_in_a_name_ends_no_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
