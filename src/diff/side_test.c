/* Tests bins, and which names are similar. */
#include "diff/fixture_test.h"
#include "diff/internal.h"

DIFF_TEST(the_items_of_a_bin_keep_their_order)
{
	const size_t bin[] = { 2, 0, 2, DIFF_NO_BIN, 0, 2 }, item[] = { 1, 4, 0, 2, 5 };
	const size_t first[] = { 0, 2, 2, 5 };
	struct diff_bins bins;

	diff_bins_fill(&bins, 3, bin, 6, &arena);
	assert_memory_equal(bins.first, first, sizeof(first));
	assert_memory_equal(bins.item, item, sizeof(item));
}

DIFF_TEST(an_index_finds_the_first_of_equal_names)
{
	const char *const names[] = { "NV_A_PARAMS", NULL, "NV_B_PARAMS", "NV_A_PARAMS" };
	struct diff_name_index index;

	diff_index_names(&index, names, 4, &arena);
	assert_int_equal(diff_index_of(&index, "NV_A_PARAMS", 11), 0);
	assert_int_equal(diff_index_of(&index, "NV_B_PARAMS[4]", 11), 2);
	assert_true(diff_index_of(&index, "NV_C_PARAMS", 11) == SIZE_MAX);
	for (size_t length = 0; length < 11; length++)
		assert_true(diff_index_of(&index, "NV_A_PARAMS", length) == SIZE_MAX);
}

DIFF_TEST(an_index_can_be_empty)
{
	struct diff_name_index index;

	diff_index_names(&index, NULL, 0, &arena);
	assert_true(diff_index_of(&index, "", 0) == SIZE_MAX);
}

DIFF_TEST(similar_names)
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
