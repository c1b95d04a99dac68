/* Tests of blame: the version that last changed each field. */
#include "report/fixture_test.h"

/* 1.0 has "handle"; 2.0 added "flags". */
static const struct blame_line lines[] = {
	{ .leaf = &leaves_of_a[0], .version = 0, .is_boundary = true, .op = DIFF_OP_ADDED },
	{ .leaf = &leaves_of_a[1], .version = 1, .op = DIFF_OP_ADDED },
};
static const struct blame blame_of_a = { .name = "A",
					 .version = 1,
					 .layout = &layout_of_a,
					 .lines = lines,
					 .line_count = 2,
					 .size_version = 1,
					 .size_before = 4 };

static void a_field_is_below_the_version_that_made_it(void **state)
{
	report_blame_text(&out, &blame_of_a, &graph, NULL, &plain);
	assert_rendered("c2 (2.0 1970-01-02        ) struct A, 8 bytes  (was 4)\n"
			"^c1 (1.0 1970-01-01       0) NvHandle handle\n"
			"c2 (2.0 1970-01-02       4) NvU32 flags  (added)\n");
}

static void versions_of_other_branches_are_listed(void **state)
{
	static const size_t first[] = { 0 };
	struct blame_line line = lines[1];
	struct blame blame = blame_of_a;

	line.also = blame.size_also = (struct blame_also){ first, 1 };
	blame.lines = &line;
	blame.line_count = 1;
	report_blame_text(&out, &blame, &graph, NULL, &plain);
	assert_rendered("c2 (2.0 1970-01-02        ) struct A, 8 bytes  (was 4; also at 1.0)\n"
			"c2 (2.0 1970-01-02       4) NvU32 flags  (added; also at 1.0)\n");
	report_blame_json(&out, &blame, &graph, NULL, NULL);
	assert_has("\"boundary\": false, \"also\": [\"1.0\"], \"before\": 4}");
	assert_has("\"boundary\": false, \"also\": [\"1.0\"], \"op\": \"added\"}");
}

static void former_names_are_listed(void **state)
{
	static const struct blame_name former[] = { { "B", 1 }, { "C", 0 } };
	struct blame blame = blame_of_a;

	blame.former = former;
	blame.former_count = 2;
	report_blame_text(&out, &blame, &graph, NULL, &plain);
	assert_has("struct A, 8 bytes\n    (was 4; called B before 2.0; called C before 1.0)\n");
	report_blame_json(&out, &blame, &graph, NULL, NULL);
	assert_has("  {\"name\": \"B\", \"before\": \"2.0\"},\n  {\"name\": \"C\", \"before\": \"1.0\"}\n");
}

static void one_member_may_be_asked_for(void **state)
{
	report_blame_text(&out, &blame_of_a, &graph, "flags", &plain);
	assert_has("flags");
	assert_lacks("handle");
}

static void a_record_has_the_members_that_it_has(void **state)
{
	assert_true(report_blame_has(&layout_of_a, "flags"));
	assert_false(report_blame_has(&layout_of_a, "flag"));
}

static void json_names_the_version_of_each_field(void **state)
{
	report_blame_json(&out, &blame_of_a, &graph, NULL, NULL);
	assert_has(
		"  {\"path\": \"flags\", \"offset\": 4, \"size\": 4, \"type\": \"NvU32\", "
		"\"version\": \"2.0\", \"commit\": \"c2\", \"date\": \"1970-01-02\", \"boundary\": false, \"op\": \"added\"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_field_is_below_the_version_that_made_it),
		TEST(versions_of_other_branches_are_listed),
		TEST(former_names_are_listed),
		TEST(one_member_may_be_asked_for),
		TEST(a_record_has_the_members_that_it_has),
		TEST(json_names_the_version_of_each_field),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
