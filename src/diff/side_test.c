/* Tests bins, and which names are similar or mean padding. */
#include "diff/fixture_test.h"
#include "diff/internal.h"

static void things_of_one_bin_stay_in_order(void **state)
{
	const size_t bin[] = { 2, 0, 2, 0, 2 }, items[] = { 1, 3, 0, 2, 4 }, first[] = { 0, 2, 2, 5 };
	struct diff_bins bins;

	(void)state;
	diff_bins_fill(&bins, 3, bin, 5, &arena);
	assert_memory_equal(bins.first, first, sizeof(first));
	assert_memory_equal(bins.item, items, sizeof(items));
	arena_release(&arena);
}

static void what_belongs_into_no_bin_is_left_out(void **state)
{
	const size_t bin[] = { DIFF_NO_BIN, 1, DIFF_NO_BIN };
	struct diff_bins bins;

	(void)state;
	diff_bins_fill(&bins, 2, bin, 3, &arena);
	assert_int_equal(bins.first[2], 1);
	assert_int_equal(bins.item[bins.first[1]], 1);
	arena_release(&arena);
}

static void equal_texts_have_equal_bins_whatever_follows_them(void **state)
{
	const char *text = "NV2080_CTRL_GPU_GET_INFO_PARAMS";

	(void)state;
	for (size_t length = 0; length <= strlen(text); length++) {
		char copy[32] = "????????????????????????????????";

		memcpy(copy, text, length);
		assert_int_equal(diff_text_bin(copy, length), diff_text_bin(text, length));
		assert_true(diff_text_bin(text, length) < DIFF_TEXT_BINS);
	}
}

static void names_that_differ_in_the_middle_are_told_apart(void **state)
{
	(void)state;
	assert_int_not_equal(diff_text_bin("NV_A_PARAMS_______", 18),
			     diff_text_bin("NV_B_PARAMS_______", 18));
}

static void a_version_more_is_alike(void **state)
{
	(void)state;
	assert_true(diff_alike("NV2080_CTRL_CMD_GET_INFO", "NV2080_CTRL_CMD_GET_INFO_V2"));
}

static void a_suffix_of_a_word_is_alike(void **state)
{
	(void)state;
	assert_true(diff_alike("NV2080_CTRL_CMD_INFOROM_SUPPORT", "NV2080_CTRL_CMD_INFOROM_SUPPORTED"));
}

static void shared_first_and_last_words_say_nothing(void **state)
{
	(void)state;
	assert_false(diff_alike("NV2080_CTRL_GPU_FOO_PARAMS", "NV2080_CTRL_GPU_BAR_PARAMS"));
}

static void case_is_ignored(void **state)
{
	(void)state;
	assert_true(diff_alike("tpcConfigID", "tpcConfigId"));
}

static void closeness_counts_the_letters_at_both_ends(void **state)
{
	(void)state;
	assert_int_equal(diff_closeness("bMemoryPermitted", "bCtxPermitted"), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(things_of_one_bin_stay_in_order),
		cmocka_unit_test(what_belongs_into_no_bin_is_left_out),
		cmocka_unit_test(equal_texts_have_equal_bins_whatever_follows_them),
		cmocka_unit_test(names_that_differ_in_the_middle_are_told_apart),
		TEST(a_version_more_is_alike),
		TEST(a_suffix_of_a_word_is_alike),
		TEST(shared_first_and_last_words_say_nothing),
		TEST(case_is_ignored),
		TEST(closeness_counts_the_letters_at_both_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
