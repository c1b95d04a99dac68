#include "bootstrap/fixture_test.h"

static struct bootstrap_position position;

static int find(size_t version)
{
	seal_versions();
	return bootstrap_find(&position, &graph, &table, version, &arena, &err);
}

static void goes_by_the_graph_and_not_by_the_order_of_versions(void **state)
{
	(void)state;
	put_version("580.105", NULL);
	put_version("580.173", "580.105");
	put_version("590.44", "580.105");
	read_table("", NODE("580.105", "null", "") "," NODE("580.173", "'580.105'", ""));
	assert_int_equal(find(2), 0);
	assert_string_equal(position.base->version, "580.105");
	assert_false(position.exists);
	assert_int_equal(position.path_count, 2);
}

static void a_path_has_every_version_between_and_none_of_a_side_branch(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("1.1", "1.0");
	put_version("1.1.side", "1.0");
	put_version("2.0", "1.1");
	read_table("", NODE("1.0", "null", ""));
	assert_int_equal(find(3), 0);
	assert_int_equal(position.path_count, 3);
	assert_int_equal(position.path[0], 0);
	assert_int_equal(position.path[1], 1);
	assert_int_equal(position.path[2], 3);
}

static void a_version_that_the_table_has_is_its_own_path(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("2.0", "1.0");
	read_table("", NODE("1.0", "null", "") "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(find(1), 0);
	assert_true(position.exists);
	assert_int_equal(position.path_count, 1);
}

static void a_version_without_an_ancestor_in_the_table_is_not_found(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("2.0", NULL);
	read_table("", NODE("2.0", "null", ""));
	assert_int_equal(find(0), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "no ancestor of 1.0"));
	assert_non_null(strstr(err.text, "2.0"));
}

static void a_node_that_follows_another_branch_is_misplaced(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("1.5", "1.0");
	put_version("2.0", "1.0");
	read_table("", NODE("1.0", "null", "") "," NODE("1.5", "'1.0'", "") "," NODE("2.0", "'1.5'", ""));
	assert_int_equal(find(2), 0);
	assert_int_equal(position.misplaced_count, 1);
	assert_string_equal(position.misplaced[0].version, "2.0");
	assert_string_equal(position.misplaced[0].parent, "1.5");
	assert_string_equal(position.misplaced[0].should_be, "1.0");
}

static void a_parent_that_is_not_at_hand_is_not_judged(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("2.0", "1.0");
	read_table("", NODE("1.0", "null", "") "," NODE("1.9", "'1.0'", "") "," NODE("2.0", "'1.9'", ""));
	assert_int_equal(find(1), 0);
	assert_int_equal(position.misplaced_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(goes_by_the_graph_and_not_by_the_order_of_versions),
		TEST(a_path_has_every_version_between_and_none_of_a_side_branch),
		TEST(a_version_that_the_table_has_is_its_own_path),
		TEST(a_version_without_an_ancestor_in_the_table_is_not_found),
		TEST(a_node_that_follows_another_branch_is_misplaced),
		TEST(a_parent_that_is_not_at_hand_is_not_judged),
	};

	return cmocka_run_group_tests_name("bootstrap position", tests, NULL, NULL);
}
