/* Tests of the words for flags and rights that were added or removed. */
#include "report/fixture_test.h"

#include "report/internal.h"

static const struct diff_flag privilege[] = {
	{ "non-privileged", DIFF_FLAG_LEVEL, true },
	{ "privileged", DIFF_FLAG_LEVEL, false },
	{ "internal-only", DIFF_FLAG_CALLER, false },
	{ "nice", DIFF_FLAG_RIGHT, true },
	{ "cacheable", DIFF_FLAG_OTHER, true },
	{ "no-gpus-lock", DIFF_FLAG_OTHER, false },
};

static struct diff_change change_of(const struct diff_flag *flags, size_t count)
{
	struct diff_change change = a_renumbered;

	change.classes = DIFF_ACCESS | DIFF_FLAGS;
	change.flags = flags;
	change.flag_count = count;
	return change;
}

static void one_privilege_that_became_another_is_an_arrow(void **state)
{
	const struct diff_change change = change_of(privilege, 2);

	report_access_words(&out, &change);
	assert_rendered("privileged -> non-privileged");
}

static void all_else_that_came_and_went_follows_with_its_sign(void **state)
{
	const struct diff_change change = change_of(privilege, COUNT(privilege));

	report_access_words(&out, &change);
	assert_rendered("privileged -> non-privileged -internal-only +right nice");
}

static void a_privilege_that_only_came_has_a_sign(void **state)
{
	const struct diff_change change = change_of(privilege, 1);

	report_access_words(&out, &change);
	assert_rendered("+non-privileged");
}

static void other_flags_are_words_of_their_own(void **state)
{
	const struct diff_change change = change_of(privilege, COUNT(privilege));

	report_flags_words(&out, &change);
	assert_rendered("+cacheable -no-gpus-lock");
}

static void on_a_terminal_each_class_has_its_line(void **state)
{
	const struct diff_change change = change_of(privilege, COUNT(privilege));

	report_flags_text(&out, &change, &plain);
	assert_rendered("    access: privileged -> non-privileged -internal-only +right nice\n"
			"    flags: +cacheable -no-gpus-lock\n");
}

static void no_line_has_more_than_80_columns(void **state)
{
	static const struct diff_flag many[] = {
		{ "abcdefghijklmnopqrstuvwxy", DIFF_FLAG_OTHER, true },
		{ "abcdefghijklmnopqrstuvwxy", DIFF_FLAG_OTHER, true },
		{ "abcdefghijklmn", DIFF_FLAG_OTHER, true }, /* this word ends in the last column */
		{ "a", DIFF_FLAG_OTHER, true },
	};
	const struct diff_change change = change_of(many, COUNT(many));

	report_flags_text(&out, &change, &plain);
	assert_rendered("    flags: +abcdefghijklmnopqrstuvwxy +abcdefghijklmnopqrstuvwxy +abcdefghijklmn\n"
			"           +a\n");
}

static void a_change_without_flags_has_no_line(void **state)
{
	report_flags_text(&out, &a_renumbered, &plain);
	assert_rendered("");
}

static void flags_alone_are_folded(void **state)
{
	struct diff_change change = change_of(&privilege[4], 2);

	change.classes = DIFF_FLAGS;
	assert_true(report_only_flags(&change));
	change.classes = DIFF_FLAGS | DIFF_NAME;
	assert_false(report_only_flags(&change));
}

static void pointers_that_the_driver_follows_are_never_folded(void **state)
{
	static const struct diff_flag follows = { "embedded-pointers", DIFF_FLAG_OTHER, true };
	struct diff_change change = change_of(&follows, 1);

	change.classes = DIFF_FLAGS;
	assert_false(report_only_flags(&change));
}

static void json_lists_added_and_removed_flags(void **state)
{
	const struct diff_change change = change_of(privilege, COUNT(privilege));
	struct json_writer writer = { .out = &out };

	json_open_inline_object(&writer);
	json_write_members(&writer, &change, &report_change_flag_fields);
	json_close_object(&writer);
	assert_rendered(
		"{\"access_added\": [\"non-privileged\"], \"access_removed\": [\"privileged\", \"internal-only\"], "
		"\"rights_added\": [\"nice\"], \"flags_added\": [\"cacheable\"], \"flags_removed\": [\"no-gpus-lock\"]}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_privilege_that_became_another_is_an_arrow),
		TEST(all_else_that_came_and_went_follows_with_its_sign),
		TEST(a_privilege_that_only_came_has_a_sign),
		TEST(other_flags_are_words_of_their_own),
		TEST(on_a_terminal_each_class_has_its_line),
		TEST(no_line_has_more_than_80_columns),
		TEST(a_change_without_flags_has_no_line),
		TEST(flags_alone_are_folded),
		TEST(pointers_that_the_driver_follows_are_never_folded),
		TEST(json_lists_added_and_removed_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
