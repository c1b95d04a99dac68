/* Tests of a diff as Markdown. */
#include "report/fixture_test.h"

static void nothing_changed_is_said(void **state)
{
	const struct diff diff = diff_of(NULL, 0);

	report_diff(&out, report_of(&diff), &markdown);
	assert_rendered("## toy 1.0 → 2.0\n\n`x86_64-linux-gnu`\n\nNo difference.\n");
}

static void a_record_is_a_paragraph_with_its_fields_as_a_diff(void **state)
{
	const struct diff diff = diff_of(&a_grew, 1);

	report_diff(&out, report_of(&diff), &markdown);
	assert_has("\n#### struct `A`: growth, 4 → 8 bytes\n"
		   "\n```diff\n"
		   "a.h:1:1\n"
		   "+      4  flags         NvU32\n");
}

static void an_ioctl_is_a_row_of_a_table(void **state)
{
	const struct diff diff = diff_of(&a_renumbered, 1);

	report_diff(&out, report_of(&diff), &markdown);
	assert_has(
		"\n| what | change | now |\n|---|---|---|\n| control `CMD_A` | number | 0x801 -> 0x802; parameters: A |\n");
}

static void what_the_proxy_does_not_forward_is_folded_away(void **state)
{
	struct diff diff = diff_of(&a_renumbered, 1);

	diff.view = &view;
	report_diff(&out, report_of(&diff), &markdown);
	assert_has("<details><summary>What it does not forward: 1 change</summary>\n");
	assert_has("\n</details>\n");
}

static void what_there_is_to_do_stands_open_behind_the_verdict(void **state)
{
	struct diff_change change = a_grew;
	struct diff diff = diff_of(&change, 1);

	change.proxied = true;
	change.section = DIFF_SECTION_READ;
	diff.view = &view;
	diff.totals = (struct diff_totals){ .changes = 1, .records = 1, .read = 1 };
	report_diff(&out, report_of(&diff), &markdown);
	assert_has("**1 forwarded record changed, and proxy reads it**\n\n## toy 1.0 → 2.0\n");
	assert_has(
		"\n### What proxy names or reads, and may have to adapt to: 1 change\n\n#### struct `A`: growth, 4 → 8 bytes\n");
	assert_lacks("<details>");
}

static void a_record_that_follows_is_a_line_under_the_other(void **state)
{
	struct diff_change changes[] = { a_grew, a_grew };
	const struct diff_change *const reported[] = { &changes[1] };
	const struct diff diff = diff_of(changes, 2);

	changes[1].name = "OUTER";
	changes[1].under = &changes[0];
	changes[0].reported = reported;
	changes[0].reported_count = 1;
	report_diff(&out, report_of(&diff), &markdown);
	assert_has("\nhence struct OUTER  4 -> 8 bytes\n```\n");
	assert_lacks("#### struct `OUTER`");
}

/* More records than fit; the proxy reads the first one. */
enum { MANY = 4000 };
static struct diff_change many_changes[MANY];

static const struct diff *many(void)
{
	static struct diff diff;

	for (size_t i = 0; i < MANY; i++)
		many_changes[i] = a_grew;
	many_changes[0].proxied = true;
	many_changes[0].section = DIFF_SECTION_READ;
	diff = diff_of(many_changes, MANY);
	diff.view = &view;
	return &diff;
}

static void what_is_too_long_for_github_is_cut_to_fit_and_says_so(void **state)
{
	report_diff(&out, report_of(many()), &markdown);
	assert_true(out.length <= REPORT_DIFF_MARKDOWN_LIMIT);
	assert_true(out.length > REPORT_DIFF_MARKDOWN_LIMIT - 1024);
	assert_has("\nTo fit into 65536 characters, this report leaves out the fields of ");
	assert_has("`run_differ 1.0 2.0 --table TABLE -v` shows all.\n");
	assert_has("\n</details>\n");
}

static void what_the_proxy_reads_is_not_cut_for_what_it_does_not_forward(void **state)
{
	report_diff(&out, report_of(many()), &markdown);
	assert_has("#### struct `A`: growth, 4 → 8 bytes\n\n```diff\na.h:1:1\n+      4  flags");
	assert_has("| struct `A` | growth | 4 -> 8 bytes: +flags |\n");
}

static void suppressions_that_are_too_many_are_cut_to_fit(void **state)
{
	static struct suppression lines[2000];
	static const struct suppressions suppressions = { .path = "accepted", .item = lines, .count = 2000 };
	const struct diff diff = diff_of(&a_grew, 1);
	const struct diff_report report = { .diff = &diff, .suppressions = &suppressions };

	for (size_t i = 0; i < 2000; i++)
		lines[i] = (struct suppression){ .line = (unsigned)i + 1,
						 .rule_text = "layout",
						 .entry = "UVM_SOMETHING_PARAMS",
						 .versions = "*",
						 .expires_text = "never",
						 .reason = "looked at" };
	report_diff(&out, &report, &markdown);
	assert_true(out.length <= REPORT_DIFF_MARKDOWN_LIMIT);
	assert_has("| unused | `accepted:1` | layout | `UVM_SOMETHING_PARAMS` | \\* | never | looked at |\n");
	assert_has(" more lines are not listed here.\n");
	assert_has("#### struct `A`: growth");
}

static void a_version_that_is_too_long_by_itself_leaves_one_sentence(void **state)
{
	static char version[REPORT_DIFF_MARKDOWN_LIMIT];
	struct abi older = { .version = version, .target = "x86_64-linux-gnu", .driver = "demo" };
	struct diff diff = diff_of(&a_grew, 1);

	memset(version, 'V', sizeof(version) - 1);
	diff.base = &older;
	report_diff(&out, report_of(&diff), &markdown);
	assert_string_equal(
		out.text,
		"This report does not fit into 65536 characters. `run_differ` without `--format markdown` shows it.\n");
}

static void a_bar_in_a_name_ends_no_cell(void **state)
{
	struct diff_change change = a_renumbered;
	const struct diff diff = diff_of(&change, 1);

	change.name = "CMD|A";
	report_diff(&out, report_of(&diff), &markdown);
	assert_has("| control CMD\\|A | number |");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_changed_is_said),
		TEST(a_record_is_a_paragraph_with_its_fields_as_a_diff),
		TEST(an_ioctl_is_a_row_of_a_table),
		TEST(what_the_proxy_does_not_forward_is_folded_away),
		TEST(what_there_is_to_do_stands_open_behind_the_verdict),
		TEST(a_record_that_follows_is_a_line_under_the_other),
		TEST(what_is_too_long_for_github_is_cut_to_fit_and_says_so),
		TEST(what_the_proxy_reads_is_not_cut_for_what_it_does_not_forward),
		TEST(suppressions_that_are_too_many_are_cut_to_fit),
		TEST(a_version_that_is_too_long_by_itself_leaves_one_sentence),
		TEST(a_bar_in_a_name_ends_no_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
