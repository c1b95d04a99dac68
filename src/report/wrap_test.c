/* Tests of lines that are broken between words. */
#include "report/fixture_test.h"
#include "report/internal.h"

static const struct report_style narrow = { .columns = 50 };

static void words_that_fit_stay_in_one_line(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &plain, 2, 6);
	wrap_word(&wrap, INK_NONE, 0, "one");
	wrap_word(&wrap, INK_NONE, 2, "two");
	wrap_end(&wrap);
	assert_rendered("  one  two\n");
}

static void a_word_that_does_not_fit_begins_the_next_line(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 4);
	wrap_word(&wrap, INK_NONE, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "12345");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000000000000000000\n    12345\n");
}

static void a_line_may_be_full_to_the_last_column(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 4);
	wrap_word(&wrap, INK_NONE, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000000000000000000 1234\n");
}

static void a_word_longer_than_a_line_is_not_cut(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "a");
	wrap_word(&wrap, INK_NONE, 1, "%060d", 0);
	wrap_word(&wrap, INK_NONE, 1, "b");
	wrap_end(&wrap);
	assert_rendered("a\n000000000000000000000000000000000000000000000000000000000000\n  b\n");
}

static void colors_have_no_width(void **state)
{
	const struct report_style style = { .color = true, .columns = 50 };
	struct wrap wrap;

	wrap_begin(&wrap, &out, &style, 0, 2);
	wrap_word(&wrap, INK_ADDED, 0, "%045d", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_lacks("\n  1234");
}

static void a_character_of_several_bytes_is_one_column(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%044d→", 0);
	wrap_word(&wrap, INK_NONE, 1, "1234");
	wrap_end(&wrap);
	assert_lacks("\n  1234");
}

static void what_acts_is_spelled_out_and_counted_so(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%s", "a\nb");
	wrap_end(&wrap);
	assert_rendered("a\\x0ab\n");
}

static void a_word_too_long_for_the_indent_starts_further_left(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 20);
	wrap_word(&wrap, INK_NONE, 0, "long");
	wrap_word(&wrap, INK_NONE, 1, "%046d", 0);
	wrap_end(&wrap);
	assert_rendered("long\n    0000000000000000000000000000000000000000000000\n");
}

static void a_word_as_long_as_a_line_has_no_indent(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "long");
	wrap_word(&wrap, INK_NONE, 1, "%050d", 0);
	wrap_end(&wrap);
	assert_rendered("long\n00000000000000000000000000000000000000000000000000\n");
}

static void words_may_follow_what_is_on_a_line(void **state)
{
	struct wrap wrap;

	strbuf_adds(&out, "first\nab:   ");
	wrap_continue(&wrap, &out, &narrow, 4);
	wrap_word(&wrap, INK_NONE, 0, "%045d", 0);
	wrap_end(&wrap);
	assert_rendered("first\nab:\n    000000000000000000000000000000000000000000000\n");
}

static void no_empty_line_comes_of_an_indent(void **state)
{
	struct wrap wrap;

	strbuf_adds(&out, "    ");
	wrap_continue(&wrap, &out, &narrow, 6);
	wrap_word(&wrap, INK_NONE, 0, "%060d", 0);
	wrap_end(&wrap);
	assert_rendered("    000000000000000000000000000000000000000000000000000000000000\n");
}

static void colors_of_what_is_on_a_line_have_no_width(void **state)
{
	struct wrap wrap;

	report_ink(&out, &colored, INK_NAME, "ab");
	wrap_continue(&wrap, &out, &narrow, 4);
	wrap_word(&wrap, INK_NONE, 1, "%047d", 0);
	wrap_end(&wrap);
	assert_lacks("\n ");
}

static void each_word_of_a_sentence_may_begin_a_line(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_text(&wrap, INK_NONE, 0, "0000000000000000000000000000000000000000000000  a 12345");
	wrap_end(&wrap);
	assert_rendered("0000000000000000000000000000000000000000000000 a\n  12345\n");
}

static void phrases_are_broken_behind_a_comma_where_the_line_ends(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%030d", 0);
	wrap_phrases(&wrap, INK_NONE, 1, "4 translation, 64 layout");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000 4 translation,\n  64 layout\n");
}

static void clauses_that_fit_into_the_next_line_stay_together(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_word(&wrap, INK_NONE, 0, "%030d", 0);
	wrap_clauses(&wrap, INK_NONE, 2, "(was NvU32, 4 -> 8 bytes)");
	wrap_end(&wrap);
	assert_rendered("000000000000000000000000000000\n  (was NvU32, 4 -> 8 bytes)\n");
}

static void longer_clauses_are_broken_behind_a_comma(void **state)
{
	struct wrap wrap;

	wrap_begin(&wrap, &out, &narrow, 0, 2);
	wrap_clauses(&wrap, INK_NONE, 0, "(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36], 1440 -> 1640 bytes)");
	wrap_end(&wrap);
	assert_rendered("(was A_TYPE_WITH_SOMEWHAT_OF_A_NAME[36],\n  1440 -> 1640 bytes)\n");
}

static void a_terminal_that_says_it_is_tiny_is_not_believed(void **state)
{
	const struct report_style tiny = { .columns = 1 };

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
		TEST(a_word_too_long_for_the_indent_starts_further_left),
		TEST(a_word_as_long_as_a_line_has_no_indent),
		TEST(words_may_follow_what_is_on_a_line),
		TEST(no_empty_line_comes_of_an_indent),
		TEST(colors_of_what_is_on_a_line_have_no_width),
		TEST(each_word_of_a_sentence_may_begin_a_line),
		TEST(phrases_are_broken_behind_a_comma_where_the_line_ends),
		TEST(clauses_that_fit_into_the_next_line_stay_together),
		TEST(longer_clauses_are_broken_behind_a_comma),
		TEST(a_terminal_that_says_it_is_tiny_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
