/* Which versions are asked for, and the changes of these alone. */
#include "history/fixture_test.h"

/*
 * 1.0 - 1.1 - 2.0 - 2.1 - 3.0
 *    \- 1.2      \- 2.2
 */
static void put_tree(void)
{
	put_version("1.0", NULL, true);
	put_version("1.1", "1.0", true);
	put_version("1.2", "1.0", false);
	put_version("2.0", "1.1", true);
	put_version("2.1", "2.0", true);
	put_version("2.2", "2.0", false);
	put_version("3.0", "2.1", true);
}

static struct err err;

/* The versions that are wanted, in one line. */
static const char *wanted_by(const char *word, const char *since, const char *until)
{
	const struct history_graph graph = graph_of_all();
	bool wanted[VERSIONS_MAX] = { false };
	size_t index[VERSIONS_MAX], count = 0;

	if (word && select_add(wanted, &graph, word, &err))
		return err.text;
	for (size_t i = 0; !word && i < graph.version_count; i++)
		wanted[i] = true;
	if (select_clip(wanted, &graph, since, until, &err))
		return err.text;
	for (size_t i = 0; i < graph.version_count; i++)
		if (wanted[i])
			index[count++] = i;
	return names_of(index, count);
}

static void assert_wanted(const char *word, const char *versions_wanted)
{
	version_count = 0;
	put_tree();
	assert_string_equal(wanted_by(word, NULL, NULL), versions_wanted);
	for (size_t i = 0; i < version_count; i++)
		abi_builder_free(docs[i]);
	version_count = 0;
}

static void versions_are_words_with_a_dot(void **state)
{
	(void)state;
	assert_true(select_is_versions("1.0"));
	assert_true(select_is_versions("580..590"));
	assert_true(select_is_versions("580.."));
	assert_false(select_is_versions("580"));
	assert_false(select_is_versions("NV_ESC_RM_FREE"));
	assert_false(select_is_versions("NV*.x"));
}

static void one_version_is_itself(void **state)
{
	(void)state;
	assert_wanted("2.1", "2.1");
}

static void two_versions_are_what_the_second_has_and_the_first_has_not(void **state)
{
	(void)state;
	assert_wanted("1.0..2.1", "1.1 2.0 2.1");
	assert_wanted("1.2..2.1", "1.1 2.0 2.1");
	assert_wanted("2.1..2.2", "2.2");
	assert_wanted("2.0..", "2.1 3.0");
	assert_wanted("..2.0", "1.0 1.1 2.0");
}

static void beginnings_are_all_between_them_with_both_ends(void **state)
{
	(void)state;
	assert_wanted("1..2", "1.0 1.1 1.2 2.0 2.1 2.2");
	assert_wanted("2..3.0", "2.0 2.1 2.2 3.0");
	assert_wanted("1.2..2", "1.2 2.0 2.1 2.2");
	assert_wanted("..1", "1.0 1.1 1.2");
	assert_wanted("2..", "2.0 2.1 2.2 3.0");
}

static void a_range_without_versions_is_refused(void **state)
{
	(void)state;
	assert_wanted("2.1..1.1",
		      "2.1..1.1 has no version: 2.1 has all that 1.1 has; give the older one first");
	assert_wanted("2..1", "2..1 has no version; give the older one first: 1..2");
	assert_wanted("1.0...2.0", "'1.0...2.0' is not a range of versions; give it as A..B");
	assert_wanted("..", "'..' is not a range of versions; give at least one of its ends");
	assert_wanted("1.5..2.0", "none of the 7 versions is or begins with '1.5'; nearest: 1.0, 1.1, 1.2");
}

static void since_and_until_go_by_the_order_of_versions(void **state)
{
	(void)state;
	put_tree();
	assert_string_equal(wanted_by(NULL, "1.2", "2"), "1.2 2.0 2.1 2.2");
}

static void of_a_range_they_leave_what_is_inside(void **state)
{
	(void)state;
	put_tree();
	assert_string_equal(wanted_by("1.0..3.0", "2", NULL), "2.0 2.1 3.0");
}

static void changes_of_other_versions_and_classes_are_dropped(void **state)
{
	static const bool second[] = { false, true, false };
	static const struct diff_change changes[] = {
		{ .name = "A", .classes = DIFF_LAYOUT | DIFF_GROWTH },
		{ .name = "B", .classes = DIFF_ADDED },
		{ .name = "C", .classes = DIFF_GROWTH },
	};
	static const size_t carriers[] = { 1, 2, 3 };
	static const struct history_version two[] = { { .version = "1" },
						      { .version = "2" },
						      { .version = "3" } };
	static const struct history_edge edges[] = { { .version = 1, .parent = 0 },
						     { .version = 2, .parent = 1 } };
	const struct history_graph graph = { two, 3, edges, 2 };
	const struct history_filter asked = { .versions = second, .version_count = 1, .classes = DIFF_GROWTH };
	struct history_changes by_edge[] = {
		{ .changes = changes, .carriers = carriers, .count = 3 },
		{ .changes = changes, .carriers = carriers, .count = 3, .left_out = 7 }
	};

	(void)state;
	select_changes(by_edge, &graph, &asked, &arena);
	assert_int_equal(by_edge[0].count, 2);
	assert_string_equal(by_edge[0].changes[1].name, "C");
	assert_int_equal(by_edge[0].carriers[1], 3);
	assert_int_equal(by_edge[0].summary[ABI_RECORD].changed, 2);
	assert_int_equal(by_edge[0].class_total[1], 1);
	assert_int_equal(by_edge[1].count, 0);
	assert_int_equal(by_edge[1].left_out, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(versions_are_words_with_a_dot),
		TEST(one_version_is_itself),
		TEST(two_versions_are_what_the_second_has_and_the_first_has_not),
		TEST(beginnings_are_all_between_them_with_both_ends),
		TEST(a_range_without_versions_is_refused),
		TEST(since_and_until_go_by_the_order_of_versions),
		TEST(of_a_range_they_leave_what_is_inside),
		TEST(changes_of_other_versions_and_classes_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
