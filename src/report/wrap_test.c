/* Lines that are broken between words. */
#include "report/fixture_test.h"
#include "report/wrap.h"

static const struct report_style narrow = { .columns = 50 };

static void words_that_fit_stay_in_one_line(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &plain, 2, 6);
	wrap_word(&wrap, INK_NONE, 0, "one");
	wrap_word(&wrap, INK_NONE, 2, "two");
	wrap_end(&wrap);
	assert_rendered("  one  two\n");
}

static void a_word_that_does_not_fit_begins_the_next_line(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 4);
	wrap_word(&wrap, INK_NONE, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "12345");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000000000000000000\n    12345\n");
}

static void a_line_may_be_full_to_the_last_column(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 4);
	wrap_word(&wrap, INK_NONE, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000000000000000000 1234\n");
}

static void a_word_longer_than_a_line_is_not_cut(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "a");
	wrap_word(&wrap, INK_NONE, 1, "%060d", 0);
	wrap_word(&wrap, INK_NONE, 1, "b");
	wrap_end(&wrap);
	assert_rendered("a\n  000000000000000000000000000000000000000000000000000000000000\n  b\n");
}

static void colors_have_no_width(void **state)
{
	const struct report_style style = { .color = true, .columns = 50 };
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &style, 0, 2);
	wrap_word(&wrap, INK_ADDED, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_lacks("\n  1234");
}

static void a_character_of_several_bytes_is_one_column(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%044d→", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_lacks("\n  1234");
}

static void what_acts_is_spelled_out_and_counted_so(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%s", "a\nb");
	wrap_end(&wrap);
	assert_rendered("a\\x0ab\n");
}

static void clauses_that_fit_into_the_next_line_stay_together(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%030d", 0);
	wrap_clauses(&wrap, INK_NONE, 2, "(was NvU32, 4 -> 8 bytes)");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000\n  (was NvU32, 4 -> 8 bytes)\n");
}

static void longer_clauses_are_broken_behind_a_comma(void **state)
{
	struct wrap wrap;

	(void)state;
	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_clauses(&wrap, INK_NONE, 0, "(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36], 1440 -> 1640 bytes)");
	wrap_end(&wrap);
	assert_rendered("(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36],\n  1440 -> 1640 bytes)\n");
}

static void a_terminal_that_says_it_is_tiny_is_not_believed(void **state)
{
	const struct report_style tiny = { .columns = 1 };

	(void)state;
	assert_int_equal(wrap_columns(&tiny), 40);
	assert_int_equal(wrap_columns(&plain), 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(words_that_fit_stay_in_one_line),
		TEST(a_word_that_does_not_fit_begins_the_next_line),
		TEST(a_line_may_be_full_to_the_last_column),
		TEST(a_word_longer_than_a_line_is_not_cut),
		TEST(colors_have_no_width),
		TEST(a_character_of_several_bytes_is_one_column),
		TEST(what_acts_is_spelled_out_and_counted_so),
		TEST(clauses_that_fit_into_the_next_line_stay_together),
		TEST(longer_clauses_are_broken_behind_a_comma),
		TEST(a_terminal_that_says_it_is_tiny_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
