/* Which versions are one ABI to a proxy. */
#include "report/fixture_test.h"

/* Both versions are one ABI to the table, and may use its node. */
static struct ranges_version placed[] = {
	{ .node = &node, .fit = RANGES_FITS, .safe = &node, .reading = "aa", .served_by = -1 },
	{ .node = &node, .fit = RANGES_FITS, .safe = &node, .reading = "aa", .served_by = -1 },
};
static struct ranges_node judged = { .node = &node, .version = 0, .verdict = RANGES_KEEP };
static const size_t both[] = { 0, 1 };
static const struct ranges_set set = { both, 2 };
static const struct ranges ranges = { .graph = &graph, .table = &table, .notion = RANGES_TABLE, .versions = placed, .nodes = &judged,
				      .sets = &set, .set_count = 1, .fitting = 2 };

static void a_set_names_the_node_that_its_versions_may_use(void **state)
{
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };

	(void)state;
	report_ranges_text(&out, &report, &plain);
	assert_has("    1 may use 1.0\n"
		   "      1.0 2.0\n");
}

static void json_has_the_node_of_each_version(void **state)
{
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };

	(void)state;
	report_ranges_json(&out, &report);
	assert_has("   \"version\": \"2.0\",\n"
		   "   \"set\": 0,\n"
		   "   \"follows\": \"1.0\",\n"
		   "   \"fit\": \"fits\",\n"
		   "   \"node\": \"1.0\"\n");
}

static void a_version_that_needs_a_node_says_after_which(void **state)
{
	struct ranges_version needing[2] = { placed[0], placed[1] };
	struct ranges changed = ranges;
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	(void)state;
	needing[1].fit = RANGES_NEEDS;
	needing[1].safe = NULL;
	needing[1].served_by = 1;
	changed.versions = needing;
	changed.new_nodes = 1;
	report_ranges_text(&out, &report, &plain);
	assert_has("need a new node after 1.0\n      2.0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_set_names_the_node_that_its_versions_may_use),
		TEST(json_has_the_node_of_each_version),
		TEST(a_version_that_needs_a_node_says_after_which),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
