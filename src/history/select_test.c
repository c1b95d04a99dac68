/* Tests which versions a word selects, and that only their changes are selected. */
#include "history/fixture_test.h"

/*
 * 1.0 - 1.1 - 2.0 - 2.1 - 3.0
 *    \- 1.2      \- 2.2
 */
#define TREE "@1.0 @1.1<1.0 @1.2<1.0 @2.0<1.1 @2.1<2.0 @2.2<2.0 @3.0<2.1"

/* Lists the selected versions in one line. */
static const char *wanted_by(const char *word, const char *since, const char *until)
{
	const struct history_graph graph = graph_of(TREE);
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

HISTORY_TEST(versions_are_words_with_a_dot)
{
	assert_true(select_is_versions("1.0"));
	assert_true(select_is_versions("580..590"));
	assert_true(select_is_versions("580.."));
	assert_false(select_is_versions("580"));
	assert_false(select_is_versions("NV_ESC_RM_FREE"));
	assert_false(select_is_versions("NV*.x"));
}

/*
 * If A and B are versions, A..B selects B and its ancestors, without A and its ancestors. If A or B is the
 * beginning of versions, it selects all versions between them, inclusive. --since and --until use the order
 * of versions.
 */
HISTORY_TEST(words_name_versions)
{
	static const struct {
		const char *word, *since, *until, *versions;
	} rows[] = {
		{ "2.1", NULL, NULL, "2.1" },
		{ "1.0..2.1", NULL, NULL, "1.1 2.0 2.1" },
		{ "1.2..2.1", NULL, NULL, "1.1 2.0 2.1" },
		{ "2.1..2.2", NULL, NULL, "2.2" },
		{ "2.0..", NULL, NULL, "2.1 3.0" },
		{ "..2.0", NULL, NULL, "1.0 1.1 2.0" },
		{ "1..2", NULL, NULL, "1.0 1.1 1.2 2.0 2.1 2.2" },
		{ "2..3.0", NULL, NULL, "2.0 2.1 2.2 3.0" },
		{ "1.2..2", NULL, NULL, "1.2 2.0 2.1 2.2" },
		{ "..1", NULL, NULL, "1.0 1.1 1.2" },
		{ "2..", NULL, NULL, "2.0 2.1 2.2 3.0" },
		{ "2.1..1.1", NULL, NULL,
		  "2.1..1.1 is empty, because 2.1 includes all of 1.1; give the older version first" },
		{ "2..1", NULL, NULL, "2..1 is empty; give the older version first: 1..2" },
		{ "1.0...2.0", NULL, NULL, "'1.0...2.0' is not a range of versions; give it as A..B" },
		{ "..", NULL, NULL,
		  "'..' is not a range of versions; give at least one of its ends" },
		{ "1.5..2.0", NULL, NULL,
		  "none of the 7 versions is or begins with '1.5'; nearest: 1.0, 1.1, 1.2" },
		{ NULL, "1.2", "2", "1.2 2.0 2.1 2.2" },
		{ "1.0..3.0", "2", NULL, "2.0 2.1 3.0" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin_test(NULL);
		assert_string_equal(wanted_by(rows[i].word, rows[i].since, rows[i].until), rows[i].versions);
		end_test(NULL);
	}
}

HISTORY_TEST(changes_of_other_versions_and_classes_are_dropped)
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
	const struct history_filter asked = { .versions = second,
					      .version_count = 1,
					      .classes = DIFF_GROWTH };
	struct history_changes by_edge[] = {
		{ .changes = changes, .carriers = carriers, .count = 3 },
		{ .changes = changes, .carriers = carriers, .count = 3, .left_out = 7 }
	};

	select_changes(by_edge, &graph, &asked, &arena);
	assert_int_equal(by_edge[0].count, 2);
	assert_string_equal(by_edge[0].changes[1].name, "C");
	assert_int_equal(by_edge[0].carriers[1], 3);
	assert_int_equal(by_edge[0].summary[ABI_RECORD].changed, 2);
	assert_int_equal(by_edge[0].class_total[1], 1);
	assert_int_equal(by_edge[1].count, 0);
	assert_int_equal(by_edge[1].left_out, 0);
}
