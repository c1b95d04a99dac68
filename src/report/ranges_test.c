/* Tests of ranges: the versions that have the same ABI for a proxy. */
#include "report/fixture_test.h"

/* Both versions have the same ABI for the table, and may use its node. */
static struct ranges_version placed[] = {
	{ .node = &node, .fit = RANGES_FITS, .safe = &node, .reading = "aa", .served_by = -1 },
	{ .node = &node, .fit = RANGES_FITS, .safe = &node, .reading = "aa", .served_by = -1 },
};
static struct ranges_node judged = { .node = &node, .version = 0, .verdict = RANGES_KEEP };
static const size_t both[] = { 0, 1 };
static const struct ranges_set set = { both, 2 };
static const struct ranges ranges = { .graph = &graph,
				      .table = &table,
				      .criterion = RANGES_TABLE,
				      .versions = placed,
				      .nodes = &judged,
				      .sets = &set,
				      .set_count = 1,
				      .fitting = 2 };

static void a_set_names_the_node_that_its_versions_may_use(void **state)
{
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };

	report_ranges(&out, &report, &plain);
	assert_has("  1    may use 1.0\n"
		   "      1.0 2.0\n");
}

static void json_has_the_node_of_each_version(void **state)
{
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &ranges, NULL };

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

	needing[1].fit = RANGES_NEEDS;
	needing[1].safe = NULL;
	needing[1].served_by = 1;
	changed.versions = needing;
	changed.new_nodes = 1;
	report_ranges(&out, &report, &plain);
	assert_has("need a new node after 1.0\n      2.0\n");
}

/* The versions 590.1 to 595.2. All except the last one need the node of 590.1. */
static struct history_version releases[] = {
	{ .version = "590.1", .abi = &base },
	{ .version = "590.2", .abi = &base },
	{ .version = "595.1", .abi = &base },
	{ .version = "595.2", .abi = &base },
};
static const struct history_graph later = { releases, 4, &edge, 1 };
static const struct verify_finding fresh[] = {
	{ VERIFY_SIZE, "control", "CMD_A", "A", "", { .present = true, .size_bytes = 8, .type = "A" },
	  { .present = true, .size_bytes = 4, .type = "AParams" }, "8 bytes, not 4", false },
	{ .rule = VERIFY_FIELD_MISSING, .family = "control", .entry = "CMD_A", .record = "A", .path = "flags",
	  .driver = { .present = true, .offset_bytes = 4 }, .message = "A.flags is gone" },
};
static struct ranges_version in_need[4];

static struct ranges needing_one_node(void)
{
	struct ranges changed = ranges;

	for (size_t i = 0; i < 4; i++)
		in_need[i] = (struct ranges_version){
			.node = &node, .fit = RANGES_NEEDS, .fresh = fresh, .fresh_count = 2, .served_by = 0
		};
	changed.graph = &later;
	changed.versions = in_need;
	changed.set_count = 0;
	changed.new_nodes = 1;
	return changed;
}

static void what_one_node_would_serve_is_told_by_releases(void **state)
{
	const struct ranges changed = needing_one_node();
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	report_ranges(&out, &report, &plain);
	assert_has("590.1 needs a new node after 1.0\n"
		   "  1 entry; one node would serve 590.* and 595.*\n"
		   "  control CMD_A\n"
		   "      4 to 8 bytes, flags\n");
}

static void a_release_of_which_one_version_is_not_served_is_listed(void **state)
{
	const struct ranges changed = needing_one_node();
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	in_need[3].fit = RANGES_FITS;
	in_need[3].safe = &node;
	report_ranges(&out, &report, &plain);
	assert_has("one node would serve 590.* and 595.1\n");
}

static void a_release_of_which_one_version_has_no_document_is_listed(void **state)
{
	const struct ranges changed = needing_one_node();
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	releases[3].abi = NULL;
	report_ranges(&out, &report, &plain);
	releases[3].abi = &base;
	assert_has("one node would serve 590.* and 595.1\n");
}

static void with_v_every_finding_is_told(void **state)
{
	const struct ranges changed = needing_one_node();
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	report_ranges(&out, &report, &verbose);
	assert_has("      4 to 8 bytes, flags; size: 8 bytes, not 4; field-missing: A.flags is gone\n");
}

static void markdown_has_a_row_for_each_entry_in_need(void **state)
{
	const struct ranges changed = needing_one_node();
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	report_ranges(&out, &report, &markdown);
	assert_has(
		"### 590.1 needs a new node after 1.0\n\n1 entry; one node would serve 590.\\* and 595.\\*\n");
	assert_has(
		"| control `CMD_A` | 4 to 8 bytes, flags | size: 8 bytes, not 4; field-missing: A.flags is gone |\n");
}

/* Renders a report of a table with only a node that is equal to its parent. */
static void render_empty_node(bool supported, bool looked_at)
{
	const struct table_node child = { .version = "2.0", .parent = &node, .supported = supported };
	struct ranges_node empty = {
		.node = &child, .follows = &node, .verdict = RANGES_EMPTY, .version = looked_at ? 0 : -1
	};
	struct ranges changed = ranges;
	const struct ranges_report report = { "toy", "x86_64-linux-gnu", &changed, NULL };

	changed.nodes = &empty;
	report_ranges(&out, &report, &plain);
}

static void a_node_like_its_parent_could_go(void **state)
{
	render_empty_node(false, true);
	assert_has(
		"Nodes that could be removed\n  - 2.0 forwards the same as 1.0, and is not a supported version\n");
	strbuf_reset(&out);
	render_empty_node(false, false);
	assert_has(
		"and is not a supported version; the driver of\n    that version was not examined\n");
}

static void a_node_like_its_parent_that_is_a_supported_version_stays(void **state)
{
	render_empty_node(true, true);
	assert_has("Nodes that could be removed\n  none\n  1 more node forwards the same as its parent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_set_names_the_node_that_its_versions_may_use),
		TEST(json_has_the_node_of_each_version),
		TEST(a_version_that_needs_a_node_says_after_which),
		TEST(what_one_node_would_serve_is_told_by_releases),
		TEST(a_release_of_which_one_version_is_not_served_is_listed),
		TEST(a_release_of_which_one_version_has_no_document_is_listed),
		TEST(with_v_every_finding_is_told),
		TEST(markdown_has_a_row_for_each_entry_in_need),
		TEST(a_node_like_its_parent_could_go),
		TEST(a_node_like_its_parent_that_is_a_supported_version_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
