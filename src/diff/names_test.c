/* When two names count as one respelled, and which names say padding. */
#include "diff/fixture_test.h"
#include "diff/member.h"
#include "diff/names.h"

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
		TEST(a_version_more_is_alike),
		TEST(a_suffix_of_a_word_is_alike),
		TEST(shared_first_and_last_words_say_nothing),
		TEST(case_is_ignored),
		TEST(closeness_counts_the_letters_at_both_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
