/* Tests of grouping the findings of several versions. */
#include "report/fixture_test.h"

#include "report/internal.h"

static struct arena arena;

static struct verify_finding about(const char *entry, const char *path, const char *message)
{
	return (struct verify_finding){ .rule = VERIFY_FIELD_MISSING,
					.family = "control",
					.entry = entry,
					.record = "R",
					.path = path,
					.message = message };
}

static struct finding_blocks group(struct finding_at *items, size_t count, bool fold)
{
	struct finding_blocks blocks;

	findings_group(&blocks, items, count, fold, &arena);
	return blocks;
}

static int release(void **state)
{
	arena_release(&arena);
	return end_test(state);
}

static void a_finding_of_several_versions_is_one_line(void **state)
{
	const struct verify_finding one = about("E", "a", "R.a is gone");
	struct finding_at items[] = { { &one, 2 }, { &one, 0 }, { &one, 1 } };
	const struct finding_blocks blocks = group(items, 3, true);

	assert_int_equal(blocks.count, 1);
	assert_int_equal(blocks.block->line_count, 1);
	assert_int_equal(blocks.block->lines->version_count, 3);
	assert_int_equal(blocks.block->lines->versions[0], 0);
}

static void what_differs_in_one_name_and_its_offset_is_one_line(void **state)
{
	const struct verify_finding fb = about("E", "s[].fb.pid", "R.s[].fb.pid (NvU32 at 8) is gone");
	const struct verify_finding gr = about("E", "s[].gr.pid", "R.s[].gr.pid (NvU32 at 72) is gone");
	struct finding_at items[] = { { &fb, 0 }, { &gr, 0 } };
	const struct finding_blocks blocks = group(items, 2, true);

	assert_int_equal(blocks.block->line_count, 1);
	assert_int_equal(blocks.block->lines->finding_count, 2);
	assert_string_equal(blocks.block->lines->message, "R.s[].{fb,gr}.pid (NvU32 at 8, 72) is gone");
}

static void an_equal_offset_is_said_once(void **state)
{
	const struct verify_finding x = about("E", "u.x", "R.u.x (NvU32 at 8) is gone"),
				    y = about("E", "u.y", "R.u.y (NvU32 at 8) is gone");
	struct finding_at items[] = { { &x, 0 }, { &y, 0 } };

	assert_string_equal(group(items, 2, true).block->lines->message, "R.u.{x,y} (NvU32 at 8) is gone");
}

static void what_differs_in_its_type_too_stays_two_lines(void **state)
{
	const struct verify_finding a = about("E", "a", "R.a (NvU32 at 8) is gone"),
				    b = about("E", "b", "R.b (NvU64 at 16) is gone");
	struct finding_at items[] = { { &a, 0 }, { &b, 0 } };

	assert_int_equal(group(items, 2, true).block->line_count, 2);
}

static void what_differs_in_its_versions_stays_two_lines(void **state)
{
	const struct verify_finding a = about("E", "a", "R.a is gone"), b = about("E", "b", "R.b is gone");
	struct finding_at items[] = { { &a, 0 }, { &b, 0 }, { &b, 1 } };

	assert_int_equal(group(items, 3, true).block->line_count, 2);
}

static void what_differs_in_two_names_stays_two_lines(void **state)
{
	const struct verify_finding a = about("E", "x.a", "R.x.a is gone"),
				    b = about("E", "y.b", "R.y.b is gone");
	struct finding_at items[] = { { &a, 0 }, { &b, 0 } };

	assert_int_equal(group(items, 2, true).block->line_count, 2);
}

static void a_line_joins_where_most_do(void **state)
{
	const struct verify_finding xa = about("E", "x.a", "R.x.a is gone"),
				    xb = about("E", "x.b", "R.x.b is gone");
	const struct verify_finding xc = about("E", "x.c", "R.x.c is gone"),
				    ya = about("E", "y.a", "R.y.a is gone");
	struct finding_at items[] = { { &ya, 0 }, { &xa, 0 }, { &xb, 0 }, { &xc, 0 } };
	const struct finding_blocks blocks = group(items, 4, true);

	assert_int_equal(blocks.block->line_count, 2);
	assert_string_equal(blocks.block->lines[0].message, "R.x.{a,b,c} is gone");
	assert_string_equal(blocks.block->lines[1].message, "R.y.a is gone");
}

static void entries_of_which_the_same_is_said_are_one_block(void **state)
{
	const struct verify_finding d = about("D", "a", "R.a is gone"), e = about("E", "a", "R.a is gone"),
				    f = about("F", "b", "R.b is gone");
	struct finding_at items[] = { { &f, 0 }, { &e, 0 }, { &d, 0 } };
	const struct finding_blocks blocks = group(items, 3, true);

	assert_int_equal(blocks.count, 2);
	assert_int_equal(blocks.entry_count, 3);
	assert_int_equal(blocks.block[0].entry_count, 2);
	assert_string_equal(blocks.block[0].entries[1], "E");
	assert_string_equal(blocks.block[1].entries[0], "F");
}

static void without_folding_each_finding_has_its_line(void **state)
{
	const struct verify_finding d = about("D", "a", "R.a is gone"), e = about("E", "a", "R.a is gone"),
				    b = about("E", "b", "R.b is gone");
	struct finding_at items[] = { { &d, 0 }, { &e, 0 }, { &b, 0 } };
	const struct finding_blocks blocks = group(items, 3, false);

	assert_int_equal(blocks.count, 2);
	assert_int_equal(blocks.block[1].line_count, 2);
}

static void of_two_sentences_on_one_field_the_older_comes_first(void **state)
{
	const struct verify_finding was = about("E", "a", "R.a is z"), is = about("E", "a", "R.a is b");
	struct finding_at items[] = { { &is, 1 }, { &was, 0 } };

	assert_string_equal(group(items, 2, true).block->lines[0].message, "R.a is z");
}

static void a_path_inside_another_word_is_no_path(void **state)
{
	const struct verify_finding d = about("E", "d", "moved, and d (NvU32 at 8) is gone"),
				    e = about("E", "e", "moved, and e (NvU32 at 12) is gone");
	struct finding_at items[] = { { &d, 0 }, { &e, 0 } };

	assert_string_equal(group(items, 2, true).block->lines->message,
			    "moved, and {d,e} (NvU32 at 8, 12) is gone");
}

static void a_run_of_versions_names_its_ends(void **state)
{
	static const char *const names[] = { "1", "2", "3", "4", "5", "6", "7" };
	static const size_t some[] = { 0, 1, 2, 4, 6 }, two[] = { 0, 1 };

	findings_runs(&out, names, some, COUNT(some));
	assert_rendered("1..3, 5, 7");
	strbuf_reset(&out);
	findings_runs(&out, names, two, COUNT(two));
	assert_rendered("1, 2");
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_finding_of_several_versions_is_one_line),
		TEST(what_differs_in_one_name_and_its_offset_is_one_line),
		TEST(an_equal_offset_is_said_once),
		TEST(what_differs_in_its_type_too_stays_two_lines),
		TEST(what_differs_in_its_versions_stays_two_lines),
		TEST(what_differs_in_two_names_stays_two_lines),
		TEST(a_line_joins_where_most_do),
		TEST(entries_of_which_the_same_is_said_are_one_block),
		TEST(without_folding_each_finding_has_its_line),
		TEST(of_two_sentences_on_one_field_the_older_comes_first),
		TEST(a_path_inside_another_word_is_no_path),
		TEST(a_run_of_versions_names_its_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
