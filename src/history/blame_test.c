#include "history/fixture_test.h"

/* The blame of R, or of an ioctl, at the last version. */
static struct blame blamed(const char *name)
{
	static struct history_graph graph;
	struct err err = { "" };
	struct blame blame;

	graph = graph_of_all();
	if (history_blame(&blame, &graph, version_count - 1, name, &arena, &err))
		fail_msg("%s", err.text);
	return blame;
}

static const struct blame_line *line_of(const struct blame *blame, const char *path)
{
	for (size_t i = 0; i < blame->line_count; i++)
		if (!strcmp(blame->lines[i].leaf->path, path))
			return &blame->lines[i];
	fail_msg("no line %s", path);
	return NULL;
}

static void assert_line(const struct blame *blame, const char *path, const char *version, enum diff_op op)
{
	const struct blame_line *line = line_of(blame, path);

	assert_string_equal(versions[line->version].version, version);
	assert_string_equal(diff_op_name(line->op), diff_op_name(op));
	assert_false(line->is_boundary);
}

static void what_the_first_version_had_is_a_boundary(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("1.1", "1.0", true), "R", 4, U32("a", 0));
	blame = blamed("R");
	assert_int_equal(blame.line_count, 1);
	assert_true(blame.lines[0].is_boundary);
	assert_int_equal(blame.lines[0].version, 0);
	assert_true(blame.size_is_boundary);
}

static void each_field_has_the_version_that_last_changed_it(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 8, U32("a", 0), U32("b", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 12, U32("a", 0), U32("new", 4), U32("b", 8));
	RECORD(put_version("3.0", "2.0", true), "R", 12, HANDLE("a", 0), U32("new", 4), U32("b", 8));
	RECORD(put_version("4.0", "3.0", true), "R", 16, HANDLE("a", 0), U32("new", 4), U64("b", 8));
	blame = blamed("R");
	assert_line(&blame, "a", "3.0", DIFF_OP_RETYPED);
	assert_line(&blame, "new", "2.0", DIFF_OP_ADDED);
	assert_line(&blame, "b", "4.0", DIFF_OP_RESIZED);
	assert_string_equal(versions[blame.size_version].version, "4.0");
	assert_int_equal(blame.size_before, 12);
}

static void a_field_that_moved_is_blamed_on_the_move(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 12, U32("a", 0), U32("b", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 12, U32("a", 0), U32("b", 8));
	blame = blamed("R");
	assert_line(&blame, "b", "2.0", DIFF_OP_MOVED);
	assert_int_equal(line_of(&blame, "b")->before->offset_bits, 32);
}

static void a_field_that_was_renamed_has_its_former_name(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 8, U32("a", 0), U32("old", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 8, U32("a", 0), U32("new", 4));
	blame = blamed("R");
	assert_line(&blame, "new", "2.0", DIFF_OP_RENAMED);
	assert_string_equal(line_of(&blame, "new")->before->path, "old");
}

static void a_change_that_was_undone_and_done_again_is_blamed_on_the_last_time(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("2.0", "1.0", true), "R", 8, U32("a", 0), U32("b", 4));
	RECORD(put_version("3.0", "2.0", true), "R", 4, U32("a", 0));
	RECORD(put_version("4.0", "3.0", true), "R", 8, U32("a", 0), U32("b", 4));
	blame = blamed("R");
	assert_line(&blame, "b", "4.0", DIFF_OP_ADDED);
}

static void another_branch_changes_nothing(void **state)
{
	struct blame blame;

	(void)state;
	RECORD(put_version("1.0", NULL, true), "R", 4, U32("a", 0));
	RECORD(put_version("1.1", "1.0", false), "R", 8, U32("a", 0), U32("b", 4));
	RECORD(put_version("2.0", "1.0", true), "R", 8, U32("a", 0), U32("b", 4));
	blame = blamed("R");
	assert_line(&blame, "b", "2.0", DIFF_OP_ADDED);
}

static void a_record_is_followed_where_it_was_renamed(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct blame blame;

	(void)state;
	RECORD(doc, "OLD_PARAMS", 16, U32("a", 0), U64("b", 8));
	put_ioctl(doc, "CMD", 1, "OLD_PARAMS");
	doc = put_version("2.0", "1.0", true);
	RECORD(doc, "NEW_PARAMS", 16, U32("a", 0), U64("b", 8));
	put_ioctl(doc, "CMD", 1, "NEW_PARAMS");
	blame = blamed("NEW_PARAMS");
	assert_true(line_of(&blame, "a")->is_boundary);
}

static void a_record_that_was_not_there_was_added_as_a_whole(void **state)
{
	struct blame blame;

	(void)state;
	put_version("1.0", NULL, true);
	RECORD(put_version("2.0", "1.0", true), "R", 4, U32("a", 0));
	RECORD(put_version("3.0", "2.0", true), "R", 4, U32("a", 0));
	blame = blamed("R");
	assert_line(&blame, "a", "2.0", DIFF_OP_ADDED);
	assert_string_equal(versions[blame.size_version].version, "2.0");
	assert_false(blame.size_is_boundary);
}

static void an_ioctl_stands_for_its_parameters(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL, true);
	struct blame blame;

	(void)state;
	RECORD(doc, "R", 4, U32("a", 0));
	put_ioctl(doc, "CMD", 1, "R");
	blame = blamed("CMD");
	assert_string_equal(blame.name, "R");
}

static void a_name_that_is_no_record_is_an_error(void **state)
{
	struct history_graph graph;
	struct err err = { "" };
	struct blame blame;

	(void)state;
	put_version("1.0", NULL, true);
	graph = graph_of_all();
	assert_int_equal(history_blame(&blame, &graph, 0, "NvU32", &arena, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text,
			    "d 1.0 has no record called 'NvU32', and no ioctl of that name with parameters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_the_first_version_had_is_a_boundary),
		TEST(each_field_has_the_version_that_last_changed_it),
		TEST(a_field_that_moved_is_blamed_on_the_move),
		TEST(a_field_that_was_renamed_has_its_former_name),
		TEST(a_change_that_was_undone_and_done_again_is_blamed_on_the_last_time),
		TEST(another_branch_changes_nothing),
		TEST(a_record_is_followed_where_it_was_renamed),
		TEST(a_record_that_was_not_there_was_added_as_a_whole),
		TEST(an_ioctl_stands_for_its_parameters),
		TEST(a_name_that_is_no_record_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
