/*
 * Tests of the suppression file: parsing, and which findings its lines cover. The command-line tests cover
 * the rest.
 */
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { TODAY = 20231114 };

static struct arena arena;
static struct err err;
static struct suppressions lines;
static const struct suppressed *taken;

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static int parse(const char *text)
{
	return suppressions_parse(&lines, text, "f", TODAY, &arena, &err);
}

/* Counts which of two findings, of the rules number and size, @version still has. */
static size_t left_at(const char *version)
{
	static const struct verify_finding two[] = {
		{ .rule = VERIFY_NUMBER,
		  .family = "control",
		  .entry = "CMD_A",
		  .record = "",
		  .path = "",
		  .message = "" },
		{ .rule = VERIFY_SIZE,
		  .family = "control",
		  .entry = "CMD_B",
		  .record = "",
		  .path = "",
		  .message = "" },
	};
	struct verify_result result = { .findings = two, .finding_count = 2 };
	size_t gone = suppressions_apply(&taken, &result, &lines, version, &arena);

	assert_int_equal(gone + result.finding_count, 2);
	return result.finding_count;
}

static void a_line_has_five_words(void **state)
{
	(void)state;
	assert_int_equal(parse("\xef\xbb\xbfsize CMD_B 1.0..2.0 2024-02-29 a reason of many words\r\n"), 0);
	assert_int_equal(lines.count, 1);
	assert_int_equal(lines.item[0].rule, VERIFY_SIZE);
	assert_string_equal(lines.item[0].entry, "CMD_B");
	assert_string_equal(lines.item[0].first, "1.0");
	assert_string_equal(lines.item[0].last, "2.0");
	assert_int_equal(lines.item[0].expires, 20240229);
	assert_string_equal(lines.item[0].reason, "a reason of many words");
	assert_int_equal(lines.item[0].line, 1);
}

/* Checks whether the finding that @version is unavailable remains. */
static bool lacks_at(const char *version)
{
	struct verify_result result;

	verify_lacking(&result, NULL, version, "not in the repository", &arena);
	return !suppressions_apply(&taken, &result, &lines, version, &arena);
}

static void an_unavailable_version_is_accepted_by_its_name_and_for_a_time(void **state)
{
	(void)state;
	assert_int_equal(parse("unavailable * 1.0..2.0 2024-06-30 x\n"), 0);
	assert_true(TODAY <= 20240630);
	assert_false(lacks_at("1.5"));
	assert_int_equal(lines.item[0].used, 1);
	assert_true(lacks_at("2.1"));
	assert_int_equal(left_at("1.5"), 2);
}

static void no_other_line_accepts_an_unavailable_version(void **state)
{
	(void)state;
	assert_int_equal(parse("* * * never x\n* * 1.0 2024-06-30 x\n"), 0);
	assert_true(lacks_at("1.0"));
}

static void an_unavailable_version_is_not_accepted_for_ever_or_without_its_name(void **state)
{
	static const char *const refused[] = { "unavailable * 1.0 never x", "unavailable * * 2024-06-30 x",
					       "unavailable * 1.0.. 2024-06-30 x",
					       "unavailable * ..1.0 2024-06-30 x" };

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_int_equal(parse(refused[i]), ERR_FORMAT);
	assert_string_equal(
		err.text,
		"f:1: '..1.0' does not say which unavailable versions are accepted; name one, or FIRST..LAST");
}

static void the_last_line_needs_no_end(void **state)
{
	(void)state;
	assert_int_equal(parse("# one\n\nsize * * never x"), 0);
	assert_int_equal(lines.count, 1);
	assert_int_equal(lines.item[0].line, 3);
}

static void an_empty_file_suppresses_nothing(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_int_equal(left_at("1.0"), 2);
}

static void rule_and_entry_have_to_fit(void **state)
{
	(void)state;
	assert_int_equal(parse("size CMD_A * never x\nnumber CMD_B * never x\n"), 0);
	assert_int_equal(left_at("1.0"), 2);
	assert_int_equal(lines.item[0].used + lines.item[1].used, 0);
}

static void a_range_holds_its_ends_and_compares_numbers(void **state)
{
	(void)state;
	assert_int_equal(parse("* * 9.5..10.40 never x\n"), 0);
	assert_int_equal(left_at("9.5"), 0);
	assert_int_equal(left_at("10.9"), 0);
	assert_int_equal(left_at("10.40"), 0);
	assert_int_equal(left_at("10.41"), 2);
	assert_int_equal(left_at("9.4"), 2);
	assert_int_equal(lines.item[0].used, 6);
}

static void a_number_without_a_dot_is_every_version_that_begins_with_it(void **state)
{
	(void)state;
	assert_int_equal(parse("* * 9..10 never x\n"), 0);
	assert_int_equal(left_at("8.9"), 2);
	assert_int_equal(left_at("9.1"), 0);
	assert_int_equal(left_at("10.40.2"), 0);
	assert_int_equal(left_at("100.1"), 2);
	assert_int_equal(parse("* * 10 never x\n"), 0);
	assert_int_equal(left_at("10.40"), 0);
	assert_int_equal(left_at("11.0"), 2);
	assert_int_equal(parse("* * 10.4 never x\n"), 0);
	assert_int_equal(left_at("10.4"), 0);
	assert_int_equal(left_at("10.4.1"), 2);
	assert_int_equal(parse("* * 10.4..10 never x\n"), 0);
	assert_int_equal(left_at("10.3"), 2);
	assert_int_equal(left_at("10.5"), 0);
}

static void the_first_line_that_fits_suppresses_it(void **state)
{
	(void)state;
	assert_int_equal(parse("* CMD_A * never x\nnumber * * never y\n"), 0);
	assert_int_equal(left_at("1.0"), 1);
	assert_ptr_equal(taken[0].by, &lines.item[0]);
	assert_string_equal(taken[0].finding->entry, "CMD_A");
	assert_int_equal(lines.item[1].used, 0);
}

static void its_day_is_the_last_on_which_it_holds(void **state)
{
	(void)state;
	assert_int_equal(parse("* CMD_A * 2023-11-14 x\n* CMD_B * 2023-11-13 x\n"), 0);
	assert_false(lines.item[0].expired);
	assert_true(lines.item[1].expired);
	assert_int_equal(left_at("1.0"), 1);
}

static void what_is_unseen_is_suppressed_like_a_finding(void **state)
{
	static const struct verify_finding found = { .rule = VERIFY_SIZE, .entry = "CMD_A", .message = "" },
					   unseen = { .rule = VERIFY_NUMBER,
						      .entry = "CMD_B",
						      .message = "",
						      .unseen = true };
	struct verify_result result = {
		.findings = &found, .finding_count = 1, .unseen = &unseen, .unseen_count = 1
	};

	(void)state;
	assert_int_equal(parse("number CMD_B * never x\n"), 0);
	assert_int_equal(suppressions_apply(&taken, &result, &lines, "1.0", &arena), 1);
	assert_ptr_equal(taken[0].finding, &unseen);
	assert_int_equal(result.finding_count, 1);
	assert_int_equal(result.unseen_count, 0);
}

static void a_todo_is_no_reason(void **state)
{
	(void)state;
	assert_int_equal(
		parse("* * * never TODO\n* * * never TODO: who?\n* * * never TODOS are done\n* * * never a TODO\n"),
		0);
	assert_true(lines.item[0].unexplained);
	assert_true(lines.item[1].unexplained);
	assert_false(lines.item[2].unexplained);
	assert_false(lines.item[3].unexplained);
}

/* The table has 1.0 to 3.0; 2.0 was compared. */
static void a_line_for_versions_that_were_not_compared_is_untried(void **state)
{
	static const struct table_node nodes[] = { { .version = "1.0" },
						   { .version = "2.0" },
						   { .version = "3.0" } };
	static const struct table table = { .nodes = nodes, .node_count = 3 };
	static const char *const compared[] = { "2.0" };

	(void)state;
	assert_int_equal(
		parse("* X 1.0 never x\n* X 3.0.. never x\n* X 1.0..2.0 never x\n* X 4.0 never x\n* X 1.0 2001-01-01 x\n"),
		0);
	suppressions_try(&lines, &table, compared, 1);
	assert_true(lines.item[0].untried);
	assert_true(lines.item[1].untried);
	assert_false(lines.item[2].untried);
	assert_false(lines.item[3].untried); /* the table has no 4.0 */
	assert_false(lines.item[4].untried); /* it has expired */
}

static void a_line_with_an_abbreviated_version_is_unused(void **state)
{
	static const char *const compared[] = { "590.48.01" };

	(void)state;
	assert_int_equal(parse("* X 590.48 never x\n* X 590.44 never x\n* X 580..590.48 never x\n"), 0);
	suppressions_try(&lines, NULL, compared, 1);
	assert_false(lines.item[0].untried);
	assert_true(lines.item[1].untried);
	assert_false(lines.item[2].untried);
}

static void a_refusal_names_the_line_and_leaves_what_was_there(void **state)
{
	(void)state;
	assert_int_equal(parse("* * * never x\n"), 0);
	assert_int_equal(parse("* * * never x\nsize * * soon x\n"), ERR_FORMAT);
	assert_string_equal(err.text, "f:2: 'soon' is not a date; write YYYY-MM-DD, or never");
	assert_int_equal(lines.count, 1);
}

static void every_rule_has_a_name_that_is_read_back(void **state)
{
	(void)state;
	for (int i = 0; i < VERIFY_RULE_COUNT; i++) {
		enum verify_rule rule;

		assert_int_equal(verify_rule_parse(&rule, verify_rule_name((enum verify_rule)i), &err), 0);
		assert_int_equal(rule, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_line_has_five_words, end_test),
		cmocka_unit_test_teardown(an_unavailable_version_is_accepted_by_its_name_and_for_a_time,
					  end_test),
		cmocka_unit_test_teardown(no_other_line_accepts_an_unavailable_version, end_test),
		cmocka_unit_test_teardown(an_unavailable_version_is_not_accepted_for_ever_or_without_its_name,
					  end_test),
		cmocka_unit_test_teardown(the_last_line_needs_no_end, end_test),
		cmocka_unit_test_teardown(an_empty_file_suppresses_nothing, end_test),
		cmocka_unit_test_teardown(rule_and_entry_have_to_fit, end_test),
		cmocka_unit_test_teardown(a_range_holds_its_ends_and_compares_numbers, end_test),
		cmocka_unit_test_teardown(a_number_without_a_dot_is_every_version_that_begins_with_it,
					  end_test),
		cmocka_unit_test_teardown(the_first_line_that_fits_suppresses_it, end_test),
		cmocka_unit_test_teardown(its_day_is_the_last_on_which_it_holds, end_test),
		cmocka_unit_test_teardown(what_is_unseen_is_suppressed_like_a_finding, end_test),
		cmocka_unit_test_teardown(a_todo_is_no_reason, end_test),
		cmocka_unit_test_teardown(a_line_for_versions_that_were_not_compared_is_untried, end_test),
		cmocka_unit_test_teardown(a_line_with_an_abbreviated_version_is_unused, end_test),
		cmocka_unit_test_teardown(a_refusal_names_the_line_and_leaves_what_was_there, end_test),
		cmocka_unit_test_teardown(every_rule_has_a_name_that_is_read_back, end_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
