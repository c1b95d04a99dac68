/* The guess of capabilities: its rules on small tables, and how often it is right on the real one. */
#include "bootstrap/fixture_test.h"

#define CAPPED(name, number, ...) \
	"'" name "': {'number': " #number ", 'constant': null, 'caps': [" __VA_ARGS__ "], 'structs': []}"

static struct table_view view;
static struct bootstrap_caps caps;
static const struct bootstrap_observed *observed;

static void guess(const char *name, uint64_t number)
{
	const struct bootstrap_subject subject = { "control", name, number, NULL, observed };

	table_view_at(&view, &table, &table.nodes[0], &arena);
	bootstrap_guess(&caps, &view, &subject, &arena);
}

static void a_newer_form_has_what_the_older_one_has(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("NV2080_CTRL_CMD_GET_RATE", 1, "'profiling'")));
	guess("NV2080_CTRL_CMD_GET_RATE_V2", 2);
	assert_int_equal(caps.count, 1);
	assert_string_equal(caps.caps[0], "profiling");
	assert_string_equal(caps.from->name, "NV2080_CTRL_CMD_GET_RATE");
}

static void a_word_for_what_users_have_to_ask_for_is_enough(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("NV2080_CTRL_CMD_GET_RATE", 1, "'compute', 'utility'")));
	guess("NV00F8_CTRL_CMD_FABRIC_STATE", 0xf80101);
	assert_int_equal(caps.count, 1);
	assert_string_equal(caps.caps[0], "fabric-imex-mgmt");
}

static void a_word_counts_if_three_entries_agree(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("A_DECODER_ONE", 1, "'video'") "," CAPPED("B_DECODER_TWO", 257, "'video'") "," CAPPED("C_DECODER_THREE", 513, "'video'") ","
			    CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'") "," CAPPED("D_SIX", 771, "'compute'") "," CAPPED("D_SEVEN", 772, "'compute'")));
	guess("E_DECODER", 0x9999);
	assert_int_equal(caps.count, 1);
	assert_string_equal(caps.caps[0], "video");
	assert_string_equal(caps.evidence, "3 of 3 with the word DECODER");
}

static void few_neighbours_are_told_and_not_written_down(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'")));
	guess("E_NEW", 780);
	assert_int_equal(caps.count, 0);
	assert_int_equal(caps.likely_count, 1);
	assert_string_equal(caps.evidence, "2 of 2 in 0000.03");
}

static void a_guess_is_no_wider_than_a_neighbour_that_users_have_to_ask_for(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null",
			    CAPPED("D_ONE", 769, "'compute'") "," CAPPED("D_TWO", 770, "'compute'") "," CAPPED("D_THREE", 771, "'compute'") ","
			    CAPPED("D_FOUR", 772, "'compute'") "," CAPPED("D_FIVE", 773, "'rdma'")));
	guess("E_NEW", 780);
	assert_int_equal(caps.count, 0);
	assert_non_null(strstr(caps.evidence, "but not D_FIVE"));
}

static void an_entry_is_no_evidence_for_itself(void **state)
{
	(void)state;
	read_table("", NODE("1.0", "null", CAPPED("D_ONE", 769, "'rdma'") "," CAPPED("D_TWO", 1025, "'compute'")));
	guess("D_ONE", 769);
	assert_int_equal(caps.count, 0);
	assert_int_equal(caps.likely_count, 1);
	assert_string_equal(caps.likely[0], "compute");
}

static const struct bootstrap_use used[] = {
	{ "control", "", 781, "video", "b.trace" }, { "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "b.trace" },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "c.trace" }, { "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "video", "b.trace" },
	{ "frontend", "E_NEW", 780, "video", "b.trace" },
};
static const struct bootstrap_observed seen = { used, sizeof(used) / sizeof(*used) };

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
	assert_int_equal(caps.likely_count, 2);
	assert_string_equal(caps.evidence, "observed in b.trace, c.trace");
	assert_string_equal(caps.from->name, "NV2080_CTRL_CMD_GET_RATE");
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
	read_table("", NODE("1.0", "null", CAPPED("D_FOUR", 769, "'compute'") "," CAPPED("D_FIVE", 770, "'compute'")));
	guess_seen("E_NEW", 780); /* of another family */
	assert_int_equal(caps.count, 0);
	assert_string_equal(caps.evidence, "2 of 2 in 0000.03");
}

/* --- the real table ------------------------------------------------------------------------ */

struct score {
	size_t entries, exact, likely, silent, opt_in, wider;
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

/* More than one capability that are not the two that a container has by default, or one that only a management tool has. */
static bool is_opt_in(const struct table_entry *entry)
{
	static const char *const usual[] = { "compute", "utility" };

	if (entry->cap_count > 1)
		return !same(entry, usual, 2);
	return entry->cap_count && (!strcmp(entry->caps[0], "rdma") || !strcmp(entry->caps[0], "fabric-imex-mgmt"));
}

static bool exposes_more(const struct bootstrap_caps *guessed, const struct table_entry *entry)
{
	for (size_t i = 0; i < guessed->count; i++) {
		bool has = false;

		for (size_t c = 0; c < entry->cap_count; c++)
			has |= !strcmp(entry->caps[c], guessed->caps[i]);
		if (!has)
			return true;
	}
	return false;
}

static void count(struct score *score, const struct table_entry *entry)
{
	const struct bootstrap_subject subject = { entry->family, entry->name, entry->number, NULL, NULL };

	bootstrap_guess(&caps, &view, &subject, &arena);
	score->entries++;
	score->exact += caps.count && same(entry, caps.caps, caps.count);
	score->likely += same(entry, caps.likely, caps.likely_count);
	score->silent += !caps.count;
	score->opt_in += is_opt_in(entry);
	if (!is_opt_in(entry) || !exposes_more(&caps, entry))
		return;
	score->wider++;
	print_message("# wider: %s (%s)\n", entry->name, caps.evidence);
}

static void leave_one_out_of_the_real_table(void **state)
{
	struct strbuf text = { 0 };
	struct score score = { 0 };

	(void)state;
	assert_int_equal(file_read(&text, "data/nvproxy.json", 64 << 20, &err), 0);
	assert_int_equal(json_read_table(&table, strbuf_text(&text), text.length, "data/nvproxy.json", &arena, &err), 0);
	strbuf_release(&text);
	table_view_at(&view, &table, table_find_node(&table, "590.48.01"), &arena);
	for (size_t i = 0; i < view.entry_count; i++)
		count(&score, view.entries[i]);
	print_message("# %zu entries: the first choice is right for %zu (%.1f %%); written down are %zu, of which %zu are right (%.1f %%); "
		      "of %zu that users have to ask for, %zu are wider than they are\n", score.entries, score.likely,
		      100.0 * (double)score.likely / (double)score.entries, score.entries - score.silent, score.exact,
		      100.0 * (double)score.exact / (double)(score.entries - score.silent), score.opt_in, score.wider);
	assert_int_equal(score.wider, 0);
	assert_true(score.likely * 100 >= score.entries * 70);
	assert_true(score.exact * 100 >= (score.entries - score.silent) * 75);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_newer_form_has_what_the_older_one_has),
		TEST(a_word_for_what_users_have_to_ask_for_is_enough),
		TEST(a_word_counts_if_three_entries_agree),
		TEST(few_neighbours_are_told_and_not_written_down),
		TEST(a_guess_is_no_wider_than_a_neighbour_that_users_have_to_ask_for),
		TEST(an_entry_is_no_evidence_for_itself),
		TEST(what_was_observed_takes_the_place_of_a_guess),
		TEST(what_no_driver_lists_is_known_by_its_number),
		TEST(what_was_not_observed_is_guessed),
		TEST(leave_one_out_of_the_real_table),
	};

	return cmocka_run_group_tests_name("bootstrap caps", tests, NULL, NULL);
}
