/* Tests bins, and which names are similar. */
#include "diff/fixture_test.h"
#include "diff/internal.h"

static void the_items_of_a_bin_keep_their_order(void **state)
{
	const size_t bin[] = { 2, 0, 2, DIFF_NO_BIN, 0, 2 }, item[] = { 1, 4, 0, 2, 5 };
	const size_t first[] = { 0, 2, 2, 5 };
	struct diff_bins bins;

	diff_bins_fill(&bins, 3, bin, 6, &arena);
	assert_memory_equal(bins.first, first, sizeof(first));
	assert_memory_equal(bins.item, item, sizeof(item));
}

static void the_bin_of_a_text_depends_only_on_the_text(void **state)
{
	const char *text = "NV2080_CTRL_GPU_GET_INFO_PARAMS";

	for (size_t length = 0; length <= strlen(text); length++) {
		char copy[32] = "????????????????????????????????";

		memcpy(copy, text, length);
		assert_int_equal(diff_text_bin(copy, length), diff_text_bin(text, length));
		assert_true(diff_text_bin(text, length) < DIFF_TEXT_BINS);
	}
	assert_int_not_equal(diff_text_bin("NV_A_PARAMS_______", 18),
			     diff_text_bin("NV_B_PARAMS_______", 18));
}

static void similar_names(void **state)
{
	static const struct {
		const char *fact, *a, *b;
		bool is_similar;
	} rows[] = {
		{ "one more version", "NV2080_CTRL_CMD_GET_INFO", "NV2080_CTRL_CMD_GET_INFO_V2", true },
		{ "a suffix of a word", "NV2080_CTRL_CMD_INFOROM_SUPPORT",
		  "NV2080_CTRL_CMD_INFOROM_SUPPORTED", true },
		{ "equal first and last words prove nothing", "NV2080_CTRL_GPU_FOO_PARAMS",
		  "NV2080_CTRL_GPU_BAR_PARAMS", false },
		{ "upper and lower case are equal", "tpcConfigID", "tpcConfigId", true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (diff_alike(rows[i].a, rows[i].b) != rows[i].is_similar)
			fail_msg("%s", rows[i].fact);
	/* the letters at both ends: "b" and "Permitted" */
	assert_int_equal(diff_closeness("bMemoryPermitted", "bCtxPermitted"), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_items_of_a_bin_keep_their_order),
		TEST(the_bin_of_a_text_depends_only_on_the_text),
		TEST(similar_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
