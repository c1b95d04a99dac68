/*
 * Capabilities: what is a fact and what is only likely, on small tables, and how often that is right on the
 * real one.
 */
#include "bootstrap/fixture_test.h"

#define CAPPED(name, number, ...) \
	"'" name "': {'number': " #number ", 'constant': null, 'caps': [" __VA_ARGS__ "], 'structs': []}"

static struct table_view view;
static struct bootstrap_caps caps;
static const char *supersedes;
static const struct bootstrap_observed *observed;
static bool is_guarded;

static void guess(const char *name, uint64_t number)
{
	const struct abi_ioctl ordinary = { .family = "control", .name = name };
	struct bootstrap_candidate one = { .family = "control", .name = name, .number = number,
					   .ioctl = is_guarded ? NULL : &ordinary };

	table_view_at(&view, &table, &table.nodes[0], &arena);
	bootstrap_guess(&one, &view, observed, &arena);
	caps = one.caps;
	supersedes = one.supersedes;
}

static void a_newer_form_has_what_the_older_one_has(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("NV2080_CTRL_CMD_GET_RATE", 1, "'profiling'")));
	guess("NV2080_CTRL_CMD_GET_RATE_V2", 2);
	assert_int_equal(caps.count, 0);
	assert_string_equal(caps.likely[0], "profiling");
	assert_string_equal(supersedes, "NV2080_CTRL_CMD_GET_RATE");
}

static void a_word_for_what_users_have_to_ask_for_is_enough(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("NV2080_CTRL_CMD_GET_RATE", 1, "'compute', 'utility'")));
	guess("NV00F8_CTRL_CMD_FABRIC_STATE", 0xf80101);
	assert_int_equal(caps.count, 0);
	assert_string_equal(caps.likely[0], "fabric-imex-mgmt");
}

static void a_word_counts_if_its_entries_agree(void **state)
{
	(void)state;
	read_table("",
		   NODE("1.0", "null",
			CAPPED("A_DECODER_ONE", 1,
			       "'video'") "," CAPPED("B_DECODER_TWO", 257,
						     "'video'") "," CAPPED("C_DECODER_THREE", 513,
									   "'video'") "," CAPPED("D_FOUR", 769,
												 "'compute'") "," CAPPED("D_FIVE",
															 770,
															 "'compute'") "," CAPPED("D_SIX",
																		 771,
																		 "'compute'") "," CAPPED("D_SEVEN",
																					 772,
																					 "'compute'")));
	guess("E_DECODER", 0x9999);
	assert_int_equal(caps.likely_count, 1);
	assert_string_equal(caps.likely[0], "video");
	assert_string_equal(caps.evidence, "3 of 3 with the word DECODER");
}

static void neighbours_make_it_likely(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'")));
	guess("E_NEW", 780);
	assert_int_equal(caps.count, 0);
	assert_int_equal(caps.likely_count, 1);
	assert_string_equal(caps.evidence, "2 of 2 in 0000.03");
}

static void neighbours_that_differ_make_nothing_likely(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_FOUR", 769, "'compute', 'utility'") "," CAPPED(
				    "D_FIVE", 770, "'compute', 'utility'") "," CAPPED("D_SIX", 771, "'graphics'")));
	guess("E_NEW", 780);
	assert_int_equal(caps.likely_count, 0);
	assert_string_equal(caps.evidence, "only 2 of 3 in 0000.03 have compute+utility");
}

static void nothing_is_likely_for_what_is_guarded(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'")));
	is_guarded = true;
	guess("E_NEW", 780);
	is_guarded = false;
	assert_int_equal(caps.count, 0);
	assert_int_equal(caps.likely_count, 0);
}

static void what_is_given_is_a_fact(void **state)
{
	static const char *const given[] = { "graphics", "video" };
	static const struct bootstrap_observed all = { .given = given, .given_count = 2 };

	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("D_FOUR", 769, "'compute'")));
	observed = &all;
	is_guarded = true;
	guess("E_NEW", 780);
	is_guarded = false;
	observed = NULL;
	assert_int_equal(caps.count, 2);
	assert_string_equal(caps.caps[1], "video");
	assert_string_equal(caps.evidence, "given with --caps");
}

static void an_entry_is_no_evidence_for_itself(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_ONE", 769, "'rdma'") "," CAPPED("D_TWO", 1025, "'compute'")));
	guess("D_ONE", 1026);
	assert_int_equal(caps.likely_count, 1);
	assert_string_equal(caps.likely[0], "compute");
}

static const struct bootstrap_use used[] = {
	{ "control", "", 781, "video", "b.trace", "libcuda.so.1 cuInit" },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "b.trace", NULL },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "c.trace", NULL },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "video", "b.trace", NULL },
	{ "frontend", "E_NEW", 780, "video", "b.trace", NULL },
};
static const struct bootstrap_observed seen = { .uses = used, .count = sizeof(used) / sizeof(*used) };

/* What is guessed where workloads have been seen to use @used. */
static void guess_seen(const char *name, uint64_t number)
{
	observed = &seen;
	guess(name, number);
	observed = NULL;
}

static void what_was_observed_takes_the_place_of_a_guess(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("NV2080_CTRL_CMD_GET_RATE", 1, "'profiling'")));
	guess_seen("NV2080_CTRL_CMD_GET_RATE_V2", 2);
	assert_int_equal(caps.count, 2);
	assert_string_equal(caps.caps[0], "compute");
	assert_string_equal(caps.caps[1], "video");
	assert_string_equal(caps.evidence, "observed in b.trace, c.trace");
	assert_string_equal(supersedes, "NV2080_CTRL_CMD_GET_RATE");
}

static void what_no_driver_lists_is_known_by_its_number(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("D_FOUR", 769, "'compute'")));
	guess_seen("E_NEW", 781);
	assert_int_equal(caps.count, 1);
	assert_string_equal(caps.caps[0], "video");
}

static void what_was_not_observed_is_guessed(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'")));
	guess_seen("E_NEW", 780); /* of another family */
	assert_int_equal(caps.count, 0);
	assert_string_equal(caps.evidence, "2 of 2 in 0000.03");
}

/* --- the real table ------------------------------------------------------------------------ */

struct score {
	size_t entries, likely, right;
};

static bool same(const struct table_entry *entry, const char *const *other, size_t count)
{
	if (entry->cap_count != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(entry->caps[i], other[i]))
			return false;
	return true;
}

static void count(struct score *score, const struct table_entry *entry)
{
	const struct abi_ioctl ordinary = { .family = entry->family, .name = entry->name };
	struct bootstrap_candidate one = { .family = entry->family, .name = entry->name,
					   .number = entry->number, .ioctl = &ordinary };

	bootstrap_guess(&one, &view, NULL, &arena);
	caps = one.caps;
	assert_int_equal(caps.count, 0);
	score->entries++;
	score->likely += caps.likely_count != 0;
	score->right += same(entry, caps.likely, caps.likely_count);
}

static void leave_one_out_of_the_real_table(void **state)
{
	struct strbuf text = { 0 };
	struct score score = { 0 };

	(void)state;
	assert_int_equal(file_read(&text, "data/nvproxy.json", 64 << 20, &err), 0);
	assert_int_equal(json_read_table(&table, strbuf_text(&text), text.length, "data/nvproxy.json", &arena,
					 &err),
			 0);
	strbuf_release(&text);
	table_view_at(&view, &table, table_find_node(&table, "590.48.01"), &arena);
	for (size_t i = 0; i < view.entry_count; i++)
		count(&score, view.entries[i]);
	print_message("# %zu entries: something is likely for %zu, which is right for %zu (%.1f %%)\n",
		      score.entries, score.likely, score.right,
		      100.0 * (double)score.right / (double)score.likely);
	assert_true(score.right * 100 >= score.likely * 70);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_newer_form_has_what_the_older_one_has),
		TEST(a_word_for_what_users_have_to_ask_for_is_enough),
		TEST(a_word_counts_if_its_entries_agree),
		TEST(neighbours_make_it_likely),
		TEST(neighbours_that_differ_make_nothing_likely),
		TEST(nothing_is_likely_for_what_is_guarded),
		TEST(what_is_given_is_a_fact),
		TEST(an_entry_is_no_evidence_for_itself),
		TEST(what_was_observed_takes_the_place_of_a_guess),
		TEST(what_no_driver_lists_is_known_by_its_number),
		TEST(what_was_not_observed_is_guessed),
		TEST(leave_one_out_of_the_real_table),
	};

	return cmocka_run_group_tests_name("bootstrap caps", tests, NULL, NULL);
}
