/* Words on lines of 80 columns. */
#include "report/fill.h"
#include "report/fixture_test.h"

#define WORD40 "0123456789012345678901234567890123456789"

static void a_word_that_does_not_fit_begins_the_next_line(void **state)
{
	struct fill fill;

	(void)state;
	strbuf_adds(&out, "ab: ");
	fill_begin(&fill, &out, &plain, 4);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_end(&fill);
	assert_rendered("ab: " WORD40 "\n    " WORD40 "\n");
}

static void a_line_may_have_all_80_columns(void **state)
{
	struct fill fill;

	(void)state;
	fill_begin(&fill, &out, &plain, 4);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_gap(&fill, 0);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_gap(&fill, 0);
	fill_word(&fill, INK_NONE, "x");
	fill_end(&fill);
	assert_rendered(WORD40 WORD40 "\n    x\n");
}

static void a_word_that_is_longer_than_the_rest_of_a_line_stands_further_left(void **state)
{
	struct fill fill;

	(void)state;
	strbuf_adds(&out, "long");
	fill_begin(&fill, &out, &plain, 50);
	fill_gap(&fill, 40);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_end(&fill);
	assert_rendered("long\n    " WORD40 "\n");
}

static void colors_take_no_columns(void **state)
{
	struct fill fill;

	(void)state;
	fill_begin(&fill, &out, &colored, 4);
	fill_word(&fill, INK_NAME, "%s", WORD40);
	fill_word(&fill, INK_NAME, "%.39s", WORD40);
	fill_end(&fill);
	assert_null(strstr(out.text, "\n "));
}

static void each_word_of_a_sentence_may_begin_a_line(void **state)
{
	struct fill fill;

	(void)state;
	fill_begin(&fill, &out, &plain, 2);
	fill_words(&fill, INK_NONE, WORD40 "  a " WORD40);
	fill_end(&fill);
	assert_rendered(WORD40 " a\n  " WORD40 "\n");
}

static void what_comes_from_outside_is_spelled_out_before_it_is_measured(void **state)
{
	struct fill fill;

	(void)state;
	fill_begin(&fill, &out, &plain, 4);
	fill_word(&fill, INK_NONE, "%s", WORD40);
	fill_word(&fill, INK_NONE, "%s", "\033\033\033\033\033\033\033\033\033\033");
	fill_end(&fill);
	assert_has(WORD40 "\n    \\x1b\\x1b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_word_that_does_not_fit_begins_the_next_line),
		TEST(a_line_may_have_all_80_columns),
		TEST(a_word_that_is_longer_than_the_rest_of_a_line_stands_further_left),
		TEST(colors_take_no_columns),
		TEST(each_word_of_a_sentence_may_begin_a_line),
		TEST(what_comes_from_outside_is_spelled_out_before_it_is_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
