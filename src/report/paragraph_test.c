/* Paragraphs of 80 columns. */
#include "report/fixture_test.h"

#include "report/paragraph.h"

#define TEN "123456789 "

static void a_line_is_broken_at_a_blank(void **state)
{
	(void)state;
	strbuf_adds(&out, "    ");
	report_paragraph(&out, 4, TEN TEN TEN TEN TEN TEN TEN "123456 next");
	assert_rendered("    " TEN TEN TEN TEN TEN TEN TEN "123456\n    next");
}

static void a_word_that_fits_no_line_stands_whole_in_its_own(void **state)
{
	char word[101] = "", expected[120];

	(void)state;
	memset(word, 'x', 100);
	strbuf_adds(&out, "  a ");
	report_paragraph(&out, 2, word);
	snprintf(expected, sizeof(expected), "  a \n  %s", word);
	assert_rendered(expected);
}

static void a_long_word_is_broken_behind_a_comma(void **state)
{
	(void)state;
	report_paragraph(&out, 2, "{123456789,123456789,123456789,123456789,123456789,123456789,123456789,123456789,123456789}.x");
	assert_rendered("{123456789,123456789,123456789,123456789,123456789,123456789,123456789,\n  123456789,123456789}.x");
}

static void a_colour_has_no_column(void **state)
{
	(void)state;
	strbuf_adds(&out, "\033[31m    \033[0m");
	report_paragraph(&out, 4, TEN TEN TEN TEN TEN TEN TEN "123456");
	assert_lacks("\n");
}

static void text_of_others_cannot_act(void **state)
{
	(void)state;
	report_paragraph(&out, 0, "a\nb \033[31m");
	assert_rendered("a\\x0ab \\x1b[31m");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_line_is_broken_at_a_blank),
		TEST(a_word_that_fits_no_line_stands_whole_in_its_own),
		TEST(a_long_word_is_broken_behind_a_comma),
		TEST(a_colour_has_no_column),
		TEST(text_of_others_cannot_act),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
